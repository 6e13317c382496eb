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

/* `github.com/org/repo`: what is before the first slash is a host. */
static bool is_remote_like(const char *typed)
{
	size_t n = strcspn(typed, "/");
	const char *dot = memchr(typed, '.', n);

	return typed[n] && dot && dot > typed && dot + 1 < typed + n && dot[1] != '.';
}

static const char *git(const char *path, const char *what, struct arena *a)
{
	/*
	 * Its hooks and settings have no effect on rev-parse.  Whether it may be read its shard
	 * decides (shard/git/repo_ownership.h).
	 */
	const char *argv[] = { "git", "-c", "safe.directory=*", "-C", path, "rev-parse", what, NULL };

	return child_git(argv, a);
}

/*
 * The working tree that holds a folder; NULL: none.  core.worktree may name one of another
 * repository, as its owner likes.
 */
static const char *git_toplevel(const char *real, struct arena *a)
{
	const char *top = git(real, "--show-toplevel", a), *dir = git(real, "--absolute-git-dir", a);
	const char *there = NULL;

	if (top)
		there = git(top, "--absolute-git-dir", a);
	if (there && dir && !strcmp(there, dir))
		return top;
	return NULL;
}

const char *source_resolve(const char *typed, struct arena *a, struct err *e)
{
	char real[PATH_MAX];

	if (source_is_url(typed))
		return uri_redact(typed, a);
	if (!realpath(typed, real) && is_remote_like(typed))
		return err_set(e, ERR_NOT_FOUND,
		           "%s: no such folder; a remote has its scheme in front: https://%s", typed,
		           typed),
		       NULL;
	if (!realpath(typed, real))
		return err_set(e, ERR_NOT_FOUND, "%s: no such folder", *typed ? typed : "(empty)"), NULL;
	if (access(real, R_OK | X_OK))
		return err_set(e, ERR_INVALID_INPUT, "%s: %s", real, strerror(errno)), NULL;
	const char *bare = git(real, "--is-bare-repository", a);
	if (!bare)
		return err_set(e, ERR_NOT_FOUND, "%s: no git repository", real), NULL;
	const char *top = NULL;
	if (strcmp(bare, "true"))
		top = git_toplevel(real, a);
	if (!top && (top = git(real, "--absolute-git-dir", a))) {
		size_t n = strlen(top);	/* of a bare one, or typed as it is below its working tree */
		if (strcmp(bare, "true") && n > 5 && !strcmp(top + n - 5, "/.git"))
			top = arena_strn(a, top, n - 5);
	}
	if (!top)
		return err_set(e, ERR_NOT_FOUND, "%s: no git repository", real), NULL;
	if (!git(top, "HEAD^{commit}", a))
		return err_set(e, ERR_NOT_FOUND, "%s: the repository has no commit yet", top), NULL;
	return top;
}

static int is_seen(const struct dirent *d)
{
	return *d->d_name != '.';
}

int sources_in_folder(const char *dir, struct string_list *out, struct arena *a, struct err *e)
{
	struct dirent **v;
	int n = scandir(dir, &v, is_seen, alphasort);

	if (n < 0) {
		err_set(e, ERR_NOT_FOUND, "--codebase-root (CODEBASE_ROOT) %s: %s", dir, strerror(errno));
		return err_hint(e, "Name the folder in which your repositories stand.");
	}
	out->v = arena_many(a, (size_t)n, const char *);
	out->n = 0;
	for (int i = 0; i < n; i++) {
		const char *path = arena_printf(a, "%s/%s", dir, v[i]->d_name),
		           *source = source_resolve(path, a, NULL);
		char real[PATH_MAX];
		/* not one that only lies in a repository */
		if (source && realpath(path, real) && !strcmp(real, source))
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
	return arena_printf(a, "%s-%.8s", *name ? name : "repo", hex);
}
