/* Jobs as the terminal shows them. */
#include "coordinator/cli/output/show_internal.h"

#include <stdio.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"

/* What is to be said of a job in a line. */
static const char *job_says(const struct job_row *j, struct arena *a)
{
	if (j->cancelled)
		return "cancelled";
	if (j->code)
		return arena_printf(a, "%s: %s%s%s", j->code, plain(j->message),
		    j->next_run ? "; again at " : "", plain(j->next_run));
	if (j->phase && j->total)
		return arena_printf(
		    a, "%s %llu/%llu", j->phase, (unsigned long long)j->done, (unsigned long long)j->total);
	if (j->phase)
		return j->phase;
	return plain(j->note);
}

static void job_line(struct text_table *t, const struct job_row *j, const struct repo_names *names)
{
	text_table_row(t, 7, j->id, j->kind,
	    j->repo_uri ? repo_names_get(names, j->repo_uri) : plain(j->group), j->state, j->reason,
	    j->ended_at ? j->ended_at : j->created_at, job_says(j, repo_names_arena(names)));
}

void show_jobs(const void *m, const struct repo_names *names)
{
	const struct job_list_out *o = m;
	struct text_table *t = text_table_new();

	text_table_row(t, 7, "ID", "KIND", "OF", "STATE", "REASON", "SINCE", "");
	for (size_t i = 0; i < o->jobs.n; i++)
		job_line(t, &o->jobs.v[i], names);
	text_table_print(t, stdout);
	show_more(o->next_cursor);
}

/* What happened to it, a line each. */
static void job_log(const struct job_row *j, struct arena *a)
{
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < j->log.n; i++) {
		const struct job_event *e = &j->log.v[i];
		const char *phase = e->phase && e->total ?
		    arena_printf(a, "%s %llu/%llu", e->phase, (unsigned long long)e->done,
		        (unsigned long long)e->total) :
		    plain(e->phase);
		text_table_row(t, 4, plain(e->at), plain(e->state), phase,
		    e->code ? arena_printf(a, "%s: %s", e->code, plain(e->message)) : plain(e->message));
	}
	text_table_print(t, stdout);
}

void show_job(const void *m, const struct repo_names *names)
{
	struct text_table *t = text_table_new();
	const struct job_row *j = m;

	job_line(t, j, names);
	text_table_print(t, stdout);
	if (j->log.n)
		say(stdout, "\n");
	job_log(j, repo_names_arena(names));
}
