#include "shard/contracts/crossfile/crossfile_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/sorting.h"
#include "proto/db/db.h"
#include "shard/storage/edge_store.h"
#include "shard/storage/file_dependencies.h"

/* ---- files by id ---- */

struct crossfile_ids {
	int64_t *v;
	size_t n, cap;
};

static void ids_add(void *arg, int64_t id)
{
	struct crossfile_ids *ids = arg;

	ids->v = grow(ids->v, &ids->cap, ids->n + 1, sizeof *ids->v);
	ids->v[ids->n++] = id;
}

static void ids_sort_unique(struct crossfile_ids *ids)
{
	size_t n = 0;

	if (ids->n)
		qsort(ids->v, ids->n, sizeof *ids->v, compare_int64);
	for (size_t i = 0; i < ids->n; i++)
		if (!n || ids->v[n - 1] != ids->v[i])
			ids->v[n++] = ids->v[i];
	ids->n = n;
}

static bool ids_contain(const struct crossfile_ids *ids, int64_t id)
{
	return ids->n && bsearch(&id, ids->v, ids->n, sizeof id, compare_int64);
}

/* Add the ids that a statement selects; its parameter, if any, is `id`. */
static int ids_select(
    struct db *db, const char *sql, int64_t id, struct crossfile_ids *out, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int rc;

	if (!s || (strchr(sql, '?') && db_bind(s, "i", id)))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		ids_add(out, db_int(s, 0));
	return rc;
}

static int edges_from(struct db *db, int64_t file, struct crossfile_ids *out, struct err *e)
{
	struct arena *a = arena_new();
	int64_t *v;
	size_t n = 0;
	int rc = edges_incoming_files(db, file, a, &v, &n, e);

	for (size_t i = 0; !rc && i < n; i++)
		ids_add(out, v[i]);
	arena_free(a);
	return rc;
}

/* Add the files that may use objects which the files `makers` create. */
static int add_given(
    struct db *db, const struct crossfile_ids *makers, struct crossfile_ids *out, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < makers->n; i++)
		rc = edges_from(db, makers->v[i], out, e);
	return rc;
}

/* The files with those ids, in order of path. */
static struct source_file **files_of_ids(
    struct program *w, const struct crossfile_ids *ids, size_t *n)
{
	struct source_file **v = xmalloc((ids->n + 1) * sizeof *v);

	*n = 0;
	for (size_t i = 0; i < w->nfiles; i++)
		if (ids_contain(ids, w->files[i].id))
			v[(*n)++] = &w->files[i];
	return v;
}

/* Update the mounts first, then the facts of all files that they concern. */
static int update_files(struct crossfile_pool *work, struct db *db,
    const struct crossfile_ids *linking, struct crossfile_ids *files, struct err *e)
{
	struct buf children = { 0 };
	size_t n;
	struct source_file **v = files_of_ids(work->w, linking, &n);
	int rc = crossfile_update_mounts(work, v, n, &children, e);

	free(v);
	n = children.n / sizeof(int32_t);
	if (!rc)
		rc = dependencies_find_files(
		    db, DEPENDENCY_CONTRACTS, (int32_t *)(void *)children.p, n, ids_add, files, e);
	buf_free(&children);
	ids_sort_unique(files);
	v = files_of_ids(work->w, files, &n);
	if (!rc)
		rc = crossfile_update_facts(work, v, n, e);
	free(v);
	return rc;
}

static int update_affected(struct db *db, struct program *w, int threads,
    const struct text_source *texts, const struct crossfile_ids *linking,
    struct crossfile_ids *files, struct err *e)
{
	struct crossfile_pool work;
	int rc = 0;

	if (files->n || linking->n) {
		rc = crossfile_pool_begin(&work, db, w, threads, texts, e);
		if (!rc)
			rc = update_files(&work, db, linking, files, e);
		crossfile_pool_end(&work);
	}
	return rc;
}

int crossfile_build(
    struct db *db, struct program *w, int threads, const struct text_source *texts, struct err *e)
{
	struct crossfile_ids files = { 0 }, linking = { 0 }, makers = { 0 };
	int rc = 0;

	if (ids_select(db, "select file from open where sites", 0, &files, e) ||
	    ids_select(db, "select file from open where links", 0, &linking, e) ||
	    ids_select(db, "select file from open where makes is not null", 0, &makers, e) ||
	    add_given(db, &makers, &files, e))
		rc = -1;
	ids_sort_unique(&files);
	ids_sort_unique(&linking);
	if (!rc)
		rc = update_affected(db, w, threads, texts, &linking, &files, e);
	free(files.v);
	free(linking.v);
	free(makers.v);
	return rc;
}

/* The keys of the frameworks whose objects the file binds. */
static int binds_keys(struct db *db, int64_t file, struct arena *a, void (*each)(void *, int64_t),
    void *arg, struct err *e)
{
	struct stmt *s = db_prep(db, "select binds from open where file = ? and binds is not null", e);
	int rc = -1;

	if (s)
		rc = db_bind(s, "i", file);
	while (!rc && (rc = db_step(s, e)) == 1) {
		for (const char *name = db_str(s, 0); name[1]; name += 1 + strcspn(name + 1, " "))
			each(arg,
			    (int32_t)key_hash(
			        "r:", arena_printf(a, " %.*s ", (int)strcspn(name + 1, " "), name + 1), NULL));
		rc = 0;
	}
	return rc;
}

