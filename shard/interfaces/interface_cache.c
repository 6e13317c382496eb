#include "shard/interfaces/interface_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/deflate.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "shard/facts/facts.h"
#include "shard/facts/facts_codec.h"
#include "shard/index/index_store.h"
#include "shard/interfaces/imported_modules.h"
#include "shard/interfaces/interface_facts.h"
#include "shard/program/module_rules.h"
#include "shard/storage/symbol_store.h"

/* Increment it whenever the same facts would yield another interface. */
enum { INTERFACE_VERSION = 3, SIGNATURES_HEX = 16 };

static const char tables
    [] = "create table if not exists shown (path text primary key, made text not null,"
         " language text not null, package text, hash text not null, signatures text not null,"
         " includes text not null, imports text not null, modules text not null,"
         " facts blob not null);"
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
	bool included = interface_is_included(x->dialect, x->path);
	struct buf plain = { 0 }, bytes = { 0 };
	struct buf includes = { 0 }, imports = { 0 }, modules = { 0 };
	struct facts whole = { 0 }, shown;
	char hash[SHA256_HEX], signatures[SHA256_HEX];

	if (x->n && facts_decode(x->facts, x->n, a, &whole, e))
		return err_add(e, "%s", x->path);
	if (hash_signatures(index, x->id, signatures, a, e))
		return -1;
	interface_facts(&whole, included, a, &shown);
	facts_encode_plain(&shown, &plain);
	deflate_put(&bytes, DEFLATE_SMALL, plain.p, plain.n);
	list_includes(x->dialect, &whole, &includes);
	list_imports(x->dialect, &whole, &imports);
	list_modules(x->dialect, &shown, x->package, &modules);
	crypto_sha256(plain.p, plain.n, hash);
	int rc = db_run(cache, e,
	    "insert or replace into shown (path, made, language, package, hash, signatures, includes,"
	    " imports, modules, facts) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    "sssssssssb", x->path, x->made, x->language, x->package, hash, signatures, includes.p,
	    imports.p, modules.p, bytes.p, bytes.n);
	buf_free(&plain);
	buf_free(&bytes);
	buf_free(&includes);
	buf_free(&imports);
	buf_free(&modules);
	return rc;
}

/* ---- all files ---- */

static int refresh_file(
    struct db *cache, struct db *index, struct shown_file *x, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(index, "select facts from facts where file = ?", e);
	bool found = false;
	int rc;

	if (!s || db_bind(s, "i", x->id))
		return -1;
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

/* What differs between the index and the cache; its strings live in the arena. */
struct shown_changes {
	struct arena *a;
	struct { struct shown_file *v; size_t n, cap; } put;
	struct { const char **v; size_t n, cap; } gone;
};

/* The index's next file that has an interface: 1; 0 at the end; -1 with `e`. */
static int next_file(
    struct stmt *s, int64_t extractor, struct shown_file *out, struct arena *a, struct err *e)
{
	int rc;

	while ((rc = db_step(s, e)) == 1) {
		const struct dialect *d = dialect_find(db_str(s, 3));
		if (!d && db_null(s, 4))
			continue;
		*out = (struct shown_file){
			.id = db_int(s, 0),
			.path = arena_str(a, db_str(s, 1)),
			.language = arena_str(a, db_str(s, 3)),
			.package = db_copy_text(s, 4, a),
			.made = arena_printf(a, "%lld %d %s %s", (long long)extractor, INTERFACE_VERSION,
			    db_str(s, 2), db_str(s, 3)),
			.dialect = d,
		};
		return 1;
	}
	return rc;
}

static void note_gone(struct shown_changes *c, const char *path)
{
	c->gone.v = grow(c->gone.v, &c->gone.cap, c->gone.n + 1, sizeof *c->gone.v);
	c->gone.v[c->gone.n++] = arena_str(c->a, path);
}

static void note_put(struct shown_changes *c, const struct shown_file *x)
{
	struct shown_file copy = *x;

	copy.path = arena_str(c->a, x->path);
	copy.language = arena_str(c->a, x->language);
	copy.package = arena_str(c->a, x->package);
	copy.made = arena_str(c->a, x->made);
	c->put.v = grow(c->put.v, &c->put.cap, c->put.n + 1, sizeof *c->put.v);
	c->put.v[c->put.n++] = copy;
}

/* Compare both in order of path. */
static int find_changes(
    struct db *cache, struct db *index, struct shown_changes *c, struct err *e)
{
	struct stmt *files = db_prep(index,
	    "select id, path, blob, language, package from files where not test order by path", e);
	struct stmt *cached = db_prep(cache, "select path, made from shown order by path", e);
	struct arena *a = arena_new();
	struct shown_file x;
	int more = -1, known = -1;
	int64_t extractor;

	if (files && cached && !store_extractor(index, &extractor, e)) {
		more = next_file(files, extractor, &x, a, e);
		known = db_step(cached, e);
	}
	while (more >= 0 && known >= 0 && (more || known)) {
		int order = more ? -1 : 1;
		if (more && known)
			order = strcmp(x.path, db_str(cached, 0));
		if (order > 0)
			note_gone(c, db_str(cached, 0));
		else if (order < 0 || strcmp(x.made, db_str(cached, 1)))
			note_put(c, &x);
		if (order >= 0)
			known = db_step(cached, e);
		if (order <= 0) {
			arena_reset(a);
			more = next_file(files, extractor, &x, a, e);
		}
	}
	arena_free(a);
	return more < 0 || known < 0 ? -1 : 0;
}

static int apply(
    struct db *cache, struct db *index, const struct shown_changes *c, struct err *e)
{
	struct arena *a = arena_new();
	int rc = 0;

	for (size_t i = 0; i < c->gone.n && !rc; i++)
		rc = db_run(cache, e, "delete from shown where path = ?", "s", c->gone.v[i]);
	for (size_t i = 0; i < c->put.n && !rc; i++) {
		rc = refresh_file(cache, index, &c->put.v[i], a, e);
		arena_reset(a);
	}
	arena_free(a);
	return rc;
}

static int refresh(struct db *cache, struct db *index, const char *graph_hash, struct err *e)
{
	struct shown_changes c = { .a = arena_new() };
	int rc = db_exec(cache, "begin immediate", e);

	if (!rc)
		rc = find_changes(cache, index, &c, e);
	if (!rc)
		rc = apply(cache, index, &c, e);
	if (!rc)
		rc = db_run(
		    cache, e, "insert or replace into state values ('graph', ?)", "s", graph_hash);
	if (!rc)
		rc = db_exec(cache, "commit", e);
	free(c.put.v);
	free(c.gone.v);
	arena_free(c.a);
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
	struct arena *a = arena_new();
	int64_t extractor = 0;
	int rc = store_extractor(index, &extractor, e);

	/* the graph's hash does not tell which program made the rows */
	const char *key = arena_printf(
	    a, "%lld %d %s", (long long)extractor, INTERFACE_VERSION, graph_hash);
	if (!rc && cache && !db_exec(cache, "pragma synchronous=off", e) &&
	    !db_exec(cache, tables, e)) {
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
