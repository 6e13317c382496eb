#include "coordinator/calls/partial_answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/gaps.h"

enum { FILES = 1 << GAP_FILES, HISTORY = 1 << GAP_HISTORY, LIMIT = 1 << GAP_LIMIT };

/*
 * The gaps on which an answer to the RPC can depend, and those that a note mentions although the
 * answer counts as complete.  A file or snippet is read by its name.
 */
static const struct { unsigned depends, mentions;
} gaps_of[NRPCS] = {
	[RPC_search] = { FILES, HISTORY | LIMIT }, /* subjects of commits only help to rank code */
	[RPC_symbol] = { FILES, LIMIT },
	[RPC_file_map] = { FILES, LIMIT },
	[RPC_context] = { FILES, HISTORY | LIMIT }, /* its owners are an extra */
	[RPC_impact] = { FILES, LIMIT },
	[RPC_signature] = { FILES, LIMIT },
	[RPC_changes] = { FILES, LIMIT },
	[RPC_contracts] = { FILES, LIMIT },
	[RPC_uses] = { FILES, LIMIT },
	[RPC_references] = { FILES, LIMIT },
	[RPC_exports] = { FILES, LIMIT },
	[RPC_grep] = { FILES, LIMIT },
	[RPC_grep_query] = { FILES, LIMIT },
	[RPC_owners] = { HISTORY, 0 },
};

/* A member of which the answer may lack something. */
struct partial_member {
	const struct member *m;
	const struct freshness *stamp;	/* NULL: its request failed */
	unsigned depends, mentions;
	struct partial_member *next;
};

void partial_note(
    struct call *c, const struct member *m, const struct freshness *stamp, enum rpc_id rpc)
{
	struct partial_member *p = c->partial;

	if (!gaps_of[rpc].depends)
		return;
	while (p && p->m != m)
		p = p->next;
	if (!p) {
		p = arena_one(c->a, struct partial_member);
		p->m = m;
		p->next = c->partial;
		c->partial = p;
	}
	if (stamp)
		p->stamp = stamp;
	p->depends |= gaps_of[rpc].depends;
	p->mentions |= gaps_of[rpc].mentions;
}

/* ---- the fields of an answer ---- */

static const struct field *find_field(const struct record *r, const char *name, enum type type)
{
	for (size_t i = 0; i < r->nfields; i++)
		if (r->fields[i].type == type && !strcmp(r->fields[i].name, name))
			return &r->fields[i];
	return NULL;
}

static void *value_of(struct call *c, const char *name, enum type type)
{
	const struct field *f = find_field(c->tool->out, name, type);

	if (!f)
		return NULL;
	return (char *)c->out + f->off;
}

static struct coverage **coverage_of(struct call *c)
{
	const struct field *f = find_field(c->tool->out, "coverage", T_sub);

	if (!f || f->of != &rec_coverage)
		return NULL;
	return (struct coverage **)(void *)((char *)c->out + f->off);
}

void partial_begin(struct call *c)
{
	const struct field *f = find_field(c->tool->out, "coverage", T_sub);
	t_flag *complete = value_of(c, "complete", T_flag);

	if (f && complete)
		*complete = !f->rule.must;
}

/* ---- what was noted ---- */

static int by_uri(const void *x, const void *y)
{
	const struct partial_member *const *a = x, *const *b = y;

	return strcmp((*a)->m->repo_uri, (*b)->m->repo_uri);
}

/* The noted members with an answer, by repo_uri. */
static struct partial_member **answered(struct call *c, size_t *n)
{
	struct partial_member **v;
	size_t all = 0;

	for (struct partial_member *p = c->partial; p; p = p->next)
		all++;
	v = arena_many(c->a, all, struct partial_member *);
	*n = 0;
	for (struct partial_member *p = c->partial; p; p = p->next)
		if (p->stamp)
			v[(*n)++] = p;
	qsort(v, *n, sizeof(struct partial_member *), by_uri);
	return v;
}

static bool matters(const struct partial_member *p, const struct gap *g)
{
	return p->depends & 1u << gap_kind(g->cause)->effect;
}

static size_t count_gaps(struct partial_member *const *v, size_t n)
{
	size_t gaps = 0;

	for (size_t i = 0; i < n; i++)
		gaps += v[i]->stamp->gaps.n;
	return gaps;
}

