#ifndef TESTS_HTTP_ANSWERS_H
#define TESTS_HTTP_ANSWERS_H
/*
 * Endpoints without an HTTP server: include this first and then the source file of the endpoint, whose own object is then not linked.
 * Requests have the headers and the query of `http_in`; the answer comes to `http_out`.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/http/http_server.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"

/* Ends with a NULL name. */
static struct {
	struct http_header headers[8], query[2];
} http_in;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	int answers, status;
	char type[80], header[200]; /* "" for none */
	struct err e; /* its code is 0 for an answer that is no failure */
	struct buf body;
	struct http_header headers[20]; /* of a file */
} http_out = { .lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER };

static inline void http_out_set(
    int status, const char *type, const char *header, const struct err *e, const void *p, size_t n)
{
	pthread_mutex_lock(&http_out.lock);
	http_out.answers++;
	http_out.status = status;
	snprintf(http_out.type, sizeof http_out.type, "%s", type ? type : "");
	snprintf(http_out.header, sizeof http_out.header, "%s", header ? header : "");
	http_out.e = e ? *e : (struct err){ 0 };
	http_out.body.n = 0;
	buf_str(&http_out.body, "");
	buf_put(&http_out.body, p, n);
	pthread_cond_broadcast(&http_out.cond);
	pthread_mutex_unlock(&http_out.lock);
}

static inline void fake_http_answer(
    struct exchange *x, int status, const char *type, struct buf *body, const char *header)
{
	(void)x;
	http_out_set(status, type, header, NULL, body && body->n ? body->p : "", body ? body->n : 0);
	if (body)
		buf_free(body);
}

static inline void fake_http_fail(
    struct exchange *x, int status, const struct err *e, const char *header)
{
	(void)x;
	http_out_set(status ? status : err_http(e->code), NULL, header, e, "", 0);
}

static inline void fake_http_answer_file(
    struct exchange *x, int status, const void *p, size_t n, const struct http_header *headers)
{
	(void)x;
	size_t k = 0;
	for (; headers[k].name; k++)
		http_out.headers[k] = headers[k];
	http_out.headers[k] = headers[k];
	http_out_set(status, NULL, NULL, NULL, p, n);
}

static inline const char *http_in_find(const struct http_header *v, const char *name)
{
	for (; v->name; v++)
		if (!strcmp(v->name, name))
			return v->value;
	return NULL;
}

static inline const char *fake_http_header(const struct exchange *x, const char *name)
{
	(void)x;
	return http_in_find(http_in.headers, name);
}

static inline const char *fake_http_query(const struct exchange *x, const char *name)
{
	(void)x;
	return http_in_find(http_in.query, name);
}

static inline int fake_http_require_json(struct exchange *x)
{
	struct err e = { 0 };

	if (!http_in_find(http_in.headers, "Not-Json"))
		return 0;
	err_set(&e, ERR_INVALID_INPUT, "not JSON");
	fake_http_fail(x, 415, &e, NULL);
	return -1;
}

/* Waits for the answer to the request that was just made. */
static inline void http_out_await(void)
{
	pthread_mutex_lock(&http_out.lock);
	while (!http_out.answers)
		pthread_cond_wait(&http_out.cond, &http_out.lock);
	http_out.answers--;
	pthread_mutex_unlock(&http_out.lock);
}

#define http_answer fake_http_answer
#define http_answer_file fake_http_answer_file
#define http_fail fake_http_fail
#define http_header(x, name) fake_http_header(x, name)
#define http_query fake_http_query
#define http_require_json fake_http_require_json
#endif
