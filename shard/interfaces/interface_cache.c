#include "shard/interfaces/interface_cache.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/interfaces/interface_facts.h"
#include "shard/program/module_rules.h"
#include "shard/storage/symbol_store.h"

/* Increment it whenever the same facts would yield another interface. */
enum { INTERFACE_VERSION = 1, SIGNATURES_HEX = 16 };

static const char tables
    [] = "create table if not exists shown (path text primary key, made text not null,"
         " language text not null, package text, hash text not null, signatures text not null,"
         " includes text not null, facts blob not null);"
         "create table if not exists state (key text primary key, value text not null)";

static pthread_mutex_t refreshing = PTHREAD_MUTEX_INITIALIZER;

/* ---- one file ---- */

struct shown_file {
	int64_t id;
	const char *path, *language, *package;	/* package: NULL is none */
	const char *made;			/* what its facts depend on */
	const struct dialect *dialect;		/* NULL: a manifest */
	const void *facts;
	size_t n;
};

static bool is_header(const struct dialect *d, const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && word_list_has(&d->headers, dot + 1, strlen(dot + 1));
}

/* The headers that the file includes, one a line. */
static void list_includes(const struct dialect *d, const struct facts *f, struct buf *out)
{
	buf_str(out, "");
	for (size_t i = 0; d && d->headers.n && i < f->imports.n; i++)
		if (f->imports.v[i].include)
			buf_printf(out, "%s\n", f->imports.v[i].module);
}

/* A hash of the signatures of what the file exports, which facts do not have. */
static int hash_signatures(
    struct db *index, int64_t file, char out[SHA256_HEX], struct arena *a, struct err *e)
{
	struct stored_symbols all;
	struct crypto_hash *h = crypto_hash_new();
	int rc = symbols_read(index, file, a, &all, e);

	for (size_t i = 0; !rc && i < all.n; i++) {
		const struct stored_symbol *s = &all.v[i];
		if (!s->exported || s->test || !s->signature)
			continue;
		crypto_hash_put(h, s->qualified, strlen(s->qualified) + 1);
		crypto_hash_put(h, s->signature, strlen(s->signature) + 1);
	}
	crypto_hash_end(h, out);
	out[SIGNATURES_HEX] = 0;
	return rc;
}

static int put_file(
    struct db *cache, struct db *index, const struct shown_file *x, struct arena *a, struct err *e)
{
	bool exported = x->dialect && x->dialect->headers.n && !is_header(x->dialect, x->path);
	struct buf plain = { 0 }, bytes = { 0 }, includes = { 0 };
	struct facts whole = { 0 }, shown;
	char hash[SHA256_HEX], signatures[SHA256_HEX];

	if (x->n && facts_decode(x->facts, x->n, a, &whole, e))
		return err_add(e, "%s", x->path);
	if (hash_signatures(index, x->id, signatures, a, e))
		return -1;
	interface_facts(&whole, exported, a, &shown);
	facts_encode_plain(&shown, &plain);
	deflate_put(&bytes, DEFLATE_SMALL, plain.p, plain.n);
	list_includes(x->dialect, &whole, &includes);
	crypto_sha256(plain.p, plain.n, hash);
	int rc = db_run(cache, e,
	    "insert or replace into shown (path, made, language, package, hash, signatures, includes,"
	    " facts) values (?, ?, ?, ?, ?, ?, ?, ?)",
	    "sssssssb", x->path, x->made, x->language, x->package, hash, signatures, includes.p,
	    bytes.p, bytes.n);
	buf_free(&plain);
	buf_free(&bytes);
	buf_free(&includes);
	return rc;
}

/* ---- all files ---- */

/* 1: the cache has the file as it is; 0: not; -1: failed. */
static int is_current(struct db *cache, const char *path, const char *made, struct err *e)
{
	struct stmt *s = db_prep(cache, "select made = ? from shown where path = ?", e);
	int rc, same = 0;

	if (!s || db_bind(s, "SS", made, path))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		same = (int)db_int(s, 0);
	if (rc)
		return rc;
	return same;
}

