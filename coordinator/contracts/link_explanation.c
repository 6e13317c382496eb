#include "coordinator/contracts/link_explanation.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/contracts/matching/failing_step.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

enum {
	CANDIDATES = 3,
	PROBLEMS = 6, /* at most */
	CANDIDATE_RANGE = 8, /* further candidates are not farther than this behind the nearest */
	NEAR = 12, /* calls that have a link elsewhere are mentioned below this distance */
	FAR = 15, /* and those that have none, unless all are farther */
	LINKED_ELSEWHERE = 10, /* distance that such a link counts as, … */
	NAMES_ELSEWHERE = 30, /* and if the call names the place */
	NAMED = 5, /* calls that name the asked repository are not farther than this */
};

/* A call without a link to the asked repository. */
struct open_call {
	struct explained_call call;
	struct near_route near[CANDIDATES];
	size_t n;
	int distance, rank; /* the rank orders the calls */
};

struct explaining {
	const struct link_question *q;
	struct arena *a;
	struct match_trials *t;
	const struct match_context *w;
	size_t from, to; /* SIZE_MAX: any */
	struct match_result rows; /* of all calls of `from` */
	struct gateway_rules gates;
	struct map *by_call; /* struct call_rows */
	struct open_call *open;
	size_t nopen, left_out; /* left_out: those that are far */
	size_t asked; /* calls that fit the question */
	size_t hard_problems; /* those that are certain */
	struct link_explanation *out;
};

/* What the matcher made of one call. */
struct call_rows {
	const struct contract *here, *best; /* the surest link to the asked repository; to any */
	const struct unresolved *row;
};

static bool is_late(struct explaining *x)
{
	if (x->q->deadline_ms && clock_ms() >= x->q->deadline_ms)
		x->out->stopped = true;
	return x->out->stopped;
}

/* ---- the rows of each call ---- */

static const char *key_of(const char *file, uint64_t line, uint64_t end_line, const char *method,
    const char *path, struct arena *a)
{
	return arena_printf(a, "%s:%llu:%llu %s %s", file, (unsigned long long)line,
	    (unsigned long long)end_line, method, path);
}

static struct call_rows *rows_of(struct explaining *x, const struct end *e)
{
	const char *key = key_of(e->file, e->line, e->end_line, e->method, e->path, x->a);
	struct call_rows **at = (struct call_rows **)map_at(x->by_call, key);

	if (!*at)
		*at = arena_one(x->a, struct call_rows);
	return *at;
}

static bool is_target(const struct explaining *x, const struct contract *c)
{
	return x->to == SIZE_MAX || !strcmp(c->producer->repo_uri, x->w->m[x->to].repo_uri);
}

static bool is_surer(const struct contract *c, const struct contract *than)
{
	return !than || c->confidence > than->confidence;
}

static void index_rows(struct explaining *x)
{
	for (size_t i = 0; i < x->rows.contracts.n; i++) {
		const struct contract *c = &x->rows.contracts.v[i];
		struct call_rows *r = rows_of(x, c->consumer);
		if (is_target(x, c) && is_surer(c, r->here))
			r->here = c;
		if (is_surer(c, r->best))
			r->best = c;
	}
	for (size_t i = 0; i < x->rows.unresolved.n; i++) {
		const struct unresolved *u = &x->rows.unresolved.v[i];
		rows_of(x, u->consumer)->row = u;
	}
}

/* ---- which calls are asked for ---- */

static bool is_at(const struct link_question *q, const char *file, uint64_t line, struct arena *a)
{
	if (!strcmp(q->path, file))
		return true;
	return !strcmp(q->path, arena_printf(a, "%s:%llu", file, (unsigned long long)line));
}

/* Whether the question has values where the path of the call has holes, or is a part of it. */
static bool is_like(const struct link_question *q, const char *path, struct arena *a)
{
	const struct path_template asked = path_split(q->path, a), call = path_split(path, a);
	struct path_match f;

	if (strstr(path, q->path))
		return true;
	return asked.n && path_fit(&asked, &call, &f) && !f.level && !f.rest;
}

static bool is_asked(const struct link_question *q, const char *file, uint64_t line,
    const char *method, const char *path, struct arena *a)
{
	bool any = !text_is_set(q->method) || !strcmp(method, "ANY");

	if (!any && strcasecmp(q->method, method))
		return false;
	return !text_is_set(q->path) || is_at(q, file, line, a) || is_like(q, path, a);
}

/* ---- the nearest routes ---- */

