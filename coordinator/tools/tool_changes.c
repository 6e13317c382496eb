/*
 * detect_changes: what a range of commits or a diff touches, and who depends on it, also in other
 * repositories.
 */
#include <stdlib.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/cross_repo_impact.h"
#include "coordinator/contracts/impact_risk.h"
#include "coordinator/members/members.h"
#include "coordinator/search/search_evidence.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"

enum { DEPTH = 3 };	/* edges that are followed from each symbol */
static const double sure = 0.5;

/* How many other repositories call any of these routes. */
static uint64_t callers_of(struct call *c, const struct consumers *k, const char *repo_uri,
    const struct route_row *v, size_t n)
{
	struct cross_end_list ends = { 0 };
	uint64_t repos = 0;

	for (size_t i = 0; i < n; i++)
		consumers_add_external(c, k, repo_uri, &v[i], 1, &ends);
	for (size_t i = 0, j; i < ends.n; i++) {
		for (j = 0; j < i && strcmp(ends.v[j].repo_uri, ends.v[i].repo_uri); j++)
			;
		repos += j == i;
	}
	return repos;
}

/* Tests last, the riskiest first, then as they stand in the source. */
static int by_risk(const void *a, const void *b)
{
	const struct touched *x = a, *y = b;
	int c = x->test - y->test;

	if (!c && strcmp(x->risk, y->risk)) {
		if (impact_risk_max(x->risk, y->risk) == x->risk)
			c = -1;
		else
			c = 1;
	}
	if (!c)
		c = strcmp(x->path, y->path);
	if (!c)
		c = (x->start_line > y->start_line) - (x->start_line < y->start_line);
	if (!c)
		c = strcmp(x->qualified, y->qualified);
	if (c)
		return c;
	return strcmp(x->change, y->change);
}

static void put_symbols(
    struct call *c, const struct changes_res *r, const char *repo_uri, const struct consumers *k)
{
	struct detect_changes_out *out = c->out;

	out->symbols.v = arena_many(c->a, r->symbols.n, struct touched);
	for (size_t i = 0; i < r->symbols.n; i++) {
		const struct changed_symbol *y = &r->symbols.v[i];
		struct touched *t = &out->symbols.v[out->symbols.n++];
		view_copy(&rec_changed_symbol, y, &rec_touched, t);
		if (y->reach) {
			t->affected = y->reach->affected;
			t->direct = y->reach->direct;
		}
		t->risk = impact_risk_level(&(struct impact_size){ t->affected, t->direct, y->routes.n,
		    callers_of(c, k, repo_uri, y->routes.v, y->routes.n) });
		out->max_risk = impact_risk_max(out->max_risk, t->risk);
	}
	if (out->symbols.n)
		qsort(out->symbols.v, out->symbols.n, sizeof *out->symbols.v, by_risk);
}

static void with_cross_repo(struct call *c, struct cross_repo_impact *x, const struct consumers *k)
{
	struct detect_changes_out *out = c->out;
	const struct fanout_reply *asked = c->state;
	const struct changes_res *r = asked->res;

	if (!c->e.code) {
		out->cross_repo.v = x->ends.v;
		out->cross_repo.n = x->ends.n;
		put_symbols(c, r, asked->member->repo_uri, k);
		if (r->reach)
			out->max_risk = impact_risk_max(out->max_risk,
			    impact_risk_level(&(struct impact_size){
			        r->reach->affected, r->reach->direct, r->routes.n, x->repos.n }));
		out->max_risk = impact_risk_max(out->max_risk, "LOW");
		for (size_t i = 0; i < x->reasons.n; i++)
			out->reasons.v[out->reasons.n++] = x->reasons.v[i];
		if (out->reasons.n)
			out->epistemic = "lower-bound";
		else
			out->epistemic = "verdict";
	}
	call_end(c);
}

static void with_changes(struct call *c, struct fanout *f)
{
	struct detect_changes_out *out = c->out;
	struct fanout_reply *k = &f->v[0];
	const struct changes_res *r = k->res;

	if (k->e.code) {
		evidence_fail(c, k);
		call_end(c);
		return;
	}
	view_copy(&rec_changes_res, r, &rec_detect_changes_out, out);
	out->reasons.v = arena_many(c->a, r->reasons.n + 64, const char *);
	if (r->reasons.n)
		memcpy(out->reasons.v, r->reasons.v, r->reasons.n * sizeof *r->reasons.v);
	out->freshness = (struct freshness *)k->stamp;
	c->state = k;
	cross_repo_impact_run(c, k->member, r->routes.v, r->routes.n, DEPTH, sure, with_cross_repo);
}

static bool has(const char *s)
{
	return s && *s;
}

void tool_detect_changes(struct call *c)
{
	const struct detect_changes_in *in = c->in;
	struct changes_req *q = arena_one(c->a, struct changes_req);
	struct member **m = arena_one(c->a, struct member *);

	*q = (struct changes_req){ in->base, in->head, in->diff, in->limit };
	if (has(in->diff) && (has(in->base) || has(in->head)))
		err_set(&c->e, ERR_INVALID_INPUT, "`diff` and `base` or `head` exclude each other");
	/* of an unchanged tree: the last commit is not meant */
	if (in->diff && !*in->diff && !has(in->base) && !has(in->head)) {
		err_set(&c->e, ERR_INVALID_INPUT, "`diff` is empty: nothing is changed");
		err_hint(&c->e, "Without `diff`, `base` and `head` it tells what the last commit touches.");
	}
	if (!c->e.code && (*m = resolve_repo(c, in->repo, in->repo_uri)))
		fanout(c, m, 1, RPC_changes, q, NULL, (int)c->o->contracts_deadline_ms, with_changes);
	else
		call_end(c);
}
