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
#include "shard/index/delta_writer_internal.h"
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
#include "shard/index/index_gaps.h"
#include "shard/index/index_rows.h"
#include "shard/settings/settings.h"
#include "shard/index/index_store.h"
#include "shard/index/left_out_names.h"

static void add(struct id_list *l, int64_t x)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = x;
}

/* Steps a statement to its end, which resets it. */
static void step_to_end(struct stmt *s, struct err *e)
{
	while (db_step(s, e) == 1)
		;
}

static int open_index(struct delta_writer *u, const char *file, struct err *e)
{
	char path[4200];

	snprintf(path, sizeof path, "%s/%s", u->dir, file);
	u->db = db_open(path, DB_WRITE, e);
	if (!u->db || db_persist_wal(u->db, e))
		return -1;
	/*
	 * synchronous=full: a power cut must not undo a generation that answers were served from, and
	 * then let its number be used again.
	 */
	if (db_exec(u->db,
	        "pragma synchronous=full; pragma wal_autocheckpoint=0; pragma cache_size=-16384;"
	        "pragma secure_delete=off; begin immediate",
	        e))
		return -1;
	return symbols_register_table(u->db, e);
}

struct delta_writer *delta_writer_new(const char *dir, const struct index_info *now, struct err *e)
{
	struct delta_writer *u = xcalloc(1, sizeof *u);

	u->a = arena_new();
	u->keep = arena_new();
	u->postings = postings_new();
	u->dir = arena_str(u->keep, dir);
	u->n = *now;
	if (open_index(u, now->file, e)) {
		delta_writer_free(u);
		return NULL;
	}
	u->open = true;
	u->ranking = ranking_rows_new(u->db);
	u->last_file = db_number(u->db,
	    "select max(id) from (select max(id) id from files union all select max(id) from left_out)",
	    e);
	u->last_doc = db_number(
	    u->db, "select id * 1024 + length(priors) - 1 from ranking order by id desc limit 1", e);
	_Static_assert(RANKING_ROW_DOCS == 1024, "the statement above contains this number");
	if (e->code == ERR_NONE)
		return u;
	delta_writer_free(u);
	return NULL;
}

struct db *delta_writer_db(struct delta_writer *u)
{
	return u->db;
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
	free(u->contract_keys.v);
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
	return db_number(u->db,
	    "select count(*) from skipped where reason in ('missing', 'partial-clone', 'corrupt')"
	    " or reason like 'folders: %' or reason like 'rules: %'",
	    e);
}

int delta_writer_rule_files(
    struct delta_writer *u, struct rule_file **out, size_t *n, struct arena *a, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select path, blob from rules order by path", e);
	size_t cap = (size_t)db_number(u->db, "select count(*) from rules", e);
	int rc;

	*out = arena_many(a, cap + 1, struct rule_file);
	*n = 0;
	if (!s)
		return -1;
	while ((rc = db_step(s, e)) == 1) {
		if (*n == cap)
			return err_set(e, ERR_DB_ERROR, "the table `rules` has more rows than were counted");
		const char *path = arena_str(a, db_str(s, 0)), *blob = arena_str(a, db_str(s, 1));
		(*out)[(*n)++] = (struct rule_file){ path, blob };
	}
	return rc;
}

int delta_writer_find_file(
    struct delta_writer *u, const char *path, char *blob, size_t size, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select blob from files where path = ?", e);
	int rc = -1, found = 0;

	if (s && !db_bind(s, "S", rows_valid_utf8(path, u->a)))
		while ((rc = db_step(s, e)) == 1) {
			snprintf(blob, size, "%s", db_str(s, 0));
			found = 1;
		}
	arena_reset(u->a);
	if (rc)
		return -1;
	return found;
}

/* ---- symbols ---- */

static const char *symbol_name(
    struct delta_writer *u, const char *kind, const char *qualified, int64_t ordinal)
{
	return arena_printf(u->a, "%s\n%s\n%lld", kind, qualified, (long long)ordinal);
}

