/* The entries of a commit's tree, and the differences of two trees: a part of repo.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "shard/git/folder.h"

/*
 * A tree can contain another tree many times, and that one others, so a few KB can expand to more
 * paths than anybody can list.  Folders that were seen before therefore have their own budget.  The
 * Linux kernel (6.1) has 83,730 entries, 17 of them in such folders.
 */
enum {
	MAX_TREE_LEVELS = 200, /* nested folders */
	MAX_PATH_BYTES = 4096, /* no system opens a longer path */
	MAX_TREE_ENTRIES = 4000000, /* including folders */
	/* entries of folders that were seen before: so many, plus a ratio to the other entries */
	MAX_REPEATED_ENTRIES = 50000,
	MAX_REPEATED_RATIO = 20,
	PATH_BYTES_PER_ENTRY = 128, /* so many bytes of a path count as one more entry */
	MAX_COMPARED_ENTRIES = 1000000, /* of folders that differ, both sides together */
	BLOB_CACHE_SLOTS = 1 << 14
};

static const char too_deep[] = "folders: more than 200 levels";
static const char too_long[] = "path: more than 4096 bytes";
static const char too_many[] = "folders: more than 4000000 entries";
static const char repeated[] = "folders: more than 50000 entries, and 20 for each other one, "
    "of folders that are in the repository again and again";

static enum tree_entry_type type_of(enum folder_entry_type type)
{
	static const enum tree_entry_type types[] = {
		[FOLDER_FILE] = ENTRY_FILE,
		[FOLDER_SYMLINK] = ENTRY_SYMLINK,
		[FOLDER_SUBMODULE] = ENTRY_SUBMODULE,
		[FOLDER_FOLDER] = ENTRY_UNREADABLE,
		[FOLDER_NONE] = ENTRY_NONE,
	};

	return types[type];
}

static struct tree_entry unreadable(const char *path, const char *cause)
{
	return (struct tree_entry){ .path = path, .is = ENTRY_UNREADABLE, .why = cause };
}

/* An entry that is not a folder. */
static struct tree_entry entry_of(struct repo *r, const struct folder_entry *t, const char *path)
{
	struct tree_entry x = { .path = path, .is = type_of(t->type) };
	git_object_t type = GIT_OBJECT_BLOB;
	size_t size = 0;

	git_oid_tostr(x.blob, REPO_OID_SIZE, &t->id);
	if (x.is != ENTRY_FILE)
		return x;
	int rc = git_odb_read_header(&size, &type, r->odb, &t->id);
	if (!rc && type != GIT_OBJECT_BLOB)
		rc = GIT_EINVALID;
	if (rc) {
		x.is = ENTRY_UNREADABLE;
		x.why = object_fault(r, rc);
	}
	x.size = size;
	return x;
}

/* ---- one tree ---- */

struct cached_blob_size {
	git_oid id;
	uint64_t size;
	bool valid;
};

struct tree_walk {
	struct repo *r;
	struct arena *a;
	struct tree_entries *out;
	struct map *seen; /* id of a tree -> its number of entries plus 1 */
	/* BLOB_CACHE_SLOTS, by the first bytes of the id; used in folders that were seen before */
	struct cached_blob_size *sizes;
	uint64_t first, again; /* entries of trees that were new, and of trees that were seen before */
};

static void put(struct tree_walk *w, struct tree_entry x)
{
	w->out->v = grow(w->out->v, &w->out->cap, w->out->n + 1, sizeof *w->out->v);
	w->out->v[w->out->n++] = x;
}

/* Leave out everything at a path. */
static void put_over_limit(struct tree_walk *w, const char *path, const char *limit)
{
	if (strlen(path) > MAX_PATH_BYTES)
		path = arena_strn(w->a, path, MAX_PATH_BYTES);
	put(w, (struct tree_entry){ .path = path, .is = ENTRY_OVER_LIMIT, .why = limit });
}

/*
 * Count the `n` entries of a folder that shall be walked.  Returns the limit that they exceed, or
 * NULL.
 */
static const char *count(struct tree_walk *w, size_t n, bool again, const char *dir)
{
	uint64_t entries = n * (1 + strlen(dir) / PATH_BYTES_PER_ENTRY);

	if (again && w->again + entries > MAX_REPEATED_ENTRIES + MAX_REPEATED_RATIO * w->first)
		return repeated;
	if (w->first + w->again + entries > MAX_TREE_ENTRIES)
		return too_many;
	if (again)
		w->again += entries;
	else
		w->first += entries;
	return NULL;
}

