#include "coordinator/tables.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/crypto.h"
#include "proto/base/db.h"
#include "proto/base/err.h"

static struct bytes copy_blob(struct stmt *s, int col, struct arena *a)
{
	struct bytes b;
	const void *p = db_blob(s, col, &b.n);

	b.p = arena_strn(a, p ? p : "", b.n);
	return b;
}

static int get_facts(struct db *db, const char *repo_uri, const char **version, struct bytes *body, struct arena *a,
    struct err *e)
{
	struct stmt *s = db_prep(db, "select version, body from facts where repo_uri = ?", e);
	int rc;

	*version = NULL;
	*body = (struct bytes){ 0 };
	if (!s || db_bind(s, "s", repo_uri))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*version = arena_str(a, db_str(s, 0));
		*body = copy_blob(s, 1, a);
	}
	return rc;
}

int tables_facts_get(struct registry *r, const char *repo_uri, const char **version, struct bytes *body,
    struct arena *a, struct err *e)
{
	struct db *db = registry_begin(r, e);

	return db ? registry_end(r, get_facts(db, repo_uri, version, body, a, e), e) : -1;
}

int tables_facts_put(struct registry *r, const char *repo_uri, const char *version, struct bytes body, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	return registry_end(r, db_run(db, e, "insert or replace into facts (repo_uri, version, body) values (?, ?, ?)",
	    "ssb", repo_uri, version, body.p, body.n), e);
}

static void digest_of(const struct table_rows *contracts, const struct table_rows *links, char out[SHA256_HEX])
{
	struct crypto_hash *h = crypto_hash_new();

	for (size_t i = 0; i < contracts->n; i++) {
		crypto_hash_put(h, contracts->v[i].list, strlen(contracts->v[i].list) + 1);
		crypto_hash_put(h, contracts->v[i].row.p, contracts->v[i].row.n);
	}
	crypto_hash_put(h, "links", 6);
	for (size_t i = 0; i < links->n; i++)
		crypto_hash_put(h, links->v[i].row.p, links->v[i].row.n);
	crypto_hash_end(h, out);
}

static int put_rows(struct db *db, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, struct err *e)
{
	if (db_run(db, e, "delete from contracts where grp = ?", "s", group) ||
	    db_run(db, e, "delete from links where grp = ?", "s", group))
		return -1;
	for (size_t i = 0; i < contracts->n; i++)
		if (db_run(db, e, "insert into contracts (grp, seq, list, row) values (?, ?, ?, ?)", "sisb", group,
		    (int64_t)i, contracts->v[i].list, contracts->v[i].row.p, contracts->v[i].row.n))
			return -1;
	for (size_t i = 0; i < links->n; i++)
		if (db_run(db, e, "insert into links (grp, seq, row) values (?, ?, ?)", "sib", group, (int64_t)i,
		    links->v[i].row.p, links->v[i].row.n))
			return -1;
	return 0;
}

static int get_head(struct db *db, const char *group, struct tables *t, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select synced_at, digest from groups where name = ?", e);
	int rc;

	if (!s || db_bind(s, "s", group))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		t->synced_at = db_null(s, 0) ? NULL : arena_str(a, db_str(s, 0));
		t->digest = db_null(s, 1) ? NULL : arena_str(a, db_str(s, 1));
	}
	return rc;
}

static int put(struct db *db, const char *group, const struct table_rows *contracts, const struct table_rows *links,
    const struct synced *synced, size_t nsynced, const char *at, bool *changed, struct arena *a, struct err *e)
{
	struct tables old = { 0 };
	char digest[SHA256_HEX];

	digest_of(contracts, links, digest);
	if (get_head(db, group, &old, a, e))
		return -1;
	*changed = !old.digest || strcmp(old.digest, digest) != 0;
	if (*changed && put_rows(db, group, contracts, links, e))
		return -1;
	if (db_run(db, e, "update groups set synced_at = ?, digest = ? where name = ?", "sss", at, digest, group) ||
	    db_run(db, e, "update members set synced = null where grp = ?", "s", group))
		return -1;
	for (size_t i = 0; i < nsynced; i++)
		if (synced[i].version && db_run(db, e, "update members set synced = ? where grp = ? and repo_uri = ?", "sss",
		    synced[i].version, group, synced[i].repo_uri))
			return -1;
	return 0;
}

int tables_put(struct registry *r, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, const struct synced *synced, size_t nsynced, const char *at, bool *changed,
    struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	struct arena *a = arena_new();
	int rc = registry_end(r, put(db, group, contracts, links, synced, nsynced, at, changed, a, e), e);
	arena_free(a);
	return rc;
}

int tables_synced_at(struct registry *r, const char *group, const char **at, struct arena *a, struct err *e)
{
	struct tables t = { 0 };
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	int rc = registry_end(r, get_head(db, group, &t, a, e), e);
	*at = t.synced_at;
	return rc;
}

static int get_rows(struct db *db, const char *sql, const char *group, struct table_rows *out, struct arena *a,
    struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int rc;

	if (!s || db_bind(s, "s", group))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!out->v)
			out->v = arena_many(a, (size_t)db_int(s, 2), struct table_row);
		out->v[out->n++] = (struct table_row){ arena_str(a, db_str(s, 0)), copy_blob(s, 1, a) };
	}
	return rc;
}

static int get_members(struct db *db, const char *group, struct tables *t, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select repo_uri, synced, count(*) over () from members where grp = ?"
	    " order by repo_uri", e);
	int rc;

	if (!s || db_bind(s, "s", group))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!t->members)
			t->members = arena_many(a, (size_t)db_int(s, 2), struct synced);
		t->members[t->nmembers++] = (struct synced){ arena_str(a, db_str(s, 0)),
			db_null(s, 1) ? NULL : arena_str(a, db_str(s, 1)) };
	}
	return rc;
}

int tables_get(struct registry *r, const char *group, bool links, struct tables *t, struct arena *a, struct err *e)
{
	struct db *db = registry_begin(r, e);

	*t = (struct tables){ 0 };
	if (!db)
		return -1;
	int rc = get_head(db, group, t, a, e);
	rc = rc ? rc : get_members(db, group, t, a, e);
	if (!rc && links)
		rc = get_rows(db, "select '', row, count(*) over () from links where grp = ? order by seq", group, &t->links, a,
		    e);
	if (!rc && !links)
		rc = get_rows(db, "select list, row, count(*) over () from contracts where grp = ? order by seq", group,
		    &t->contracts, a, e);
	return registry_end(r, rc, e);
}
