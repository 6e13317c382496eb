/* Resolves a path to a file of a commit, following symbolic links that stay in the repository. */
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git/folder.h"

enum {
	MAX_LINK_HOPS = 8,
	MAX_LISTED_ENTRIES = 10,	/* of a folder, in the hint */
	MAX_LINK_BYTES = 4096		/* of a link's target */
};

struct path_resolver {
	struct repo *r;
	git_oid tree;		/* of the commit */
	const char *requested;	/* the path that the caller passed */
	const char *path;	/* the same with the links followed so far */
	int hops;		/* links that were followed */
	struct arena *a;
	struct err *e;
};

/* Without empty, `.` and `..` parts; NULL if the path leads above the root. */
static const char *normalize(const char *path, struct arena *a)
{
	char *out = arena_get(a, strlen(path) + 1, 1);
	size_t n = 0;

	if (*path == '/')
		return NULL;
	for (const char *s = path; *s; s += *s == '/') {
		size_t k = strcspn(s, "/");
		if (k == 2 && s[0] == '.' && s[1] == '.') {
			if (!n)
				return NULL;
			while (n && out[--n] != '/')
				;
		} else if (k && !(k == 1 && *s == '.')) {
			if (n)
				out[n++] = '/';
			memcpy(out + n, s, k);
			n += k;
		}
		s += k;
	}
	out[n] = 0;
	return out;
}

static bool has_parent_segment(const char *path)
{
	const char *slash = strchr(path, '/');

	for (; slash; slash = strchr(path, '/')) {
		if (!strncmp(path, "../", 3))
			return true;
		path = slash + 1;
	}
	return !strcmp(path, "..");
}

static int fail_no_file(struct path_resolver *w)
{
	return err_set(w->e, ERR_NOT_FOUND, "file `%.120s` does not exist at the indexed commit",
	    w->requested);
}

static int fail_is_folder(struct path_resolver *w, const git_oid *id)
{
	struct folder folder;
	struct buf b = { 0 };
	const char *fault = folder_read(w->r, id, &folder);

	for (size_t i = 0; i < folder.n && i < MAX_LISTED_ENTRIES; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", folder.v[i].name);
	if (!folder.n)
		buf_str(&b, "nothing");
	const char *more = folder.n > MAX_LISTED_ENTRIES ? ", …" : "";
	if (fault) {
		repo_fail_folder(w->e, w->requested, fault);
	} else {
		err_set(w->e, ERR_INVALID_INPUT, "path: `%.120s` is a folder", w->requested);
		err_hint(w->e, "It contains: %.160s%s", b.p, more);
	}
	buf_free(&b);
	folder_free(&folder);
	return -1;
}

/* The target of a link; "/" if it is longer than any path; NULL with an error. */
static const char *link_target(struct path_resolver *w, const struct folder_entry *link)
{
	char blob[REPO_OID_SIZE];
	struct buf to = { 0 };
	const char *target = "/";

	git_oid_tostr(blob, REPO_OID_SIZE, &link->id);
	if (repo_blob(w->r, blob, &to, w->e))
		return NULL;
	if (to.n < MAX_LINK_BYTES)
		target = arena_strn(w->a, to.p, to.n);
	buf_free(&to);
	return target;
}

/* Replace the link at the first `n` bytes of the path by its target. */
static int follow(struct path_resolver *w, size_t n, const struct folder_entry *link)
{
	const char *path = NULL;
	size_t folder = n;

	if (++w->hops > MAX_LINK_HOPS)
		return err_set(
		    w->e, ERR_NOT_FOUND, "`%.120s`: symbolic links form a loop", w->requested);
	const char *target = link_target(w, link);
	if (!target)
		return -1;
	while (folder && w->path[folder - 1] != '/')
		folder--;
	if (*target != '/') {
		const char *rest = w->path + n;
		path = arena_printf(w->a, "%.*s%s%s", (int)folder, w->path, target, rest);
		path = normalize(path, w->a);
	}
	if (!path)
		return err_set(w->e, ERR_INVALID_INPUT,
		    "path: `%.120s` is a symbolic link that leads out of the repository", w->requested);
	w->path = path;
	return 0;
}

enum step { STEP_FAILED = -1, STEP_RESTART, STEP_FOUND, STEP_NEXT };

/* Handle the entry at the first `n` bytes of the path. */
static enum step step_into(struct path_resolver *w, size_t n, const struct folder_entry *entry)
{
	bool last = !w->path[n];

	if (entry->type == FOLDER_SYMLINK)
		return follow(w, n, entry) ? STEP_FAILED : STEP_RESTART;
	if (!last && entry->type != FOLDER_NONE)
		return STEP_NEXT;
	if (entry->type == FOLDER_FILE)
		return STEP_FOUND;
	if (entry->type == FOLDER_FOLDER)
		fail_is_folder(w, &entry->id);
	else
		fail_no_file(w);
	return STEP_FAILED;
}

/* Walk the path from the root; STEP_RESTART after a link was followed. */
static enum step walk_path(struct path_resolver *w, char blob[REPO_OID_SIZE])
{
	for (size_t n = 0; w->path[n];) {
		struct folder_entry entry;
		n += w->path[n] == '/';
		n += strcspn(w->path + n, "/");
		const char *fault = folder_find(w->r, &w->tree, arena_strn(w->a, w->path, n), &entry);
		if (fault) {
			repo_fail_folder(w->e, w->requested, fault);
			return STEP_FAILED;
		}
		enum step result = step_into(w, n, &entry);
		if (result == STEP_FOUND)
			git_oid_tostr(blob, REPO_OID_SIZE, &entry.id);
		if (result != STEP_NEXT)
			return result;
	}
	fail_is_folder(w, &w->tree);
	return STEP_FAILED;
}

const char *repo_resolve_path(struct repo *r, const char *commit, const char *path,
    char blob[REPO_OID_SIZE], struct arena *a, struct err *e)
{
	struct path_resolver w = { .r = r, .requested = path, .a = a, .e = e };
	enum step result = STEP_RESTART;

	if (repo_tree_of(r, commit, &w.tree, e))
		return NULL;
	w.path = normalize(path, a);
	if (!*path || !w.path || has_parent_segment(path)) {
		fail_no_file(&w);
		result = STEP_FAILED;
	}
	while (result == STEP_RESTART)
		result = walk_path(&w, blob);
	return result == STEP_FOUND ? w.path : NULL;
}
