#ifndef COORDINATOR_REGISTRY_JOB_ROWS_H
#define COORDINATOR_REGISTRY_JOB_ROWS_H
/*
 * Rows of the table `jobs` as they are read, within a transaction: for job_table.c, which changes
 * them.
 */

struct arena;
struct db;
struct err;
struct job;
struct stmt;

/* What a statement selects, for job_read_row. */
#define JOB_COLUMNS "seq, id, kind, key, lane, repo_uri, grp, host, base, head, reason, caller, state, memo, phase, note, code," \
	" message, force, cancelled, tries, waits, lost, created_ms, due_ms, started_ms, ended_ms, done, total, generation"

/* The only row of a statement that is bound.  1, 0: there is none, or -1. */
int job_read_row(struct stmt *, struct job *, struct arena *, struct err *);

/* The job called so, or NOT_FOUND. */
int job_find(struct db *, const char *id, struct job *out, struct arena *, struct err *);
#endif
