/* Turns a call and its targets into rows of the three lists. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"

enum { CANDIDATES_MAX = 16 };

static struct end *end_of(const struct match_member *m, const struct fact *f, struct end *e)
{
	*e = (struct end){ m->repo_uri, f->file, f->line, f->end_line, f->symbol, f->method, f->path,
		f->framework, f->partial };
	return e;
}

/* The confidence by basis and level. */
static const double plain[MATCH_BY_PATH + 1][3] = {
	[MATCH_BY_GATEWAY] = { 0.95, 0.85, 0.75 },
	[MATCH_BY_NAME] = { 1.0, 0.9, 0.8 },
	[MATCH_OWN_REPO] = { 0.9, 0.7, 0.6 },
	[MATCH_BY_PREFIX] = { 0.8, 0.8, 0.8 },
	[MATCH_BY_BASE_URL] = { 0.9, 0.8, 0.7 },
	[MATCH_BY_PATH] = { 0.9, 0.7, 0.6 },
};

/* The level of the paths as written, even if their difference is explained. */
static int contract_level(const struct match_rank *r)
{
	if (r->fit.shift > 0)
		return 1;
	if (r->fit.shift < 0)
		return 2;
	return r->fit.level;
}

/* A link is less likely to be wrong than right; what is less sure is a candidate. */
static const double link_min = 0.5;

/* Whether all targets serve the address, so that each of them is right. */
static bool is_interchangeable(const struct match_target *t)
{
	return t->rank.basis == MATCH_BY_BASE_URL;
}

/* The confidence as far as server and path tell. */
static double confidence_in_path(const struct call_site *s, const struct match_target *t)
{
	const struct match_rank *r = &t->rank;
	double c = plain[r->basis][contract_level(r)];

	if (match_text_equal(s->fact->kind, "topic"))
		return 1.0;
	if (s->repos > 1 && !is_interchangeable(t))
		return 1.0 / (double)s->repos;
	if (r->basis == MATCH_BY_NAME && (s->host_class != HOST_MEMBER || s->host.loose))
		c -= 0.05;	/* the name only resembles theirs */
	if (t->loose)
		c -= 0.05;
	if (s->host_class == HOST_UNREGISTERED && r->basis == MATCH_BY_PATH)
		c *= 0.8;
	if (r->documented)
		c *= 0.6;
	else if (r->partial)
		c *= 0.7;
	if (r->fit.weak || r->fit.rest)
		return c * 0.8;
	return c;
}

/* The targets of a call in one repository. */
static size_t count_in_repository(const struct call_site *s, size_t member)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].p->member == member;
	return n;
}

double match_confidence(const struct call_site *s, const struct match_target *t)
{
	double c = confidence_in_path(s, t);

	if (match_text_equal(s->fact->method, "ANY") && t->rank.any)
		return c / (double)count_in_repository(s, t->p->member); /* it is one of these methods */
	return c;
}

/* ---- evidence ---- */

struct clues {
	struct clue *v;
	size_t n;
};

static void add_clue(
    struct clues *l, const struct match_member *m, const struct fact *at, const char *text)
{
	l->v[l->n++] = (struct clue){ m->repo_uri, at->file, at->line, text };
}

/* What a gateway or a subscription does. */
static const char *via_text(const struct forward_hop *v, struct arena *a)
{
	const struct fact *f = v->fact;

	if (match_text_equal(f->kind, "topic"))
		return arena_printf(a, "%s: %s goes to %s", f->framework, f->path, v->seen);
	return arena_printf(a, "%s: %s goes to %s as %s", f->framework, f->path, f->host, v->seen);
}

/* How the host or the variable names the server. */
static const char *name_text(
    const struct call_site *s, const struct match_member *server, struct arena *a)
{
	bool by_host = s->host_class == HOST_MEMBER;
	const struct host_names *h = &s->hint;

	if (by_host)
		h = &s->host;
	return arena_printf(a, "%s %s %s %s", by_host ? "host" : "the name", h->name,
	    h->loose ? "is like" : "names", server->name);
}