/* What is shown as the path of a malformed entry; the rest of a folder is shown as the folder. */
static const char *fault_path(struct tree_walk *w, const struct folder_fault *x, const char *dir)
{
	if (!x->name)
		return *dir ? dir : "/";
	if (!*x->name)
		return arena_printf(w->a, "%s(no name)", dir);
	return arena_printf(w->a, "%s%.255s", dir, x->name);
}

static void put_faults(struct tree_walk *w, const struct folder *f, const char *dir)
{
	for (size_t i = 0; i < f->nfaults; i++)
		put(w, unreadable(fault_path(w, &f->faults[i], dir), f->faults[i].cause));
}

/*
 * Open a folder.  False if it cannot be read or is over a limit; then an entry records the reason.
 * A repeated folder that is over the limit is not even read.
 */
static bool open_folder(struct tree_walk *w, const git_oid *id, const char *dir, struct folder *f)
{
	void **seen = map_at(w->seen, git_oid_tostr_s(id));
	bool again = *seen != NULL;
	const char *limit = NULL, *fault = NULL;

	*f = (struct folder){ 0 };
	if (again)
		limit = count(w, (uintptr_t)*seen - 1, true, dir);
	if (!limit)
		fault = folder_read(w->r, id, f);
	if (fault) {
		put(w, unreadable(dir, fault));
		return false;
	}
	if (!limit && !again) {
		*seen = (void *)(uintptr_t)(f->n + f->nfaults + 1);
		limit = count(w, f->n + f->nfaults, false, dir);
	}
	if (!limit)
		return true;
	put_over_limit(w, dir, limit);
	return false;
}

/* Like entry_of, but takes sizes from the cache: in repeated folders most blobs are in it. */
static struct tree_entry cached_entry(
    struct tree_walk *w, const struct folder_entry *t, const char *path)
{
	const git_oid *id = &t->id;
	struct cached_blob_size *slot = &w->sizes[(id->id[0] | id->id[1] << 8) % BLOB_CACHE_SLOTS];
	bool is_cached = w->again && slot->valid && git_oid_equal(&slot->id, id);

	if (t->type == FOLDER_FILE && is_cached) {
		struct tree_entry x = { .path = path, .size = slot->size };
		git_oid_tostr(x.blob, REPO_OID_SIZE, id);
		return x;
	}
	struct tree_entry x = entry_of(w->r, t, path);
	if (x.is == ENTRY_FILE)
		*slot = (struct cached_blob_size){ *id, x.size, true };
	return x;
}

static void walk_tree(struct tree_walk *w, const git_oid *id, const char *dir, int depth);

static void walk_entry(
    struct tree_walk *w, const struct folder_entry *t, const char *dir, int depth)
{
	if (strlen(dir) + strlen(t->name) >= MAX_PATH_BYTES)
		put_over_limit(w, arena_printf(w->a, "%s%.100s", dir, t->name), too_long);
	else if (t->type == FOLDER_FOLDER)
		walk_tree(w, &t->id, arena_printf(w->a, "%s%s/", dir, t->name), depth + 1);
	else
		put(w, cached_entry(w, t, arena_printf(w->a, "%s%s", dir, t->name)));
}

static void walk_tree(struct tree_walk *w, const git_oid *id, const char *dir, int depth)
{
	struct folder f;

	if (depth > MAX_TREE_LEVELS) {
		put_over_limit(w, dir, too_deep);
		return;
	}
	if (open_folder(w, id, dir, &f)) {
		for (size_t i = 0; i < f.n; i++)
			walk_entry(w, &f.v[i], dir, depth);
		put_faults(w, &f, dir);
	}
	folder_free(&f);
}

/* Whether the folder at the top can be read: without it, there is nothing to index. */
static int check_root(struct repo *r, const git_oid *root, struct err *e)
{
	struct folder f;
	const char *fault = folder_read(r, root, &f);

	folder_free(&f);
	if (fault)
		return repo_fail_folder(e, "/", fault);
	return 0;
}

int repo_tree(
    struct repo *r, const char *commit, struct arena *a, struct tree_entries *out, struct err *e)
{
	git_oid root;

	if (repo_tree_of(r, commit, &root, e) || check_root(r, &root, e))
		return -1;
	struct tree_walk w = { .r = r,
		.a = a,
		.out = out,
		.seen = map_new(),
		.sizes = xcalloc(BLOB_CACHE_SLOTS, sizeof(struct cached_blob_size)) };
	walk_tree(&w, &root, "", 0);	/* in git's order, in which the full paths are sorted */
	map_free(w.seen);
	free(w.sizes);
	return 0;
}

/* ---- two trees ---- */

struct tree_comparison {
	struct repo *r;
	struct arena *a;
	struct tree_changes *out; /* NULL: only count the entries */
	uint64_t entries; /* of folders that were read */
};

