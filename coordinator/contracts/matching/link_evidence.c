#include "coordinator/contracts/matching/link_evidence.h"

#include <math.h>
#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

static const struct {
	const char *code, *sentence;
	double weight;
} kinds[EVIDENCE_KINDS] = {
#define EVIDENCE(code, start, weight, sentence) { #code, sentence, weight },
#include "coordinator/contracts/matching/evidence.def"
#undef EVIDENCE
};

/* The share, in percent, of the different requests to an address that are no coincidence. */
enum { SERVED_PERCENT_MIN = 34 };

/* ---- what a link has ---- */

static enum evidence_kind evidence_of_name(const struct call_site *s)
{
	if (s->host_class != HOST_MEMBER)
		return EVIDENCE_variable;
	if (s->host.loose)
		return EVIDENCE_host_like;
	return EVIDENCE_host;
}

/* Why it may be this repository, of which no more is known than that method and path fit. */
static enum evidence_kind evidence_of_relation(
    const struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	static const enum evidence_kind relations[] = {
		[RELATION_NONE] = EVIDENCE_path_only,
		[RELATION_POSSIBLE] = EVIDENCE_acquainted,
		[RELATION_EVIDENT] = EVIDENCE_related,
	};

	if (t->p->member == s->member)
		return EVIDENCE_own_repository;
	if (!match_text_equal(s->fact->kind, "http"))
		return EVIDENCE_contract_name;
	return relations[member_relation(w->relations, s->member, t->p->member, NULL)];
}

/* Why it is this repository. */
static enum evidence_kind evidence_of_server(
    const struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	static const enum evidence_kind bases[] = {
		[MATCH_BY_GATEWAY] = EVIDENCE_gateway,
		[MATCH_OWN_REPO] = EVIDENCE_own_repository,
		[MATCH_BY_PREFIX] = EVIDENCE_prefix,
		[MATCH_BY_BASE_URL] = EVIDENCE_address,
	};

	if (declarations_make_sure(s, t))
		return EVIDENCE_declared;
	if (t->rank.basis == MATCH_BY_NAME)
		return evidence_of_name(s);
	if (t->rank.basis == MATCH_BY_PATH)
		return evidence_of_relation(w, s, t);
	return bases[t->rank.basis];
}

static bool serves_much(const struct call_site *s, size_t member)
{
	struct address_support a = address_support(s, member);

	return a.served > 1 && a.served * 100 >= a.called * SERVED_PERCENT_MIN;
}

static void add_path_evidence(
    const struct call_site *s, const struct match_target *t, struct link_evidence *e)
{
	const struct path_match *f = &t->rank.fit;
	struct path_words words = path_words(&s->path, &t->p->path, f);

	e->has[EVIDENCE_stripped] = f->shift > 0 || (!f->shift && f->level == 1);
	e->has[EVIDENCE_suffix] = f->shift < 0 || (!f->shift && f->level == 2);
	e->has[EVIDENCE_guessed] = f->weak > 0;
	e->has[EVIDENCE_rest] = f->rest;
	e->has[EVIDENCE_one_word] = words.telling < 2;
	bool by_path = t->rank.basis == MATCH_BY_PATH && t->p->member != s->member;
	e->has[EVIDENCE_served] = by_path && serves_much(s, t->p->member);
	e->has[EVIDENCE_unknown_host] = by_path && s->host_class == HOST_UNREGISTERED;
}

struct link_evidence link_evidence_of(
    const struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	struct link_evidence e = { 0 };

	e.has[EVIDENCE_path] = true;
	e.has[evidence_of_server(w, s, t)] = true;
	if (match_text_equal(s->fact->kind, "http")) {
		e.has[EVIDENCE_gateway] = t->via && !e.has[EVIDENCE_declared];
		add_path_evidence(s, t, &e);
	}
	bool topic = match_text_equal(s->fact->kind, "topic");
	e.has[EVIDENCE_one_of_several] = s->repos > 1 && !topic && t->rank.basis != MATCH_BY_BASE_URL;
	e.has[EVIDENCE_any_method] = match_text_equal(s->fact->method, "ANY") && t->rank.any;
	e.has[EVIDENCE_passed_on] = s->through;
	e.has[EVIDENCE_like_gateway] = t->loose;
	e.has[EVIDENCE_documented] = t->rank.documented;
	e.has[EVIDENCE_partial] = t->rank.partial && !t->rank.documented;
	return e;
}

