#include "shard/git/repo_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo_ownership.h"

/* What libgit2 means when it names an extension of a repository's format that it cannot read. */
static const char *format_of(const char *why)
{
	if (strstr(why, "extensions.objectformat"))
		return "its objects are named by SHA-256: ";
	if (strstr(why, "extensions.refstorage"))
		return "its refs are in a reftable: ";
	return "";
}

int repo_fail(struct err *e, const char *what)
{
	const git_error *g = git_error_last();

	return err_set(e, ERR_NOT_FOUND, "%s: %s", what, g && g->message ? g->message : "unknown");
}

/* ---- what libgit2 may ask for ---- */

/*
 * A pack holds a file of a few bytes as the difference to one of any size; `refused`: that was too
 * large.
 */
static _Thread_local struct {
	size_t most;
	bool refused;
} memory = { .most = (size_t)272 << 20 };

static bool alloc_allowed(size_t n)
{
	memory.refused |= n > memory.most;
	return n <= memory.most;
}

static void *limited_malloc(size_t n, const char *file, int line)
{
	(void)file, (void)line;
	if (alloc_allowed(n))
		return malloc(n);
	return NULL;
}

static void *limited_realloc(void *p, size_t n, const char *file, int line)
{
	(void)file, (void)line;
	if (alloc_allowed(n))
		return realloc(p, n);
	return NULL;
}

static void *limited_calloc(size_t n, size_t size, const char *file, int line)
{
	(void)file, (void)line;
	if (!size || (n <= SIZE_MAX / size && alloc_allowed(n * size)))
		return calloc(n, size);
	return NULL;
}

static void *limited_reallocarray(void *p, size_t n, size_t size, const char *file, int line)
{
	if (!size || n <= SIZE_MAX / size)
		return limited_realloc(p, n * size, file, line);
	return NULL;
}

static void *limited_mallocarray(size_t n, size_t size, const char *file, int line)
{
	return limited_reallocarray(NULL, n, size, file, line);
}

static char *limited_substrdup(const char *s, size_t n, const char *file, int line)
{
	char *p = limited_malloc(n + 1, file, line);

	if (!p)
		return NULL;
	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

static char *limited_strdup(const char *s, const char *file, int line)
{
	return limited_substrdup(s, strlen(s), file, line);
}

static char *limited_strndup(const char *s, size_t n, const char *file, int line)
{
	return limited_substrdup(s, strnlen(s, n), file, line);
}

size_t repo_set_alloc_limit(size_t bytes)
{
	size_t before = memory.most;

	memory.most = bytes;
	return before;
}

/* An object that commits name and nobody has: another replica may. */
static int fail_missing_object(struct err *e, const char *oid)
{
	if (memory.refused) {
		memory.refused = false;
		return err_set(e, ERR_INVALID_INPUT, "object %.12s takes more than %zu MB to unpack", oid,
		    memory.most >> 20);
	}
	err_set(e, ERR_UNAVAILABLE,
	    "object %.12s is not in the repository: it is a partial clone, or damaged", oid);
	err_hint(
	    e, "`git fsck` in the repository says what is missing; `git fetch --refetch` brings it.");
	return -1;
}

void repo_init(void)
{
	static git_allocator bounded = { limited_malloc, limited_calloc, limited_strdup,
		limited_strndup, limited_substrdup, limited_realloc, limited_reallocarray,
		limited_mallocarray, free };

	git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
	git_libgit2_init();
	/* repo_check_ownership looks at more, and says what helps */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)4 << 20);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)64 << 20);
}

/*
 * Opened here: the one that libgit2 (1.5) opens for a repository leaks when the folder of objects
 * went meanwhile.
 */
static int open_objects(struct repo *r)
{
	git_buf path = GIT_BUF_INIT;
	int rc = git_repository_item_path(&path, r->git, GIT_REPOSITORY_ITEM_OBJECTS);

	if (!rc)
		rc = git_odb_open(&r->odb, path.ptr);
	git_buf_dispose(&path);
	if (rc)
		return rc;
	return git_repository_set_odb(r->git, r->odb);
}