static int compare_trees(
    struct tree_comparison *c, const git_oid *old, const git_oid *new, const char *dir, int depth);

static const git_oid *entry_id(const struct folder_entry *t)
{
	if (!t)
		return NULL;
	return &t->id;
}

static struct tree_entry side_of(struct repo *r, const struct folder_entry *t, const char *path)
{
	if (!t)
		return (struct tree_entry){ .path = path, .is = ENTRY_NONE };
	return entry_of(r, t, path);
}

/* The same name on both sides; one side may be NULL. */
static int compare_entries(struct tree_comparison *c, const struct folder_entry *old,
    const struct folder_entry *new, const char *dir, int depth)
{
	const struct folder_entry *any = old ? old : new;

	if (strlen(dir) + strlen(any->name) >= MAX_PATH_BYTES)
		return -1;
	if (any->type == FOLDER_FOLDER) {
		const char *inner = arena_printf(c->a, "%s%s/", dir, any->name);
		return compare_trees(c, entry_id(old), entry_id(new), inner, depth + 1);
	}
	if (!c->out)
		return 0;
	const char *path = arena_printf(c->a, "%s%s", dir, any->name);
	c->out->v = grow(c->out->v, &c->out->cap, c->out->n + 1, sizeof *c->out->v);
	struct tree_change *change = &c->out->v[c->out->n++];
	change->old = side_of(c->r, old, path);
	change->new = side_of(c->r, new, path);
	return 0;
}

/* Two folders, either of which may be empty, and how far each has been read. */
struct folder_pair {
	struct folder old, new;
	size_t i, k;	/* next entry in each */
};

/* -1 also if changes are listed and the folder has malformed entries, which are no changes. */
static int open_side(const struct tree_comparison *c, const git_oid *id, struct folder *f)
{
	if (!id)
		return 0;
	if (folder_read(c->r, id, f) || (c->out && f->nfaults))
		return -1;
	return 0;
}

static int open_pair(
    struct folder_pair *p, const struct tree_comparison *c, const git_oid *old, const git_oid *new)
{
	if (open_side(c, old, &p->old))
		return -1;
	return open_side(c, new, &p->new);
}

/* The next name in git's order: the entries that have it, NULL for a side without. */
static void next_entries(
    struct folder_pair *p, const struct folder_entry **old, const struct folder_entry **new)
{
	int order = 0;

	*old = NULL;
	*new = NULL;
	if (p->i < p->old.n)
		*old = &p->old.v[p->i];
	if (p->k < p->new.n)
		*new = &p->new.v[p->k];
	if (*old && *new)
		order = folder_entry_compare(*old, *new);
	if (order < 0)
		*new = NULL;
	if (order > 0)
		*old = NULL;
	p->i += *old != NULL;
	p->k += *new != NULL;
}

static bool same_entry(const struct folder_entry *old, const struct folder_entry *new)
{
	return old && new && old->type == new->type && git_oid_equal(&old->id, &new->id);
}

static int compare_trees(
    struct tree_comparison *c, const git_oid *old, const git_oid *new, const char *dir, int depth)
{
	struct folder_pair p = { 0 };
	int rc = -1;

	if (depth <= MAX_TREE_LEVELS)
		rc = open_pair(&p, c, old, new);
	c->entries += (p.old.n + p.new.n) * (1 + strlen(dir) / PATH_BYTES_PER_ENTRY);
	if (c->entries > MAX_COMPARED_ENTRIES)
		rc = -1;
	while (!rc && (p.i < p.old.n || p.k < p.new.n)) {
		const struct folder_entry *a, *b;
		next_entries(&p, &a, &b);
		if (!same_entry(a, b))
			rc = compare_entries(c, a, b, dir, depth);
	}
	folder_free(&p.old);
	folder_free(&p.new);
	return rc;
}

int repo_changes(struct repo *r, const char *from, const char *to, struct arena *a,
    struct tree_changes *out, struct err *e)
{
	struct tree_comparison c = { r, a, out, 0 };
	git_oid old, new;
	int rc = 0;

	if (repo_tree_of(r, from, &old, e) || repo_tree_of(r, to, &new, e))
		return -1;
	if (!git_oid_equal(&old, &new))
		rc = compare_trees(&c, &old, &new, "", 0);
	if (rc)
		err_set(e, ERR_NOT_FOUND,
		    "%.12s and %.12s cannot be compared: a folder cannot be read or is malformed, or there "
		    "are too many differences",
		    from, to);
	return rc;
}

bool repo_comparable(struct repo *r, const git_oid *old, const git_oid *new)
{
	struct tree_comparison c = { r, arena_new(), NULL, 0 };
	int rc = compare_trees(&c, old, new, "", 0);

	arena_free(c.a);
	return !rc;
}