double link_evidence_probability(const struct link_evidence *e)
{
	double odds = 0;

	if (e->has[EVIDENCE_declared])
		return 1;
	for (size_t i = 0; i < EVIDENCE_KINDS; i++)
		if (e->has[i])
			odds += kinds[i].weight;
	return 1 / (1 + exp(-odds));
}

/* ---- what a person reads ---- */

struct clues {
	struct clue *v;
	size_t n;
};

static void add_clue(struct clues *l, enum evidence_kind kind, const struct match_member *m,
    const struct fact *at, const char *text)
{
	l->v[l->n++] = (struct clue){ .repo_uri = m->repo_uri,
		.file = at->file,
		.line = at->line,
		.text = text_or(text, kinds[kind].sentence),
		.code = kinds[kind].code };
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
	if (s->host_class == HOST_MEMBER)
		return arena_printf(
		    a, "host %s %s %s", s->host.name, s->host.loose ? "is like" : "names", server->name);
	return arena_printf(
	    a, "the name %s %s %s", s->hint.name, s->hint.loose ? "is like" : "names", server->name);
}

static const char *served_text(const struct call_site *s, const struct match_member *server,
    size_t served, size_t called, struct arena *a)
{
	return arena_printf(a, "%s serves %zu of the %zu requests to %s", server->name, served, called,
	    text_or(s->host.name, "this address"));
}

static const char *address_text(
    const struct call_site *s, size_t member, const struct match_member *server, struct arena *a)
{
	for (size_t i = 0; i < s->nbases; i++)
		if (s->bases[i].member == member)
			return served_text(s, server, s->bases[i].served, s->bases[i].called, a);
	return NULL;
}

static const char *relation_text(
    const struct match_context *w, const struct call_site *s, const struct match_target *t)
{
	const char *why = NULL;

	member_relation(w->relations, s->member, t->p->member, &why);
	return why;
}

/* The sentence about why it is this repository; NULL for the general one. */
static const char *server_text(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, enum evidence_kind kind)
{
	const struct match_member *server = &w->m[t->p->member];

	switch (kind) {
	case EVIDENCE_declared:
	case EVIDENCE_host:
	case EVIDENCE_host_like:
	case EVIDENCE_variable: return name_text(s, server, w->a);
	case EVIDENCE_prefix:
		return arena_printf(
		    w->a, "/%s in front of the path is like %s", s->prefix.name, server->name);
	case EVIDENCE_address: return address_text(s, t->p->member, server, w->a);
	case EVIDENCE_related:
	case EVIDENCE_acquainted: return relation_text(w, s, t);
	default: return NULL;
	}
}

/* Why it is this repository, and the gateways on the way to it. */
static void add_server_clues(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, struct clues *l)
{
	const struct match_member *caller = &w->m[s->member];
	enum evidence_kind kind = evidence_of_server(w, s, t);
	enum evidence_kind hop = EVIDENCE_gateway;

	if (kind == EVIDENCE_declared || kind == EVIDENCE_contract_name)
		hop = kind;
	if (t->rank.basis != MATCH_BY_GATEWAY && !declarations_link(s))
		add_clue(l, kind, caller, s->fact, server_text(w, s, t, kind));
	for (const struct forward_hop *v = t->via; v; v = v->next)
		add_clue(l, hop, &w->m[v->member], v->fact, via_text(v, w->a));
	if (s->through)
		add_clue(l, EVIDENCE_passed_on, caller, s->fact,
		    arena_printf(w->a, "host %s answers nothing itself and passes on", s->host.name));
}

