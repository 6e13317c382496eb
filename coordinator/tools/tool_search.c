/* query, group_query, scope_query and search_code: views of one search (search.h). */
#include <string.h>

#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/search/search_filters.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

static const double near_enough = 0.3;	/* minimum cosine in mode vector */

static enum fusion fusion_of(const char *name)
{
	if (!strcmp(name, "rrf"))
		return FUSE_RRF;
	if (!strcmp(name, "per_repo"))
		return FUSE_PER_REPO;
	return FUSE_WEIGHTED;
}

/* Search these members as group_query does; ends the call if a filter names an unknown language. */
static void search_members(struct call *c, const struct group_query_in *in,
    const struct resolved_repos *p, bool texts,
    void (*then)(struct call *, struct federated_search *))
{
	struct federated_search *s = arena_one(c->a, struct federated_search);

	if (filter_languages(c, p->v, p->n, &in->languages)) {
		call_end(c);
		return;
	}
	s->members = p->v;
	s->nmembers = p->n;
	s->req = (struct search_req){ .query = in->query,
		.kinds = in->kinds,
		.languages = in->languages,
		.path_prefix = filter_prefix(in->path_prefix),
		.granularity = in->granularity };
	s->fusion = fusion_of(in->fusion);
	s->mode = in->mode;
	s->limit = in->limit;
	s->cursor = in->cursor;
	s->texts = texts;
	s->then = then;
	search_run(c, s);
}

/* The call's arguments as those of group_query. */
static struct group_query_in *as_group_query(struct call *c)
{
	struct group_query_in *as = arena_one(c->a, struct group_query_in);

	view_copy(c->tool->in, c->in, &rec_group_query_in, as);
	as->fusion = "weighted";
	return as;
}

/* ---- query: one repository ---- */

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash)
		return slash + 1;
	return path;
}

static void query_hit(struct call *c, const struct fused_hit *f, struct query_hit *r)
{
	const struct hit *h = f->hit;

	*r = (struct query_hit){
		.id = h->path,
		.name = text_or(h->symbol, file_name(h->path)),
		.kind = text_or(h->kind, "file"),
		.path = h->path,
		.start_line = h->start_line,
		.end_line = h->end_line,
		.signature = h->signature,
		.score = f->score,
		.sources = search_sources(f->sources, c->a),
	};
	if (h->qualified)
		r->id = arena_printf(c->a, "%s#%s", h->path, h->qualified);
}

/* The failure of the only member, or NULL. */
static const struct fanout_reply *failure_of(const struct federated_search *s)
{
	if (s->found->v[0].e.code)
		return &s->found->v[0];
	/* without places all hits are dropped: that is a failure, not an empty result */
	if (s->placed && s->placed->n && s->placed->v[0].e.code)
		return &s->placed->v[0];
	return NULL;
}

static void query_done(struct call *c, struct federated_search *s)
{
	struct query_out *out = c->out;
	const struct fanout_reply *failed = failure_of(s);

	if (failed) {
		evidence_fail(c, failed);
		call_end(c);
		return;
	}
	out->freshness = (struct freshness *)s->found->v[0].stamp;
	out->mode = s->req.mode;
	out->without_vectors = s->no_vectors_reason;
	if (!s->no_vectors_reason)
		out->without_vectors = s->some_without_vectors;
	out->hint = s->hint;
	out->complete = s->complete;
	if (!s->complete)
		out->coverage = s->coverage;
	struct query_hit *v = arena_many(c->a, s->n, struct query_hit);
	for (size_t i = 0; i < s->n; i++)
		query_hit(c, &s->v[i], &v[i]);
	out->results.v = v;
	out->results.n = search_page_matches(s);
	out->similar.v = v + out->results.n;
	out->similar.n = s->n - out->results.n;
	out->next_cursor = s->next_cursor;
	out->total = s->total;
	call_end(c);
}

void tool_query(struct call *c)
{
	const struct query_in *in = c->in;
	struct resolved_repos p = { arena_one(c->a, struct member *), 1 };

	if (!search_check(c, in->query, &in->kinds))
		p.v[0] = resolve_repo(c, in->repo, in->repo_uri);
	if (p.v[0])
		search_members(c, as_group_query(c), &p, false, query_done);
	else
		call_end(c);
}

/* ---- group_query ---- */

static void group_hit(
    struct call *c, const struct federated_search *s, size_t i, struct group_hit *r)
{
	const struct fused_hit *f = &s->v[i];
	const struct hit *h = f->hit;
	const struct member *m = s->found->v[f->member].member;
	const struct snippet *text = &s->snippets[i];

