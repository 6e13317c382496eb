#include "coordinator/registry/job_table.h"

#include <string.h>

#include "coordinator/registry/job_rows.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/replication.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"

enum {
	LOST_MAX = 20,	/* a job fails once its coordinator has died this often while running it */
	SKEW = 10,	/* a lease that ends later than this many lease times was set by a wrong clock */
};

/* The key of repo_index_metadata. */
#define REPO_URL "(case when repo_uri like 'local:%' then repo_uri else 'https://' || repo_uri end)"
#define INDEXES "kind in ('build', 'update') and repo_uri is not null"

/* ---- queueing ---- */

/* The job that already covers `j`: a queued one, or a running one if the kind allows that. */
static int find_covering(struct db *db, const struct job_kind *k, const struct job *j,
    struct job *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select " JOB_COLUMNS " from jobs where key = ?1 and (state = 'queued' or"
	    " (state = 'running' and not cancelled and ?2 and force >= ?3)) order by state limit 1",
	    e);

	if (!s || db_bind(s, "sii", j->key, (int64_t)(k->again == SKIP), (int64_t)j->force))
		return -1;
	return job_read_row(s, out, a, e);
}

/*
 * Serves both requests with one job: the older base, the newer head, the earlier time.  Tries are
 * counted from zero again.
 */
static int merge(struct db *db, const struct job *j, const struct job *with, struct err *e)
{
	return db_run(db, e,
	    "update jobs set force = max(force, ?), base = coalesce(base, ?), head = coalesce(?, head),"
	    " due_ms = min(due_ms, ?), tries = 0, waits = 0, code = null, message = null,"
	    " reason = case when force < ? then ? else reason end where id = ? and state = 'queued'",
	    "issiiss", (int64_t)j->force, j->base, j->head, j->due_ms, (int64_t)j->force, j->reason,
	    with->id);
}

static int insert(struct db *db, const struct job_kind *k, struct job *j, int64_t now,
    struct arena *a, struct err *e)
{
	char *id = arena_get(a, 17, 1);

	crypto_random_hex(id, 8);
	j->id = id;
	j->state = "queued";
	j->memo = "";
	j->created_ms = now;
	if (db_run(db, e,
	        "insert into jobs (id, kind, key, lane, heavy, repo_uri, grp, host, force, base, head,"
	        " reason, caller, state, created_ms, due_ms, own)"
	        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?)",
	        "ssssisssissssiii", j->id, j->kind, j->key, j->lane, (int64_t)(k->load == HEAVY),
	        j->repo_uri, j->group, j->host, (int64_t)j->force, j->base, j->head, j->reason,
	        j->caller, now, j->due_ms, (int64_t)(k->ownership == JOB_LOCAL)))
		return -1;
	j->seq = db_last_id(db);
	return 0;
}

static int put(struct db *db, const struct job_kind *k, struct job *j, bool *fresh, int64_t now,
    struct arena *a, struct err *e)
{
	struct job other;
	int rc = find_covering(db, k, j, &other, a, e);

	*fresh = rc == 0;
	if (rc < 0)
		return -1;
	if (*fresh)
		return insert(db, k, j, now, a, e);
	if (merge(db, j, &other, e))
		return -1;
	*j = other;
	return 0;
}

