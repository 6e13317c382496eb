#ifndef PROTO_TEXT_URL_HOST_H
#define PROTO_TEXT_URL_HOST_H
/* Whom a URL asks: scheme, host and port, so that they are compared as such and never as text. */

#include <stdbool.h>

struct arena;

struct url_host {
	const char *scheme, *name;	/* lower case; an IPv6 address in its brackets */
	int port;			/* the scheme's own where none is given; 0: neither */
};

/* 0; -1 when it is no `scheme://host`, or programs may differ in how they read its host. */
int url_host_parse(const char *url, struct url_host *, struct arena *);

/*
 * Whether it is the one that an operator wrote: `host`, `host:port` or `*.domain`, in any case;
 * without port the one that the URL's scheme has.  What is no host is nobody's.
 */
bool url_host_matches(const struct url_host *, const char *written, struct arena *);

/* Whether it could be the name of a host for url_host_matches. */
bool url_host_pattern_valid(const char *written, struct arena *);

bool url_host_equal(const struct url_host *, const struct url_host *);	/* scheme and port too */
bool url_host_is_loopback(const struct url_host *);			/* localhost, 127.0.0.0/8, ::1 */
#endif
