#include "coordinator/registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/tombstones.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"

static struct bytes copy_blob(struct stmt *s, int col, struct arena *a)
{
	struct bytes b;
	const void *p = db_blob(s, col, &b.n);

	if (!p)
		p = "";
	b.p = arena_strn(a, p, b.n);
	return b;
}


static int get_endpoints(struct db *db, struct registered_repo *k, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select replica, url from endpoints where repo_uri = ? order by replica", e);
	size_t cap = 0;
	int rc;

	if (!s || db_bind(s, "s", k->repo_uri))
		return -1;
	struct registered_endpoint *v = NULL;
	while ((rc = db_step(s, e)) == 1) {
		v = grow(v, &cap, k->nendpoints + 1, sizeof *v);
		v[k->nendpoints++] = (struct registered_endpoint){
			.replica = arena_str(a, db_str(s, 0)),
			.url = arena_str(a, db_str(s, 1)),
		};
	}
	k->endpoints = arena_many(a, k->nendpoints, struct registered_endpoint);
	if (v)
		memcpy(k->endpoints, v, k->nendpoints * sizeof *v);
	free(v);
	return rc;
}

static int get_repos(
    struct db *db, struct registered_repo **out, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select repo_uri, name, default_branch, visibility, source, stamp, status,"
	    " count(*) over () from repos order by repo_uri",
	    e);
	int rc;

	*n = 0;
	*out = NULL;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!*out)
			*out = arena_many(a, (size_t)db_int(s, 7), struct registered_repo);
		(*out)[(*n)++] = (struct registered_repo){
			.repo_uri = db_copy_text(s, 0, a),
			.name = db_copy_text(s, 1, a),
			.default_branch = db_copy_text(s, 2, a),
			.visibility = db_copy_text(s, 3, a),
			.source = db_copy_text(s, 4, a),
			.stamp = copy_blob(s, 5, a),
			.status = copy_blob(s, 6, a),
		};
	}
	for (size_t i = 0; !rc && i < *n; i++)
		rc = get_endpoints(db, &(*out)[i], a, e);
	return rc;
}

int registry_repos(
    struct registry *r, struct registered_repo **v, size_t *n, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	if (db)
		return registry_snapshot_end(r, get_repos(db, v, n, a, e));
	return -1;
}

static int put_repo(struct db *db, const struct hello *h, bool again, struct err *e)
{
	char now[CLOCK_ISO];
	int rc;

	clock_iso(now);
	if (again)
		rc = tombstone_delete(db, h, e);
	else
		rc = tombstone_refuse(db, h, e);
	if (rc)
		return rc;
	rc = db_run(db, e,
	    "insert into repos (repo_uri, name, default_branch, source, added_at)"
	    " values (?, ?, ?, ?, ?)"
	    " on conflict (repo_uri) do update set name = excluded.name,"
	    " default_branch = coalesce(excluded.default_branch, default_branch),"
	    " source = coalesce(excluded.source, source)",
	    "sssss", h->repo_uri, h->name, h->default_branch, h->source, now);
	if (rc)
		return rc;
	return db_run(db, e,
	    "insert into endpoints (repo_uri, replica, url) values (?, ?, ?)"
	    " on conflict (repo_uri, replica) do update set url = excluded.url",
	    "sss", h->repo_uri, h->replica, h->endpoint);
}

int registry_repo_put(struct registry *r, const struct hello *h, bool again, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, put_repo(db, h, again, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

/* The key of repo_index_metadata. */
static const char *repo_url(const char *repo_uri, struct arena *a)
{
	if (strncmp(repo_uri, "local:", 6))
		return arena_printf(a, "https://%s", repo_uri);
	return repo_uri;
}

/* A running job makes it `building`; `failed` stays until another index is published. */
static int put_metadata(struct db *db, const char *repo_uri, const struct freshness *f,
    const char *status, struct err *e)
{
	const char *indexed_at = NULL, *commit = NULL;

	if (f) {
		indexed_at = f->indexed_at;
		commit = f->commit;
	}
	struct arena *a = arena_new();
	int rc = db_run(db, e,
	    "insert into repo_index_metadata (repo_url, indexed_at, head_sha, status)"
	    " values (?1, ?2, ?3, ?4)"
	    " on conflict (repo_url) do update set indexed_at = ?2, head_sha = ?3, status = case"
	    " when exists (select 1 from jobs where state = 'running' and repo_uri = ?5"
	    " and kind in ('build', 'update')) then 'building'"
	    " when indexed_at is ?2 and (select state = 'failed' and not cancelled from jobs"
	    " where repo_uri = ?5 and kind in ('build', 'update') order by seq desc limit 1)"
	    " then 'failed' else ?4 end",
	    "sssss", repo_url(repo_uri, a), indexed_at, commit, status, repo_uri);
	arena_free(a);
	return rc;
}

int registry_index_put(struct registry *r, const char *repo_uri, struct bytes stamp,
    struct bytes status, const struct freshness *f, const char *status_word, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	int rc = db_run(db, e, "update repos set stamp = ?, status = ? where repo_uri = ?", "bbs",
	    stamp.p, stamp.n, status.p, status.n, repo_uri);
	if (!rc)
		rc = put_metadata(db, repo_uri, f, status_word, e);
	return registry_end(r, rc, e);
}

static int put_visibility(
    struct db *db, const char *repo_uri, const char *visibility, struct err *e)
{
	return db_run(
	    db, e, "update repos set visibility = ? where repo_uri = ?", "ss", visibility, repo_uri);
}

int registry_visibility_put(
    struct registry *r, const char *repo_uri, const char *visibility, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, put_visibility(db, repo_uri, visibility, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

static int remove_repo(struct db *db, const char *repo_uri, struct err *e)
{
	if (db_run(db, e,
	        "delete from sources where repo_uri = ?1"
	        " or source in (select source from repos where repo_uri = ?1)",
	        "s", repo_uri))
		return -1;
	if (db_run(db, e, "delete from repos where repo_uri = ?", "s", repo_uri))
		return -1;
	return tombstone_put(db, repo_uri, NULL, NULL, e);
}

int registry_repo_remove(struct registry *r, const char *repo_uri, struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, remove_repo(db, repo_uri, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}

static int get_secret(struct db *db, const char *name, char out[65], struct err *e)
{
	struct stmt *s = db_prep(db, "select value from secrets where name = ?", e);
	int rc;

	if (!s || db_bind(s, "s", name))
		return -1;
	*out = 0;
	while ((rc = db_step(s, e)) == 1)
		snprintf(out, 65, "%s", db_str(s, 0));
	if (rc || *out)
		return rc;
	crypto_random_hex(out, 32);
	return db_run(db, e, "insert into secrets (name, value) values (?, ?)", "ss", name, out);
}

int registry_secret(struct registry *r, const char *name, char out[65], struct err *e)
{
	int rc, tries = 0;

	do {
		struct db *db = registry_begin(r, e);
		if (db)
			rc = registry_end(r, get_secret(db, name, out, e), e);
		else
			rc = -1;
	} while (registry_retry(r, rc, &tries, e));
	return rc;
}
