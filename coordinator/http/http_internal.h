#ifndef COORDINATOR_HTTP_HTTP_INTERNAL_H
#define COORDINATOR_HTTP_HTTP_INTERNAL_H
/*
 * What the files of the HTTP server share: requests in http_server.c, answers in http_response.c,
 * the end in http_shutdown.c.  The one includer of libmicrohttpd.
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
 * An exchange as it is kept: by libmicrohttpd until its connection is done with it, by its handler
 * until the answer.
 */
struct http_request {
	struct exchange pub;		/* first: handlers know only this */
	struct http_request *prev, *next;	/* guarded by http->lock */
	struct http_server *http;		/* not after the connection is done: it may be gone */
	struct http_conn *conn;
	struct MHD_Connection *mhd;	/* NULL when it is done: guarded by `lock` */
	const struct http_route *route;
	struct buf body;
	size_t received;
	bool large;			/* counted by http->large */
	struct err refusal;
	int refusal_status;
	char refusal_header[64];
	bool seen, started;
	bool hidden, framing_unclear;		/* something of its path; where its body ends is not sure */
	bool tls;			/* our own */
	atomic_int refs;
	pthread_mutex_t lock;		/* of what is below */
	bool awaited;			/* it was begun, and not too late: an end waits for its answer */
	bool answered, suspended;
	struct MHD_Response *response;
	int status;
	bool streams, ended, gone;	/* a stream of events; nothing more comes; the client has left */
	struct buf unsent;
};

struct http_server {
	struct http_setup in;
	struct arena *a;		/* of keys and certificates */
	struct MHD_Daemon *daemon;
	struct http_timeouts *patience;
	bool tls;
	atomic_int large;		/* connections that have sent more than HTTP_BODY_MAX */
	/* others than this machine's programs reach it: every request needs a token */
	bool exposed;
	struct origin_names names;
	atomic_bool closing;
	pthread_mutex_t lock;
	struct http_request live;		/* head of a ring, guarded by `lock` */
};

/* Give up a hold of it; the last one frees. */
void http_request_unref(struct http_request *);

/*
 * Whether the headers are those of one request (of HTTP `version`).  0, or -1 with the refusal in
 * it.
 */
int http_request_check(struct http_request *, const char *version);

/* Keep the answer, unless there is one already, and let the connection go on.  `body` is taken. */
void http_request_answer(
    struct http_request *, int status, const char *type, struct buf *body, const char *header);

/* Nobody reads the answer any more: who works for it is told, a stream ends. */
void http_request_abandon(struct http_request *);

/* Let the connection go on: under its lock. */
void http_request_resume(struct http_request *);

/* The streams among the live ones get a sign of life.  `http` is a struct http_server. */
void http_send_keepalives(void *http);

/* The request will be answered with its `refusal` and this status.  Always -1. */
int http_request_reject(struct http_request *, int status);

/* 503: the coordinator ends. */
void http_request_reject_closing(struct http_request *);

/*
 * Whether --http may be served as the options are: INVALID_INPUT otherwise.  Sets `exposed` and
 * `names`.
 */
int http_check_listen(struct http_server *, struct err *);

/* 403 for web pages that are not ours. */
int http_check_origin(struct http_request *);

/* Who asks, into pub.caller; 401 when that is not said, unless the route is `open`. */
int http_authenticate(struct http_request *, bool open);

/* {"error":{…}} */
void http_put_error(const struct err *, struct buf *out);
#endif
