#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/question.h"
#include "proto/text/tokens.h"
#include "shard/excerpt.h"
#include "shard/options.h"
#include "shard/repo.h"
#include "shard/rpc.h"
#include "shard/shard.h"

enum { TERMS = 64, SPANS = 500, LENGTHY = 32 << 10 };	/* of a question; per request; bytes at most */

static void choose(struct snippet *out, const struct buf *text, const struct span *p, const struct terms *t, size_t max,
    size_t before, struct arena *a)
{
	struct excerpt_of of = { text->p, text->n, p->start_line, p->end_line, max, before, p->line };
	struct excerpt x = excerpt_choose(&of, t, a);

	*out = (struct snippet){ x.text, x.from, x.to };
}

/* What was asked for, as terms. */
static struct terms terms_asked(const char *query, struct arena *a)
{
	struct question q;
	struct terms t = { 0 };

	if (!query || question_read(&q, query, a, NULL))
		return t;
	t.v = arena_many(a, q.nterms, struct term);
	while (t.n < q.nterms && t.n < TERMS) {
		t.v[t.n].text = q.terms[t.n];
		t.n++;
	}
	return t;
}

int rpc_snippet(struct shard *s, struct reader *r, const struct snippet_req *q, struct snippet_res *out,
    struct arena *a, struct err *e)
{
	struct repo *repo = reader_repo(r, e);
	struct terms t = terms_asked(q->query, a);
	const struct options *o = shard_options(s);
	size_t chunk = o->chunk < EXCERPT_MIN ? EXCERPT_MIN : (size_t)o->chunk, max = q->max_bytes;
	size_t before = o->chunk_overlap < 0 ? 0 : (size_t)o->chunk_overlap;

	if (q->lengthy && chunk < LENGTHY)
		chunk = LENGTHY;
	max = !max || max > chunk ? chunk : max < EXCERPT_MIN ? EXCERPT_MIN : max;
	if (!repo)
		return -1;
	if (q->spans.n > SPANS)
		return err_set(e, ERR_INVALID_INPUT, "spans: %zu; at most %d in one request", q->spans.n, SPANS);
	out->snippets.v = arena_many(a, q->spans.n + 1, struct snippet);
	out->snippets.n = q->spans.n;
	bool *done = arena_many(a, q->spans.n + 1, bool);
	for (size_t i = 0; i < q->spans.n; i++) {
		struct buf text = { 0 };
		bool there = !done[i] && !repo_text(repo, q->spans.v[i].blob, &text, NULL);
		for (size_t k = i; !done[i] && k < q->spans.n; k++) {	/* all of one blob: unpacking it is what costs */
			const struct span *p = &q->spans.v[k];
			if (k > i && (done[k] || strcmp(p->blob, q->spans.v[i].blob)))
				continue;
			out->snippets.v[k] = (struct snippet){ "", p->start_line, p->end_line };
			if (there)
				choose(&out->snippets.v[k], &text, p, &t, max, before, a);
			done[k] = k > i;
		}
		buf_free(&text);
	}
	return 0;
}
