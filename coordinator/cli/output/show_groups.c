/* Prints groups: their status, searches, contracts and links. */
#include "coordinator/cli/output/show_internal.h"
#include "proto/base/optional_text.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/call_matrix.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"

static void show_member(
    struct text_table *t, const struct member_status *r, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *behind = "unknown";
	const struct freshness lacks = { .gaps = { r->gaps.v, r->gaps.n } };

	if (r->staleness_lag_commits >= 0)
		behind = show_number((uint64_t)r->staleness_lag_commits, a);
	text_table_row(t, 8, r->name, r->health, show_index_state(r->status, r->done, r->total, a),
	    behind, show_number(r->generation, a), arena_printf(a, "%.12s", text_or_empty(r->commit)),
	    repo_names_uri(names, r->repo_uri),
	    show_gaps(show_remark(r->conflict, r->reason, r->indexing, r->atoll_yaml, a), &lacks, a));
}

/* What is wrong with declarations in atoll.yaml or in the operator's file. */
static void show_declarations(const struct clue *v, size_t n, const struct repo_names *names)
{
	for (size_t i = 0; i < n; i++)
		say(stdout, "declaration: %s %s:%llu: %s\n", repo_names_get(names, v[i].repo_uri),
		    text_or_empty(v[i].file), (unsigned long long)v[i].line, text_or_empty(v[i].text));
}

void show_group_status(const void *m, const struct repo_names *names)
{
	const struct group_status_out *o = m;
	struct text_table *t = text_table_new();

	text_table_row(
	    t, 8, "NAME", "HEALTH", "INDEX", "BEHIND", "GENERATION", "COMMIT", "REPO_URI", "");
	for (size_t i = 0; i < o->repos.n; i++)
		show_member(t, &o->repos.v[i], names);
	text_table_print(t, stdout);
	if (!o->contracts_synced_at)
		say(stdout, "contracts: not built; run `atoll group sync`\n");
	else if (o->contracts_current)
		say(stdout, "contracts: built %s\n", o->contracts_synced_at);
	else
		say(stdout, "contracts: built %s; some members have changed since, or are missing\n",
		    o->contracts_synced_at);
	show_declarations(o->declarations.v, o->declarations.n, names);
	show_coverage(o->coverage, o->complete, names);
}

static void show_snippet(const char *s)
{
	while (s && *s) {
		size_t n = strcspn(s, "\n"), shown = n;
		if (n && s[n - 1] == '\r')
			shown = n - 1;
		say(stdout, "      | %.*s\n", (int)shown, s);
		s += n;
		if (*s)
			s++;
	}
}

/* Whether this is the first page of a hybrid search and no word or name found any of it. */
static bool is_vector_only(const struct group_query_out *o)
{
	for (size_t i = 0; i < o->results.n; i++)
		for (size_t k = 0; k < o->results.v[i].sources.n; k++)
			if (strcmp(o->results.v[i].sources.v[k], "vector"))
				return false;
	bool first_page = o->results.n && o->results.v[0].rank == 1;
	return first_page && !strcmp(text_or_empty(o->mode), "hybrid");
}

static void show_hit(const struct group_hit *h)
{
	say(stdout, "%3llu. %s  %s:%llu-%llu", (unsigned long long)h->rank, text_or_empty(h->repo),
	    text_or_empty(h->path), (unsigned long long)h->start_line, (unsigned long long)h->end_line);
	if (h->kind)
		say(stdout, "  %s", h->kind);
	if (h->symbol)
		say(stdout, " %s", h->symbol);
	say(stdout, "\n");
	if (h->snippet_start_line > h->start_line)
		say(stdout, "      | line %llu:\n", (unsigned long long)h->snippet_start_line);
	show_snippet(h->snippet);
}

/* What only resembles the question, apart from what matches it. */
static void show_similar(const struct group_query_out *o)
{
	if (!o->similar.n)
		return;
	if (o->results.n)
		say(stdout, "\n");
	say(stdout, "similar to the question, but without its words:\n");
	for (size_t i = 0; i < o->similar.n; i++)
		show_hit(&o->similar.v[i]);
}

void show_group_query(const void *m, const struct repo_names *names)
{
	const struct group_query_out *o = m;

	for (size_t i = 0; i < o->results.n; i++)
		show_hit(&o->results.v[i]);
	show_similar(o);
	if (o->without_vectors)
		say(stdout, "Found only by words: %s.\n", o->without_vectors);
	if (is_vector_only(o))
		say(stdout, "None of these words was found; the results are similar in meaning.\n");
	if (o->hint)
		say(stdout, "%s\n", o->hint);
	say(stdout, "%zu of %llu results, %llu ms\n", o->results.n + o->similar.n,
	    (unsigned long long)o->total, (unsigned long long)o->took_ms);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

static const char *end_text(const struct end *e, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);

	if (!e)
		return "";
	return arena_printf(a, "%s %s:%llu%s", repo_names_get(names, e->repo_uri),
	    text_or_empty(e->file), (unsigned long long)e->line, show_prefixed(" ", e->symbol, a));
}

/* One side of a link: the repository, and where in it. */
static const char *side_text(const char *repo_uri, const char *path, uint64_t line,
    const char *what, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *s = repo_names_get(names, repo_uri);

	if (path && line)
		s = arena_printf(a, "%s %s:%llu", s, path, (unsigned long long)line);
	else if (path)
		s = arena_printf(a, "%s %s", s, path);
	if (what)
		return arena_printf(a, "%s %s", s, what);
	return s;
}

