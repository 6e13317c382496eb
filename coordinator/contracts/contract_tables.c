#include "coordinator/contracts/contract_tables.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/registry/registry.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "proto/net/crypto.h"
#include "proto/record/codec.h"
#include "proto/record/json.h"

static struct bytes copy_blob(struct stmt *s, int col, struct arena *a)
{
	struct bytes b;
	const void *p = db_blob(s, col, &b.n);

	b.p = arena_strn(a, p ? p : "", b.n);
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
		*body = copy_blob(s, 1, a);
	}
	return rc;
}

int tables_facts_get(struct registry *r, const char *repo_uri, const char **version,
    struct bytes *body, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	if (db)
		return registry_snapshot_end(r, get_facts(db, repo_uri, version, body, a, e));
	return -1;
}

int tables_facts_read(struct registry *r, const char *repo_uri, const char **version,
    struct contracts_res *out, struct arena *a, struct err *e)
{
	struct bytes body;

	*out = (struct contracts_res){ 0 };
	if (tables_facts_get(r, repo_uri, version, &body, a, e))
		return -1;
	if (*version)
		return codec_get(&rec_contracts_res, out, body.p, body.n, a, e);
	return 0;
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

	if (db)
		return registry_snapshot_end(r, get_versions(db, v, n, a, e));
	return -1;
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
	const struct end *p = r->producer ? r->producer : &none, *c = r->consumer ? r->consumer : &none;

	return db_run(db, e,
	    "insert into contracts (grp, seq, list, kind, p_repo, p_method, p_path, c_repo, c_method, c_path, reason, row,"
	    " confidence) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    *r->list == 'c' ? "sisssssssssbf" : "sisssssssssbn", group, (int64_t)seq, r->list, r->what,
	    p->repo_uri, p->method, p->path, c->repo_uri, c->method, c->path, r->reason, r->row.p,
	    r->row.n, r->confidence);
}

static int put_rows(struct db *db, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, struct err *e)
{
	if (db_run(db, e, "delete from contracts where grp = ?", "s", group) ||
	    db_run(db, e, "delete from contract_counts where grp = ?", "s", group) ||
	    db_run(db, e, "delete from links where grp = ?", "s", group))
		return -1;
	for (size_t i = 0; i < contracts->n; i++)
		if (put_contract(db, group, i, &contracts->v[i], e))
			return -1;
	if (db_run(db, e,
	        "insert into contract_counts select grp, list, ifnull(c_repo, ''), ifnull(p_repo, ''), kind,"
	        " ifnull(reason, ''), count(*) from contracts where grp = ? group by 1, 2, 3, 4, 5, 6",
	        "s", group))
		return -1;
	for (size_t i = 0; i < links->n; i++) {
		const struct table_row *r = &links->v[i];
		if (db_run(db, e,
		        "insert into links (grp, seq, relation, source, target, row, confidence) values (?, ?, ?, ?, ?, ?, ?)",
		        "sisssbf", group, (int64_t)i, r->what, r->consumer->repo_uri, r->producer->repo_uri,
		        r->row.p, r->row.n, r->confidence))
			return -1;
	}
	return 0;
}

static int put_reservation(
    struct db *db, const char *name, const struct synced_member *v, size_t n, struct err *e)
{
	int rc = db_run(db, e, "insert or ignore into groups (name) values (?)", "s", name);

	for (size_t i = 0; i < n && !rc; i++) {
		if (db_run(db, e,
		        "insert or ignore into repos (repo_uri, name, added_at) values (?1, ?1, '')", "s",
		        v[i].repo_uri) ||
		    db_run(db, e, "insert or ignore into members (grp, repo_uri) values (?, ?)", "ss", name,
		        v[i].repo_uri))
			rc = -1;
		else
			rc = 0;
	}
	return rc;
}

int tables_reserve(
    struct registry *r, const char *name, const struct synced_member *v, size_t n, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (db)
		return registry_end(r, put_reservation(db, name, v, n, e), e);
	return -1;
}

