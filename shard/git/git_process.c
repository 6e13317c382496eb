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
	CHILDREN_MS = 5000,			/* that the children of a git that was killed get to end */
	SIZE_POLL_MS = 100,			/* between two checks of the size of a growing mirror */
	/* git aborts a transfer that is slower than a kilobyte per second for this long */
	LOW_SPEED_SECONDS = 60,
	FORGE_TIMEOUT_MS = 10000,
	OUT_MAX = 1 << 20,
};

/* ---- the child ---- */

/* Append a git setting to those that the operator passed in the environment. */
static void configure(struct environment *env, const char *key, const char *value, struct arena *a)
{
	const char *count = environment_get(env, "GIT_CONFIG_COUNT");
	int n = 0;

	if (count)
		n = atoi(count);
	n = MAX(n, 0);
	environment_set(env, arena_printf(a, "GIT_CONFIG_KEY_%d", n), key);
	environment_set(env, arena_printf(a, "GIT_CONFIG_VALUE_%d", n), value);
	environment_set(env, "GIT_CONFIG_COUNT", arena_printf(a, "%d", n + 1));
}

/*
 * git contacts only the server in the URL, whatever that server or the operator's own settings
 * want.
 */
static void disable_redirects(struct environment *env, const char *url, struct arena *a)
{
	configure(env, "http.followRedirects", "false", a);	/* this also disables http-alternates */
	if (!strncasecmp(url, "http", 4))	/* git uses the setting with the closest URL */
		configure(env, arena_printf(a, "http.%s.followRedirects", url), "false", a);
	configure(env, "submodule.recurse", "false", a);
	configure(env, "fetch.recurseSubmodules", "false", a);
	configure(env, "transfer.bundleURI", "false", a);
}

/*
 * The ssh command: the operator's program or ours, with the options that pin the address.
 */
static void set_ssh(struct environment *env, const struct address_pins *pins, struct arena *a)
{
	const char *program = environment_get(env, "GIT_SSH");
	const char *command = "ssh -oBatchMode=yes -oConnectTimeout=30 "
	    "-oServerAliveInterval=15 -oServerAliveCountMax=4";
	bool pinned = pins && pins->ssh;

	if (program && !pinned)
		return;		/* GIT_SSH_COMMAND would override GIT_SSH */
	if (program)
		command = arena_printf(a, "'%s'", program);
	environment_default(env, "GIT_SSH_COMMAND", command);
	if (pinned)
		environment_set(env, "GIT_SSH_COMMAND",
		    arena_printf(a, "%s %s", environment_get(env, "GIT_SSH_COMMAND"), pins->ssh));
}

/* The addresses that git may dial. */
static void pin(struct environment *env, const struct address_pins *pins, struct arena *a)
{
	if (!pins)
		return;
	for (size_t i = 0; i < pins->n; i++)
		configure(env, pins->v[i].key, pins->v[i].value, a);
	if (pins->virtual_host)
		environment_set(env, "GIT_OVERRIDE_VIRTUAL_HOST", pins->virtual_host);
}

/* Send our credentials to the server in the URL, and to no other. */
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

