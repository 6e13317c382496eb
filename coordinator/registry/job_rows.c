#include "coordinator/registry/job_rows.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/job_table.h"
#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"


static void read_job(struct stmt *s, struct job *j, struct arena *a)
{
	const char **strings[] = { &j->id, &j->kind, &j->key, &j->lane, &j->repo_uri, &j->group,
		&j->host, &j->base, &j->head, &j->reason, &j->caller, &j->state, &j->memo, &j->phase,
		&j->note, &j->code, &j->message };
	int col = 0;

	j->seq = db_int(s, col++);
	for (size_t i = 0; i < LEN(strings); i++)
		*strings[i] = db_copy_text(s, col++, a);
	j->force = db_int(s, col++);
	j->cancelled = db_int(s, col++);
	int64_t *numbers[] = { &j->tries, &j->waits, &j->lost, &j->created_ms, &j->due_ms,
		&j->started_ms, &j->ended_ms };
	for (size_t i = 0; i < LEN(numbers); i++)
		*numbers[i] = db_int(s, col++);
	j->done = (uint64_t)db_int(s, col++);
	j->total = (uint64_t)db_int(s, col++);
	j->generation = (uint64_t)db_int(s, col);
}

int job_read_row(struct stmt *s, struct job *j, struct arena *a, struct err *e)
{
	int rc = db_step(s, e);

	if (rc != 1)
		return rc;
	*j = (struct job){ 0 };
	read_job(s, j, a);
	do {	/* a statement with `returning` takes effect when it is stepped to its end */
		rc = db_step(s, e);
	} while (rc == 1);
	if (rc)
		return -1;
	return 1;
}

int job_find(struct db *db, const char *id, struct job *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select " JOB_COLUMNS " from jobs where id = ?", e);

	if (!s || db_bind(s, "s", id))
		return -1;
	int rc = job_read_row(s, out, a, e);
	if (rc < 0)
		return -1;
	if (rc)
		return 0;
	return job_not_found(id, e);
}

int job_not_found(const char *id, struct err *e)
{
	err_set(e, ERR_NOT_FOUND, "no job `%.40s`", id);
	return err_hint(e, "Run `atoll jobs list` to see the jobs.");
}

int job_get(struct registry *r, const char *id, struct job *out, struct arena *a, struct err *e)
{
	return registry_read_end(r, job_find(registry_read_begin(r), id, out, a, e));
}

static int all(struct db *db, const char *state, const char *kind, const char *of, struct job **v,
    size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select " JOB_COLUMNS
	    " from jobs where (?1 is null or state = ?1) and (?2 is null or kind = ?2)"
	    " and (?3 is null or repo_uri = ?3 or grp = ?3) order by seq desc",
	    e);
	struct job *w = NULL;
	size_t cap = 0;
	int rc;

	*n = 0;
	if (!s || db_bind(s, "sss", state, kind, of))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		w = grow(w, &cap, *n + 1, sizeof *w);
		w[*n] = (struct job){ 0 };
		read_job(s, &w[(*n)++], a);
	}
	*v = arena_many(a, *n, struct job);
	if (*n)
		memcpy(*v, w, *n * sizeof *w);
	free(w);
	return rc;
}

int job_find_all(struct registry *r, const char *state, const char *kind, const char *of,
    struct job **v, size_t *n, struct arena *a, struct err *e)
{
	return registry_read_end(r, all(registry_read_begin(r), state, kind, of, v, n, a, e));
}

static int read_events(struct db *db, const char *id, struct job_log_entry **v, size_t *n,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select at_ms, state, phase, code, message, done, total from job_log"
	    " where job = ? order by seq",
	    e);
	struct job_log_entry *w = NULL;
	size_t cap = 0;
	int rc;

	*n = 0;
	if (!s || db_bind(s, "s", id))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		w = grow(w, &cap, *n + 1, sizeof *w);
		w[(*n)++] = (struct job_log_entry){
			.at_ms = db_int(s, 0),
			.state = db_copy_text(s, 1, a),
			.phase = db_copy_text(s, 2, a),
			.code = db_copy_text(s, 3, a),
			.message = db_copy_text(s, 4, a),
			.done = (uint64_t)db_int(s, 5),
			.total = (uint64_t)db_int(s, 6),
		};
	}
	*v = arena_many(a, *n, struct job_log_entry);
	if (*n)
		memcpy(*v, w, *n * sizeof *w);
	free(w);
	return rc;
}

int job_log(struct registry *r, const char *id, struct job_log_entry **v, size_t *n,
    struct arena *a, struct err *e)
{
	return registry_read_end(r, read_events(registry_read_begin(r), id, v, n, a, e));
}
