#include "coordinator/contracts/contract_tables_internal.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "proto/record/codec.h"

struct bytes tables_blob_column(struct stmt *s, int col, struct arena *a)
{
	struct bytes b;
	const char *p = db_blob(s, col, &b.n);

	b.p = arena_strn(a, text_or_empty(p), b.n);
	return b;
}

static int get_facts(struct db *db, const char *repo_uri, const char **version, struct bytes *body,
    struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select version, body from facts where repo_uri = ?", e);
	int rc;

	*version = NULL;
	*body = (struct bytes){ 0 };
	if (!s || db_bind(s, "s", repo_uri))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		*version = arena_str(a, db_str(s, 0));
		*body = tables_blob_column(s, 1, a);
	}
	return rc;
}

int tables_facts_get(struct registry *r, const char *repo_uri, const char **version,
    struct bytes *body, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	if (!db)
		return -1;
	return registry_snapshot_end(r, get_facts(db, repo_uri, version, body, a, e));
}

int tables_facts_read(struct registry *r, const char *repo_uri, const char **version,
    struct contracts_res *out, struct arena *a, struct err *e)
{
	struct bytes body;

	*out = (struct contracts_res){ 0 };
	if (tables_facts_get(r, repo_uri, version, &body, a, e))
		return -1;
	if (!*version)
		return 0;
	return codec_get(&rec_contracts_res, out, body.p, body.n, a, e);
}

static int get_versions(
    struct db *db, struct synced_member *v, size_t n, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < n; i++) {
		struct stmt *s = db_prep(db, "select version from facts where repo_uri = ?", e);
		int rc;
		v[i].version = NULL;
		if (!s || db_bind(s, "s", v[i].repo_uri))
			return -1;
		while ((rc = db_step(s, e)) == 1)
			v[i].version = arena_str(a, db_str(s, 0));
		if (rc)
			return rc;
	}
	return 0;
}

int tables_facts_versions(
    struct registry *r, struct synced_member *v, size_t n, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	if (!db)
		return -1;
	return registry_snapshot_end(r, get_versions(db, v, n, a, e));
}

int tables_facts_put(struct registry *r, const char *repo_uri, const char *old, const char *version,
    struct bytes body, bool *kept, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	int rc = db_run(db, e,
	    "insert into facts (repo_uri, version, body) select ?1, ?2, ?3"
	    " where ?4 is (select version from facts where repo_uri = ?1)"
	    " on conflict (repo_uri) do update set version = excluded.version, body = excluded.body",
	    "ssbs", repo_uri, version, body.p, body.n, old);
	*kept = !rc && db_changes(db) > 0;
	return registry_end(r, rc, e);
}

static void digest_of(
    const struct table_rows *contracts, const struct table_rows *links, char out[SHA256_HEX])
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

static int put_contract(
    struct db *db, const char *group, size_t seq, const struct table_row *r, struct err *e)
{
	static const struct end none;
	const struct end *p = &none, *c = &none;
	const char *types = "sisssssssssbn";	/* only a contract has a confidence */

	if (r->producer)
		p = r->producer;
	if (r->consumer)
		c = r->consumer;
	if (*r->list == 'c')
		types = "sisssssssssbf";
	return db_run(db, e,
	    "insert into contracts (grp, seq, list, kind, p_repo, p_method, p_path, c_repo, c_method,"
	    " c_path, reason, row, confidence) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    types, group, (int64_t)seq, r->list, r->what, p->repo_uri, p->method, p->path, c->repo_uri,
	    c->method, c->path, r->reason, r->row.p, r->row.n, r->confidence);
}

static int put_link(
    struct db *db, const char *group, size_t seq, const struct table_row *r, struct err *e)
{
	return db_run(db, e,
	    "insert into links (grp, seq, relation, source, target, row, confidence)"
	    " values (?, ?, ?, ?, ?, ?, ?)",
	    "sisssbf", group, (int64_t)seq, r->what, r->consumer->repo_uri, r->producer->repo_uri,
	    r->row.p, r->row.n, r->confidence);
}