struct repo *repo_open(const char *path, struct err *e)
{
	if (repo_check_ownership(path, e))
		return NULL;
	struct repo *r = xcalloc(1, sizeof *r);
	int rc = git_repository_open_ext(&r->git, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (!rc)
		rc = open_objects(r);
	const git_error *g = git_error_last();
	if (rc == GIT_ENOTFOUND) {
		err_set(e, ERR_NOT_FOUND, "--repo: `%s` is no git repository", path);
		err_hint(e, "Give the top folder of a working tree, a bare repository or a URL.");
	} else if (rc) {
		const char *why = "unknown";
		if (g && g->message)
			why = g->message;
		err_set(
		    e, ERR_INVALID_INPUT, "--repo: `%s` cannot be read: %s%s", path, format_of(why), why);
		err_hint(e,
		    "Repositories with SHA-1 and with refs in files can be read; clone it into such a one.");
	}
	if (rc) {
		repo_close(r);
		return NULL;
	}
	return r;
}

void repo_close(struct repo *r)
{
	if (!r)
		return;
	git_tree_free(r->tree);
	git_odb_free(r->odb);
	git_repository_free(r->git);
	free(r);
}

/*
 * Call `each` for every entry of the configuration, but for what a repository's own has included:
 * that may be anybody's file. libgit2's own functions for remotes leak 20 KB an entry (1.5).
 */
static void each_setting(
    git_config *config, void (*each)(void *, const char *name, const char *value), void *arg)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (!config || git_config_iterator_new(&it, config))
		return;
	while (!git_config_next(&entry, it))
		if (entry->level < GIT_CONFIG_LEVEL_LOCAL || !entry->include_depth)
			each(arg, entry->name, entry->value ? entry->value : "");
	git_config_iterator_free(it);
}

struct remote_selection {
	struct arena *a;
	const char *name, *url;
	const char *from, *to;		/* url.<to>.insteadOf = <from>: the longest that fits */
};

/* `section.NAME.key` gives NAME, or NULL. */
static const char *setting_name_part(
    const char *s, const char *section, const char *key, struct arena *a)
{
	size_t n = strlen(s), m = strlen(section), k = strlen(key);

	if (n <= m + k || strncmp(s, section, m) || strcmp(s + n - k, key))
		return NULL;
	return arena_strn(a, s + m, n - m - k);
}

static void choose_remote(void *arg, const char *setting, const char *value)
{
	struct remote_selection *r = arg;
	const char *name = setting_name_part(setting, "remote.", ".url", r->a);

	if (!name || (r->name && !strcmp(r->name, "origin")) ||
	    (r->name && strcmp(name, "origin") && strcmp(name, r->name) >= 0))
		return;
	r->name = name;
	r->url = arena_str(r->a, value);
}

static void choose_alias(void *arg, const char *setting, const char *value)
{
	struct remote_selection *r = arg;
	const char *base = setting_name_part(setting, "url.", ".insteadof", r->a);
	size_t n = strlen(value);

	if (!base || !n || strncmp(r->url, value, n) || (r->from && strlen(r->from) >= n))
		return;
	r->from = arena_str(r->a, value);
	r->to = base;
}

static const char *remote_of(git_config *config, struct arena *a)
{
	struct remote_selection r = { .a = a };

	each_setting(config, choose_remote, &r);
	if (r.url)
		each_setting(config, choose_alias, &r);
	if (r.from)
		return arena_printf(a, "%s%s", r.to, r.url + strlen(r.from));
	return r.url;
}

const char *repo_remote(struct repo *repo, struct arena *a)
{
	git_config *config = NULL;
	const char *url = NULL;

	if (!git_repository_config_snapshot(&config, repo->git))
		url = remote_of(config, a);
	git_config_free(config);
	return url;
}

