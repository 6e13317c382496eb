#include "shard/git/repo_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "shard/base/text_lines.h"
#include "shard/git/repo_ownership.h"

/* Explains libgit2's message about an extension of the repository format that it cannot read. */
static const char *format_of(const char *why)
{
	if (strstr(why, "extensions.objectformat"))
		return "its objects are named by SHA-256: ";
	if (strstr(why, "extensions.refstorage"))
		return "its refs are in a reftable: ";
	return "";
}

const char *repo_libgit2_message(void)
{
	const git_error *g = git_error_last();

	if (!g || !g->message)
		return "unknown";
	return g->message;
}

int repo_fail(struct err *e, const char *what)
{
	return err_set(e, ERR_NOT_FOUND, "%s: %s", what, repo_libgit2_message());
}

/* ---- the limit of libgit2's allocations ---- */

/*
 * A pack can store a file of a few bytes as the difference to an object of any size.  `refused`:
 * libgit2 has asked for more than the limit.
 */
static _Thread_local struct {
	size_t limit;
	bool refused;
} memory = { .limit = (size_t)272 << 20 };

static bool alloc_allowed(size_t n)
{
	memory.refused |= n > memory.limit;
	return n <= memory.limit;
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
	if (!size)
		return calloc(n, size);
	if (n > SIZE_MAX / size || !alloc_allowed(n * size))
		return NULL;
	return calloc(n, size);
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
	size_t before = memory.limit;

	memory.limit = bytes;
	return before;
}

bool repo_alloc_refused(void)
{
	bool refused = memory.refused;

	memory.refused = false;
	return refused;
}

size_t repo_alloc_limit(void)
{
	return memory.limit;
}

void repo_init(void)
{
	static git_allocator bounded = { limited_malloc, limited_calloc, limited_strdup,
		limited_strndup, limited_substrdup, limited_realloc, limited_reallocarray,
		limited_mallocarray, free };
	/* of newer partial clones; it changes nothing about the objects that are here */
	static const char *extensions[] = { "partialclone" };

	git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
	git_libgit2_init();
	/* repo_check_ownership checks more, and its errors name the remedy */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions, LEN(extensions));
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)4 << 20);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)64 << 20);
}

void repo_verify_objects(void)
{
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
}

/*
 * We open the object database ourselves, because the one that libgit2 (1.5) opens for a repository
 * leaks if the folder of objects has disappeared meanwhile.
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

static bool has_git_folder(const char *path)
{
	struct arena *a = arena_new();
	struct repo_layout l;
	bool has = !repo_layout(path, &l, a);

	arena_free(a);
	return has;
}

static void fail_to_open(const char *path, int rc, struct err *e)
{
	const char *why = repo_libgit2_message();

	if (rc != GIT_ENOTFOUND) {
		err_set(e, ERR_INVALID_INPUT, "the repository cannot be read: %s%s", format_of(why), why);
		err_hint(e,
		    "Only repositories with SHA-1 and with refs in files can be read; clone it to "
		    "one of these.");
	} else if (has_git_folder(path)) {
		err_set(e, ERR_INVALID_INPUT,
		    "the repository cannot be read: its git folder lacks"
		    " HEAD, or its folder of refs or objects");
		err_hint(e, "Run `git status` in it to see what is missing, or clone it again.");
	} else {
		err_set(e, ERR_NOT_FOUND, "--repo: `%s` is not a git repository", path);
		err_hint(e, "Use the top folder of a working tree, a bare repository or a URL.");
	}
}

struct repo *repo_open(const char *path, struct err *e)
{
	if (repo_check_ownership(path, e))
		return NULL;
	struct repo *r = xcalloc(1, sizeof *r);
	int rc = git_repository_open_ext(&r->git, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL);
	if (!rc)
		rc = open_objects(r);
	if (!rc)
		return r;
	fail_to_open(path, rc, e);
	repo_close(r);
	return NULL;
}

void repo_close(struct repo *r)
{
	if (!r)
		return;
	git_odb_free(r->odb);
	git_repository_free(r->git);
	free(r);
}

/*
 * Call `each` for every entry of the configuration, except for entries of files that the
 * repository's own configuration includes: those may belong to anybody.  libgit2's own functions
 * for remotes (1.5) leak 20 KB per entry.
 */
