/* Turns a call and its targets into rows of the three lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/link_evidence.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

/* A confidence is a number of thousandths: what answers show is what `min_confidence` compares. */
enum { CONFIDENCE_STEPS = 1000 };

struct end *match_end_of(const struct match_member *m, const struct fact *f, struct end *e)
{
	*e = (struct end){ m->repo_uri, f->file, f->line, f->end_line, f->symbol, f->method, f->path,
		f->framework, f->partial };
	return e;
}

/* The targets of a call in one repository. */
static size_t count_in_repository(const struct call_site *s, size_t member)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].p->member == member;
	return n;
}

double match_confidence(
    const struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	struct link_evidence e = link_evidence_of(w, s, t);
	double c = link_evidence_probability(&e);

	if (e.has[EVIDENCE_one_of_several])
		c = MIN(c, 1 / (double)s->repos);
	if (e.has[EVIDENCE_any_method])
		c /= (double)count_in_repository(s, t->p->member);
	return round(c * CONFIDENCE_STEPS) / CONFIDENCE_STEPS;
}

/* ---- the three lists ---- */

static void add_contract(
    struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	struct match_result *o = w->out;
	const struct fact *call = s->fact, *route = t->p->fact;
	struct link_evidence e = link_evidence_of(w, s, t);
	struct contract row = {
		.kind = call->kind,
		.method = route->method,
		.path = route->path,
		.producer = match_end_of(&w->m[t->p->member], route, arena_one(w->a, struct end)),
		.consumer = match_end_of(&w->m[s->member], call, arena_one(w->a, struct end)),
		.cross_repo = t->p->member != s->member,
		.ambiguous = e.has[EVIDENCE_one_of_several],
		.confidence = match_confidence(w, s, t),
		.scope = text_or(call->scope, route->scope),
	};

	if (match_text_equal(route->method, "ANY"))
		row.method = call->method;
	link_evidence_explain(w, s, t, &e, &row);
	t->p->used = true;
	o->contracts.v = grow(o->contracts.v, &o->contracts.cap, o->contracts.n + 1, sizeof row);
	o->contracts.v[o->contracts.n++] = row;
}

void match_idle(struct match_context *w)
{
	struct match_result *o = w->out;

	for (size_t i = 0; i < w->nproviders; i++) {
		const struct provider *p = &w->providers[i];
		if (p->used)
			continue;
		o->idle.v = grow(o->idle.v, &o->idle.cap, o->idle.n + 1, sizeof *o->idle.v);
		o->idle.v[o->idle.n++] = (struct idle_producer){ p->fact->kind,
			match_end_of(&w->m[p->member], p->fact, arena_one(w->a, struct end)) };
	}
}

static int by_provider(const void *a, const void *b)
{
	const struct match_target *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

void match_rows(struct match_context *w, struct call_site *s)
{
	bool linked = false;

	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_provider);
	for (size_t i = 0; i < s->n; i++) {
		if (match_confidence(w, s, &s->v[i]) < w->least)
			continue;
		add_contract(w, s, &s->v[i]);
		linked = true;
	}
	if (!linked)
		match_add_unresolved(w, s);
}
