#include "shard/uses/use_store.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/interfaces/package_interfaces.h"
#include "shard/uses/external_files.h"
#include "shard/uses/use_finder.h"

/* Increment it whenever the same facts and interfaces would yield other uses. */
enum { USES_VERSION = 2 };

static const char tables[] =
    "create table if not exists wanted (grp text not null, repo_uri text not null,"
    " hash text not null, primary key (grp, repo_uri, hash)) without rowid;"
    "create table if not exists interface (hash text primary key, whole integer not null,"
    " bytes blob not null);"
    "create table if not exists used (repo_uri text not null, symbol text not null,"
    " target_path text not null, symbol_kind text not null, path text not null,"
    " line integer not null, within text, kind text not null, confidence integer not null,"
    " reason text not null);"
    "create index if not exists used_symbol on used (repo_uri, symbol);"
    "create index if not exists used_place on used (path, line);"
    "create table if not exists unclear (name text primary key, n integer not null) without rowid;"
    "create table if not exists known (repo_uri text primary key) without rowid;"
    "create table if not exists state (key text primary key, value text not null)";

/* ---- opening ---- */

static struct db *open_with_tables(const char *path, struct err *e)
{
	struct db *db = db_open(path, DB_CREATE, e);

	if (db && !db_exec(db, "pragma synchronous=off", e) && !db_exec(db, tables, e))
		return db;
	db_close(db);
	return NULL;
}

static const char *path_in(const char *data, struct arena *a)
{
	return arena_printf(a, "%s/uses.db", data);
}

struct db *use_store_open(const char *data, struct err *e)
{
	struct arena *a = arena_new();
	const char *path = path_in(data, a);
	struct db *db = open_with_tables(path, e);

	if (!db && e->code == ERR_DB_ERROR) {	/* damaged: it is made again */
		unlink(path);
		*e = (struct err){ 0 };
		db = open_with_tables(path, e);
	}
	arena_free(a);
	return db;
}

struct db *use_store_read(const char *data, struct err *e)
{
	struct arena *a = arena_new();
	const char *path = path_in(data, a);
	struct db *db = NULL;

	if (!access(path, F_OK))
		db = db_open(path, DB_READ, e);
	arena_free(a);
	return db;
}

/* ---- interfaces ---- */

/* How many rows of a group there are, or only those of this interface; -1 with `e`. */
static int64_t count_group(
    struct db *db, const char *group, const struct wanted_interface *x, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select count(*) from wanted where grp = ?1"
	    " and (?2 is null or (repo_uri = ?2 and hash = ?3))",
	    e);
	const char *repo_uri = NULL, *hash = NULL;
	int64_t n = 0;
	int rc;

	if (x) {
		repo_uri = x->repo_uri;
		hash = x->hash;
	}
	if (!s || db_bind(s, "SSS", group, repo_uri, hash))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		n = db_int(s, 0);
	return rc ? -1 : n;
}

/* Whether the group wants exactly these already; the coordinator sends them without duplicates. */
static bool wants_same(struct db *db, const struct use_interfaces_req *q, struct err *e)
{
	if (count_group(db, q->group, NULL, e) != (int64_t)q->interfaces.n)
		return false;
	for (size_t i = 0; i < q->interfaces.n; i++)
		if (count_group(db, q->group, &q->interfaces.v[i], e) != 1)
			return false;
	return true;
}

static int want_all(struct db *db, const struct use_interfaces_req *q, struct err *e)
{
	if (db_run(db, e, "delete from wanted where grp = ?", "s", q->group))
		return -1;
	for (size_t i = 0; i < q->interfaces.n; i++) {
		const struct wanted_interface *x = &q->interfaces.v[i];
		if (db_run(db, e, "insert or ignore into wanted (grp, repo_uri, hash) values (?, ?, ?)",
		        "sss", q->group, x->repo_uri, x->hash))
			return -1;
	}
	return db_run(db, e, "delete from interface where hash not in (select hash from wanted)", "");
}

static int read_missing(struct db *db, struct strs *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select distinct hash, count(*) over () from wanted w where not exists"
	    " (select 1 from interface i where i.hash = w.hash and i.whole) order by hash",
	    e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		if (!out->v)
			out->v = arena_many(a, (size_t)db_int(s, 1) + 1, const char *);
		out->v[out->n++] = arena_str(a, db_str(s, 0));
	}
	return rc;
}

int use_store_want(struct db *db, const struct use_interfaces_req *q, struct strs *missing,
    struct arena *a, struct err *e)
{
	*missing = (struct strs){ 0 };
	if (wants_same(db, q, e))
		return read_missing(db, missing, a, e);
	if (e->code || db_exec(db, "begin immediate", e))
		return -1;
	if (want_all(db, q, e)) {
		db_exec(db, "rollback", NULL);
		return -1;
	}
	if (db_exec(db, "commit", e))
		return -1;
	return read_missing(db, missing, a, e);
}

