#include "shard/manifests/pinned_versions.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/record/record.h"
#include "proto/text/package_name.h"
#include "shard/manifests/manifests_internal.h"

struct lock_row {
	const struct package *p;
	struct lock_row *next; /* the next one of the same package in the same file */
};

struct lock_file {
	const char *path, *dir;
	const struct package *governs;
	bool has_folders; /* it names those that it pins packages of */
	struct lock_file *next; /* the next one of the same ecosystem in the same folder */
};

struct lock_files {
	struct arena *a;
	struct map *files; /* path -> lock_file */
	struct map *folders; /* ecosystem and folder -> its first lock_file */
	struct map *rows; /* path and compared name, or path and folder -> its first lock_row */
	struct map *published; /* manifest -> the name of the package that it publishes */
};

/* ---- the rows of lock files, by what is looked up ---- */

static const char *folder_key(const struct lock_files *w, const char *ecosystem, const char *dir)
{
	return arena_printf(w->a, "%s %s", ecosystem, dir);
}

static const char *name_key(
    const struct lock_files *w, const char *lock, const char *ecosystem, const char *name)
{
	return arena_printf(w->a, "%s\n%s", lock, package_compared_name(ecosystem, name, w->a));
}

static const char *member_key(const struct lock_files *w, const char *lock, const char *folder)
{
	return arena_printf(w->a, "%s\n\n%s", lock, folder);
}

static void add_file(struct lock_files *w, const struct package *p)
{
	void **at = map_at(w->files, p->file);

	if (*at)
		return;
	struct lock_file *x = *at = arena_one(w->a, struct lock_file);
	x->path = p->file;
	x->dir = manifest_folder(p->file, w->a);
	x->governs = p;
	void **first = map_at(w->folders, folder_key(w, p->ecosystem, x->dir));
	x->next = *first;
	*first = x;
}

static void add_row(struct lock_files *w, const struct package *p)
{
	const char *key;

	if (p->name)
		key = name_key(w, p->file, p->ecosystem, p->name);
	else
		key = member_key(w, p->file, text_or_empty(p->path));
	void **first = map_at(w->rows, key);
	struct lock_row *x = arena_one(w->a, struct lock_row);
	x->p = p;
	x->next = *first;
	*first = x;
	struct lock_file *lock = map_get(w->files, p->file);
	if (lock && !p->name)
		lock->has_folders = true;
}

static void index_rows(struct lock_files *w, const struct package *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].side, "governs"))
			add_file(w, &rows[i]);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(rows[i].side, "locks"))
			add_row(w, &rows[i]);
}

/* ---- which lock files count for a manifest ---- */

/* A folder as seen from the folder of a lock file; `.` is that folder itself. */
static const char *seen_from(const char *lock_dir, const char *dir)
{
	size_t n = strlen(lock_dir);

	if (!dir[n])
		return ".";
	return dir + n + (n > 0);
}

static bool governs(
    const struct lock_files *w, const struct lock_file *lock, const char *dir, const char *manifest)
{
	const char *folder = seen_from(lock->dir, dir);

	if (!manifest_name_matches(lock->governs->key, manifest))
		return false;
	if (strcmp(lock->governs->scope, "below") && strcmp(folder, "."))
		return false;
	return !lock->has_folders || map_get(w->rows, member_key(w, lock->path, folder));
}

/* ---- the version of one dependency ---- */

/* How closely a row fits a dependency: the closest one counts. */
enum fit { OWN_COPY, SAME_RANGE, SAME_NAME, FITS };

struct choice {
	const char *version;
	bool several;
};

static void consider(struct choice *c, const char *version)
{
	if (c->version && strcmp(c->version, version))
		c->several = true;
	c->version = version;
}

/* `folder`: of the manifest, as seen from the lock file; `own`: the package that it publishes. */
static void consider_row(struct choice *fits, const struct package *row, const struct package *p,
    const char *folder, const char *own)
{
	if (row->path || row->scope) {
		bool same_folder = !row->path || !strcmp(row->path, folder);
		bool same_package = !row->scope || texts_equal(row->scope, own);
		if (same_folder && same_package)
			consider(&fits[OWN_COPY], row->range);
		return;
	}
	if (row->key && p->range && !strcmp(row->key, p->range))
		consider(&fits[SAME_RANGE], row->range);
	consider(&fits[SAME_NAME], row->range);
}

static const char *best(const struct choice *fits)
{
	for (size_t i = 0; i < FITS; i++)
		if (fits[i].version)
			return fits[i].several ? NULL : fits[i].version;
	return NULL;
}

/*
 * Whether the lock files in `at`, which is the manifest's folder `dir` or above it, count for the
 * manifest.  If so, *version is what they chose, or NULL.
 */
static bool find_in_folder(const struct lock_files *w, const char *at, const char *dir,
    const struct package *p, const char **version)
{
	const struct lock_file *lock = map_get(w->folders, folder_key(w, p->ecosystem, at));
	const char *own = map_get(w->published, p->file);
	struct choice fits[FITS] = { 0 };
	bool counts = false;

	for (; lock; lock = lock->next) {
		if (!governs(w, lock, dir, p->file))
			continue;
		counts = true;
		const struct lock_row *x = map_get(w->rows, name_key(w, lock->path, p->ecosystem, p->name));
		for (; x; x = x->next)
			consider_row(fits, x->p, p, seen_from(lock->dir, dir), own);
	}
	*version = best(fits);
	return counts;
}

static const char *pinned_version(const struct lock_files *w, const struct package *p)
{
	const char *dir = manifest_folder(p->file, w->a), *at = dir, *version = NULL;

	if (p->path) /* a folder beside the repository */
		return NULL;
	if (!strcmp(p->ecosystem, "go")) /* go.mod names what was chosen */
		return p->range;
	while (!find_in_folder(w, at, dir, p, &version) && *at)
		at = manifest_folder(at, w->a);
	return version;
}

void pinned_versions_set(
    const struct package *rows, size_t nrows, struct package *v, size_t n, struct arena *a)
{
	struct lock_files w = {
		.a = a, .files = map_new(), .folders = map_new(), .rows = map_new(), .published = map_new()
	};

	index_rows(&w, rows, nrows);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].side, "publishes"))
			*map_at(w.published, v[i].file) = (void *)(uintptr_t)v[i].name;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].side, "depends"))
			v[i].pinned = pinned_version(&w, &v[i]);
	map_free(w.files);
	map_free(w.folders);
	map_free(w.rows);
	map_free(w.published);
}
