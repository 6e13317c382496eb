#ifndef COORDINATOR_HTTP_HTTP_INTERNAL_H
#define COORDINATOR_HTTP_HTTP_INTERNAL_H
/*
 * Shared by the files of the HTTP server: requests in http_server.c, answers in http_response.c,
 * shutdown in http_shutdown.c.  The only includer of libmicrohttpd.
 */

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "coordinator/http/http_server.h"
#include "coordinator/http/origin_check.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"

struct http_conn;
struct http_timeouts;

/*
 * A request, owned by libmicrohttpd until the connection is done with it, and by its handler
 * until it answers.
 */
struct http_request {
	struct exchange pub;		/* first: handlers know only this */
	struct http_request *prev, *next;	/* guarded by http->lock */
	struct http_server *http;	/* valid until the connection is done */
	struct http_conn *conn;
	struct MHD_Connection *mhd;	/* NULL when the connection is done; guarded by `lock` */
	const struct http_route *route;
	struct buf body;
	size_t received;
	bool large;			/* counted by http->large */
	struct err refusal;
	int refusal_status;
	char refusal_header[64];
	bool seen, started;
	bool hidden, framing_unclear;	/* a NUL byte in the path; the end of the body is ambiguous */
	bool tls;			/* terminated by this server */
	atomic_int refs;
	pthread_mutex_t lock;		/* guards what follows */
	bool awaited;			/* started before a shutdown, which waits for the answer */
	bool answered, suspended;
	struct MHD_Response *response;
	int status;
	bool streams, ended, gone;	/* a stream of events; its end was set; the client has left */
	struct buf unsent;
};

struct http_server {
	struct http_setup in;
	struct arena *a;		/* for keys and certificates */
	struct MHD_Daemon *daemon;
	struct http_timeouts *patience;
	bool tls;
	atomic_int large;		/* connections that have sent more than HTTP_BODY_MAX */
	bool exposed;			/* reachable from other machines: every request needs a token */
	struct origin_names names;
	atomic_bool closing;
	pthread_mutex_t lock;
	struct http_request live;	/* head of the ring of requests, guarded by `lock` */
};

/* Drop a reference; the last one frees the request. */
void http_request_unref(struct http_request *);

/* Check that the headers are unambiguous.  -1 with the refusal set in the request. */
int http_request_check(struct http_request *, const char *version);

/* Set the answer, unless there is one, and resume the connection.  Takes `body`. */
void http_request_answer(
    struct http_request *, int status, const char *type, struct buf *body, const char *header);

/* The client has gone: cancel the work for the answer, and end a stream. */
void http_request_abandon(struct http_request *);

/* Resume the connection.  Call with the request's lock held. */
void http_request_resume(struct http_request *);

/* Send a comment to all silent streams.  `http` is a struct http_server. */
void http_send_keepalives(void *http);

/* Have the request answered with its `refusal` and this status.  Always -1. */
int http_request_reject(struct http_request *, int status);

/* Answer 503: the coordinator is shutting down. */
void http_request_reject_closing(struct http_request *);

/*
 * Check that --http may be served with these options, and set `exposed` and `names`.
 * INVALID_INPUT.
 */
int http_check_listen(struct http_server *, struct err *);

/* Refuse foreign web pages with 403. */
int http_check_origin(struct http_request *);

/* Set pub.caller from the token; 401 without a valid one, unless the route is `open`. */
int http_authenticate(struct http_request *, bool open);

/* {"error":{…}} */
void http_put_error(const struct err *, struct buf *out);
#endif