/*
 * Assigns ids to the definitions of a file: those that were stored before keep theirs, the others
 * get numbers that are free.
 */
static void assign_symbol_ids(struct delta_writer *u, const struct row_file *r,
    const struct stored_symbols *old, const int64_t *ordinals, int64_t *ids)
{
	size_t n = r->f->definitions.n, slots = old->n + n + 2;
	struct map *known = map_new();

	for (size_t i = 0; i < old->n; i++) {
		const struct stored_symbol *o = &old->v[i];
		*map_at(known, symbol_name(u, o->kind, o->qualified, o->ordinal)) = (void *)(intptr_t)o->id;
	}
	for (size_t i = 0; i < n; i++) {
		const struct definition *d = &r->f->definitions.v[i];
		ids[i] = (intptr_t)map_get(
		    known, symbol_name(u, d->kind, rows_valid_utf8(d->qualified, u->a), ordinals[i]));
	}
	map_free(known);
	bool *taken = arena_many(u->a, slots, bool);
	for (size_t i = 0; i < old->n; i++)
		if ((size_t)symbol_number(old->v[i].id) < slots)
			taken[symbol_number(old->v[i].id)] = true;
	int64_t last = 0;
	for (size_t i = 0; i < n; i++) {
		if (ids[i])
			continue;
		do
			last++;
		while (taken[last]);
		ids[i] = symbol_id(r->id, last);
	}
}

/*
 * Replaces the symbols of file `r`; without facts it gets none. `ids` receives the ids of the new
 * ones.
 */
static int put_symbols(
    struct delta_writer *u, const struct row_file *r, int64_t *ids, struct err *e)
{
	struct stored_symbols old, new = { 0 }, minors = { 0 };

	if (symbols_read(u->db, r->id, u->a, &old, e))
		return -1;
	if (r->f) {
		int64_t *ordinals = rows_ordinals(r->f, u->a);
		assign_symbol_ids(u, r, &old, ordinals, ids);
		new = rows_symbols(r, ids, ordinals, u->a);
		minors = rows_minors(r, u->a);
	}
	u->n.symbols += (int64_t)new.n - (int64_t)old.n;
	if (symbols_put(u->db, r->id, SYMBOLS_MAJOR, &new, NULL, e))
		return -1;
	return symbols_put(u->db, r->id, SYMBOLS_MINOR, &minors, NULL, e);
}

/* ---- files ---- */

static void add_contract_key(void *arg, int64_t key)
{
	struct delta_writer *u = arg;

	add(&u->contract_keys, key);
}

static void add_key(struct delta_writer *u, int64_t key)
{
	add(&u->keys, key);
	add_contract_key(u, key);
}

static struct map *interface_keys(const struct row_file *r, struct arena *a)
{
	if (!r)
		return map_new();
	return file_interface_keys(r->path, r->x->language, r->f, a);
}

/* Notes the keys of the file whose meaning changes.  `was` or `is` may be NULL, not both. */
static void note_keys(struct delta_writer *u, const struct row_file *was, const struct row_file *is)
{
	const char *path = was ? was->path : is->path;

	for (size_t i = 0; is && i < is->f->settings.n; i++) {
		const char *name = settings_key(is->f->settings.v[i].key, u->a);
		add_key(u, dependency_key(arena_printf(u->a, "g:%s", name)));
	}
	add_key(u, scip_overlay_key(path));
	add_key(u, dependency_key(arena_printf(u->a, "b:%s", path)));
	struct map *x = interface_keys(was, u->a), *y = interface_keys(is, u->a);
	for (size_t i = 0; i < map_len(x); i++) {
		const uint64_t *before = map_val(x, i), *after = map_get(y, map_key(x, i));
		if (!after || *before != *after)
			add_key(u, dependency_key(map_key(x, i)));
	}
	for (size_t i = 0; i < map_len(y); i++)
		if (!map_get(x, map_key(y, i)))
			add_key(u, dependency_key(map_key(y, i)));
	map_free(x);
	map_free(y);
}

