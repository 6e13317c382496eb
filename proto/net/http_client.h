#ifndef PROTO_NET_HTTP_CLIENT_H
#define PROTO_NET_HTTP_CLIENT_H
/*
 * One HTTP request, blocking.  The one includer of curl; for the command line, the embedder, the
 * chat model and etcd.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct egress_policy;
struct err;

struct fetch_request {
	const char *method;		/* NULL: GET, or POST with a body */
	const char *url;
	const struct egress_policy *egress;	/* which addresses it may go to; NULL: any */
	const char *const *headers;	/* "Name: value"; NULL-terminated; may be NULL */
	const char *bearer;		/* Authorization; NULL or "" for none */
	const char *ca;			/* CA bundle instead of the system's; NULL or "" for none */
	const char *cert, *key;		/* own certificate and its key, PEM files; NULL or "" for none */
	const char *body;
	size_t nbody;
	int timeout_ms;			/* of the whole; 0: 30 s; -1: as long as a byte a minute comes */
	int connect_ms;			/* of that, until there is a connection; 0: no less */
	size_t max;			/* of the answer's bytes; 0: 64 MiB */
	/* the connection, for what this thread asks next; a lost one may be sent the request twice */
	bool keep;
	/* NULL, or: what to do with each event of a text/event-stream */
	void (*event)(void *arg, const char *data);
	/* NULL, or: takes the body as it comes, whatever its size; it is not kept */
	void (*data)(void *arg, const char *p, size_t n);
	void *arg;			/* of `event` and `data` */
	atomic_bool *stop;		/* NULL, or: hang up soon after it is set */
};

/* Why there was no answer, where that helps. */
enum fetch_failure { FETCH_OTHER, FETCH_DISTRUSTED, FETCH_WANTS_HTTPS, FETCH_WANTS_HTTP };

struct fetch_response {
	int status;
	const char *type;		/* Content-Type */
	const char *session;		/* Mcp-Session-Id, or NULL */
	/* id of the last event that came, or NULL; also when fetch failed */
	const char *last_event;
	enum fetch_failure why;		/* fetch failed; the last two are what it looks like */
	bool unsent;			/* fetch failed, and nobody has got the request */
	int retry_after_ms;		/* Retry-After, as seconds or as a date; 0: none */
	char *body;			/* NUL-terminated; empty after events */
	size_t n;
};

/*
 * Do it.  0 with `out` filled from `a`, whatever the HTTP status; -1 with UNAVAILABLE (no
 * connection, time-out, stopped) or INVALID_INPUT (bad URL), or FORBIDDEN: `egress` refuses the
 * address, which was not dialled.  Redirects are not followed.
 */
int fetch(const struct fetch_request *, struct fetch_response *out, struct arena *a, struct err *e);

/* A URL as messages and logs may show it: without user, password and query. */
const char *fetch_display_url(const char *url, struct arena *a);
#endif
