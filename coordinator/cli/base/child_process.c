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
#include "proto/process/environment.h"

/* Between fork and exec only calls that are safe there. */
static void exec_child(
    const char *const *argv, const char *const *env, int in, int out, int err, bool stay)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(in >= 0 ? in : null, STDIN_FILENO);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	dup2(err >= 0 ? err : null, STDERR_FILENO);
	if (stay)
		setpgid(0, 0);
	execvpe(argv[0], (char *const *)(void *)argv, (char *const *)(void *)env);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

pid_t child_start(const char *const *argv, const char *const *env, const char *log, struct err *e)
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
		if (getppid() != parent)	/* it died before the call */
			_exit(1);
		exec_child(argv, env, -1, fd, fd, true);
	}
	if (log)
		close(fd);
	if (pid > 0)
		return pid;
	return err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
}

/* The whole output of a program that ended well, or NULL. */
static const char *run(const char *const *argv, const char *const *env, const char *input, int err,
    struct arena *a)
{
	struct buf out = { 0 };
	char chunk[4096];
	ssize_t got;
	int p[2], q[2], status = -1;

	if (pipe2(p, O_CLOEXEC))
		return NULL;
	if (pipe2(q, O_CLOEXEC)) {
		close(p[0]);
		close(p[1]);
		return NULL;
	}
	bool told = write(q[1], input, strlen(input)) == (ssize_t)strlen(input);
	close(q[1]);
	pid_t pid = told ? fork() : -1;
	if (pid == 0)
		exec_child(argv, env, q[0], p[1], err, false);
	close(q[0]);
	close(p[1]);
	while (pid > 0 && (got = read(p[0], chunk, sizeof chunk)) > 0)
		buf_put(&out, chunk, (size_t)got);
	close(p[0]);
	bool well = pid > 0 && waitpid(pid, &status, 0) == pid && !status;
	const char *text = NULL;
	if (well)
		text = arena_strn(a, out.p ? out.p : "", out.n);
	buf_free(&out);
	return text;
}

static const char *first_line(const char *text, struct arena *a)
{
	if (text)
		return arena_strn(a, text, strcspn(text, "\n"));
	return NULL;
}

static const char *output(const char *const *argv, enum environment_recipient whom, struct arena *a)
{
	struct environment env = environment_new(whom);
	const char *text = run(argv, (const char *const *)(void *)env.v, "", -1, a);

	environment_free(&env);
	return first_line(text, a);
}

const char *child_output(const char *const *argv, struct arena *a)
{
	return output(argv, ENVIRONMENT_PROGRAM, a);
}

const char *child_git(const char *const *argv, struct arena *a)
{
	return output(argv, ENVIRONMENT_GIT, a);
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

	self[n > 0 ? n : 0] = 0;
	char *slash = strrchr(self, '/');
	if (slash) {
		const char *beside = arena_printf(a, "%.*s/%s", (int)(slash - self), self, name);
		if (!access(beside, X_OK))
			return beside;
	}
	return name;
}