/* The bytes of an interface; empty if there are none. */
static int read_bytes(
    struct db *db, const char *hash, struct bytes *out, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(db, "select bytes from interface where hash = ?", e);
	int rc;

	*out = (struct bytes){ 0 };
	if (!s || db_bind(s, "S", hash))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		const void *p = db_blob(s, 0, &out->n);
		char *copy = arena_get(a, out->n + 1, 1);
		if (out->n)
			memcpy(copy, p, out->n);
		out->p = copy;
	}
	return rc;
}

static int put_chunk(struct db *db, const struct put_interface_req *q, uint64_t *have,
    struct arena *a, struct err *e)
{
	struct bytes old = { 0 };
	struct interface x;
	struct buf all = { 0 };

	if (q->size > INTERFACE_MAX_BYTES)
		return err_set(e, ERR_INVALID_INPUT, "size: the interface is larger than %d bytes",
		    INTERFACE_MAX_BYTES);
	if (q->offset && read_bytes(db, q->hash, &old, a, e))
		return -1;
	*have = old.n;
	if (q->offset != old.n || q->chunk.n > q->size - q->offset)
		return err_set(e, ERR_INVALID_INPUT,
		    "offset: the chunk of %zu bytes begins at %llu, and %zu of %llu bytes are here",
		    q->chunk.n, (unsigned long long)q->offset, old.n, (unsigned long long)q->size);
	buf_put(&all, old.p, old.n);
	buf_put(&all, q->chunk.p, q->chunk.n);
	*have = all.n;
	bool whole = all.n == q->size;
	int rc = 0;
	if (whole)
		rc = interface_unpack((struct bytes){ all.p, all.n }, q->hash, a, &x, e);
	if (whole && !rc)
		rc = interface_check(&x, e);
	if (!rc)
		rc = db_run(db, e, "insert or replace into interface (hash, whole, bytes) values (?, ?, ?)",
		    "sib", q->hash, (int64_t)whole, all.p, all.n);
	buf_free(&all);
	return rc;
}

int use_store_put(struct db *db, const struct put_interface_req *q, uint64_t *have, struct err *e)
{
	struct arena *a = arena_new();
	int rc = put_chunk(db, q, have, a, e);

	arena_free(a);
	return rc;
}

static int count_wanted(struct db *db, size_t *n, struct err *e)
{
	struct stmt *s = db_prep(db, "select count(*) from wanted", e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1)
		*n = (size_t)db_int(s, 0);
	return rc;
}

int use_store_interfaces(
    struct db *db, struct arena *a, struct external_repository **out, size_t *n, struct err *e)
{
	struct stmt *s;
	size_t most = 0;
	int rc = -1;

	*n = 0;
	if (count_wanted(db, &most, e))
		return -1;
	*out = arena_many(a, most + 1, struct external_repository);
	struct interface *all = arena_many(a, most + 1, struct interface);
	s = db_prep(db,
	    "select distinct w.repo_uri, w.hash, i.bytes from wanted w join interface i"
	    " on i.hash = w.hash and i.whole order by w.repo_uri, w.hash",
	    e);
	while (s && (rc = db_step(s, e)) == 1) {
		struct external_repository *r = *n ? &(*out)[*n - 1] : NULL;
		struct bytes packed;
		if (!r || strcmp(r->repo_uri, db_str(s, 0))) {
			r = &(*out)[(*n)++];
			r->repo_uri = arena_str(a, db_str(s, 0));
			r->interfaces = all;
		}
		packed.p = db_blob(s, 2, &packed.n);
		rc = interface_unpack(packed, db_str(s, 1), a, all++, e);
		if (rc)
			break;
		r->ninterfaces++;
	}
	return rc;
}

/* ---- what the uses were found with ---- */

int use_store_key(
    struct db *db, int64_t extractor, const char *graph_hash, char key[SHA256_HEX], struct err *e)
{
	struct crypto_hash *h = crypto_hash_new();
	struct stmt *s = db_prep(db,
	    "select distinct w.repo_uri, w.hash from wanted w join interface i on i.hash = w.hash"
	    " and i.whole order by w.repo_uri, w.hash",
	    e);
	struct arena *a = arena_new();
	const char *head = arena_printf(
	    a, "%lld %d %s", (long long)extractor, USES_VERSION, graph_hash);
	int rc = -1;

