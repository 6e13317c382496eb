/* From a path to a file of a commit, along symbolic links that stay inside. */
#include <stdbool.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git/repo_internal.h"

/* links; entries of a folder that are named; bytes of a link */
enum { MAX_LINK_HOPS = 8, MAX_LISTED_ENTRIES = 10, LINK_MAX = 4096 };

/* One look-up: a commit's tree, what was asked for, and what it has become. */
struct path_resolver {
	struct repo *r;
	git_tree *tree;
	const char *requested, *path;
	int hops;
	struct arena *a;
	struct err *e;
};

/* Without empty and `.` parts, `..` taken as far as it goes; NULL when it leads above the root. */
static const char *normal(const char *path, struct arena *a)
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
	for (const char *s = path; s; s = strchr(s, '/') ? strchr(s, '/') + 1 : NULL)
		if (!strncmp(s, "..", 2) && (!s[2] || s[2] == '/'))
			return true;
	return false;
}

static int fail_no_file(struct path_resolver *w)
{
	return err_set(w->e, ERR_NOT_FOUND, "no file `%.120s` at the indexed commit", w->requested);
}

static int fail_is_folder(struct path_resolver *w, const git_tree_entry *entry)
{
	git_tree *t = NULL;
	struct buf b = { 0 };

	fail_no_file(w);
	if (entry && git_tree_lookup(&t, w->r->git, git_tree_entry_id(entry)))
		return -1;
	const git_tree *in = t;
	if (!t)
		in = w->tree;
	for (size_t i = 0; i < git_tree_entrycount(in) && i < MAX_LISTED_ENTRIES; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", git_tree_entry_name(git_tree_entry_byindex(in, i)));
	err_set(w->e, ERR_INVALID_INPUT, "path: `%.120s` is a folder", w->requested);
	err_hint(w->e, "In it: %.160s%s", b.n ? b.p : "nothing",
	    git_tree_entrycount(in) > MAX_LISTED_ENTRIES ? ", …" : "");
	buf_free(&b);
	git_tree_free(t);
	return -1;
}

/* The link at the first `n` bytes of the path is replaced by what it says. */
static int follow(struct path_resolver *w, size_t n, const git_tree_entry *link)
{
	char blob[REPO_OID_SIZE];
	struct buf to = { 0 };
	size_t folder = n;

	if (++w->hops > MAX_LINK_HOPS)
		return err_set(
		    w->e, ERR_NOT_FOUND, "`%.120s`: symbolic links lead in a circle", w->requested);
	git_oid_tostr(blob, REPO_OID_SIZE, git_tree_entry_id(link));
	if (repo_blob(w->r, blob, &to, w->e))
		return -1;
	while (folder && w->path[folder - 1] != '/')
		folder--;
	const char *target = "/";
	if (to.n < LINK_MAX)
		target = arena_strn(w->a, to.n ? to.p : "", to.n);
	buf_free(&to);
	const char *path = *target == '/' ?
	    NULL :
	    normal(arena_printf(w->a, "%.*s%s%s", (int)folder, w->path, target, w->path + n), w->a);
	if (!path)
		return err_set(w->e, ERR_INVALID_INPUT,
		    "path: `%.120s` is a symbolic link that leads out of the repository", w->requested);
	w->path = path;
	return 0;
}

/* 1: the file is there; 0: a link was followed, look again; -1. */
static int step(struct path_resolver *w, char blob[REPO_OID_SIZE])
{
	for (size_t n = 0; w->path[n];) {
		git_tree_entry *t = NULL;
		n += w->path[n] == '/';
		n += strcspn(w->path + n, "/");
		if (git_tree_entry_bypath(&t, w->tree, arena_strn(w->a, w->path, n)))
			return fail_no_file(w);
		bool last = !w->path[n];
		git_filemode_t mode = git_tree_entry_filemode(t);
		int rc = mode == GIT_FILEMODE_LINK ? follow(w, n, t) :
		    !last                          ? 2 :
		    mode == GIT_FILEMODE_TREE      ? fail_is_folder(w, t) :
		    mode == GIT_FILEMODE_COMMIT    ? fail_no_file(w) :
		                                     1;
		if (rc == 1)
			git_oid_tostr(blob, REPO_OID_SIZE, git_tree_entry_id(t));
		git_tree_entry_free(t);
		if (rc != 2)
			return rc;
	}
	return fail_is_folder(w, NULL);
}

const char *repo_resolve_path(struct repo *r, const char *commit, const char *path,
    char blob[REPO_OID_SIZE], struct arena *a, struct err *e)
{
	struct path_resolver w = { .r = r, .tree = repo_tree_of(r, commit, e), .requested = path,
	    .path = normal(path, a), .a = a, .e = e };
	int rc = 0;

	if (!w.tree)
		return NULL;
	if (!*path || !w.path || has_parent_segment(path))
		rc = fail_no_file(&w);
	while (!rc)
		rc = step(&w, blob);
	git_tree_free(w.tree);
	return rc == 1 ? w.path : NULL;
}
