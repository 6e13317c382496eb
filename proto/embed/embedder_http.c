/*
 * Vectors from an OpenAI-compatible API: POST URL/v1/embeddings with {"model", "input": [texts]},
 * --embed-batch texts at a time.  A text is cut after 16 KiB; an empty one is not sent (its vector
 * is zero).  When the API refuses a request as too long (400, 413, 422), the request is split into
 * halves, and finally a single text is cut in half.  The API may answer with numbers or base64, in
 * any order; vectors are scaled to length 1.  All vectors must have the dimension of the first one,
 * else EMBEDDER_MISMATCH.  The key is sent only in Authorization.  Each thread reuses its
 * connection.
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
	/* maximum bytes of a text: about 6,000 tokens, and most models take 8,192 */
	TEXT_MAX = 16 << 10,
	TEXT_MIN = 256,		/* a shorter text is not cut when the API refuses it */
	BATCH = 64, BATCH_MAX = 2048, TIMEOUT_MS = 30000,
};

struct http_embedder {
	struct arena *a;
	const char *model, *prefix[2];	/* by enum embed_side */
	size_t batch;
	struct openai api;
	pthread_mutex_t lock;		/* guards the embedder's dimension and fingerprint */
};

/* One request, or a part of one that was too large for the API. */
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

/* Sets the dimension if it is not known yet.  False if it is another one. */
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
		return err_set(e, ERR_INVALID_INPUT, "--embed-timeout: must not be negative");
	return 0;
}

static void http_close(struct embedder *m)
{
	struct http_embedder *h = m->impl;

	pthread_mutex_destroy(&h->lock);
	arena_free(h->a);
	free(h);
}

/* A copy of a prefix, "" if there is none. */
static const char *copy_prefix(const char *s, struct arena *a)
{
	if (!s)
		return "";
	return arena_str(a, s);
}

static int http_open(struct embedder *m, const struct embedder_options *o, struct err *e)
{
	struct http_embedder *h = xcalloc(1, sizeof *h);
	const char *key = o->key;
	int timeout_ms = TIMEOUT_MS;

	m->impl = h;
	h->a = arena_new();
	pthread_mutex_init(&h->lock, NULL);
	if (check(o, e) || openai_check("embed", o->url, o->key_file, &key, h->a, e)) {
		http_close(m);
		return -1;
	}
	h->model = arena_str(h->a, o->model);
	h->prefix[EMBED_DOCUMENT] = copy_prefix(o->document_prefix, h->a);
	h->prefix[EMBED_QUERY] = copy_prefix(o->query_prefix, h->a);
	h->batch = BATCH;
	if (o->batch)
		h->batch = o->batch;
	if (o->timeout_ms)
		timeout_ms = o->timeout_ms;
	h->api = (struct openai){ .what = "the embedding API",
		.url = openai_url(o->url, "embeddings", h->a),
		.key = arena_str(h->a, key),
		.timeout_ms = timeout_ms };
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
	return err_hint(b->e, "Check that --embed-url and --embed-model name an embedding API.");
}

static int other_dimension(const struct embed_request *b, size_t dim)
{
	const struct http_embedder *h = b->m->impl;

	err_set(b->e, ERR_EMBEDDER_MISMATCH,
	    "the embedding API at %.100s answers vectors of %zu numbers, not %zu",
	    fetch_display_url(h->api.url, b->a), dim, (size_t)b->m->dim);
	return err_hint(b->e,
	    "Set --embed-model and --embed-dimension to those of the index; the maximum is %d numbers.",
	    EMBED_DIM_MAX);
}

static int from_numbers(const struct embed_request *b, const struct json *j, float *out)
{
	for (size_t i = 0; i < b->m->dim; i++) {
		double x;
		if (!json_num(json_nth(j, i), &x) || !isfinite((float)x))
			return bad(b, "a vector with something that is not a number");
		out[i] = (float)x;
	}
	return 0;
}

static int from_floats(const struct embed_request *b, const struct buf *bytes, float *out)
{
	memcpy(out, bytes->p, b->m->dim * sizeof *out);
	for (size_t i = 0; i < b->m->dim; i++)
		if (!isfinite(out[i]))
			return bad(b, "a vector with something that is not a number");
	return 0;
}

static int check_dimension(const struct embed_request *b, size_t dim)
{
	if (!dim)
		return bad(b, "something that is not a vector");
	if (!fix_dimension(b->m, dim))
		return other_dimension(b, dim);
	return 0;
}

