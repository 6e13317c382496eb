/* Calls without a link: why, and what is missing. */
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/net/crypto.h"

enum { CANDIDATES_MAX = 16 };

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

static double best_confidence(const struct match_context *w, const struct call_site *s)
{
	double best = 0;

	for (size_t i = 0; i < s->n; i++)
		best = MAX(best, match_confidence(w, s, &s->v[i]));
	return best;
}

/* ---- what is missing ---- */

static const char *missing_value(const struct unresolved *u, struct arena *a)
{
	if (u->gap)
		return arena_printf(a, "the value of `%s` at %s is not known", u->gap, u->gap_at);
	return "a part of its URL is known only when it runs";
}

static const char *missing_candidate(
    const struct match_context *w, const struct call_site *s, const struct unresolved *u)
{
	return arena_printf(w->a, "%s serves it, but too little speaks for it (%.2f of %.2f)",
	    w->m[s->v[0].p->member].name, u->confidence, MATCH_LEAST);
}

static const char *missing_at_host(const struct match_context *w, const struct call_site *s)
{
	if (s->host_class == HOST_UNREGISTERED)
		return arena_printf(w->a, "no repository of the group is known by the name %s", s->host.name);
	return arena_printf(w->a, "%s is named by its host, but serves nothing that fits",
	    w->m[s->host.members[0]].name);
}

/* What an HTTP call lacks that no candidate is left for. */
static const char *missing_server(const struct match_context *w, const struct call_site *s)
{
	if (s->lost)
		return "the gateway passes it on to where nothing serves it";
	if (s->host_class == HOST_UNREGISTERED || (s->host_class == HOST_MEMBER && s->host.n))
		return missing_at_host(w, s);
	if (s->hint.n)
		return arena_printf(w->a, "%s is named by its address, but serves nothing that fits",
		    w->m[s->hint.members[0]].name);
	if (match_index_find(w->index, &s->path)->n)
		return "others serve such a path, but no name, gateway or other request speaks for one of "
		       "them; `links` in atoll.yaml declares it";
	return "nothing in the group serves such a path";
}

/* What would make a link of the call, in a sentence. */
static const char *missing_of(
    const struct match_context *w, const struct call_site *s, const struct unresolved *u)
{
	if (u->evidence.n)
		return arena_printf(w->a, "%s (%s:%llu)", u->evidence.v[0].text, u->evidence.v[0].file,
		    (unsigned long long)u->evidence.v[0].line);
	if (!strcmp(u->reason, "dynamic"))
		return missing_value(u, w->a);
	if (!strcmp(u->reason, "external"))
		return arena_printf(w->a, "its host %s is no member's", text_or_empty(s->host.name));
	if (!strcmp(u->reason, "ambiguous"))
		return arena_printf(w->a, "nothing tells which of %zu repositories is meant", s->repos);
	if (s->n)
		return missing_candidate(w, s, u);
	if (match_text_equal(s->fact->kind, "http"))
		return missing_server(w, s);
	return "nothing in the group that may be meant has this name";
}

void match_add_unresolved(struct match_context *w, const struct call_site *s)
{
	struct match_result *o = w->out;
	size_t n = MIN(s->n, CANDIDATES_MAX);
	struct unresolved row = {
		.id = unresolved_id(w, s),
		.kind = s->fact->kind,
		.method = s->fact->method,
		.path = s->fact->path,
		.host = s->fact->host,
		.consumer = match_end_of(&w->m[s->member], s->fact, arena_one(w->a, struct end)),
		.reason = reason_of(s),
		.confidence = best_confidence(w, s),
		.scope = s->fact->scope,
	};

	set_gap(w, s->fact, &row);
	row.evidence.v = arena_many(w->a, declarations_count(s), struct clue);
	row.evidence.n = declarations_clues(s, row.evidence.v);
	row.candidates.v = arena_many(w->a, n, struct end);
	row.candidates.n = n;
	for (size_t i = 0; i < n; i++)
		match_end_of(&w->m[s->v[i].p->member], s->v[i].p->fact, &row.candidates.v[i]);
	row.missing = missing_of(w, s, &row);
	o->unresolved.v = grow(o->unresolved.v, &o->unresolved.cap, o->unresolved.n + 1, sizeof row);
	o->unresolved.v[o->unresolved.n++] = row;
}
