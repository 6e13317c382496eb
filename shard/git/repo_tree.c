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
#include "shard/git/repo_internal.h"

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

/* An entry that is not a folder. */
static struct tree_entry entry_of(struct repo *r, const git_tree_entry *t, const char *path)
{
	struct tree_entry x = { .path = path };
	git_filemode_t mode = git_tree_entry_filemode(t);
	git_object_t type;
	size_t size = 0;

	git_oid_tostr(x.blob, REPO_OID_SIZE, git_tree_entry_id(t));
	if (mode == GIT_FILEMODE_COMMIT)
		x.is = ENTRY_SUBMODULE;
	else if (mode == GIT_FILEMODE_LINK)
		x.is = ENTRY_SYMLINK;
	else if (git_odb_read_header(&size, &type, r->odb, git_tree_entry_id(t)))
		x.is = ENTRY_MISSING;
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
	put(w, (struct tree_entry){ .path = path, .is = ENTRY_OVER_LIMIT, .limit = limit });
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

/*
 * Open a folder.  NULL if it is missing or over a limit; then an entry records the reason.  A
 * repeated folder that is over the limit is not even read.
 */
static git_tree *open_tree(struct tree_walk *w, const git_oid *id, const char *dir)
{
	void **seen = map_at(w->seen, git_oid_tostr_s(id));
	bool again = *seen != NULL;
	const char *limit = NULL;
	git_tree *tree = NULL;

	if (again)
		limit = count(w, (uintptr_t)*seen - 1, true, dir);
	if (!limit && git_tree_lookup(&tree, w->r->git, id)) {
		put(w, (struct tree_entry){ .path = dir, .is = ENTRY_MISSING });
		return NULL;
	}
	if (!limit && !again) {
		*seen = (void *)(uintptr_t)(git_tree_entrycount(tree) + 1);
		limit = count(w, git_tree_entrycount(tree), false, dir);
	}
	if (!limit)
		return tree;
	put_over_limit(w, dir, limit);
	git_tree_free(tree);
	return NULL;
}

/* Like entry_of, but takes sizes from the cache: in repeated folders most blobs are in it. */
static struct tree_entry cached_entry(
    struct tree_walk *w, const git_tree_entry *t, const char *path)
{
	const git_oid *id = git_tree_entry_id(t);
	git_filemode_t mode = git_tree_entry_filemode(t);
	struct cached_blob_size *slot = &w->sizes[(id->id[0] | id->id[1] << 8) % BLOB_CACHE_SLOTS];
	bool is_blob = mode != GIT_FILEMODE_LINK && mode != GIT_FILEMODE_COMMIT;
	bool is_cached = w->again && slot->valid && git_oid_equal(&slot->id, id);