static int put_rows(struct db *db, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, struct err *e)
{
	if (db_run(db, e, "delete from contracts where grp = ?", "s", group) ||
	    db_run(db, e, "delete from contract_counts where grp = ?", "s", group) ||
	    db_run(db, e, "delete from link_bins where grp = ?", "s", group) ||
	    db_run(db, e, "delete from links where grp = ?", "s", group))
		return -1;
	for (size_t i = 0; i < contracts->n; i++)
		if (put_contract(db, group, i, &contracts->v[i], e))
			return -1;
	if (db_run(db, e,
	        "insert into contract_counts select grp, list, ifnull(c_repo, ''), ifnull(p_repo, ''),"
	        " kind, ifnull(reason, ''), count(*) from contracts where grp = ?"
	        " group by 1, 2, 3, 4, 5, 6",
	        "s", group) ||
	    db_run(db, e,
	        "insert into link_bins select grp, min(10, max(4, cast(confidence * 10 + 1e-9 as"
	        " integer))), count(*) from contracts"
	        " where grp = ? and list = 'contract' and c_repo <> p_repo group by 1, 2",
	        "s", group))
		return -1;
	for (size_t i = 0; i < links->n; i++)
		if (put_link(db, group, i, &links->v[i], e))
			return -1;
	return 0;
}

static int put_reservation(
    struct db *db, const char *name, const struct synced_member *v, size_t n, struct err *e)
{
	if (db_run(db, e, "insert or ignore into groups (name) values (?)", "s", name))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (db_run(db, e,
		        "insert or ignore into repos (repo_uri, name, added_at) values (?1, ?1, '')", "s",
		        v[i].repo_uri))
			return -1;
		if (db_run(db, e, "insert or ignore into members (grp, repo_uri) values (?, ?)", "ss", name,
		        v[i].repo_uri))
			return -1;
	}
	return 0;
}

int tables_reserve(
    struct registry *r, const char *name, const struct synced_member *v, size_t n, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	return registry_end(r, put_reservation(db, name, v, n, e), e);
}

int tables_read_head(
    struct db *db, const char *group, struct tables_info *t, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(
	    db, "select synced_at, digest, notes, rules from groups where name = ?", e);
	int rc;

	if (!s || db_bind(s, "s", group))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		t->synced_at = db_copy_text(s, 0, a);
		t->digest = db_copy_text(s, 1, a);
		t->origin.notes = tables_blob_column(s, 2, a);
		t->origin.rules = (uint64_t)db_int(s, 3);
	}
	return rc;
}

static int put(struct db *db, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, const struct synced_member *synced, size_t nsynced,
    const struct tables_origin *origin, const char *at, struct tables_change *out, struct arena *a,
    struct err *e)
{
	struct tables_info old = { 0 };

	digest_of(contracts, links, out->digest);
	if (tables_read_head(db, group, &old, a, e))
		return -1;
	out->changed = !old.digest || strcmp(old.digest, out->digest) != 0;
	if (out->changed && put_rows(db, group, contracts, links, e))
		return -1;
	if (db_run(db, e,
	        "update groups set synced_at = ?, digest = ?, notes = ?, rules = ? where name = ?",
	        "ssbis", at, out->digest, origin->notes.p, origin->notes.n, (int64_t)origin->rules,
	        group) ||
	    db_run(db, e, "update members set synced = null where grp = ?", "s", group))
		return -1;
	for (size_t i = 0; i < nsynced; i++)
		if (synced[i].version &&
		    db_run(db, e, "update members set synced = ? where grp = ? and repo_uri = ?", "sss",
		        synced[i].version, group, synced[i].repo_uri))
			return -1;
	return 0;
}

int tables_put(struct registry *r, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, const struct synced_member *synced, size_t nsynced,
    const struct tables_origin *origin, const char *at, struct tables_change *out, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	struct arena *a = arena_new();
	int rc = registry_end(
	    r, put(db, group, contracts, links, synced, nsynced, origin, at, out, a, e), e);
	arena_free(a);
	return rc;
}

static int get_members(
    struct db *db, const char *group, struct tables_info *t, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select repo_uri, synced, count(*) over () from members where grp = ?"
	    " order by repo_uri",
	    e);
	int rc;

	if (!s || db_bind(s, "s", group))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!t->members)
			t->members = arena_many(a, (size_t)db_int(s, 2), struct synced_member);
		t->members[t->nmembers++] = (struct synced_member){ arena_str(a, db_str(s, 0)),
			db_copy_text(s, 1, a) };
	}
	return rc;
}

int tables_get(
    struct registry *r, const char *group, struct tables_info *t, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*t = (struct tables_info){ 0 };
	if (!db)
		return -1;
	int rc = tables_read_head(db, group, t, a, e);
	if (!rc)
		rc = get_members(db, group, t, a, e);
	return registry_snapshot_end(r, rc);
}
