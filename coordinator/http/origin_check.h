#ifndef COORDINATOR_HTTP_ORIGIN_CHECK_H
#define COORDINATOR_HTTP_ORIGIN_CHECK_H
/*
 * Where HTTP listens, and under which names it may be called: what keeps web pages away that have
 * re-bound theirs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct err;

/* Under which names it may be called beside loopback's. */
struct origin_names {
	const char *const *v;
	size_t n;
	bool addresses;			/* under any IP address: a page cannot re-bind those */
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

/*
 * Whether a Host header is one of these names.  A page whose name was re-bound to our address
 * sends its own name.
 */
bool origin_host_allowed(const char *host, const struct origin_names *);

/*
 * Whether an Origin header is a page served by loopback, or by `host`, the Host header (NULL:
 * none).
 */
bool origin_page_allowed(const char *origin, const char *host);
#endif
