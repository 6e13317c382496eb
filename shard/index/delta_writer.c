#include "shard/index/delta_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/db/db.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "shard/contracts/crossfile/bind_handlers.h"
#include "shard/index/index_writer.h"
#include "shard/storage/edge_store.h"
#include "shard/facts/facts.h"
#include "shard/graph/graph_hash.h"
#include "shard/contracts/crossfile/crossfile.h"
#include "shard/program/dependency_key.h"
#include "shard/program/file_interface.h"
#include "shard/index/postings.h"
#include "shard/graph/scip/scip_overlay.h"
#include "shard/index/ranking_rows.h"
#include "shard/graph/edge_resolution.h"
#include "shard/index/scip_sources.h"
#include "shard/index/index_rows.h"
#include "shard/settings/settings.h"
#include "shard/index/index_store.h"

enum { POSTINGS_MEMORY = 64 << 20 };

struct id_list {
	int64_t *v;
	size_t n, cap;
};

struct delta_writer {
	struct db *db;
	bool open;			/* a transaction is */
	const char *dir;
	struct arena *a, *keep;		/* of one file; of all */
	struct index_info n;		/* counts */
	int64_t last_file, last_doc;
	struct postings *postings;	/* that are to be added */
	struct ranking_rows *ranking;
	struct id_list files, keys;	/* changed or new; whose meaning changed */
};

static void add(struct id_list *l, int64_t x)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* The number that a statement gives. */
static int64_t one(struct db *db, const char *sql, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int64_t n = 0;

	if (s && db_step(s, e) == 1)
		n = db_int(s, 0);
	while (s && db_step(s, e) == 1)
		;
	return n;
}

struct delta_writer *delta_writer_new(const char *dir, const struct index_info *now, struct err *e)
{
	struct delta_writer *u = xcalloc(1, sizeof *u);
	char path[4200];

	u->a = arena_new();
	u->keep = arena_new();
	u->postings = postings_new();
	u->dir = arena_str(u->keep, dir);
	u->n = *now;
	snprintf(path, sizeof path, "%s/%s", dir, now->file);
	/*
	 * synchronous=full: a generation that was answered from must not be taken back by a power cut,
	 * and given again
	 */
	if (!(u->db = db_open(path, DB_WRITE, e)) || db_persist_wal(u->db, e) ||
	    db_exec(u->db,
	        "pragma synchronous=full; pragma wal_autocheckpoint=0; pragma cache_size=-16384;"
	        "pragma secure_delete=off; begin immediate",
	        e) ||
	    symbols_register_table(u->db, e)) {
		delta_writer_free(u);
		return NULL;
	}
	u->open = true;
	u->ranking = ranking_rows_new(u->db);
	u->last_file = one(u->db, "select max(id) from files", e);
	u->last_doc = one(
	    u->db, "select id * 1024 + length(priors) - 1 from ranking order by id desc limit 1", e);
	_Static_assert(RANKING_ROW_DOCS == 1024, "the statement above says it again");
	if (e->code == ERR_NONE)
		return u;
	delta_writer_free(u);
	return NULL;
}

void delta_writer_free(struct delta_writer *u)
{
	if (!u)
		return;
	if (u->open)
		db_exec(u->db, "rollback", NULL);
	db_close(u->db);
	postings_free(u->postings);
	ranking_rows_free(u->ranking);
	free(u->files.v);
	free(u->keys.v);
	arena_free(u->a);
	arena_free(u->keep);
	free(u);
}

int64_t delta_writer_dead_docs(const struct delta_writer *u)
{
	return u->last_doc - u->n.documents;
}

int64_t delta_writer_missing_files(struct delta_writer *u, struct err *e)
{
	return one(u->db,
	    "select count(*) from skipped where reason = 'missing' or reason like 'folders: %' or reason like 'rules: %'",
	    e);
}

