#ifndef COORDINATOR_HTTP_HTTP_SERVER_H
#define COORDINATOR_HTTP_HTTP_SERVER_H
/*
 * The HTTP server: sockets, limits, who may talk to it, and the way from a request to its handler.
 * A request that waits for shards is suspended and holds no thread.  The one includer of
 * libmicrohttpd.
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

/* A path that is answered: a row of http_routes.h. */
struct http_route {
	const char *method, *path;	/* a path that ends in a star is a prefix */
	bool open;			/* also to those who do not say who they are, as caller_nobody */
	size_t body;			/* bytes at most */
	bool probe;			/* answered on a connection beyond those that there is room for, too */
	void (*handler)(struct exchange *);
};

/* What the server works with; it outlives the server. */
struct http_setup {
	const struct coordinator_config *o;
	struct limits *limits;
	struct tokens *tokens;
	const struct http_route *routes;
	size_t nroutes;
	struct coordinator *co;		/* what handlers are given */
	char *url;			/* gets where it answers, with the real port, before the first request */
	size_t url_size;

	/* Nobody reads the answer of the exchange that asked any more.  Any thread. */
	void (*on_reader_gone)(struct coordinator *, const void *asker);
};

/*
 * Serve on --http (port 0: any free one).
 * NULL with `e`: INVALID_INPUT for the address, for one beyond loopback without tokens or TLS, and
 * for bad keys; UNAVAILABLE when it is taken.
 */
struct http_server *http_open(const struct http_setup *, struct err *e);

/*
 * From now on new requests are answered 503; those under way have so long for their answers, then
 * it is 503 too.  NULL is fine.
 */
void http_drain(struct http_server *, int timeout_ms);

/* Answer 503 to what still waits, close every connection, free.  NULL is fine. */
void http_close(struct http_server *);

/* The value of a parameter in the query of the URL, or NULL.  As http_header. */
const char *http_query(const struct exchange *, const char *name);

/* A request header, or NULL.  Only from the handler, before it returns; borrowed. */
const char *http_header(const struct exchange *, const char *name);

/* Whether the client takes answers of this media type.  As http_header. */
bool http_accepts(const struct exchange *, const char *type);

/*
 * Whether the body is declared to be JSON.  A web page cannot send such a request to another
 * origin unasked. 0; or -1, the exchange then being answered with 415.
 */
int http_require_json(struct exchange *);

/*
 * Answer and end the exchange, from any thread.  `body` is taken (NULL: none); `type` is its media
 * type; `header` is one more header as "Name: value", or NULL.
 */
void http_answer(
    struct exchange *, int status, const char *type, struct buf *body, const char *header);

/* One more header of an answer. */
struct http_header {
	const char *name, *value;
};

/*
 * Answer with bytes that live as long as the process.  `headers` take the place of the usual ones
 * (but nosniff); the last has no name.
 */
void http_answer_file(
    struct exchange *, int status, const void *p, size_t n, const struct http_header *headers);

/*
 * Begin an answer whose end is not known yet, a stream of events (text/event-stream), instead of
 * http_answer.  Silent streams get a comment every quarter of a minute.  Any thread; so the next
 * three, one at a time.  A client that hangs up ends the calls and the streams whose asker is the
 * exchange (call_abandon, mcp_reader_gone).
 */
void http_stream(struct exchange *, const char *header);

/*
 * Send some of it.  False: nobody reads it, or too slowly, and the stream has ended; it still
 * wants http_end.
 */
bool http_send(struct exchange *, const char *bytes, size_t n);

/* Whether http_stream was called. */
bool http_is_stream(struct exchange *);

/* The stream and the exchange end once all is sent. */
void http_end(struct exchange *);

/*
 * Answer with {"error":{code, message, hint}}; the status is the code's own, or `status` when that
 * is not 0.
 */
void http_fail(struct exchange *, int status, const struct err *e, const char *header);

/* The header `Retry-After: S` for so many milliseconds. */
void http_retry_after(int64_t ms, char *header, size_t size);
#endif