/* Insert a route among the nearest ones, behind those that are as near. */
static void keep_near(struct open_call *o, const struct near_route *r)
{
	size_t at = o->n;

	while (at && o->near[at - 1].distance > r->distance)
		at--;
	if (at == CANDIDATES)
		return;
	size_t last = MIN(o->n, CANDIDATES - 1);
	memmove(&o->near[at + 1], &o->near[at], (last - at) * sizeof *o->near);
	o->near[at] = *r;
	o->n = last + 1;
}

static void find_near(const struct explaining *x, struct open_call *o)
{
	size_t first = 0, end = x->w->nproviders;

	if (x->to != SIZE_MAX) {
		first = x->w->first[x->to];
		end = x->w->first[x->to + 1];
	}
	for (size_t i = first; i < end; i++) {
		struct near_route r;
		if (near_route_measure(&o->call, &x->w->providers[i], &x->gates, x->a, &r))
			keep_near(o, &r);
	}
	while (o->n > 1 && o->near[o->n - 1].distance > o->near[0].distance + CANDIDATE_RANGE)
		o->n--;
}

static bool names_member(
    const struct explaining *x, const struct call_site *s, const char *repo_uri)
{
	const struct host_names *h = &s->hint;

	if (s->host_class == HOST_MEMBER)
		h = &s->host;
	for (size_t i = 0; i < h->n; i++)
		if (!strcmp(x->w->m[h->members[i]].repo_uri, repo_uri))
			return true;
	return false;
}

/* The rank in the order of calls: what has a link elsewhere comes behind what has none. */
static int rank_of(const struct explaining *x, const struct open_call *o)
{
	if (!o->call.link)
		return o->distance;
	if (names_member(x, o->call.site, o->call.link->producer->repo_uri))
		return o->distance + NAMES_ELSEWHERE;
	return o->distance + LINKED_ELSEWHERE;
}

static void add_open(struct explaining *x, const struct fact *f, const struct call_rows *rows)
{
	struct open_call *o = &x->open[x->nopen];

	*o = (struct open_call){ .call = explained_call(x->t, x->from, f, x->a) };
	if (rows)
		o->call.link = rows->best;
	if (rows && !rows->best)
		o->call.row = rows->row;
	find_near(x, o);
	if (!o->n)
		return;
	o->distance = o->near[0].distance;
	if (x->q->to && names_member(x, o->call.site, x->q->to))
		o->distance = MIN(o->distance, NAMED);
	o->rank = rank_of(x, o);
	x->nopen++;
}

static void add_contracts(struct explaining *x)
{
	struct link_explanation *out = x->out;

	out->contracts = arena_many(x->a, x->rows.contracts.n, struct contract);
	for (size_t i = 0; i < x->rows.contracts.n; i++) {
		const struct contract *c = &x->rows.contracts.v[i];
		const struct end *e = c->consumer;
		if (is_target(x, c) && is_asked(x->q, e->file, e->line, e->method, e->path, x->a))
			out->contracts[out->ncontracts++] = *c;
	}
}

static void find_open(struct explaining *x)
{
	size_t n;
	const struct fact **v = match_side(&x->w->m[x->from], "consumes", x->a, &n);

	x->open = arena_many(x->a, n, struct open_call);
	for (size_t i = 0; i < n && !is_late(x); i++) {
		const struct fact *f = v[i];
		if (!is_asked(x->q, f->file, f->line, f->method, f->path, x->a))
			continue;
		const struct call_rows *r = map_get(
		    x->by_call, key_of(f->file, f->line, f->end_line, f->method, f->path, x->a));
		x->asked++;
		if (!r || !r->here)
			add_open(x, f, r);
	}
}

/* ---- the nearest calls ---- */

static int by_distance(const void *a, const void *b)
{
	const struct open_call *x = a, *y = b;
	const struct fact *f = x->call.fact, *g = y->call.fact;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	int c = strcmp(f->file, g->file);
	if (!c)
		c = compare_numbers(f->line, g->line);
	if (!c)
		c = strcmp(f->method, g->method);
	if (!c)
		c = strcmp(f->path, g->path);
	return c;
}

/* If the two are linked, a call of which nothing is known is not near. */
static bool is_near(const struct explaining *x, const struct open_call *o)
{
	bool linked = x->out->ncontracts || x->q->joined;

	if (o->call.link || linked)
		return o->distance < NEAR;
	return o->distance < FAR;
}

/* Whether the call is known to go to somebody else. */
static bool goes_elsewhere(const struct open_call *o)
{
	return o->call.link || (o->call.row && !strcmp(o->call.row->reason, "external"));
}

