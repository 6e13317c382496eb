#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/tokens.h"
#include "shard/repo.h"
#include "shard/rpc.h"
#include "shard/text.h"

enum { TERMS = 64, LINES = 4000, SPANS = 500, LARGEST = 64 << 10 };	/* looked at; spans per request; bytes of a snippet */

struct cover {
	const struct terms *t;
	uint64_t bits;
};

static int cover(void *arg, const struct token *t)
{
	struct cover *c = arg;

	for (size_t i = 0; i < c->t->n; i++)
		if (!strncmp(c->t->v[i].text, t->text, t->n) && !c->t->v[i].text[t->n])
			c->bits |= (uint64_t)1 << i;
	return 0;
}

/* Which terms stand in each of the lines from..to. */
static uint64_t *covers(const struct buf *text, const struct lines *l, size_t from, size_t to,
    const struct terms *t, struct arena *a)
{
	uint64_t *bits = arena_many(a, to - from + 1, uint64_t);

	for (size_t i = from; i <= to; i++) {
		struct cover c = { t, 0 };
		tokens_each(text->p + l->v[i - 1], l->v[i] - l->v[i - 1], true, cover, &c);
		bits[i - from] = c.bits;
	}
	return bits;
}

/* The whole lines, at most `max` bytes from line `i` on: the last of them. */
static size_t reach(const struct lines *l, size_t i, size_t to, size_t max)
{
	size_t last = i;

	while (last < to && l->v[last + 1] - l->v[i - 1] <= max)
		last++;
	return last;
}

/* The first line of the window within from..to that covers most terms; the earliest of the best. */
static size_t window(const uint64_t *bits, const struct lines *l, size_t from, size_t to, size_t max)
{
	size_t start = from;
	int most = 0;

	for (size_t i = from; i <= to; i++) {
		size_t last = reach(l, i, to, max);
		uint64_t all = 0;
		for (size_t j = i; j <= last; j++)
			all |= bits[j - from];
		if (__builtin_popcountll(all) > most) {
			most = __builtin_popcountll(all);
			start = i;
		}
		if (last == to)
			break;
	}
	return start;
}

static void choose(struct snippet *out, const struct buf *text, const struct span *p, const struct terms *t,
    size_t max, struct arena *a)
{
	struct lines l = text_lines(text->n ? text->p : "", text->n, p->end_line, a);
	size_t from = p->start_line ? p->start_line : 1, to = p->end_line < l.n ? p->end_line : l.n;

	if (from > to)
		return;
	size_t last = reach(&l, from, to, max), look = to - from > LINES ? from + LINES : to;
	if (last < to && t->n) {
		from = window(covers(text, &l, from, look, t, a), &l, from, look, max);
		last = reach(&l, from, to, max);
	}
	size_t start = l.v[from - 1], n = l.v[last] - start;
	if (n > max)
		n = text_whole(text->p + start, max);
	while (n && strchr("\r\n", text->p[start + n - 1]))
		n--;
	out->text = text_utf8(text->p + start, n, a);
	out->start_line = from;
	out->end_line = last;
}

int rpc_snippet(struct shard *s, struct reader *r, const struct snippet_req *q, struct snippet_res *out,
    struct arena *a, struct err *e)
{
	struct repo *repo = reader_repo(r, e);
	struct terms all = q->query ? terms_of(q->query, TERMS, a) : (struct terms){ 0 }, t = { all.v, 0 };
	size_t max = q->max_bytes < 1 ? 1000 : q->max_bytes > LARGEST ? LARGEST : q->max_bytes;

	(void)s;
	if (!repo)
		return -1;
	if (q->spans.n > SPANS)
		return err_set(e, ERR_INVALID_INPUT, "spans: %zu; at most %d in one request", q->spans.n, SPANS);
	for (size_t i = 0; i < all.n; i++)
		if (!term_is_stop(all.v[i].text))
			t.v[t.n++] = all.v[i];
	out->snippets.v = arena_many(a, q->spans.n + 1, struct snippet);
	out->snippets.n = q->spans.n;
	for (size_t i = 0; i < q->spans.n; i++) {
		const struct span *p = &q->spans.v[i];
		struct buf text = { 0 };
		out->snippets.v[i] = (struct snippet){ "", p->start_line, p->end_line };
		if (!repo_text(repo, p->blob, &text, NULL))
			choose(&out->snippets.v[i], &text, p, &t, max, a);
		buf_free(&text);
	}
	return 0;
}
