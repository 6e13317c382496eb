/* Prints what an index contains and omits. */
#include "coordinator/cli/output/show_internal.h"
#include "proto/base/optional_text.h"

#include <stdio.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"

static const char *number(uint64_t n, struct arena *a)
{
	return arena_printf(a, "%llu", (unsigned long long)n);
}

static const char *size(uint64_t bytes, struct arena *a)
{
	if (bytes < 1000000)
		return arena_printf(a, "%.1f KB", (double)bytes / 1e3);
	return arena_printf(a, "%.1f MB", (double)bytes / 1e6);
}

/* Files and bytes for each name, with an example if `examples` is set. */
static void show_tallies(
    const char *title, const struct tally *v, size_t n, bool examples, struct arena *a)
{
	struct text_table *t = text_table_new();

	if (n) {
		say(stdout, "\n");
		text_table_row(t, 4, title, "FILES", "SIZE", examples ? "EXAMPLE" : "");
	}
	for (size_t i = 0; i < n; i++)
		text_table_row(t, 4, v[i].name, number(v[i].files, a), size(v[i].bytes, a),
		    examples ? v[i].example : "");
	text_table_print(t, stdout);
}

/* The calls of the code by what is known of them, with their share. */
static void show_calls(const struct repo_status_out *o, struct arena *a)
{
	struct text_table *t = text_table_new();
	uint64_t all = 0;

	for (size_t i = 0; i < o->calls.n; i++)
		all += o->calls.v[i].calls;
	if (all) {
		say(stdout, "\n");
		text_table_row(t, 4, "CALLS", "NUMBER", "SHARE", "EXAMPLE");
	}
	for (size_t i = 0; i < o->calls.n && all; i++) {
		const struct call_count *c = &o->calls.v[i];
		text_table_row(t, 4, c->reason, number(c->calls, a),
		    arena_printf(a, "%.1f %%", 100.0 * (double)c->calls / (double)all), c->example);
	}
	text_table_print(t, stdout);
}

void show_repo_status(const void *m, const struct repo_names *names)
{
	const struct repo_status_out *o = m;
	struct arena *a = repo_names_arena(names);

	say(stdout, "%s  %s\n%s, %s", text_or_empty(o->name), repo_names_uri(names, o->repo_uri),
	    text_or_empty(o->status), text_or_empty(o->health));
	if (o->reason)
		say(stdout, ": %s", o->reason);
	if (o->freshness)
		say(stdout, "; generation %llu, commit %.12s, graph_hash %.12s",
		    (unsigned long long)o->freshness->generation, text_or_empty(o->freshness->commit),
		    text_or_empty(o->freshness->graph_hash));
	const char *lacks = show_gaps(o->reason, o->freshness, a);
	if (lacks && lacks != o->reason)
		say(stdout, "\nits index %s", lacks);
	if (o->vectors_reason)
		say(stdout, "\nvectors %s: %s", text_or_empty(o->vectors), o->vectors_reason);
	if (o->sandbox && *o->sandbox)
		say(stdout, "\nsandbox: %s", o->sandbox);
	if (o->sandbox_lacks)
		say(stdout, "\nsandbox: not active: %s", o->sandbox_lacks);
	say(stdout, "\n%llu files, %s; %llu definitions, %llu documents; index %s, built in %llu ms\n",
	    (unsigned long long)o->files, size(o->bytes, a), (unsigned long long)o->symbols,
	    (unsigned long long)o->documents, size(o->index_bytes, a),
	    (unsigned long long)o->ingest_ms);
	show_tallies("LANGUAGE", o->languages.v, o->languages.n, false, a);
	show_tallies("OMITTED OR TRUNCATED", o->skipped.v, o->skipped.n, true, a);
	show_calls(o, a);
	if (o->quarantined.n)
		say(stdout, "\nin quarantine, because they crashed the indexer:\n");
	for (size_t i = 0; i < o->quarantined.n; i++)
		say(stdout, "%s\n", o->quarantined.v[i]);
}
