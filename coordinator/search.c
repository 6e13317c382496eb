#include "coordinator/search.h"

#include <string.h>

#include "coordinator/coordinator.h"
#include "coordinator/cursor.h"
#include "coordinator/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/text/tokens.h"

enum { QUERY_MAX = 32 << 10, DEPTH_MIN = 24, DEPTH_MAX = 200, SNIPPET = 1000 };

static const char *const kinds[] = {
#define KIND(name, callable, doc) #name,
#include "proto/kinds.def"
};

static int check_kind(struct call *c, const char *kind)
{
	const char *all = "";

	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i], kind))
			return 0;
	for (size_t i = 0; i < LEN(kinds); i++)
		all = arena_printf(c->a, "%s%s%s", all, i ? ", " : "", kinds[i]);
	return err_set(&c->e, ERR_INVALID_INPUT, "`kinds`: `%.40s` is none of %s", kind, all);
}

int search_check(struct call *c, const char *query, const char *mode, const t_strs *keep)
{
	if (!terms_of(query, 1, c->a).n)
		return err_set(&c->e, ERR_INVALID_INPUT, "`query` holds no word to search for: any words, identifiers or a question will do");
	if (strlen(query) > QUERY_MAX)
		return err_set(&c->e, ERR_INVALID_INPUT, "`query` has %zu bytes, at most %d are taken", strlen(query), QUERY_MAX);
	if (mode && !strcmp(mode, "vector")) {
		err_set(&c->e, ERR_INVALID_INPUT, "`mode`: no member holds vectors");
		return err_hint(&c->e, "mode=lexical works, and mode=hybrid where it falls back to it.");
	}
	for (size_t i = 0; keep && i < keep->n; i++)
		if (check_kind(c, keep->v[i]))
			return -1;
	return 0;
}

t_strs search_sources(int sources, struct arena *a)
{
	t_strs s = { arena_many(a, 2, const char *), 0 };

	if (sources & FUSE_LEXICAL)
		s.v[s.n++] = "lexical";
	if (sources & FUSE_SYMBOL)
		s.v[s.n++] = "symbol";
	return s;
}

/* Everything that the list of results depends on beside the arguments: who answered, from which index. */
static const char *list_of(struct call *c, const struct search *s)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < s->found->n; i++) {
		const struct asked *k = &s->found->v[i];
		buf_printf(&b, "%s %llu\n", k->member->repo_uri,
		    (unsigned long long)(k->e.code ? 0 : k->stamp ? k->stamp->generation : 1));
	}
	buf_printf(&b, "%zu", s->depth);
	const char *list = cursor_list(c->tool->in, c->in, b.p, c->a);
	buf_free(&b);
	return list;
}

static void finish(struct call *c, struct search *s)
{
	s->complete = fanout_coverage(c, (struct fanout *[]){ s->found, s->fetched }, 2, &s->coverage);
	s->then(c, s);
}

/* ---- the texts of the page ---- */

static void with_texts(struct call *c, struct fanout *f)
{
	struct search *s = c->state;

	s->fetched = f;
	for (size_t i = 0; i < f->n; i++) {
		const struct snippet_res *res = f->v[i].res;
		size_t k = 0;
		for (size_t h = 0; h < s->n; h++)
			if (s->found->v[s->v[h].member].member == f->v[i].member && k < res->snippets.n)
				s->snippets[h] = res->snippets.v[k++];
	}
	finish(c, s);
}

static const struct snippet_req *texts_of(struct call *c, const struct search *s, size_t member)
{
	struct snippet_req *r = arena_one(c->a, struct snippet_req);

	r->query = s->req.query;
	r->max_bytes = SNIPPET;
	r->spans.v = arena_many(c->a, s->n, struct span);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].member == member)
			r->spans.v[r->spans.n++] = (struct span){ s->v[i].hit->blob, s->v[i].hit->start_line,
				s->v[i].hit->end_line };
	return r;
}

static int left_ms(const struct call *c, int64_t deadline)
{
	int64_t left = c->start_ms + deadline - clock_ms();

	return left > deadline / 20 ? (int)left : (int)(deadline / 20) + 1;
}

static void fetch_texts(struct call *c, struct search *s)
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
	fanout(c, m, n, RPC_snippet, NULL, reqs, left_ms(c, c->co->o.search_deadline_ms), with_texts);
}

/* ---- the hits ---- */

static void drop_irrelevant(struct search *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->total; i++)
		if (s->v[i].relevance >= s->min_relevance)
			s->v[k++] = s->v[i];
	s->total = k;
}

static void with_hits(struct call *c, struct fanout *f)
{
	struct search *s = c->state;
	struct found *found = arena_many(c->a, f->n, struct found);

	s->found = f;
	for (size_t i = 0; i < f->n; i++) {
		const struct search_res *res = f->v[i].res;
		found[i] = (struct found){ f->v[i].member->repo_uri, res->hits.v, res->hits.n };
	}
	s->v = fuse(found, f->n, s->fusion, c->a, &s->total);
	drop_irrelevant(s);
	const char *list = list_of(c, s);
	if (cursor_read(s->cursor, list, &s->from, &c->e)) {
		call_end(c);
		return;
	}
	s->from = s->from < s->total ? s->from : s->total;
	s->n = s->total - s->from < s->limit ? s->total - s->from : s->limit;
	s->v += s->from;
	if (s->from + s->n < s->total)
		s->next_cursor = cursor_make(list, s->from + s->n, s->depth, c->a);
	s->snippets = arena_many(c->a, s->n, struct snippet);
	if (s->texts && s->n)
		fetch_texts(c, s);
	else
		finish(c, s);
}

/* A tenth of the time is kept for the texts. */
void search_run(struct call *c, struct search *s)
{
	size_t depth = cursor_depth(s->cursor);

	if (!depth)
		depth = s->limit * 3 / 2;
	s->depth = depth < DEPTH_MIN ? DEPTH_MIN : depth < DEPTH_MAX ? depth : DEPTH_MAX;
	s->req.limit = s->depth;
	c->state = s;
	fanout(c, s->members, s->nmembers, RPC_search, &s->req, NULL, (int)(c->co->o.search_deadline_ms * 9 / 10),
	    with_hits);
}