static int refresh_file(
    struct db *cache, struct db *index, struct shown_file *x, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(index, "select facts from facts where file = ?", e);
	int rc;

	if (!s || db_bind(s, "i", x->id))
		return -1;
	bool found = false;
	while ((rc = db_step(s, e)) == 1) {
		found = true;
		x->facts = db_blob(s, 0, &x->n);
		if (put_file(cache, index, x, a, e))
			return -1;
	}
	if (!rc && !found && !x->dialect)
		rc = put_file(cache, index, x, a, e);
	return rc;
}

static int refresh_files(struct db *cache, struct db *index, struct map *paths, struct err *e)
{
	struct stmt *s = db_prep(
	    index, "select id, path, blob, language, package from files where not test", e);
	struct arena *a = arena_new();
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1) {
		struct shown_file x = {
			.id = db_int(s, 0),
			.path = arena_str(a, db_str(s, 1)),
			.language = arena_str(a, db_str(s, 3)),
			.made = arena_printf(
			    a, "%d %d %s %s", EXTRACTOR_VERSION, INTERFACE_VERSION, db_str(s, 2), db_str(s, 3)),
			.package = db_copy_text(s, 4, a),
		};
		x.dialect = dialect_find(x.language);
		if (!x.dialect && !x.package)
			continue;
		*map_at(paths, x.path) = paths;
		int current = is_current(cache, x.path, x.made, e);
		if (current < 0 || (!current && refresh_file(cache, index, &x, a, e))) {
			rc = -1;
			break;
		}
		arena_reset(a);
	}
	arena_free(a);
	return rc;
}

/* Delete the files that the index no longer has. */
static int sweep(struct db *cache, const struct map *paths, struct err *e)
{
	struct stmt *s = db_prep(cache, "select path from shown", e);
	struct map *gone = map_new();
	int rc = -1;

	while (s && (rc = db_step(s, e)) == 1)
		if (!map_get(paths, db_str(s, 0)))
			*map_at(gone, db_str(s, 0)) = gone;
	for (size_t i = 0; !rc && i < map_len(gone); i++)
		rc = db_run(cache, e, "delete from shown where path = ?", "s", map_key(gone, i));
	map_free(gone);
	return rc;
}

static int refresh(struct db *cache, struct db *index, const char *graph_hash, struct err *e)
{
	struct map *paths = map_new();
	int rc = db_exec(cache, "begin immediate", e);

	if (!rc)
		rc = refresh_files(cache, index, paths, e);
	if (!rc)
		rc = sweep(cache, paths, e);
	if (!rc)
		rc = db_run(cache, e, "insert or replace into state values ('graph', ?)", "s", graph_hash);
	if (!rc)
		rc = db_exec(cache, "commit", e);
	map_free(paths);
	return rc;
}

static int has_graph(struct db *cache, const char *graph_hash, struct err *e)
{
	struct stmt *s = db_prep(cache, "select value = ? from state where key = 'graph'", e);
	int rc, same = 0;

	if (!s || db_bind(s, "S", graph_hash))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		same = (int)db_int(s, 0);
	if (rc)
		return rc;
	return same;
}

static struct db *open_current(
    const char *path, struct db *index, const char *graph_hash, struct err *e)
{
	struct db *cache = db_open(path, DB_CREATE, e);
	const char *key = NULL;
	struct arena *a = arena_new();

	/* the graph's hash does not tell which program made the rows */
	key = arena_printf(a, "%d %d %s", EXTRACTOR_VERSION, INTERFACE_VERSION, graph_hash);
	if (cache && !db_exec(cache, "pragma synchronous=off", e) && !db_exec(cache, tables, e)) {
		int same = has_graph(cache, key, e);
		if (same == 1 || (!same && !refresh(cache, index, key, e))) {
			arena_free(a);
			return cache;
		}
	}
	arena_free(a);
	db_close(cache);
	return NULL;
}

struct db *interface_cache_open(
    const char *data, struct db *index, const char *graph_hash, struct err *e)
{
	struct arena *a = arena_new();
	const char *path = arena_printf(a, "%s/interfaces.db", data);
	struct db *cache = NULL;

	pthread_mutex_lock(&refreshing);
	if (!dialects_read(e))
		cache = open_current(path, index, graph_hash, e);
	if (!cache && e->code == ERR_DB_ERROR) {	/* damaged: it is made again */
		unlink(path);
		*e = (struct err){ 0 };
		cache = open_current(path, index, graph_hash, e);
	}
	pthread_mutex_unlock(&refreshing);
	arena_free(a);
	return cache;
}