static int get_head(
    struct db *db, const char *group, struct tables_info *t, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select synced_at, digest from groups where name = ?", e);
	int rc;

	if (!s || db_bind(s, "s", group))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (db_null(s, 0))
			t->synced_at = NULL;
		else
			t->synced_at = arena_str(a, db_str(s, 0));
		if (db_null(s, 1))
			t->digest = NULL;
		else
			t->digest = arena_str(a, db_str(s, 1));
	}
	return rc;
}

static int put(struct db *db, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, const struct synced_member *synced, size_t nsynced,
    const char *at, bool *changed, struct arena *a, struct err *e)
{
	struct tables_info old = { 0 };
	char digest[SHA256_HEX];

	digest_of(contracts, links, digest);
	if (get_head(db, group, &old, a, e))
		return -1;
	*changed = !old.digest || strcmp(old.digest, digest) != 0;
	if (*changed && put_rows(db, group, contracts, links, e))
		return -1;
	if (db_run(db, e, "update groups set synced_at = ?, digest = ? where name = ?", "sss", at,
	        digest, group) ||
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
    const char *at, bool *changed, struct err *e)
{
	struct db *db = registry_begin(r, e);

	if (!db)
		return -1;
	struct arena *a = arena_new();
	int rc = registry_end(
	    r, put(db, group, contracts, links, synced, nsynced, at, changed, a, e), e);
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
			db_null(s, 1) ? NULL : arena_str(a, db_str(s, 1)) };
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
	int rc = get_head(db, group, t, a, e);
	return registry_snapshot_end(r, rc ? rc : get_members(db, group, t, a, e));
}

/* ---- pages ---- */

static int get_digest(
    struct db *db, const char *group, const char **digest, struct arena *a, struct err *e)
{
	struct tables_info head = { 0 };
	int rc = get_head(db, group, &head, a, e);

	*digest = head.digest;
	return rc;
}

/*
 * What a filter says, with parameters 1 group, 2 what, 3 repository, 4 method, 5 path, 6 list, 7
 * producer, 8 consumer, 9 reasons, 10 confidence; lists are JSON arrays.  Only what is given is
 * looked at.
 */
#define AMONG(column, list) column " in (select value from json_each(" list "))"
#define END_FITS(end) "(" end "_repo is not null and (?3 is null or " end "_repo = ?3)" \
	" and (?5 is null or instr(" end "_path, ?5)))"
/* What a row is about: a call's own method where the route takes any. */
#define METHOD_FITS "(case when p_repo is null or (p_method = 'ANY' and c_repo is not null) then c_method else p_method end" \
	" collate nocase in (?4, 'ANY'))"

static bool any(const t_strs *v)
{
	return v && v->n;
}

/* Whether contract_counts has all that the filter asks for. */
static bool is_counted(const struct table_filter *f)
{
	return !f->links && !f->method && !f->path && !(f->confidence > 0);
}

/* What both tables of contracts are filtered by. */
static const char *contract_conditions(const struct table_filter *f, struct arena *a)
{
	return arena_printf(a, "%s%s%s%s%s%s", any(f->what) ? " and " AMONG("kind", "?2") : "",
	    f->list ? " and list = ?6" : "", f->producer ? " and p_repo = ?7" : "",
	    f->consumer ? " and c_repo = ?8" : "", any(f->reasons) ? " and " AMONG("reason", "?9") : "",
	    f->crossing ? " and list = 'contract' and p_repo <> c_repo" : "");
}

static const char *count_conditions(const struct table_filter *f, struct arena *a)
{
	return arena_printf(a, " from contract_counts where grp = ?1%s%s",
	    f->repo_uri ? " and ?3 in (c_repo, p_repo)" : "", contract_conditions(f, a));
}

