#include "coordinator/registry/job_table.h"

#include <string.h>

#include "coordinator/registry/job_rows.h"
#include "coordinator/registry/registry.h"
#include "coordinator/registry/replication.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"

/* times a job may take its coordinator with it; leases that a clock set back may show */
enum { LOST_MOST = 20, SKEW = 10 };

/* The key of repo_index_metadata. */
#define REPO_URL "(case when repo_uri like 'local:%' then repo_uri else 'https://' || repo_uri end)"
#define INDEXES "kind in ('build', 'update') and repo_uri is not null"

/* ---- in ---- */

/* The job that does what `j` wants already: queued, or running where that will do. */
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
 * Both want it: the older base, the newer head, the earlier time; and tries are counted from now.
 */
static int merge(struct db *db, const struct job *j, const struct job *with, struct err *e)
{
	return db_run(db, e,
	    "update jobs set force = max(force, ?), base = coalesce(base, ?), head = coalesce(?, head),"
	    " due_ms = min(due_ms, ?), tries = 0, waits = 0, code = null, message = null, reason = case when force < ? then ? else reason end where id = ? and state = 'queued'",
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
	        "insert into jobs (id, kind, key, lane, heavy, repo_uri, grp, host, force, base, head, reason, caller, state,"
	        " created_ms, due_ms, own) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?)",
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
	if (rc <= 0) {
		if (rc)
			return rc;
		return insert(db, k, j, now, a, e);
	}
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
	return rc ? -1 : 0;
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
 * What is known of the index when nothing is done to it any more: `failed` until there is another
 * one, when it was given up.
 */
static int note_ended(struct db *db, const struct job *j, int64_t now, struct err *e)
{
	char checked[CLOCK_ISO];
	bool done = !strcmp(j->state, "done");

	clock_iso_at(now, checked);
	return db_run(db, e,
	    "update repo_index_metadata set checked_at = coalesce(?1, checked_at), status = case when ?2 then 'failed'"
	    " when indexed_at is null then 'pending' else 'ready' end where repo_url = (select " REPO_URL
	    " from jobs where id = ?3 and " INDEXES ")",
	    "sis", done ? checked : NULL, (int64_t)(!strcmp(j->state, "failed") && !j->cancelled),
	    j->id);
}

/*
 * Leave to the one that is queued with the same key what has to be done again: 1 when there is
 * one.
 */
static int leave_to_next(
    struct db *db, const struct job *j, int64_t due, int64_t now, struct err *e)
{
	if (db_run(db, e,
	        "update jobs set force = max(force, ?), base = coalesce(?, base), tries = max(tries, ?), due_ms = max(due_ms, ?)"
	        " where key = ? and state = 'queued'",
	        "isiis", (int64_t)j->force, j->base, j->tries, due, j->key))
		return -1;
	if (!db_changes(db))
		return 0;
	if (db_run(db, e,
	        "update jobs set state = 'done', holder = null, lease_ms = null, ended_ms = ?1,"
	        " note = 'left to job ' || (select id from jobs where key = ?2 and state = 'queued') where id = ?3",
	        "iss", now, j->key, j->id))
		return -1;
	return 1;
}

/* A holder that is gone: what it had is queued again, or failed when it took too many with it. */
static int take_back(struct db *db, const struct job *j, int64_t now, struct err *e)
{
	if (j->cancelled || j->lost + 1 >= LOST_MOST) {
		struct job over = *j;
		over.state = "failed";
		return note_ended(db, &over, now, e) ||
		        db_run(db, e,
		            "update jobs set state = 'failed', holder = null, lease_ms = null, lost = lost + 1, ended_ms = ?,"
		            " code = coalesce(code, 'INTERNAL'), message = ? where id = ?",
		            "iss", now,
		            j->cancelled ? "cancelled" : "its coordinator ended too often while it ran",
		            j->id) ?
		    -1 :
		    0;
	}
	int rc = leave_to_next(db, j, now, now, e);
	if (rc)
		return rc < 0 ? -1 : 0;
	return db_run(db, e,
	    "update jobs set state = 'queued', holder = null, lease_ms = null, lost = lost + 1 where id = ?",
	    "s", j->id);
}

/*
 * Of whom the lease is over: by this machine's clock, or as the registry says whose clocks are
 * nobody's business.
 */
static const char *const expired[] = {
	"select " JOB_COLUMNS
	" from jobs where state = 'running' and (lease_ms < ?1 or lease_ms > ?1 + ?2) limit 1",
	"select " JOB_COLUMNS
	" from jobs where state = 'running' and holder not in (select id from coordinators) and holder <> ?1"
	" and (own or ?2) limit 1",
};

static int take_expired(struct db *db, const struct job_lease_terms *t, bool all, int64_t now,
    struct arena *a, struct err *e)
{
	for (;;) {
		struct stmt *s = db_prep(db, expired[t->shared], e);
		struct job j;
		if (!s ||
		    (t->shared ? db_bind(s, "si", t->holder, (int64_t)all) :
		                 db_bind(s, "ii", now, SKEW * t->lease_ms)))
			return -1;
		int rc = job_read_row(s, &j, a, e);
		if (rc <= 0)
			return rc;
		if (take_back(db, &j, now, e))
			return -1;
	}
}

/* Without `all` only what is this coordinator's own. */
static int claim(struct db *db, const struct job_lease_terms *t, bool all, int64_t now,
    struct job *out, struct arena *a, struct err *e)
{
	if (take_expired(db, t, all, now, a, e))
		return -1;
	struct stmt *s = db_prep(db,
	    "update jobs set state = 'running', holder = ?1, lease_ms = ?2 + ?3, code = null, message = null,"
	    " started_ms = coalesce(started_ms, ?2) where state = 'queued' and seq = (select seq from jobs j where state = 'queued' and due_ms <= ?2 and (own or ?6)"
	    " and not exists (select 1 from jobs r where r.state = 'running' and r.lane = j.lane)"
	    " and (not heavy or (?4 > (select count(*) from jobs r where r.state = 'running' and r.heavy)"
	    " and (host is null or ?5 > (select count(*) from jobs r where r.state = 'running' and r.heavy and r.host = j.host))))"
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

/* For functions that give 1 or 0 beside -1. */
static int end(struct registry *r, int rc, struct err *e)
{
	int ended = registry_end(r, rc < 0 ? -1 : 0, e);

	return ended ? ended : rc;
}

int job_claim(struct registry *r, const struct job_lease_terms *t, int64_t now, struct job *out,
    struct arena *a, struct err *e)
{
	bool all = registry_is_ready(r);
	int64_t began = clock_ms();	/* the lock, and others' changes, may have been waited for */
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = end(r, claim(db, t, all, now + clock_ms() - began, out, a, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc < 0 ? -1 : rc;
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
	return rc ? -1 : 0;
}

static int is_held(
    struct db *db, const struct job_lease_terms *t, const char *id, bool *cancelled, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select cancelled from jobs where id = ? and holder = ? and state = 'running'", e);
	int rc, last;

	if (!s || db_bind(s, "ss", id, t->holder))
		return -1;
	if ((rc = db_step(s, e)) != 1)
		return rc;
	*cancelled = db_int(s, 0);
	while ((last = db_step(s, e)) == 1)
		;
	return last ? -1 : 1;
}

static int renew_lease(struct db *db, const struct job_lease_terms *t, const struct job *j,
    int64_t now, bool *cancelled, struct err *e)
{
	int rc = is_held(db, t, j->id, cancelled, e);

	if (rc == 1 &&
	    db_run(db, e,
	        "update jobs set lease_ms = ?, memo = ?, phase = ?, done = ?, total = ? where id = ? and holder = ?"
	        " and state = 'running'",
	        "issiiss", now + t->lease_ms, j->memo, j->phase, (int64_t)j->done, (int64_t)j->total,
	        j->id, t->holder))
		rc = -1;
	if (rc == 1 && *cancelled)
		return 0;
	return rc;
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
	return rc < 0 ? -1 : rc;
}

/* ---- out ---- */

static int finish(
    struct db *db, const struct job_lease_terms *t, const struct job *j, int64_t now, struct err *e)
{
	bool cancelled;
	int rc = is_held(db, t, j->id, &cancelled, e);

	if (rc != 1)
		return rc;
	if (note_ended(db, j, now, e))
		return -1;
	if (!strcmp(j->state, "queued") && (rc = leave_to_next(db, j, j->due_ms, now, e)))
		return rc;
	bool queued = !strcmp(j->state, "queued");
	return db_run(db, e,
	           "update jobs set state = ?, holder = null, lease_ms = null, tries = ?, waits = ?, note = ?, code = ?, message = ?,"
	           " cancelled = ?, due_ms = ?, ended_ms = ?, memo = ?, generation = ?, phase = null where id = ?",
	           "siisssiiisis", j->state, j->tries, j->waits, j->note, j->code, j->message,
	           (int64_t)j->cancelled, j->due_ms, queued ? 0 : now, j->memo, (int64_t)j->generation,
	           j->id) ?
	    -1 :
	    1;
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
	return rc < 0 ? -1 : rc;
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
	return rc < 0 ? -1 : 0;
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
	    "update jobs set state = 'failed', cancelled = 1, ended_ms = ?, message = 'cancelled' where id = ?"
	    " and state = 'queued'",
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
	return rc ? -1 : 0;
}

int job_release_leases(struct registry *r, const char *holder, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (db)
		return registry_end(r,
		    db_run(db, e, "update jobs set lease_ms = 0 where holder = ? and state = 'running'",
		        "s", holder),
		    e);
	return -1;
}

static int64_t due(struct db *db, int64_t now, int64_t most, uint64_t *queued)
{
	struct stmt *s = db_prep(
	    db, "select min(due_ms), count(*) from jobs where state = 'queued'", NULL);

	if (!s || db_step(s, NULL) != 1)
		return most;
	*queued = (uint64_t)db_int(s, 1);
	int64_t ms = most;
	if (!db_null(s, 0))
		ms = db_int(s, 0) - now;
	while (db_step(s, NULL) == 1)
		;
	if (ms < 0)
		return 0;
	if (ms > most)
		return most;
	return ms;
}

int64_t job_next_due_ms(struct registry *r, int64_t now, int64_t most, uint64_t *queued)
{
	struct db *db = registry_begin(r, NULL);
	int64_t ms = most;

	if (db)
		ms = due(db, now, most, queued);
	if (db)
		registry_end(r, 0, NULL);
	return ms;
}

int job_wake_waiting(struct registry *r, const char *repo_uri, int64_t now, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r,
			    db_run(db, e,
			        "update jobs set due_ms = min(due_ms, ?) where repo_uri = ? and state = 'queued' and waits > 0",
			        "is", now, repo_uri),
			    e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc ? -1 : 0;
}

int64_t jobs_forget(struct registry *r, int64_t before, int64_t most, struct err *e)
{
	int rc, tries = 0;
	int64_t n;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = db_run(db, e,
			    "delete from jobs where state in ('done', 'failed') and (ended_ms < ?1 or seq <="
			    " (select seq from jobs where state in ('done', 'failed') order by seq desc limit 1 offset ?2))",
			    "ii", before, most);
		else
			rc = -1;
		n = rc ? -1 : db_changes(db);
		if (db)
			rc = registry_end(r, rc, e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc ? -1 : n;
}