static void add_served_clue(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, struct clues *l)
{
	struct address_support a = address_support(s, t->p->member);

	add_clue(l, EVIDENCE_served, &w->m[s->member], s->fact,
	    served_text(s, &w->m[t->p->member], a.served, a.called, w->a));
}

/* What weakens the link, each at the end that it is about. */
static void add_doubts(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, const struct link_evidence *e, struct clues *l)
{
	static const struct {
		enum evidence_kind kind;
		bool of_route;
	} doubts[] = {
		{ EVIDENCE_any_method, false },
		{ EVIDENCE_guessed, false },
		{ EVIDENCE_one_word, false },
		{ EVIDENCE_unknown_host, false },
		{ EVIDENCE_like_gateway, false },
		{ EVIDENCE_rest, true },
		{ EVIDENCE_documented, true },
		{ EVIDENCE_partial, true },
	};

	for (size_t i = 0; i < LEN(doubts); i++) {
		size_t member = doubts[i].of_route ? t->p->member : s->member;
		const struct fact *at = doubts[i].of_route ? t->p->fact : s->fact;
		if (e->has[doubts[i].kind])
			add_clue(l, doubts[i].kind, &w->m[member], at, NULL);
	}
}

static void add_path_clue(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, const struct link_evidence *e, struct clues *l)
{
	const struct fact *call = s->fact, *route = t->p->fact;
	enum evidence_kind kind = EVIDENCE_path;
	const char *fits = "is";

	if (e->has[EVIDENCE_stripped]) {
		kind = EVIDENCE_stripped;
		fits = "is, without its prefix,";
	}
	if (e->has[EVIDENCE_suffix]) {
		kind = EVIDENCE_suffix;
		fits = "ends";
	}
	add_clue(l, kind, &w->m[t->p->member], route,
	    arena_printf(
	        w->a, "%s %s %s %s %s", call->method, call->path, fits, route->method, route->path));
}

/* The steps that led to a fact, such as the mounts of a route. */
static void add_steps(struct clues *l, const struct match_member *m, const struct fact *f)
{
	for (size_t i = 0; i < f->steps.n; i++)
		l->v[l->n++] = (struct clue){ .repo_uri = m->repo_uri,
			.file = text_or(f->steps.v[i].file, f->file),
			.line = f->steps.v[i].line,
			.text = f->steps.v[i].text };
}

static void add_declarations(
    const struct call_site *s, const struct link_evidence *e, struct clues *l)
{
	struct clue *first = l->v + l->n;

	l->n += declarations_clues(s, first);
	if (declarations_link(s) && e->has[EVIDENCE_declared])
		first->code = kinds[EVIDENCE_declared].code;
}

static size_t count_hops(const struct match_target *t)
{
	size_t n = 0;

	for (const struct forward_hop *v = t->via; v; v = v->next)
		n++;
	return n;
}

void link_evidence_explain(const struct match_context *w, const struct call_site *s,
    const struct match_target *t, const struct link_evidence *e, struct contract *row)
{
	const struct match_member *caller = &w->m[s->member], *server = &w->m[t->p->member];
	size_t most = s->fact->steps.n + t->p->fact->steps.n + count_hops(t) + EVIDENCE_KINDS +
	    declarations_count(s);
	struct clues l = { arena_many(w->a, most, struct clue), 0 };

	add_steps(&l, caller, s->fact);
	add_declarations(s, e, &l);
	add_server_clues(w, s, t, &l);
	if (e->has[EVIDENCE_served])
		add_served_clue(w, s, t, &l);
	if (e->has[EVIDENCE_one_of_several])
		add_clue(&l, EVIDENCE_one_of_several, caller, s->fact,
		    arena_printf(w->a, "one of %zu repositories that serve it equally well", s->repos));
	add_path_clue(w, s, t, e, &l);
	add_doubts(w, s, t, e, &l);
	add_steps(&l, server, t->p->fact);
	row->evidence.v = l.v;
	row->evidence.n = l.n;
}
