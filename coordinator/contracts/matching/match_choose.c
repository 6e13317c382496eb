/* Which of all providers a call is for. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/match_base_url.h"
#include "coordinator/contracts/matching/match_gateway.h"
#include "coordinator/contracts/matching/match_by_name.h"
#include "coordinator/contracts/matching/match_topic.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "proto/base/buf.h"

bool match_exact(const struct match_rank *r)
{
	return !r->fit.shift && !r->fit.level && !r->fit.weak && !r->fit.rest;
}

/* ---- may it be this one? ---- */

bool match_methods(const char *call, const char *route)
{
	return !strcmp(call, route) || !strcmp(call, "ANY") || !strcmp(route, "ANY") ||
	    (!strcmp(call, "HEAD") && !strcmp(route, "GET"));
}

static bool among(const struct host_names *h, size_t member)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->members[i] == member)
			return true;
	return false;
}

static bool unknown_base(const struct call_site *s)
{
	return (s->fact->host && strstr(s->fact->host, "{}")) || s->path.based;
}

/*
 * Whether method and path alone are enough: some fixed text must agree, the more of it the less
 * else is known.
 */
static bool path_is_evidence(
    const struct call_site *s, const struct provider *p, const struct path_match *f)
{
	bool own = p->member == s->member;

	if (s->host_class == HOST_EXTERNAL || s->path.open || (s->through && own))
		return false;
	if (s->host_class == HOST_UNREGISTERED)
		return f->level == 0 && !f->rest && f->literals > 1 && !own;
	if (own)
		return f->literals > 0 || (!s->path.n && !p->path.n);
	return f->literals > 0 && !p->everywhere &&
	    (f->level < 2 || f->literals > 1 || unknown_base(s));
}

/* Whether the repository serves what is called at this address, in this way. */
static bool base_url_is_evidence(
    const struct call_site *s, const struct provider *p, const struct path_match *f)
{
	for (size_t i = 0; i < s->nbases; i++)
		if (s->bases[i].member == p->member)
			return s->bases[i].shift == f->shift && (f->literals || (!f->weak && !f->rest));
	return false;
}

static bool basis_of(const struct call_site *s, const struct provider *p,
    const struct path_match *f, enum match_basis *g)
{
	if (!s->through && (among(&s->host, p->member) || among(&s->hint, p->member))) {
		*g = MATCH_BY_NAME;
		return (f->literals > 1 || f->level < 2 || !s->sent) &&
		    (f->literals || (!f->weak && (s->sent || !path_has_no_text(&s->path))));
	}
	if (s->host_class == HOST_UNKNOWN && p->member == s->member && f->level == 0 && f->literals &&
	    !f->weak && !s->path.open) {
		*g = MATCH_OWN_REPO;
		return true;
	}
	if (base_url_is_evidence(s, p, f)) {
		*g = MATCH_BY_BASE_URL;
		return true;
	}
	*g = MATCH_BY_PATH;
	return path_is_evidence(s, p, f);
}

/* ---- which is better? ---- */

/*
 * Less is better.  What needs no guess before what does; exact before stripped before suffix; the
 * caller's own repository before others.
 */
static int compare_ranks(
    const struct call_site *s, const struct match_rank *a, const struct match_rank *b)
{
	bool open = s->path.open;	/* all that it may reach is reached */
	const int keys[][2] = {
		{ (int)a->basis, (int)b->basis }, { a->documented, b->documented },
		{ a->fit.weak > 0, b->fit.weak > 0 }, { a->fit.level, b->fit.level },
		{ open ? 0 : a->fit.rest, open ? 0 : b->fit.rest }, { a->foreign, b->foreign },
		{ -a->fit.literals, -b->fit.literals }, { a->fit.weak, b->fit.weak }, { a->any, b->any },
	};

	for (size_t i = 0; i < LEN(keys); i++)
		if (keys[i][0] != keys[i][1]) {
			if (keys[i][0] < keys[i][1])
				return -1;
			return 1;
		}
	return 0;
}

/*
 * The best of two repositories.  Those that serve the same address are equals, each by its own
 * best route.
 */
static int compare_repositories(
    const struct call_site *s, const struct match_rank *a, const struct match_rank *b)
{
	if (a->basis == MATCH_BY_BASE_URL && b->basis == MATCH_BY_BASE_URL &&
	    a->documented == b->documented)
		return (a->foreign > b->foreign) - (a->foreign < b->foreign);
	return compare_ranks(s, a, b);
}

