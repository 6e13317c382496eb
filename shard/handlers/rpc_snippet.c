#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/text/question.h"
#include "proto/text/symbol_match.h"
#include "proto/text/tokens.h"
#include "shard/base/options.h"
#include "shard/daemon/shard.h"
#include "shard/git/repo.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/search/excerpt.h"
#include "shard/search/search.h"

/* terms of a question; spans per request; maximum bytes of a lengthy snippet */
enum { TERMS = 64, SPANS = 4000, SNIPPET_BYTES_MAX = 32 << 10 };

/* How to cut texts. */
struct snippet_limits {
	struct question ask;
	struct terms t;
	size_t max, before;
};

/* The name of a definition, if the question asks for it in any spelling; else NULL. */
static const char *name_asked(const struct question *q, const char *symbol, struct arena *a)
{
	if (!symbol)
		return NULL;
	for (size_t i = 0; i < q->nwords; i++) {
		const char *asked = symbol_key(symbol_base_name(q->words[i]), a);
		if (!strcmp(asked, symbol_key(symbol, a)))
			return symbol;
	}
	return NULL;
}

static void choose(struct snippet *out, const struct buf *text, const struct span *p,
    const struct snippet_limits *c, struct arena *a)
{
	struct excerpt_request of = {
		.text = text->p,
		.n = text->n,
		.from = p->start_line,
		.to = p->end_line,
		.max = c->max,
		.before = c->before,
		.line = p->line,
		.name = name_asked(&c->ask, p->symbol, a),
	};
	if (c->ask.nphrases)
		of.phrase = c->ask.phrases[0].text;
	struct excerpt x = excerpt_choose(&of, &c->t, a);

	*out = (struct snippet){ x.text, x.from, x.to };
}

/* Sets the question and its terms; none for a question without words. */
static void parse_query(struct snippet_limits *c, const char *query, struct arena *a)
{
	struct question *q = &c->ask;

	if (!query || question_parse(q, query, a, NULL)) {
		*q = (struct question){ 0 };
		return;
	}
	c->t.v = arena_many(a, q->nterms, struct term);
	while (c->t.n < q->nterms && c->t.n < TERMS) {
		c->t.v[c->t.n].text = q->terms[c->t.n];
		c->t.n++;
	}
}

/* Sets the location of a span that names a document. */
static int place_span(
    struct index_reader *r, struct span *p, struct hit *h, struct arena *a, struct err *e)
{
	if (p->doc) {
		if (search_locate_document(r, p->doc, p->text, h, a, e))
			return -1;
		p->blob = h->blob;
		p->start_line = h->start_line;
		p->end_line = h->end_line;
		p->symbol = h->symbol;
	}
	if (!p->blob)
		p->blob = "";
	return 0;
}

/* Sets the locations of all spans, and returns them as hits if they are requested. */
static int place_all(struct index_reader *r, const struct snippet_req *q, struct span *spans,
    struct snippet_res *out, struct arena *a, struct err *e)
{
	out->hits.v = arena_many(a, q->spans.n + 1, struct hit);
	out->hits.n = 0;
	if (q->hits)
		out->hits.n = q->spans.n;
	for (size_t i = 0; i < q->spans.n; i++) {
		spans[i] = q->spans.v[i];
		if (place_span(r, &spans[i], &out->hits.v[i], a, e))
			return -1;
	}
	return 0;
}

/*
 * Makes all snippets of one blob, the first of which is span `i`: unpacking a blob is the expensive
 * part.
 */
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
	size_t chunk = (size_t)MAX(o->chunk, EXCERPT_MIN), max = q->max_bytes;
	size_t before = (size_t)MAX(o->chunk_overlap, 0);

	if (q->lengthy)
		chunk = MAX(chunk, SNIPPET_BYTES_MAX);
	if (!max)
		max = chunk;
	max = MIN(MAX(max, EXCERPT_MIN), chunk);
	struct snippet_limits c = { .max = max, .before = before };
	parse_query(&c, q->query, a);
	return c;
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
		return err_set(e, ERR_INVALID_INPUT, "spans: %zu; a request may have at most %d", n, SPANS);
	for (size_t i = 0; i < n; i++)
		texts += !q->spans.v[i].bare;
	if (texts) {
		repo = index_reader_repo(r, e);
		if (!repo)
			return -1;
	}
	if (place_all(r, q, spans, out, a, e))
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