/* Deletes the file's rows in the tables that are not updated row by row. */
static int clear(struct delta_writer *u, int64_t file, struct err *e)
{
	static const char *const deletes[] = {
		"delete from contracts where owner = ?",
		"delete from open where file = ?",
		"delete from mounts where file = ?",
		"delete from asked where file = ?",
		"delete from settings where file = ?",
		"delete from operations where file = ?",
		"delete from packages where file = ?",
		"delete from facts where file = ?",
		"delete from uses where file = ?",
	};

	if (crossfile_keys(u->db, file, add_contract_key, u, e))
		return -1;
	for (size_t i = 0; i < LEN(deletes); i++)
		if (db_run(u->db, e, deletes[i], "i", file))
			return -1;
	return edges_delete(u->db, file, e);
}

/* The id of an indexed file; 0 if there is none, or with `e`. */
static int64_t id_of(struct delta_writer *u, const char *path, struct err *e)
{
	struct stmt *s = db_prep(u->db, "select id from files where path = ?", e);

	if (!s || db_bind(s, "S", path) || db_step(s, e) != 1)
		return 0;
	int64_t id = db_int(s, 0);
	step_to_end(s, e);
	return id;
}

static int change(
    struct delta_writer *u, struct row_file *was, struct row_file *is, bool *lost, struct err *e)
{
	const struct row_file *any = was ? was : is, *symbols_of = is;
	const struct row_file none = { .id = any->id, .path = any->path };
	unsigned char nodes[GRAPH_HASH];
	size_t n = 0;

	if (is)
		n = is->f->definitions.n;
	else
		symbols_of = &none;
	int64_t *ids = arena_many(u->a, n + 1, int64_t);
	if (put_symbols(u, symbols_of, ids, e))
		return -1;
	if (delta_documents_put(u, was, is, ids, lost, e) || *lost)
		return -1;
	if (clear(u, none.id, e))
		return -1;
	note_keys(u, was, is);
	if (!is)
		return db_run(u->db, e, "delete from files where id = ?", "i", none.id);
	add(&u->files, is->id);
	graph_hash_nodes(is->f, nodes);
	return rows_put_file(u->db, is, nodes, u->a, e);
}

static int64_t file_bytes(const struct indexed_file *x)
{
	if (!x)
		return 0;
	return (int64_t)x->size;
}

int delta_writer_put_file(
    struct delta_writer *u, const struct file_delta *x, bool *lost, struct err *e)
{
	struct row_file was, is, *old = NULL, *new = NULL;
	int64_t id;

	if (x->old)
		id = id_of(u, rows_valid_utf8(x->old->path, u->a), e);
	else
		id = ++u->last_file;
	if (!id) {
		if (e->code)
			return -1;
		return err_set(e, ERR_DB_ERROR, "file `%.150s` is not in the index", x->old->path);
	}
	if (x->old) {
		was = rows_describe_file(id, x->old, x->was, u->a);
		old = &was;
	}
	if (x->new) {
		is = rows_describe_file(id, x->new, x->is, u->a);
		new = &is;
	}
	u->n.files += (new != NULL) - (old != NULL);
	u->n.bytes += file_bytes(x->new) - file_bytes(x->old);
	int rc = change(u, old, new, lost, e);
	arena_reset(u->a);
	return rc;
}

int delta_writer_put_left_out(struct delta_writer *u, const char *path,
    const struct indexed_file *x, const struct facts *f, struct err *e)
{
	int rc = left_out_names_remove(u->db, rows_valid_utf8(path, u->a), e);

	if (!rc && x)
		rc = left_out_names_put(u->db, ++u->last_file, x, f, NULL, u->a, e);
	arena_reset(u->a);
	return rc;
}

int delta_writer_set_skip(
    struct delta_writer *u, const char *path, const char *reason, uint64_t size, struct err *e)
{
	int rc;

