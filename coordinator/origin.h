#ifndef COORDINATOR_ORIGIN_H
#define COORDINATOR_ORIGIN_H
/* Which addresses and names mean this machine: what keeps web pages away from a server on loopback. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct err;

/*
 * The socket address of `HOST:PORT`, which must be loopback: localhost, 127.0.0.0/8 or [::1].
 * 0 and its length in `len`, or -1 with INVALID_INPUT.
 */
int origin_address(const char *text, struct sockaddr_storage *sa, socklen_t *len, struct err *e);

/*
 * A listening socket on `HOST:PORT` (port 0: any free one), with the address as `http://HOST:PORT` in `url`.
 * -1 with INVALID_INPUT, or UNAVAILABLE when it is taken.
 */
int origin_listen(const char *text, char *url, size_t size, struct err *e);

/* Whether a Host header names loopback.  A page whose name was re-bound to 127.0.0.1 sends its own name. */
bool origin_host(const char *host);

/* Whether an Origin header is a page served by loopback. */
bool origin_page(const char *origin);
#endif