static const char *conditions(const struct table_filter *f, struct arena *a)
{
	const char *sure = "";

	if (f->confidence > 0)
		sure = " and confidence >= ?10";
	if (f->links)
		return arena_printf(a, " from links where grp = ?1%s%s%s%s%s",
		    any(f->what) ? " and " AMONG("relation", "?2") : "",
		    f->repo_uri ? " and ?3 in (source, target)" : "", f->producer ? " and target = ?7" : "",
		    f->consumer ? " and source = ?8" : "", sure);
	return arena_printf(a, " from contracts where grp = ?1%s%s%s%s",
	    f->repo_uri || f->path ? " and (" END_FITS("p") " or " END_FITS("c") ")" : "",
	    f->method ? " and " METHOD_FITS : "", contract_conditions(f, a), sure);
}

static const char *json_list(const t_strs *v, struct arena *a)
{
	struct buf b = { 0 };

	if (!v)
		return NULL;
	for (size_t i = 0; i < v->n; i++) {
		buf_byte(&b, i ? ',' : '[');
		json_quote(&b, v->v[i]);
	}
	buf_str(&b, v->n ? "]" : "[]");
	const char *s = arena_str(a, b.p);
	buf_free(&b);
	return s;
}

static struct stmt *query_from(struct db *db, const char *head, const char *from, const char *tail,
    const char *group, const struct table_filter *f, struct arena *a, struct err *e)
{
	const char *what = json_list(f->what, a), *reasons = json_list(f->reasons, a);
	/* the last one is named, so that there are always ten */
	struct stmt *s = db_prep_once(
	    db, arena_printf(a, "%s%s and ?10 is ?10%s", head, from, tail), e);

	if (s &&
	    db_bind(s, "sssssssssf", group, what, f->repo_uri, f->method, f->path, f->list, f->producer,
	        f->consumer, reasons, f->confidence)) {
		db_finalize(s);
		return NULL;
	}
	return s;
}

/* A statement over what the filter says. */
static struct stmt *query(struct db *db, const char *head, const char *tail, const char *group,
    const struct table_filter *f, struct arena *a, struct err *e)
{
	return query_from(db, head, conditions(f, a), tail, group, f, a, e);
}

/*
 * The same over the rows of contract_counts, when these have all that the filter asks for; `n`
 * says how many each is.
 */
static struct stmt *query_numbers(struct db *db, const char *head, const char *tail,
    const char *group, const struct table_filter *f, struct arena *a, struct err *e)
{
	bool counted = is_counted(f);

	return query_from(db, arena_printf(a, "select %s, %s", head, counted ? "sum(n)" : "count(*)"),
	    counted ? count_conditions(f, a) : conditions(f, a), tail, group, f, a, e);
}

static int count_rows(struct db *db, const char *group, const struct table_filter *f,
    struct table_page *out, struct arena *a, struct err *e)
{
	struct stmt *s = query_numbers(
	    db, f->links ? "'contract'" : "list", f->links ? "" : " group by list", group, f, a, e);
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const char *list = db_str(s, 0);
		*(*list == 'c' ? &out->contracts : *list == 'u' ? &out->unresolved : &out->idle) = (size_t)db_int(s, 1);
	}
	db_finalize(s);
	return rc;
}

static int get_rows(struct db *db, const char *group, const struct table_filter *f,
    struct table_page *out, struct arena *a, struct err *e)
{
	size_t total = out->contracts + out->unresolved + out->idle,
	       most = f->limit && f->limit < total ? f->limit : total;
	struct stmt *s = query(db,
	    f->links ? "select '', relation, row, seq" : "select list, kind, row, seq",
	    arena_printf(a, " and seq >= %zu order by seq limit %zu", f->from, most), group, f, a, e);
	int rc;

	if (!s)
		return -1;
	out->rows.v = arena_many(a, most, struct table_row);
	while ((rc = db_step(s, e)) == 1)
		out->rows.v[out->rows.n++] = (struct table_row){ .list = arena_str(a, db_str(s, 0)),
			.what = arena_str(a, db_str(s, 1)),
			.row = copy_blob(s, 2, a),
			.seq = (size_t)db_int(s, 3) };
	db_finalize(s);
	return rc;
}

