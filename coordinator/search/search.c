#include "coordinator/search/search.h"

#include <string.h>

#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/admission_control.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/partial_answers.h"
#include "coordinator/members/members.h"
#include "coordinator/search/query_embedding.h"
#include "coordinator/search/search_filters.h"
#include "coordinator/search/search_hint.h"
#include "coordinator/search/search_page.h"
#include "coordinator/search/similar_hits.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/process/suggest.h"
#include "proto/record/light_hit.h"
#include "proto/text/tokens.h"

enum {
	QUERY_MAX = 32 << 10,
	DEPTH_MIN = 100, DEPTH_MAX = 200,	/* of each list, over all members */
	ASKED_MIN = 10,		/* hits of each list that a member is asked for at least */
	ASKED_SHARE = 12,	/* and in general: times its share of the depth */
};

static const char *const kinds[] = {
#define KIND(name, callable, doc) #name,
#include "proto/record/kinds.def"
};

static int check_kind(struct call *c, const char *kind)
{
	for (size_t i = 0; i < LEN(kinds); i++)
		if (!strcmp(kinds[i], kind))
			return 0;
	return err_set(&c->e, ERR_INVALID_INPUT, "`kinds`: `%.40s` is not a kind; use %s", kind,
	    suggest_choices(kinds, LEN(kinds), c->a));
}

