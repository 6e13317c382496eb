#ifndef COORDINATOR_HTTP_ORIGIN_CHECK_H
#define COORDINATOR_HTTP_ORIGIN_CHECK_H
/* Where HTTP listens, and which Host and Origin it accepts: protects against DNS rebinding. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct err;

/* Accepted host names, besides those of loopback. */
struct origin_names {
	const char *const *v;
	size_t n;
	bool addresses;			/* any IP address, too: a web page cannot rebind those */
};

/*
 * The socket address of `HOST:PORT`, HOST being localhost or an IP address, [V6] in brackets.
 * 0, its length in `len` and whether it is loopback (127.0.0.0/8, ::1); or -1 with INVALID_INPUT.
 */
int origin_address(
    const char *text, struct sockaddr_storage *sa, socklen_t *len, bool *loopback, struct err *e);

/*
 * A listening socket there (port 0: any free one), with the address as `scheme://HOST:PORT` in
 * `url`.
 * -1 with INVALID_INPUT, or UNAVAILABLE when it is taken.
 */
int origin_listen(const char *text, const char *scheme, char *url, size_t size, struct err *e);

/* Whether a Host header has one of these names.  A page whose name was rebound sends its own. */
bool origin_host_allowed(const char *host, const struct origin_names *);

/* Whether an Origin header is a page served by loopback, or by `host`, the Host header or NULL. */
bool origin_page_allowed(const char *origin, const char *host);
#endif
