#include "coordinator/http/http_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/http/http_internal.h"
#include "coordinator/http/http_timeouts.h"
#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "proto/record/json.h"

enum {
	UNSENT_MAX = 1 << 20,		/* bytes that wait for a slow reader of a stream */
	CHUNK = 16 << 10
};

void http_request_unref(struct http_request *x)
{
	if (atomic_fetch_sub(&x->refs, 1) > 1)
		return;
	if (x->response)
		MHD_destroy_response(x->response);
	pthread_mutex_destroy(&x->lock);
	buf_free(&x->body);
	buf_free(&x->unsent);
	arena_free(x->pub.a);
	free(x);
}

int http_request_reject(struct http_request *x, int status)
{
	x->refusal_status = status;
	return -1;
}

/* Over our own TLS, browsers are told never to use plain HTTP for this host again. */
static void add_security_headers(const struct http_request *x, struct MHD_Response *r)
{
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	if (x->tls)
		MHD_add_response_header(r, MHD_HTTP_HEADER_STRICT_TRANSPORT_SECURITY, "max-age=31536000");
}

static void add_headers(
    const struct http_request *x, struct MHD_Response *r, const char *type, const char *header)
{
	char name[40];
	const char *colon = NULL;

	if (header)
		colon = strchr(header, ':');
	if (!r)
		die("out of memory");
	if (type)
		MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	add_security_headers(x, r);
	if (colon) {
		snprintf(name, sizeof name, "%.*s", (int)(colon - header), header);
		MHD_add_response_header(r, name, colon + 1 + strspn(colon + 1, " "));
	}
}

static struct MHD_Response *respond(
    const struct http_request *x, const char *type, struct buf *body, const char *header)
{
	struct MHD_Response *r;

	if (body && body->p) {
		r = MHD_create_response_from_buffer(body->n, body->p, MHD_RESPMEM_MUST_FREE);
		*body = (struct buf){ 0 };
	} else {
		r = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
	}
	add_headers(x, r, type, header);
	return r;
}

void http_request_resume(struct http_request *x)
{
	if (x->suspended && x->mhd) {
		x->suspended = false;
		MHD_resume_connection(x->mhd);
	}
}

void http_request_answer(
    struct http_request *x, int status, const char *type, struct buf *body, const char *header)
{
	pthread_mutex_lock(&x->lock);
	if (!x->answered) {
		x->answered = true;
		x->status = status;
		x->response = respond(x, type, body, header);
		http_request_resume(x);
	}
	pthread_mutex_unlock(&x->lock);
	if (body)
		buf_free(body);
}

void http_answer(
    struct exchange *pub, int status, const char *type, struct buf *body, const char *header)
{
	struct http_request *x = (struct http_request *)pub;

	http_request_answer(x, status, type, body, header);
	http_request_unref(x);
}

void http_answer_file(
    struct exchange *pub, int status, const void *p, size_t n, const struct http_header *headers)
{
	struct http_request *x = (struct http_request *)pub;

	pthread_mutex_lock(&x->lock);
	if (!x->answered) {
		x->answered = true;
		x->status = status;
		x->response = MHD_create_response_from_buffer(
		    n, (void *)(uintptr_t)p, MHD_RESPMEM_PERSISTENT);
		if (!x->response)
			die("out of memory");
		add_security_headers(x, x->response);
		for (; headers->name; headers++)
			MHD_add_response_header(x->response, headers->name, headers->value);
		http_request_resume(x);
	}
	pthread_mutex_unlock(&x->lock);
	http_request_unref(x);
}

void http_put_error(const struct err *e, struct buf *out)
{
	struct problem p = { .code = err_name(e->code), .message = e->msg, .hint = e->hint };
	struct problem_answer answer = { &p };

	json_put(&rec_problem_answer, &answer, out);
}

void http_fail(struct exchange *pub, int status, const struct err *e, const char *header)
{
	struct buf body = { 0 };

	if (!status)
		status = err_http(e->code);
	http_put_error(e, &body);
	http_answer(pub, status, "application/json", &body, header);
}