int delta_writer_rule_files(
    struct delta_writer *u, struct rule_file **out, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select path, blob from rules order by path", e);
	size_t cap = (size_t)one(u->db, "select count(*) from rules", e);
	int rc = s ? 0 : -1;

	*out = arena_many(a, cap + 1, struct rule_file);
	*n = 0;
	while (!rc && (rc = db_step(s, e)) == 1) {
		(*out)[(*n)++] = (struct rule_file){ arena_str(a, db_str(s, 0)),
			arena_str(a, db_str(s, 1)) };
		if (*n > cap)
			rc = err_set(e, ERR_DB_ERROR, "rules: more than there are");
		else
			rc = 0;
	}
	return rc;
}

int delta_writer_find_file(
    struct delta_writer *u, const char *path, char *blob, size_t size, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select blob from files where path = ?", e);
	int rc = s ? db_bind(s, "S", rows_valid_utf8(path, u->a)) : -1, found = 0;

	while (!rc && (rc = db_step(s, e)) == 1) {
		snprintf(blob, size, "%s", db_str(s, 0));
		found = 1;
		rc = 0;
	}
	arena_reset(u->a);
	return rc ? -1 : found;
}

/* ---- symbols ---- */

static const char *symbol_name(
    struct delta_writer *u, const char *kind, const char *qualified, int64_t ordinal)
{
	return arena_printf(u->a, "%s\n%s\n%lld", kind, qualified, (long long)ordinal);
}

/*
 * Ids for the definitions of a file: those that it has keep theirs, the others get numbers that
 * none has.
 */
static void assign_symbol_ids(struct delta_writer *u, const struct row_file *r,
    const struct stored_symbols *old, const int64_t *ordinals, int64_t *ids)
{
	struct map *known = map_new();
	int64_t last = 0;

	for (size_t i = 0; i < old->n; i++)
		*map_at(known, symbol_name(u, old->v[i].kind, old->v[i].qualified, old->v[i].ordinal)) = (void *)(intptr_t)old->v[i].id;
	for (size_t i = 0; i < r->f->definitions.n; i++) {
		const struct definition *d = &r->f->definitions.v[i];
		ids[i] = (intptr_t)map_get(
		    known, symbol_name(u, d->kind, rows_valid_utf8(d->qualified, u->a), ordinals[i]));
	}
	map_free(known);
	bool *taken = arena_many(u->a, old->n + r->f->definitions.n + 2, bool);
	for (size_t i = 0; i < old->n; i++)
		if ((size_t)symbol_number(old->v[i].id) < old->n + r->f->definitions.n + 2)
			taken[symbol_number(old->v[i].id)] = true;
	for (size_t i = 0; i < r->f->definitions.n; i++) {
		while (!ids[i] && taken[++last])
			;
		if (!ids[i])
			ids[i] = symbol_id(r->id, last);
	}
}

/* Those of `r` (without facts: none) instead of the ones that it has.  `ids` gets theirs. */
static int put_symbols(
    struct delta_writer *u, const struct row_file *r, int64_t *ids, struct err *e)
{
	struct stored_symbols old, new = { 0 };

	if (symbols_read(u->db, r->id, u->a, &old, e))
		return -1;
	if (r->f) {
		int64_t *ordinals = rows_ordinals(r->f, u->a);
		assign_symbol_ids(u, r, &old, ordinals, ids);
		new = rows_symbols(r, ids, ordinals, u->a);
	}
	u->n.symbols += (int64_t)new.n - (int64_t)old.n;
	return symbols_put(u->db, r->id, &new, NULL, e);
}

/* ---- documents ---- */

/* One that the file has now: its row, and what it was made from. */
struct stored_doc {
	int64_t id, hash;
	const struct document *d;	/* of the old facts, that gives this hash */
	bool kept;
};

struct stored_docs {
	struct stored_doc *v;
	size_t n;
};

