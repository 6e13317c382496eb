#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/question.h"
#include "proto/text/tokens.h"
#include "shard/base/options.h"
#include "shard/daemon/shard.h"
#include "shard/git/repo.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/search/excerpt.h"
#include "shard/search/search.h"

/* of a question; per request; bytes at most */
enum { TERMS = 64, SPANS = 4000, SNIPPET_BYTES_MAX = 32 << 10 };

/* How texts are cut. */
struct snippet_limits {
	struct terms t;
	size_t max, before;
};

static void choose(struct snippet *out, const struct buf *text, const struct span *p,
    const struct snippet_limits *c, struct arena *a)
{
	struct excerpt_request of = { text->p, text->n, p->start_line, p->end_line, c->max, c->before,
		p->line };
	struct excerpt x = excerpt_choose(&of, &c->t, a);

	*out = (struct snippet){ x.text, x.from, x.to };
}

/* What was asked for, as terms. */
static struct terms terms_asked(const char *query, struct arena *a)
{
	struct question q;
	struct terms t = { 0 };

	if (!query || question_parse(&q, query, a, NULL))
		return t;
	t.v = arena_many(a, q.nterms, struct term);
	while (t.n < q.nterms && t.n < TERMS) {
		t.v[t.n].text = q.terms[t.n];
		t.n++;
	}
	return t;
}

/* The spans with the places of the documents that they name; those in `out`, too. */
static int place_all(struct index_reader *r, const struct snippet_req *q, struct span *spans,
    struct snippet_res *out, struct arena *a, struct err *e)
{
	out->hits.v = arena_many(a, q->spans.n + 1, struct hit);
	if (q->hits)
		out->hits.n = q->spans.n;
	else
		out->hits.n = 0;
	for (size_t i = 0; i < q->spans.n; i++) {
		struct hit *h = &out->hits.v[i];
		spans[i] = q->spans.v[i];
		if (spans[i].doc && search_locate_document(r, spans[i].doc, spans[i].text, h, a, e))
			return -1;
		if (spans[i].doc) {
			spans[i].blob = h->blob;
			spans[i].start_line = h->start_line;
			spans[i].end_line = h->end_line;
		}
		if (!spans[i].blob)
			spans[i].blob = "";
	}
	return 0;
}

/* All texts of one blob, the first of which is span `i`: unpacking it is what costs. */
static void texts_of_blob(struct repo *repo, const struct span *spans, size_t n, size_t i,
    const struct snippet_limits *c, bool *done, struct snippet *out, struct arena *a)
{
	struct buf text = { 0 };
	bool there = *spans[i].blob && !repo_blob_text(repo, spans[i].blob, &text, NULL);

	for (size_t k = i; k < n; k++) {
		if (done[k] || strcmp(spans[k].blob, spans[i].blob))
			continue;
		if (there)
			choose(&out[k], &text, &spans[k], c, a);
		done[k] = true;
	}
	buf_free(&text);
}

static struct snippet_limits snippet_limits_of(
    struct shard *s, const struct snippet_req *q, struct arena *a)
{
	const struct options *o = shard_options(s);
	size_t chunk = o->chunk < EXCERPT_MIN ? EXCERPT_MIN : (size_t)o->chunk, max = q->max_bytes;

	if (q->lengthy && chunk < SNIPPET_BYTES_MAX)
		chunk = SNIPPET_BYTES_MAX;
	if (!max || max > chunk)
		max = chunk;
	else if (max < EXCERPT_MIN)
		max = EXCERPT_MIN;
	else
		max = max;
	return (struct snippet_limits){ terms_asked(q->query, a), max,
		o->chunk_overlap < 0 ? 0 : (size_t)o->chunk_overlap };
}

int rpc_snippet(struct shard *s, struct index_reader *r, const struct snippet_req *q,
    struct snippet_res *out, struct arena *a, struct err *e)
{
	size_t n = q->spans.n, texts = 0;
	struct repo *repo = NULL;
	const struct snippet_limits c = snippet_limits_of(s, q, a);
	struct span *spans = arena_many(a, n + 1, struct span);
	bool *done = arena_many(a, n + 1, bool);

	if (n > SPANS)
		return err_set(e, ERR_INVALID_INPUT, "spans: %zu; at most %d in one request", n, SPANS);
	for (size_t i = 0; i < n; i++)
		texts += !q->spans.v[i].bare;
	if ((texts && !(repo = index_reader_repo(r, e))) || place_all(r, q, spans, out, a, e))
		return -1;
	out->snippets.v = arena_many(a, n + 1, struct snippet);
	out->snippets.n = n;
	for (size_t i = 0; i < n; i++) {
		out->snippets.v[i] = (struct snippet){ "", spans[i].start_line, spans[i].end_line };
		done[i] = spans[i].bare;
	}
	for (size_t i = 0; i < n; i++)
		if (!done[i])
			texts_of_blob(repo, spans, n, i, &c, done, out->snippets.v, a);
	return 0;
}
