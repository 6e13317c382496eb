#include "coordinator/search/query_embedding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/context.h"
#include "coordinator/members/members.h"
#include "coordinator/search/meaning_threshold.h"
#include "coordinator/search/search.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/log.h"
#include "proto/base/optional_text.h"
#include "proto/base/thread_pool.h"
#include "proto/embed/embedder.h"

enum {
	DIM_MAX = 8192,
	THRESHOLD_MS = 10000,		/* to measure the threshold apart from a question */
	THRESHOLD_REQUESTS = 3		/* it takes two requests, of more text than a question's */
};

static bool is(const char *mode, const char *name)
{
	return mode && !strcmp(mode, name);
}

static bool is_remote(const struct call *c)
{
	return !strcmp(c->o->embedder, "http");
}

static bool have_embedder(const struct call *c)
{
	return strcmp(c->o->embedder, "none") != 0;
}

/* ---- a vector from the caller ---- */

/* Parse a JSON array of at most `max` numbers; how many, or -1 if it is something else. */
static int parse_numbers(const char *json, float *out, size_t max)
{
	const char *p = json + strspn(json, " \t\r\n");
	size_t n = 0;

	if (*p++ != '[')
		return -1;
	for (;; p++) {
		char *end;
		double x = strtod(p, &end);
		if (end == p || n == max || !isfinite((float)x))
			return -1;
		out[n++] = (float)x;
		p = end + strspn(end, " \t\r\n");
		if (*p == ']')
			return (int)n;
		if (*p != ',')
			return -1;
	}
}

static int set_vector(struct call *c, struct federated_search *s, float *v, size_t n)
{
	double length = 0;

	for (size_t i = 0; i < n; i++)
		length += (double)v[i] * v[i];
	if (length <= 0 || !isfinite(length))
		return -1;
	for (size_t i = 0; i < n; i++)
		v[i] = (float)(v[i] / sqrt(length));
	s->req.vector = (struct bytes){ v, n * sizeof *v };
	s->req.embedder = embedder_fingerprint(c->co->embedder);
	return 0;
}

static int read_vector(struct call *c, struct federated_search *s)
{
	float *v = arena_many(c->a, DIM_MAX, float);
	size_t dim = embedder_dim(c->co->embedder);
	int n = parse_numbers(s->vector, v, DIM_MAX);

	if (n < 0)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`vector` is not an array of at most %d numbers that fit into a float", DIM_MAX);
	if (dim && (size_t)n != dim)
		return err_set(&c->e, ERR_INVALID_INPUT, "`vector` has %d numbers; %s needs %zu", n,
		    embedder_fingerprint(c->co->embedder), dim);
	if (set_vector(c, s, v, (size_t)n))
		return err_set(&c->e, ERR_INVALID_INPUT, "`vector` is zero: all its numbers are 0");
	return 0;
}

/* Without an embedder, mode vector fails and mode hybrid becomes lexical. */
static int do_without_embedder(struct call *c, struct federated_search *s)
{
	if (is(s->req.mode, "vector")) {
		err_set(&c->e, ERR_INVALID_INPUT,
		    "`mode`: vector needs an embedder, and this coordinator has none");
		return err_hint(
		    &c->e, "Use mode=lexical, or start atoll-coordinator with --embedder builtin.");
	}
	s->req.mode = "lexical";
	s->no_vectors_reason = "this coordinator has no embedder";
	return 0;
}

int query_embedding_read(struct call *c, struct federated_search *s)
{
	bool given = s->vector && strcmp(s->vector, "null") != 0;

	if (text_is_set(s->mode))
		s->req.mode = s->mode;
	else if (given || have_embedder(c))
		s->req.mode = "hybrid";
	else
		s->req.mode = "lexical";
	if (is(s->req.mode, "lexical"))
		return 0;
	if (given)
		return read_vector(c, s);
	if (!have_embedder(c))
		return do_without_embedder(c, s);
	return 0;
}

/* ---- the vector of the question ---- */

static void measure_threshold(void *arg)
{
	meaning_threshold_measure(arg, THRESHOLD_MS);
}

/*
 * Measures the threshold, which takes the built-in model a millisecond, with the first question.
 * An API that has taken `took_ms` for the question may have too little time left: then it is
 * measured apart, and is known for a later one.
 */
static void know_threshold(struct call *c, int64_t took_ms)
{
	struct meaning_threshold *m = c->co->meaning_threshold;
	int64_t left = c->start_ms + c->o->search_deadline_ms / 2 - clock_ms();

	if (!meaning_threshold_is_wanted(m))
		return;
	if (!is_remote(c) || left > THRESHOLD_REQUESTS * took_ms)
		meaning_threshold_measure(m, (int)left);
	else	/* if there are too many questions, one of the next will try it again */
		pool_run(c->co->embedding, measure_threshold, m);
}