	crypto_hash_put(h, head, strlen(head) + 1);
	while (s && (rc = db_step(s, e)) == 1) {
		crypto_hash_put(h, db_str(s, 0), strlen(db_str(s, 0)) + 1);
		crypto_hash_put(h, db_str(s, 1), strlen(db_str(s, 1)) + 1);
	}
	crypto_hash_end(h, key);
	arena_free(a);
	return rc;
}

bool use_store_is_current(struct db *db, const char *key, struct err *e)
{
	struct stmt *s = db_prep(db, "select value from state where key = 'found'", e);
	bool same = false;

	while (s && db_step(s, e) == 1)
		same = !strcmp(db_str(s, 0), key);
	return same;
}

/* ---- uses ---- */

static int put_use(struct db *db, const char *repo_uri, const struct found_use *x, struct err *e)
{
	return db_run(db, e,
	    "insert into used (repo_uri, symbol, target_path, symbol_kind, path, line, within, kind,"
	    " confidence, reason) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    "sssssissis", repo_uri, x->symbol, x->target_path, x->symbol_kind, x->path,
	    (int64_t)x->line, x->in, x->kind, (int64_t)x->confidence, x->reason);
}

static int replace(struct db *db, const struct external_repository *v,
    const struct found_uses *uses, const char *key, const char *graph_hash, struct err *e)
{
	if (db_exec(db, "delete from used; delete from known; delete from unclear", e))
		return -1;
	for (size_t i = 0; uses->unclear && i < map_len(uses->unclear); i++)
		if (db_run(db, e, "insert into unclear values (?, ?)", "si", map_key(uses->unclear, i),
		        (int64_t)(uintptr_t)map_val(uses->unclear, i)))
			return -1;
	for (size_t i = 0; i < uses->n; i++)
		if (put_use(db, v[uses->v[i].repository].repo_uri, &uses->v[i], e))
			return -1;
	if (db_exec(db,
	        "insert into known select distinct repo_uri from wanted except select w.repo_uri"
	        " from wanted w where not exists"
	        " (select 1 from interface i where i.hash = w.hash and i.whole)",
	        e))
		return -1;
	return db_run(db, e, "insert or replace into state values ('found', ?), ('graph', ?)", "ss",
	    key, graph_hash);
}

int use_store_replace(struct db *db, const struct external_repository *v,
    const struct found_uses *uses, const char *key, const char *graph_hash, struct err *e)
{
	if (db_exec(db, "begin immediate", e))
		return -1;
	if (!replace(db, v, uses, key, graph_hash, e))
		return db_exec(db, "commit", e);
	db_exec(db, "rollback", NULL);
	return -1;
}

int use_store_totals(struct db *db, struct arena *a, struct use_interfaces_res *out, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select repo_uri, count(*), count(distinct symbol || ' ' || target_path),"
	    " count(*) over () from used group by repo_uri order by repo_uri",
	    e);
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		if (!out->totals.v)
			out->totals.v = arena_many(a, (size_t)db_int(s, 3) + 1, struct use_total);
		out->totals.v[out->totals.n++] = (struct use_total){
			.repo_uri = arena_str(a, db_str(s, 0)),
			.uses = (uint64_t)db_int(s, 1),
			.symbols = (uint64_t)db_int(s, 2),
		};
	}
	return rc;
}

/* ---- questions ---- */

/* What a question names, as tables of the connection. */
static int put_asked(struct db *db, const struct uses_req *q, struct err *e)
{
	if (db_exec(db,
	        "create temp table asked (path text, symbol text not null);"
	        "create index temp.asked_symbol on asked (symbol);"
	        "create temp table asked_repos (repo_uri text primary key) without rowid",
	        e))
		return -1;
	for (size_t i = 0; i < q->repo_uris.n; i++)
		if (db_run(
		        db, e, "insert or ignore into temp.asked_repos values (?)", "s", q->repo_uris.v[i]))
			return -1;
	for (size_t i = 0; i < q->symbols.n; i++)
		if (db_run(db, e, "insert into temp.asked values (?, ?)", "ss",
		        text_or_null(q->symbols.v[i].path), q->symbols.v[i].symbol))
			return -1;
	return 0;
}

#define MATCHING \
	" from used u where (?1 = 0 or repo_uri in (select repo_uri from temp.asked_repos))" \
	" and (?2 is null or path = ?2) and (?8 is null or target_path = ?8)" \
	" and line between ?3 and ?4 and (?5 = 0 or exists (select 1 from temp.asked x" \
	" where x.symbol = u.symbol and (x.path is null or x.path = u.target_path)))"

#define COLUMNS \
	"select path, line, within, kind, confidence, reason, repo_uri, target_path, symbol," \
	" symbol_kind, "

