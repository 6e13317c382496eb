#include "coordinator/contracts/cross_repo_impact.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/base/options.h"
#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

enum { HOPS = 4, REASONS = 40, SPOTS = 200 };

struct cross {
	struct crossing *out;
	const struct consumers *k;
	struct member *origin;
	const struct route_row *routes;
	size_t nroutes;
	uint64_t depth;
	double min;
	int hops;
	struct { struct member *m; struct impact_req *q; uint64_t nearest; } *asked;	/* of this hop */
	size_t nasked;
	void (*then)(struct call *, struct crossing *, const struct consumers *);
	void *state;
};

static void say(struct cross *x, const char *reason)
{
	if (x->out->reasons.n < REASONS)
		x->out->reasons.v[x->out->reasons.n++] = reason;
}

static int by_repo(const void *a, const void *b)
{
	return strcmp(((const struct repo_reach *)a)->repo_uri, ((const struct repo_reach *)b)->repo_uri);
}

static struct repo_reach *reach_of(struct call *c, struct crossing *out, const char *repo_uri)
{
	for (size_t i = 0; i < out->repos.n; i++)
		if (!strcmp(out->repos.v[i].repo_uri, repo_uri))
			return &out->repos.v[i];
	if (out->repos.n == out->repos.cap) {
		struct repo_reach *v = arena_many(c->a, out->repos.cap * 2 + 8, struct repo_reach);
		if (out->repos.n)
			memcpy(v, out->repos.v, out->repos.n * sizeof *v);
		out->repos.cap = out->repos.cap * 2 + 8;
		out->repos.v = v;
	}
	out->repos.v[out->repos.n] = (struct repo_reach){ .repo_uri = repo_uri };
	return &out->repos.v[out->repos.n++];
}

static void finish(struct call *c, struct cross *x)
{
	struct crossing *out = x->out;

	consumers_tidy(&out->ends);
	for (size_t i = 0; i < out->ends.n; i++)
		reach_of(c, out, out->ends.v[i].repo_uri)->consumers++;
	if (out->repos.n)
		qsort(out->repos.v, out->repos.n, sizeof *out->repos.v, by_repo);
	c->state = x->state;
	x->then(c, out, x->k);
}

/* ---- one hop ---- */

static bool known(const struct cross_list *l, size_t n, const struct cross_end *e)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(l->v[i].repo_uri, e->repo_uri) && !strcmp(l->v[i].path, e->path) &&
		    l->v[i].start_line == e->start_line)
			return true;
	return false;
}

/* The request to the end's repository, made with the first end there. */
static struct impact_req *request(struct call *c, struct cross *x, const struct cross_end *e)
{
	struct member *m = members_get(c->members, c->caller, e->repo_uri);

	if (!m || m == x->origin)
		return NULL;
	for (size_t i = 0; i < x->nasked; i++)
		if (x->asked[i].m == m) {
			if (e->depth < x->asked[i].nearest)
				x->asked[i].nearest = e->depth;
			return x->asked[i].q;
		}
	struct impact_req *q = arena_one(c->a, struct impact_req);
	q->spots.v = arena_many(c->a, SPOTS, struct position);
	q->min_confidence = x->min;
	q->limit = 1;
	x->asked[x->nasked].m = m;
	x->asked[x->nasked].nearest = e->depth;
	x->asked[x->nasked++].q = q;
	return q;
}

static void hop(struct call *, struct cross *, size_t from);

static void with_reach(struct call *c, struct fanout *f)
{
	struct cross *x = c->state;
	size_t from = x->out->ends.n;

	for (size_t i = 0; i < f->n; i++) {
		const struct asked *k = &f->v[i];
		const struct impact_res *r = k->res;
		if (k->e.code) {
			say(x, arena_printf(c->a, "what depends on the consumers in %s is not known: %s", k->member->repo_uri,
			    k->e.msg));
			continue;
		}
		if (r->reach)
			reach_of(c, x->out, k->member->repo_uri)->affected += r->reach->affected;
		for (size_t j = 0; j < r->reasons.n; j++)
			say(x, arena_printf(c->a, "%s: %s", k->member->repo_uri, r->reasons.v[j]));
		for (size_t j = 0; j < r->routes.n; j++)
			consumers_of(c, x->k, k->member->repo_uri, &r->routes.v[j],
			    x->asked[i].nearest + r->routes.v[j].depth + 1, &x->out->ends);
	}
	hop(c, x, from);
}

/* Ask the repositories of the ends from `from` on what depends on these. */
static void hop(struct call *c, struct cross *x, size_t from)
{
	struct cross_list *l = &x->out->ends;
	size_t end = l->n;

	x->nasked = 0;
	x->asked = arena_get(c->a, end - from + 1, sizeof *x->asked);
	for (size_t i = from; i < end && x->hops < HOPS; i++) {
		struct impact_req *q = l->v[i].depth < x->depth && !known(l, i, &l->v[i]) ? request(c, x, &l->v[i]) : NULL;
		if (q && q->spots.n < SPOTS)
			q->spots.v[q->spots.n++] = (struct position){ l->v[i].path, l->v[i].start_line };
	}
	if (!x->nasked) {
		finish(c, x);
		return;
	}
	struct member **m = arena_many(c->a, x->nasked, struct member *);
	const void **reqs = arena_many(c->a, x->nasked, const void *);
	for (size_t i = 0; i < x->nasked; i++) {
		x->asked[i].q->depth = x->depth - x->asked[i].nearest;
		m[i] = x->asked[i].m;
		reqs[i] = x->asked[i].q;
	}
	x->hops++;
	c->state = x;
	fanout(c, m, x->nasked, RPC_impact, NULL, reqs, (int)c->o->search_deadline_ms, with_reach);
}

static void begin(struct call *c, struct consumers *k)
{
	struct cross *x = c->state;

	x->k = k;
	for (size_t i = 0; i < k->reasons.n && x->nroutes; i++)
		say(x, k->reasons.v[i]);
	for (size_t i = 0; i < x->nroutes; i++)
		consumers_of(c, k, x->origin->repo_uri, &x->routes[i], x->routes[i].depth + 1, &x->out->ends);
	if (!k->grouped && x->nroutes)
		say(x, "the repository is in no group, so nobody else's calls of its routes are known");
	hop(c, x, 0);
}

void crossing_run(struct call *c, struct member *m, const struct route_row *routes, size_t n, uint64_t depth,
    double min_confidence, void (*then)(struct call *, struct crossing *, const struct consumers *))
{
	struct cross *x = arena_one(c->a, struct cross);

	*x = (struct cross){ .out = arena_one(c->a, struct crossing), .origin = m, .routes = routes, .nroutes = n,
		.depth = depth, .min = min_confidence, .then = then, .state = c->state };
	x->out->reasons.v = arena_many(c->a, REASONS, const char *);
	c->state = x;
	consumers_load(c, m, true, begin);
}