/* Base64 of little-endian floats, like those of all machines that this runs on. */
static int from_base64(const struct embed_request *b, const char *coded, float *out)
{
	struct buf bytes = { 0 };

	if (buf_unbase64(&bytes, coded, strlen(coded)) || bytes.n % sizeof *out)
		bytes.n = 0;
	int rc = check_dimension(b, bytes.n / sizeof *out);
	if (!rc)
		rc = from_floats(b, &bytes, out);
	buf_free(&bytes);
	return rc;
}

static int one_vector(const struct embed_request *b, const struct json *j, float *out)
{
	const char *coded = json_str(j);

	if (coded)
		return from_base64(b, coded, out);
	if (check_dimension(b, json_len(j)))
		return -1;
	return from_numbers(b, j, out);
}

/* The index of an item, by default its position; `n` if it is out of range. */
static size_t index_of(const struct json *item, size_t position, size_t n)
{
	double at;

	if (!json_num(json_key(item, "index"), &at))
		return position;
	if (at >= 0 && at < (double)n)
		return (size_t)at;
	return n;
}

/* Reads data[]: {index, embedding}, in any order, each index once. */
static int take(const struct embed_request *b, const struct json *data)
{
	bool *seen = arena_many(b->a, b->n, bool);

	if (!data)
		return bad(b, "something that is not a list of vectors");
	if (json_len(data) != b->n)
		return bad(b, "a different number of vectors than of texts");
	for (size_t i = 0; i < b->n; i++) {
		const struct json *item = json_nth(data, i);
		size_t at = index_of(item, i, b->n);
		if (at == b->n || seen[at])
			return bad(b, "vectors whose indices do not match the texts");
		seen[at] = true;
		if (one_vector(b, json_key(item, "embedding"), b->out[at]))
			return -1;
		vector_normalize(b->out[at], b->m->dim);
	}
	return 0;
}

/* ---- the request ---- */

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
	while (n && (p[n] & 0xc0) == 0x80)	/* not inside a character */
		n--;
	return n;
}

static int embed(struct embed_request b);

static int embed_halves(const struct embed_request *b)
{
	struct embed_request left = *b, right = *b;

	left.n = b->n / 2;
	right.n -= left.n;
	right.v += left.n;
	right.out += left.n;
	if (embed(left))
		return -1;
	return embed(right);
}

static bool may_be_too_long(int status)
{
	return status == 400 || status == 413 || status == 422;
}

/*
 * Some APIs refuse a whole request because one text is too long, so it is repeated with half of the
 * texts, and in the end with half of a text.
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
	if (!may_be_too_long(r.status))
		return -1;
	if (b.n > 1)
		return embed_halves(&b);
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

static struct embed_text shortened(struct embed_text t)
{
	if (t.n > TEXT_MAX)
		t.n = cut_at(t.p, TEXT_MAX);
	return t;
}

/* Fills a batch with texts from `i` on, without blank ones.  Returns where the next one begins. */
static size_t fill_batch(
    struct embed_request *b, size_t i, const struct embed_text *v, size_t n, float *out)
{
	const struct http_embedder *h = b->m->impl;
	size_t dim = b->m->dim;

	b->v = arena_many(b->a, h->batch, struct embed_text);
	b->out = arena_many(b->a, h->batch, float *);
	b->n = 0;
	for (; i < n && b->n < h->batch; i++) {
		if (is_blank_text(&v[i])) {
			memset(out + i * dim, 0, dim * sizeof *out);
			continue;
		}
		b->v[b->n] = shortened(v[i]);
		b->out[b->n] = out + i * dim;
		b->n++;
	}
	return i;
}

static int http_texts(struct embedder *m, enum embed_side side, const struct embed_text *v,
    size_t n, int deadline_ms, float *out, struct err *e)
{
	const struct http_embedder *h = m->impl;
	struct arena *a = arena_new();
	struct embed_request b = {
		.m = m, .prefix = h->prefix[side], .deadline_ms = clock_ms() + deadline_ms, .a = a, .e = e
	};
	int rc = 0;

	for (size_t i = 0; i < n && !rc;) {
		arena_reset(a);
		i = fill_batch(&b, i, v, n, out);
		if (b.n)
			rc = embed(b);
	}
	arena_free(a);
	return rc;
}

const struct embedder_kind embedder_http = { "http", http_open, http_texts, http_close };