static const char *address_text(const struct call_site *s, const struct address_server *b,
    const struct match_member *server, struct arena *a)
{
	return arena_printf(a, "%s serves %zu of the %zu requests to %s", server->name, b->served,
	    b->called, text_or(s->host.name, "this address"));
}

/* What speaks for a repository of which only method and path are known to fit. */
static void add_support_clues(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, struct clues *l)
{
	const struct match_member *caller = &w->m[s->member], *server = &w->m[t->p->member];
	const char *why = NULL;

	if (t->p->member == s->member || !match_text_equal(s->fact->kind, "http"))
		return;
	member_relation(w->relations, s->member, t->p->member, &why);
	if (why)
		add_clue(l, caller, s->fact, why);
	struct address_support a = address_support(s, t->p->member);
	if (a.served > 1)
		add_clue(l, caller, s->fact,
		    arena_printf(w->a, "%s serves %zu of the %zu requests to %s", server->name, a.served,
		        a.called, text_or(s->host.name, "this address")));
}

/* Why it is this repository. */
static void add_basis_clues(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, struct clues *l)
{
	const struct match_member *caller = &w->m[s->member], *server = &w->m[t->p->member];
	enum match_basis basis = t->rank.basis;

	if (basis == MATCH_BY_NAME)
		add_clue(l, caller, s->fact, name_text(s, server, w->a));
	for (const struct forward_hop *v = t->via; v; v = v->next)
		add_clue(l, &w->m[v->member], v->fact, via_text(v, w->a));
	if (basis == MATCH_BY_PREFIX)
		add_clue(l, caller, s->fact,
		    arena_printf(
		        w->a, "/%s in front of the path is like %s", s->prefix.name, server->name));
	if (s->through)
		add_clue(l, caller, s->fact,
		    arena_printf(w->a, "host %s answers nothing itself and passes on", s->host.name));
	if (basis == MATCH_OWN_REPO && s->repos == 1)
		add_clue(l, caller, s->fact,
		    "the caller's own repository serves it, and no host says otherwise");
	for (size_t i = 0; i < s->nbases && basis == MATCH_BY_BASE_URL; i++)
		if (s->bases[i].member == t->p->member)
			add_clue(l, caller, s->fact, address_text(s, &s->bases[i], server, w->a));
	if (basis == MATCH_BY_PATH)
		add_support_clues(w, s, t, l);
	if (s->repos > 1 && !match_text_equal(s->fact->kind, "topic"))
		add_clue(l, caller, s->fact,
		    arena_printf(w->a, "one of %zu repositories that serve it equally well", s->repos));
}

/* The steps that led to a fact, such as the mounts of a route. */
static void add_steps(struct clues *l, const struct match_member *m, const struct fact *f)
{
	for (size_t i = 0; i < f->steps.n; i++)
		l->v[l->n++] = (struct clue){ m->repo_uri, text_or(f->steps.v[i].file, f->file),
			f->steps.v[i].line, f->steps.v[i].text };
}

static void set_evidence(struct match_context *w, const struct call_site *s,
    const struct match_target *t, struct contract *row)
{
	static const char *const levels[] = { "is", "is, without its prefix,", "ends" };
	const struct match_member *caller = &w->m[s->member], *server = &w->m[t->p->member];
	const struct fact *call = s->fact, *route = t->p->fact;
	struct clues l = { arena_many(w->a, call->steps.n + route->steps.n + 11, struct clue), 0 };
	int level = contract_level(&t->rank);

	add_steps(&l, caller, call);
	add_basis_clues(w, s, t, &l);
	add_clue(&l, server, route,
	    arena_printf(w->a, "%s %s %s %s %s", call->method, call->path, levels[level], route->method,
	        route->path));
	add_steps(&l, server, route);
	row->evidence.v = l.v;
	row->evidence.n = l.n;
}

