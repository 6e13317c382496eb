#ifndef COORDINATOR_HTTP_HTTP_SERVER_H
#define COORDINATOR_HTTP_HTTP_SERVER_H
/*
 * The HTTP server: sockets, limits, access control, and routing to handlers.  A request that waits
 * for shards is suspended and holds no thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct caller;
struct coordinator;
struct err;
struct http_server;
struct limits;
struct coordinator_config;
struct tokens;

enum { HTTP_BODY_MAX = 1 << 20, HTTP_LARGE_MAX = 25 << 20 };

/* One request, complete with its body.  The handler must answer it exactly once, now or later. */
struct exchange {
	struct coordinator *co;
	const struct caller *caller;
	const char *method, *path;
	const char *rest;	/* of the path, behind the prefix of a route that ends in '*' */
	const char *body;	/* NUL-terminated; at most what the route allows */
	size_t n;
	struct arena *a;	/* lives until the answer; one thread at a time */
};

/* An endpoint: a row of routes.def. */
struct http_route {
	const char *method, *path;	/* a path that ends in a star is a prefix */
	bool open;			/* also for unauthenticated clients, as caller_nobody */
	size_t body;			/* maximum size in bytes */
	bool probe;			/* also answered on the spare connections */
	void (*handler)(struct exchange *);
};

/* Everything that is passed here must outlive the server. */
struct http_setup {
	const struct coordinator_config *o;
	struct limits *limits;
	struct tokens *tokens;
	const struct http_route *routes;
	size_t nroutes;
	struct coordinator *co;		/* passed to handlers */
	char *url;			/* receives the URL with the real port, before the first request */
	size_t url_size;

	/* The client of the exchange `asker` has gone.  Any thread. */
	void (*on_reader_gone)(struct coordinator *, const void *asker);
};

/*
 * Serve on --http (port 0: any free one).
 * NULL with INVALID_INPUT for a bad address, one beyond loopback without tokens or TLS, or bad
 * keys; with UNAVAILABLE if the address is in use.
 */
struct http_server *http_open(const struct http_setup *, struct err *e);

/*
 * Answer new requests with 503.  Running ones have timeout_ms to be answered, then get 503, too.
 * NULL is fine.
 */
void http_drain(struct http_server *, int timeout_ms);

/* Answer 503 to waiting requests, close all connections, and free.  NULL is fine. */
void http_close(struct http_server *);

/* A parameter in the query of the URL, or NULL.  See http_header. */
const char *http_query(const struct exchange *, const char *name);

/* A request header, or NULL.  Only in the handler, before it returns; borrowed. */
const char *http_header(const struct exchange *, const char *name);

/* Whether the client accepts this media type.  See http_header. */
bool http_accepts(const struct exchange *, const char *type);

/*
 * Check that the body is declared as JSON, which a web page cannot send to another origin without a
 * preflight.  -1 if not; the exchange is then answered with 415.
 */
int http_require_json(struct exchange *);

/*
 * Answer and end the exchange.  Any thread.  Takes `body`, which may be NULL; `type` is its media
 * type; `header` is a further header as "Name: value", or NULL.
 */
void http_answer(
    struct exchange *, int status, const char *type, struct buf *body, const char *header);

struct http_header {
	const char *name, *value;
};

/*
 * Answer with bytes that live as long as the process.  `headers`, which end with a NULL name,
 * replace the usual ones, except the security headers.
 */
void http_answer_file(
    struct exchange *, int status, const void *p, size_t n, const struct http_header *headers);

/*
 * Start a stream of events (text/event-stream) instead of calling http_answer.  A silent stream
 * gets a comment every 15 s.  This and the next three may be called by any thread, one at a time.
 * When the client hangs up, the calls and streams of the exchange end (call_abandon,
 * mcp_reader_gone).
 */
void http_stream(struct exchange *, const char *header);

/*
 * Send a part of the stream.  False if the client has gone or reads too slowly; the stream has then
 * ended, but http_end must still be called.
 */
bool http_send(struct exchange *, const char *bytes, size_t n);

/* Whether http_stream was called. */
bool http_is_stream(struct exchange *);

/* End the stream and the exchange after everything is sent. */
void http_end(struct exchange *);

/*
 * Answer with {"error":{code, message, hint}} and `status`; if that is 0, with the status of the
 * error code.
 */
void http_fail(struct exchange *, int status, const struct err *e, const char *header);

/* Write the header `Retry-After: SECONDS`, rounded up. */
void http_retry_after(int64_t ms, char *header, size_t size);
#endif