/* ---- choosing ---- */

/*
 * Of equally good providers in one repository the first counts, but for a call that may be for
 * several.
 */
static bool is_represented(const struct call_site *s, size_t from, const struct provider *p)
{
	for (size_t i = from; i < s->n; i++) {
		const struct provider *t = s->v[i].p;
		if (s->path.open)
			continue;
		if (!match_text_equal(s->fact->method, "ANY") || !strcmp(t->fact->method, p->fact->method))
			return true;
	}
	return false;
}

/* Keep a target when it is among the best of its repository, whose targets begin at `from`. */
static void keep(struct call_site *s, size_t from, const struct match_target *t)
{
	int c = -1;

	if (s->n > from)
		c = compare_ranks(s, &t->rank, &s->v[from].rank);
	if (c > 0)
		return;
	if (c < 0)
		s->n = from;
	if (is_represented(s, from, t->p))
		return;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = *t;
}

/* The best of a repository, from `from` on, against the best of those before. */
static void keep_best_repository(struct call_site *s, size_t from)
{
	if (s->n == from)
		return;
	int c = -1;
	if (from)
		c = compare_repositories(s, &s->v[from].rank, &s->v[0].rank);
	if (c > 0)
		s->n = from;
	if (c < 0 && from) {
		memmove(s->v, s->v + from, (s->n - from) * sizeof *s->v);
		s->n -= from;
		s->repos = 0;
	}
	s->repos += c <= 0;
}

static void consider(
    struct call_site *s, size_t from, struct provider *p, const struct path_match *f)
{
	struct match_target t = { .p = p, .rank = { .fit = *f } };

	if (!match_methods(s->fact->method, p->fact->method) || !basis_of(s, p, f, &t.rank.basis))
		return;
	t.rank.foreign = p->member != s->member;
	t.rank.any = strcmp(s->fact->method, p->fact->method) != 0;
	t.rank.documented = match_text_equal(p->fact->reason, "documented");
	if (t.rank.basis == MATCH_BY_BASE_URL)
		t.rank.fit.level = 0;
	keep(s, from, &t);
}

/* All routes of the repositories that are named. */
static void choose_named(
    const struct match_context *w, struct call_site *s, const struct host_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		size_t from = s->n;
		for (size_t k = w->first[names->members[i]]; k < w->first[names->members[i] + 1]; k++) {
			struct provider *p = &w->providers[k];
			struct path_match f;
			if (match_text_equal(p->fact->kind, "http") && path_fit(&s->path, &p->path, &f))
				consider(s, from, p, &f);
		}
		keep_best_repository(s, from);
	}
}

static void choose_any(const struct match_context *w, struct call_site *s)
{
	const struct route_candidates *c = match_index_find(w->index, &s->path);
	size_t from = s->n, member = SIZE_MAX;

	for (size_t i = 0; i < c->n; i++) {
		struct provider *p = &w->providers[w->of[c->v[i].route]];
		if (p->member != member) {
			keep_best_repository(s, from);
			from = s->n;
			member = p->member;
		}
		consider(s, from, p, &c->v[i].fit);
	}
	keep_best_repository(s, from);
}

/* The routes of a repository behind the first `n` segments of the call. */
static void choose_behind(
    const struct match_context *w, struct call_site *s, size_t n, size_t member)
{
	size_t from = s->n;

	for (size_t k = w->first[member]; k < w->first[member + 1]; k++) {
		struct provider *p = &w->providers[k];
		struct match_target t = { .p = p,
			.rank = { .basis = MATCH_BY_PREFIX, .foreign = member != s->member } };
		if (!match_text_equal(p->fact->kind, "http") ||
		    !match_methods(s->fact->method, p->fact->method) ||
		    !path_fit_after(&s->path, n, &p->path, &t.rank.fit) ||
		    (t.rank.fit.rest && !t.rank.fit.literals))
			continue;
		t.rank.any = strcmp(s->fact->method, p->fact->method) != 0;
		t.rank.documented = match_text_equal(p->fact->reason, "documented");
		keep(s, from, &t);
	}
	keep_best_repository(s, from);
}

/*
 * A gateway, or the server itself, has its name in front of what it serves: /api/carts/… for the
 * carts.  Only of `those`, when they are known.
 */