static int by_hash(const void *a, const void *b)
{
	const struct stored_doc *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* The documents of a file by hash; *lost: they are not those of the old facts. */
static int read_stored_docs(struct delta_writer *u, const struct row_file *was,
    struct stored_docs *out, bool *lost, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select id, hash from docs where file = ?", e);
	size_t n = was->generated ? 0 : was->f->documents.n;
	struct stored_doc *made = arena_many(u->a, n + 1, struct stored_doc);
	int rc = -1;

	if (s)
		rc = db_bind(s, "i", was->id);
	out->v = arena_many(u->a, n + 1, struct stored_doc);
	while (!rc && (rc = db_step(s, e)) == 1) {
		if (out->n < n)
			out->v[out->n] = (struct stored_doc){ .id = db_int(s, 0), .hash = db_int(s, 1) };
		out->n++;
		rc = 0;
	}
	*lost = *lost || (!rc && out->n != n);
	if (rc || *lost)
		return rc;
	for (size_t i = 0; i < n; i++)
		made[i] = (struct stored_doc){ (int64_t)i, rows_text(was, &was->f->documents.v[i]).hash,
			&was->f->documents.v[i], false };
	qsort(made, n, sizeof *made, by_hash);
	qsort(out->v, n, sizeof *out->v, by_hash);
	for (size_t i = 0; i < n; i++) {
		*lost |= made[i].hash != out->v[i].hash;
		out->v[i].d = made[i].d;
	}
	return 0;
}

/* The first of those with this hash that is not kept yet, or NULL. */
static struct stored_doc *find_same_text(struct stored_docs *old, int64_t hash)
{
	size_t lo = 0, hi = old->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (old->v[mid].hash < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < old->n && old->v[lo].hash == hash; lo++)
		if (!old->v[lo].kept)
			return &old->v[lo];
	return NULL;
}

static int put_document(struct delta_writer *u, const struct row_file *r, const struct document *d,
    struct stored_docs *old, const int64_t *ids, struct err *e)
{
	struct row_text t = rows_text(r, d);
	struct stored_doc *same = find_same_text(old, t.hash);
	int64_t id = same ? same->id : ++u->last_doc;

	u->n.documents++;
	if (same)
		same->kept = true;
	struct ranking_row ranks = { 0, t.prior, (uint32_t)r->id, (uint32_t)t.hash, t.id };
	if (!same)
		ranks.length = postings_add(u->postings, id, &t.texts);
	if (same ? ranking_rows_update(u->ranking, id, ranks, e) :
	           ranking_rows_set(u->ranking, id, &ranks, e))
		return -1;
	return rows_put_doc(u->db, r, id, d, t.hash, ids, e);
}

static int drop_documents(struct delta_writer *u, const struct row_file *was,
    const struct stored_docs *old, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < old->n; i++) {
		if (old->v[i].kept)
			continue;
		struct row_text t = rows_text(was, old->v[i].d);
		if (postings_remove(u->db, old->v[i].id, &t.texts, e) ||
		    ranking_rows_set(u->ranking, old->v[i].id, &(struct ranking_row){ 0 }, e) ||
		    db_run(u->db, e, "delete from documents where id = ?", "i", old->v[i].id))
			rc = -1;
		else
			rc = 0;
	}
	u->n.documents -= (int64_t)old->n;
	return rc;
}

/*
 * The documents of `is` (NULL: none) instead of those of `was` (NULL: none).  Equal texts keep
 * their places.
 */
static int put_documents(struct delta_writer *u, const struct row_file *was,
    const struct row_file *is, const int64_t *ids, bool *lost, struct err *e)
{
	struct stored_docs old = { 0 };
	size_t n = is && !is->generated ? is->f->documents.n : 0;
	int rc = 0;

	if (was)
		rc = read_stored_docs(u, was, &old, lost, e);
	if (rc || *lost)
		return rc;
	for (size_t i = 0; !rc && i < n; i++)
		rc = put_document(u, is, &is->f->documents.v[i], &old, ids, e);
	if (!rc)
		rc = drop_documents(u, was, &old, e);
	if (!rc && postings_memory_bytes(u->postings) > POSTINGS_MEMORY)
		rc = postings_write(u->postings, u->db, e);
	return rc;
}