/* A text of each row that belongs to the file, given to `each`; 0 or -1. */
static int each_text(struct db *db, const char *sql, int64_t file,
    void (*row)(void *, const char *text), void *arg, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int rc;

	if (!s || db_bind(s, "i", file))
		return -1;
	while ((rc = db_step(s, e)) == 1)
		row(arg, db_str(s, 0));
	return rc;
}

struct key_sink {
	void (*each)(void *, int64_t);
	void *arg;
	struct arena *a;
};

static void put_setting_key(void *arg, const char *key)
{
	const struct key_sink *to = arg;

	to->each(to->arg, (int32_t)key_hash("g:", key, NULL));
}

static void put_mount_key(void *arg, const char *child)
{
	const struct key_sink *to = arg;
	const char *path = arena_strn(to->a, child, strcspn(child, "#"));

	to->each(to->arg, (int32_t)key_hash("w:", path, NULL));
}

/* The keys of the definitions that edges of the file lead to. */
static int put_edge_keys(struct db *db, int64_t file, const struct key_sink *to, struct err *e)
{
	struct stored_edges edges;
	char number[24];

	if (edges_read(db, file, to->a, &edges, e))
		return -1;
	for (size_t i = 0; i < edges.n; i++) {
		int kind = edges.v[i].kind;
		if (kind != EDGE_CALLS && kind != EDGE_EXTENDS && kind != EDGE_IMPLEMENTS)
			continue;
		snprintf(number, sizeof number, "%lld", (long long)edges.v[i].target);
		to->each(to->arg, (int32_t)key_hash("c:", number, NULL));
	}
	return 0;
}

int crossfile_keys(
    struct db *db, int64_t file, void (*each)(void *, int64_t), void *arg, struct err *e)
{
	struct key_sink to = { each, arg, arena_new() };
	int rc = put_edge_keys(db, file, &to, e);

	if (!rc)
		rc = each_text(
		    db, "select key from settings where file = ?", file, put_setting_key, &to, e);
	if (!rc)
		rc = each_text(db, "select child from mounts where file = ?", file, put_mount_key, &to, e);
	if (!rc)
		rc = binds_keys(db, file, to.a, each, arg, e);
	arena_free(to.a);
	return rc;
}

static void add_key(void *arg, int64_t key)
{
	ids_add(arg, key);
}

/* Add a file that was touched, if it must be read again; `makers`: if it creates objects. */
static int add_touched(struct db *db, int64_t file, struct crossfile_ids *files,
    struct crossfile_ids *makers, struct err *e)
{
	struct arena *a = arena_new();
	int rc = ids_select(db, "select file from open where file = ? and sites", file, files, e);

	if (!rc)
		rc = ids_select(db, "select file from asked where file = ?", file, files, e);
	if (!rc)
		rc = ids_select(
		    db, "select file from open where file = ? and makes is not null", file, makers, e);
	if (!rc && crossfile_frameworks_given(db, file, a, e))
		ids_add(files, file);
	arena_free(a);
	return rc;
}

static int add_linking(struct db *db, int64_t file, struct crossfile_ids *linking, struct err *e)
{
	return ids_select(db, "select file from open where file = ? and links", file, linking, e);
}

static int add_by_keys(
    struct db *db, const struct crossfile_ids *keys, struct crossfile_ids *files, struct err *e)
{
	int32_t *v = xmalloc((keys->n + 1) * sizeof *v);

	for (size_t i = 0; i < keys->n; i++)
		v[i] = (int32_t)keys->v[i];
	int rc = dependencies_find_files(db, DEPENDENCY_CONTRACTS, v, keys->n, ids_add, files, e);
	free(v);
	return rc;
}

/* Which files must be read again. */
static int affected_files(struct db *db, const int64_t *touched, size_t ntouched,
    const struct crossfile_ids *keys, struct crossfile_ids *files, struct crossfile_ids *linking,
    struct err *e)
{
	struct crossfile_ids makers = { 0 };
	int rc = add_by_keys(db, keys, files, e);

	for (size_t i = 0; !rc && i < ntouched; i++)
		rc = add_touched(db, touched[i], files, &makers, e);
	if (!rc)
		rc = add_given(db, &makers, files, e);
	for (size_t i = 0; !rc && i < files->n; i++)
		rc = add_linking(db, files->v[i], linking, e);
	for (size_t i = 0; !rc && i < ntouched; i++)
		rc = add_linking(db, touched[i], linking, e);
	free(makers.v);
	return rc;
}

int crossfile_update(struct db *db, const struct text_source *texts, const int64_t *touched,
    size_t ntouched, const int64_t *keys, size_t nkeys, int64_t **done, size_t *ndone,
    struct err *e)
{
	struct crossfile_ids all = { 0 }, files = { 0 }, linking = { 0 };
	int rc = 0;

	for (size_t i = 0; i < nkeys; i++)
		ids_add(&all, keys[i]);
	for (size_t i = 0; !rc && i < ntouched; i++)
		rc = crossfile_keys(db, touched[i], add_key, &all, e);
	if (!rc)
		rc = affected_files(db, touched, ntouched, &all, &files, &linking, e);
	ids_sort_unique(&files);
	ids_sort_unique(&linking);
	if (!rc)
		rc = update_affected(db, NULL, 1, texts, &linking, &files, e);
	*done = files.v;
	*ndone = files.n;
	free(all.v);
	free(linking.v);
	return rc;
}
