/* Prints why there is a link, or none. */
#include "coordinator/cli/output/show_internal.h"

#include <string.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

/* `GET /users/{} in web src/a.js:3`. */
static const char *end_text(const struct end *e, const struct repo_names *names)
{
	if (!e)
		return "";
	return arena_printf(repo_names_arena(names), "%s %s in %s %s:%llu", text_or_empty(e->method),
	    text_or_empty(e->path), repo_names_get(names, e->repo_uri), text_or_empty(e->file),
	    (unsigned long long)e->line);
}

static void show_clue(const struct clue *k, const struct repo_names *names)
{
	say(stdout, "    %s%s%s  (%s %s:%llu)\n", text_or_empty(k->code), k->code ? ": " : "",
	    text_or_empty(k->text), repo_names_get(names, k->repo_uri), text_or_empty(k->file),
	    (unsigned long long)k->line);
}

/* What speaks for the link, or if that has no codes, all that is known. */
static void show_evidence(const struct contract *c, const struct repo_names *names)
{
	bool coded = false;

	for (size_t i = 0; i < c->evidence.n; i++)
		coded |= c->evidence.v[i].code != NULL;
	for (size_t i = 0; i < c->evidence.n; i++)
		if (!coded || c->evidence.v[i].code)
			show_clue(&c->evidence.v[i], names);
}

static void show_contract(const struct contract *c, const struct repo_names *names)
{
	say(stdout, "linked (%.2f%s): %s\n", c->confidence, c->ambiguous ? ", ambiguous" : "",
	    end_text(c->consumer, names));
	say(stdout, "    to %s\n", end_text(c->producer, names));
	show_evidence(c, names);
}

static void show_link(const struct link *l, const struct repo_names *names)
{
	const char *what = text_or(l->package, l->target_doc_path);

	say(stdout, "linked (%.2f): %s %s", l->confidence, text_or_empty(l->relation),
	    text_or_empty(what));
	if (l->source_doc_path)
		say(stdout, " in %s %s:%llu", repo_names_get(names, l->source_repo_uri), l->source_doc_path,
		    (unsigned long long)l->source_line);
	say(stdout, "\n");
}

static void show_candidate(const struct link_candidate *c, const struct repo_names *names)
{
	say(stdout, "    %s: %s\n", text_or_empty(c->step), text_or_empty(c->text));
	say(stdout, "        route: %s\n", end_text(c->route, names));
	if (c->at)
		say(stdout, "        at: %s\n", c->at);
	if (c->atoll_yaml)
		say(stdout, "        atoll.yaml of %s: %s\n", repo_names_get(names, c->atoll_yaml_of),
		    c->atoll_yaml);
}

static void show_missing(const struct missing_link *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);

	say(stdout, "not linked: %s%s%s\n", end_text(m->call, names),
	    show_prefixed(", host ", m->host, a),
	    show_prefixed(", linked to ", text_or_null(repo_names_get(names, m->goes_to)), a));
	for (size_t i = 0; i < m->candidates.n; i++)
		show_candidate(&m->candidates.v[i], names);
}

/* Why a call has no link: what could not be followed, or who might serve it. */
static void show_unresolved(const struct unresolved *u, const struct repo_names *names)
{
	say(stdout, "not linked (%s): %s%s\n", text_or_empty(u->reason), end_text(u->consumer, names),
	    show_prefixed(", host ", u->host, repo_names_arena(names)));
	if (u->gap && u->gap_at)
		say(stdout, "    not followed: %s `%s` at %s\n", text_or_empty(u->why), u->gap, u->gap_at);
	if (u->missing)
		say(stdout, "    missing: %s\n", u->missing);
	for (size_t i = 0; i < u->candidates.n; i++)
		say(stdout, "    perhaps %s\n", end_text(&u->candidates.v[i], names));
	for (size_t i = 0; i < u->evidence.n; i++)
		show_clue(&u->evidence.v[i], names);
}

void show_route_calls(const void *m, const struct repo_names *names)
{
	const struct group_contracts_out *o = m;

	for (size_t i = 0; i < o->contracts.n; i++)
		show_contract(&o->contracts.v[i], names);
	for (size_t i = 0; i < o->unresolved.n; i++)
		show_unresolved(&o->unresolved.v[i], names);
	for (size_t i = 0; i < o->producers_without_consumers.n; i++)
		say(stdout, "without a caller: %s\n",
		    end_text(o->producers_without_consumers.v[i].producer, names));
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

void show_why(const void *m, const struct repo_names *names)
{
	const struct explain_link_out *o = m;
	size_t shown = o->contracts.n + o->links.n + o->missing.n;

	if (o->step)
		say(stdout, "%s: ", o->step);
	say(stdout, "%s\n", text_or_empty(o->why));
	for (size_t i = 0; i < o->problems.n; i++)
		say(stdout, "%s: %s\n", text_or_empty(o->problems.v[i].step),
		    text_or_empty(o->problems.v[i].text));
	if (shown)
		say(stdout, "\n");
	for (size_t i = 0; i < o->contracts.n; i++)
		show_contract(&o->contracts.v[i], names);
	for (size_t i = 0; i < o->links.n; i++)
		show_link(&o->links.v[i], names);
	for (size_t i = 0; i < o->missing.n; i++)
		show_missing(&o->missing.v[i], names);
	if (shown < o->total)
		say(stdout, "%zu of %llu\n", shown, (unsigned long long)o->total);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}
