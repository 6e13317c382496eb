#include "coordinator/contracts/cross_repo_impact.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/fanout.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"

enum {
	HOPS = 4,
	REASONS = 40,
	CALL_SITES_MAX = 200,
	AFFECTED = 200	/* definitions of a level whose uses in other repositories are asked for */
};

struct impact_traversal {
	struct cross_repo_impact *out;
	const struct consumers *k;
	struct member *origin;
	struct impact_start start;
	uint64_t depth;
	double min;
	int ms;			/* time limit of a request */
	int hops;
	/* of this hop */
	struct { struct member *m; struct impact_req *q; uint64_t nearest; } *asked;
	size_t nasked;
	/* repositories whose affected definitions others may use: those of the last hop */
	struct {
		struct member *m;
		struct used_definition *v;
		size_t n;
	} * reached;
	size_t nreached, next_reached;
	size_t from, end;		/* the ends that the hop asked about; the next begin there */
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
	if (definition_uses_possible(x->k, m->repo_uri))
		q->limit = AFFECTED;
	x->asked[x->nasked].m = m;
	x->asked[x->nasked].nearest = e->depth;
	x->asked[x->nasked++].q = q;
	return q;
}

static void hop(struct call *, struct impact_traversal *, size_t from);

size_t impact_definitions(struct call *c, const struct level *v, size_t nlevels, uint64_t depth,
    struct used_definition **out)
{
	size_t n = 0, most = 1;

	for (size_t i = 0; i < nlevels; i++)
		most += v[i].affected.n;
	*out = arena_many(c->a, most, struct used_definition);
	for (size_t i = 0; i < nlevels; i++)
		for (size_t k = 0; k < v[i].affected.n; k++) {
			const struct related *r = &v[i].affected.v[k];
			if (!r->test && strcmp(r->kind, "file"))
				(*out)[n++] = (struct used_definition){ r->path, r->qualified, depth + v[i].depth };
		}
	return n;
}

static void add_definition_uses(
    struct call *c, struct impact_traversal *x, const struct definition_uses *u)
{
	x->out->stopped |= u->late;
	for (size_t i = 0; i < u->reasons.n; i++)
		add_reason(x, u->reasons.v[i]);
	for (size_t i = 0; i < u->ends.n; i++)
		consumers_add_end(c, &x->out->ends, u->ends.v[i]);
}

static void follow_next_reached(struct call *, struct impact_traversal *);

static void with_definition_uses(struct call *c, struct definition_uses *u)
{
	struct impact_traversal *x = c->state;

	add_definition_uses(c, x, u);
	follow_next_reached(c, x);
}

/* Ask for the uses of the definitions that the last hop reached, one repository after another. */
static void follow_next_reached(struct call *c, struct impact_traversal *x)
{
	if (x->next_reached == x->nreached) {
		hop(c, x, x->end);
		return;
	}
	size_t i = x->next_reached++;
	c->state = x;
	definition_uses_find(c, x->reached[i].m, x->k,
	    &(struct uses_question){ .v = x->reached[i].v, .n = x->reached[i].n, .ms = x->ms },
	    with_definition_uses);
}

/* The definitions of a repository that are ends of the hop, at the beginning of `out`. */
static size_t end_definitions(struct call *c, const struct impact_traversal *x,
    const char *repo_uri, struct used_definition *out)
{
	size_t n = 0;

	for (size_t i = x->from; i < x->end; i++) {
		const struct cross_end *e = &x->out->ends.v[i];
		const char *name = e->symbol ? strchr(e->symbol, '#') : NULL;
		if (name && !strcmp(e->repo_uri, repo_uri))
			out[n++] = (struct used_definition){ e->path, arena_str(c->a, name + 1), e->depth };
	}
	return n;
}

/* Note what others may use of a repository: the ends of the hop, and what depends on them. */
static void reach(struct call *c, struct impact_traversal *x, struct member *m,
    const struct impact_res *r, uint64_t depth)
{
	struct used_definition *v, *affected;
	size_t n, naffected;

	if (!definition_uses_possible(x->k, m->repo_uri))
		return;
	naffected = impact_definitions(c, r->by_depth.v, r->by_depth.n, depth, &affected);
	v = arena_many(c->a, naffected + x->end - x->from + 1, struct used_definition);
	n = end_definitions(c, x, m->repo_uri, v);
	if (naffected)
		memcpy(v + n, affected, naffected * sizeof *v);
	n += naffected;
	if (!n)
		return;
	x->reached[x->nreached].m = m;
	x->reached[x->nreached].v = v;
	x->reached[x->nreached++].n = n;
}

static void with_reach(struct call *c, struct fanout *f)
{
	struct impact_traversal *x = c->state;

	x->nreached = x->next_reached = 0;
	x->reached = arena_get(c->a, f->n + 1, sizeof *x->reached);

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
		reach(c, x, f->v[i].member, r, x->asked[i].nearest);
	}
	follow_next_reached(c, x);
}

/* Ask the repositories of the ends, starting with the end `from`, what depends on those ends. */
static void hop(struct call *c, struct impact_traversal *x, size_t from)
{
	struct cross_end_list *l = &x->out->ends;
	size_t end = l->n;

	x->from = from;
	x->end = end;
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

static void begin_routes(struct call *c, struct impact_traversal *x)
{
	const struct consumers *k = x->k;

	for (size_t i = 0; i < x->start.nroutes; i++)
		consumers_add_external(c, k, x->origin->repo_uri, &x->start.routes[i],
		    x->start.routes[i].depth + 1, &x->out->ends);
	consumers_note_partial(c, k);
	if (!k->grouped)
		add_reason(
		    x, "the repository is in no group, so calls from other repositories are not known");
}

static void with_own_uses(struct call *c, struct definition_uses *u)
{
	struct impact_traversal *x = c->state;

	add_definition_uses(c, x, u);
	hop(c, x, 0);
}

static void begin(struct call *c, struct consumers *k)
{
	struct impact_traversal *x = c->state;

	bool others_matter = x->start.nroutes || x->start.ndefinitions;

	x->k = k;
	for (size_t i = 0; others_matter && i < k->reasons.n; i++)
		add_reason(x, k->reasons.v[i]);
	if (x->start.nroutes)
		begin_routes(c, x);
	if (x->start.ndefinitions)
		definition_uses_find(c, x->origin, k,
		    &(struct uses_question){
		        .v = x->start.definitions, .n = x->start.ndefinitions, .ms = x->ms },
		    with_own_uses);
	else
		hop(c, x, 0);
}

void cross_repo_impact_run(struct call *c, struct member *m, const struct impact_start *start,
    uint64_t depth, double min_confidence, int ms,
    void (*then)(struct call *, struct cross_repo_impact *, const struct consumers *))
{
	struct impact_traversal *x = arena_one(c->a, struct impact_traversal);

	*x = (struct impact_traversal){
		.out = arena_one(c->a, struct cross_repo_impact),
		.origin = m,
		.start = *start,
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