static int embed(struct call *c, struct federated_search *s)
{
	struct embedder *x = c->co->embedder;
	struct embed_text text = { s->req.query, strlen(s->req.query) };
	int64_t start = clock_ms(), end = start + c->o->search_deadline_ms / 2;

	if (embedder_detect_dim(x, (int)(end - clock_ms()), &c->e))
		return -1;
	float *v = arena_many(c->a, embedder_dim(x), float);
	if (embedder_embed(x, EMBED_QUERY, &text, 1, (int)(end - clock_ms()), v, &c->e))
		return -1;
	know_threshold(c, clock_ms() - start);
	if (set_vector(c, s, v, embedder_dim(x))) {	/* nothing is near the zero vector */
		s->no_vectors_reason = "the embedder knows none of the words";
		if (!is(s->req.mode, "vector"))
			s->req.mode = "lexical";
	}
	return 0;
}

/* Continue by words alone. */
static void search_without_vectors(struct call *c, struct federated_search *s)
{
	log_warn(
	    "search.embedding_failed", "code=%s message=%s", err_name(c->e.code), log_quote(c->e.msg));
	s->no_vectors_reason = arena_printf(c->a, "%s: %s", err_name(c->e.code), c->e.msg);
	s->req.mode = "lexical";
	c->e = (struct err){ 0 };
}

static void find(void *arg)
{
	struct call *c = arg;
	struct federated_search *s = c->state;

	log_set_request(c->req);
	if (embed(c, s) && is(s->req.mode, "vector")) {
		call_end(c);
	} else {
		if (c->e.code)
			search_without_vectors(c, s);
		s->on_embedded(c, s);
	}
	log_set_request(NULL);
}

void query_embedding_compute(struct call *c, struct federated_search *s,
    void (*then)(struct call *, struct federated_search *))
{
	s->on_embedded = then;
	if (s->req.vector.n && have_embedder(c) && !is_remote(c))
		know_threshold(c, 0);
	if (is(s->req.mode, "lexical") || s->req.vector.n) {
		then(c, s);
	} else if (!is_remote(c)) {
		if (embed(c, s))
			search_without_vectors(c, s);
		then(c, s);
	} else if (pool_run(c->co->embedding, find, c)) {
		err_set(&c->e, ERR_RATE_LIMITED, "too many questions are waiting for the embedder");
		if (is(s->req.mode, "vector")) {
			call_end(c);
			return;
		}
		search_without_vectors(c, s);
		then(c, s);
	}
}

/* ---- coverage ---- */

static const char *vectors_message(const struct search_res *res)
{
	return text_or(res->vectors_message, res->vectors);
}

static enum err_code vectors_code(const struct search_res *res)
{
	if (is(res->vectors, "mismatch"))
		return ERR_EMBEDDER_MISMATCH;
	return ERR_NO_INDEX;
}

/* Whether the member compared the question with its vectors, or with those that it has by now. */
static bool searched_vectors(const struct search_res *res)
{
	return is(res->vectors, "complete") || res->hits.n || res->light.n;
}

/* Nobody's vectors could be searched; `k` is the member that tells why. */
static int no_vectors_at_all(struct call *c, const struct fanout_reply *k, size_t others)
{
	const char *also = "";

	if (others)
		also = arena_printf(
		    c->a, "; %zu other repositories have no fitting vectors, either", others);
	err_set(&c->e, k->e.code, "%s: %.150s%s", k->member->name, k->e.msg, also);
	if (k->e.code == ERR_EMBEDDER_MISMATCH)
		return err_hint(&c->e,
		    "Start its shard with the coordinator's embedder, then run `atoll repo analyze %s"
		    " --force --wait`; or use mode lexical.",
		    k->member->name);
	return err_hint(&c->e,
	    "Use mode lexical, or try again later: `atoll status` shows the vectors, and why some are"
	    " missing.");
}

int query_embedding_check(struct call *c, struct federated_search *s)
{
	const struct fanout_reply *reason = NULL;
	size_t without = 0;
	bool any = false;

	if (!is(s->req.mode, "vector") || !s->req.vector.n)
		return 0;
	for (size_t i = 0; i < s->found->n; i++) {
		struct fanout_reply *k = &s->found->v[i];
		const struct search_res *res = k->res;
		if (k->e.code)
			continue;
		if (searched_vectors(res)) {
			any = true;
			continue;
		}
		err_set(&k->e, vectors_code(res), "%s", text_or_empty(vectors_message(res)));
		if (!reason || k->e.code == ERR_EMBEDDER_MISMATCH)
			reason = k;
		without++;
	}
	if (any || !reason)
		return 0;
	return no_vectors_at_all(c, reason, without - 1);
}

void query_embedding_coverage(struct call *c, struct federated_search *s, struct coverage *cov)
{
	cov->notes.v = arena_many(c->a, s->found->n, struct member_note);
	for (size_t i = 0; i < s->found->n; i++) {
		const struct fanout_reply *k = &s->found->v[i];
		const struct search_res *res = k->res;
		if (k->e.code || !res->vectors || is(res->vectors, "complete"))
			continue;
		cov->notes.v[cov->notes.n++] = (struct member_note){ k->member->repo_uri,
			err_name(vectors_code(res)), vectors_message(res) };
	}
	s->some_without_vectors = NULL;
	if (cov->notes.n)
		s->some_without_vectors = cov->notes.v[0].message;
}