static void put_note(struct call *c, struct coverage *cov, const struct partial_member *p,
    enum gap_effect effect, const char *code)
{
	const char *what = NULL;

	if ((p->depends | p->mentions) & 1u << effect)
		what = gaps_describe(p->stamp, effect, c->a);
	if (what)
		cov->notes.v[cov->notes.n++] = (struct member_note){ p->m->repo_uri, code,
			arena_printf(c->a, "its index lacks %s", what) };
}

/* Notes come after those that the tool has made itself. */
static void put_notes(
    struct call *c, struct coverage *cov, struct partial_member *const *v, size_t n)
{
	struct member_note *own = cov->notes.v;

	cov->notes.v = arena_many(c->a, cov->notes.n + 3 * n, struct member_note);
	if (cov->notes.n)
		memcpy(cov->notes.v, own, cov->notes.n * sizeof *own);
	for (size_t i = 0; i < n; i++) {
		put_note(c, cov, v[i], GAP_FILES, "PARTIAL");
		put_note(c, cov, v[i], GAP_HISTORY, "PARTIAL");
		put_note(c, cov, v[i], GAP_LIMIT, "LIMIT");
	}
}

static void put_partial(struct coverage *cov, const struct partial_member *p)
{
	for (size_t i = 0; i < p->stamp->gaps.n; i++) {
		const struct gap *g = &p->stamp->gaps.v[i];
		if (matters(p, g))
			cov->partial.v[cov->partial.n++] = (struct partial_row){ p->m->repo_uri, g->cause,
				g->number, g->example };
	}
}

/* A tool that says how far its answer can be trusted also says it of its indexes. */
static void lower_bound(struct call *c, const struct coverage *cov)
{
	t_str *epistemic = value_of(c, "epistemic", T_str);
	t_strs *reasons = value_of(c, "reasons", T_strs);

	if (!epistemic || !*epistemic || !reasons || strcmp(*epistemic, "verdict"))
		return;
	*epistemic = "lower-bound";
	reasons->v = arena_many(c->a, cov->notes.n, const char *);
	for (size_t i = 0; i < cov->notes.n; i++)
		if (!strcmp(cov->notes.v[i].code, "PARTIAL"))
			reasons->v[reasons->n++] = arena_printf(
			    c->a, "%s: %s", cov->notes.v[i].repo_uri, cov->notes.v[i].message);
}

/* A tool of one repository shows its coverage only if there is something to say. */
static struct coverage *new_coverage(struct call *c, size_t members)
{
	struct coverage *cov = arena_one(c->a, struct coverage);

	cov->members = cov->answered = members;
	return cov;
}

static void add_to_answer(struct call *c)
{
	struct coverage **at = coverage_of(c), *cov;
	t_flag *complete = value_of(c, "complete", T_flag);
	size_t n;
	struct partial_member **v = answered(c, &n);
	size_t gaps = count_gaps(v, n);

	if (!at || !gaps)
		return;
	cov = *at;
	if (!cov)
		cov = new_coverage(c, n);
	cov->partial.v = arena_many(c->a, gaps, struct partial_row);
	for (size_t i = 0; i < n; i++)
		put_partial(cov, v[i]);
	put_notes(c, cov, v, n);
	if (cov->partial.n && complete)
		*complete = false;
	if (cov->partial.n)
		lower_bound(c, cov);
	if (cov->partial.n || cov->notes.n)
		*at = cov;
}

/* What was searched for may be in what cannot be read. */
static void add_to_hint(struct call *c)
{
	char hint[sizeof c->e.hint];

	for (struct partial_member *p = c->partial; p; p = p->next) {
		struct member_view v;
		if (!p->stamp) {
			members_view(c->members, p->m, &v, c->a);
			p->stamp = v.stamp;
		}
		const char *what = gaps_describe(p->stamp, GAP_FILES, c->a);
		if (!what)
			continue;
		snprintf(hint, sizeof hint, "%s", c->e.hint);
		int n = snprintf(c->e.hint, sizeof c->e.hint, "Its index lacks %s. %s", what, hint);
		if ((size_t)n >= sizeof c->e.hint)	/* a whole sentence is better than two that are cut */
			err_hint(&c->e, "Its index lacks %.150s.", what);
		return;
	}
}

void partial_end(struct call *c)
{
	if (!c->partial)
		return;
	if (!c->e.code)
		add_to_answer(c);
	else if (c->e.code == ERR_NOT_FOUND)
		add_to_hint(c);
}
