#include "coordinator/registry/build_policy.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "coordinator/registry/registry.h"
#include "coordinator/records/records.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/db/db.h"
#include "proto/base/err.h"

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
		for (int i = 0; i < 4; i++) {
			if (db_null(s, i))
				*fields[i] = NULL;
			else
				*fields[i] = arena_str(a, db_str(s, i));
		}
	return rc;
}

int index_meta_get(
    struct registry *r, const char *repo_uri, struct index_meta *m, struct arena *a, struct err *e)
{
	return registry_read_end(r, get(registry_read_begin(r), repo_uri, m, a, e));
}

/* Of `2026-11-21T00:04:49.123Z`; 0 for what is no time. */
static int64_t parse(const char *iso)
{
	struct tm tm = { 0 };
	int ms = 0;

	if (!iso ||
	    sscanf(iso, "%4d-%2d-%2dT%2d:%2d:%2d.%3d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
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
	return (indexed > checked ? indexed : checked) + max_age_s * 1000;
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

/* What the newest job of its index says; `*ended` gets when that ended, 0: it has not. */
static int newest(struct db *db, const char *repo_uri, struct index_state *out, int64_t *ended,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select id, state, code, message, due_ms, ended_ms from jobs where repo_uri = ? and kind in ('build', 'update')"
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

	if (get(db, repo_uri, &m, a, e) || newest(db, repo_uri, out, &ended, a, e))
		return -1;
	if (m.status)
		out->status = m.status;
	else
		out->status = "pending";
	out->checked_at = m.checked_at;
	int64_t old = index_expires_at(&m, max_age_s),
	        after = ended && max_age_s ? ended + max_age_s * 1000 : 0;
	if (!out->job && (old || after))
		out->next_run = iso(old > after ? old : after, a);
	return 0;
}

int index_state_get(struct registry *r, const char *repo_uri, int64_t max_age_s,
    struct index_state *out, struct arena *a, struct err *e)
{

	*out = (struct index_state){ 0 };
	return registry_read_end(r, state(registry_read_begin(r), repo_uri, max_age_s, out, a, e));
}

static int due_all(struct db *db, int64_t now, int64_t max_age_s, const char **v, size_t *n,
    size_t most, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select r.repo_uri from repos r left join repo_index_metadata m on m.repo_url ="
	    " case when r.repo_uri like 'local:%' then r.repo_uri else 'https://' || r.repo_uri end"
	    " where (m.indexed_at is null or (?2 and max(m.indexed_at, ifnull(m.checked_at, '')) < ?1))"
	    " and not exists (select 1 from jobs j where j.repo_uri = r.repo_uri and j.kind in ('build', 'update')"
	    " and (j.state in ('queued', 'running') or not ?2 or j.ended_ms > ?3)) limit ?4",
	    e);
	int64_t since = now - max_age_s * 1000;
	int rc;

	if (!s || db_bind(s, "siii", iso(since, a), (int64_t)(max_age_s > 0), since, (int64_t)most))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		v[(*n)++] = arena_str(a, db_str(s, 0));
	return rc;
}

int index_list_due(struct registry *r, int64_t now, int64_t max_age_s, const char ***uris,
    size_t *n, size_t most, struct arena *a, struct err *e)
{

	*n = 0;
	*uris = arena_many(a, most, const char *);
	return registry_read_end(
	    r, due_all(registry_read_begin(r), now, max_age_s, *uris, n, most, a, e));
}
