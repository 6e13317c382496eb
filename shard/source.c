#include "shard/source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/text/uri.h"
#include "shard/options.h"
#include "shard/repo.h"

static bool is_url(const char *repo, struct arena *a)
{
	struct stat st;

	return strstr(repo, "://") || (stat(repo, &st) && uri_of_remote(repo, a));
}

static bool is_http(const char *url)
{
	return !strncasecmp(url, "http://", 7) || !strncasecmp(url, "https://", 8);
}

/* The user info of an http URL, `user:secret`, or NULL; *clean is the URL without it. */
static const char *credentials(const char *url, const char **clean, struct arena *a)
{
	const char *from = strstr(url, "://"), *at = NULL;

	*clean = url;
	if (!from)
		return NULL;
	from += 3;
	for (const char *c = from; *c && !strchr("/?#", *c); c++)
		if (*c == '@')
			at = c;
	if (!at)
		return NULL;
	const char *secret = memchr(from, ':', (size_t)(at - from));
	if (!is_http(url) && !secret)
		return NULL;	/* ssh://git@host: a user name that git needs */
	size_t keep = is_http(url) ? 0 : (size_t)(secret - from) + 1;
	*clean = arena_printf(a, "%.*s%.*s%s", (int)(from - url), url, (int)keep, from, at + !keep);
	if (keep)	/* ssh://user:secret@host: the user stays, without the colon */
		*clean = arena_printf(a, "%.*s%.*s%s", (int)(from - url), url, (int)keep - 1, from, at);
	return is_http(url) ? arena_strn(a, from, (size_t)(at - from)) : NULL;
}

static const char *data_root(const struct options *o, struct arena *a)
{
	const char *home = getenv("HOME");

	if (*o->data)
		return o->data;
	return arena_printf(a, "%s/.local/share/atoll", home ? home : "/var/lib");
}

static int make_dirs(const char *path, struct arena *a, struct err *e)
{
	char *p = arena_str(a, path);

	for (char *c = p + 1; ; c++) {
		char end = *c;
		if (end && end != '/')
			continue;
		*c = 0;
		if (mkdir(p, 0700) && errno != EEXIST)
			return err_set(e, ERR_INVALID_INPUT, "--data: cannot make %s: %s", p, strerror(errno));
		*c = end;
		if (!end)
			return 0;
	}
}

static int of_path(struct source *s, const char *path, struct arena *a, struct err *e)
{
	struct repo *r = repo_open(path, e);

	if (!r)
		return -1;
	const char *remote = repo_remote(r, a), *place = repo_place(r, a);
	s->repo_uri = remote ? uri_of_remote(remote, a) : NULL;
	if (!s->repo_uri)
		s->repo_uri = uri_of_path(place, a);
	s->name = uri_name(s->repo_uri, place, a);
	s->place = s->shown = place;
	repo_close(r);
	return 0;
}

static void of_url(struct source *s, const char *url, struct arena *a)
{
	credentials(url, &s->url, a);
	s->shown = s->url;
	s->repo_uri = uri_of_remote(s->url, a);
	if (s->repo_uri) {
		s->name = uri_name(s->repo_uri, NULL, a);
		return;
	}
	const char *path = !strncasecmp(url, "file://", 7) ? url + 7 : url;
	s->repo_uri = uri_of_path(path, a);
	s->name = uri_name(s->repo_uri, path, a);
}

int source_find(struct source *s, const struct options *o, struct arena *a, struct err *e)
{
	*s = (struct source){ 0 };
	if (!*o->repo)
		return err_set(e, ERR_INVALID_INPUT, "--repo is missing: a path or a URL of a git repository");
	if (is_url(o->repo, a))
		of_url(s, o->repo, a);
	else if (of_path(s, o->repo, a, e))
		return -1;
	s->collection = uri_collection(s->repo_uri, a);
	s->data = arena_printf(a, "%s/%s", data_root(o, a), s->collection);
	if (s->url)
		s->place = arena_printf(a, "%s/mirror.git", s->data);
	return make_dirs(s->data, a, e);
}

/* ---- git as a child ---- */

/* GITHUB_TOKEN is set on many machines for other purposes: it goes to GitHub alone. */
static const char *token(const struct source *s, const struct options *o)
{
	const char *github = getenv("GITHUB_TOKEN"), *own = getenv("ATOLL_GIT_TOKEN");

	if (!*o->git_token || strncasecmp(s->url, "https://", 8))
		return NULL;
	if (github && !strcmp(github, o->git_token) && !(own && *own) &&
	    strncmp(s->repo_uri, "github.com/", 11) && !strstr(s->repo_uri, ".ghe.com/"))
		return NULL;
	return o->git_token;
}

/* In the child: what git must know, by environment, so that no secret is in argv or on disk. */
static void set_environment(const struct source *s, const struct options *o, struct arena *a)
{
	const char *clean, *user = credentials(o->repo, &clean, a), *secret = token(s, o);

	setenv("GIT_TERMINAL_PROMPT", "0", 1);
	setenv("GIT_ASKPASS", "true", 1);
	setenv("GIT_SSH_COMMAND", "ssh -oBatchMode=yes", 0);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 0);
	setenv("LC_ALL", "C", 1);
	unsetenv("GITHUB_TOKEN");
	unsetenv("ATOLL_GIT_TOKEN");
	unsetenv("ATOLL_CLUSTER_KEY");
	unsetenv("ATOLL_REPO");
	unsetenv("GIT_DIR");
	if (!user && secret)
		user = arena_printf(a, "x-access-token:%s", secret);
	if (!user)
		return;
	const char *slash = strchr(strstr(s->url, "://") + 3, '/');
	size_t host = slash ? (size_t)(slash - s->url) : strlen(s->url);
	struct buf header = { 0 };
	buf_str(&header, "Authorization: Basic ");
	buf_base64(&header, user, strlen(user));
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", arena_printf(a, "http.%.*s/.extraHeader", (int)host, s->url), 1);
	setenv("GIT_CONFIG_VALUE_0", header.p, 1);
	buf_free(&header);
}

