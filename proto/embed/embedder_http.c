/*
 * Vectors from an OpenAI-compatible API: POST URL/v1/embeddings with {"model", "input": [texts]},
 * --embed-batch texts at a time. A text is cut after 16 KiB; an empty one is not sent (its vector
 * is zero).  When the API refuses a request as too long (400, 413, 422), its halves are sent, and
 * finally half of a single text.  The API may answer with numbers or base64, in any order; vectors
 * are scaled to length 1.  The first dimension stays: another one is EMBEDDER_MISMATCH.  The key
 * travels in Authorization only. A thread keeps its connection.
 */
#include "proto/embed/embedder_internal.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/embed/embedding_model.h"
#include "proto/embed/openai_api.h"
#include "proto/net/http_client.h"
#include "proto/record/json.h"

enum {
	/* bytes of a text that are sent: about 6,000 tokens of the 8,192 that are usual */
	TEXT_MAX = 16 << 10,
	TEXT_MIN = 256,		/* not cut shorter when the API refuses it */
	BATCH = 64, BATCH_MAX = 2048, TIMEOUT_MS = 30000,
};

struct http_embedder {
	struct arena *a;
	const char *model, *prefix[2];	/* by enum embed_side */
	size_t batch;
	struct openai api;
	pthread_mutex_t lock;		/* of the embedder's dimension and fingerprint */
};

/* One request, or part of one that was too much for the API. */
struct embed_request {
	struct embedder *m;
	const char *prefix;
	struct embed_text *v;
	float **out;
	size_t n;
	int64_t deadline_ms;
	struct arena *a;
	struct err *e;
};

/* ---- opening ---- */

/* The first known dimension stays; false for any other. */
static bool fix_dimension(struct embedder *m, size_t dim)
{
	struct http_embedder *h = m->impl;

	pthread_mutex_lock(&h->lock);
	if (!m->dim && dim && dim <= EMBED_DIM_MAX) {
		snprintf(m->fingerprint, sizeof m->fingerprint, "http:%.150s:%zu:1", h->model, dim);
		m->dim = dim;
	}
	bool same = m->dim == dim;
	pthread_mutex_unlock(&h->lock);
	return same;
}

static int check(const struct embedder_options *o, struct err *e)
{
	if (!o->url || !*o->url)
		return err_set(e, ERR_INVALID_INPUT, "--embedder http needs --embed-url");
	if (!o->model || !*o->model)
		return err_set(e, ERR_INVALID_INPUT, "--embedder http needs --embed-model");
	if (o->dimension > EMBED_DIM_MAX)
		return err_set(e, ERR_INVALID_INPUT, "--embed-dimension: at most %d", EMBED_DIM_MAX);
	if (o->batch > BATCH_MAX)
		return err_set(e, ERR_INVALID_INPUT, "--embed-batch: at most %d", BATCH_MAX);
	if (o->timeout_ms < 0)
		return err_set(e, ERR_INVALID_INPUT, "--embed-timeout: less than nothing");
	return 0;
}

static void http_close(struct embedder *m)
{
	struct http_embedder *h = m->impl;

	pthread_mutex_destroy(&h->lock);
	arena_free(h->a);
	free(h);
}

static int http_open(struct embedder *m, const struct embedder_options *o, struct err *e)
{
	struct http_embedder *h = xcalloc(1, sizeof *h);
	const char *key = o->key;

	m->impl = h;
	h->a = arena_new();
	pthread_mutex_init(&h->lock, NULL);
	if (check(o, e) || openai_check("embed", o->url, o->key_file, &key, h->a, e)) {
		http_close(m);
		return -1;
	}
	h->model = arena_str(h->a, o->model);
	h->prefix[EMBED_DOCUMENT] = arena_str(h->a, o->document_prefix ? o->document_prefix : "");
	h->prefix[EMBED_QUERY] = arena_str(h->a, o->query_prefix ? o->query_prefix : "");
	if (o->batch)
		h->batch = o->batch;
	else
		h->batch = BATCH;
	h->api = (struct openai){ .what = "the embedding API",
		.url = openai_url(o->url, "embeddings", h->a),
		.key = arena_str(h->a, key),
		.timeout_ms = o->timeout_ms ? o->timeout_ms : TIMEOUT_MS };
	if (o->dimension)
		fix_dimension(m, o->dimension);
	return 0;
}

/* ---- the answer ---- */

static int bad(const struct embed_request *b, const char *what)
{
	const struct http_embedder *h = b->m->impl;

	err_set(b->e, ERR_UNAVAILABLE, "the embedding API at %.120s answered %s",
	    fetch_display_url(h->api.url, b->a), what);
	return err_hint(b->e, "Check that --embed-url and --embed-model name an API of embeddings.");
}

static int other_dimension(const struct embed_request *b, size_t dim)
{
	const struct http_embedder *h = b->m->impl;

	err_set(b->e, ERR_EMBEDDER_MISMATCH,
	    "the embedding API at %.100s answers vectors of %zu numbers, not %zu",
	    fetch_display_url(h->api.url, b->a), dim, (size_t)b->m->dim);
	return err_hint(b->e,
	    "--embed-model and --embed-dimension must say what the index was made with; at most %d numbers.",
	    EMBED_DIM_MAX);
}

static int from_numbers(const struct embed_request *b, const struct json *j, float *out)
{
	for (size_t i = 0; i < b->m->dim; i++) {
		double x;
		if (!json_num(json_nth(j, i), &x) || !isfinite((float)x))
			return bad(b, "a vector that holds what is no number");
		out[i] = (float)x;
	}
	return 0;
}