	if (reason)
		rc = rows_put_skipped(u->db, path, reason, size, u->a, e);
	else
		rc = db_run(
		    u->db, e, "delete from skipped where path = ?", "S", rows_valid_utf8(path, u->a));
	arena_reset(u->a);
	return rc;
}

/* ---- publishing ---- */

/* Notes what the edges of a file led to before it is resolved again. */
static int note_calls(void *arg, int64_t file, struct err *e)
{
	struct delta_writer *u = arg;

	return crossfile_keys(u->db, file, add_contract_key, u, e);
}

static int hash_files(struct delta_writer *u, const struct id_list *files, struct err *e)
{
	if (files->n)
		return graph_hash_files(u->db, files->v, files->n, NULL, e);
	return 0;
}

/* The files that each step of resolution has changed. */
struct resolved_files {
	struct id_list edges, crossfile, bound;
};

static int resolve(struct delta_writer *u, const struct text_source *texts,
    const struct scip_sources *scips, struct resolved_files *r, struct err *e)
{
	if (resolve_affected(u->db, u->files.v, u->files.n, u->keys.v, u->keys.n, note_calls, u,
	        &r->edges.v, &r->edges.n, e))
		return -1;
	if (r->edges.n && scip_sources_apply(u->db, scips, r->edges.v, r->edges.n, e))
		return -1;
	if (crossfile_update(u->db, texts, r->edges.v, r->edges.n, u->contract_keys.v,
	        u->contract_keys.n, &r->crossfile.v, &r->crossfile.n, e))
		return -1;
	return bind_handlers_run(u->db, texts, &r->bound.v, &r->bound.n, e);
}

static int resolve_and_hash(struct delta_writer *u, const struct text_source *texts,
    const struct scip_sources *scips, struct err *e)
{
	struct resolved_files r = { 0 };
	int rc = resolve(u, texts, scips, &r, e);

	if (!rc)
		rc = hash_files(u, &u->files, e);
	if (!rc)
		rc = hash_files(u, &r.edges, e);
	if (!rc)
		rc = hash_files(u, &r.crossfile, e);
	if (!rc)
		rc = hash_files(u, &r.bound, e);
	free(r.edges.v);
	free(r.crossfile.v);
	free(r.bound.v);
	return rc;
}

/* Writes everything that is computed from the rows of all files. */
static int complete(struct delta_writer *u, struct index_info *info,
    const struct text_source *texts, const struct scip_sources *scips, struct err *e)
{
	if (postings_write(u->postings, u->db, e))
		return -1;
	if (ranking_rows_write(u->ranking, u->last_doc, e))
		return -1;
	if (resolve_and_hash(u, texts, scips, e))
		return -1;
	if (rows_count_contracts(u->db, &info->contracts, e))
		return -1;
	if (graph_hash(u->db, info->graph_hash, e))
		return -1;
	if (rows_put_skips(u->db, e))
		return -1;
	return index_gaps_count(u->db, info, e);
}

int delta_writer_publish(struct delta_writer *u, struct index_info *info,
    const struct text_source *texts, const struct scip_sources *scips, struct err *e)
{
	if (complete(u, info, texts, scips, e))
		return -1;
	info->files = u->n.files;
	info->bytes = u->n.bytes;
	info->symbols = u->n.symbols;
	info->documents = u->n.documents;
	clock_iso(info->indexed_at);
	if (store_put_info(u->db, info, e))
		return -1;
	if (store_reserve(u->dir, info->generation, e))
		return -1;
	if (db_exec(u->db, "commit", e))
		return -1;
	u->open = false;
	return 0;
}

/*
 * What readers still need stays in the log until the next checkpoint; the log starts over once no
 * reader needs it.
 */
void delta_writer_checkpoint(struct delta_writer *u)
{
	db_exec(u->db,
	    "pragma wal_checkpoint(passive); pragma busy_timeout=100; pragma wal_checkpoint(truncate)",
	    NULL);
}
