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
	MAX_DEATHS = 8,		/* then it is not restarted */
	MAX_OUTPUT = 64 << 20,
	START_MS = 10000,
	DEFAULT_TIMEOUT_MS = 60000
};

struct ctags {
	const char *const *options;
	pid_t pid;		/* 0 if it is not running */
	int fd;			/* a socket: its standard input and output */
	int deaths;
	bool missing;
	struct buf in;		/* output that was read but not used yet */
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

	if (!path)
		path = "/bin:/usr/bin";
	while (*path) {
		size_t n = strcspn(path, ":");
		for (size_t i = 0; n && i < LEN(names); i++) {
			snprintf(program, sizeof program, "%.*s/%s", (int)n, path, names[i]);
			if (!access(program, X_OK))
				sandbox_allow_program(s, program);
		}
		path += n;
		path += *path == ':';
	}
}

bool ctags_missing(const struct ctags *c)
{
	return c->missing;
}

/*
 * Limit the memory to what the tags of a large file need; forbid writing files.  The child also
 * inherits the sandbox of this process.
 */
static void limit(void)
{
	struct rlimit memory = { 512u << 20, 512u << 20 }, none = { 0, 0 };

	setrlimit(RLIMIT_AS, &memory);
	setrlimit(RLIMIT_FSIZE, &none);
	setrlimit(RLIMIT_CORE, &none);
}

/*
 * Runs in the child.  Only async-signal-safe functions are allowed, because other threads may have
 * held locks at the time of the fork.
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
 * fork instead of posix_spawn: in the sandbox a process may only set its own limits, which must
 * happen between fork and exec.
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
	/* The last option: ctags ignores what follows it. */
	argv[LEN(fixed) - 1 + n] = fixed[LEN(fixed) - 1];
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

/* Wait for output and append it to c->in; false if the time is over or ctags died. */
static bool receive(struct ctags *c, int64_t until)
{
	int64_t left = until - clock_ms();
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	char chunk[16384];

	if (left <= 0 || c->in.n > MAX_OUTPUT || poll(&p, 1, (int)left) == 0)
		return false;
	ssize_t n = recv(c->fd, chunk, sizeof chunk, MSG_DONTWAIT);
	if (n > 0)
		buf_put(&c->in, chunk, (size_t)n);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	return n > 0;
}

/*
 * Read the line at `from` of c->in and replace its newline by a NUL.  Returns its length including
 * that, or 0 if the time is over or ctags died.
 */
static size_t line_read(struct ctags *c, size_t from, int64_t until)
{
	size_t seen = from;

	for (;;) {
		char *eol = NULL;
		if (seen < c->in.n)
			eol = memchr(c->in.p + seen, '\n', c->in.n - seen);
		if (eol) {
			*eol = '\0';
			return (size_t)(eol + 1 - c->in.p) - from;
		}
		seen = c->in.n;
		if (!receive(c, until))
			return 0;
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

/* Whether the program greets as universal-ctags in its sandbox; others print nothing like it. */
static bool has_greeting(struct ctags *c)
{
	size_t n = line_read(c, 0, clock_ms() + START_MS);

	return n && strstr(c->in.p, "Universal Ctags");
}

/* Start `program`; false if it is not universal-ctags with its sandbox. */
static bool start_one(struct ctags *c, const char *program)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return false;
	int rc = spawn(c, program, fds[1]);
	close(fds[1]);
	if (rc) {
		close(fds[0]);
		return false;
	}
	c->fd = fds[0];
	if (!has_greeting(c)) {
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
	if (c->missing || c->deaths >= MAX_DEATHS)
		return false;
	for (size_t i = 0; i < LEN(names); i++)
		if (start_one(c, names[i]))
			return true;
	c->missing = !c->deaths;
	if (c->missing)
		log_warn("ctags.missing", "message=%s",
		    log_quote("universal-ctags is not installed, or lacks +interactive +json +sandbox:"
		              " files of its languages are searched as text"));
	return false;
}

static bool is_last_line(const char *line)
{
	return strstr(line, "\"_type\": \"completed\"") || strstr(line, "\"_type\": \"error\"");
}

/* Move the lines of the answer, without the last one, to `out`. */
static bool answer(struct ctags *c, struct buf *out, int64_t until)
{
	size_t at = 0;

	for (;;) {
		size_t n = line_read(c, at, until);
		if (!n)
			return false;
		const char *line = c->in.p + at;
		at += n;
		if (is_last_line(line))
			break;
		buf_put(out, line, n - 1);
		buf_byte(out, '\n');
	}
	memmove(c->in.p, c->in.p + at, c->in.n - at);
	c->in.n -= at;
	return true;
}

int ctags_request_tags(
    struct ctags *c, const char *name, const char *text, size_t n, int timeout_ms, struct buf *out)
{
	struct buf ask = { 0 };

	if (!start(c))
		return -1;
	if (timeout_ms <= 0)
		timeout_ms = DEFAULT_TIMEOUT_MS;
	int64_t began = clock_ms(), until = began + timeout_ms;
	buf_printf(&ask, "{\"command\":\"generate-tags\",\"filename\":\"%s\",\"size\":%zu}\n", name, n);
	bool ok = write_all(c, ask.p, ask.n, until);
	if (ok)
		ok = write_all(c, text, n, until);
	if (ok)
		ok = answer(c, out, until);
	buf_free(&ask);
	if (ok)
		return 0;
	stop(c);
	c->deaths++;
	log_warn("ctags.failed", "name=%s bytes=%zu ms=%lld deaths=%d", name, n,
	    (long long)(clock_ms() - began), c->deaths);
	return -1;
}
