/* Trees of commits: what is in one, and where two differ (repo.h). */
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
 * A tree may hold another one many times, and that one others: a few KB stand for more paths than
 * anybody can list.  So folders that were seen before have a budget of their own.  The Linux
 * kernel (6.1) has 83,730 entries, of which 17 are in such folders.
 */
enum {
	MAX_TREE_LEVELS = 200, /* folders in folders */
	MAX_PATH_BYTES = 4096, /* bytes of a path: no system opens a longer one */
	MAX_TREE_ENTRIES = 4000000, /* entries, folders among them */
	MAX_REPEATED_ENTRIES = 50000,
	MAX_REPEATED_RATIO =
	    20, /* entries of folders that were seen before: so many, and so many for each other entry */
	PATH_BYTES_PER_ENTRY = 128, /* bytes of a path that weigh as much as an entry */
	MAX_COMPARED_ENTRIES = 1000000, /* entries of folders that differ, on both sides */
	BLOB_CACHE_SLOTS = 1 << 14 /* blobs whose size is known from a folder before */
};

static const char
    too_deep[] = "folders: more than 200 levels",
    too_long[] = "path: more than 4096 bytes", too_many[] = "folders: more than 4000000 entries",
    repeated[] =
        "folders: more than 50000 entries, and 20 for each other one, of folders that are in the repository again and again";

/* What is not a folder. */
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
	bool is;
};

struct tree_walk {
	struct repo *r;
	struct arena *a;
	struct tree_entries *out;
	struct map *seen; /* ids of trees */
	struct cached_blob_size
	    *known; /* KNOWN of them, by the first bytes of the id; of folders that come again */
	uint64_t first, again; /* entries of trees that were not seen before, and that were */
};

static void put(struct tree_walk *w, struct tree_entry x)
{
	w->out->v = grow(w->out->v, &w->out->cap, w->out->n + 1, sizeof *w->out->v);
	w->out->v[w->out->n++] = x;
}

/* Leave out what is at a path. */
static void put_over_limit(struct tree_walk *w, const char *path, const char *limit)
{
	put(w,
	    (struct tree_entry){
	        .path = strlen(path) > MAX_PATH_BYTES ? arena_strn(w->a, path, MAX_PATH_BYTES) : path,
	        .is = ENTRY_OVER_LIMIT,
	        .limit = limit });
}

/*
 * Whether a folder of so many entries may be walked; the limit that forbids it, or NULL and they
 * are counted.
 */
static const char *count(struct tree_walk *w, size_t n, bool again, const char *dir)
{
	uint64_t entries = n * (1 + strlen(dir) / PATH_BYTES_PER_ENTRY);

	if (again && w->again + entries > MAX_REPEATED_ENTRIES + MAX_REPEATED_RATIO * w->first)
		return repeated;
	if (w->first + w->again + entries > MAX_TREE_ENTRIES)
		return too_many;
	*(again ? &w->again : &w->first) += entries;
	return NULL;
}

/*
 * The folder, when it may be walked; else what forbids it is noted.  One that is too many is not
 * even read.
 */
static git_tree *open_tree(struct tree_walk *w, const git_oid *id, const char *dir)
{
	void **seen = map_at(w->seen, git_oid_tostr_s(id)); /* its entries, and one */
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

/* As entry_of; in a folder that comes again most blobs are known. */
static struct tree_entry cached_entry(
    struct tree_walk *w, const git_tree_entry *t, const char *path)
{
	const git_oid *id = git_tree_entry_id(t);
	struct cached_blob_size *k = &w->known[(id->id[0] | id->id[1] << 8) % BLOB_CACHE_SLOTS];
	struct tree_entry x = { .path = path, .size = k->size };

	bool blob = git_tree_entry_filemode(t) != GIT_FILEMODE_LINK &&
	    git_tree_entry_filemode(t) != GIT_FILEMODE_COMMIT;
	if (blob && w->again && k->is && git_oid_equal(&k->id, id)) {
		git_oid_tostr(x.blob, REPO_OID_SIZE, id);
		return x;
	}
	x = entry_of(w->r, t, path);
	if (x.is == ENTRY_FILE)
		*k = (struct cached_blob_size){ *id, x.size, true };
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
		.known = calloc(BLOB_CACHE_SLOTS, sizeof(struct cached_blob_size)) };

	if (!w.known)
		die("out of memory");
	if (tree)
		walk_tree(&w, git_tree_id(tree), "", 0); /* git's order of entries is that of full paths */
	map_free(w.seen);
	free(w.known);
	git_tree_free(tree);
	return tree ? 0 : -1;
}

/* ---- two trees ---- */

struct tree_comparison {
	struct repo *r;
	struct arena *a;
	struct tree_changes *out; /* NULL: they are only counted */
	uint64_t entries; /* of folders that were looked into */
};

