#include "shard/definitions/ctags/ctags_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/die.h"
#include "proto/base/log.h"
#include "proto/process/environment.h"
#include "shard/sandbox/sandbox.h"

enum {
	MOST_DEATHS = 8,		/* then it is not started again */
	MOST_OUTPUT = 64 << 20,
	START_MS = 10000,
	LONGEST_MS = 60000
};

struct ctags {
	const char *const *options;
	pid_t pid;		/* 0: does not run */
	int fd;			/* a socket: its standard input and output */
	int deaths;
	bool missing;
	struct buf in;		/* read, not yet used */
};

struct ctags *ctags_new(const char *const *options)
{
	struct ctags *c = xcalloc(1, sizeof *c);

	c->options = options;
	return c;
}

static void stop(struct ctags *c)
{
	if (!c->pid)
		return;
	kill(c->pid, SIGKILL);
	close(c->fd);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	c->in.n = 0;
}

void ctags_free(struct ctags *c)
{
	if (!c)
		return;
	stop(c);
	buf_free(&c->in);
	free(c);
}

static const char *const names[] = { "ctags-universal", "ctags" };

void ctags_allow(struct sandbox *s)
{
	const char *path = getenv("PATH");
	char program[4096];

	for (path = path ? path : "/bin:/usr/bin"; *path; path += *path == ':') {
		size_t n = strcspn(path, ":");
		for (size_t i = 0; n && i < LEN(names); i++) {
			snprintf(program, sizeof program, "%.*s/%s", (int)n, path, names[i]);
			if (!access(program, X_OK))
				sandbox_allow_program(s, program);
		}
		path += n;
	}
}

bool ctags_missing(const struct ctags *c)
{
	return c->missing;
}

/*
 * Its memory is that of a large file's tags; it opens and writes nothing.  What confines this
 * process confines it too.
 */
static void limit(void)
{
	struct rlimit memory = { 512u << 20, 512u << 20 }, none = { 0, 0 };

	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_FSIZE, &none);
	setrlimit(RLIMIT_CORE, &none);
}

/*
 * In the new process, in which only what may stand in a signal handler may be called: other
 * threads had locks when it was made.
 */
static void exec_ctags(const char *program, const char **argv, char **env, int fd)
{
	int null = open("/dev/null", O_WRONLY);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(null, 2) < 0)
		_exit(127);
	limit();
	execvpe(program, (char **)argv, env);
	_exit(127);
}

/*
 * fork, not posix_spawn: where it is sandboxed a process sets its own limits alone, and that is
 * done between fork and exec.
 */
static int spawn(struct ctags *c, const char *program, int fd)
{
	const char *fixed[] = { program, "--options=NONE", "--sort=no", "--fields=+neKtaS-P",
		"--_interactive=sandbox" };
	size_t n = 0;

	while (c->options[n])
		n++;
	const char **argv = xcalloc(n + LEN(fixed) + 1, sizeof *argv);
	memcpy(argv, fixed, (LEN(fixed) - 1) * sizeof *argv);
	memcpy(argv + LEN(fixed) - 1, c->options, n * sizeof *argv);
	argv[LEN(fixed) - 1 + n] = fixed[LEN(fixed) - 1];	/* what follows it is not read */
	struct environment env = environment_new(ENVIRONMENT_CTAGS);
	environment_set(&env, "LC_ALL", "C");
	c->pid = fork();
	if (!c->pid)
		exec_ctags(program, argv, env.v, fd);
	environment_free(&env);
	free(argv);
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	return -1;
}

/*
 * The next line, ended by NUL, in c->in; its length with the end, or 0: the time is over or it
 * died.
 */
static size_t line_read(struct ctags *c, size_t from, int64_t until)
{
	for (size_t seen = from;;) {
		char *eol = NULL;
		if (seen < c->in.n)
			eol = memchr(c->in.p + seen, '\n', c->in.n - seen);
		if (eol) {
			*eol = '\0';
			return (size_t)(eol + 1 - c->in.p) - from;
		}
		seen = c->in.n;
		int64_t left = until - clock_ms();
		struct pollfd p = { .fd = c->fd, .events = POLLIN };
		if (left <= 0 || c->in.n > MOST_OUTPUT || poll(&p, 1, (int)left) == 0)
			return 0;
		char chunk[16384];
		ssize_t n = recv(c->fd, chunk, sizeof chunk, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return 0;
		if (n > 0)
			buf_put(&c->in, chunk, (size_t)n);
	}
}

static bool write_all(struct ctags *c, const char *p, size_t n, int64_t until)
{
	while (n) {
		struct pollfd w = { .fd = c->fd, .events = POLLOUT };
		int64_t left = until - clock_ms();
		if (left <= 0 || poll(&w, 1, (int)left) == 0)
			return false;
		ssize_t put = send(c->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (put < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		if (put > 0) {
			p += put;
			n -= (size_t)put;
		}
	}
	return true;
}

/* Start `program`, and read its greeting: another ctags, or one without the sandbox, has none. */
static bool start_one(struct ctags *c, const char *program)
{
	int fds[2];
	size_t n;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return false;
	int rc = spawn(c, program, fds[1]);
	close(fds[1]);
	if (rc) {
		close(fds[0]);
		return false;
	}
	c->fd = fds[0];
	if (!(n = line_read(c, 0, clock_ms() + START_MS)) || !strstr(c->in.p, "Universal Ctags")) {
		stop(c);
		return false;
	}
	c->in.n = 0;
	return true;
}

static bool start(struct ctags *c)
{
	if (c->pid)
		return true;
	if (c->missing || c->deaths >= MOST_DEATHS)
		return false;
	for (size_t i = 0; i < LEN(names); i++)
		if (start_one(c, names[i]))
			return true;
	c->missing = !c->deaths;
	if (c->missing)
		log_warn("ctags.missing", "message=%s",
		    log_quote(
		        "universal-ctags is not installed (or lacks "
		        "+interactive +json +sandbox): files of the languages that it reads are searched as text"));
	return false;
}

/* Move the answer up to its last line to `out`. */
static bool answer(struct ctags *c, struct buf *out, int64_t until)
{
	for (size_t at = 0, n;; at += n) {
		if (!(n = line_read(c, at, until)))
			return false;
		if (strstr(c->in.p + at, "\"_type\": \"completed\"") ||
		    strstr(c->in.p + at, "\"_type\": \"error\"")) {
			size_t used = at + n;
			memmove(c->in.p, c->in.p + used, c->in.n - used);
			c->in.n -= used;
			return true;
		}
		buf_put(out, c->in.p + at, n - 1);
		buf_byte(out, '\n');
	}
}

int ctags_request_tags(
    struct ctags *c, const char *name, const char *text, size_t n, int timeout_ms, struct buf *out)
{
	struct buf ask = { 0 };

	if (!start(c))
		return -1;
	int64_t began = clock_ms(), until = began + (timeout_ms > 0 ? timeout_ms : LONGEST_MS);
	buf_printf(&ask, "{\"command\":\"generate-tags\",\"filename\":\"%s\",\"size\":%zu}\n", name, n);
	bool ok = write_all(c, ask.p, ask.n, until) && write_all(c, text, n, until) &&
	    answer(c, out, until);
	buf_free(&ask);
	if (ok)
		return 0;
	stop(c);
	c->deaths++;
	log_warn("ctags.failed", "name=%s bytes=%zu ms=%lld deaths=%d", name, n,
	    (long long)(clock_ms() - began), c->deaths);
	return -1;
}
