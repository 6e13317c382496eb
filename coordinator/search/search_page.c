#include "coordinator/search/search_page.h"

#include <string.h>
#include <strings.h>

#include "coordinator/base/options.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/minmax.h"

enum { SNIPPET_BYTES = 1000 };	/* bytes of a text */

/* ---- the texts of the page ---- */

static void with_texts(struct call *c, struct fanout *f)
{
	struct federated_search *s = c->state;

	s->fetched = f;
	for (size_t i = 0; i < f->n; i++) {
		const struct snippet_res *res = f->v[i].res;
		size_t k = 0;
		for (size_t h = 0; h < s->n && k < res->snippets.n; h++)
			if (s->found->v[s->v[h].member].member == f->v[i].member)
				s->snippets[h] = res->snippets.v[k++];
	}
	search_finish(c, s);
}

/* The line of `app.py:120` in the question for a hit in that file; 0 if there is none. */
static uint64_t line_asked(const struct federated_search *s, const struct hit *h)
{
	size_t m = strlen(h->path);

	for (size_t i = 0; h->named > 0 && i < s->ask.npaths; i++) {
		const struct question_path *p = &s->ask.paths[i];
		size_t n = strlen(p->path);
		if (p->line && n <= m && !strcasecmp(h->path + m - n, p->path))
			return p->line;
	}
	return 0;
}

/* A request for texts, still without spans. */
static struct snippet_req *request(struct call *c, const struct federated_search *s, size_t spans)
{
	struct snippet_req *r = arena_one(c->a, struct snippet_req);

	r->query = s->req.query;
	r->max_bytes = SNIPPET_BYTES;
	if (s->text_bytes) {
		r->max_bytes = s->text_bytes;
		r->lengthy = true;
	}
	r->spans.v = arena_many(c->a, spans, struct span);
	return r;
}

static struct span span_of(const struct federated_search *s, const struct hit *h)
{
	return (struct span){ .blob = h->blob,
		.start_line = h->start_line,
		.end_line = h->end_line,
		.line = line_asked(s, h),
		.symbol = h->symbol };
}

static const struct snippet_req *texts_of(
    struct call *c, const struct federated_search *s, size_t member)
{
	struct snippet_req *r = request(c, s, s->n);

	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].member == member)
			r->spans.v[r->spans.n++] = span_of(s, s->v[i].hit);
	return r;
}

int search_remaining_ms(const struct call *c, int64_t deadline)
{
	int64_t left = c->start_ms + deadline - clock_ms();

	if (left > deadline / 20)
		return (int)left;
	return (int)(deadline / 20) + 1;
}

static void fetch_texts(struct call *c, struct federated_search *s)
{
	struct member **m = arena_many(c->a, s->found->n, struct member *);
	const void **reqs = arena_many(c->a, s->found->n, const void *);
	size_t n = 0;

	for (size_t i = 0; i < s->found->n; i++) {
		const struct snippet_req *r = texts_of(c, s, i);
		if (!r->spans.n)
			continue;
		m[n] = s->found->v[i].member;
		reqs[n++] = r;
	}
	fanout(c, m, n, RPC_snippet, NULL, reqs, search_remaining_ms(c, c->o->search_deadline_ms),
	    with_texts);
}

void search_refetch_snippets(struct call *c, struct federated_search *s, size_t bytes,
    void (*then)(struct call *, struct federated_search *))
{
	s->text_bytes = bytes;
	s->then = then;
	fetch_texts(c, s);
}

/* ---- the places of the page's hits, with their texts in the same request ---- */

/* A hit whose member is asked about it. */
struct page_item {
	size_t member;		/* index in `found` */
	struct hit *hit;
	bool place;		/* ask for its place, which is not known */
	struct snippet *text;	/* receives its text; NULL if that is not asked for */
};

struct page_items {
	struct page_item *v;
	size_t n;
	struct snippet *texts;	/* ordered by rank, beginning at s->low */
};

static void add(struct page_items *l, size_t member, struct hit *h, struct snippet *text)
{
	if (!h->path || text)
		l->v[l->n++] = (struct page_item){ member, h, !h->path, text };
}

/* All hits to ask about.  The text is asked from the first copy only. */
static struct page_items items_of(struct call *c, const struct federated_search *s, bool texts)
{
	struct page_items l = { .texts = arena_many(c->a, s->high - s->low, struct snippet) };
	size_t n = 0;

	for (size_t i = s->low; i < s->high; i++)
		n += 1 + s->all[i].nalso;
	l.v = arena_many(c->a, n, struct page_item);
	for (size_t i = s->low; i < s->high; i++) {
		const struct fused_hit *f = &s->all[i];
		struct snippet *text = NULL;
		if (texts)
			text = &l.texts[i - s->low];
		add(&l, f->member, f->hit, text);
		for (size_t k = 0; k < f->nalso; k++)
			add(&l, f->also[k].member, f->also[k].hit, NULL);
	}
	return l;
}

