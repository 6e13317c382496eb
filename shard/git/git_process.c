#include "shard/git/git_process.h"

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
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "proto/net/egress.h"
#include "proto/net/http_client.h"
#include "proto/process/environment.h"
#include "proto/record/json.h"
#include "proto/text/repo_uri.h"
#include "proto/text/url_host.h"
#include "shard/base/options.h"
#include "shard/git/address_pins.h"
#include "shard/git/git_process_internal.h"
#include "shard/git/git_token.h"

enum {
	SIZE_POLL_MS = 100,			/* between two looks at the size of a mirror that grows */
	/* a transfer with less than a kilobyte a second for so long is given up */
	LOW_SPEED_SECONDS = 60,
	FORGE_TIMEOUT_MS = 10000,
	OUT_MAX = 1 << 20,
};

/* ---- the child ---- */

/* A setting by environment, behind those that the operator gave so. */
static void configure(struct environment *env, const char *key, const char *value, struct arena *a)
{
	const char *count = environment_get(env, "GIT_CONFIG_COUNT");
	int given = count ? atoi(count) : 0, n = MAX(given, 0);

	environment_set(env, arena_printf(a, "GIT_CONFIG_KEY_%d", n), key);
	environment_set(env, arena_printf(a, "GIT_CONFIG_VALUE_%d", n), value);
	environment_set(env, "GIT_CONFIG_COUNT", arena_printf(a, "%d", n + 1));
}

/* It asks the server of the URL and no other, whatever that or the operator's own settings say. */
static void disable_redirects(struct environment *env, const char *url, struct arena *a)
{
	configure(env, "http.followRedirects", "false", a);	/* nor are http-alternates fetched, then */
	if (!strncasecmp(url, "http", 4))	/* the setting of the closest URL counts */
		configure(env, arena_printf(a, "http.%s.followRedirects", url), "false", a);
	configure(env, "submodule.recurse", "false", a);
	configure(env, "fetch.recurseSubmodules", "false", a);
	configure(env, "transfer.bundleURI", "false", a);
}

/*
 * What ssh is started with: the operator's program or ours, with the options that pin its address.
 */
static void set_ssh(struct environment *env, const struct address_pins *pins, struct arena *a)
{
	const char *program = environment_get(env, "GIT_SSH");
	const char *ours = "ssh -oBatchMode=yes -oConnectTimeout=30 "
			   "-oServerAliveInterval=15 -oServerAliveCountMax=4";

	if (program && !(pins && pins->ssh))
		return;		/* GIT_SSH_COMMAND would beat it */
	if (program)
		ours = arena_printf(a, "'%s'", program);
	environment_default(env, "GIT_SSH_COMMAND", ours);
	if (pins && pins->ssh)
		environment_set(env, "GIT_SSH_COMMAND",
		    arena_printf(a, "%s %s", environment_get(env, "GIT_SSH_COMMAND"), pins->ssh));
}

/* The addresses that it may dial. */
static void pin(struct environment *env, const struct address_pins *pins, struct arena *a)
{
	if (!pins)
		return;
	for (size_t i = 0; i < pins->n; i++)
		configure(env, pins->v[i].key, pins->v[i].value, a);
	if (pins->virtual_host)
		environment_set(env, "GIT_OVERRIDE_VIRTUAL_HOST", pins->virtual_host);
}

/* Who we are, for the server of the URL. */
static void set_credentials(struct environment *env, const struct git_command *g, struct arena *a)
{
	const char *user = g->user, *secret = git_token(g->url, g->o, a);
	struct buf header = { 0 };

	if (!user && secret)
		user = arena_printf(a, "x-access-token:%s", secret);
	if (!user)
		return;
	size_t scheme = (size_t)(strstr(g->url, "://") + 3 - g->url);
	size_t n = scheme + strcspn(g->url + scheme, "/?#");
	buf_str(&header, "Authorization: Basic ");
	buf_base64(&header, user, strlen(user));
	configure(env, arena_printf(a, "http.%.*s/.extraHeader", (int)n, g->url), header.p, a);
	buf_free(&header);
}

/* What git must know, by environment, so that no secret is in argv or on disk. */
static struct environment environment_for(const struct git_command *g, struct arena *a)
{
	struct environment env = environment_new(ENVIRONMENT_GIT);

