#include "shard/git.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/egress.h"
#include "proto/base/err.h"
#include "proto/base/fetch.h"
#include "proto/base/log.h"
#include "proto/json.h"
#include "proto/text/uri.h"
#include "shard/options.h"
#include "shard/pins.h"

enum {
	LOOK_MS = 100,			/* between two looks at the size of a mirror that grows */
	SILENT_S = 60,			/* a transfer with less than a kilobyte a second for so long is given up */
	ASK_MS = 10000,
	OUT_MAX = 1 << 20,
};

/* ---- who we are ---- */

static bool is_local(const char *url)
{
	const char *host = strstr(url, "://");

	return host && (!strncmp(host + 3, "127.", 4) || !strncmp(host + 3, "localhost", 9) || !strncmp(host + 3, "[::1]", 5));
}

/* The host and port of a URL. */
static const char *host_of(const char *url, struct arena *a)
{
	const char *s = strstr(url, "://");

	s = s ? s + 3 : url;
	return arena_strn(a, s, strcspn(s, "/?#"));
}

/* The second word of the line that begins with the host. */
static const char *token_of_file(const char *path, const char *host, struct arena *a)
{
	FILE *f = fopen(path, "r");
	char line[1024], name[512], token[512];
	const char *found = NULL;

	if (!f)
		log_error("git.tokens", "file=%s message=%s", path, log_quote(strerror(errno)));
	while (f && !found && fgets(line, sizeof line, f))
		if (sscanf(line, "%511s %511s", name, token) == 2 && !strcasecmp(name, host))
			found = arena_str(a, token);
	if (f)
		fclose(f);
	return found;
}

/* GITHUB_TOKEN is set on many machines for other purposes: it goes to GitHub alone. */
const char *git_token(const char *url, const char *repo_uri, const struct options *o, struct arena *a)
{
	const char *github = getenv("GITHUB_TOKEN"), *own = getenv("ATOLL_GIT_TOKEN"), *token;

	if (strncasecmp(url, "https://", 8) && (strncasecmp(url, "http://", 7) || !is_local(url)))
		return NULL;
	if (*o->git_tokens_file && (token = token_of_file(o->git_tokens_file, host_of(url, a), a)))
		return token;
	if (!*o->git_token || strncasecmp(url, "https://", 8))
		return NULL;
	if (github && !strcmp(github, o->git_token) && !(own && *own) && strncmp(repo_uri, "github.com/", 11) && !strstr(repo_uri, ".ghe.com/"))
		return NULL;
	return o->git_token;
}

/* ---- the child ---- */

/* In the child: what git must know, by environment, so that no secret is in argv or on disk. */
static void set_environment(const struct git *g, struct arena *a)
{
	const char *user = g->user, *secret = git_token(g->url, g->repo_uri, g->o, a);

	setenv("GIT_TERMINAL_PROMPT", "0", 1);
	setenv("GIT_ASKPASS", "true", 1);
	setenv("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=15 -oServerAliveCountMax=4", 0);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 0);
	setenv("GIT_HTTP_LOW_SPEED_LIMIT", "1000", 0);
	setenv("GIT_HTTP_LOW_SPEED_TIME", arena_printf(a, "%d", SILENT_S), 0);
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
	const char *slash = strchr(strstr(g->url, "://") + 3, '/');
	size_t host = slash ? (size_t)(slash - g->url) : strlen(g->url);
	struct buf header = { 0 };
	buf_str(&header, "Authorization: Basic ");
	buf_base64(&header, user, strlen(user));
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", arena_printf(a, "http.%.*s/.extraHeader", (int)host, g->url), 1);
	setenv("GIT_CONFIG_VALUE_0", header.p, 1);
	buf_free(&header);
}

/* fork, not posix_spawn: git must not outlive this process, and that is said between fork and exec. */
static pid_t spawn(const struct git *g, const char **argv, int out, int err, struct arena *a)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_environment(g, a);
	pins_environment(g->pins, a);
	int null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	execvp("git", (char *const *)argv);
	_exit(127);
}

/* ---- its limits ---- */

static __thread int64_t folder_bytes;

static int add_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)path, (void)at;
	if (type == FTW_F)
		folder_bytes += st->st_size;
	return 0;
}

static bool too_large(const struct git *g)
{
	folder_bytes = 0;
	if (!g->grows || g->o->mirror_limit_mb <= 0)
		return false;
	nftw(g->grows, add_file, 16, FTW_PHYS);
	return folder_bytes >> 20 >= g->o->mirror_limit_mb;
}

static int say_too_large(const struct git *g, struct err *e)
{
	err_set(e, ERR_INVALID_INPUT, "%s: its mirror is larger than %lld MB", g->shown, (long long)g->o->mirror_limit_mb);
	return err_hint(e, "Raise --mirror-limit-mb (ATOLL_MIRROR_LIMIT_MB), or mirror it with --shallow.");
}