static void set_place(struct hit *h, const struct hit *place)
{
	h->path = place->path;
	h->blob = place->blob;
	h->language = place->language;
	h->symbol = place->symbol;
	h->qualified = place->qualified;
	h->kind = place->kind;
	h->signature = place->signature;
	h->start_line = place->start_line;
	h->end_line = place->end_line;
	h->test = place->test;
}

/* Take a member's reply; false if one of its documents has become another text. */
static bool take(struct federated_search *s, const struct fanout_reply *k)
{
	const struct snippet_res *res = k->res;
	bool same = true;

	if (k->e.code)
		return true;
	for (size_t i = 0, n = 0; i < s->items->n; i++) {
		struct page_item *x = &s->items->v[i];
		if (s->found->v[x->member].member != k->member)
			continue;
		if (x->place && n < res->hits.n && res->hits.v[n].path)
			set_place(x->hit, &res->hits.v[n]);
		if (!x->hit->path)
			same = false;
		if (x->text && n < res->snippets.n)
			*x->text = res->snippets.v[n];
		n++;
	}
	return same;
}

/* Cut the page out of the hits whose places are known now. */
static void end_page(struct call *c, struct federated_search *s)
{
	size_t placed = fuse_order_ties(s->hits, s->all + s->low, s->high - s->low);
	size_t before = s->from - s->low;
	bool has_ties = s->high - s->low > s->n;

	if (placed > before)
		s->n = MIN(s->n, placed - before);
	else
		s->n = 0;
	s->v = s->all + s->from;
	s->snippets = arena_many(c->a, s->n, struct snippet);
	for (size_t i = 0; i < s->n; i++)
		s->snippets[i] = s->items->texts[s->v[i].rank - s->low];
	if (has_ties && s->texts && s->n)
		fetch_texts(c, s);
	else
		search_finish(c, s);
}

/* Treat a member as failed; whether it had not failed before. */
static bool drop_member(struct federated_search *s, const struct fanout_reply *failed)
{
	bool any = false;

	for (size_t k = 0; k < s->found->n; k++)
		if (s->found->v[k].member == failed->member && !s->found->v[k].e.code) {
			s->found->v[k].e = failed->e;
			s->hits[k].n = 0;
			any = true;
		}
	return any;
}

/*
 * Treat a member that fails now as if it had failed before: the page is cut again, and others fill
 * it.  Only for the first page, since later ones continue where a page with its hits ended, and
 * only while there is time.  Whether to cut the page again.
 */
static bool leave_out_failed(struct call *c, struct federated_search *s, const struct fanout *f)
{
	int64_t deadline = c->o->search_deadline_ms;
	bool any = false;

	if (s->from || s->nmembers < 2 || search_remaining_ms(c, deadline) < deadline / 5)
		return false;
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].e.code && drop_member(s, &f->v[i]))
			any = true;
	return any;
}

static void with_places(struct call *c, struct fanout *f)
{
	struct federated_search *s = c->state;
	bool same = true;

	s->placed = f;
	for (size_t i = 0; i < f->n; i++)
		same &= take(s, &f->v[i]);
	if (leave_out_failed(c, s, f)) {
		search_rank_page(c, s);
		return;
	}
	if (same || s->again) {
		end_page(c, s);
		return;
	}
	s->again = true;
	search_ask(c, s);
}

static const struct snippet_req *places_of(
    struct call *c, const struct federated_search *s, size_t member)
{
	struct snippet_req *r = request(c, s, s->items->n);

	r->hits = true;
	for (size_t i = 0; i < s->items->n; i++) {
		const struct page_item *x = &s->items->v[i];
		if (x->member != member)
			continue;
		struct span *span = &r->spans.v[r->spans.n++];
		if (x->place)
			*span = (struct span){ .doc = x->hit->doc, .text = x->hit->text, .bare = !x->text };
		else
			*span = span_of(s, x->hit);
	}
	return r;
}

void search_page(struct call *c, struct federated_search *s)
{
	struct member **m = arena_many(c->a, s->found->n, struct member *);
	const void **reqs = arena_many(c->a, s->found->n, const void *);
	size_t n = 0;

	s->low = s->from;
	s->high = s->from + s->n;
	fuse_tie_range(s->all, s->total, &s->low, &s->high);
	s->items = arena_one(c->a, struct page_items);
	*s->items = items_of(c, s, s->texts && s->high - s->low == s->n);
	bool *asked = arena_many(c->a, s->found->n, bool);
	for (size_t i = 0; i < s->items->n; i++)
		asked[s->items->v[i].member] = true;
	for (size_t i = 0; i < s->found->n; i++)
		if (asked[i]) {
			m[n] = s->found->v[i].member;
			reqs[n++] = places_of(c, s, i);
		}
	if (n)
		fanout(c, m, n, RPC_snippet, NULL, reqs, search_remaining_ms(c, c->o->search_deadline_ms),
		    with_places);
	else
		end_page(c, s);
}
