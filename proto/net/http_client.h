#ifndef PROTO_NET_HTTP_CLIENT_H
#define PROTO_NET_HTTP_CLIENT_H
/*
 * One blocking HTTP request, for the command line, the embedder, the chat model and etcd.  The one
 * includer of curl.
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
	const struct egress_policy *egress;	/* the addresses that it may go to; NULL for any */
	const char *const *headers;	/* "Name: value"; NULL-terminated; may be NULL */
	const char *bearer;		/* Authorization; NULL or "" for none */
	const char *ca;			/* CA bundle instead of the system's; NULL or "" for none */
	const char *cert, *key;		/* client certificate and key, PEM files; NULL or "" for none */
	const char *body;
	size_t nbody;
	int timeout_ms;			/* of the request; 0 = 30 s; -1 = until no byte came for a minute */
	int connect_ms;			/* to connect; 0 = timeout_ms */
	size_t max;			/* maximum size of the response; 0 = 64 MiB */
	/* reuse the thread's connection; a request on a lost connection may be sent twice */
	bool keep;
	/* NULL, or called for each event of a text/event-stream */
	void (*event)(void *arg, const char *data);
	/* NULL, or called with each piece of the body, which is then neither limited nor stored */
	void (*data)(void *arg, const char *p, size_t n);
	void *arg;			/* of `event` and `data` */
	atomic_bool *stop;		/* NULL, or cancels the request soon after it is set */
};

/* Why there was no response, where the caller can suggest a remedy. */
enum fetch_failure { FETCH_OTHER, FETCH_DISTRUSTED, FETCH_WANTS_HTTPS, FETCH_WANTS_HTTP };

struct fetch_response {
	int status;
	const char *type;		/* Content-Type */
	const char *session;		/* Mcp-Session-Id, or NULL */
	/* id of the last event received, or NULL; also set when fetch failed */
	const char *last_event;
	enum fetch_failure why;		/* when fetch failed; the last two are guesses */
	bool unsent;			/* fetch failed before any of the request was sent */
	int retry_after_ms;		/* Retry-After, from seconds or a date; 0 = none */
	char *body;			/* NUL-terminated; empty after events */
	size_t n;
};

/*
 * Send the request.  0 with `out` filled from `a`, whatever the HTTP status; -1 with UNAVAILABLE
 * (no connection, timeout, stopped), INVALID_INPUT (bad URL) or FORBIDDEN (`egress` refuses the
 * address, which was not dialled).  Redirects are not followed.
 */
int fetch(const struct fetch_request *, struct fetch_response *out, struct arena *a, struct err *e);

/* A URL for messages and logs: without user, password and query. */
const char *fetch_display_url(const char *url, struct arena *a);
#endif