const char *repo_remote_unopened(const char *path, struct arena *a)
{
	struct repo_layout l;
	git_config *config = NULL;
	const char *url = NULL;

	if (repo_layout(path, &l, a) || git_config_open_default(&config))
		return NULL;
	if (!git_config_add_file_ondisk(
	        config, arena_printf(a, "%s/config", l.common), GIT_CONFIG_LEVEL_LOCAL, NULL, 0))
		url = remote_of(config, a);
	git_config_free(config);
	return url;
}

/* core.worktree is what its owner has written: what is there may be another repository. */
const char *repo_root_path(struct repo *r, struct arena *a)
{
	const char *dir = git_repository_path(r->git), *work = git_repository_workdir(r->git);
	struct repo_layout l;
	char real[PATH_MAX];
	size_t n = strlen(dir);

	if (realpath(dir, real))
		dir = arena_str(a, real);
	else
		dir = arena_strn(a, dir, n - (n > 1));
	n = strlen(dir);
	if (n > 5 && !strcmp(dir + n - 5, "/.git"))
		return arena_strn(a, dir, n - 5);
	bool leads_back = work && git_repository_is_worktree(r->git) && !repo_layout(work, &l, a) &&
	    l.work && !strcmp(l.dir, dir);
	return leads_back ? l.work : dir;
}

const char *repo_root_path_unopened(const char *path, struct arena *a)
{
	struct repo_layout l;

	if (repo_layout(path, &l, a))
		return path;
	if (l.work && (!l.link || strcmp(l.dir, l.common)))
		return l.work;
	return l.dir;
}

const char *repo_git_dir(struct repo *r, bool shared, struct arena *a)
{
	char *path = arena_str(
	    a, shared ? git_repository_commondir(r->git) : git_repository_path(r->git));
	size_t n = strlen(path);

	if (n > 1 && path[n - 1] == '/')
		path[n - 1] = 0;
	return path;
}

static const char *symbolic_ref_target(
    struct repo *r, const char *name, const char *head, struct arena *a)
{
	git_reference *ref = NULL;
	const char *branch = NULL;

	if (!git_reference_lookup(&ref, r->git, name) &&
	    git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC &&
	    !strncmp(git_reference_symbolic_target(ref), head, strlen(head)))
		branch = arena_str(a, git_reference_symbolic_target(ref) + strlen(head));
	git_reference_free(ref);
	return branch;
}

static bool find(struct repo *r, const char *prefix, const char *branch, git_oid *id)
{
	char name[600];

	return snprintf(name, sizeof name, "%s%s", prefix, branch) < (int)sizeof name &&
	    !git_reference_name_to_id(id, r->git, name);
}

const char *repo_branch(struct repo *r, struct arena *a)
{
	const char *branch = symbolic_ref_target(
	    r, "refs/remotes/origin/HEAD", "refs/remotes/origin/", a);
	git_oid id;

	if (!branch)
		branch = symbolic_ref_target(r, "HEAD", "refs/heads/", a);
	if (!branch && find(r, "refs/heads/", "main", &id))
		return "main";
	if (!branch && find(r, "refs/heads/", "master", &id))
		return "master";
	return branch;
}

int repo_head(struct repo *r, char oid[REPO_OID_SIZE], struct err *e)
{
	git_oid id;

	*oid = 0;
	if (git_reference_name_to_id(&id, r->git, "HEAD")) {
		repo_fail(e, "the repository has no commit that HEAD points to");
		return err_hint(e, "Commit something, or check out a branch that has commits.");
	}
	git_oid_tostr(oid, REPO_OID_SIZE, &id);
	return 0;
}

const char *repo_subject(struct repo *r, const char *commit, size_t most, struct arena *a)
{
	const char *line = NULL;
	git_commit *c = NULL;
	git_oid id;

	if (!git_oid_fromstr(&id, commit) && !git_commit_lookup(&c, r->git, &id))
		line = git_commit_summary(c);
	size_t n = line ? strlen(line) : 0;
	const char *out = "";
	if (n)
		out = text_utf8(line, n > most ? text_utf8_prefix(line, most) : n, a);
	git_commit_free(c);
	return out;
}

