#include "shard/manifests/pinned_versions.h"

#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/record/record.h"
#include "proto/text/package_name.h"
#include "shard/manifests/manifests_internal.h"

struct lock_file {
	const char *dir;
	const struct package *governs;
	size_t number;
	bool has_folders; /* it names those that it pins packages of */
	struct lock_file *next; /* the next one of the same ecosystem in the same folder */
};

/* The version that was chosen; `several`: there are others as well. */
struct choice {
	const char *version;
	bool several;
};

/*
 * Whom a choice is for, the closest first: the manifest's folder, its package, those who require
 * the same range, all.
 */
enum fit { FOR_FOLDER, FOR_PACKAGE, FOR_RANGE, FOR_ALL, FITS };

struct lock_files {
	struct arena *a;
	struct map *files; /* path -> lock_file */
	struct map *in_folder; /* ecosystem and folder -> its first lock_file */
	struct map *members; /* lock file and folder that it names -> itself */
	struct map *choices; /* lock file, fit, name and whom it is for -> choice */
	struct map *published; /* manifest -> the name of the package that it publishes */
};

/* ---- the rows of lock files, by what is looked up ---- */

static const char *folder_key(const struct lock_files *w, const char *ecosystem, const char *dir)
{
	return arena_printf(w->a, "%s %s", ecosystem, dir);
}

static const char *member_key(
    const struct lock_files *w, const struct lock_file *lock, const char *folder)
{
	return arena_printf(w->a, "%zu %s", lock->number, folder);
}

/* `name`: as its ecosystem compares it. */
static const char *choice_key(const struct lock_files *w, const struct lock_file *lock,
    enum fit fit, const char *name, const char *whom)
{
	return arena_printf(w->a, "%zu %d %s %s", lock->number, (int)fit, name, whom);
}

static void add_file(struct lock_files *w, const struct package *p)
{
	void **at = map_at(w->files, p->file);

	if (*at)
		return;
	struct lock_file *x = *at = arena_one(w->a, struct lock_file);
	x->dir = manifest_folder(p->file, w->a);
	x->governs = p;
	x->number = map_len(w->files);
	void **first = map_at(w->in_folder, folder_key(w, p->ecosystem, x->dir));
	x->next = *first;
	*first = x;
}

static void choose(struct lock_files *w, const struct lock_file *lock, enum fit fit,
    const char *name, const char *whom, const char *version)
{
	void **at = map_at(w->choices, choice_key(w, lock, fit, name, whom));

	if (!*at)
		*at = arena_one(w->a, struct choice);
	struct choice *c = *at;
	if (c->version && strcmp(c->version, version))
		c->several = true;
	c->version = version;
}

static void add_row(struct lock_files *w, const struct package *p)
{
	struct lock_file *lock = map_get(w->files, p->file);

	if (!lock)
		return;
	if (!p->name) {
		*map_at(w->members, member_key(w, lock, text_or_empty(p->path))) = lock;
		lock->has_folders = true;
		return;
	}
	const char *name = package_compared_name(p->ecosystem, p->name, w->a);
	const char *version = text_or_empty(p->range);
	if (p->path) {
		choose(w, lock, FOR_FOLDER, name, p->path, version);
	} else if (p->scope) {
		choose(w, lock, FOR_PACKAGE, name, p->scope, version);
	} else {
		if (p->key)
			choose(w, lock, FOR_RANGE, name, p->key, version);
		choose(w, lock, FOR_ALL, name, "", version);
	}
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

/* ---- the lock files of a manifest ---- */

enum { LOCKS_MAX = 4 }; /* of a manifest: npm has as many kinds */

struct manifest_locks {
	const char *file; /* the manifest; NULL at first */
	const char *folder; /* its own, as seen from that of the lock files */
	const char *own; /* the package that it publishes, or NULL */
	const struct lock_file *v[LOCKS_MAX];
	size_t n;
};

/* A folder as seen from a folder above it; `.` is that folder itself. */
static const char *seen_from(const char *above, const char *dir)
{
	size_t n = strlen(above);

	if (!dir[n])
		return ".";
	return dir + n + (n > 0);
}

static bool governs(const struct lock_files *w, const struct lock_file *lock, const char *folder,
    const char *manifest)
{
	const struct package *p = lock->governs;

	if (!manifest_name_matches(text_or_empty(p->key), manifest))
		return false;
	if (strcmp(text_or_empty(p->scope), "below") && strcmp(folder, "."))
		return false;
	return !lock->has_folders || map_get(w->members, member_key(w, lock, folder));
}

/* Find the lock files of a manifest in the nearest folder that has some. */
static void find_locks(
    const struct lock_files *w, const char *file, const char *ecosystem, struct manifest_locks *out)
{
	const char *dir = manifest_folder(file, w->a), *at = dir;

	*out = (struct manifest_locks){ .file = file, .own = map_get(w->published, file) };
	for (;;) {
		const struct lock_file *lock = map_get(w->in_folder, folder_key(w, ecosystem, at));
		out->folder = seen_from(at, dir);
		for (; lock && out->n < LOCKS_MAX; lock = lock->next)
			if (governs(w, lock, out->folder, file))
				out->v[out->n++] = lock;
		if (out->n || !*at)
			return;
		at = manifest_folder(at, w->a);
	}
}

/* ---- the version of one dependency ---- */

/* The choice of all lock files of the manifest, of one closeness; without a version: none. */
static struct choice choice_of(const struct lock_files *w, const struct manifest_locks *locks,
    enum fit fit, const char *name, const char *whom)
{
	struct choice all = { 0 };

	for (size_t i = 0; whom && i < locks->n; i++) {
		const struct choice *c = map_get(w->choices, choice_key(w, locks->v[i], fit, name, whom));
		if (!c)
			continue;
		if (c->several || (all.version && strcmp(all.version, c->version)))
			all.several = true;
		all.version = c->version;
	}
	return all;
}

static const char *pinned_version(
    const struct lock_files *w, const struct manifest_locks *locks, const struct package *p)
{
	const char *whom[FITS] = { locks->folder, locks->own, p->range, "" };

	if (p->path) /* a folder beside the repository */
		return NULL;
	if (!strcmp(p->ecosystem, "go")) /* go.mod names what was chosen */
		return p->range;
	if (!locks->n)
		return NULL;
	const char *name = package_compared_name(p->ecosystem, p->name, w->a);
	for (size_t i = 0; i < FITS; i++) {
		const struct choice c = choice_of(w, locks, (enum fit)i, name, whom[i]);
		if (c.several)
			return NULL;
		if (c.version)
			return c.version;
	}
	return NULL;
}

static void set_all(struct lock_files *w, struct package *v, size_t n)
{
	struct manifest_locks locks = { 0 };

	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].side, "publishes"))
			*map_at(w->published, v[i].file) = (void *)(uintptr_t)v[i].name;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(v[i].side, "depends") != 0)
			continue;
		if (!texts_equal(locks.file, v[i].file))
			find_locks(w, v[i].file, v[i].ecosystem, &locks);
		v[i].pinned = pinned_version(w, &locks, &v[i]);
	}
}

void pinned_versions_set(
    const struct package *rows, size_t nrows, struct package *v, size_t n, struct arena *a)
{
	struct lock_files w = { .a = a,
		.files = map_new(),
		.in_folder = map_new(),
		.members = map_new(),
		.choices = map_new(),
		.published = map_new() };

	index_rows(&w, rows, nrows);
	set_all(&w, v, n);
	map_free(w.files);
	map_free(w.in_folder);
	map_free(w.members);
	map_free(w.choices);
	map_free(w.published);
}
