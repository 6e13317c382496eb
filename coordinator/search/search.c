#include "coordinator/search/search.h"

#include <string.h>

#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/calls/context.h"
#include "coordinator/members/members.h"
#include "coordinator/search/query_embedding.h"
#include "coordinator/search/search_filters.h"
#include "coordinator/search/search_page.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/record/light_hit.h"
#include "proto/text/tokens.h"

enum {
	QUERY_MAX = 32 << 10,
	DEPTH_MIN = 100, DEPTH_MAX = 200,	/* of each list, over all members */
	/* of a member: so much, and so many times its share of that */
	ASKED_MIN = 10, ASKED_SHARE = 12,
};

static const char *const kinds[] = {
#define KIND(name, callable, doc) #name,
#include "proto/record/kinds.def"
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

int search_check(struct call *c, const char *query, const t_strs *keep)
{
	if (!terms_of(query, 1, c->a).n)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`query` holds no word to search for: any words, identifiers or a question will do");
	if (strlen(query) > QUERY_MAX)
		return err_set(&c->e, ERR_INVALID_INPUT, "`query` has %zu bytes, at most %d are taken",
		    strlen(query), QUERY_MAX);
	for (size_t i = 0; keep && i < keep->n; i++)
		if (check_kind(c, keep->v[i]))
			return -1;
	return 0;
}

t_strs search_sources(int sources, struct arena *a)
{
	t_strs s = { arena_many(a, 4, const char *), 0 };

	if (sources & FUSE_LEXICAL)
		s.v[s.n++] = "lexical";
	if (sources & FUSE_SYMBOL)
		s.v[s.n++] = "symbol";
	if (sources & FUSE_VECTOR)
		s.v[s.n++] = "vector";
	if (sources & FUSE_PATH)
		s.v[s.n++] = "path";
	return s;
}

/* The index that the next page shall be read from, of each member with several shards. */
static const char *make_cursor(struct call *c, const struct federated_search *s, const char *list)
{
	uint32_t *v = arena_many(c->a, s->nmembers, uint32_t);

	for (size_t i = 0; i < s->nmembers; i++)
		v[i] = call_pinned(c, s->members[i]);
	return cursor_make_with_numbers(list, s->from + s->n, s->depth, v, s->nmembers, c->a);
}

/* Read on where the page before was read. */
static void pin(struct call *c, const struct federated_search *s)
{
	uint32_t *v = arena_many(c->a, s->nmembers, uint32_t);

	c->continues_list = true;
	cursor_numbers(s->cursor, v, s->nmembers);
	for (size_t i = 0; i < s->nmembers; i++)
		if (v[i])
			call_pin(c, s->members[i], v[i]);
}

/*
 * Everything that the list of results depends on beside the arguments: who answered or was left
 * out, with which index.
 */
static const char *list_of(struct call *c, const struct federated_search *s)
{
	struct buf b = { 0 };

	for (size_t i = 0, at = 0; i < s->nmembers; i++) {
		/* in the order of the members */
		const struct fanout_reply *k = at < s->found->n ? &s->found->v[at] : NULL;
		uint64_t generation = s->settled[i];
		if (k && k->member == s->members[i]) {
			if (k->e.code)
				generation = 0;
			else if (k->stamp)
				generation = members_index_number(c->members, k->member, k->stamp);
			else
				generation = 1;
			at++;
		}
		const struct search_res *res = k && k->member == s->members[i] ? k->res : NULL;
		buf_printf(&b, "%s %llu %s\n", s->members[i]->repo_uri, (unsigned long long)generation,
		    res && res->vectors_message ? res->vectors_message : "");
	}
	/* the statistics too: of a member that was late for them they are known by the next page */
	buf_printf(&b, "%zu %s %llu %llu", s->depth, s->req.mode, (unsigned long long)s->req.documents,
	    (unsigned long long)s->req.words);
	for (size_t i = 0; i < s->req.terms.n; i++)
		buf_printf(&b, " %s %llu", s->req.terms.v[i].term,
		    (unsigned long long)s->req.terms.v[i].documents);
	const char *list = cursor_fingerprint(c->tool->in, c->in, b.p, c->a);
	buf_free(&b);
	return list;
}

void search_finish(struct call *c, struct federated_search *s)
{
	s->complete = fanout_coverage(
	    c, (struct fanout *[]){ s->found, s->more, s->placed, s->fetched }, 4, &s->coverage);
	if (query_embedding_check(c, s)) {
		call_end(c);
		return;
	}
	query_embedding_coverage(c, s, s->coverage);
	s->coverage->skipped = s->skipped;
	s->coverage->members += s->skipped;
	if (s->total)
		s->hint = NULL;
	else
		s->hint = filter_hint(s->found, s->req.path_prefix, c->a);
	fanout_leave(c);
	s->then(c, s);
}

/* ---- the hits ---- */

static void drop_irrelevant(struct federated_search *s)
{
	size_t k = 0;

	for (size_t i = 0; i < s->total; i++)
		if (s->all[i].relevance >= s->min_relevance) {
			s->all[k] = s->all[i];
			s->all[k].rank = k;
			k++;
		}
	s->total = k;
}

/* All hits of an answer, those without their place too. */
static struct member_hits hits_of(const struct fanout_reply *k, struct arena *a)
{
	const struct search_res *res = k->res;
	size_t n = res->light.n / sizeof(struct light_hit);
	struct member_hits out = { k->member->repo_uri, arena_many(a, res->hits.n + n, struct hit),
		res->hits.n, res->most_lexical };
	bool around = res->light_around.n == n * sizeof(double);

	if (out.n)
		memcpy(out.v, res->hits.v, out.n * sizeof *out.v);
	for (size_t i = 0; i < n; i++) {
		struct light_hit x;
		memcpy(&x, (const char *)res->light.p + i * sizeof x, sizeof x);
		out.v[out.n++] = (struct hit){ .text = x.text, .doc = x.doc, .file = x.file,
		    .lexical = x.lexical, .exact = x.exact,
			.cosine = x.cosine, .near = x.near };
		if (around)
			memcpy(&out.v[out.n - 1].around, (const char *)res->light_around.p + i * sizeof(double),
			    sizeof(double));
	}
	return out;
}

void search_rank_page(struct call *c, struct federated_search *s)
{
	s->all = fuse(s->hits, s->found->n, s->fusion, s->depth, c->a, &s->total);
	drop_irrelevant(s);
	const char *list = list_of(c, s);
	if (cursor_read(s->cursor, list, &s->from, &c->e)) {
		call_end(c);
		return;
	}
	s->from = MIN(s->from, s->total);
	s->n = MIN(s->total - s->from, s->limit);
	if (s->from + s->n < s->total)
		s->next_cursor = make_cursor(c, s, list);
	else
		s->next_cursor = NULL;
	search_page(c, s);
}

/*
 * A fifth of the time is kept for the texts: when one member hangs, the others have no more for
 * them.
 */
static int hits_ms(const struct call *c)
{
	return search_remaining_ms(c, c->o->search_deadline_ms * 4 / 5);
}

/* ---- more hits of those that have many of the best ---- */

/* Whether a member answered from another index than its statistics are of. */
static bool index_changed(struct call *c, const struct fanout *f)
{
	bool moved = false;

	for (size_t i = 0; i < f->n; i++)
		if (!f->v[i].e.code && f->v[i].stamp &&
		    !stats_is_current(c->co->stats, f->v[i].member, f->v[i].stamp))
			moved = true;
	return moved;
}

/* A text that has several copies in a file has them as documents of their own. */
static bool same_place(const struct hit *x, const struct hit *y)
{
	return x->text == y->text && x->file == y->file && x->doc == y->doc &&
	    (x->file || !strcmp(x->path, y->path));
}

static double larger(double a, double b)
{
	return MAX(a, b);
}

/*
 * What a member answered first, and what it answered then: a hit may have been in another list
 * already.
 */
static struct member_hits both(
    const struct member_hits *first, const struct member_hits *then, struct arena *a)
{
	struct member_hits out = { first->repo_uri, arena_many(a, first->n + then->n, struct hit),
		first->n, first->most };

	for (size_t i = 0; i < first->n; i++)
		out.v[i] = first->v[i];
	for (size_t i = 0; i < then->n; i++) {
		const struct hit *h = &then->v[i];
		size_t k = 0;
		while (k < first->n && !same_place(&out.v[k], h))
			k++;
		if (k == first->n) {
			out.v[out.n++] = *h;
			continue;
		}
		/* the lists that were not asked for again are missing from `h` */
		struct hit old = out.v[k];
		out.v[k] = h->path ? *h : old;
		out.v[k].exact = larger(old.exact, h->exact);
		out.v[k].named = larger(old.named, h->named);
	}
	return out;
}

/* Which place a file shows depends on all lists: then everything is asked for again. */
static bool needs_full_refetch(const struct federated_search *s)
{
	return s->req.granularity && !strcmp(s->req.granularity, "file");
}

/* Whether both are answers, from one index: what another one holds must not stand between them. */
static bool same_index(const struct fanout_reply *x, const struct fanout_reply *y)
{
	return !x->e.code && !y->e.code && x->stamp && y->stamp &&
	    members_index_id(x->stamp) == members_index_id(y->stamp);
}

static void with_more(struct call *c, struct fanout *more)
{
	struct federated_search *s = c->state;

	if (index_changed(c, more) && !s->again) {
		s->again = true;
		search_ask(c, s);
		return;
	}
	s->more = more;		/* who fails now has the rest of what the lists lack */
	for (size_t i = 0; i < more->n; i++)
		for (size_t k = 0; k < s->found->n; k++)
			if (s->found->v[k].member == more->v[i].member &&
			    same_index(&s->found->v[k], &more->v[i])) {
				struct member_hits hits = hits_of(&more->v[i], c->a);
				if (needs_full_refetch(s))
					s->hits[k] = hits;
				else
					s->hits[k] = both(&s->hits[k], &hits, c->a);
			}
	search_rank_page(c, s);
}

/*
 * Whether a member answered without places: it has one shard, which will know its documents by
 * their numbers.
 */
static bool is_light(const struct fanout_reply *k)
{
	return ((const struct search_res *)k->res)->light.n > 0;
}

static const struct search_req *request_for(const struct federated_search *s,
    const struct fanout_reply *k, const struct refetch_request *x, struct arena *a)
{
	struct search_req *req = arena_one(a, struct search_req);

	*req = s->req;
	req->light = is_light(k);
	req->limit = s->depth;
	if (needs_full_refetch(s))
		return req;
	req->least_lexical = x->least[0];
	req->least_exact = x->least[1];
	req->least_near = x->least[2];
	req->least_named = x->least[3];
	return req;
}

/*
 * Ask the members that may hold more of the lists' first hits than they were asked for; false:
 * there is none.
 */
static bool ask_more(struct call *c, struct federated_search *s)
{
	size_t n = s->found->n, k = 0;
	struct refetch_request *more = arena_many(c->a, n, struct refetch_request);

	if (s->req.limit >= s->depth || s->fusion == FUSE_PER_REPO ||
	    fuse_is_complete(s->hits, n, s->req.limit, s->depth, c->a, more))
		return false;
	struct member **m = arena_many(c->a, n, struct member *);
	const void **reqs = arena_many(c->a, n, const void *);
	for (size_t i = 0; i < n; i++)
		if (more[i].again) {
			m[k] = s->found->v[i].member;
			reqs[k++] = request_for(s, &s->found->v[i], &more[i], c->a);
		}
	fanout(c, m, k, RPC_search, NULL, reqs, hits_ms(c), with_more);
	return true;
}

/* ---- asking ---- */

static void with_hits(struct call *c, struct fanout *f)
{
	struct federated_search *s = c->state;

	s->found = f;
	s->more = s->placed = s->fetched = NULL;
	s->hits = arena_many(c->a, f->n, struct member_hits);
	for (size_t i = 0; i < f->n; i++)
		s->hits[i] = hits_of(&f->v[i], c->a);
	if (s->nmembers > 1 && index_changed(c, f) && !s->again) {
		s->again = true;
		search_ask(c, s);
	} else if (!ask_more(c, s)) {
		search_rank_page(c, s);
	}
}

/* By meaning every member may hold a match. */
static bool by_meaning(const struct federated_search *s)
{
	return s->req.vector.n && (!s->ask.literal || !strcmp(s->req.mode, "vector"));
}

static bool may_hold(struct call *c, const struct federated_search *s, size_t i)
{
	return s->nmembers == 1 || by_meaning(s) ||
	    !stats_rules_out(c->co->stats, s->members[i], s->settled[i], &s->wanted);
}

/* The members that may hold a match; `settled` gets for each what it serves for certain. */
static struct member **candidate_members(
    struct call *c, struct federated_search *s, uint64_t *settled, size_t *n)
{
	struct member **m = arena_many(c->a, s->nmembers, struct member *);

	*n = 0;
	for (size_t i = 0; i < s->nmembers; i++)
		if (may_hold(c, s, i)) {
			settled[*n] = s->settled[i];
			m[(*n)++] = s->members[i];
		}
	s->skipped = s->nmembers - *n;
	return m;
}

/*
 * Who may answer through another shard next time must say where its hits stand at once: numbers of
 * documents are a shard's own.
 */
static const void **requests(
    const struct federated_search *s, const uint64_t *settled, size_t n, struct arena *a)
{
	const void **reqs = arena_many(a, n, const void *);
	struct search_req *light = arena_one(a, struct search_req);

	*light = s->req;
	light->light = true;
	for (size_t i = 0; i < n; i++) {
		if (settled[i])
			reqs[i] = light;
		else
			reqs[i] = &s->req;
	}
	return reqs;
}

static void ask_hits(struct call *c, struct federated_search *s)
{
	size_t n, share;
	uint64_t *settled = arena_many(c->a, s->nmembers, uint64_t);
	struct member **m = candidate_members(c, s, settled, &n);

	if (s->nmembers > 1)
		stats_sum(c->co->stats, s->members, s->nmembers, &s->wanted, &s->req, c->a);
	if (n)
		share = s->depth * ASKED_SHARE / n;
	else
		share = s->depth;
	if (share < ASKED_MIN)
		s->req.limit = ASKED_MIN;
	else if (share < s->depth)
		s->req.limit = share;
	else
		s->req.limit = s->depth;
	admission_drain(c->co->admission, &c->pass);
	fanout(c, m, n, RPC_search, NULL, requests(s, settled, n, c->a), hits_ms(c), with_hits);
}

static void with_stats(struct call *c, struct fanout *f)
{
	for (size_t i = 0; i < f->n; i++)
		stats_update(
		    c->co->stats, f->v[i].member, f->v[i].res, f->v[i].e.code ? NULL : f->v[i].stamp);
	ask_hits(c, c->state);
}

/*
 * Ask for what is not known of the question's words.  A quarter of the time is for that; who is
 * late is not counted anew.
 */
static void begin(struct call *c, struct federated_search *s)
{
	struct member **m = arena_many(c->a, s->nmembers, struct member *);
	const void **reqs = arena_many(c->a, s->nmembers, const void *);
	size_t n = 0;

	for (size_t i = 0; i < s->nmembers; i++) {
		reqs[n] = stats_missing(c->co->stats, s->members[i], s->settled[i], &s->wanted, c->a);
		m[n] = s->members[i];
		n += reqs[n] != NULL;
	}
	if (n)
		fanout(c, m, n, RPC_stats, NULL, reqs, (int)(c->o->search_deadline_ms / 4), with_stats);
	else
		ask_hits(c, s);
}

void search_ask(struct call *c, struct federated_search *s)
{
	members_known_generations(c->members, s->members, s->nmembers, s->settled);
	if (s->nmembers > 1)
		begin(c, s);
	else
		ask_hits(c, s);
}

/* How many members are asked, as far as that is known before any is. */
static size_t width(struct call *c, const struct federated_search *s)
{
	size_t n = 0;

	if (s->nmembers <= admission_small_max(c->co->admission))
		return s->nmembers;
	members_known_generations(c->members, s->members, s->nmembers, s->settled);
	for (size_t i = 0; i < s->nmembers; i++)
		n += may_hold(c, s, i);
	return n;
}

static void entered(struct call *c)
{
	search_ask(c, c->state);
}

/* What has not got its turn after three fifths of its time would not be answered whole. */
static void enter(struct call *c, struct federated_search *s)
{
	fanout_enter(c, width(c, s), c->start_ms + c->o->search_deadline_ms * 3 / 5, entered);
}

void search_run(struct call *c, struct federated_search *s)
{
	size_t depth = cursor_depth(s->cursor);

	if (!depth)
		depth = s->limit * 3 / 2;
	if (depth < DEPTH_MIN)
		s->depth = DEPTH_MIN;
	else if (depth < DEPTH_MAX)
		s->depth = depth;
	else
		s->depth = DEPTH_MAX;
	c->state = s;
	pin(c, s);
	if (question_parse(&s->ask, s->req.query, c->a, &c->e)) {
		call_end(c);
		return;
	}
	s->wanted = stats_query_terms(&s->ask, c->a);
	s->settled = arena_many(c->a, s->nmembers, uint64_t);
	if (query_embedding_read(c, s))
		call_end(c);
	else
		query_embedding_compute(c, s, enter);
}