static void show_contract_totals(const struct group_contracts_out *o)
{
	const char *built = o->synced_at;

	if (!o->totals)
		return;
	if (!built)
		built = "never; run `atoll group sync`";
	say(stdout, "%llu calls, %llu unresolved, %llu routes without a caller; built %s\n",
	    (unsigned long long)o->totals->contracts, (unsigned long long)o->totals->unresolved,
	    (unsigned long long)o->totals->producers_without_consumers, built);
}

void show_matrix(const void *m, const struct repo_names *names)
{
	const struct group_contracts_out *o = m;

	matrix_show(o, names);
	show_contract_totals(o);
	say(stdout, "to list each call: --limit 200, or --json\n");
	show_coverage(o->coverage, o->complete, names);
}

/* A row for one side of a contract, with `text` about it. */
static void end_row(struct text_table *t, const struct end *e, const char *text)
{
	if (e)
		text_table_row(t, 3, e->method, e->path, text);
	else
		text_table_row(t, 3, "", "", text);
}

void show_contracts(const void *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const struct group_contracts_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->contracts.n; i++) {
		const struct contract *c = &o->contracts.v[i];
		text_table_row(t, 3, c->method, c->path, end_text(c->producer, names));
		text_table_row(t, 3, "", c->ambiguous ? "  perhaps called by" : "  called by",
		    end_text(c->consumer, names));
	}
	for (size_t i = 0; i < o->unresolved.n; i++) {
		const struct unresolved *u = &o->unresolved.v[i];
		const char *gap = "";
		if (u->gap && u->gap_at)
			gap = arena_printf(a, ": %s `%s` at %s", text_or_empty(u->why), u->gap, u->gap_at);
		end_row(t, u->consumer,
		    arena_printf(a, "%s, called by %s%s", text_or_empty(u->reason),
		        end_text(u->consumer, names), gap));
	}
	for (size_t i = 0; i < o->producers_without_consumers.n; i++) {
		const struct end *p = o->producers_without_consumers.v[i].producer;
		end_row(t, p, arena_printf(a, "%s, without a caller", end_text(p, names)));
	}
	text_table_print(t, stdout);
	show_contract_totals(o);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

void show_links(const void *m, const struct repo_names *names)
{
	const struct group_cross_repo_links_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->links.n; i++) {
		const struct link *l = &o->links.v[i];
		const char *what = l->source_symbol;
		if (l->package)
			what = l->package;
		text_table_row(t, 4,
		    side_text(l->source_repo_uri, l->source_doc_path, l->source_line, what, names),
		    l->relation,
		    side_text(
		        l->target_repo_uri, l->target_doc_path, l->target_line, l->target_symbol, names),
		    l->evidence);
	}
	text_table_print(t, stdout);
	say(stdout, "%zu of %llu links\n", o->links.n, (unsigned long long)o->total);
	show_more(o->next_cursor);
	show_coverage(o->coverage, o->complete, names);
}

static uint64_t count_links(const struct repo_edge *e)
{
	uint64_t n = 0;

	for (size_t i = 0; i < e->relations.n; i++)
		n += e->relations.v[i].links;
	return n;
}

/* The repositories on which one depends, with the number of links to each. */
static const char *dependencies(
    const struct repo_graph_out *o, const char *repo_uri, const struct repo_names *names)
{
	const char *out = "";

	for (size_t i = 0; i < o->edges.n; i++) {
		const struct repo_edge *e = &o->edges.v[i];
		if (e->depends && !strcmp(text_or_empty(e->source), repo_uri))
			out = arena_printf(repo_names_arena(names), "%s%s%s (%llu)", out, *out ? ", " : "",
			    repo_names_get(names, e->target), (unsigned long long)count_links(e));
	}
	return out;
}

void show_graph(const void *m, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const struct repo_graph_out *o = m;
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < o->repos.n; i++) {
		const struct repo_node *r = &o->repos.v[i];
		text_table_row(t, 4, repo_names_get(names, r->repo_uri), arena_printf(a, "%.3f", r->rank),
		    arena_printf(a, "used by %llu", (unsigned long long)r->needed_by),
		    dependencies(o, text_or_empty(r->repo_uri), names));
	}
	text_table_print(t, stdout);
	for (size_t i = 0; i < o->cycles.n; i++) {
		say(stdout, "cycle:");
		for (size_t k = 0; k < o->cycles.v[i].repos.n; k++)
			say(stdout, " %s", repo_names_get(names, o->cycles.v[i].repos.v[k]));
		say(stdout, "\n");
	}
	show_coverage(o->coverage, o->complete, names);
}

static void show_departed(const struct group_sync_out *o, const struct repo_names *names)
{
	if (o->departed_total)
		say(stdout, "links that the new matching rules do not make: %llu\n",
		    (unsigned long long)o->departed_total);
	for (size_t i = 0; i < o->departed.n; i++) {
		const struct departed_link *d = &o->departed.v[i];
		if (!d->consumer || !d->producer)
			continue;
		say(stdout, "  %s %s from %s to %s: %.2f before, now %.2f, %s: %s\n",
		    text_or_empty(d->consumer->method), text_or_empty(d->consumer->path),
		    end_text(d->consumer, names), repo_names_get(names, d->producer->repo_uri), d->was,
		    d->now, text_or_empty(d->reason), text_or_empty(d->missing));
	}
}

void show_sync(const void *m, const struct repo_names *names)
{
	const struct group_sync_out *o = m;

	say(stdout, "%s: %llu contract rows, %llu links, %s, %llu ms\n", text_or_empty(o->group),
	    (unsigned long long)o->contracts_written, (unsigned long long)o->links_written,
	    o->changed ? "changed" : "unchanged", (unsigned long long)o->took_ms);
	show_departed(o, names);
	show_declarations(o->declarations.v, o->declarations.n, names);
	show_coverage(o->coverage, o->complete, names);
}