void http_retry_after(int64_t ms, char *header, size_t size)
{
	snprintf(header, size, "Retry-After: %lld", (long long)((ms + 999) / 1000));
}

/* ---- streams ---- */

/* Call with the request's lock held: then the connection exists as long as `mhd` does. */
static void set_unread(struct http_request *x, bool unread)
{
	if (x->mhd && x->conn)
		http_timeouts_set_unread(x->conn, unread);
}

/* libmicrohttpd reads what is unsent; without data it waits for http_request_resume(). */
static ssize_t read_stream(void *arg, uint64_t at, char *to, size_t max)
{
	struct http_request *x = arg;
	ssize_t n = 0;

	(void)at;
	pthread_mutex_lock(&x->lock);
	if (x->unsent.n) {
		n = (ssize_t)MIN(x->unsent.n, max);
		memcpy(to, x->unsent.p, (size_t)n);
		memmove(x->unsent.p, x->unsent.p + n, x->unsent.n - (size_t)n);
		x->unsent.n -= (size_t)n;
	} else if (x->ended) {
		n = MHD_CONTENT_READER_END_OF_STREAM;
	} else {
		set_unread(x, false);
		x->suspended = true;
		MHD_suspend_connection(x->mhd);
	}
	pthread_mutex_unlock(&x->lock);
	return n;
}

void http_stream(struct exchange *pub, const char *header)
{
	struct http_request *x = (struct http_request *)pub;

	pthread_mutex_lock(&x->lock);
	if (!x->answered) {
		x->answered = x->streams = true;
		x->status = 200;
		x->response = MHD_create_response_from_callback(
		    MHD_SIZE_UNKNOWN, CHUNK, read_stream, x, NULL);
		add_headers(x, x->response, "text/event-stream", header);
		MHD_add_response_header(x->response, "X-Accel-Buffering", "no");
		http_request_resume(x);
	}
	pthread_mutex_unlock(&x->lock);
}

bool http_send(struct exchange *pub, const char *bytes, size_t n)
{
	struct http_request *x = (struct http_request *)pub;

	pthread_mutex_lock(&x->lock);
	bool open = x->streams && !x->ended && !x->gone, fits = x->unsent.n + n <= UNSENT_MAX;
	if (open && fits) {
		buf_put(&x->unsent, bytes, n);
		set_unread(x, true);
	} else {
		x->ended = true;	/* the client notices an end, but would not notice a lost event */
	}
	http_request_resume(x);
	pthread_mutex_unlock(&x->lock);
	return open && fits;
}

void http_end(struct exchange *pub)
{
	struct http_request *x = (struct http_request *)pub;

	pthread_mutex_lock(&x->lock);
	x->ended = true;
	http_request_resume(x);
	pthread_mutex_unlock(&x->lock);
	http_request_unref(x);
}

bool http_is_stream(struct exchange *pub)
{
	struct http_request *x = (struct http_request *)pub;

	pthread_mutex_lock(&x->lock);
	bool streams = x->streams;
	pthread_mutex_unlock(&x->lock);
	return streams;
}

/* A comment keeps proxies and clients from closing a silent stream. */
void http_send_keepalives(void *arg)
{
	struct http_server *h = arg;

	pthread_mutex_lock(&h->lock);
	for (struct http_request *x = h->live.next; x != &h->live; x = x->next) {
		pthread_mutex_lock(&x->lock);
		if (x->streams && !x->ended && x->suspended) {
			buf_str(&x->unsent, ":\n\n");
			set_unread(x, true);
			http_request_resume(x);
		}
		pthread_mutex_unlock(&x->lock);
	}
	pthread_mutex_unlock(&h->lock);
}

void http_request_abandon(struct http_request *x)
{
	x->http->in.on_reader_gone(x->http->in.co, &x->pub);
	pthread_mutex_lock(&x->lock);
	x->gone = true;
	if (x->streams) {
		x->ended = true;
		buf_free(&x->unsent);
		http_request_resume(x);
	}
	pthread_mutex_unlock(&x->lock);
}