int job_enqueue(struct registry *r, const struct job_kind *k, struct job *j, bool *fresh,
    int64_t now, struct arena *a, struct err *e)
{
	const struct job want = *j;
	int64_t began = clock_ms();
	int rc, tries = 0;

	do {
		struct db *db = registry_begin_durable(r, e);
		*j = want;
		j->kind = k->name;
		if (db)
			rc = registry_end(r, put(db, k, j, fresh, now + clock_ms() - began, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return MAX(rc, -1);
}

/* ---- leases ---- */

static int note_building(struct db *db, const struct job *j, struct err *e)
{
	return db_run(db, e,
	    "insert into repo_index_metadata (repo_url, status) select " REPO_URL
	    ", 'building' from jobs"
	    " where id = ? and " INDEXES " on conflict (repo_url) do update set status = 'building'",
	    "s", j->id);
}

/*
 * Records the state of the index once no job works on it: `failed` after a job that failed, until
 * another index is published.
 */
static int note_ended(struct db *db, const struct job *j, int64_t now, struct err *e)
{
	char checked[CLOCK_ISO];
	bool done = !strcmp(j->state, "done");
	bool failed = !strcmp(j->state, "failed") && !j->cancelled;

	clock_iso_at(now, checked);
	return db_run(db, e,
	    "update repo_index_metadata set checked_at = coalesce(?1, checked_at),"
	    " status = case when ?2 then 'failed' when indexed_at is null then 'pending'"
	    " else 'ready' end where repo_url = (select " REPO_URL
	    " from jobs where id = ?3 and " INDEXES ")",
	    "sis", done ? checked : NULL, (int64_t)failed, j->id);
}

/*
 * Merges a job that has to run again into the queued job with the same key.  1: there was one, and
 * `j` is done; 0: there was none.
 */
static int leave_to_next(
    struct db *db, const struct job *j, int64_t due, int64_t now, struct err *e)
{
	if (db_run(db, e,
	        "update jobs set force = max(force, ?), base = coalesce(?, base),"
	        " tries = max(tries, ?), due_ms = max(due_ms, ?) where key = ? and state = 'queued'",
	        "isiis", (int64_t)j->force, j->base, j->tries, due, j->key))
		return -1;
	if (!db_changes(db))
		return 0;
	if (db_run(db, e,
	        "update jobs set state = 'done', holder = null, lease_ms = null, ended_ms = ?1,"
	        " note = 'left to job ' || (select id from jobs where key = ?2 and state = 'queued')"
	        " where id = ?3",
	        "iss", now, j->key, j->id))
		return -1;
	return 1;
}

/* Ends a job whose holder is gone and that must not run again. */
static int fail_lost(struct db *db, const struct job *j, int64_t now, struct err *e)
{
	struct job failed = *j;
	const char *why = "its coordinator ended too often while it ran";

	failed.state = "failed";
	if (note_ended(db, &failed, now, e))
		return -1;
	if (j->cancelled)
		why = "cancelled";
	return db_run(db, e,
	    "update jobs set state = 'failed', holder = null, lease_ms = null, lost = lost + 1,"
	    " ended_ms = ?, code = coalesce(code, 'INTERNAL'), message = ? where id = ?",
	    "iss", now, why, j->id);
}

/* Queues a job again whose holder is gone; fails it if that has happened too often. */
static int take_back(struct db *db, const struct job *j, int64_t now, struct err *e)
{
	if (j->cancelled || j->lost + 1 >= LOST_MAX)
		return fail_lost(db, j, now, e);
	int rc = leave_to_next(db, j, now, now, e);
	if (rc < 0)
		return -1;
	if (rc)
		return 0;
	return db_run(db, e,
	    "update jobs set state = 'queued', holder = null, lease_ms = null, lost = lost + 1"
	    " where id = ?",
	    "s", j->id);
}

/*
 * Finds a running job whose lease has expired: by this machine's clock, or, in a shared registry,
 * where clocks may differ, because its holder is no longer registered.  1, 0 or -1.
 */
static int find_expired(struct db *db, const struct job_lease_terms *t, bool all, int64_t now,
    struct job *out, struct arena *a, struct err *e)
{
	static const char by_clock[] = "select " JOB_COLUMNS
	    " from jobs where state = 'running' and (lease_ms < ?1 or lease_ms > ?1 + ?2) limit 1";
	static const char by_holder[] = "select " JOB_COLUMNS
	    " from jobs where state = 'running' and holder not in (select id from coordinators)"
	    " and holder <> ?1 and (own or ?2) limit 1";
	struct stmt *s = db_prep(db, t->shared ? by_holder : by_clock, e);
	int rc;

	if (!s)
		return -1;
	if (t->shared)
		rc = db_bind(s, "si", t->holder, (int64_t)all);
	else
		rc = db_bind(s, "ii", now, SKEW * t->lease_ms);
	if (rc)
		return -1;
	return job_read_row(s, out, a, e);
}

static int take_expired(struct db *db, const struct job_lease_terms *t, bool all, int64_t now,
    struct arena *a, struct err *e)
{
	for (;;) {
		struct job j;
		int rc = find_expired(db, t, all, now, &j, a, e);
		if (rc <= 0)
			return rc;
		if (take_back(db, &j, now, e))
			return -1;
	}
}

/* Without `all`, only this coordinator's own jobs. */
static int claim(struct db *db, const struct job_lease_terms *t, bool all, int64_t now,
    struct job *out, struct arena *a, struct err *e)
{
	if (take_expired(db, t, all, now, a, e))
		return -1;
	struct stmt *s = db_prep(db,
	    "update jobs set state = 'running', holder = ?1, lease_ms = ?2 + ?3, code = null,"
	    " message = null, started_ms = coalesce(started_ms, ?2) where state = 'queued' and seq ="
	    " (select seq from jobs j where state = 'queued' and due_ms <= ?2 and (own or ?6)"
	    " and not exists (select 1 from jobs r where r.state = 'running' and r.lane = j.lane)"
	    " and (not heavy"
	    " or (?4 > (select count(*) from jobs r where r.state = 'running' and r.heavy)"
	    " and (host is null or ?5 > (select count(*) from jobs r"
	    " where r.state = 'running' and r.heavy and r.host = j.host))))"
	    " order by due_ms, seq limit 1) returning " JOB_COLUMNS,
	    e);
	if (!s ||
	    db_bind(s, "siiiii", t->holder, now, t->lease_ms, t->most, t->most_per_host, (int64_t)all))
		return -1;
	int rc = job_read_row(s, out, a, e);
	if (rc == 1 && note_building(db, out, e))
		return -1;
	return rc;
}

/* registry_end for a result that may also be 1, which means success, too. */
static int end(struct registry *r, int rc, struct err *e)
{
	int ended = registry_end(r, MIN(rc, 0), e);

	if (ended)
		return ended;
	return rc;
}

int job_claim(struct registry *r, const struct job_lease_terms *t, int64_t now, struct job *out,
    struct arena *a, struct err *e)
{
	bool all = registry_is_ready(r);
	int64_t began = clock_ms();	/* time passes while we wait for the lock or retry */
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = end(r, claim(db, t, all, now + clock_ms() - began, out, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return MAX(rc, -1);
}

static int requeue_orphans(struct db *db, const struct job_lease_terms *t, const char *running,
    int64_t now, struct arena *a, struct err *e)
{
	for (;;) {
		struct stmt *s = db_prep(db,
		    "select " JOB_COLUMNS " from jobs where state = 'running' and holder = ?1"
		    " and id not in (select value from json_each(?2)) limit 1",
		    e);
		struct job j;
		if (!s || db_bind(s, "ss", t->holder, running))
			return -1;
		int rc = job_read_row(s, &j, a, e);
		if (rc <= 0)
			return rc;
		if (take_back(db, &j, now, e))
			return -1;
	}
}

int job_requeue_orphans(struct registry *r, const struct job_lease_terms *t, const char *running,
    int64_t now, struct err *e)
{
	struct arena *a = arena_new();
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, requeue_orphans(db, t, running, now, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	arena_free(a);
	return MAX(rc, -1);
}

static int is_held(
    struct db *db, const struct job_lease_terms *t, const char *id, bool *cancelled, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select cancelled from jobs where id = ? and holder = ? and state = 'running'", e);

	if (!s || db_bind(s, "ss", id, t->holder))
		return -1;
	int rc = db_step(s, e);
	if (rc != 1)
		return rc;
	*cancelled = db_int(s, 0);
	if (db_step(s, e))	/* ids are unique: there is one row */
		return -1;
	return 1;
}

static int renew_lease(struct db *db, const struct job_lease_terms *t, const struct job *j,
    int64_t now, bool *cancelled, struct err *e)
{
	int rc = is_held(db, t, j->id, cancelled, e);

	if (rc != 1)
		return rc;
	if (db_run(db, e,
	        "update jobs set lease_ms = ?, memo = ?, phase = ?, done = ?, total = ?"
	        " where id = ? and holder = ? and state = 'running'",
	        "issiiss", now + t->lease_ms, j->memo, j->phase, (int64_t)j->done, (int64_t)j->total,
	        j->id, t->holder))
		return -1;
	return !*cancelled;
}

int job_renew_lease(struct registry *r, const struct job_lease_terms *t, const struct job *j,
    int64_t now, bool *cancelled, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		*cancelled = false;
		if (db)
			rc = end(r, renew_lease(db, t, j, now, cancelled, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return MAX(rc, -1);
}

/* ---- ending ---- */

static int finish(
    struct db *db, const struct job_lease_terms *t, const struct job *j, int64_t now, struct err *e)
{
	bool cancelled;
	int rc = is_held(db, t, j->id, &cancelled, e);

	if (rc != 1)
		return rc;
	if (note_ended(db, j, now, e))
		return -1;
	int64_t ended_ms = now;
	if (!strcmp(j->state, "queued")) {
		rc = leave_to_next(db, j, j->due_ms, now, e);
		if (rc)
			return rc;
		ended_ms = 0;
	}
	if (db_run(db, e,
	        "update jobs set state = ?, holder = null, lease_ms = null, tries = ?, waits = ?,"
	        " note = ?, code = ?, message = ?, cancelled = ?, due_ms = ?, ended_ms = ?, memo = ?,"
	        " generation = ?, phase = null where id = ?",
	        "siisssiiisis", j->state, j->tries, j->waits, j->note, j->code, j->message,
	        (int64_t)j->cancelled, j->due_ms, ended_ms, j->memo, (int64_t)j->generation, j->id))
		return -1;
	return 1;
}

int job_end(struct registry *r, const struct job_lease_terms *t, const struct job *j, int64_t now,
    struct err *e)
{
	int64_t began = clock_ms();
	int rc, tries = 0;

	do {
		struct db *db = registry_begin_durable(r, e);
		if (db)
			rc = end(r, finish(db, t, j, now + clock_ms() - began, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return MAX(rc, -1);
}

int job_update_index_status(struct db *db, const char *id, struct err *e)
{
	struct arena *a = arena_new();
	struct job j;
	struct stmt *s = db_prep(db, "select " JOB_COLUMNS " from jobs where id = ?", e);
	int rc = -1;

	if (s && !db_bind(s, "s", id))
		rc = job_read_row(s, &j, a, e);
	if (rc == 1 && !strcmp(j.state, "running"))
		rc = note_building(db, &j, e);
	else if (rc == 1 && j.ended_ms)
		rc = note_ended(db, &j, j.ended_ms, e);
	arena_free(a);
	return MIN(rc, 0);
}

static int cancel(
    struct db *db, const char *id, int64_t now, bool *running, struct arena *a, struct err *e)
{
	struct job j;

	if (job_find(db, id, &j, a, e))
		return -1;
	*running = !strcmp(j.state, "running");
	if (*running)
		return db_run(
		    db, e, "update jobs set cancelled = 1 where id = ? and state = 'running'", "s", id);
	if (strcmp(j.state, "queued")) {
		err_set(e, ERR_INVALID_INPUT, "`id`: job %s has ended, it is %s", j.id, j.state);
		return err_hint(e, "`atoll jobs list` shows which are queued or running.");
	}
	return db_run(db, e,
	    "update jobs set state = 'failed', cancelled = 1, ended_ms = ?, message = 'cancelled'"
	    " where id = ? and state = 'queued'",
	    "is", now, id);
}

int job_cancel(struct registry *r, const char *id, int64_t now, bool *running, struct err *e)
{
	struct arena *a = arena_new();
	int rc, tries = 0;

	do {
		struct db *db = registry_begin_durable(r, e);
		if (db)
			rc = registry_end(r, cancel(db, id, now, running, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	arena_free(a);
	return MAX(rc, -1);
}

int job_release_leases(struct registry *r, const char *holder, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	int rc = db_run(
	    db, e, "update jobs set lease_ms = 0 where holder = ? and state = 'running'", "s", holder);
	return registry_end(r, rc, e);
}

static int64_t next_due_ms(struct db *db, int64_t now, int64_t max, uint64_t *queued)
{
	struct stmt *s = db_prep(
	    db, "select min(due_ms), count(*) from jobs where state = 'queued'", NULL);

	if (!s || db_step(s, NULL) != 1)
		return max;
	*queued = (uint64_t)db_int(s, 1);
	int64_t ms = max;
	if (!db_null(s, 0))
		ms = db_int(s, 0) - now;
	db_step(s, NULL);	/* an aggregate has one row; this ends the statement */
	if (ms < 0)
		return 0;
	return MIN(ms, max);
}

int64_t job_next_due_ms(struct registry *r, int64_t now, int64_t max, uint64_t *queued)
{
	struct db *db = registry_begin(r, NULL);

	if (!db)
		return max;
	int64_t ms = next_due_ms(db, now, max, queued);
	registry_end(r, 0, NULL);
	return ms;
}

static int wake_waiting(struct db *db, const char *repo_uri, int64_t now, struct err *e)
{
	return db_run(db, e,
	    "update jobs set due_ms = min(due_ms, ?)"
	    " where repo_uri = ? and state = 'queued' and waits > 0",
	    "is", now, repo_uri);
}

int job_wake_waiting(struct registry *r, const char *repo_uri, int64_t now, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, wake_waiting(db, repo_uri, now, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return MAX(rc, -1);
}

static int forget(struct db *db, int64_t before, int64_t max, int64_t *n, struct err *e)
{
	if (db_run(db, e,
	        "delete from jobs where state in ('done', 'failed') and (ended_ms < ?1 or seq <="
	        " (select seq from jobs where state in ('done', 'failed')"
	        " order by seq desc limit 1 offset ?2))",
	        "ii", before, max))
		return -1;
	*n = db_changes(db);
	return 0;
}

int64_t jobs_forget(struct registry *r, int64_t before, int64_t max, struct err *e)
{
	int rc, tries = 0;
	int64_t n = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, forget(db, before, max, &n, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	if (rc)
		return -1;
	return n;
}