/* ---- the three lists ---- */

static void add_contract(
    struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	struct match_result *o = w->out;
	const struct fact *call = s->fact, *route = t->p->fact;
	bool topic = match_text_equal(call->kind, "topic");
	struct contract row = {
		.kind = call->kind,
		.method = route->method,
		.path = route->path,
		.producer = end_of(&w->m[t->p->member], route, arena_one(w->a, struct end)),
		.consumer = end_of(&w->m[s->member], call, arena_one(w->a, struct end)),
		.cross_repo = t->p->member != s->member,
		.ambiguous = s->repos > 1 && !topic && !is_interchangeable(t),
		.confidence = match_confidence(s, t),
		.scope = text_or(call->scope, route->scope),
	};

	if (match_text_equal(route->method, "ANY"))
		row.method = call->method;
	set_evidence(w, s, t, &row);
	t->p->used = true;
	o->contracts.v = grow(o->contracts.v, &o->contracts.cap, o->contracts.n + 1, sizeof row);
	o->contracts.v[o->contracts.n++] = row;
}

static const char *reason_of(const struct call_site *s)
{
	if (s->repos > 1)
		return "ambiguous";
	if (s->host_class == HOST_EXTERNAL && !s->nbases)
		return "external";
	bool unknown = path_has_no_text(&s->path) ||
	    (s->path.n && s->path.kind[s->path.n - 1] == SEG_PATTERN);
	bool explained = s->fact->reason != NULL;
	bool named = s->host_class == HOST_MEMBER || s->host_class == HOST_UNREGISTERED;
	if (unknown && explained)
		return "dynamic";
	if (!named && (unknown || explained))
		return "dynamic";
	return "no-producer";
}

static const char *unresolved_id(const struct match_context *w, const struct call_site *s)
{
	const struct fact *f = s->fact;
	const char *text = arena_printf(w->a, "%s|%s|%llu|%s|%s", w->m[s->member].repo_uri, f->file,
	    (unsigned long long)f->line, f->method, f->path);
	char hex[SHA256_HEX];

	crypto_sha256(text, strlen(text), hex);
	return arena_printf(w->a, "fetches:unresolved:%.16s", hex);
}

/* What of the call could not be followed. */
static void set_gap(const struct match_context *w, const struct fact *f, struct unresolved *row)
{
	if (!f->why || !f->gap)
		return;
	row->why = f->why;
	row->gap = f->gap;
	row->gap_at = arena_printf(
	    w->a, "%s:%llu", text_or(f->gap_file, f->file), (unsigned long long)f->gap_line);
}

static void add_unresolved(struct match_context *w, const struct call_site *s)
{
	struct match_result *o = w->out;
	size_t n = MIN(s->n, CANDIDATES_MAX);
	struct unresolved row = {
		.id = unresolved_id(w, s),
		.kind = s->fact->kind,
		.method = s->fact->method,
		.path = s->fact->path,
		.host = s->fact->host,
		.consumer = end_of(&w->m[s->member], s->fact, arena_one(w->a, struct end)),
		.reason = reason_of(s),
		.scope = s->fact->scope,
	};

	set_gap(w, s->fact, &row);
	row.candidates.v = arena_many(w->a, n, struct end);
	row.candidates.n = n;
	for (size_t i = 0; i < n; i++)
		end_of(&w->m[s->v[i].p->member], s->v[i].p->fact, &row.candidates.v[i]);
	o->unresolved.v = grow(o->unresolved.v, &o->unresolved.cap, o->unresolved.n + 1, sizeof row);
	o->unresolved.v[o->unresolved.n++] = row;
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
			end_of(&w->m[p->member], p->fact, arena_one(w->a, struct end)) };
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
		if (match_confidence(s, &s->v[i]) < link_min)
			continue;
		add_contract(w, s, &s->v[i]);
		linked = true;
	}
	if (!linked)
		add_unresolved(w, s);
}