void repo_tips(struct repo *r, char tips[REPO_TIPS_SIZE])
{
	static const char *const prefixes[] = { "refs/heads/", "refs/remotes/origin/" };
	struct arena *a = arena_new();
	const char *branch = repo_branch(r, a);
	char *w = tips;
	git_oid id;

	*tips = 0;
	if (!git_reference_name_to_id(&id, r->git, "HEAD"))
		w += strlen(git_oid_tostr(w, REPO_OID_SIZE, &id));
	for (size_t i = 0; branch && i < LEN(prefixes); i++)
		if (find(r, prefixes[i], branch, &id))
			w += strlen(git_oid_tostr(w, REPO_OID_SIZE, &id));
	arena_free(a);
}

int64_t repo_behind(struct repo *r, const char *tips, const char *commit)
{
	git_revwalk *walk = NULL;
	git_oid from, tip;
	bool descends = false;
	int64_t n = 0;
	int rc = git_oid_fromstr(&from, commit) || git_revwalk_new(&walk, r->git);

	for (; !rc && *tips; tips += REPO_OID_SIZE - 1) {
		if (!strncmp(tips, commit, REPO_OID_SIZE - 1)) {
			descends = true;
			continue;
		}
		rc = git_oid_fromstrn(&tip, tips, REPO_OID_SIZE - 1) || git_revwalk_push(walk, &tip);
		descends = descends || (!rc && git_graph_descendant_of(r->git, &tip, &from) == 1);
	}
	rc = rc || !descends || git_revwalk_hide(walk, &from);
	while (!rc && !(rc = git_revwalk_next(&tip, walk)))
		n++;
	git_revwalk_free(walk);
	return rc == GIT_ITEROVER ? n : -1;
}

git_tree *repo_tree_of(struct repo *r, const char *commit, struct err *e)
{
	git_commit *c = NULL;
	git_tree *tree = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, commit)) {
		repo_fail(e, commit);
		return NULL;
	}
	if (r->tree && git_oid_equal(&id, &r->tree_of)) {
		if (git_tree_dup(&tree, r->tree))
			return NULL;
		return tree;
	}
	if (git_commit_lookup(&c, r->git, &id) || git_commit_tree(&tree, c)) {
		fail_missing_object(e, commit);
		tree = NULL;
	} else {
		git_tree_free(r->tree);
		r->tree_of = id;
		if (git_tree_dup(&r->tree, tree))
			r->tree = NULL;
	}
	git_commit_free(c);
	return tree;
}

int repo_find_blob(
    struct repo *r, const char *commit, const char *path, char blob[REPO_OID_SIZE], struct err *e)
{
	git_tree *tree = repo_tree_of(r, commit, e);
	git_tree_entry *t = NULL;
	int rc = -1;

	if (!tree)
		return -1;
	if (!*path || git_tree_entry_bypath(&t, tree, path) ||
	    git_tree_entry_type(t) != GIT_OBJECT_BLOB)
		err_set(e, ERR_NOT_FOUND, "no file `%.120s` at commit %.12s", path, commit);
	else
		rc = (git_oid_tostr(blob, REPO_OID_SIZE, git_tree_entry_id(t)), 0);
	git_tree_entry_free(t);
	git_tree_free(tree);
	return rc;
}

int repo_blob(struct repo *r, const char *blob, struct buf *out, struct err *e)
{
	git_odb_object *o = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, blob) || git_odb_read(&o, r->odb, &id))
		return fail_missing_object(e, blob);
	buf_put(out, git_odb_object_data(o), git_odb_object_size(o));
	git_odb_object_free(o);
	return 0;
}

int repo_blob_text(struct repo *r, const char *blob, struct buf *out, struct err *e)
{
	int rc = repo_blob(r, blob, out, e);

	if (!rc)
		text_decode(out);
	return rc;
}
