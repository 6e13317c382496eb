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

/* ---- all, and some ---- */

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

/* The numbers that a statement gives; its parameter, if any, is `id`. */
static int ids_select(
    struct db *db, const char *sql, int64_t id, struct crossfile_ids *out, struct err *e)
{
	struct stmt *s = db_prep(db, sql, e);
	int rc = !s ? -1 : strchr(sql, '?') ? db_bind(s, "i", id) : 0;

	while (!rc && (rc = db_step(s, e)) == 1) {
		ids_add(out, db_int(s, 0));
		rc = 0;
	}
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

/* Files of which others may make something: the frameworks' objects of `makers` lead to them. */
static int add_given(
    struct db *db, const struct crossfile_ids *makers, struct crossfile_ids *out, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < makers->n; i++)
		rc = edges_from(db, makers->v[i], out, e);
	return rc;
}

/* The files of those numbers, in order of path; how many. */
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

/* First what files say of others' objects, then facts. */
static int update_files(struct crossfile_pool *work, struct db *db,
    const struct crossfile_ids *linking, struct crossfile_ids *files, struct err *e)
{
	struct buf children = { 0 };
	size_t n;
	struct source_file **v = files_of_ids(work->w, linking, &n);
	int rc = crossfile_update_mounts(work, v, n, &children, e);

	free(v);
	n = children.n / sizeof(int32_t);
	if (rc ||
	    dependencies_find_files(
	        db, DEPENDENCY_CONTRACTS, (int32_t *)(void *)children.p, n, ids_add, files, e))
		rc = -1;
	else
		rc = 0;
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

/* The frameworks of whose objects the file speaks. */
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

int crossfile_keys(
    struct db *db, int64_t file, void (*each)(void *, int64_t), void *arg, struct err *e)
{
	struct arena *a = arena_new();
	struct stored_edges edges;
	struct stmt *s;
	char number[24];
	int rc = edges_read(db, file, a, &edges, e);

	for (size_t i = 0; !rc && i < edges.n; i++)
		if (edges.v[i].kind == EDGE_CALLS || edges.v[i].kind == EDGE_EXTENDS ||
		    edges.v[i].kind == EDGE_IMPLEMENTS) {
			snprintf(number, sizeof number, "%lld", (long long)edges.v[i].target);
			each(arg, (int32_t)key_hash("c:", number, NULL));
		}
	if (rc)
		s = NULL;
	else
		s = db_prep(db, "select key from settings where file = ?", e);
	if (rc)
		rc = rc;
	else if (s)
		rc = db_bind(s, "i", file);
	else
		rc = -1;
	while (!rc && (rc = db_step(s, e)) == 1) {
		each(arg, (int32_t)key_hash("g:", db_str(s, 0), NULL));
		rc = 0;
	}
	if (rc)
		s = NULL;
	else
		s = db_prep(db, "select child from mounts where file = ?", e);
	if (rc)
		rc = rc;
	else if (s)
		rc = db_bind(s, "i", file);
	else
		rc = -1;
	while (!rc && (rc = db_step(s, e)) == 1) {
		const char *child = db_str(s, 0);
		each(arg, (int32_t)key_hash("w:", arena_strn(a, child, strcspn(child, "#")), NULL));
		rc = 0;
	}
	if (!rc)
		rc = binds_keys(db, file, a, each, arg, e);
	arena_free(a);
	return rc;
}

static void add_key(void *arg, int64_t key)
{
	ids_add(arg, key);
}

/* Which files are to be asked again. */
static int affected_files(struct db *db, const int64_t *touched, size_t ntouched,
    const struct crossfile_ids *keys, struct crossfile_ids *files, struct crossfile_ids *linking,
    struct err *e)
{
	struct crossfile_ids makers = { 0 };
	int32_t *v = xmalloc((keys->n + 1) * sizeof *v);
	int rc = 0;

	for (size_t i = 0; i < keys->n; i++)
		v[i] = (int32_t)keys->v[i];
	rc = dependencies_find_files(db, DEPENDENCY_CONTRACTS, v, keys->n, ids_add, files, e);
	free(v);
	for (size_t i = 0; !rc && i < ntouched; i++) {
		struct arena *a = arena_new();
		if (ids_select(
		        db, "select file from open where file = ? and sites", touched[i], files, e) ||
		    ids_select(db, "select file from asked where file = ?", touched[i], files, e) ||
		    ids_select(db, "select file from open where file = ? and makes is not null", touched[i],
		        &makers, e))
			rc = -1;
		else
			rc = 0;
		if (!rc && crossfile_frameworks_given(db, touched[i], a, e))
			ids_add(files, touched[i]);
		arena_free(a);
	}
	if (rc || add_given(db, &makers, files, e))
		rc = -1;
	else
		rc = 0;
	size_t n = files->n;
	for (size_t i = 0; !rc && i < n + ntouched; i++)
		rc = ids_select(db, "select file from open where file = ? and links",
		    i < n ? files->v[i] : touched[i - n], linking, e);
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
	if (rc || affected_files(db, touched, ntouched, &all, &files, &linking, e))
		rc = -1;
	else
		rc = 0;
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