/* Whether a call without a link is near. */
static bool is_any_open_near(const struct explaining *x)
{
	for (size_t i = 0; i < x->nopen; i++)
		if (!x->open[i].call.link && is_near(x, &x->open[i]))
			return true;
	return false;
}

/*
 * Without a question for certain calls, leave out those that are far; but if no call without a link
 * is near, any of them may be the one, unless it is known to go elsewhere.
 */
static void sort_open(struct explaining *x)
{
	bool linked = x->out->ncontracts || x->q->joined, only_near = linked || is_any_open_near(x);
	size_t n = 0;

	if (x->nopen)
		qsort(x->open, x->nopen, sizeof *x->open, by_distance);
	if (text_is_set(x->q->path) || text_is_set(x->q->method))
		return;
	for (size_t i = 0; i < x->nopen; i++) {
		const struct open_call *o = &x->open[i];
		if (is_near(x, o) || (!only_near && !goes_elsewhere(o)))
			x->open[n++] = *o;
	}
	x->left_out = x->nopen - n;
	x->nopen = n;
}

/* ---- rows ---- */

static struct end *end_of(const struct match_member *m, const struct fact *f, struct arena *a)
{
	struct end *e = arena_one(a, struct end);

	*e = (struct end){ m->repo_uri, f->file, f->line, f->end_line, f->symbol, f->method, f->path,
		f->framework, f->partial };
	return e;
}

static void put_candidate(
    struct explaining *x, const struct open_call *o, size_t i, struct link_candidate *out)
{
	const struct provider *p = o->near[i].provider;
	struct step_failure f;

	failing_step(x->t, &o->call, &o->near[i], x->a, &f);
	*out = (struct link_candidate){ .step = link_step_name(f.step),
		.text = f.text,
		.route = end_of(&x->w->m[p->member], p->fact, x->a),
		.at = f.at,
		.atoll_yaml = f.declaration,
		.atoll_yaml_of = f.declared_in };
}

static void put_missing(struct explaining *x, const struct open_call *o, struct missing_link *out)
{
	const struct fact *f = o->call.fact;

	*out = (struct missing_link){
		.kind = f->kind, .call = end_of(&x->w->m[x->from], f, x->a), .host = f->host
	};
	if (o->call.row)
		out->reason = o->call.row->reason;
	if (o->call.link)
		out->goes_to = o->call.link->producer->repo_uri;
	out->candidates.v = arena_many(x->a, o->n, struct link_candidate);
	for (size_t i = 0; i < o->n && !is_late(x); i++)
		put_candidate(x, o, i, &out->candidates.v[out->candidates.n++]);
}

static void put_page(struct explaining *x)
{
	struct link_explanation *out = x->out;
	size_t before = out->ncontracts + x->q->joined, end = x->q->from_row + x->q->limit, first = 0;

	out->all_missing = x->nopen;
	out->missing = arena_many(x->a, x->q->limit, struct missing_link);
	if (x->q->from_row > before)
		first = x->q->from_row - before;
	for (size_t i = first; i < x->nopen && before + i < end && !is_late(x); i++)
		put_missing(x, &x->open[i], &out->missing[out->nmissing++]);
}

/* ---- problems ---- */

static void add_problem(
    struct explaining *x, enum link_step step, const char *repo_uri, const char *text)
{
	x->out->problems[x->out->nproblems++] = (struct link_problem){ link_step_name(step), repo_uri,
		text };
}

/* What the calls are for, if none of them may be for the asked repository. */
static const char *other_calls_text(const struct explaining *x)
{
	const char *name = x->w->m[x->from].name, *to = "others";

	if (x->to != SIZE_MAX)
		to = x->w->m[x->to].name;
	if (x->left_out)
		return arena_printf(x->a,
		    "all that %s sends goes elsewhere, and none of it is like what %s serves", name, to);
	return arena_printf(x->a,
	    "%s sends nothing of the kind (HTTP, gRPC, GraphQL, messages) that %s serves", name, to);
}

static void find_call_problem(struct explaining *x)
{
	const struct match_member *m = &x->w->m[x->from];
	const struct link_question *q = x->q;
	bool sends = x->rows.contracts.n || x->rows.unresolved.n, explained = x->out->nproblems > 0;

	if (q->from_lacks)
		return;
	if (!sends)
		add_problem(x, STEP_NO_CALLS, m->repo_uri,
		    arena_printf(x->a, "%s sends no requests or messages that Atoll finds", m->name));
	else if (!x->asked && !x->out->stopped)
		add_problem(x, STEP_NO_CALLS, m->repo_uri,
		    arena_printf(x->a, "%s sends nothing that Atoll finds like %s%s%s", m->name,
		        text_or_empty(q->method), text_is_set(q->method) ? " " : "",
		        text_or_empty(q->path)));
	else if (!explained && !x->nopen && !x->out->ncontracts && !x->out->stopped)
		add_problem(x, STEP_NO_CALLS, m->repo_uri, other_calls_text(x));
}