/* ---- files ---- */

/* Note the keys that mean something else after than before. */
static void note_keys(struct delta_writer *u, const struct row_file *was, const struct row_file *is)
{
	struct map *none = map_new();

	for (size_t i = 0; is && i < is->f->settings.n; i++)
		add(&u->keys,
		    dependency_key(
		        arena_printf(u->a, "g:%s", settings_key(is->f->settings.v[i].key, u->a))));
	add(&u->keys, scip_overlay_key(was ? was->path : is->path));
	add(&u->keys, dependency_key(arena_printf(u->a, "b:%s", was ? was->path : is->path)));
	struct map *x = was ? file_interface_keys(was->path, was->x->language, was->f, u->a) : none;
	struct map *y = none;

	if (is)
		y = file_interface_keys(is->path, is->x->language, is->f, u->a);
	for (size_t i = 0; i < map_len(x); i++) {
		const uint64_t *a = map_val(x, i), *b = map_get(y, map_key(x, i));
		if (!b || *a != *b)
			add(&u->keys, dependency_key(map_key(x, i)));
	}
	for (size_t i = 0; i < map_len(y); i++)
		if (!map_get(x, map_key(y, i)))
			add(&u->keys, dependency_key(map_key(y, i)));
	if (x != none)
		map_free(x);
	if (y != none)
		map_free(y);
	map_free(none);
}

static void add_key(void *arg, int64_t key)
{
	add(&((struct delta_writer *)arg)->keys, key);
}

/* Take away what is not replaced row by row. */
static int clear(struct delta_writer *u, int64_t file, struct err *e)
{
	if (crossfile_keys(u->db, file, add_key, u, e) ||
	    db_run(u->db, e, "delete from contracts where owner = ?", "i", file) ||
	    db_run(u->db, e, "delete from open where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from mounts where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from asked where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from settings where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from operations where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from packages where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from facts where file = ?", "i", file) ||
	    db_run(u->db, e, "delete from uses where file = ?", "i", file) ||
	    edges_delete(u->db, file, e))
		return -1;
	return 0;
}

static int64_t id_of(struct delta_writer *u, const char *path, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select id from files where path = ?", e);
	int64_t id = 0;

	if (s && !db_bind(s, "S", path) && db_step(s, e) == 1)
		id = db_int(s, 0);
	while (s && db_step(s, e) == 1)
		;
	return id;
}

static int change(
    struct delta_writer *u, struct row_file *was, struct row_file *is, bool *lost, struct err *e)
{
	struct row_file none = { .id = was ? was->id : is->id, .path = was ? was->path : is->path };
	int64_t *ids = arena_many(u->a, (is ? is->f->definitions.n : 0) + 1, int64_t);
	unsigned char nodes[GRAPH_HASH];

	if (put_symbols(u, is ? is : &none, ids, e) || put_documents(u, was, is, ids, lost, e) ||
	    *lost || clear(u, none.id, e))
		return -1;
	note_keys(u, was, is);
	if (!is)
		return db_run(u->db, e, "delete from files where id = ?", "i", none.id);
	add(&u->files, is->id);
	graph_hash_nodes(is->f, nodes);
	return rows_put_file(u->db, is, nodes, u->a, e);
}

int delta_writer_put_file(
    struct delta_writer *u, const struct file_delta *x, bool *lost, struct err *e)
{
	struct row_file was, is;
	int64_t id = x->old ? id_of(u, rows_valid_utf8(x->old->path, u->a), e) : ++u->last_file;

