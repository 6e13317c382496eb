/*
 * detect_changes: what a range of commits or a diff touches, and what depends on that, in other
 * repositories too.
 */
#include <stdlib.h>
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
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

enum { DEPTH = 3 };	/* edges to follow from each symbol */
static const double min_confidence = 0.5;

enum { SYMBOLS = 1 };	/* the number of the list that has pages */

struct changes_call {
	struct list_pages *pages;
	const struct fanout_reply *asked;
};

/* How many other repositories call any of these routes. */
static uint64_t callers_of(struct call *c, const struct consumers *k, const char *repo_uri,
    const struct route_row *v, size_t n)
{
	struct cross_end_list ends = { 0 };
	uint64_t repos = 0;

	for (size_t i = 0; i < n; i++)
		consumers_add_external(c, k, repo_uri, &v[i], 1, &ends);
	for (size_t i = 0; i < ends.n; i++) {
		size_t j = 0;
		while (j < i && strcmp(ends.v[j].repo_uri, ends.v[i].repo_uri))
			j++;
		if (j == i)
			repos++;
	}
	return repos;
}

/* Negative if the first risk is the higher one. */
static int compare_risks(const char *a, const char *b)
{
	if (!strcmp(a, b))
		return 0;
	if (impact_risk_max(a, b) == a)
		return -1;
	return 1;
}

/* Tests last, the highest risk first, then in the order of the source. */
static int by_risk(const void *a, const void *b)
{
	const struct touched *x = a, *y = b;
	int c = x->test - y->test;

	if (!c)
		c = compare_risks(x->risk, y->risk);
	if (!c)
		c = strcmp(x->path, y->path);
	if (!c)
		c = compare_numbers(x->start_line, y->start_line);
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

static void raise_risk(struct detect_changes_out *out, const char *risk)
{
	out->max_risk = impact_risk_max(out->max_risk, risk);
}

/* The routes that the change reaches, and the changed definitions, by the names that others know. */
static struct impact_start changed(struct call *c, const struct changes_res *r)
{
	struct impact_start s = { .routes = r->routes.v, .nroutes = r->routes.n };
	struct used_definition *v = arena_many(c->a, r->symbols.n + 1, struct used_definition);

	for (size_t i = 0; i < r->symbols.n; i++) {
		const struct changed_symbol *y = &r->symbols.v[i];
		if (y->test || !strcmp(y->kind, "file") || !strcmp(y->change, "added"))
			continue;
		v[s.ndefinitions++] = (struct used_definition){ y->path,
			text_is_set(y->was) ? y->was : y->qualified, 0 };
	}
	s.definitions = v;
	return s;
}

static void put_impact(struct call *c, const struct fanout_reply *asked,
    struct cross_repo_impact *x, const struct consumers *k)
{
	struct detect_changes_out *out = c->out;
	const struct changes_res *r = asked->res;

	out->cross_repo.v = x->ends.v;
	out->cross_repo.n = x->ends.n;
	put_symbols(c, r, asked->member->repo_uri, k);
	if (r->reach) {
		struct impact_size size = { r->reach->affected, r->reach->direct, r->routes.n, x->repos.n };
		raise_risk(out, impact_risk_level(&size));
	}
	raise_risk(out, "LOW");
	for (size_t i = 0; i < x->reasons.n; i++)
		out->reasons.v[out->reasons.n++] = x->reasons.v[i];
	out->epistemic = "verdict";
	if (out->reasons.n)
		out->epistemic = "lower-bound";
}

/* Offer the symbols that follow; after the last ones, the reach that more time finds. */
static void put_next_cursor(struct call *c, const struct changes_call *y, bool stopped)
{
	struct detect_changes_out *out = c->out;
	const struct changes_res *r = y->asked->res;
	uint64_t next = r->next;

	if (!next)
		next = r->total_symbols;
	y->pages->starts[SYMBOLS] = (uint32_t)next;
	out->next_cursor = list_pages_next(c, y->pages, y->asked->stamp, r->next > 0,
	    r->stopped || stopped, c->o->contracts_deadline_ms);
}

static void with_cross_repo(struct call *c, struct cross_repo_impact *x, const struct consumers *k)
{
	const struct changes_call *y = c->state;

	if (!c->e.code) {
		put_impact(c, y->asked, x, k);
		put_next_cursor(c, y, x->stopped);
	}
	call_end(c);
}

static void with_changes(struct call *c, struct fanout *f)
{
	struct detect_changes_out *out = c->out;
	struct fanout_reply *k = &f->v[0];
	const struct changes_res *r = k->res;
	struct changes_call *y = c->state;

	if (k->e.code)
		evidence_fail(c, k);
	else
		list_pages_check(c, y->pages, k->stamp);
	if (c->e.code) {
		call_end(c);
		return;
	}
	view_copy(&rec_changes_res, r, &rec_detect_changes_out, out);
	out->reasons.v = arena_many(c->a, r->reasons.n + 64, const char *);
	if (r->reasons.n)
		memcpy(out->reasons.v, r->reasons.v, r->reasons.n * sizeof *r->reasons.v);
	out->freshness = (struct freshness *)k->stamp;
	y->asked = k;
	const struct impact_start start = changed(c, r);
	cross_repo_impact_run(c, k->member, &start, DEPTH, min_confidence,
	    list_pages_ms(y->pages, c->o->search_deadline_ms), with_cross_repo);
}

static int check(struct call *c, const struct detect_changes_in *in)
{
	bool has_range = text_is_set(in->base) || text_is_set(in->head);

	if (text_is_set(in->diff) && has_range)
		return err_set(&c->e, ERR_INVALID_INPUT, "`diff` cannot be combined with `base` or `head`");
	/* an empty diff is an unchanged tree and does not mean the last commit */
	if (in->diff && !*in->diff && !has_range) {
		err_set(&c->e, ERR_INVALID_INPUT, "`diff` is empty: nothing has changed");
		return err_hint(
		    &c->e, "To see what the last commit touches, omit `diff`, `base` and `head`.");
	}
	return 0;
}

void tool_detect_changes(struct call *c)
{
	const struct detect_changes_in *in = c->in;
	struct changes_req *q = arena_one(c->a, struct changes_req);
	struct member **m = arena_one(c->a, struct member *);

	if (!check(c, in))
		*m = resolve_repo(c, in->repo, in->repo_uri);
	if (!*m) {
		call_end(c);
		return;
	}
	struct changes_call *y = arena_one(c->a, struct changes_call);
	y->pages = list_pages_open(c, in->cursor, *m);
	*q = (struct changes_req){ .base = in->base,
		.head = in->head,
		.diff = in->diff,
		.limit = in->limit,
		.from = y->pages->starts[SYMBOLS],
		.pages = true };
	c->state = y;
	fanout(c, m, 1, RPC_changes, q, NULL, list_pages_ms(y->pages, c->o->contracts_deadline_ms),
	    with_changes);
}