static struct stmt *prepare(struct db *db, bool each, struct err *e)
{
	if (each)
		return db_prep(db,
		    COLUMNS "0, count(*) over ()" MATCHING
		            " order by repo_uri, path, line, symbol, target_path limit ?6 offset ?7",
		    e);
	/* SQLite takes the other columns from the row of the minimum */
	return db_prep(db,
	    COLUMNS "count(*), count(*) over (), min(path || char(0) || printf('%09d', line))" MATCHING
	            " group by repo_uri, target_path, symbol order by repo_uri, target_path, symbol"
	            " limit ?6 offset ?7",
	    e);
}

static struct external_use read_use(struct stmt *s, struct arena *a)
{
	return (struct external_use){
		.path = arena_str(a, db_str(s, 0)),
		.line = (uint64_t)db_int(s, 1),
		.in = db_copy_text(s, 2, a),
		.kind = arena_str(a, db_str(s, 3)),
		.confidence = (double)db_int(s, 4) / 100,
		.reason = arena_str(a, db_str(s, 5)),
		.repo_uri = arena_str(a, db_str(s, 6)),
		.target_path = arena_str(a, db_str(s, 7)),
		.symbol = arena_str(a, db_str(s, 8)),
		.symbol_kind = arena_str(a, db_str(s, 9)),
		.uses = (uint64_t)db_int(s, 10),
	};
}

static int read_uses(
    struct db *db, const struct uses_req *q, struct arena *a, struct uses_res *out, struct err *e)
{
	struct stmt *s = prepare(db, q->each, e);
	int64_t last = q->to_line ? (int64_t)q->to_line : INT64_MAX;
	int rc = -1;

	if (!s ||
	    db_bind(s, "iSiiiiiS", (int64_t)q->repo_uris.n, text_or_null(q->path),
	        (int64_t)q->from_line, last, (int64_t)q->symbols.n, (int64_t)q->limit,
	        (int64_t)q->offset, text_or_null(q->target_path)))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!out->uses.v)
			out->uses.v = arena_many(a, q->limit + 1, struct external_use);
		out->uses.v[out->uses.n++] = read_use(s, a);
		out->total = (uint64_t)db_int(s, 11);
	}
	return rc;
}

/* The repositories that the uses are of, if they were found in this graph. */
static int read_known(
    struct db *db, const char *graph_hash, struct arena *a, struct strs *out, struct err *e)
{
	struct stmt *s = db_prep(db,
	    "select repo_uri, count(*) over () from known where exists"
	    " (select 1 from state where key = 'graph' and value = ?) order by repo_uri",
	    e);
	int rc = -1;

	if (!s || db_bind(s, "S", graph_hash))
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (!out->v)
			out->v = arena_many(a, (size_t)db_int(s, 1) + 1, const char *);
		out->v[out->n++] = arena_str(a, db_str(s, 0));
	}
	return rc;
}

/* The part of a qualified name that code writes behind a receiver. */
static const char *last_part(const char *qualified)
{
	const char *dot = strrchr(qualified, '.');

	return dot ? dot + 1 : qualified;
}

static bool has_name(const struct uses_res *out, const char *name)
{
	for (size_t i = 0; i < out->unclear_names.n; i++)
		if (!strcmp(out->unclear_names.v[i].name, name))
			return true;
	return false;
}

/* How many references by the last part of an asked name are unclear, together and for each name. */
static int read_unclear(
    struct db *db, const struct uses_req *q, struct arena *a, struct uses_res *out, struct err *e)
{
	out->unclear_names.v = arena_many(a, q->symbols.n + 1, struct name_count);
	for (size_t i = 0; i < q->symbols.n; i++) {
		const char *name = last_part(q->symbols.v[i].symbol);
		struct stmt *s = db_prep(db, "select n from unclear where name = ?", e);
		int rc;
		if (!s || db_bind(s, "S", name))
			return -1;
		while ((rc = db_step(s, e)) == 1) {
			out->unclear += (uint64_t)db_int(s, 0);
			if (!has_name(out, name))
				out->unclear_names.v[out->unclear_names.n++] = (struct name_count){
					arena_str(a, name), (uint64_t)db_int(s, 0)
				};
		}
		if (rc)
			return rc;
	}
	return 0;
}

int use_store_query(struct db *db, const struct uses_req *q, const char *graph_hash,
    struct arena *a, struct uses_res *out, struct err *e)
{
	if (put_asked(db, q, e) || read_uses(db, q, a, out, e))
		return -1;
	if (read_unclear(db, q, a, out, e))
		return -1;
	return read_known(db, graph_hash, a, &out->known, e);
}
