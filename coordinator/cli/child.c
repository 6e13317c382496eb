#include "coordinator/cli/child.h"

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
#include "proto/base/err.h"

/* Between fork and exec only calls that are safe there. */
static void become(const char *const *argv, int out, int err, bool stay)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(null, STDIN_FILENO);
	if (out >= 0)
		dup2(out, STDOUT_FILENO);
	dup2(err >= 0 ? err : null, STDERR_FILENO);
	if (stay)
		setpgid(0, 0);
	execvp(argv[0], (char *const *)(void *)argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

pid_t child_start(const char *const *argv, const char *log, struct err *e)
{
	pid_t parent = getpid(), pid;
	int fd = log ? open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : STDERR_FILENO;

	if (fd < 0)
		return err_set(e, ERR_INTERNAL, "%s: %s", log, strerror(errno));
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)	/* it died before the call */
			_exit(1);
		become(argv, fd, fd, true);
	}
	if (log)
		close(fd);
	return pid > 0 ? pid : err_set(e, ERR_INTERNAL, "fork: %s", strerror(errno));
}

const char *child_output(const char *const *argv, struct arena *a)
{
	char line[PATH_MAX + 1];
	size_t n = 0;
	ssize_t got;
	int p[2], status = -1;

	if (pipe2(p, O_CLOEXEC))
		return NULL;
	pid_t pid = fork();
	if (pid == 0)
		become(argv, p[1], -1, false);
	close(p[1]);
	while (pid > 0 && n < sizeof line - 1 && (got = read(p[0], line + n, sizeof line - 1 - n)) > 0)
		n += (size_t)got;
	close(p[0]);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return NULL;
	line[n] = 0;
	return arena_strn(a, line, strcspn(line, "\n"));
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