static void each_setting(
    git_config *config, void (*each)(void *, const char *name, const char *value), void *arg)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;

	if (!config || git_config_iterator_new(&it, config))
		return;
	while (!git_config_next(&entry, it)) {
		if (entry->level < GIT_CONFIG_LEVEL_LOCAL || !entry->include_depth)
			each(arg, entry->name, text_or_empty(entry->value));
	}
	git_config_iterator_free(it);
}

struct remote_selection {
	struct arena *a;
	const char *name, *url;
	const char *from, *to;		/* url.<to>.insteadOf = <from>: the longest matching `from` */
};

/* The NAME of a setting `section.NAME.key`, or NULL. */
static const char *setting_name_part(
    const char *s, const char *section, const char *key, struct arena *a)
{
	size_t n = strlen(s), m = strlen(section), k = strlen(key);

	if (n <= m + k || strncmp(s, section, m) || strcmp(s + n - k, key))
		return NULL;
	return arena_strn(a, s + m, n - m - k);
}

/* `origin` comes first, then the names in order. */
static bool is_better_remote(const char *name, const char *current)
{
	if (!current)
		return true;
	if (!strcmp(current, "origin"))
		return false;
	return !strcmp(name, "origin") || strcmp(name, current) < 0;
}

static void choose_remote(void *arg, const char *setting, const char *value)
{
	struct remote_selection *r = arg;
	const char *name = setting_name_part(setting, "remote.", ".url", r->a);

	if (!name || !is_better_remote(name, r->name))
		return;
	r->name = name;
	r->url = arena_str(r->a, value);
}

