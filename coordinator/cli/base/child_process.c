#include "coordinator/cli/base/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/minmax.h"
#include "proto/process/environment.h"

/* Runs between fork and exec, so it calls only functions that are async-signal-safe. */
static void exec_child(
    const char *const *argv, const char *const *env, int in, int out, int err, bool own_group)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	if (in < 0)
		in = null;
	if (err < 0)
		err = null;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(in, STDIN_FILENO);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	if (own_group)
		setpgid(0, 0);
	execvpe(argv[0], (char *const *)(void *)argv, (char *const *)(void *)env);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

pid_t child_launch(const char *const *argv, const char *const *env, const char *log, struct err *e)
{
	pid_t parent = getpid(), pid;
	int fd = STDERR_FILENO;

	if (log)
		fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_set(e, ERR_INTERNAL, "%s: %s", log, strerror(errno));
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)	/* the parent died before prctl */
			_exit(1);
		exec_child(argv, env, -1, fd, fd, true);
	}
	if (log)
		close(fd);
	if (pid > 0)
		return pid;
	return err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
}

/* A pipe that already contains `input` and has no writer: its end to read, or -1. */
static int pipe_with(const char *input)
{
	int p[2];
	ssize_t n = (ssize_t)strlen(input);

	if (pipe2(p, O_CLOEXEC))
		return -1;
	bool written = write(p[1], input, (size_t)n) == n;
	close(p[1]);
	if (written)
		return p[0];
	close(p[0]);
	return -1;
}

static void read_all(int fd, struct buf *out)
{
	char chunk[4096];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof chunk)) > 0)
		buf_put(out, chunk, (size_t)n);
}

/* The whole output of a program, or NULL unless it exits with status 0. */
static const char *run(const char *const *argv, const char *const *env, const char *input, int err,
    struct arena *a)
{
	struct buf out = { 0 };
	const char *text = NULL;
	int p[2], status = -1, in = pipe_with(input);

	if (in < 0)
		return NULL;
	if (pipe2(p, O_CLOEXEC)) {
		close(in);
		return NULL;
	}
	pid_t pid = fork();
	if (pid == 0)
		exec_child(argv, env, in, p[1], err, false);
	close(in);
	close(p[1]);
	if (pid > 0)
		read_all(p[0], &out);
	close(p[0]);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && !status) {
		buf_str(&out, "");
		text = arena_strn(a, out.p, out.n);
	}
	buf_free(&out);
	return text;
}

/* The first line of a program's output, or NULL unless it exits with status 0. */
static const char *first_line(
    const char *const *argv, enum environment_recipient recipient, struct arena *a)
{
	struct environment env = environment_new(recipient);
	const char *text = run(argv, (const char *const *)(void *)env.v, "", -1, a);

	environment_free(&env);
	if (!text)
		return NULL;
	return arena_strn(a, text, strcspn(text, "\n"));
}

const char *child_output(const char *const *argv, struct arena *a)
{
	return first_line(argv, ENVIRONMENT_PROGRAM, a);
}

const char *child_git(const char *const *argv, struct arena *a)
{
	return first_line(argv, ENVIRONMENT_GIT, a);
}

const char *child_communicate(
    const char *const *argv, const char *const *env, const char *input, struct arena *a)
{
	return run(argv, env, input, STDERR_FILENO, a);
}

const char *child_program(const char *name, struct arena *a)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[MAX(n, 0)] = 0;
	char *slash = strrchr(self, '/');
	if (slash) {
		const char *beside = arena_printf(a, "%.*s/%s", (int)(slash - self), self, name);
		if (!access(beside, X_OK))
			return beside;
	}
	return name;
}
