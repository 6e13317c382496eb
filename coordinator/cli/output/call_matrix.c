#include "coordinator/cli/output/call_matrix.h"

#include <stdio.h>
#include <string.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"

enum { COLUMNS = 8 };	/* callees side by side */

/* The repositories of one axis, each once, in the order of the result. */
struct matrix_axis {
	const char **v;
	size_t n;
};

static void add_once(struct matrix_axis *s, const char *repo_uri)
{
	for (size_t i = 0; i < s->n; i++)
		if (!strcmp(s->v[i], repo_uri))
			return;
	s->v[s->n++] = repo_uri;
}

static const char *number(uint64_t n, struct arena *a)
{
	if (n)
		return arena_printf(a, "%llu", (unsigned long long)n);
	return ".";
}

static uint64_t calls_between(
    const struct group_contracts_out *o, const char *consumer, const char *producer)
{
	uint64_t n = 0;

	for (size_t i = 0; i < o->pairs.n; i++)
		if (!strcmp(o->pairs.v[i].consumer, consumer) && !strcmp(o->pairs.v[i].producer, producer))
			n += o->pairs.v[i].calls;
	return n;
}

/* The unresolved calls by reason: `3 dynamic, 1 external`. */
static const char *unresolved_of(
    const struct group_contracts_out *o, const char *consumer, struct arena *a)
{
	const char *all = "";

	for (size_t i = 0; i < o->reasons.n; i++)
		if (!strcmp(o->reasons.v[i].consumer, consumer))
			all = arena_printf(a, "%s%s%llu %s", all, *all ? ", " : "",
			    (unsigned long long)o->reasons.v[i].calls, o->reasons.v[i].reason);
	return all;
}

static void show_grid(const struct group_contracts_out *o, const struct matrix_axis *from,
    const struct matrix_axis *to, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	const char *cells[COLUMNS + 2] = { "CALLS OF" };
	int n = (int)to->n + 2;
	struct text_table *t = text_table_new();

	for (size_t k = 0; k < to->n; k++)
		cells[k + 1] = repo_names_get(names, to->v[k]);
	cells[n - 1] = "UNRESOLVED";
	text_table_cells(t, n, cells);
	for (size_t i = 0; i < from->n; i++) {
		cells[0] = repo_names_get(names, from->v[i]);
		for (size_t k = 0; k < to->n; k++)
			cells[k + 1] = number(calls_between(o, from->v[i], to->v[k]), a);
		cells[n - 1] = unresolved_of(o, from->v[i], a);
		text_table_cells(t, n, cells);
	}
	text_table_print(t, stdout);
}

static void show_list(const struct group_contracts_out *o, const struct matrix_axis *from,
    const struct matrix_axis *to, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	struct text_table *t = text_table_new();

	text_table_row(t, 3, "CALLS OF", "TO", "");
	for (size_t i = 0; i < from->n; i++) {
		const char *unresolved = unresolved_of(o, from->v[i], a);
		for (size_t k = 0; k < to->n; k++) {
			uint64_t n = calls_between(o, from->v[i], to->v[k]);
			if (n)
				text_table_row(t, 3, repo_names_get(names, from->v[i]),
				    repo_names_get(names, to->v[k]), number(n, a));
		}
		if (*unresolved)
			text_table_row(t, 3, repo_names_get(names, from->v[i]), "unresolved", unresolved);
	}
	text_table_print(t, stdout);
}

void matrix_show(const struct group_contracts_out *o, const struct repo_names *names)
{
	struct arena *a = repo_names_arena(names);
	struct matrix_axis from = { arena_many(a, o->pairs.n + o->reasons.n, const char *), 0 };
	struct matrix_axis to = { arena_many(a, o->pairs.n, const char *), 0 };

	for (size_t i = 0; i < o->pairs.n; i++) {
		add_once(&from, o->pairs.v[i].consumer);
		add_once(&to, o->pairs.v[i].producer);
	}
	for (size_t i = 0; i < o->reasons.n; i++)
		add_once(&from, o->reasons.v[i].consumer);
	if (!from.n)
		return;
	if (to.n > COLUMNS)
		show_list(o, &from, &to, names);
	else
		show_grid(o, &from, &to, names);
	say(stdout, "\n");
}
