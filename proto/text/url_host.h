#ifndef PROTO_TEXT_URL_HOST_H
#define PROTO_TEXT_URL_HOST_H
/* The scheme, host and port of a URL, parsed, so that they are never compared as text. */

#include <stdbool.h>

struct arena;

struct url_host {
	const char *scheme, *name;	/* lower case; an IPv6 address in its brackets */
	int port;			/* by default the scheme's port; 0 if that is unknown too */
};

/* 0, or -1 if it is not `scheme://host`, or if its host is ambiguous between URL parsers. */
int url_host_parse(const char *url, struct url_host *, struct arena *);

/*
 * Whether the host matches a pattern in the configuration: `host`, `host:port` or `*.domain`, in
 * any case, by default with the port of the URL's scheme.  An invalid pattern matches nothing.
 */
bool url_host_matches(const struct url_host *, const char *written, struct arena *);

/* Whether it is a valid pattern for url_host_matches. */
bool url_host_pattern_valid(const char *written, struct arena *);

bool url_host_equal(const struct url_host *, const struct url_host *);	/* scheme and port too */
bool url_host_is_loopback(const struct url_host *);			/* localhost, 127.0.0.0/8, ::1 */
#endif