static void choose_alias(void *arg, const char *setting, const char *value)
{
	struct remote_selection *r = arg;
	const char *base = setting_name_part(setting, "url.", ".insteadof", r->a);
	size_t n = strlen(value);

	if (!base || !n || strncmp(r->url, value, n))
		return;
	if (r->from && strlen(r->from) >= n)
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

static void note_promisor(void *promised, const char *setting, const char *value)
{
	size_t n = strlen(setting), k = strlen(".promisor");
	bool is_promisor = n > k && !strncmp(setting, "remote.", 7) &&
	    !strcmp(setting + n - k, ".promisor") && !strcmp(value, "true");

	if (is_promisor || !strcmp(setting, "extensions.partialclone"))
		*(bool *)promised = true;
}

bool repo_is_partial(struct repo *r)
{
	git_config *config = NULL;
	bool promised = false;

	if (!git_repository_config_snapshot(&config, r->git))
		each_setting(config, note_promisor, &promised);
	git_config_free(config);
	return promised;
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

/* Without symbolic links and without a slash at the end. */
static const char *real_git_dir(struct repo *r, struct arena *a)
{
	const char *dir = git_repository_path(r->git);
	char real[PATH_MAX];
	size_t n = strlen(dir);

	if (realpath(dir, real))
		return arena_str(a, real);
	return arena_strn(a, dir, n - (n > 1));
}

/*
 * The owner of the repository writes core.worktree, and may point it at another repository.  So a
 * linked working tree counts only if its .git file leads back here.
 */
const char *repo_root_path(struct repo *r, struct arena *a)
{
	const char *dir = real_git_dir(r, a), *work = git_repository_workdir(r->git);
	struct repo_layout l;
	size_t n = strlen(dir);

	if (n > 5 && !strcmp(dir + n - 5, "/.git"))
		return arena_strn(a, dir, n - 5);
	if (!work || !git_repository_is_worktree(r->git) || repo_layout(work, &l, a))
		return dir;
	bool leads_back = l.work && !strcmp(l.dir, dir);
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
	const char *path = git_repository_path(r->git);

	if (shared)
		path = git_repository_commondir(r->git);
	size_t n = strlen(path);
	if (n > 1 && path[n - 1] == '/')
		n--;
	return arena_strn(a, path, n);
}

static const char *symbolic_ref_target(
    struct repo *r, const char *name, const char *head, struct arena *a)
{
	git_reference *ref = NULL;
	const char *branch = NULL;

	if (git_reference_lookup(&ref, r->git, name))
		return NULL;
	if (git_reference_type(ref) == GIT_REFERENCE_SYMBOLIC) {
		const char *target = git_reference_symbolic_target(ref);
		if (!strncmp(target, head, strlen(head)))
			branch = arena_str(a, target + strlen(head));
	}
	git_reference_free(ref);
	return branch;
}

static bool find_branch(struct repo *r, const char *prefix, const char *branch, git_oid *id)
{
	char name[600];

	if (snprintf(name, sizeof name, "%s%s", prefix, branch) >= (int)sizeof name)
		return false;
	return !git_reference_name_to_id(id, r->git, name);
}

const char *repo_branch(struct repo *r, struct arena *a)
{
	const char *branch = symbolic_ref_target(
	    r, "refs/remotes/origin/HEAD", "refs/remotes/origin/", a);
	git_oid id;

	if (!branch)
		branch = symbolic_ref_target(r, "HEAD", "refs/heads/", a);
	if (branch)
		return branch;
	if (find_branch(r, "refs/heads/", "main", &id))
		return "main";
	if (find_branch(r, "refs/heads/", "master", &id))
		return "master";
	return NULL;
}

int repo_head(struct repo *r, char oid[REPO_OID_SIZE], struct err *e)
{
	git_oid id;

	*oid = 0;
	if (git_reference_name_to_id(&id, r->git, "HEAD")) {
		repo_fail(e, "HEAD does not point to a commit");
		return err_hint(e, "Create a commit, or check out a branch that has commits.");
	}
	git_oid_tostr(oid, REPO_OID_SIZE, &id);
	return 0;
}

size_t repo_version_tags(struct repo *r, size_t max, struct arena *a, const char ***out)
{
	git_strarray all;
	size_t n = 0;

	*out = NULL;
	if (git_tag_list(&all, r->git))
		return 0;
	*out = arena_many(a, all.count + 1, const char *);
	for (size_t i = 0; i < all.count && n < max; i++)
		if (strpbrk(all.strings[i], "0123456789"))
			(*out)[n++] = text_utf8(all.strings[i], strlen(all.strings[i]), a);
	git_strarray_dispose(&all);
	return n;
}

const char *repo_subject(struct repo *r, const char *commit, size_t max_bytes, struct arena *a)
{
	git_commit *c = NULL;
	git_oid id;

	if (git_oid_fromstr(&id, commit) || git_commit_lookup(&c, r->git, &id))
		return "";
	const char *subject = "", *line = git_commit_summary(c);
	if (line && *line) {
		size_t n = strlen(line);
		if (n > max_bytes)
			n = text_utf8_prefix(line, max_bytes);
		subject = text_utf8(line, n, a);
	}
	git_commit_free(c);
	return subject;
}

void repo_tips(struct repo *r, char tips[REPO_TIPS_SIZE])
{
	static const char *const prefixes[] = { "refs/heads/", "refs/remotes/origin/" };
	struct arena *a = arena_new();
	const char *branch = repo_branch(r, a);
	char *end = tips;
	git_oid id;

	*tips = 0;
	if (!git_reference_name_to_id(&id, r->git, "HEAD"))
		end += strlen(git_oid_tostr(end, REPO_OID_SIZE, &id));
	for (size_t i = 0; branch && i < LEN(prefixes); i++)
		if (find_branch(r, prefixes[i], branch, &id))
			end += strlen(git_oid_tostr(end, REPO_OID_SIZE, &id));
	arena_free(a);
}

/* Let the walk start at each tip.  -1, also if none of them descends from the commit. */
static int push_tips(
    struct repo *r, git_revwalk *walk, const char *tips, const char *commit, const git_oid *from)
{
	bool descends = false;
	git_oid tip;

	for (; *tips; tips += REPO_OID_SIZE - 1) {
		if (!strncmp(tips, commit, REPO_OID_SIZE - 1)) {
			descends = true;
			continue;
		}
		if (git_oid_fromstrn(&tip, tips, REPO_OID_SIZE - 1) || git_revwalk_push(walk, &tip))
			return -1;
		if (!descends)
			descends = git_graph_descendant_of(r->git, &tip, from) == 1;
	}
	return descends ? 0 : -1;
}

int64_t repo_behind(struct repo *r, const char *tips, const char *commit)
{
	git_revwalk *walk = NULL;
	git_oid from, next;
	int64_t n = 0;

	if (git_oid_fromstr(&from, commit) || git_revwalk_new(&walk, r->git))
		return -1;
	int rc = push_tips(r, walk, tips, commit, &from);
	if (!rc)
		rc = git_revwalk_hide(walk, &from);
	while (!rc) {
		rc = git_revwalk_next(&next, walk);
		if (!rc)
			n++;
	}
	git_revwalk_free(walk);
	return rc == GIT_ITEROVER ? n : -1;
}

