#include "coordinator/job_rules.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "coordinator/registry.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/db.h"
#include "proto/base/err.h"

static int get(struct db *db, const char *repo_uri, struct index_meta *m, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select indexed_at, checked_at, head_sha, status from repo_index_metadata where repo_url ="
	    " case when ?1 like 'local:%' then ?1 else 'https://' || ?1 end", e);
	const char **fields[] = { &m->indexed_at, &m->checked_at, &m->head_sha, &m->status };
	int rc;

	*m = (struct index_meta){ 0 };
	if (!s || db_bind(s, "s", repo_uri))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		for (int i = 0; i < 4; i++)
			*fields[i] = db_null(s, i) ? NULL : arena_str(a, db_str(s, i));
	return rc;
}

int index_meta_get(struct registry *r, const char *repo_uri, struct index_meta *m, struct arena *a, struct err *e)
{
	struct db *db = registry_begin(r, e);

	return db ? registry_end(r, get(db, repo_uri, m, a, e), e) : -1;
}

/* Of `2026-11-21T00:04:49.123Z`; 0 for what is no time. */
static int64_t parse(const char *iso)
{
	struct tm tm = { 0 };
	int ms = 0;

	if (!iso || sscanf(iso, "%4d-%2d-%2dT%2d:%2d:%2d.%3d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
	    &tm.tm_sec, &ms) < 6)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	return (int64_t)timegm(&tm) * 1000 + ms;
}

int64_t index_old_at(const struct index_meta *m, int64_t max_age_s)
{
	int64_t indexed = parse(m->indexed_at), checked = parse(m->checked_at);

	if (!indexed || !max_age_s)
		return 0;
	return (indexed > checked ? indexed : checked) + max_age_s * 1000;
}

const char *index_due(const struct index_meta *m, bool force, int64_t now, int64_t max_age_s)
{
	int64_t old = index_old_at(m, max_age_s);

	if (force)
		return "forced";
	if (!m->indexed_at)
		return "never indexed";
	return old && now > old ? "old" : NULL;
}
