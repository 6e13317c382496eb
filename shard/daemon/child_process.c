#include "shard/daemon/child_process.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/process/environment.h"
#include "shard/base/options.h"
#include "shard/git/repo_source.h"
#include "shard/ingest/ingest.h"

extern char **environ;

static const struct option_row {
	enum opt_type type;
	const char *name, *more;	/* more: further names in the environment */
	size_t off;
} rows[] = {
#define OPT(type, name, arg, def, env, help) \
	{ OPT_##type, #name, env, offsetof(struct options, name) },
#include "shard/base/options.def"
};

/* ---- which child gets what ---- */

/* The peers of a child. */
enum { REMOTE = 1, PEERS = 2, EMBEDDER = 4 };

static unsigned talks_to(enum child_kind kind, const struct options *o)
{
	unsigned peers = 0;

	if (o->copy_index)
		peers = PEERS;
	switch (kind) {
	case CHILD_FETCH: return REMOTE | peers;
	case CHILD_INGEST: return 0;
	case CHILD_VECTORS:
		if (!strcmp(o->embedder, "http"))
			return peers | EMBEDDER;
		return peers;
	}
	return 0;
}

/*
 * Credentials go to the children that present them to a peer. A secret without a row goes to no
 * child, other options go to all.
 */
static const struct {
	const char *option;
	unsigned to;
} credentials[] = {
	{ "git_token", REMOTE }, { "github_token", REMOTE }, { "git_tokens_file", REMOTE },
	{ "forge_api", REMOTE },
	{ "cluster_key", PEERS }, { "cluster_key_file", PEERS }, { "tls_ca", PEERS },
	{ "tls_cert", PEERS }, { "tls_key", PEERS }, { "embed_key", EMBEDDER },
	{ "embed_key_file", EMBEDDER }, { "embed_url", EMBEDDER },
};

static bool is_passed(const struct option_row *r, unsigned to)
{
	for (size_t i = 0; i < LEN(credentials); i++)
		if (!strcmp(r->name, credentials[i].option))
			return credentials[i].to & to;
	return r->type != OPT_secret;
}

/*
 * Other variables that a child inherits: of those for git only the allowed ones, and those that an
 * option names.
 */
static bool inherits(const char *entry, const struct options *o, unsigned to)
{
	if (environment_allows(ENVIRONMENT_PARSER, entry))
		return true;
	if (to & (PEERS | EMBEDDER) && environment_allows(ENVIRONMENT_CLIENT, entry))
		return true;
	if (!(to & REMOTE))
		return false;
	for (size_t i = 0; i < o->git_environment.n; i++)
		if (environment_name_matches(o->git_environment.v[i], entry))
			return true;
	return environment_allows(ENVIRONMENT_GIT, entry);
}

/* Whether a list of words separated by spaces contains this one. */
static bool list_contains(const char *list, const char *word, size_t n)
{
	while (*list) {
		size_t m = strcspn(list, " ");
		if (m == n && !strncmp(list, word, n))
			return true;
		list += m;
		if (*list)
			list++;
	}
	return false;
}

/* Whether the variable is set from an option. */
static bool overridden(const char *entry)
{
	size_t n = strcspn(entry, "=");

	if (!strncmp(entry, "ATOLL_", 6))
		return true;
	for (size_t i = 0; i < LEN(rows); i++)
		if (list_contains(rows[i].more, entry, n))
			return true;
	return false;
}

/* ---- its environment ---- */

struct env_list {
	const char **v;
	size_t n, cap;
};

static void env_add(struct env_list *env, const char *s)
{
	env->v = grow(env->v, &env->cap, env->n + 2, sizeof *env->v);
	env->v[env->n++] = s;
	env->v[env->n] = NULL;
}

static const char *join(const struct string_list *l, struct arena *a)
{
	const char *joined = "";

	for (size_t i = 0; i < l->n; i++)
		joined = arena_printf(a, "%s%s%s", joined, i ? "," : "", l->v[i]);
	return joined;
}

static const char *value(const struct option_row *r, const struct options *o, struct arena *a)
{
	const char *at = (const char *)o + r->off;

	switch (r->type) {
	case OPT_num: return arena_printf(a, "%lld", (long long)*(const opt_num *)at);
	case OPT_flag: return *(const opt_flag *)at ? "true" : "false";
	case OPT_list: return join((const struct string_list *)at, a);
	default: return *(const opt_str *)at;
	}
}

/* The options as environment variables: argv contains none of them, wherever they came from. */
static struct env_list environment(const struct options *o, unsigned to, struct arena *a)
{
	struct env_list env = { 0 };

	for (char **p = environ; *p; p++)
		if (!overridden(*p) && inherits(*p, o, to))
			env_add(&env, *p);
	for (size_t i = 0; i < LEN(rows); i++) {
		if (!is_passed(&rows[i], to))
			continue;
		char *name = arena_printf(a, "ATOLL_%s", rows[i].name);
		for (char *c = name; *c; c++)
			*c = (char)toupper((unsigned char)*c);
		env_add(&env, arena_printf(a, "%s=%s", name, value(&rows[i], o, a)));
	}
	return env;
}

/* ---- start ---- */

static int spawn(pid_t *pid, const char *flag, int out, char **env)
{
	const char *argv[] = { "atoll-shard", flag, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, out, INGEST_FD);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, 2, 1);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(
	    &attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	int rc = posix_spawn(pid, "/proc/self/exe", &files, &attr, (char **)argv, env);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return rc;
}

int child_start(struct child *c, enum child_kind kind, const struct options *o, bool force,
    int threads, const char *variable, struct err *e)
{
	struct arena *a = arena_new();
	unsigned to = talks_to(kind, o);
	struct options own = *o;
	int fds[2];

	*c = (struct child){ .kind = kind, .phase = "wait" };
	if (pipe2(fds, O_CLOEXEC)) {
		arena_free(a);
		return err_set(e, ERR_INTERNAL, "pipe: %s", strerror(errno));
	}
	own.fetch = kind == CHILD_FETCH;
	own.ingest = kind != CHILD_FETCH;
	own.ingest_vectors = kind == CHILD_VECTORS;
	own.force = force;
	own.ingest_threads = threads;
	if (to & REMOTE)
		own.repo = o->repo;
	else
		own.repo = repo_source_redact(o->repo, a);
	struct env_list env = environment(&own, to, a);
	if (variable)
		env_add(&env, variable);
	int rc = spawn(&c->pid, own.fetch ? "--fetch" : "--ingest", fds[1], (char **)env.v);
	close(fds[1]);
	free(env.v);
	arena_free(a);
	if (rc) {
		close(fds[0]);
		c->pid = 0;
		return err_set(e, ERR_INTERNAL, "cannot start the ingest child: %s", strerror(rc));
	}
	c->fd = fds[0];
	fcntl(c->fd, F_SETFL, O_NONBLOCK);
	if (kind == CHILD_VECTORS)
		c->deadline_ms = INT64_MAX;
	else
		c->deadline_ms = clock_ms() + o->ingest_seconds * 1000;
	return 0;
}

static void read_report(struct child *c, const char *line)
{
	static const char *const ends[] = { "published", "unchanged", "error " };
	unsigned long long done, total, bytes = 0, total_bytes = 0;
	char phase[16];

	for (size_t i = 0; i < LEN(ends); i++)
		if (!strncmp(line, ends[i], strlen(ends[i]))) {
			snprintf(c->result, sizeof c->result, "%s", line);
			c->published |= !i;
			return;
		}
	if (sscanf(line, "%15s %llu %llu %llu %llu", phase, &done, &total, &bytes, &total_bytes) < 3)
		return;
	memcpy(c->phase, phase, sizeof phase);
	c->amount = (struct progress_amount){ done, total, bytes, total_bytes };
}

static void add_byte(struct child *c, char byte)
{
	if (byte != '\n') {
		if (c->n < sizeof c->line - 1)
			c->line[c->n++] = byte;
		return;
	}
	c->line[c->n] = 0;
	c->n = 0;
	read_report(c, c->line);
}

/* Reads all available reports.  Returns whether the child has closed its end. */
static bool read_reports(struct child *c)
{
	char chunk[4096];

	for (;;) {
		ssize_t n = read(c->fd, chunk, sizeof chunk);
		if (!n)
			return true;
		if (n < 0)
			return errno != EAGAIN && errno != EINTR;
		for (ssize_t i = 0; i < n; i++)
			add_byte(c, chunk[i]);
	}
}

static enum child_outcome crashed(const struct child *c, int status, struct err *e)
{
	if (c->killed)
		err_set(e, ERR_INTERNAL,
		    "the ingest took longer than --ingest-seconds and was killed (phase %s)", c->phase);
	else if (WIFSIGNALED(status))
		err_set(e, ERR_INTERNAL,
		    "the ingest was killed by signal %d (%s) in phase %s, file %llu of %llu",
		    WTERMSIG(status), strsignal(WTERMSIG(status)), c->phase,
		    (unsigned long long)c->amount.done, (unsigned long long)c->amount.total);
	else
		err_set(e, ERR_INTERNAL, "the ingest ended with status %d in phase %s", WEXITSTATUS(status),
		    c->phase);
	return CHILD_CRASHED;
}

enum child_outcome child_read(struct child *c, struct err *e)
{
	char code[32] = "";
	int status = 0, at = 0;

	if (!c->pid)
		return CHILD_RUNS;
	if (!c->killed && clock_ms() > c->deadline_ms) {
		c->killed = true;
		kill(-c->pid, SIGKILL);
	}
	if (!read_reports(c))
		return CHILD_RUNS;
	if (c->kind != CHILD_FETCH)
		kill(-c->pid, SIGKILL);	/* what it started; itself, if it only closed its pipe */
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	close(c->fd);
	c->pid = 0;
	if (status == 0 && !strcmp(c->result, "published"))
		return CHILD_PUBLISHED;
	if (status == 0 && !strcmp(c->result, "unchanged"))
		return CHILD_UNCHANGED;
	if (sscanf(c->result, "error %31s %n", code, &at) != 1 || !WIFEXITED(status))
		return crashed(c, status, e);
	err_set(e, err_code(code), "%s", c->result + at);
	return CHILD_FAILED;
}

void child_kill(struct child *c)
{
	if (!c->pid)
		return;
	kill(-c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(c->fd);
	c->pid = 0;
}
