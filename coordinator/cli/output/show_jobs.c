/* Prints jobs. */
#include "coordinator/cli/output/show_internal.h"
#include "proto/base/optional_text.h"

#include <stdio.h>

#include "coordinator/cli/base/records.h"
#include "coordinator/cli/base/terminal_text.h"
#include "coordinator/cli/output/repo_names.h"
#include "coordinator/cli/output/text_table.h"
#include "proto/base/arena.h"

/* `parse 3/7`, or only the phase if the total is unknown. */
static const char *phase_text(const char *phase, uint64_t done, uint64_t total, struct arena *a)
{
	if (!phase || !total)
		return text_or_empty(phase);
	return arena_printf(
	    a, "%s %llu/%llu", phase, (unsigned long long)done, (unsigned long long)total);
}

/* `CODE: message`, or only the message if there is no code. */
static const char *error_text(const char *code, const char *message, struct arena *a)
{
	if (!code)
		return text_or_empty(message);
	return arena_printf(a, "%s: %s", code, text_or_empty(message));
}

/* The job's error, progress or result in one line. */
static const char *job_text(const struct job_row *j, struct arena *a)
{
	if (j->cancelled)
		return "cancelled";
	if (j->code) {
		const char *error = error_text(j->code, j->message, a);
		if (!j->next_run)
			return error;
		return arena_printf(a, "%s; next attempt at %s", error, j->next_run);
	}
	if (j->phase)
		return phase_text(j->phase, j->done, j->total, a);
	return text_or_empty(j->note);
}

static void job_line(struct text_table *t, const struct job_row *j, const struct repo_names *names)
{
	const char *subject = j->group, *since = j->created_at;

	if (j->repo_uri)
		subject = repo_names_get(names, j->repo_uri);
	if (j->ended_at)
		since = j->ended_at;
	text_table_row(t, 7, j->id, j->kind, subject, j->state, j->reason, since,
	    job_text(j, repo_names_arena(names)));
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

/* The history of the job, one line for each event. */
static void job_log(const struct job_row *j, struct arena *a)
{
	struct text_table *t = text_table_new();

	for (size_t i = 0; i < j->log.n; i++) {
		const struct job_event *e = &j->log.v[i];
		text_table_row(t, 4, e->at, e->state, phase_text(e->phase, e->done, e->total, a),
		    error_text(e->code, e->message, a));
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
