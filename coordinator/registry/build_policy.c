#include "coordinator/registry/build_policy.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "coordinator/registry/registry.h"
#include "coordinator/records/records.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/db/db.h"

static int get(
    struct db *db, const char *repo_uri, struct index_meta *m, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select indexed_at, checked_at, head_sha, status from repo_index_metadata where repo_url ="
	    " case when ?1 like 'local:%' then ?1 else 'https://' || ?1 end",
	    e);
	const char **fields[] = { &m->indexed_at, &m->checked_at, &m->head_sha, &m->status };
	int rc;

	*m = (struct index_meta){ 0 };
	if (!s || db_bind(s, "s", repo_uri))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		for (int i = 0; i < (int)LEN(fields); i++)
			*fields[i] = db_copy_text(s, i, a);
	return rc;
}

int index_meta_get(
    struct registry *r, const char *repo_uri, struct index_meta *m, struct arena *a, struct err *e)
{
	return registry_read_end(r, get(registry_read_begin(r), repo_uri, m, a, e));
}

/* Milliseconds of a time such as `2026-11-21T00:04:49.123Z`; 0 if it is not one. */
static int64_t parse(const char *iso)
{
	struct tm tm = { 0 };
	int ms = 0;

	if (!iso)
		return 0;
	if (sscanf(iso, "%4d-%2d-%2dT%2d:%2d:%2d.%3d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
	        &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &ms) < 6)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return (int64_t)timegm(&tm) * 1000 + ms;
}

int64_t index_expires_at(const struct index_meta *m, int64_t max_age_s)
{
	int64_t indexed = parse(m->indexed_at), checked = parse(m->checked_at);

	if (!indexed || !max_age_s)
		return 0;
	return MAX(indexed, checked) + max_age_s * 1000;
}

const char *index_build_reason(
    const struct index_meta *m, bool force, int64_t now, int64_t max_age_s)
{
	int64_t old = index_expires_at(m, max_age_s);

	if (force)
		return "forced";
	if (!m->indexed_at)
		return "never indexed";
	if (old && now > old)
		return "old";
	return NULL;
}

static const char *iso(int64_t ms, struct arena *a)
{
	char *out = arena_get(a, CLOCK_ISO, 1);

	clock_iso_at(ms, out);
	return out;
}

/* Reads the newest indexing job.  `*ended` receives its end, 0 if there is none. */
static int read_newest_job(struct db *db, const char *repo_uri, struct index_state *out,
    int64_t *ended, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select id, state, code, message, due_ms, ended_ms from jobs where repo_uri = ?"
	    " and kind in ('build', 'update')"
	    " order by state in ('queued', 'running') desc, seq desc limit 1",
	    e);
	int rc;

	*ended = 0;
	if (!s || db_bind(s, "s", repo_uri))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*ended = db_int(s, 5);
		if (!db_null(s, 2))
			out->last_error = arena_printf(a, "%s: %s", db_str(s, 2), db_str(s, 3));
		if (!*ended)
			out->job = arena_str(a, db_str(s, 0));
		if (!strcmp(db_str(s, 1), "queued"))
			out->next_run = iso(db_int(s, 4), a);
	}
	return rc;
}

static int state(struct db *db, const char *repo_uri, int64_t max_age_s, struct index_state *out,
    struct arena *a, struct err *e)
{
	struct index_meta m;
	int64_t ended;

	if (get(db, repo_uri, &m, a, e) || read_newest_job(db, repo_uri, out, &ended, a, e))
		return -1;
	out->status = "pending";
	if (m.status)
		out->status = m.status;
	out->checked_at = m.checked_at;
	if (out->job)
		return 0;
	int64_t expires = index_expires_at(&m, max_age_s), retry = 0;
	if (ended && max_age_s)
		retry = ended + max_age_s * 1000;
	if (expires || retry)
		out->next_run = iso(MAX(expires, retry), a);
	return 0;
}

int index_state_get(struct registry *r, const char *repo_uri, int64_t max_age_s,
    struct index_state *out, struct arena *a, struct err *e)
{
	*out = (struct index_state){ 0 };
	return registry_read_end(r, state(registry_read_begin(r), repo_uri, max_age_s, out, a, e));
}

static int list_due(struct db *db, int64_t now, int64_t max_age_s, const char **v, size_t *n,
    size_t max, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select r.repo_uri from repos r left join repo_index_metadata m on m.repo_url ="
	    " case when r.repo_uri like 'local:%' then r.repo_uri else 'https://' || r.repo_uri end"
	    " where (m.indexed_at is null or (?2 and max(m.indexed_at, ifnull(m.checked_at, '')) < ?1))"
	    " and not exists (select 1 from jobs j where j.repo_uri = r.repo_uri"
	    " and j.kind in ('build', 'update')"
	    " and (j.state in ('queued', 'running') or not ?2 or j.ended_ms > ?3)) limit ?4",
	    e);
	int64_t since = now - max_age_s * 1000;
	int rc;

	if (!s || db_bind(s, "siii", iso(since, a), (int64_t)(max_age_s > 0), since, (int64_t)max))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		v[(*n)++] = arena_str(a, db_str(s, 0));
	return rc;
}

int index_list_due(struct registry *r, int64_t now, int64_t max_age_s, const char ***uris,
    size_t *n, size_t max, struct arena *a, struct err *e)
{
	*n = 0;
	*uris = arena_many(a, max, const char *);
	return registry_read_end(
	    r, list_due(registry_read_begin(r), now, max_age_s, *uris, n, max, a, e));
}
