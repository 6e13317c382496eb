/* impact: a shard walks over its graph, and contracts continue the walk in other repositories. */
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/list_pages.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/cross_repo_impact.h"
#include "coordinator/contracts/impact_risk.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"

struct impact_call {
	struct list_pages *pages;
	const struct fanout_reply *asked;
};

static bool upstream(const struct call *c)
{
	return !strcmp(((const struct impact_in *)c->in)->direction, "upstream");
}

/* Add what the definition, and what it depends on, call in other repositories. */
static void add_calls(
    struct call *c, const struct consumers *k, const char *repo_uri, struct cross_end_list *ends)
{
	const struct impact_out *out = c->out;

	consumers_add_outgoing(
	    c, k, repo_uri, out->target->path, out->target->start_line, out->target->end_line, 1, ends);
	for (size_t i = 0; i < out->by_depth.n; i++)
		for (size_t j = 0; j < out->by_depth.v[i].affected.n; j++) {
			const struct related *r = &out->by_depth.v[i].affected.v[j];
			if (strcmp(r->kind, "file"))
				consumers_add_outgoing(c, k, repo_uri, r->path, r->start_line, r->end_line,
				    out->by_depth.v[i].depth + 1, ends);
		}
	consumers_sort_unique(ends);
}

/* The reasons of both. */
static t_strs join(struct call *c, const t_strs *x, const t_strs *y)
{
	t_strs out = { arena_many(c->a, x->n + y->n, const char *), 0 };

	for (size_t i = 0; i < x->n; i++)
		out.v[out.n++] = x->v[i];
	for (size_t i = 0; i < y->n; i++)
		out.v[out.n++] = y->v[i];
	return out;
}

static void fill_impact_risk(struct call *c, const struct cross_repo_impact *x)
{
	static const struct reach none;
	struct impact_out *out = c->out;
	const struct reach *r = &none;

	if (out->reach)
		r = out->reach;
	out->reasons = join(c, &out->reasons, &x->reasons);
	out->epistemic = "verdict";
	if (out->reasons.n)
		out->epistemic = "lower-bound";
	if (upstream(c))
		out->risk = impact_risk_level(
		    &(struct impact_size){ r->affected, r->direct, out->routes.n, out->repos.n });
}

/* Offer the rest of the levels: what follows on this page, and what more time finds. */
static void put_next_cursor(struct call *c, struct impact_call *i, bool stopped)
{
	struct impact_out *out = c->out;
	const struct impact_res *r = i->asked->res;

	for (size_t j = 0; j < out->by_depth.n; j++) {
		const struct level *l = &out->by_depth.v[j];
		if (l->depth && l->depth <= PAGED_LISTS)
			i->pages->starts[l->depth] += (uint32_t)l->affected.n;
	}
	out->next_cursor = list_pages_next(
	    c, i->pages, i->asked->stamp, r->more, r->stopped || stopped, c->o->search_deadline_ms);
}

static void with_cross_repo(struct call *c, struct cross_repo_impact *x, const struct consumers *k)
{
	struct impact_out *out = c->out;
	struct impact_call *i = c->state;
	const struct fanout_reply *asked = i->asked;

	if (!upstream(c) && !c->e.code)
		add_calls(c, k, asked->member->repo_uri, &x->ends);
	if (!upstream(c))
		consumers_note_partial(c, k);
	out->cross_repo.v = x->ends.v;
	out->cross_repo.n = x->ends.n;
	out->repos.v = x->repos.v;
	out->repos.n = x->repos.n;
	if (!c->e.code) {
		fill_impact_risk(c, x);
		put_next_cursor(c, i, x->stopped);
	}
	call_end(c);
}

/* The routes and definitions that others may use: the target and what depends on it. */
static struct impact_start reached(struct call *c)
{
	const struct impact_out *out = c->out;
	struct impact_start s = { .routes = out->routes.v, .nroutes = out->routes.n };
	struct used_definition *all, *v;
	size_t n = impact_definitions(c, out->by_depth.v, out->by_depth.n, 0, &all);

	v = arena_many(c->a, n + 1, struct used_definition);
	v[0] = (struct used_definition){ out->target->path, out->target->qualified, 0 };
	if (n)
		memcpy(v + 1, all, n * sizeof *v);
	s.definitions = v;
	s.ndefinitions = n + 1;
	return s;
}

static void with_impact(struct call *c, struct fanout *f)
{
	const struct impact_in *in = c->in;
	struct impact_out *out = c->out;
	struct fanout_reply *k = &f->v[0];
	struct impact_call *i = c->state;

	if (k->e.code)
		evidence_fail(c, k);
	else
		list_pages_check(c, i->pages, k->stamp);
	if (c->e.code) {
		call_end(c);
		return;
	}
	view_copy(&rec_impact_res, k->res, &rec_impact_out, out);
	out->freshness = (struct freshness *)k->stamp;
	i->asked = k;
	if (!out->target) {
		call_end(c);
		return;
	}
	struct impact_start start = { 0 };
	if (upstream(c))
		start = reached(c);
	cross_repo_impact_run(c, k->member, &start, in->depth, in->min_confidence,
	    list_pages_ms(i->pages, c->o->search_deadline_ms), with_cross_repo);
}

void tool_impact(struct call *c)
{
	const struct impact_in *in = c->in;
	struct impact_req *q = arena_one(c->a, struct impact_req);
	struct member **m = arena_one(c->a, struct member *);

	*q = (struct impact_req){
		.symbol = in->symbol,
		.path = in->path,
		.kind = in->kind,
		.downstream = !upstream(c),
		.depth = in->depth,
		.min_confidence = in->min_confidence,
		.limit = in->limit,
	};
	*m = resolve_repo(c, in->repo, in->repo_uri);
	if (!*m) {
		call_end(c);
		return;
	}
	struct impact_call *i = arena_one(c->a, struct impact_call);
	i->pages = list_pages_open(c, in->cursor, *m);
	list_pages_starts(c, i->pages, &q->starts.v, &q->starts.n);
	c->state = i;
	fanout(c, m, 1, RPC_impact, q, NULL, list_pages_ms(i->pages, c->o->search_deadline_ms),
	    with_impact);
}