int tables_page(struct registry *r, const char *group, const struct table_filter *f,
    struct table_page *out, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*out = (struct table_page){ 0 };
	if (!db)
		return -1;
	int rc = get_digest(db, group, &out->digest, a, e);
	if (!rc)
		rc = count_rows(db, group, f, out, a, e);
	return registry_snapshot_end(r, rc ? rc : get_rows(db, group, f, out, a, e));
}

/* ---- the whole in numbers ---- */

/* The text of a column; the one of the row before, when it is the same. */
static const char *reuse_text(const char *last, const char *s, struct arena *a)
{
	if (last && !strcmp(last, s))
		return last;
	return arena_str(a, s);
}

static void *kept(const void *v, size_t n, size_t size, struct arena *a)
{
	if (n)
		return memcpy(arena_get(a, n, size), v, n * size);
	return NULL;
}

static int get_pairs(struct db *db, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct stmt *s = query_numbers(db,
	    f->links ? "source, target, relation" : "c_repo, p_repo, kind",
	    f->links ?
	        " group by source, target, relation order by source, target, relation" :
	        " and list = 'contract' group by c_repo, p_repo, kind order by c_repo, p_repo, kind",
	    group, f, a, e);
	struct { struct contract_pair *v; size_t n, cap; } pairs = { 0 };
	struct contract_pair last = { 0 };
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		last = (struct contract_pair){ .consumer = reuse_text(last.consumer, db_str(s, 0), a),
			.producer = arena_str(a, db_str(s, 1)),
			.kind = reuse_text(last.kind, db_str(s, 2), a),
			.calls = (uint64_t)db_int(s, 3) };
		pairs.v = grow(pairs.v, &pairs.cap, pairs.n + 1, sizeof *pairs.v);
		pairs.v[pairs.n++] = last;
	}
	out->pairs = kept(pairs.v, pairs.n, sizeof *pairs.v, a);
	out->npairs = pairs.n;
	free(pairs.v);
	db_finalize(s);
	return rc;
}

static int get_reasons(struct db *db, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct stmt *s = query_numbers(db, "c_repo, reason",
	    " and list = 'unresolved' group by c_repo, reason order by c_repo, reason", group, f, a, e);
	struct { struct unresolved_count *v; size_t n, cap; } reasons = { 0 };
	struct unresolved_count last = { 0 };
	int rc;

	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		last = (struct unresolved_count){ .consumer = reuse_text(last.consumer, db_str(s, 0), a),
			.reason = arena_str(a, db_str(s, 1)),
			.calls = (uint64_t)db_int(s, 2) };
		reasons.v = grow(reasons.v, &reasons.cap, reasons.n + 1, sizeof *reasons.v);
		reasons.v[reasons.n++] = last;
	}
	out->reasons = kept(reasons.v, reasons.n, sizeof *reasons.v, a);
	out->nreasons = reasons.n;
	free(reasons.v);
	db_finalize(s);
	return rc;
}

int tables_matrix(struct registry *r, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*out = (struct table_matrix){ 0 };
	if (!db)
		return -1;
	int rc = get_digest(db, group, &out->digest, a, e);
	if (!rc)
		rc = get_pairs(db, group, f, out, a, e);
	return registry_snapshot_end(r, rc ? rc : get_reasons(db, group, f, out, a, e));
}

int tables_link_pairs(struct registry *r, const char *group, const struct table_filter *f,
    struct table_matrix *out, struct arena *a, struct err *e)
{
	struct db *db = registry_snapshot_begin(r, e);

	*out = (struct table_matrix){ 0 };
	if (!db)
		return -1;
	int rc = get_digest(db, group, &out->digest, a, e);
	return registry_snapshot_end(r, rc ? rc : get_pairs(db, group, f, out, a, e));
}
