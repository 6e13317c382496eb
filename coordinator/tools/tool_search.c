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

static const double NEAR_ENOUGH = 0.3;

static enum fusion fusion_of(const char *name)
{
	if (!strcmp(name, "rrf"))
		return FUSE_RRF;
	if (!strcmp(name, "per_repo"))
		return FUSE_PER_REPO;
	return FUSE_WEIGHTED;
}

/*
 * A search of these members as group_query does it; ends the call when they have not all of what
 * is asked for.
 */
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

static void query_hit(struct call *c, const struct fused_hit *f, struct query_hit *r)
{
	const struct hit *h = f->hit;
	const char *slash = strrchr(h->path, '/');
	const char *name = h->symbol ? h->symbol : slash ? slash + 1 : h->path;

	*r = (struct query_hit){
		.id = h->qualified ? arena_printf(c->a, "%s#%s", h->path, h->qualified) : h->path,
		.name = name, .kind = h->kind ? h->kind : "file", .path = h->path,
		    .start_line = h->start_line,
		.end_line = h->end_line, .signature = h->signature, .score = f->score,
		.sources = search_sources(f->sources, c->a),
	};
}

static void query_done(struct call *c, struct federated_search *s)
{
	struct query_out *out = c->out;
	const struct fanout_reply *k = &s->found->v[0];

	if (!k->e.code && s->placed && s->placed->n && s->placed->v[0].e.code)
		k = &s->placed->v[0];		/* hits without places are dropped,
		    which is not the same as none */
	if (k->e.code) {
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	out->freshness = (struct freshness *)k->stamp;
	out->mode = s->req.mode;
	if (s->no_vectors_reason)
		out->without_vectors = s->no_vectors_reason;
	else if (s->coverage->notes.n)
		out->without_vectors = s->coverage->notes.v[0].message;
	else
		out->without_vectors = NULL;
	out->hint = s->hint;
	out->results.n = s->n;
	out->results.v = arena_many(c->a, s->n, struct query_hit);
	for (size_t i = 0; i < s->n; i++)
		query_hit(c, &s->v[i], &out->results.v[i]);
	out->next_cursor = s->next_cursor;
	out->total = s->total;
	call_end(c);
}

void tool_query(struct call *c)
{
	const struct query_in *in = c->in;
	struct resolved_repos p = { arena_one(c->a, struct member *), 1 };

	if (search_check(c, in->query, &in->kinds) ||
	    !(p.v[0] = resolve_repo(c, in->repo, in->repo_uri)))
		call_end(c);
	else
		search_members(c, as_group_query(c), &p, false, query_done);
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
		.rank = s->from + i + 1, .repo_uri = m->repo_uri, .repo = m->name, .path = h->path,
		.start_line = h->start_line, .end_line = h->end_line, .symbol = h->qualified ?
		    h->qualified : h->symbol,
		.kind = h->kind, .snippet = text->text ? text->text : "", .score = f->score,
		.snippet_start_line = text->text && *text->text ? text->start_line : 0,
		.snippet_end_line = text->text && *text->text ? text->end_line : 0,
		.sources = search_sources(f->sources, c->a),
	};
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
	out->results.n = s->n;
	out->results.v = arena_many(c->a, s->n, struct group_hit);
	for (size_t i = 0; i < s->n; i++)
		group_hit(c, s, i, &out->results.v[i]);
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

/* Only the members that `repos` names. */
static int keep_named_repos(struct call *c, const t_strs *repos, struct resolved_repos *p)
{
	size_t k = 0;

	for (size_t i = 0; i < repos->n; i++) {
		struct member *m = resolve_repo_name(c, repos->v[i]);
		size_t at = 0;
		if (!m)
			return -1;
		while (at < p->n && p->v[at] != m)
			at++;
		if (at == p->n)
			return err_set(&c->e, ERR_NOT_FOUND, "`repos`: %s is no member of the group", m->name);
		if (at < k)
			continue;	/* named twice */
		p->v[at] = p->v[k];
		p->v[k++] = m;
	}
	if (repos->n)
		p->n = k;
	return 0;
}

static int nobody(struct call *c, const char *group)
{
	err_set(&c->e, ERR_NO_INDEX, "group `%s` has no members", group);
	return err_hint(&c->e, "Run `atoll group add %s REPO...`.", group);
}

void tool_group_query(struct call *c)
{
	const struct group_query_in *in = c->in;
	struct group_query_out *out = c->out;
	struct resolved_repos p;

	out->group = in->group;
	if (search_check(c, in->query, &in->kinds) || resolve_group(c, in->group, &p) ||
	    keep_named_repos(c, &in->repos, &p) || (!p.n && nobody(c, in->group)))
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

	if (s->nmembers == 1 && k->e.code) {	/* nobody else could have answered */
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	evidence_list(c, s, &out->results.v, &out->results.n);
	out->meta = arena_one(c->a, struct search_code_meta);
	out->meta->scope = evidence_scope(c, s, in->scope);
	out->meta->topK = in->topK;
	out->meta->pathPrefix = in->pathPrefix;
	out->meta->collection = evidence_collection(c, s);
	out->mode = s->req.mode;
	out->without_vectors = s->no_vectors_reason;
	out->coverage = s->coverage;
	out->complete = s->complete;
	out->hint = s->hint;
	out->took_ms = view_elapsed_ms(c);
	call_end(c);
}

/* Without a threshold of the caller, what is far from the question is no result of mode vector. */
static double least_score(const struct search_code_in *in)
{
	if (in->minScore > 0 || !in->mode || strcmp(in->mode, "vector"))
		return in->minScore;
	return NEAR_ENOUGH;
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
	s->min_relevance = least_score(in);
	s->mode = in->mode;
	s->vector = in->vector;
	s->then = code_done;
	search_run(c, s);
}