/* Read both pipes to their ends, or until a limit: -1 with `e`. */
static int drain(const struct git *g, int out, int err, struct buf *to_out, struct buf *to_err, struct err *e)
{
	struct pollfd p[] = { { out, POLLIN, 0 }, { err, POLLIN, 0 } };
	struct buf *to[] = { to_out, to_err };
	char chunk[4096];
	int64_t end = clock_ms() + g->o->git_seconds * 1000, look = 0;

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		int ready = poll(p, 2, LOOK_MS);
		if (clock_ms() >= look) {
			if (too_large(g))
				return say_too_large(g, e);
			look = clock_ms() + LOOK_MS;
		}
		if (clock_ms() > end) {
			err_set(e, ERR_UNAVAILABLE, "git has taken longer than %lld s with %s", (long long)g->o->git_seconds, g->shown);
			return err_hint(e, "Raise --git-seconds (ATOLL_GIT_SECONDS), or look at the network.");
		}
		for (int i = 0; ready > 0 && i < 2; i++) {
			if (p[i].fd < 0 || !p[i].revents)
				continue;
			ssize_t n = read(p[i].fd, chunk, sizeof chunk);
			if (n <= 0)
				p[i].fd = -1;
			else if (to[i]->n < OUT_MAX)
				buf_put(to[i], chunk, (size_t)n);
		}
	}
	return too_large(g) ? say_too_large(g, e) : 0;
}

/*
 * The line in which git says why, without credentials: the last that begins with `fatal: ` or `error: `, else the last one.
 * Of a remote that is reached by ssh that says nothing, and what ssh or the remote said ahead of it does.
 */
static const char *last_words(const struct buf *err, struct arena *a)
{
	char *text = arena_strn(a, err->p ? err->p : "", err->n), *line;
	const char *last = "", *why = NULL, *ahead = NULL;

	while ((line = strsep(&text, "\r\n"))) {
		if (!strncmp(line, "fatal: ", 7) || !strncmp(line, "error: ", 7)) {
			ahead = strncmp(last, "Cloning into ", 13) ? last : NULL;
			why = line;
		}
		last = *line ? line : last;
	}
	if (why && ahead && *ahead && strstr(why, "Could not read from remote repository"))
		why = ahead;
	return uri_redact(why ? why : *last ? last : "git said nothing", a);
}

/* Its own end, and what that means. */
static int ended(const struct git *g, const char *verb, pid_t pid, const struct buf *said, struct arena *a, struct err *e)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(e, ERR_INTERNAL, "there is no `git` in PATH");
	if (!status)
		return 0;
	err_set(e, ERR_UNAVAILABLE, "git %s %s: %s", verb, g->shown, last_words(said, a));
	return err_hint(e, "Check the URL, ATOLL_GIT_TOKEN and --git-tokens-file; `atoll repo analyze REPO` tries again.");
}

/* Its command, behind options that have a value each. */
static const char *verb_of(const char **argv)
{
	size_t i = 1;

	while (!strcmp(argv[i], "--git-dir") || !strcmp(argv[i], "-c"))
		i += 2;
	return argv[i];
}

int git_run(const struct git *g, const char **argv, struct buf *out, struct arena *a, struct err *e)
{
	const char *verb = verb_of(argv);
	int po[2], pe[2], rc;
	struct buf said = { 0 };

	if (pipe2(po, O_CLOEXEC))
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	if (pipe2(pe, O_CLOEXEC)) {
		rc = err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
		close(po[0]), close(po[1]);
		return rc;
	}
	pid_t pid = spawn(g, argv, po[1], pe[1], a);
	close(po[1]), close(pe[1]);
	if (pid < 0) {
		rc = err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
	} else if ((rc = drain(g, po[0], pe[0], out, &said, e))) {
		kill(pid, SIGKILL);	/* what it started reads and writes its pipes */
		ended(g, verb, pid, &said, a, NULL);
	} else {
		rc = ended(g, verb, pid, &said, a, e);
	}
	close(po[0]), close(pe[0]);
	buf_free(&said);
	return rc;
}

/* ---- what forges say ---- */

static const struct {
	const char *host, *api;		/* of the repository at host/PATH: api, then PATH */
	const char *size;		/* member that is kilobytes */
} apis[] = {
	{ "github.com/", "https://api.github.com/repos/", "size" },
};

int git_ask_size(const char *url, const char *repo_uri, const struct options *o, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < LEN(apis) && o->mirror_limit_mb > 0; i++) {
		if (strncmp(repo_uri, apis[i].host, strlen(apis[i].host)) != 0)
			continue;
		const char *headers[] = { "Accept: application/json", "User-Agent: atoll", NULL };
		struct fetch f = { .egress = egress_of(false), .url = arena_printf(a, "%s%s", *o->forge_api ? o->forge_api : apis[i].api, repo_uri + strlen(apis[i].host)),
			.headers = headers, .bearer = git_token(url, repo_uri, o, a), .timeout_ms = ASK_MS };
		struct fetched r;
		double kilobytes = 0;
		if (fetch(&f, &r, a, NULL) || r.status != 200)
			return 0;
		struct json *j = json_read(r.body, NULL);
		json_num(json_key(j, apis[i].size), &kilobytes);
		json_free(j);
		if (kilobytes / 1024 <= (double)o->mirror_limit_mb)
			return 0;
		err_set(e, ERR_INVALID_INPUT, "%s has %.0f MB, and --mirror-limit-mb is %lld", uri_redact(url, a), kilobytes / 1024,
		    (long long)o->mirror_limit_mb);
		return err_hint(e, "Raise --mirror-limit-mb (ATOLL_MIRROR_LIMIT_MB).");
	}
	return 0;
}