	for (size_t i = 0; i < g->o->git_environment.n; i++)
		environment_inherit(&env, g->o->git_environment.v[i]);
	environment_set(&env, "GIT_TERMINAL_PROMPT", "0");
	environment_set(&env, "GIT_ASKPASS", "true");
	environment_set(&env, "LC_ALL", "C");
	set_ssh(&env, g->pins, a);
	environment_default(&env, "GIT_CONFIG_NOSYSTEM", "1");
	environment_default(&env, "GIT_HTTP_LOW_SPEED_LIMIT", "1000");
	environment_default(&env, "GIT_HTTP_LOW_SPEED_TIME", arena_printf(a, "%d", LOW_SPEED_SECONDS));
	environment_default(&env, "GIT_ALLOW_PROTOCOL", git_allowed_protocols(g->url, g->o, a));
	if (g->traced) {
		environment_set(&env, "GIT_TRACE_CURL", "1");
		environment_set(&env, "GIT_TRACE_CURL_NO_DATA", "1");
	}
	disable_redirects(&env, g->url, a);
	pin(&env, g->pins, a);
	set_credentials(&env, g, a);
	return env;
}

/*
 * fork, not posix_spawn: git must not outlive this process, and that is said between fork and
 * exec.
 */
static pid_t spawn(const char **argv, char **env, int out, int err)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(out, 1);
	dup2(err, 2);
	execvpe("git", (char *const *)argv, env);
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

static bool too_large(const struct git_command *g)
{
	folder_bytes = 0;
	if (!g->limited_dir || g->o->mirror_limit_mb <= 0)
		return false;
	nftw(g->limited_dir, add_file, 16, FTW_PHYS);
	return folder_bytes >> 20 >= g->o->mirror_limit_mb;
}

static int fail_mirror_too_large(const struct git_command *g, struct err *e)
{
	err_set(e, ERR_INVALID_INPUT, "%s: its mirror is larger than %lld MB", g->shown,
	    (long long)g->o->mirror_limit_mb);
	return err_hint(
	    e, "Raise --mirror-limit-mb (ATOLL_MIRROR_LIMIT_MB), or mirror it with --shallow.");
}

/* Read both pipes to their ends, or until a limit: -1 with `e`. */
static int drain(const struct git_command *g, int out, int err, struct buf *to_out,
    struct buf *to_err, struct err *e)
{
	struct pollfd p[] = { { out, POLLIN, 0 }, { err, POLLIN, 0 } };
	struct buf *to[] = { to_out, to_err };
	char chunk[4096];
	int64_t end = clock_ms() + g->o->git_seconds * 1000, look = 0;

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		int ready = poll(p, 2, SIZE_POLL_MS);
		if (clock_ms() >= look) {
			if (too_large(g))
				return fail_mirror_too_large(g, e);
			look = clock_ms() + SIZE_POLL_MS;
		}
		if (clock_ms() > end) {
			err_set(e, ERR_UNAVAILABLE, "git has taken longer than %lld s with %s",
			    (long long)g->o->git_seconds, g->shown);
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
	if (too_large(g))
		return fail_mirror_too_large(g, e);
	return 0;
}

/*
 * The line in which git says why, without credentials: the last that begins with `fatal: ` or
 * `error: `, else the last one. Of a remote that is reached by ssh that says nothing, and what ssh
 * or the remote said ahead of it does.
 */
static const char *git_error_line(const struct buf *err, struct arena *a)
{
	char *text = arena_strn(a, err->p ? err->p : "", err->n), *line;
	const char *last = "", *why = NULL, *ahead = NULL;

	while ((line = strsep(&text, "\r\n"))) {
		if (!strncmp(line, "fatal: ", 7) || !strncmp(line, "error: ", 7)) {
			if (strncmp(last, "Cloning into ", 13))
				ahead = last;
			else
				ahead = NULL;
			why = line;
		}
		if (*line)
			last = line;
	}
	if (why && ahead && *ahead && strstr(why, "Could not read from remote repository"))
		why = ahead;
	return uri_redact(why ? why : *last ? last : "git said nothing", a);
}

/* Which token it lacks, when that is why it failed, behind git's own words; else "". */
static const char *lacks(const struct git_command *g, const char *words, struct arena *a)
{
	const char *fault = git_token_config_error(g->o, a);

	if (!strstr(words, "could not read Username") && !strstr(words, "Authentication failed"))
		return "";
	if (g->user || git_token(g->url, g->o, a))
		return "";
	if (!fault)
		fault = "no token is for its host: ATOLL_GIT_TOKENS_FILE, or ATOLL_GIT_TOKEN with "
		    "ATOLL_GIT_TOKEN_HOSTS; GITHUB_TOKEN is for GitHub alone";
	return arena_printf(a, "; %s", fault);
}

/* Its own end, and what that means. */
static int reap_git(const struct git_command *g, const char *verb, pid_t pid,
    const struct buf *said, struct arena *a, struct err *e)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(e, ERR_INTERNAL, "there is no `git` in PATH");
	if (!status)
		return 0;
	const char *words = git_error_line(said, a);
	err_set(e, ERR_UNAVAILABLE, "git %s %s: %s%s", verb, g->shown, words, lacks(g, words, a));
	return err_hint(e, "Check the URL, and the token for its host (ATOLL_GIT_TOKENS_FILE, "
	    "ATOLL_GIT_TOKEN, GITHUB_TOKEN); `atoll repo analyze REPO` tries again.");
}