	if (!id) {
		if (e->code)
			return -1;
		return err_set(e, ERR_DB_ERROR, "%.150s is not in the index", x->old->path);
	}
	if (x->old)
		was = rows_describe_file(id, x->old, x->was, u->a);
	if (x->new)
		is = rows_describe_file(id, x->new, x->is, u->a);
	u->n.files += (x->new != NULL) - (x->old != NULL);
	u->n.bytes += (x->new ? (int64_t)x->new->size : 0) - (x->old ? (int64_t)x->old->size : 0);
	int rc = change(u, x->old ? &was : NULL, x->new ? &is : NULL, lost, e);
	arena_reset(u->a);
	return rc;
}

int delta_writer_set_skip(
    struct delta_writer *u, const char *path, const char *reason, uint64_t size, struct err *e)
{
	int rc = reason ? rows_put_skipped(u->db, path, reason, size, u->a, e) :
	    db_run(u->db, e, "delete from skipped where path = ?", "S", rows_valid_utf8(path, u->a));

	arena_reset(u->a);
	return rc;
}

/* ---- the end ---- */

/* What the edges of a file that is resolved again led to. */
static int note_calls(void *u, int64_t file, struct err *e)
{
	return crossfile_keys(((struct delta_writer *)u)->db, file, add_key, u, e);
}

static int hash_files(struct delta_writer *u, const int64_t *files, size_t n, struct err *e)
{
	if (n)
		return graph_hash_files(u->db, files, n, NULL, e);
	return 0;
}

static int resolve_and_hash(struct delta_writer *u, const struct text_source *texts,
    const struct scip_sources *scips, struct err *e)
{
	int64_t *touched = NULL, *joined = NULL, *said = NULL;
	size_t n = 0, njoined = 0, nsaid = 0, nkeys = u->keys.n;
	int64_t *keys = arena_many(u->keep, nkeys + 1, int64_t);

	if (nkeys)
		memcpy(keys, u->keys.v, nkeys * sizeof *keys);
	int rc = resolve_affected(
	    u->db, u->files.v, u->files.n, keys, nkeys, note_calls, u, &touched, &n, e);
	if (rc || (n && scip_sources_apply(u->db, scips, touched, n, e)) ||
	    crossfile_update(u->db, texts, touched, n, u->keys.v, u->keys.n, &joined, &njoined, e) ||
	    bind_handlers_run(u->db, texts, &said, &nsaid, e) ||
	    hash_files(u, u->files.v, u->files.n, e) || hash_files(u, touched, n, e) ||
	    hash_files(u, joined, njoined, e) || hash_files(u, said, nsaid, e))
		rc = -1;
	else
		rc = 0;
	free(touched);
	free(joined);
	free(said);
	return rc;
}

int delta_writer_publish(struct delta_writer *u, struct index_info *info,
    const struct text_source *texts, const struct scip_sources *scips, struct err *e)
{
	if (postings_write(u->postings, u->db, e) || ranking_rows_write(u->ranking, u->last_doc, e) ||
	    resolve_and_hash(u, texts, scips, e) || rows_count_contracts(u->db, &info->contracts, e) ||
	    graph_hash(u->db, info->graph_hash, e) || rows_put_skips(u->db, e))
		return -1;
	info->files = u->n.files;
	info->bytes = u->n.bytes;
	info->symbols = u->n.symbols;
	info->documents = u->n.documents;
	clock_iso(info->indexed_at);
	if (store_put_info(u->db, info, e) || store_reserve(u->dir, info->generation, e) ||
	    db_exec(u->db, "commit", e))
		return -1;
	u->open = false;
	return 0;
}

/* What readers still need stays in the log until the next time; it begins anew once none does. */
void delta_writer_checkpoint(struct delta_writer *u)
{
	db_exec(u->db,
	    "pragma wal_checkpoint(passive); pragma busy_timeout=100; pragma wal_checkpoint(truncate)",
	    NULL);
}