int search_check(struct call *c, const char *query, const t_strs *keep)
{
	if (!terms_of(query, 1, c->a).n)
		return err_set(&c->e, ERR_INVALID_INPUT,
		    "`query` contains no word to search for: give words, identifiers or a question; quoted"
		    " text needs a letter or a digit, in the quotes or beside them");
	if (strlen(query) > QUERY_MAX)
		return err_set(&c->e, ERR_INVALID_INPUT, "`query` has %zu bytes; the maximum is %d",
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

/* A cursor for the next page; it holds the index to read from each member with several shards. */
static const char *make_cursor(struct call *c, const struct federated_search *s, const char *list)
{
	uint32_t *v = arena_many(c->a, s->nmembers, uint32_t);

	for (size_t i = 0; i < s->nmembers; i++)
		v[i] = call_pinned(c, s->members[i]);
	return cursor_make_with_numbers(list, s->from + s->n, s->depth, v, s->nmembers, c->a);
}

/* Continue in the indexes that the previous page was read from. */
static void pin(struct call *c, const struct federated_search *s)
{
	uint32_t *v = arena_many(c->a, s->nmembers, uint32_t);

	c->continues_list = true;
	cursor_numbers(s->cursor, v, s->nmembers);
	for (size_t i = 0; i < s->nmembers; i++)
		if (v[i])
			call_pin(c, s->members[i], v[i]);
}

/* Identifies the index that a member answered from; 0 for a failure. */
static uint64_t answered_generation(struct call *c, const struct fanout_reply *k)
{
	if (k->e.code)
		return 0;
	if (!k->stamp)
		return 1;
	return members_index_number(c->members, k->member, k->stamp);
}

/* Add who answered from which index, or was skipped.  Replies are in the order of the members. */
static void add_members(struct call *c, const struct federated_search *s, struct buf *b)
{
	for (size_t i = 0, at = 0; i < s->nmembers; i++) {
		uint64_t generation = s->settled[i];
		const char *message = "";
		if (at < s->found->n && s->found->v[at].member == s->members[i]) {
			const struct fanout_reply *k = &s->found->v[at++];
			const struct search_res *res = k->res;
			generation = answered_generation(c, k);
			message = text_or_empty(res->vectors_message);
		}
		buf_printf(
		    b, "%s %llu %s\n", s->members[i]->repo_uri, (unsigned long long)generation, message);
	}
}

/* A fingerprint of everything that the list of results depends on. */
static const char *list_of(struct call *c, const struct federated_search *s)
{
	struct buf b = { 0 };

	add_members(c, s, &b);
	/* the statistics of a member that was late may be known when the next page is read */
	buf_printf(&b, "%zu %s %llu %llu %zu", s->depth, s->req.mode,
	    (unsigned long long)s->req.documents, (unsigned long long)s->req.words, s->matches);
	for (size_t i = 0; i < s->req.terms.n; i++)
		buf_printf(&b, " %s %llu", s->req.terms.v[i].term,
		    (unsigned long long)s->req.terms.v[i].documents);
	const char *list = cursor_fingerprint(c->tool->in, c->in, b.p, c->a);
	buf_free(&b);
	return list;
}

void search_finish(struct call *c, struct federated_search *s)
{
	if (query_embedding_check(c, s)) {
		call_end(c);
		return;
	}
	s->complete = fanout_coverage(
	    c, (struct fanout *[]){ s->found, s->more, s->placed, s->fetched }, 4, &s->coverage);
	query_embedding_coverage(c, s, s->coverage);
	s->coverage->skipped = s->skipped;
	s->coverage->members += s->skipped;
	phrase_coverage(c, s, s->coverage);
	s->hint = search_hint(c, s);
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
	s->too_low = s->total - k;
	s->total = k;
}

size_t search_page_matches(const struct federated_search *s)
{
	size_t n = 0;

	while (n < s->n && !s->v[n].similar)
		n++;
	return n;
}

static bool is_complete(const char *vectors)
{
	return vectors && !strcmp(vectors, "complete");
}

/* All hits of a reply, with and without their places. */
static struct member_hits hits_of(const struct fanout_reply *k, struct arena *a)
{
	const struct search_res *res = k->res;
	size_t n = res->light.n / sizeof(struct light_hit);
	struct member_hits out = { k->member->repo_uri, arena_many(a, res->hits.n + n, struct hit),
		res->hits.n, res->most_lexical, is_complete(res->vectors) };
	bool around = res->light_around.n == n * sizeof(double);

	if (out.n)
		memcpy(out.v, res->hits.v, out.n * sizeof *out.v);
	for (size_t i = 0; i < n; i++) {
		struct light_hit x;
		memcpy(&x, (const char *)res->light.p + i * sizeof x, sizeof x);
		out.v[out.n++] = (struct hit){
			.text = x.text,
			.doc = x.doc,
			.file = x.file,
			.lexical = x.lexical,
			.exact = x.exact,
			.cosine = x.cosine,
			.near = x.near,
		};
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
	search_set_similar_apart(c, s);
	const char *list = list_of(c, s);
	if (cursor_read(s->cursor, list, &s->from, &c->e)) {
		call_end(c);
		return;
	}
	s->from = MIN(s->from, s->total);
	s->n = MIN(s->total - s->from, s->limit);
	s->next_cursor = NULL;
	if (s->from + s->n < s->total)
		s->next_cursor = make_cursor(c, s, list);
	search_page(c, s);
}

/* A fifth of the time is reserved for fetching texts, even if a member does not answer. */
static int hits_ms(const struct call *c)
{
	return search_remaining_ms(c, c->o->search_deadline_ms * 4 / 5);
}

/* ---- more hits from members that have many of the best ---- */

/*
 * Whether a member answered from another index than its statistics are from.  Checks every member,
 * since that marks the statistics of each such member as old, so that they are requested again.
 */
static bool index_changed(struct call *c, const struct fanout *f)
{
	bool changed = false;

	for (size_t i = 0; i < f->n; i++) {
		const struct fanout_reply *k = &f->v[i];
		if (k->e.code || !k->stamp)
			continue;
		if (!stats_check_index(c->co->stats, k->member, k->stamp))
			changed = true;
	}
	return changed;
}

/* Whether two hits are the same document.  Copies of a text in one file are different documents. */
static bool same_place(const struct hit *x, const struct hit *y)
{
	if (x->text != y->text || x->file != y->file || x->doc != y->doc)
		return false;
	return x->file || !strcmp(x->path, y->path);
}

/* Merge a member's two replies: a hit of the second one may have been in another list before. */
static struct member_hits both(
    const struct member_hits *first, const struct member_hits *then, struct arena *a)
{
	struct member_hits out = { first->repo_uri, arena_many(a, first->n + then->n, struct hit),
		first->n, first->max_lexical, first->vectors_complete };

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
		/* `h` lacks the scores of lists that were not asked for again */
		struct hit *x = &out.v[k];
		double exact = x->exact, named = x->named;
		if (h->path)
			*x = *h;
		x->exact = MAX(exact, h->exact);
		x->named = MAX(named, h->named);
	}
	return out;
}

/* The place that a file shows depends on all lists, so everything must be asked for again. */
static bool needs_full_refetch(const struct federated_search *s)
{
	return s->req.granularity && !strcmp(s->req.granularity, "file");
}

/* Whether both members answered, and from the same index: only then can the replies be merged. */
static bool same_index(const struct fanout_reply *x, const struct fanout_reply *y)
{
	if (x->e.code || y->e.code || !x->stamp || !y->stamp)
		return false;
	return members_index_id(x->stamp) == members_index_id(y->stamp);
}

static void add_more(struct call *c, struct federated_search *s, const struct fanout_reply *more)
{
	struct member_hits hits;

	for (size_t k = 0; k < s->found->n; k++) {
		const struct fanout_reply *found = &s->found->v[k];
		if (found->member != more->member || !same_index(found, more))
			continue;
		hits = hits_of(more, c->a);
		if (needs_full_refetch(s))
			s->hits[k] = hits;
		else
			s->hits[k] = both(&s->hits[k], &hits, c->a);
	}
}

static void with_more(struct call *c, struct fanout *more)
{
	struct federated_search *s = c->state;

	if (index_changed(c, more) && !s->again) {
		s->again = true;
		search_ask(c, s);
		return;
	}
	s->more = more;		/* the coverage names members that failed here */
	for (size_t i = 0; i < more->n; i++)
		add_more(c, s, &more->v[i]);
	search_rank_page(c, s);
}

/*
 * Whether a member answered without places: it has a single shard, so that document numbers
 * identify its documents later.
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
 * Ask again the members that may have more of the lists' first hits than they were asked for.
 * Returns false if there are none.
 */
static bool ask_more(struct call *c, struct federated_search *s)
{
	size_t n = s->found->n, k = 0;
	struct refetch_request *more = arena_many(c->a, n, struct refetch_request);

	if (s->req.limit >= s->depth || s->fusion == FUSE_PER_REPO)
		return false;
	if (fuse_is_complete(s->hits, n, s->req.limit, s->depth, c->a, more))
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

/* Whether the search is by meaning, so that every member may have a match. */
static bool by_meaning(const struct federated_search *s)
{
	return s->req.vector.n && (!s->ask.literal || !strcmp(s->req.mode, "vector"));
}

static bool may_hold(struct call *c, const struct federated_search *s, size_t i)
{
	if (s->nmembers == 1 || by_meaning(s))
		return true;
	return !stats_rules_out(c->co->stats, s->members[i], s->settled[i], &s->wanted);
}

/* No sketch holds the words of files that cannot be read, so a skipped member may have them. */
static void note_skipped(
    struct call *c, const struct federated_search *s, struct member **asked, size_t n)
{
	for (size_t i = 0, at = 0; i < s->nmembers; i++) {
		struct member_view v;
		if (at < n && asked[at] == s->members[i]) {
			at++;
			continue;
		}
		if (!members_lacks_something(c->members, s->members[i]))
			continue;
		members_view(c->members, s->members[i], &v, c->a);
		partial_note(c, s->members[i], v.stamp, RPC_search);
	}
}

/* The members that may have a match; `settled` gets the generation that each certainly serves. */
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
	note_skipped(c, s, m, *n);
	return m;
}

/*
 * Ask for light hits where possible.  A member that may answer through another shard next time must
 * send places at once, because document numbers belong to one shard.
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

/* How many hits of each list to ask each of `n` members for. */
static size_t hits_to_ask(size_t depth, size_t n)
{
	size_t share = depth;

	if (n)
		share = depth * ASKED_SHARE / n;
	if (share < ASKED_MIN)
		return ASKED_MIN;
	return MIN(share, depth);
}

static void ask_hits(struct call *c, struct federated_search *s)
{
	size_t n;
	uint64_t *settled = arena_many(c->a, s->nmembers, uint64_t);

	if (s->nmembers > 1)
		stats_sum(c->co->stats, s->members, s->nmembers, &s->wanted, &s->req, c->a);
	struct member **m = candidate_members(c, s, settled, &n);
	s->req.limit = hits_to_ask(s->depth, n);
	admission_drain(c->co->admission, &c->pass);
	fanout(c, m, n, RPC_search, NULL, requests(s, settled, n, c->a), hits_ms(c), with_hits);
}

static void with_stats(struct call *c, struct fanout *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct freshness *stamp = f->v[i].stamp;
		if (f->v[i].e.code)
			stamp = NULL;
		stats_update(c->co->stats, f->v[i].member, f->v[i].res, stamp);
	}
	ask_hits(c, c->state);
}

/*
 * Ask for the statistics of the question's words that are not known yet, for at most a quarter of
 * the time: a member that is late keeps its last counts.
 */
static void ask_statistics(struct call *c, struct federated_search *s)
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
		ask_statistics(c, s);
	else
		ask_hits(c, s);
}

/* How many members will be asked, as far as that is known beforehand. */
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

/* A search that has waited for three fifths of its time could not be answered completely. */
static void enter(struct call *c, struct federated_search *s)
{
	fanout_enter(c, width(c, s), c->start_ms + c->o->search_deadline_ms * 3 / 5, entered);
}

void search_run(struct call *c, struct federated_search *s)
{
	size_t depth = cursor_depth(s->cursor);

	if (!depth)
		depth = s->limit * 3 / 2;
	depth = MAX(depth, DEPTH_MIN);
	s->depth = MIN(depth, DEPTH_MAX);
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
