/* Chooses the providers that a call is for. */
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/match_by_name.h"
#include "coordinator/contracts/matching/match_gateway.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "coordinator/contracts/matching/match_topic.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "coordinator/contracts/matching/path_evidence.h"
#include "coordinator/contracts/matching/service_name.h"
#include "proto/base/buf.h"

bool match_exact(const struct match_rank *r)
{
	return !r->fit.shift && !r->fit.level && !r->fit.weak && !r->fit.rest;
}

/* ---- which providers are possible ---- */

bool match_methods(const char *call, const char *route)
{
	return !strcmp(call, route) || !strcmp(call, "ANY") || !strcmp(route, "ANY") ||
	    (!strcmp(call, "HEAD") && !strcmp(route, "GET"));
}

static bool names_member(const struct host_names *h, size_t member)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->members[i] == member)
			return true;
	return false;
}

/* Whether the repository serves that address with the same shift. */
static bool address_is_evidence(
    const struct call_site *s, const struct provider *p, const struct path_match *f)
{
	for (size_t i = 0; i < s->nbases; i++)
		if (s->bases[i].member == p->member)
			return s->bases[i].shift == f->shift && (f->literals || (!f->weak && !f->rest));
	return false;
}

/* Whether the path fits well enough for a provider of the repository that is named. */
static bool fits_named(const struct call_site *s, const struct path_match *f)
{
	bool by_port = s->hint.n && *s->hint.name == ':';

	if (by_port && !f->literals)
		return false;
	if (f->literals > 0) {
		bool short_suffix = f->level == 2 && f->literals == 1;
		return !short_suffix || !s->sent;
	}
	if (f->level >= 2 && s->sent)
		return false;
	return !f->weak && (s->sent || !path_has_no_text(&s->path));
}

static bool fits_own_repo(
    const struct call_site *s, const struct provider *p, const struct path_match *f)
{
	if (s->host_class != HOST_UNKNOWN || p->member != s->member)
		return false;
	return f->level == 0 && f->literals && !f->weak && !s->path.open;
}

/* Why the provider may be the one that is called; false if there is no reason. */
static bool basis_of(const struct match_context *w, const struct call_site *s,
    const struct provider *p, const struct path_match *f, enum match_basis *basis)
{
	bool named = names_member(&s->host, p->member) || names_member(&s->hint, p->member);

	if (named && !s->through) {
		*basis = MATCH_BY_NAME;
		return fits_named(s, f);
	}
	if (fits_own_repo(s, p, f)) {
		*basis = MATCH_OWN_REPO;
		return true;
	}
	if (address_is_evidence(s, p, f)) {
		*basis = MATCH_BY_BASE_URL;
		return true;
	}
	*basis = MATCH_BY_PATH;
	return path_is_evidence(w, s, p, f);
}

/* ---- which providers are better ---- */

/*
 * Negative if `a` is better.  What needs no guess comes before what does; exact before stripped
 * before suffix; the caller's own repository before others.
 */
static int compare_ranks(
    const struct call_site *s, const struct match_rank *a, const struct match_rank *b)
{
	bool rest_counts = !s->path.open; /* an open call reaches all that it may reach */
	const int keys[][2] = {
		{ (int)a->basis, (int)b->basis },
		{ a->documented, b->documented },
		{ a->partial, b->partial },
		{ a->fit.weak > 0, b->fit.weak > 0 },
		{ a->fit.level, b->fit.level },
		{ rest_counts && a->fit.rest, rest_counts && b->fit.rest },
		{ a->foreign, b->foreign },
		{ -a->fit.literals, -b->fit.literals },
		{ a->fit.weak, b->fit.weak },
		{ a->any, b->any },
	};

	for (size_t i = 0; i < LEN(keys); i++) {
		if (keys[i][0] < keys[i][1])
			return -1;
		if (keys[i][0] > keys[i][1])
			return 1;
	}
	return 0;
}

/*
 * Compare the best ranks of two repositories.  Repositories that serve the same address are equally
 * good, each with its own best route.
 */
static int compare_repositories(
    const struct call_site *s, const struct match_rank *a, const struct match_rank *b)
{
	bool same_base = a->basis == MATCH_BY_BASE_URL && b->basis == MATCH_BY_BASE_URL;

	if (same_base && a->documented == b->documented)
		return (a->foreign > b->foreign) - (a->foreign < b->foreign);
	return compare_ranks(s, a, b);
}

