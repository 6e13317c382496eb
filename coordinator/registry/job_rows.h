#ifndef COORDINATOR_REGISTRY_JOB_ROWS_H
#define COORDINATOR_REGISTRY_JOB_ROWS_H
/* Reads rows of the table `jobs` within a transaction; job_table.c changes them. */

struct arena;
struct db;
struct err;
struct job;
struct stmt;

/* The columns that a statement must select for job_read_row. */
#define JOB_COLUMNS \
	"seq, id, kind, key, lane, repo_uri, grp, host, base, head, reason, caller, state, memo," \
	" phase, note, code, message, force, cancelled, tries, waits, lost, created_ms, due_ms," \
	" started_ms, ended_ms, done, total, generation"

/* Runs a bound statement and reads its first row.  1, 0 if there is no row, or -1. */
int job_read_row(struct stmt *, struct job *, struct arena *, struct err *);

/* The job with this id, or NOT_FOUND. */
int job_find(struct db *, const char *id, struct job *out, struct arena *, struct err *);
#endif
