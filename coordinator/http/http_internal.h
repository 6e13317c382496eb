#ifndef COORDINATOR_HTTP_HTTP_INTERNAL_H
#define COORDINATOR_HTTP_HTTP_INTERNAL_H
/*
 * What the files of the HTTP server share: requests in http_server.c, answers in http_response.c, the end in http_shutdown.c.  The one includer
 * of libmicrohttpd.
 */

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "coordinator/http/http_server.h"
#include "coordinator/http/origin_check.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"

struct conn;
struct patience;

/* An exchange as it is kept: by libmicrohttpd until its connection is done with it, by its handler until the answer. */
struct held {
	struct exchange pub;		/* first: handlers know only this */
	struct held *prev, *next;	/* guarded by http->lock */
	struct http *http;		/* not after the connection is done: it may be gone */
	struct conn *conn;
	struct MHD_Connection *mhd;	/* NULL when it is done: guarded by `lock` */
	const struct http_route *route;
	struct buf body;
	size_t received;
	bool large;			/* counted by http->large */
	struct err refusal;
	int refusal_status;
	char refusal_header[64];
	bool seen, started;
	bool hidden, unframed;		/* something of its path; where its body ends is not sure */
	bool tls;			/* our own */
	atomic_int refs;
	pthread_mutex_t lock;		/* of what is below */
	bool owed;			/* it was begun, and not too late: an end waits for its answer */
	bool answered, suspended;
	struct MHD_Response *response;
	int status;
	bool streams, ended, gone;	/* a stream of events; nothing more comes; the client has left */
	struct buf unsent;
};

struct http {
	struct http_setup in;
	struct arena *a;		/* of keys and certificates */
	struct MHD_Daemon *daemon;
	struct patience *patience;
	bool tls;
	atomic_int large;		/* connections that have sent more than HTTP_BODY_MAX */
	bool exposed;			/* others than this machine's programs reach it: every request needs a token */
	struct origin_names names;
	atomic_bool closing;
	pthread_mutex_t lock;
	struct held live;		/* head of a ring, guarded by `lock` */
};

/* Give up a hold of it; the last one frees. */
void held_unref(struct held *);

/* Whether the headers are those of one request (of HTTP `version`).  0, or -1 with the refusal in it. */
int held_check(struct held *, const char *version);

/* Keep the answer, unless there is one already, and let the connection go on.  `body` is taken. */
void held_settle(struct held *, int status, const char *type, struct buf *body, const char *header);

/* Nobody reads the answer any more: who works for it is told, a stream ends. */
void held_lose(struct held *);

/* Let the connection go on: under its lock. */
void held_wake(struct held *);

/* The streams among the live ones get a sign of life.  `http` is a struct http. */
void held_beat(void *http);

/* The request will be answered with its `refusal` and this status.  Always -1. */
int held_refuse(struct held *, int status);

/* 503: the coordinator ends. */
void held_turn_away(struct held *);

/* Whether --http may be served as the options are: INVALID_INPUT otherwise.  Sets `exposed` and `names`. */
int admit_listen(struct http *, struct err *);

/* 403 for web pages that are not ours. */
int admit_origin(struct held *);

/* Who asks, into pub.caller; 401 when that is not said, unless the route is `open`. */
int admit_caller(struct held *, bool open);

/* {"error":{…}} */
void held_error(const struct err *, struct buf *out);
#endif