static int from_floats(const struct embed_request *b, const struct buf *bytes, float *out)
{
	memcpy(out, bytes->p, b->m->dim * sizeof *out);
	for (size_t i = 0; i < b->m->dim; i++)
		if (!isfinite(out[i]))
			return bad(b, "a vector that holds what is no number");
	return 0;
}

/* A list of numbers, or base64 of floats in the order of all machines that this runs on. */
static int one_vector(const struct embed_request *b, const struct json *j, float *out)
{
	const char *coded = json_str(j);
	struct buf bytes = { 0 };
	size_t dim = json_len(j);
	int rc;

	if (coded) {
		if (buf_unbase64(&bytes, coded, strlen(coded)) || bytes.n % sizeof *out)
			bytes.n = 0;
		dim = bytes.n / sizeof *out;
	}
	if (!dim)
		rc = bad(b, "what holds no vector");
	else if (!fix_dimension(b->m, dim))
		rc = other_dimension(b, dim);
	else {
		if (coded)
			rc = from_floats(b, &bytes, out);
		else
			rc = from_numbers(b, j, out);
	}
	buf_free(&bytes);
	return rc;
}

/* data[]: {index, embedding}, in any order; each index once. */
static int take(const struct embed_request *b, const struct json *data)
{
	bool *seen = arena_many(b->a, b->n, bool);

	if (!data || json_len(data) != b->n)
		return bad(
		    b, data ? "another number of vectors than of texts" : "what is no list of vectors");
	for (size_t i = 0; i < b->n; i++) {
		const struct json *item = json_nth(data, i);
		double at;
		if (!json_num(json_key(item, "index"), &at))
			at = (double)i;
		if (!(at >= 0 && at < (double)b->n) || seen[(size_t)at])
			return bad(b, "vectors whose numbers do not fit the texts");
		seen[(size_t)at] = true;
		if (one_vector(b, json_key(item, "embedding"), b->out[(size_t)at]))
			return -1;
		vector_normalize(b->out[(size_t)at], b->m->dim);
	}
	return 0;
}

/* ---- the question ---- */

static void put_text(const struct embed_request *b, const struct embed_text *t, struct buf *out)
{
	struct buf s = { 0 };

	buf_str(&s, b->prefix);
	buf_put(&s, t->p, t->n);
	for (size_t i = 0; i < s.n; i++)
		if (!s.p[i])
			s.p[i] = ' ';
	json_quote(out, s.p);
	buf_free(&s);
}

static int ask(const struct embed_request *b, struct fetch_response *r)
{
	const struct http_embedder *h = b->m->impl;
	struct buf body = { 0 };

	buf_str(&body, "{\"model\":");
	json_quote(&body, h->model);
	buf_str(&body, ",\"input\":[");
	for (size_t i = 0; i < b->n; i++) {
		if (i)
			buf_byte(&body, ',');
		put_text(b, &b->v[i], &body);
	}
	buf_str(&body, "]}");
	int rc = openai_post(&h->api, body.p, body.n, b->deadline_ms, r, b->a, b->e);
	buf_free(&body);
	return rc;
}

static size_t cut_at(const char *p, size_t n)
{
	while (n && (p[n] & 0xc0) == 0x80)	/* not within a character */
		n--;
	return n;
}

/*
 * Some APIs refuse a whole request for one text that is too long: halves are asked for, at last
 * half the text.
 */
static int embed(struct embed_request b)
{
	struct fetch_response r;

	if (!ask(&b, &r)) {
		struct json *j = json_read(r.body, NULL);
		int rc = take(&b, json_key(j, "data"));
		json_free(j);
		return rc;
	}
	if (r.status != 400 && r.status != 413 && r.status != 422)
		return -1;
	if (b.n > 1) {
		struct embed_request left = b, right = b;
		left.n = b.n / 2;
		right.n -= left.n, right.v += left.n, right.out += left.n;
		if (embed(left) || embed(right))
			return -1;
		return 0;
	}
	if (b.v->n <= TEXT_MIN)
		return -1;
	b.v->n = cut_at(b.v->p, b.v->n / 2);
	return embed(b);
}

static bool is_blank_text(const struct embed_text *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!memchr(" \t\r\n\f\v", t->p[i], 7))
			return false;
	return true;
}

static int http_texts(struct embedder *m, enum embed_side side, const struct embed_text *v,
    size_t n, int deadline_ms, float *out, struct err *e)
{
	const struct http_embedder *h = m->impl;
	struct arena *a = arena_new();
	struct embed_request b = { m, h->prefix[side], NULL, NULL, 0, clock_ms() + deadline_ms, a, e };
	int rc = 0;

	for (size_t i = 0; i < n && !rc;) {
		arena_reset(a);
		b.v = arena_many(a, h->batch, struct embed_text);
		b.out = arena_many(a, h->batch, float *);
		for (b.n = 0; i < n && b.n < h->batch; i++) {
			if (is_blank_text(&v[i])) {
				memset(out + i * m->dim, 0, m->dim * sizeof *out);
				continue;
			}
			b.v[b.n] = v[i];
			if (v[i].n > TEXT_MAX)
				b.v[b.n].n = cut_at(v[i].p, TEXT_MAX);
			else
				b.v[b.n].n = v[i].n;
			b.out[b.n++] = out + i * m->dim;
		}
		rc = b.n ? embed(b) : 0;
	}
	arena_free(a);
	return rc;
}

const struct embedder_kind embedder_http = { "http", http_open, http_texts, http_close };