	*r = (struct group_hit){
		.rank = s->from + i + 1,
		.repo_uri = m->repo_uri,
		.repo = resolve_handle(c, m),
		.path = h->path,
		.start_line = h->start_line,
		.end_line = h->end_line,
		.symbol = text_or(h->qualified, h->symbol),
		.kind = h->kind,
		.snippet = text_or_empty(text->text),
		.score = f->score,
		.sources = search_sources(f->sources, c->a),
	};
	if (text_is_set(text->text)) {
		r->snippet_start_line = text->start_line;
		r->snippet_end_line = text->end_line;
	}
	r->also_in.v = arena_many(c->a, f->nalso, struct place);
	for (size_t k = 0; k < f->nalso; k++) {
		const struct hit *copy = f->also[k].hit;
		r->also_in.v[r->also_in.n++] = (struct place){
			s->found->v[f->also[k].member].member->repo_uri, copy->path, copy->start_line,
			copy->end_line
		};
	}
}

static void put_hits(struct call *c, struct federated_search *s, struct group_query_out *out)
{
	struct group_hit *v = arena_many(c->a, s->n, struct group_hit);

	for (size_t i = 0; i < s->n; i++)
		group_hit(c, s, i, &v[i]);
	out->results.v = v;
	out->results.n = search_page_matches(s);
	out->similar.v = v + out->results.n;
	out->similar.n = s->n - out->results.n;
	out->mode = s->req.mode;
	out->without_vectors = s->no_vectors_reason;
	out->coverage = s->coverage;
	out->complete = s->complete;
	out->hint = s->hint;
	out->next_cursor = s->next_cursor;
	out->total = s->total;
	out->took_ms = view_elapsed_ms(c);
}

static void group_done(struct call *c, struct federated_search *s)
{
	put_hits(c, s, c->out);
	call_end(c);
}

/* The members to search; -1 if the arguments are wrong or there are none. */
static int group_members(struct call *c, const struct group_query_in *in, struct resolved_repos *p)
{
	if (search_check(c, in->query, &in->kinds) || resolve_group_members(c, in->group, p))
		return -1;
	return resolve_named(c, &in->repos, p);
}

void tool_group_query(struct call *c)
{
	const struct group_query_in *in = c->in;
	struct group_query_out *out = c->out;
	struct resolved_repos p;

	out->group = in->group;
	if (group_members(c, in, &p))
		call_end(c);
	else
		search_members(c, in, &p, true, group_done);
}

/* ---- scope_query: the same over a scope ---- */

static void scope_done(struct call *c, struct federated_search *s)
{
	const struct scope_query_in *in = c->in;
	struct scope_query_out *out = c->out;
	struct group_query_out hits = { 0 };

	put_hits(c, s, &hits);
	view_copy(&rec_group_query_out, &hits, &rec_scope_query_out, out);
	out->scope = evidence_scope(c, s, in->scope);
	call_end(c);
}

void tool_scope_query(struct call *c)
{
	const struct scope_query_in *in = c->in;
	struct resolved_repos p;

	if (search_check(c, in->query, &in->kinds) || resolve_scope(c, in->scope, NULL, NULL, &p))
		call_end(c);
	else
		search_members(c, as_group_query(c), &p, true, scope_done);
}

/* ---- search_code: a scope ---- */

static void code_done(struct call *c, struct federated_search *s)
{
	const struct search_code_in *in = c->in;
	struct search_code_out *out = c->out;
	const struct fanout_reply *k = &s->found->v[0];

	if (s->nmembers == 1 && k->e.code) {	/* the only member failed */
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	struct evidence *v = evidence_list(c, s);
	out->results.v = v;
	out->results.n = search_page_matches(s);
	out->similar.v = v + out->results.n;
	out->similar.n = s->n - out->results.n;
	out->meta = arena_one(c->a, struct search_code_meta);
	out->meta->scope = evidence_scope(c, s, in->scope);
	out->meta->topK = in->topK;
	out->meta->pathPrefix = in->pathPrefix;
	out->meta->minScore = s->min_relevance;
	out->meta->droppedByMinScore = s->too_low;
	out->meta->collection = evidence_collection(c, s);
	out->mode = s->req.mode;
	out->without_vectors = s->no_vectors_reason;
	out->coverage = s->coverage;
	out->complete = s->complete;
	out->hint = s->hint;
	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

/* The caller's threshold.  Mode vector has a default one, which excludes distant texts. */
static double min_score(const struct search_code_in *in)
{
	bool by_vector = in->mode && !strcmp(in->mode, "vector");

	if (in->minScore > 0 || !by_vector)
		return in->minScore;
	return near_enough;
}

void tool_search_code(struct call *c)
{
	const struct search_code_in *in = c->in;
	struct federated_search *s = evidence_search(
	    c, in->scope, in->repo, in->repo_uri, in->query, in->minScore);

	if (!s) {
		call_end(c);
		return;
	}
	s->req.path_prefix = filter_prefix(in->pathPrefix);
	s->limit = in->topK;
	s->min_relevance = min_score(in);
	s->mode = in->mode;
	s->vector = in->vector;
	s->then = code_done;
	search_run(c, s);
}