/* All settings go through the environment, so that no secret is in argv or on disk. */
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
 * Uses fork, not posix_spawn, because git must not outlive this process: prctl has to run between
 * fork and exec.
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
	int64_t end = clock_ms() + g->o->git_seconds * 1000, next_check = 0;

	while (p[0].fd >= 0 || p[1].fd >= 0) {
		int ready = poll(p, 2, SIZE_POLL_MS);
		if (clock_ms() >= next_check) {
			if (too_large(g))
				return fail_mirror_too_large(g, e);
			next_check = clock_ms() + SIZE_POLL_MS;
		}
		if (clock_ms() > end) {
			err_set(e, ERR_UNAVAILABLE, "git took longer than %lld s for %s",
			    (long long)g->o->git_seconds, g->shown);
			return err_hint(e, "Raise --git-seconds (ATOLL_GIT_SECONDS), or check the network.");
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
 * The line that explains git's failure, without credentials: the last one that begins with
 * `fatal: ` or `error: `, else the last one.  If ssh could not reach the remote, git's own line
 * explains nothing, but the line before it, from ssh or the remote, does.
 */
static const char *git_error_line(const struct buf *err, struct arena *a)
{
	char *text = arena_strn(a, err->p, err->n), *line;
	const char *last = "", *why = NULL, *before = "";

	while ((line = strsep(&text, "\r\n"))) {
		if (!strncmp(line, "fatal: ", 7) || !strncmp(line, "error: ", 7)) {
			before = last;
			if (!strncmp(before, "Cloning into ", 13))
				before = "";
			why = line;
		}
		if (*line)
			last = line;
	}
	if (!*last)
		return "git printed no message";
	if (!why)
		why = last;
	else if (*before && strstr(why, "Could not read from remote repository"))
		why = before;
	return uri_redact(why, a);
}

/*
 * Whether git's message may mean that the remote wants a token, or another one.  Forges say of a
 * private repository that it does not exist.
 */
static bool is_refusal(const char *words)
{
	static const char *const signs[] = { "could not read Username", "Authentication failed",
		"returned error: 401", "returned error: 403", "' not found" };

	for (size_t i = 0; i < LEN(signs); i++)
		if (strstr(words, signs[i]))
			return true;
	return false;
}

/* The remedy for a refusal, short enough to be shown whole: messages are cut. */
static const char *token_remedy(const struct git_command *g, struct arena *a)
{
	const char *fault = git_token_config_error(g->o, a);

	if (g->user)
		return "the remote refuses the user and password in the URL";
	if (git_token(g->url, g->o, a))
		return "if it is private, the remote refuses the token for this host: see GITHUB_TOKEN and"
		       " ATOLL_GIT_TOKENS_FILE";
	if (fault)
		return fault;
	if (git_token_is_github(g->url, a))
		return "no token is configured for this host: set GITHUB_TOKEN or ATOLL_GIT_TOKENS_FILE";
	return "no token is configured for this host: set ATOLL_GIT_TOKENS_FILE (GITHUB_TOKEN is only for"
	       " GitHub)";
}

/*
 * git's message without the URL, which is shown before it: `Authentication failed for 'URL'`,
 * `repository 'URL' not found`; only the reason of `unable to access 'URL': reason`.
 */
static const char *without_url(const struct git_command *g, const char *words, struct arena *a)
{
	size_t n = strlen(g->shown);
	const char *at = strstr(words, g->shown), *rest;

	if (!at || !n)
		return words;
	rest = at + n;
	rest += strspn(rest, "/'");
	if (!strncmp(rest, ": ", 2) && rest[2])
		return rest + 2;
	while (at > words && strchr(" '", at[-1]))
		at--;
	if (at - words > 4 && !strncmp(at - 4, " for", 4))
		at -= 4;
	return arena_printf(a, "%.*s%s", (int)(at - words), words, rest);
}

static int refused_by_remote(const struct git_command *g, const char *verb, const char *words,
    struct arena *a, struct err *e)
{
	err_set(e, ERR_UNAVAILABLE, "git %s %.80s: %.50s; %s", verb, g->shown, without_url(g, words, a),
	    token_remedy(g, a));
	return err_hint(e, "Check the URL and the token for its host (GITHUB_TOKEN, "
	    "ATOLL_GIT_TOKENS_FILE, ATOLL_GIT_TOKEN), then run `atoll repo analyze REPO`.");
}

/* Wait for git to exit, and translate its status. */
static int reap_git(const struct git_command *g, const char *verb, pid_t pid,
    const struct buf *said, struct arena *a, struct err *e)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return err_set(e, ERR_INTERNAL, "`git` is not in PATH");
	if (!status)
		return 0;
	const char *words = git_error_line(said, a);
	if (is_refusal(words))
		return refused_by_remote(g, verb, words, a, e);
	err_set(e, ERR_UNAVAILABLE, "git %s %s: %s", verb, g->shown, words);
	return err_hint(e, "Check the URL, then run `atoll repo analyze REPO`.");
}

static void close_both(int one, int other)
{
	close(one);
	close(other);
}

/*
 * Wait until nobody writes to a pipe any more, at most until `until_ms`: the children of a git that
 * was killed end after it, and may still write files of a folder that is about to be deleted.
 */
static void wait_closed(int fd, int64_t until_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char bytes[4096];

	for (;;) {
		int64_t left = until_ms - clock_ms();
		if (left <= 0 || poll(&p, 1, (int)left) < 0)
			return;
		if (p.revents && read(fd, bytes, sizeof bytes) <= 0)
			return;
	}
}

int git_run_once(const struct git_command *g, const char **argv, struct buf *out, struct buf *said,
    struct arena *a, struct err *e)
{
	const char *verb = argv[1];
	int po[2], pe[2], rc;

	if (!strcmp(verb, "--git-dir"))
		verb = argv[3];
	if (pipe2(po, O_CLOEXEC))
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	if (pipe2(pe, O_CLOEXEC)) {
		rc = err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
		close_both(po[0], po[1]);
		return rc;
	}
	struct environment env = environment_for(g, a);
	pid_t pid = spawn(argv, env.v, po[1], pe[1]);
	environment_free(&env);
	close_both(po[1], pe[1]);
	if (pid < 0)
		rc = err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
	else if (drain(g, po[0], pe[0], out, said, e)) {
		rc = -1;
		kill(pid, SIGKILL);	/* its children end when their pipes close */
		reap_git(g, verb, pid, said, a, NULL);
		int64_t until = clock_ms() + CHILDREN_MS;
		wait_closed(po[0], until);
		wait_closed(pe[0], until);
	} else {
		rc = reap_git(g, verb, pid, said, a, e);
	}
	close_both(po[0], pe[0]);
	return rc;
}

/* ---- the forges' APIs ---- */

static const struct forge_api {
	const char *host, *api;		/* a repository at host/PATH is at api/PATH */
	const char *size;		/* member that holds the size in kilobytes */
} apis[] = {
	{ "github.com/", "https://api.github.com/repos/", "size" },
};

static const struct forge_api *forge_of(const char *repo_uri)
{
	for (size_t i = 0; i < LEN(apis); i++)
		if (!strncmp(repo_uri, apis[i].host, strlen(apis[i].host)))
			return &apis[i];
	return NULL;
}

/* The size that the forge reports, in MB; 0 if it does not answer. */
static double forge_size_mb(const struct forge_api *forge, const char *url, const char *repo_uri,
    const struct options *o, struct arena *a)
{
	const char *headers[] = { "Accept: application/json", "User-Agent: atoll", NULL };
	const char *api = forge->api, *token_url = url;
	struct fetch_response r;
	double kilobytes = 0;

	if (*o->forge_api) {
		api = o->forge_api;
		token_url = api;	/* another host gets only a token of its own */
	}
	struct fetch_request f = { .egress = egress_policy_of(false),
		.url = arena_printf(a, "%s%s", api, repo_uri + strlen(forge->host)),
		.headers = headers,
		.bearer = git_token(token_url, o, a),
		.timeout_ms = FORGE_TIMEOUT_MS };
	if (fetch(&f, &r, a, NULL) || r.status != 200)
		return 0;
	struct json *j = json_read(r.body, NULL);
	json_num(json_key(j, forge->size), &kilobytes);
	json_free(j);
	return kilobytes / 1024;
}

int git_check_remote_size(
    const char *url, const char *repo_uri, const struct options *o, struct arena *a, struct err *e)
{
	const struct forge_api *forge = forge_of(repo_uri);

	if (!forge || o->mirror_limit_mb <= 0)
		return 0;
	double mb = forge_size_mb(forge, url, repo_uri, o, a);
	if (mb <= (double)o->mirror_limit_mb)
		return 0;
	err_set(e, ERR_INVALID_INPUT, "%s has %.0f MB, and --mirror-limit-mb is %lld",
	    uri_redact(url, a), mb, (long long)o->mirror_limit_mb);
	return err_hint(e, "Raise --mirror-limit-mb (ATOLL_MIRROR_LIMIT_MB).");
}