static void find_route_problem(struct explaining *x)
{
	if (x->to == SIZE_MAX || x->q->to_lacks)
		return;
	const struct match_member *m = &x->w->m[x->to];
	if (x->w->first[x->to + 1] == x->w->first[x->to])
		add_problem(x, STEP_NO_ROUTES, m->repo_uri,
		    arena_printf(x->a, "%s serves nothing that Atoll finds", m->name));
}

/*
 * Note what is missing on either side.  That an index is behind comes last: it may be why, but what
 * differs in it is known.
 */
static void find_problems(struct explaining *x)
{
	const struct link_question *q = x->q;

	if (q->from_lacks)
		add_problem(x, STEP_NOT_INDEXED, q->from, q->from_lacks);
	if (q->to_lacks)
		add_problem(x, STEP_NOT_INDEXED, q->to, q->to_lacks);
	find_route_problem(x);
	find_call_problem(x);
	x->hard_problems = x->out->nproblems;
	if (q->from_stale)
		add_problem(x, STEP_NOT_INDEXED, q->from, q->from_stale);
	if (q->to_stale)
		add_problem(x, STEP_NOT_INDEXED, q->to, q->to_stale);
}

/* ---- the answer in words ---- */

static const char *count_text(size_t n, const char *one, struct arena *a)
{
	return arena_printf(a, "%zu %s%s", n, one, n == 1 ? "" : "s");
}

static const char *linked_text(const struct explaining *x)
{
	const char *name = x->w->m[x->from].name, *to = "others", *by = "";

	if (x->to != SIZE_MAX)
		to = x->w->m[x->to].name;
	if (x->out->ncontracts)
		by = count_text(x->out->ncontracts, "contract", x->a);
	if (x->out->ncontracts && x->q->joined)
		by = arena_printf(x->a, "%s and ", by);
	if (x->q->joined)
		by = arena_printf(x->a, "%s%s", by, count_text(x->q->joined, "package or document", x->a));
	return arena_printf(x->a, "%s is linked to %s by %s", name, to, by);
}

/* What fails for the nearest call and its nearest route. */
static void put_nearest(struct explaining *x)
{
	const struct open_call *o = &x->open[0];
	const struct fact *f = o->call.fact, *r = o->near[0].provider->fact;
	struct link_candidate c;

	put_candidate(x, o, 0, &c);
	x->out->step = c.step;
	x->out->why = arena_printf(x->a, "%s %s (%s:%llu) is not linked to %s %s of %s: %s", f->method,
	    f->path, f->file, (unsigned long long)f->line, r->method, r->path,
	    x->w->m[o->near[0].provider->member].name, c.text);
}

static void put_answer(struct explaining *x)
{
	struct link_explanation *out = x->out;

	if (out->ncontracts || x->q->joined) {
		out->why = linked_text(x);
	} else if (x->hard_problems) {
		out->step = out->problems[0].step;
		out->why = out->problems[0].text;
	} else if (x->nopen && !out->stopped) {
		put_nearest(x);
	} else {
		out->why = "there was not enough time to compare the calls";
	}
}

void link_explain(const struct match_member *m, size_t n, const struct link_question *q,
    struct arena *a, struct link_explanation *out)
{
	struct explaining x = { .q = q, .a = a, .out = out, .to = SIZE_MAX };

	*out = (struct link_explanation){ .problems = arena_many(a, PROBLEMS, struct link_problem) };
	x.t = match_trials_new(m, n, a);
	x.w = match_trials_context(x.t);
	x.from = match_trials_find(x.t, q->from);
	if (q->to)
		x.to = match_trials_find(x.t, q->to);
	x.gates = gateway_rules_find(x.w, a);
	x.by_call = map_new();
	match_trials_calls(x.t, x.from, &x.rows);
	index_rows(&x);
	add_contracts(&x);
	find_open(&x);
	sort_open(&x);
	find_problems(&x);
	put_page(&x);
	put_answer(&x);
	map_free(x.by_call);
	match_result_free(&x.rows);
	match_trials_free(x.t);
}
