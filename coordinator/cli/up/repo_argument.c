#include "coordinator/cli/up/repo_argument.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coordinator/cli/base/child_process.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/net/crypto.h"
#include "proto/process/options.h"
#include "proto/text/repo_uri.h"

bool source_is_url(const char *typed)
{
	const char *colon = strchr(typed, ':');

	if (strstr(typed, "://"))
		return true;
	return colon && access(typed, F_OK) && !memchr(typed, '/', (size_t)(colon - typed));
}

/* Whether it looks like `github.com/org/repo`: the part before the first slash is a host. */
static bool is_remote_like(const char *typed)
{
	size_t n = strcspn(typed, "/");
	const char *dot = memchr(typed, '.', n);

	return typed[n] && dot && dot > typed && dot + 1 < typed + n && dot[1] != '.';
}

static const char *git(const char *path, const char *what, struct arena *a)
{
	/*
	 * rev-parse runs no hooks and obeys no dangerous settings, so any owner is safe here.  The
	 * shard decides whether it may read the repository (shard/git/repo_ownership.h).
	 */
	const char *argv[] = { "git", "-c", "safe.directory=*", "-C", path, "rev-parse", what, NULL };

	return child_git(argv, a);
}

/* The path of the file of a ref, whether or not it exists; NULL if git cannot say. */
static const char *git_ref_file(const char *top, const char *ref, struct arena *a)
{
	const char *argv[] = { "git", "-c", "safe.directory=*", "-C", top, "rev-parse", "--git-path",
		ref, NULL };
	const char *file = child_git(argv, a);

	if (!file || *file == '/')
		return file;
	return arena_printf(a, "%s/%s", top, file);
}

/*
 * Whether HEAD names a branch that nothing was committed to yet.  If the branch or its commit is
 * damaged, git says the same, but there is a file of the branch, or HEAD has an id.
 */
static bool has_no_commit_yet(const char *top, struct arena *a)
{
	const char *head[] = { "git", "-c", "safe.directory=*", "-C", top, "symbolic-ref", "-q", "HEAD",
		NULL };

	if (git(top, "HEAD", a))
		return false;
	const char *branch = child_git(head, a), *file = NULL;
	if (branch)
		file = git_ref_file(top, branch, a);
	return file && access(file, F_OK);
}

bool source_looks_like_repository(const char *path, struct arena *a)
{
	static const char *const parts[] = { "objects", "refs", "HEAD" };
	size_t n = 0;

	if (!access(arena_printf(a, "%s/.git", path), F_OK))
		return true;
	for (size_t i = 0; i < LEN(parts); i++)
		n += !access(arena_printf(a, "%s/%s", path, parts[i]), F_OK);
	return n >= 2;
}

/*
 * The working tree that contains a folder, or NULL.  core.worktree may name that of another
 * repository, so the working tree must have the same git folder.
 */
static const char *git_toplevel(const char *real, struct arena *a)
{
	const char *top = git(real, "--show-toplevel", a), *dir = git(real, "--absolute-git-dir", a);

	if (!top || !dir)
		return NULL;
	const char *its_dir = git(top, "--absolute-git-dir", a);
	if (its_dir && !strcmp(its_dir, dir))
		return top;
	return NULL;
}

/* The git folder without "/.git", unless the repository is bare; NULL if there is none. */
static const char *git_folder(const char *real, bool bare, struct arena *a)
{
	const char *dir = git(real, "--absolute-git-dir", a);

	if (!dir || bare)
		return dir;
	size_t n = strlen(dir);
	if (n > 5 && !strcmp(dir + n - 5, "/.git"))
		return arena_strn(a, dir, n - 5);
	return dir;
}

/*
 * The repository of an existing folder; NULL with `e`.  A damaged one counts: its shard reports
 * the reason until somebody mends it.
 */
static const char *resolve_folder(const char *real, struct arena *a, struct err *e)
{
	const char *answer = git(real, "--is-bare-repository", a), *top = NULL;

	if (answer) {
		bool bare = !strcmp(answer, "true");
		if (!bare)
			top = git_toplevel(real, a);
		if (!top)	/* bare, or `real` is inside the git folder */
			top = git_folder(real, bare, a);
	}
	if (!top && source_looks_like_repository(real, a))
		return real;	/* it is damaged, so that git does not recognize it */
	if (!top) {
		err_set(e, ERR_NOT_FOUND, "%s: not a git repository", real);
		return NULL;
	}
	if (has_no_commit_yet(top, a)) {
		err_set(e, ERR_NOT_FOUND, "%s: the repository has no commit yet", top);
		return NULL;
	}
	return top;
}

const char *source_resolve(const char *typed, struct arena *a, struct err *e)
{
	char real[PATH_MAX];

	if (source_is_url(typed))
		return uri_redact(typed, a);
	if (!realpath(typed, real)) {
		if (is_remote_like(typed))
			err_set(e, ERR_NOT_FOUND,
			    "%s: no such folder; if it is a remote, write https://%s", typed, typed);
		else
			err_set(e, ERR_NOT_FOUND, "%s: no such folder", *typed ? typed : "(empty)");
		return NULL;
	}
	if (access(real, R_OK | X_OK)) {
		err_set(e, ERR_INVALID_INPUT, "%s: %s", real, strerror(errno));
		return NULL;
	}
	return resolve_folder(arena_str(a, real), a, e);
}

static int is_visible(const struct dirent *d)
{
	return *d->d_name != '.';
}

static bool contains(const struct string_list *list, const char *text)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i], text))
			return true;
	return false;
}

int sources_in_folder(const char *dir, struct string_list *out, struct arena *a, struct err *e)
{
	struct dirent **v;
	int n = scandir(dir, &v, is_visible, alphasort);

	if (n < 0) {
		err_set(e, ERR_NOT_FOUND, "--codebase-root (CODEBASE_ROOT) %s: %s", dir, strerror(errno));
		return err_hint(e, "Name the folder that contains your repositories.");
	}
	out->v = arena_many(a, (size_t)n, const char *);
	out->n = 0;
	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(a, "%s/%s", dir, v[i]->d_name);
		const char *source = source_resolve(path, a, NULL);
		char real[PATH_MAX];
		/* skip folders that are only inside a repository, and a second link to one */
		if (source && realpath(path, real) && !strcmp(real, source) && !contains(out, source))
			out->v[out->n++] = source;
		free(v[i]);
	}
	free(v);
	return 0;
}

const char *source_label(const char *source, struct arena *a)
{
	char hex[SHA256_HEX], *name;
	size_t n = strlen(source);

	crypto_sha256(source, n, hex);
	while (n && source[n - 1] == '/')
		n--;
	if (n > 4 && !strncmp(source + n - 4, ".git", 4))
		n -= 4;
	size_t from = n;
	while (from && source[from - 1] != '/' && source[from - 1] != ':')
		from--;
	name = arena_strn(a, source + from, MIN(24, n - from));
	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '.' && *p != '_')
			*p = '-';
	if (!*name)
		return arena_printf(a, "repo-%.8s", hex);
	return arena_printf(a, "%s-%.8s", name, hex);
}