/* ---- choosing ---- */

/*
 * Whether a provider adds nothing: of equally good providers in one repository only the first
 * counts, unless the call may be for several methods or is open.
 */
static bool is_represented(const struct call_site *s, size_t from, const struct provider *p)
{
	bool any_method = match_text_equal(s->fact->method, "ANY");

	if (s->path.open)
		return false;
	for (size_t i = from; i < s->n; i++)
		if (!any_method || !strcmp(s->v[i].p->fact->method, p->fact->method))
			return true;
	return false;
}

/* Keep a target if it is among the best of its repository, whose targets begin at `from`. */
static void keep(struct call_site *s, size_t from, const struct match_target *t)
{
	int c = -1;

	if (declarations_deny(s, t->p->member))
		return;
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

/* Compare the targets of a repository, which begin at `from`, with the best ones before them. */
static void keep_best_repository(struct call_site *s, size_t from)
{
	int c = -1;

	if (s->n == from)
		return;
	if (from)
		c = compare_repositories(s, &s->v[from].rank, &s->v[0].rank);
	if (c > 0) {
		s->n = from;
		return;
	}
	if (c < 0 && from) {
		memmove(s->v, s->v + from, (s->n - from) * sizeof *s->v);
		s->n -= from;
		s->repos = 0;
	}
	s->repos++;
}

/* What method and document of a provider tell about its rank. */
static void set_method_rank(
    struct match_rank *r, const struct call_site *s, const struct provider *p)
{
	r->foreign = p->member != s->member;
	r->any = strcmp(s->fact->method, p->fact->method) != 0;
	r->documented = match_text_equal(p->fact->reason, "documented");
	r->partial = p->fact->partial;
}

static void consider(const struct match_context *w, struct call_site *s, size_t from,
    struct provider *p, const struct path_match *f)
{
	struct match_target t = { .p = p, .rank = { .fit = *f } };

	if (!match_methods(s->fact->method, p->fact->method) || !basis_of(w, s, p, f, &t.rank.basis))
		return;
	set_method_rank(&t.rank, s, p);
	if (t.rank.basis == MATCH_BY_BASE_URL)
		t.rank.fit.level = 0;
	keep(s, from, &t);
}

/* Choose among all routes of the named repositories. */
static void choose_named(
    const struct match_context *w, struct call_site *s, const struct host_names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		struct provider_range of = match_providers_of(w, s, names->members[i]);
		size_t from = s->n;
		for (size_t k = of.from; k < of.to; k++) {
			struct provider *p = &w->providers[k];
			struct path_match f;
			if (match_text_equal(p->fact->kind, "http") && path_fit(&s->path, &p->path, &f))
				consider(w, s, from, p, &f);
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
		consider(w, s, from, p, &c->v[i].fit);
	}
	keep_best_repository(s, from);
}

/* Choose among a repository's routes, ignoring the first `n` segments of the call. */
static void choose_behind(
    const struct match_context *w, struct call_site *s, size_t n, size_t member)
{
	enum relation related = member_relation(w->relations, s->member, member, NULL);
	bool is_own_name = name_is_of(w->m[member].name, s->prefix.name);
	struct provider_range of = match_providers_of(w, s, member);
	size_t from = s->n;

	for (size_t k = of.from; k < of.to; k++) {
		struct provider *p = &w->providers[k];
		struct match_target t = { .p = p, .rank.basis = MATCH_BY_PREFIX };
		if (!match_text_equal(p->fact->kind, "http") ||
		    !match_methods(s->fact->method, p->fact->method))
			continue;
		if (!path_fit_after(&s->path, n, &p->path, &t.rank.fit))
			continue;
		bool vague = t.rank.fit.rest || !is_own_name;
		if (vague && !t.rank.fit.literals)
			continue;
		if (related == RELATION_NONE && !path_is_evidence(w, s, p, &t.rank.fit))
			continue;
		set_method_rank(&t.rank, s, p);
		keep(s, from, &t);
	}
	keep_best_repository(s, from);
}

/*
 * A gateway, or the server itself, may put a repository's name in front of what it serves:
 * /api/carts/… for `carts`.  With `those`, only these repositories are considered.
 */
static void choose_prefixed(
    const struct match_context *w, struct call_site *s, const struct host_names *those)
{
	for (size_t i = 0; i < s->path.n && i < STRIP_MAX && !s->n; i++) {
		if (path_strips(&s->path, i + 1) != STRIP_YES)
			return;
		bool is_hole = i == 0 && s->path.based;
		if (is_hole || !host_index_find_segment(w->hosts, s->path.seg[i], &s->prefix))
			continue;
		for (size_t k = 0; k < s->prefix.n; k++)
			if (!those || names_member(those, s->prefix.members[k]))
				choose_behind(w, s, i + 1, s->prefix.members[k]);
	}
}

/* Whether the targets need no guess about leading segments. */
static bool is_certain(const struct call_site *s)
{
	if (!s->n)
		return false;
	if (s->v[0].rank.basis == MATCH_OWN_REPO)
		return true;
	return !s->v[0].rank.fit.shift && !s->v[0].rank.fit.weak;
}

/* Choose by method and path, and by names in front of the path, if the host names no member. */
static void choose_without_host(const struct match_context *w, struct call_site *s)
{
	choose_any(w, s);
	if (is_certain(s) || s->path.open)
		return;
	if (s->host_class == HOST_EXTERNAL || s->host_class == HOST_UNREGISTERED)
		return;
	struct call_site by_prefix = *s;
	by_prefix.v = NULL;
	by_prefix.n = by_prefix.cap = by_prefix.repos = 0;
	choose_prefixed(w, &by_prefix, NULL);
	if (by_prefix.n) {
		free(s->v);
		*s = by_prefix;
	} else {
		free(by_prefix.v);
	}
}

/* If only the repository is known, the call is for its only route of that method, if it has one. */
static void choose_single_route(
    const struct match_context *w, struct call_site *s, const struct host_names *names)
{
	struct match_target t = { .rank.basis = MATCH_BY_NAME, .rank.fit = { .level = 2, .weak = 1 } };
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++) {
		struct provider_range of = match_providers_of(w, s, names->members[i]);
		for (size_t k = of.from; k < of.to; k++) {
			struct provider *p = &w->providers[k];
			if (!match_text_equal(p->fact->kind, "http") || p->everywhere ||
			    !match_methods(s->fact->method, p->fact->method))
				continue;
			t.p = p;
			n++;
		}
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

/* Whether the targets are final after gateways were followed.  An exact match needs no gateway. */
static bool choose_behind_gateway(
    const struct match_context *w, struct call_site *s, const struct host_names *names)
{
	if (is_exact(s) && (names || s->v[0].rank.basis == MATCH_OWN_REPO))
		return true;
	enum gateway_outcome outcome = gateway_forward(w, s, names, choose_named);
	if (outcome == GATEWAY_NOT_SERVED || outcome == GATEWAY_EXTERNAL) {
		s->n = 0;
		s->lost = true;
	}
	return outcome != GATEWAY_UNKNOWN;
}

/* The names of the repositories that the call is for; NULL if none is named. */
static const struct host_names *named_by(const struct call_site *s)
{
	if (s->host_class == HOST_MEMBER)
		return &s->host;
	if (s->hint.n)
		return &s->hint;
	return NULL;
}

/* Whether the host names a member that serves HTTP at all. */
static bool names_server(const struct match_context *w, const struct call_site *s)
{
	for (size_t i = 0; i < s->host.n; i++)
		if (match_serves(w, s, s->host.members[i]))
			return true;
	return false;
}

/* Choose among the repositories that the call names; whether the result is final. */
static bool choose_by_name(const struct match_context *w, struct call_site *s, bool gates)
{
	const struct host_names *names = named_by(s);
	bool only_hole = path_has_no_text(&s->path) && s->path.n == 1 && !s->path.open;

	if (names)
		choose_named(w, s, names);
	if (names && only_hole && !s->n)
		choose_single_route(w, s, names);
	if (names && gates && choose_behind_gateway(w, s, names))
		return true;
	if (s->host_class == HOST_MEMBER && !s->n)
		choose_prefixed(w, s, &s->host);
	/* a member that is named and serves HTTP, but not this, is still the one that is meant */
	return s->n > 0 || names_server(w, s);
}

static void choose(const struct match_context *w, struct call_site *s, bool gates)
{
	if (choose_by_name(w, s, gates) || declarations_link(s))
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

/* Whether the k-th target of `a` is the i-th of `b`, with more confidence. */
static bool is_surer(const struct match_context *w, const struct call_site *a, size_t k,
    const struct call_site *b, size_t i)
{
	return a->v[k].p == b->v[i].p &&
	    match_confidence(w, a, &a->v[k]) > match_confidence(w, b, &b->v[i]);
}

/* Whether less evidence leads to exactly one of several equal targets, with more confidence. */
static bool decides(
    const struct match_context *w, const struct call_site *less, const struct call_site *s)
{
	if (s->repos < 2 || less->repos != 1)
		return false;
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < less->n; k++)
			if (is_surer(w, less, k, s, i))
				return true;
	return false;
}

/*
 * A target that less evidence finds, too, is at least as certain as with less evidence: evidence
 * that needs a guess takes nothing away.  Takes the targets of `less`.
 */
static void raise_confidence(
    const struct match_context *w, struct call_site *s, const struct call_site *less)
{
	if (decides(w, less, s)) {
		free(s->v);
		s->v = less->v;
		s->n = less->n;
		s->cap = less->cap;
		s->repos = 1;
		return;
	}
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; k < less->n; k++) {
			if (!is_surer(w, less, k, s, i))
				continue;
			const struct forward_hop *via = s->v[i].via;
			if (less->v[k].via)
				via = less->v[k].via;
			s->v[i] = less->v[k];
			s->v[i].via = via;
		}
	free(less->v);
}

static void choose_sure(const struct match_context *w, struct call_site *s)
{
	struct call_site direct = *s;

	choose(w, s, true);
	if (!by_gateway(s))
		return;
	choose(w, &direct, false);
	raise_confidence(w, s, &direct);
}

/* Choose again without the member that the host, or else the variable, names. */
static void choose_nameless(
    const struct match_context *w, const struct call_site *call, struct call_site *s)
{
	struct call_site nameless = *call;
	bool by_host = s->host_class == HOST_MEMBER;

	nameless.hint = (struct host_names){ 0 };
	if (by_host) {
		nameless.host_class = HOST_UNKNOWN;
		nameless.host = nameless.hint;
	}
	choose_sure(w, &nameless);
	/* a variable may be named after the server that is reached in the end */
	bool better = !s->n || (by_gateway(&nameless) && all_exact(&nameless));
	if (!by_host && !s->lost && better) {
		free(s->v);
		*s = nameless;
	} else {
		raise_confidence(w, s, &nameless);
	}
}

static void choose_http(const struct match_context *w, struct call_site *s)
{
	const struct call_site call = *s;

	choose_sure(w, s);
	if (s->n && all_exact(s))
		return;
	if (gateway_index_has_rows(w->gates) && named_by(s))
		choose_nameless(w, &call, s);
}

/* ---- by name ---- */

static bool is_base(const struct call_site *s, size_t member)
{
	for (size_t i = 0; i < s->nbases; i++)
		if (s->bases[i].member == member)
			return true;
	return false;
}

/* The basis of a provider that has the name of the call; false if it cannot be the one. */
static bool named_basis(
    const struct call_site *s, const struct provider *p, enum match_basis *basis)
{
	bool graphql = match_text_equal(s->fact->kind, "graphql");

	*basis = MATCH_BY_PATH;
	if (names_member(&s->host, p->member) || names_member(&s->hint, p->member)) {
		*basis = MATCH_BY_NAME;
		return true;
	}
	if (!graphql)
		return true;
	if (s->host_class == HOST_UNKNOWN && p->member == s->member)
		*basis = MATCH_OWN_REPO;
	else if (is_base(s, p->member))
		*basis = MATCH_BY_BASE_URL;
	else if (s->host_class == HOST_EXTERNAL)
		return false;
	return true;
}

static void consider_named(
    struct match_context *w, struct call_site *s, struct provider *p, bool exact)
{
	struct match_target t = { .p = p, .rank.fit = { .level = !exact, .literals = 1 } };
	size_t from = s->n;

	if (!named_basis(s, p, &t.rank.basis))
		return;
	if (t.rank.basis == MATCH_BY_PATH && !name_is_evidence(w, s, p, exact))
		return;
	t.rank.documented = match_text_equal(p->fact->reason, "documented");
	t.rank.partial = p->fact->partial;
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
