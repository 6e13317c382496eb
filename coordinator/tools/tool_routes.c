/* route_map and api_impact: what a repository serves, who calls it, and what a change affects. */
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/list_pages.h"
#include "coordinator/calls/resolve_repo.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/contracts/cross_repo_impact.h"
#include "coordinator/contracts/impact_risk.h"
#include "coordinator/contracts/served_routes.h"
#include "coordinator/members/members.h"
#include "coordinator/tools/tool_table.h"
#include "proto/base/arena.h"

static const char *const no_group =
    "the repository is in no group, so calls from other repositories are not known";

static struct route_row row_of(const struct fact *f)
{
	return (struct route_row){ f->kind, f->method, f->path, f->framework, f->symbol, f->file,
		f->line, f->end_line, 0 };
}

/*
 * The routes that match best: equal templates; else those that answer such requests; else, with
 * `like`, those that contain the text.
 */
static size_t choose(struct call *c, const struct member_routes *s, const struct route_query *want,
    bool like, const struct fact **out)
{
	enum route_match_kind best = ROUTE_MATCH_PATH;
	size_t n = 0;

	if (like)
		best = ROUTE_MATCH_TEXT;
	for (size_t i = 0; i < s->n; i++) {
		enum route_match_kind how = route_query_match(want, s->v[i], c->a);
		if (how > best)
			continue;
		if (how < best)
			n = 0;
		best = how;
		out[n++] = s->v[i];
	}
	return n;
}

/* ---- route_map ---- */

static void map_route(struct call *c, const struct consumers *k, const char *repo_uri,
    const struct fact *f, struct mapped_route *out)
{
	struct route_row row = row_of(f);
	struct cross_end_list ends = { 0 };

	consumers_add_external(c, k, repo_uri, &row, 1, &ends);
	consumers_add_internal(c, k, repo_uri, &row, 1, &ends);
	consumers_sort_unique(&ends);
	*out = (struct mapped_route){
		.kind = f->kind,
		.method = f->method,
		.path = f->path,
		.framework = f->framework,
		.handler = f->symbol,
		.file = f->file,
		.line = f->line,
		.end_line = f->end_line,
		.scope = f->scope,
	};
	out->consumers.v = ends.v;
	out->consumers.n = ends.n;
}

static int put_page(struct call *c, const struct member_routes *s, const struct consumers *k)
{
	const struct route_map_in *in = c->in;
	struct route_map_out *out = c->out;
	const struct route_query want = route_query_parse(in->route, in->method, c->a);
	const struct fact **v = arena_many(c->a, s->n, const struct fact *);
	const char *graph_hash = NULL;
	size_t from;

	if (s->stamp)
		graph_hash = s->stamp->graph_hash;
	const char *list = cursor_fingerprint(c->tool->in, in, graph_hash, c->a);
	if (cursor_read(in->cursor, list, &from, &c->e))
		return -1;
	out->total = choose(c, s, &want, true, v);
	out->routes.v = arena_many(c->a, in->limit, struct mapped_route);
	for (size_t i = from; i < out->total && out->routes.n < in->limit; i++)
		map_route(c, k, s->member->repo_uri, v[i], &out->routes.v[out->routes.n++]);
	if (from + out->routes.n < out->total)
		out->next_cursor = cursor_make(list, from + out->routes.n, 0, c->a);
	return 0;
}

static void mapped(struct call *c, struct consumers *k)
{
	struct route_map_out *out = c->out;
	const struct member_routes *s = c->state;

	out->repo_uri = s->member->repo_uri;
	out->freshness = (struct freshness *)s->stamp;
	out->reasons = k->reasons;
	consumers_note_partial(c, k);
	if (!k->grouped) {
		out->reasons.v = arena_one(c->a, const char *);
		out->reasons.v[0] = no_group;
		out->reasons.n = 1;
	}
	if (!c->e.code)
		put_page(c, s, k);
	call_end(c);
}

static void map_served(struct call *c, struct member_routes *s)
{
	if (c->e.code) {
		call_end(c);
		return;
	}
	c->state = s;
	consumers_load(c, s->member, false, mapped);
}