static bool is_folder(const git_tree_entry *t)
{
	return git_tree_entry_filemode(t) == GIT_FILEMODE_TREE;
}

/* git's order, in which a folder's name ends with a slash: that of full paths.  NULL comes last. */
static int by_name(const git_tree_entry *x, const git_tree_entry *y)
{
	if (!x || !y) {
		if (x)
			return -1;
		if (y)
			return 1;
		return 0;
	}
	const char *a = git_tree_entry_name(x), *b = git_tree_entry_name(y);
	size_t na = strlen(a), nb = strlen(b), n = MIN(na, nb);
	int rc = memcmp(a, b, n);
	if (rc)
		return rc;
	unsigned char ca = na > n ? (unsigned char)a[n] : is_folder(x) ? '/' : 0;
	unsigned char cb = nb > n ? (unsigned char)b[n] : is_folder(y) ? '/' : 0;
	return (ca > cb) - (ca < cb);
}

static int compare_trees(
    struct tree_comparison *c, const git_oid *old, const git_oid *new, const char *dir, int depth);

/* The same name on both sides, or NULL on one. */
static int compare_entries(struct tree_comparison *c, const git_tree_entry *old,
    const git_tree_entry *new, const char *dir, int depth)
{
	const git_tree_entry *any = old ? old : new;
	const char *name = git_tree_entry_name(any);

	if (strlen(dir) + strlen(name) >= MAX_PATH_BYTES)
		return -1;
	if (is_folder(any))
		return compare_trees(c, old ? git_tree_entry_id(old) : NULL,
		    new ? git_tree_entry_id(new) : NULL, arena_printf(c->a, "%s%s/", dir, name), depth + 1);
	if (!c->out)
		return 0;
	const char *path = arena_printf(c->a, "%s%s", dir, name);
	c->out->v = grow(c->out->v, &c->out->cap, c->out->n + 1, sizeof *c->out->v);
	struct tree_entry none = { .path = path, .is = ENTRY_NONE };
	c->out->v[c->out->n++] = (struct tree_change){ old ? entry_of(c->r, old, path) : none,
		new ? entry_of(c->r, new, path) : none };
	return 0;
}

static int compare_trees(
    struct tree_comparison *c, const git_oid *old, const git_oid *new, const char *dir, int depth)
{
	git_tree *x = NULL, *y = NULL;
	int rc = depth > MAX_TREE_LEVELS || (old && git_tree_lookup(&x, c->r->git, old)) ||
	    (new &&git_tree_lookup(&y, c->r->git, new));
	size_t n = x ? git_tree_entrycount(x) : 0, m = y ? git_tree_entrycount(y) : 0;

	c->entries += (n + m) * (1 + strlen(dir) / PATH_BYTES_PER_ENTRY);
	rc = rc || c->entries > MAX_COMPARED_ENTRIES;
	for (size_t i = 0, k = 0; !rc && (i < n || k < m);) {
		const git_tree_entry *a = i < n ? git_tree_entry_byindex(x, i) : NULL;
		const git_tree_entry *b = k < m ? git_tree_entry_byindex(y, k) : NULL;
		int order = by_name(a, b);
		i += order <= 0;
		k += order >= 0;
		if (order || !git_oid_equal(git_tree_entry_id(a), git_tree_entry_id(b)) ||
		    git_tree_entry_filemode(a) != git_tree_entry_filemode(b))
			rc = compare_entries(c, order <= 0 ? a : NULL, order >= 0 ? b : NULL, dir, depth);
	}
	git_tree_free(x);
	git_tree_free(y);
	return rc ? -1 : 0;
}

int repo_changes(struct repo *r, const char *from, const char *to, struct arena *a,
    struct tree_changes *out, struct err *e)
{
	struct tree_comparison c = { r, a, out, 0 };
	git_tree *old = repo_tree_of(r, from, e), *new = old ? repo_tree_of(r, to, e) : NULL;
	int rc = new && !git_oid_equal(git_tree_id(old), git_tree_id(new)) ?
	    compare_trees(&c, git_tree_id(old), git_tree_id(new), "", 0) :
	    new ? 0 :
	          -1;

	if (rc && new)
		err_set(e, ERR_NOT_FOUND,
		    "%.12s and %.12s cannot be compared: a folder is not in the object database, or differs in too much",
		    from, to);
	git_tree_free(old);
	git_tree_free(new);
	return rc;
}

bool repo_comparable(struct repo *r, const git_tree *old, const git_tree *new)
{
	struct tree_comparison c = { r, arena_new(), NULL, 0 };
	int rc = compare_trees(&c, old ? git_tree_id(old) : NULL, git_tree_id(new), "", 0);

	arena_free(c.a);
	return !rc;
}