	if (is_blob && is_cached) {
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

static void walk_entry(struct tree_walk *w, const git_tree_entry *t, const char *dir, int depth)
{
	const char *name = git_tree_entry_name(t);

	if (strlen(dir) + strlen(name) >= MAX_PATH_BYTES)
		put_over_limit(w, arena_printf(w->a, "%s%.100s", dir, name), too_long);
	else if (git_tree_entry_filemode(t) == GIT_FILEMODE_TREE)
		walk_tree(w, git_tree_entry_id(t), arena_printf(w->a, "%s%s/", dir, name), depth + 1);
	else
		put(w, cached_entry(w, t, arena_printf(w->a, "%s%s", dir, name)));
}

static void walk_tree(struct tree_walk *w, const git_oid *id, const char *dir, int depth)
{
	if (depth > MAX_TREE_LEVELS) {
		put_over_limit(w, dir, too_deep);
		return;
	}
	git_tree *tree = open_tree(w, id, dir);
	for (size_t i = 0; tree && i < git_tree_entrycount(tree); i++)
		walk_entry(w, git_tree_entry_byindex(tree, i), dir, depth);
	git_tree_free(tree);
}

int repo_tree(
    struct repo *r, const char *commit, struct arena *a, struct tree_entries *out, struct err *e)
{
	git_tree *tree = repo_tree_of(r, commit, e);
	struct tree_walk w = { .r = r,
		.a = a,
		.out = out,
		.seen = map_new(),
		.sizes = xcalloc(BLOB_CACHE_SLOTS, sizeof(struct cached_blob_size)) };

	if (tree)	/* git sorts entries so that the full paths are in order */
		walk_tree(&w, git_tree_id(tree), "", 0);
	map_free(w.seen);
	free(w.sizes);
	git_tree_free(tree);
	return tree ? 0 : -1;
}

/* ---- two trees ---- */

struct tree_comparison {
	struct repo *r;
	struct arena *a;
	struct tree_changes *out; /* NULL: only count the entries */
	uint64_t entries; /* of folders that were read */
};

static bool is_folder(const git_tree_entry *t)
{
	return git_tree_entry_filemode(t) == GIT_FILEMODE_TREE;
}

/* The character at `i` of an entry's name, which ends with a slash if the entry is a folder. */
static unsigned char name_char(const git_tree_entry *t, const char *name, size_t i)
{
	if (!name[i] && is_folder(t))
		return '/';
	return (unsigned char)name[i];
}

/* git's order of entries, which is the order of full paths. */
static int by_name(const git_tree_entry *x, const git_tree_entry *y)
{
	const char *a = git_tree_entry_name(x), *b = git_tree_entry_name(y);
	size_t na = strlen(a), nb = strlen(b), n = MIN(na, nb);
	int rc = memcmp(a, b, n);
	if (rc)
		return rc;
	unsigned char ca = name_char(x, a, n), cb = name_char(y, b, n);
	return (ca > cb) - (ca < cb);
}

static int compare_trees(
    struct tree_comparison *c, const git_oid *old, const git_oid *new, const char *dir, int depth);

static const git_oid *entry_id(const git_tree_entry *t)
{
	if (!t)
		return NULL;
	return git_tree_entry_id(t);
}

static struct tree_entry side_of(struct repo *r, const git_tree_entry *t, const char *path)
{
	if (!t)
		return (struct tree_entry){ .path = path, .is = ENTRY_NONE };
	return entry_of(r, t, path);
}

/* The same name on both sides; one side may be NULL. */
static int compare_entries(struct tree_comparison *c, const git_tree_entry *old,
    const git_tree_entry *new, const char *dir, int depth)
{
	const git_tree_entry *any = old ? old : new;
	const char *name = git_tree_entry_name(any);

	if (strlen(dir) + strlen(name) >= MAX_PATH_BYTES)
		return -1;
	if (is_folder(any)) {
		const char *inner = arena_printf(c->a, "%s%s/", dir, name);
		return compare_trees(c, entry_id(old), entry_id(new), inner, depth + 1);
	}
	if (!c->out)
		return 0;
	const char *path = arena_printf(c->a, "%s%s", dir, name);
	c->out->v = grow(c->out->v, &c->out->cap, c->out->n + 1, sizeof *c->out->v);
	struct tree_change *change = &c->out->v[c->out->n++];
	change->old = side_of(c->r, old, path);
	change->new = side_of(c->r, new, path);
	return 0;
}

/* Two trees, of which either may be NULL, and how far each has been read. */
struct tree_pair {
	git_tree *old, *new;
	size_t i, n;	/* next and number of entries in `old` */
	size_t k, m;	/* the same in `new` */
};

static int open_tree_pair(
    struct tree_pair *p, struct repo *r, const git_oid *old, const git_oid *new)
{
	if (old && git_tree_lookup(&p->old, r->git, old))
		return -1;
	if (new && git_tree_lookup(&p->new, r->git, new))
		return -1;
	if (p->old)
		p->n = git_tree_entrycount(p->old);
	if (p->new)
		p->m = git_tree_entrycount(p->new);
	return 0;
}

/* The next name in git's order: the entries that have it, NULL for a side without. */
static void next_entries(
    struct tree_pair *p, const git_tree_entry **old, const git_tree_entry **new)
{
	int order = 0;

	*old = NULL;
	*new = NULL;
	if (p->i < p->n)
		*old = git_tree_entry_byindex(p->old, p->i);
	if (p->k < p->m)
		*new = git_tree_entry_byindex(p->new, p->k);
	if (*old && *new)
		order = by_name(*old, *new);
	if (order < 0)
		*new = NULL;
	if (order > 0)
		*old = NULL;
	p->i += *old != NULL;
	p->k += *new != NULL;
}

static bool same_entry(const git_tree_entry *old, const git_tree_entry *new)
{
	if (!old || !new || !git_oid_equal(git_tree_entry_id(old), git_tree_entry_id(new)))
		return false;
	return git_tree_entry_filemode(old) == git_tree_entry_filemode(new);
}

static int compare_trees(
    struct tree_comparison *c, const git_oid *old, const git_oid *new, const char *dir, int depth)
{
	struct tree_pair p = { 0 };
	int rc = -1;

	if (depth <= MAX_TREE_LEVELS)
		rc = open_tree_pair(&p, c->r, old, new);
	c->entries += (p.n + p.m) * (1 + strlen(dir) / PATH_BYTES_PER_ENTRY);
	if (c->entries > MAX_COMPARED_ENTRIES)
		rc = -1;
	while (!rc && (p.i < p.n || p.k < p.m)) {
		const git_tree_entry *a, *b;
		next_entries(&p, &a, &b);
		if (!same_entry(a, b))
			rc = compare_entries(c, a, b, dir, depth);
	}
	git_tree_free(p.old);
	git_tree_free(p.new);
	return rc;
}

int repo_changes(struct repo *r, const char *from, const char *to, struct arena *a,
    struct tree_changes *out, struct err *e)
{
	struct tree_comparison c = { r, a, out, 0 };
	git_tree *old = repo_tree_of(r, from, e);
	int rc = 0;

	if (!old)
		return -1;
	git_tree *new = repo_tree_of(r, to, e);
	if (!new) {
		git_tree_free(old);
		return -1;
	}
	if (!git_oid_equal(git_tree_id(old), git_tree_id(new)))
		rc = compare_trees(&c, git_tree_id(old), git_tree_id(new), "", 0);
	if (rc)
		err_set(e, ERR_NOT_FOUND,
		    "%.12s and %.12s cannot be compared: a folder is missing from the object database, or "
		    "there are too many differences",
		    from, to);
	git_tree_free(old);
	git_tree_free(new);
	return rc;
}

bool repo_comparable(struct repo *r, const git_tree *old, const git_tree *new)
{
	struct tree_comparison c = { r, arena_new(), NULL, 0 };
	const git_oid *from = NULL;

	if (old)
		from = git_tree_id(old);
	int rc = compare_trees(&c, from, git_tree_id(new), "", 0);
	arena_free(c.a);
	return !rc;
}