/* fork, not posix_spawn: git must not outlive this process, and that is said between fork and exec. */
static pid_t spawn(const struct source *s, const struct options *o, const char **argv, int out, int err,
    struct arena *a)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_environment(s, o, a);
	int null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	execvp("git", (char *const *)argv);
	_exit(127);
}

/* Read both pipes to their ends. */
static void drain(int out, int err, struct buf *to_out, struct buf *to_err)
{
	struct pollfd p[] = { { out, POLLIN, 0 }, { err, POLLIN, 0 } };
	struct buf *to[] = { to_out, to_err };
	char chunk[4096];

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		if (poll(p, 2, -1) < 0)
			continue;
		for (int i = 0; i < 2; i++) {
			if (p[i].fd < 0 || !p[i].revents)
				continue;
			ssize_t n = read(p[i].fd, chunk, sizeof chunk);
			if (n <= 0)
				p[i].fd = -1;
			else if (to[i]->n < 1 << 20)
				buf_put(to[i], chunk, (size_t)n);
		}
	}
}

/* The last line that git wrote, without credentials. */
static const char *last_words(const struct buf *err, struct arena *a)
{
	char *text = arena_strn(a, err->p ? err->p : "", err->n), *line = text, *last = text;

	for (; (line = strsep(&text, "\r\n"));)
		if (*line)
			last = line;
	return uri_redact(*last ? last : "git said nothing", a);
}

/* Run git to its end; its standard output goes to `out`. */
static int git(const struct source *s, const struct options *o, const char **argv, struct buf *out,
    struct arena *a, struct err *e)
{
	int po[2], pe[2], status = 0;
	struct buf err = { 0 };

	if (pipe2(po, O_CLOEXEC) || pipe2(pe, O_CLOEXEC))
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	pid_t pid = spawn(s, o, argv, po[1], pe[1], a);
	close(po[1]), close(pe[1]);
	drain(po[0], pe[0], out, &err);
	close(po[0]), close(pe[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	int rc = 0;
	if (pid < 0)
		rc = err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		rc = err_set(e, ERR_INTERNAL, "there is no `git` in PATH");
	else if (status) {
		rc = err_set(e, ERR_UNAVAILABLE, "git %s %s: %s", argv[1], s->shown, last_words(&err, a));
		err_hint(e, "Check the URL and ATOLL_GIT_TOKEN; `atoll repo analyze REPO` tries again.");
	}
	buf_free(&err);
	return rc;
}

static int clone(const struct source *s, const struct options *o, struct arena *a, struct err *e)
{
	const char *tmp = arena_printf(a, "%s/mirror.tmp", s->data);
	const char *clear[] = { "rm", "-rf", "--", tmp, NULL };
	const char *argv[] = { "git", "clone", "--quiet", "--bare", "--no-hardlinks",
		o->shallow ? "--depth=1" : "--no-local", "--", s->url, tmp, NULL };
	struct buf out = { 0 };
	pid_t pid = fork();

	if (!pid) {
		execvp("rm", (char *const *)clear);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	int rc = git(s, o, argv, &out, a, e);
	if (!rc && rename(tmp, s->place))
		rc = err_set(e, ERR_INTERNAL, "rename %s: %s", tmp, strerror(errno));
	buf_free(&out);
	return rc;
}

/* Make HEAD follow the remote's default branch, which may have been renamed since the clone. */
static void follow_head(const struct source *s, const struct options *o, struct arena *a)
{
	const char *ask[] = { "git", "ls-remote", "--symref", "--", s->url, "HEAD", NULL };
	struct buf out = { 0 };
	struct err e = { 0 };
	char branch[500];

	if (!git(s, o, ask, &out, a, &e) && out.p && sscanf(out.p, "ref: %499s HEAD", branch) == 1) {
		const char *set[] = { "git", "--git-dir", s->place, "symbolic-ref", "HEAD", branch, NULL };
		git(s, o, set, &out, a, &e);
	}
	buf_free(&out);
}

const char *source_service(const struct source *s, struct arena *a)
{
	const char *slash = strrchr(s->name, '/'), *last = slash ? slash + 1 : s->name;
	size_t n = strlen(last), suffix = strncmp(s->repo_uri, "local:", 6) ? 0 : strlen("-123456");

	n -= n > suffix ? suffix : 0;
	n -= n > 4 && !strncmp(last + n - 4, ".git", 4) ? 4 : 0;	/* a bare repository's folder */
	return arena_strn(a, last, n);
}

int source_fetch(const struct source *s, const struct options *o, struct arena *a, struct err *e)
{
	struct stat st;

	if (!s->url)
		return 0;
	if (stat(s->place, &st))
		return clone(s, o, a, e);
	const char *argv[] = { "git", "--git-dir", s->place, "fetch", "--quiet", "--prune", "--force", "--no-auto-gc",
		o->shallow ? "--depth=1" : "--no-tags", "--", s->url, "+refs/heads/*:refs/heads/*", NULL };
	struct buf out = { 0 };
	int rc = git(s, o, argv, &out, a, e);
	buf_free(&out);
	if (!rc)
		follow_head(s, o, a);
	return rc;
}