void tool_route_map(struct call *c)
{
	const struct route_map_in *in = c->in;
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	if (m)
		served_routes_load(c, m, map_served);
	else
		call_end(c);
}

/* ---- api_impact ---- */

struct api_impact_call {
	struct list_pages *pages;
	const struct member_routes *served;
};

static void fill_impact_risk(struct call *c, const struct cross_repo_impact *x,
    const struct consumers *k, const char *repo_uri)
{
	struct api_impact_out *out = c->out;
	const char *unknown = consumers_unknown_uses(c, k, repo_uri);
	uint64_t affected = 0;

	for (size_t i = 0; i < out->consumers.n; i++)
		out->direct += out->consumers.v[i].depth == 1;
	for (size_t i = 0; i < x->repos.n; i++)
		affected += x->repos.v[i].affected;
	out->affected = affected;
	out->risk = impact_risk_level(&(struct impact_size){
	    affected + out->consumers.n, out->direct, out->routes.n, x->repos.n });
	out->reasons.v = arena_many(c->a, x->reasons.n + 1, const char *);
	for (size_t i = 0; i < x->reasons.n; i++)
		out->reasons.v[out->reasons.n++] = x->reasons.v[i];
	if (unknown)	/* a client of the route may be among the packages */
		out->reasons.v[out->reasons.n++] = unknown;
	out->epistemic = "verdict";
	if (out->reasons.n)
		out->epistemic = "lower-bound";
}

static void with_cross_repo(struct call *c, struct cross_repo_impact *x, const struct consumers *k)
{
	struct api_impact_out *out = c->out;
	const struct api_impact_call *y = c->state;
	const struct member_routes *s = y->served;

	for (size_t i = 0; i < out->routes.n && !c->e.code; i++)
		consumers_add_internal(c, k, s->member->repo_uri, &out->routes.v[i], 1, &x->ends);
	consumers_sort_unique(&x->ends);
	out->consumers.v = x->ends.v;
	out->consumers.n = x->ends.n;
	out->repos.v = x->repos.v;
	out->repos.n = x->repos.n;
	out->freshness = (struct freshness *)s->stamp;
	fill_impact_risk(c, x, k, s->member->repo_uri);
	if (!c->e.code)
		out->next_cursor = list_pages_next(
		    c, y->pages, s->stamp, false, x->stopped, c->o->search_deadline_ms);
	call_end(c);
}

static int no_route(struct call *c, const struct member_routes *s)
{
	const struct api_impact_in *in = c->in;

	err_set(&c->e, ERR_NOT_FOUND, "%s serves no route `%.80s`", s->member->name, in->route);
	return err_hint(&c->e, "Call route_map to see the routes that it serves.");
}

static void impact_served(struct call *c, struct member_routes *s)
{
	const struct api_impact_in *in = c->in;
	struct api_impact_out *out = c->out;
	struct api_impact_call *y = c->state;

	y->served = s;
	if (!c->e.code)
		list_pages_check(c, y->pages, s->stamp);
	if (!c->e.code) {
		const struct route_query want = route_query_parse(in->route, in->method, c->a);
		const struct fact **v = arena_many(c->a, s->n, const struct fact *);
		out->routes.n = choose(c, s, &want, false, v);
		out->routes.v = arena_many(c->a, out->routes.n, struct route_row);
		for (size_t i = 0; i < out->routes.n; i++)
			out->routes.v[i] = row_of(v[i]);
	}
	if (!c->e.code && !out->routes.n)
		no_route(c, s);
	if (c->e.code)
		call_end(c);
	else
		cross_repo_impact_run(c, s->member,
		    &(struct impact_start){ .routes = out->routes.v, .nroutes = out->routes.n }, in->depth,
		    in->min_confidence, list_pages_ms(y->pages, c->o->search_deadline_ms), with_cross_repo);
}

void tool_api_impact(struct call *c)
{
	const struct api_impact_in *in = c->in;
	struct member *m = resolve_repo(c, in->repo, in->repo_uri);

	if (!m) {
		call_end(c);
		return;
	}
	struct api_impact_call *y = arena_one(c->a, struct api_impact_call);
	y->pages = list_pages_open(c, in->cursor, m);
	c->state = y;
	served_routes_load(c, m, impact_served);
}