static void choose_prefixed(
    const struct match_context *w, struct call_site *s, const struct host_names *those)
{
	for (size_t i = 0;
	     i < s->path.n && i < STRIP_MAX && !s->n && path_strips(&s->path, i + 1) == STRIP_YES;
	     i++) {
		if (i < s->path.based || !host_index_find_segment(w->hosts, s->path.seg[i], &s->prefix))
			continue;
		for (size_t k = 0; k < s->prefix.n; k++)
			if (!those || among(those, s->prefix.members[k]))
				choose_behind(w, s, i + 1, s->prefix.members[k]);
	}
}

/* Whether what was found needs no guess of what is in front. */
static bool is_certain(const struct call_site *s)
{
	return s->n &&
	    (s->v[0].rank.basis == MATCH_OWN_REPO ||
	        (!s->v[0].rank.fit.shift && !s->v[0].rank.fit.weak));
}

/* Without a host that names somebody, method and path decide, and names in front of the path. */
static void choose_without_host(const struct match_context *w, struct call_site *s)
{
	choose_any(w, s);
	if (is_certain(s) || s->path.open || s->host_class == HOST_EXTERNAL ||
	    s->host_class == HOST_UNREGISTERED)
		return;
	struct call_site by_prefix = *s;
	by_prefix.v = NULL;
	by_prefix.n = by_prefix.cap = by_prefix.repos = 0;
	choose_prefixed(w, &by_prefix, NULL);
	struct match_target *none = by_prefix.n ? s->v : by_prefix.v;
	if (by_prefix.n)
		*s = by_prefix;
	free(none);
}

/*
 * What is called is not known, but who: it is that repository's only route for the method, if
 * there is just one.
 */
static void choose_single_route(
    const struct match_context *w, struct call_site *s, const struct host_names *names)
{
	struct match_target t = { .rank = {
		                          .basis = MATCH_BY_NAME, .fit = { .level = 2, .weak = 1 } } };
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		for (size_t k = w->first[names->members[i]]; k < w->first[names->members[i] + 1]; k++) {
			struct provider *p = &w->providers[k];
			if (!match_text_equal(p->fact->kind, "http") || p->everywhere ||
			    !match_methods(s->fact->method, p->fact->method))
				continue;
			t.p = p;
			n++;
		}
	if (n != 1 || match_text_equal(s->fact->method, "ANY"))
		return;
	t.rank.foreign = t.p->member != s->member;
	keep(s, s->n, &t);
	keep_best_repository(s, 0);
}

static bool is_exact(const struct call_site *s)
{
	return s->n && match_exact(&s->v[0].rank);
}

/* Whether a gateway decides; what is exact needs none, at home or by its name. */
static bool choose_behind_gateway(
    const struct match_context *w, struct call_site *s, const struct host_names *names)
{
	if (is_exact(s) && (names || s->v[0].rank.basis == MATCH_OWN_REPO))
		return true;
	enum gateway_outcome says = gateway_forward(w, s, names, choose_named);
	if (says == GATEWAY_NOT_SERVED || says == GATEWAY_EXTERNAL) {
		s->n = 0;
		s->lost = true;
	}
	return says != GATEWAY_UNKNOWN;
}

/* By the names of who is called; whether that is all there is to say. */
static bool choose_by_name(const struct match_context *w, struct call_site *s, bool gates)
{
	const struct host_names *names = s->host_class == HOST_MEMBER ? &s->host :
	    s->hint.n                                                 ? &s->hint :
	                                                                NULL;

	if (names)
		choose_named(w, s, names);
	if (path_has_no_text(&s->path) && s->path.n == 1 && !s->path.open && !s->n)
		choose_single_route(w, s, s->host_class == HOST_MEMBER ? &s->host : &s->hint);
	if (names && gates && choose_behind_gateway(w, s, names))
		return true;
	if (s->host_class == HOST_MEMBER && !s->n)
		choose_prefixed(w, s, &s->host);
	for (size_t i = 0; i < s->host.n && !s->n; i++)
		if (w->serves[s->host.members[i]])
			return true;	/* it is named, and does not serve this */
	return s->n > 0;
}

static void choose(const struct match_context *w, struct call_site *s, bool gates)
{
	if (choose_by_name(w, s, gates))
		return;
	s->through = s->host_class == HOST_MEMBER;
	choose_without_host(w, s);
	if (gates && !s->through && !s->hint.n)
		choose_behind_gateway(w, s, NULL);
}

