#include "coordinator/contracts/cross_repo_impact.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

enum { HOPS = 4, REASONS = 40, CALL_SITES_MAX = 200 };

struct impact_traversal {
	struct cross_repo_impact *out;
	const struct consumers *k;
	struct member *origin;
	const struct route_row *routes;
	size_t nroutes;
	uint64_t depth;
	double min;
	int ms;			/* time limit of a request */
	int hops;
	/* of this hop */
	struct { struct member *m; struct impact_req *q; uint64_t nearest; } *asked;
	size_t nasked;
	void (*then)(struct call *, struct cross_repo_impact *, const struct consumers *);
	void *state;
};

static void add_reason(struct impact_traversal *x, const char *reason)
{
	if (x->out->reasons.n < REASONS)
		x->out->reasons.v[x->out->reasons.n++] = reason;
}

static int by_repo(const void *a, const void *b)
{
	return strcmp(
	    ((const struct repo_reach *)a)->repo_uri, ((const struct repo_reach *)b)->repo_uri);
}

static struct repo_reach *reach_of(
    struct call *c, struct cross_repo_impact *out, const char *repo_uri)
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

static void finish(struct call *c, struct impact_traversal *x)
{
	struct cross_repo_impact *out = x->out;

	consumers_sort_unique(&out->ends);
	for (size_t i = 0; i < out->ends.n; i++)
		reach_of(c, out, out->ends.v[i].repo_uri)->consumers++;
	if (out->repos.n)
		qsort(out->repos.v, out->repos.n, sizeof *out->repos.v, by_repo);
	c->state = x->state;
	x->then(c, out, x->k);
}

/* ---- one hop ---- */

static bool is_known(const struct cross_end_list *l, size_t n, const struct cross_end *e)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(l->v[i].repo_uri, e->repo_uri) && !strcmp(l->v[i].path, e->path) &&
		    l->v[i].start_line == e->start_line)
			return true;
	return false;
}

/* The request to the end's repository, created for its first end; NULL if it is not asked. */
static struct impact_req *request(
    struct call *c, struct impact_traversal *x, const struct cross_end *e)
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
	q->spots.v = arena_many(c->a, CALL_SITES_MAX, struct position);
	q->min_confidence = x->min;
	q->limit = 1;
	x->asked[x->nasked].m = m;
	x->asked[x->nasked].nearest = e->depth;
	x->asked[x->nasked++].q = q;
	return q;
}

static void hop(struct call *, struct impact_traversal *, size_t from);

static void with_reach(struct call *c, struct fanout *f)
{
	struct impact_traversal *x = c->state;
	size_t from = x->out->ends.n;

	for (size_t i = 0; i < f->n; i++) {
		const struct fanout_reply *k = &f->v[i];
		const struct impact_res *r = k->res;
		x->out->stopped |= k->late;
		if (k->e.code) {
			add_reason(x,
			    arena_printf(c->a, "what depends on the consumers in %s is not known: %s",
			        k->member->repo_uri, k->e.msg));
			continue;
		}
		if (r->reach)
			reach_of(c, x->out, k->member->repo_uri)->affected += r->reach->affected;
		x->out->stopped |= r->stopped;
		for (size_t j = 0; j < r->reasons.n; j++)
			add_reason(x, arena_printf(c->a, "%s: %s", k->member->repo_uri, r->reasons.v[j]));
		for (size_t j = 0; j < r->routes.n; j++)
			consumers_add_external(c, x->k, k->member->repo_uri, &r->routes.v[j],
			    x->asked[i].nearest + r->routes.v[j].depth + 1, &x->out->ends);
	}
	hop(c, x, from);
}

/* Ask the repositories of the ends, starting with the end `from`, what depends on those ends. */
static void hop(struct call *c, struct impact_traversal *x, size_t from)
{
	struct cross_end_list *l = &x->out->ends;
	size_t end = l->n;

	x->nasked = 0;
	x->asked = arena_get(c->a, end - from + 1, sizeof *x->asked);
	for (size_t i = from; i < end && x->hops < HOPS; i++) {
		struct impact_req *q = NULL;
		if (l->v[i].depth < x->depth && !is_known(l, i, &l->v[i]))
			q = request(c, x, &l->v[i]);
		if (q && q->spots.n < CALL_SITES_MAX)
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
	fanout(c, m, x->nasked, RPC_impact, NULL, reqs, x->ms, with_reach);
}

static void begin(struct call *c, struct consumers *k)
{
	struct impact_traversal *x = c->state;

	x->k = k;
	for (size_t i = 0; i < k->reasons.n && x->nroutes; i++)
		add_reason(x, k->reasons.v[i]);
	for (size_t i = 0; i < x->nroutes; i++)
		consumers_add_external(
		    c, k, x->origin->repo_uri, &x->routes[i], x->routes[i].depth + 1, &x->out->ends);
	if (x->nroutes)
		consumers_note_partial(c, k);
	if (!k->grouped && x->nroutes)
		add_reason(
		    x, "the repository is in no group, so calls from other repositories are not known");
	hop(c, x, 0);
}

void cross_repo_impact_run(struct call *c, struct member *m, const struct route_row *routes,
    size_t n, uint64_t depth, double min_confidence, int ms,
    void (*then)(struct call *, struct cross_repo_impact *, const struct consumers *))
{
	struct impact_traversal *x = arena_one(c->a, struct impact_traversal);

	*x = (struct impact_traversal){
		.out = arena_one(c->a, struct cross_repo_impact),
		.origin = m,
		.routes = routes,
		.nroutes = n,
		.depth = depth,
		.min = min_confidence,
		.ms = ms,
		.then = then,
		.state = c->state,
	};
	x->out->reasons.v = arena_many(c->a, REASONS, const char *);
	c->state = x;
	consumers_load(c, m, true, begin);
}