int git_run_once(const struct git_command *g, const char **argv, struct buf *out, struct buf *said,
    struct arena *a, struct err *e)
{
	const char *verb = strcmp(argv[1], "--git-dir") ? argv[1] : argv[3];
	int po[2], pe[2], rc;

	if (pipe2(po, O_CLOEXEC))
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	if (pipe2(pe, O_CLOEXEC)) {
		rc = err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
		close(po[0]), close(po[1]);
		return rc;
	}
	struct environment env = environment_for(g, a);
	pid_t pid = spawn(argv, env.v, po[1], pe[1]);
	environment_free(&env);
	close(po[1]), close(pe[1]);
	if (pid < 0) {
		rc = err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
	} else if ((rc = drain(g, po[0], pe[0], out, said, e))) {
		kill(pid, SIGKILL);	/* what it started reads and writes its pipes */
		reap_git(g, verb, pid, said, a, NULL);
	} else {
		rc = reap_git(g, verb, pid, said, a, e);
	}
	close(po[0]), close(pe[0]);
	return rc;
}

/* ---- what forges say ---- */

static const struct {
	const char *host, *api;		/* of the repository at host/PATH: api, then PATH */
	const char *size;		/* member that is kilobytes */
} apis[] = {
	{ "github.com/", "https://api.github.com/repos/", "size" },
};

/* The API of a forge is part of it; one that an option names gets what is for its own host. */
static const char *token_for_api(const char *url, const struct options *o, struct arena *a)
{
	return git_token(*o->forge_api ? o->forge_api : url, o, a);
}

int git_check_remote_size(
    const char *url, const char *repo_uri, const struct options *o, struct arena *a, struct err *e)
{
	for (size_t i = 0; i < LEN(apis) && o->mirror_limit_mb > 0; i++) {
		if (strncmp(repo_uri, apis[i].host, strlen(apis[i].host)) != 0)
			continue;
		const char *headers[] = { "Accept: application/json", "User-Agent: atoll", NULL };
		const char *api = *o->forge_api ? o->forge_api : apis[i].api;
		struct fetch_request f = { .egress = egress_policy_of(false),
			.url = arena_printf(a, "%s%s", api, repo_uri + strlen(apis[i].host)),
			.headers = headers,
			.bearer = token_for_api(url, o, a),
			.timeout_ms = FORGE_TIMEOUT_MS };
		struct fetch_response r;
		double kilobytes = 0;
		if (fetch(&f, &r, a, NULL) || r.status != 200)
			return 0;
		struct json *j = json_read(r.body, NULL);
		json_num(json_key(j, apis[i].size), &kilobytes);
		json_free(j);
		if (kilobytes / 1024 <= (double)o->mirror_limit_mb)
			return 0;
		err_set(e, ERR_INVALID_INPUT, "%s has %.0f MB, and --mirror-limit-mb is %lld",
		    uri_redact(url, a), kilobytes / 1024, (long long)o->mirror_limit_mb);
		return err_hint(e, "Raise --mirror-limit-mb (ATOLL_MIRROR_LIMIT_MB).");
	}
	return 0;
}