static bool all_exact(const struct call_site *s)
{
	size_t i = 0;

	while (i < s->n && match_exact(&s->v[i].rank))
		i++;
	return i == s->n;
}

static bool by_gateway(const struct call_site *s)
{
	size_t i = 0;

	while (i < s->n && s->v[i].rank.basis != MATCH_BY_GATEWAY)
		i++;
	return i < s->n;
}

/* Whether less evidence leads to one of several equals alone, and is surer of it. */
static bool decides(const struct call_site *less, const struct call_site *s)
{
	bool among_them = false;

	if (s->repos < 2 || less->repos != 1)
		return false;
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < less->n; k++)
			among_them |= less->v[k].p == s->v[i].p &&
			    match_confidence(less, &less->v[k]) > match_confidence(s, &s->v[i]);
	return among_them;
}

/*
 * What is found with less evidence, too, is as sure as it is with less: evidence that needs a
 * guess takes nothing away.
 */
static void raise_confidence(struct call_site *s, const struct call_site *less)
{
	if (decides(less, s)) {
		free(s->v);
		s->v = less->v;
		s->n = less->n;
		s->cap = less->cap;
		s->repos = 1;
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < less->n; k++)
			if (less->v[k].p == s->v[i].p &&
			    match_confidence(less, &less->v[k]) > match_confidence(s, &s->v[i])) {
				const struct forward_hop *via = less->v[k].via ? less->v[k].via : s->v[i].via;
				s->v[i] = less->v[k];
				s->v[i].via = via;
			}
	free(less->v);
}

static void choose_sure(const struct match_context *w, struct call_site *s)
{
	struct call_site direct = *s;

	choose(w, s, true);
	if (!by_gateway(s) || all_exact(s))
		return;
	choose(w, &direct, false);
	raise_confidence(s, &direct);
}

static void choose_http(const struct match_context *w, struct call_site *s)
{
	struct call_site nameless = *s;

	choose_sure(w, s);
	if ((s->n && all_exact(s)) || !gateway_index_has_rows(w->gates) ||
	    (s->host_class != HOST_MEMBER && !s->hint.n))
		return;
	nameless.hint = (struct host_names){ 0 };
	if (s->host_class == HOST_MEMBER) {
		nameless.host_class = HOST_UNKNOWN;
		nameless.host = nameless.hint;
	}
	choose_sure(w, &nameless);
	if (s->host_class != HOST_MEMBER && !s->lost &&
	    (!s->n || (by_gateway(&nameless) && all_exact(&nameless)))) {
		free(s->v);
		*s = nameless;	/* a variable may be named for who is asked in the end */
	} else {
		raise_confidence(s, &nameless);
	}
}

/* ---- by name ---- */

static bool is_base(const struct call_site *s, size_t member)
{
	for (size_t i = 0; i < s->nbases; i++)
		if (s->bases[i].member == member)
			return true;
	return false;
}

static void consider_named(
    struct match_context *w, struct call_site *s, struct provider *p, bool exact)
{
	struct match_target t = { .p = p,
		.rank = { .basis = MATCH_BY_PATH, .fit = { .level = exact ? 0 : 1, .literals = 1 } } };
	bool graphql = match_text_equal(s->fact->kind, "graphql");
	size_t from = s->n;

	(void)w;
	if (among(&s->host, p->member) || among(&s->hint, p->member))
		t.rank.basis = MATCH_BY_NAME;
	else if (graphql && s->host_class == HOST_UNKNOWN && p->member == s->member)
		t.rank.basis = MATCH_OWN_REPO;
	else if (graphql && is_base(s, p->member))
		t.rank.basis = MATCH_BY_BASE_URL;
	else if (graphql && s->host_class == HOST_EXTERNAL)
		return;
	t.rank.documented = match_text_equal(p->fact->reason, "documented");
	t.rank.foreign = p->member != s->member;
	while (from && s->v[from - 1].p->member == p->member)
		from--;
	bool again = from < s->n;
	keep(s, from, &t);
	if (!again)
		keep_best_repository(s, from);
}

void match_choose(struct match_context *w, struct call_site *s)
{
	if (match_text_equal(s->fact->kind, "http"))
		choose_http(w, s);
	else if (match_text_equal(s->fact->kind, "topic"))
		topic_index_add_listeners(w, s);
	else
		provider_name_index_each(w, s, consider_named);
}
