/*
 * sandbox_probe ATTACK[=ARGUMENT]... --repo PATH --data DIR [--sandbox MODE]: acts as code that a
 * hostile file runs in an ingest child: it confines itself as the child does and tries each attack.
 * Prints a line for each: `ATTACK: reached`, or why it failed.
 * sandbox_probe status: prints which parts of a sandbox this machine supports.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/base/options.h"
#include "shard/definitions/ctags/ctags_process.h"
#include "shard/git/repo.h"
#include "shard/ingest/ingest_internal.h"

extern char **environ;

/* ---- attacks: 0 when it was reached, else errno is set ---- */

static int opens(const char *path, int flags)
{
	int fd = open(path, flags | O_NONBLOCK, 0600);

	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static int try_read(const char *path)
{
	return opens(path, O_RDONLY);
}

static int try_write(const char *path)
{
	return opens(path, O_WRONLY | O_APPEND);
}

static int try_create(const char *path)
{
	return opens(path, O_WRONLY | O_CREAT | O_EXCL);
}

static int try_folder(const char *path)
{
	return mkdir(path, 0700);
}

static int try_link(const char *path)
{
	return symlink("/etc/passwd", path);
}

static int try_mode(const char *path)
{
	return chmod(path, 0777);
}

static int try_owner(const char *path)
{
	return lchown(path, getuid(), getgid());
}

static int try_times(const char *path)
{
	return utimensat(AT_FDCWD, path, NULL, 0);
}

static int try_connect(const char *port)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? -1 : connect(fd, (const void *)&to, sizeof to);
}

static int try_unix(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(to.sun_path, sizeof to.sun_path, "%s", path);
	return fd < 0 ? -1 : connect(fd, (const void *)&to, sizeof to);
}

/* As exec in a child: its status tells whether it ran. */
static int run(const char *const *argv)
{
	int status = 0, ready[2], cause = 0;

	if (pipe2(ready, O_CLOEXEC))
		return -1;
	pid_t pid = fork();
	if (!pid) {
		execv(argv[0], (char **)argv);
		cause = errno;
		if (write(ready[1], &cause, sizeof cause) < 0)
			_exit(126);
		_exit(127);
	}
	close(ready[1]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	if (read(ready[0], &cause, sizeof cause) <= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	errno = cause ? cause : EPERM;
	return -1;
}

static int try_run(const char *program)
{
	return run((const char *const[]){ program, "-c", "exit 0", NULL });
}

static int try_loader(const char *loader)
{
	return run((const char *const[]){ loader, "/bin/sh", "-c", "exit 0", NULL });
}

static int try_inet(const char *arg)
{
	(void)arg;
	return socket(AF_INET, SOCK_DGRAM, 0) < 0 ? -1 : 0;
}

static int try_datagrams(const char *arg)
{
	int fds[2];

	(void)arg;
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, fds);
}

static int try_trace(const char *arg)
{
	(void)arg;
	return (int)ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
}

static int try_memory(const char *arg)
{
	char c;
	struct iovec here = { &c, 1 }, there = { (void *)environ, 1 };

	(void)arg;
	return process_vm_readv(getppid(), &here, 1, &there, 1, 0) < 0 && errno != EFAULT ? -1 : 0;	/* what is there is another matter */
}

static int try_environment(const char *arg)
{
	char path[64], c;

	(void)arg;
	snprintf(path, sizeof path, "/proc/%d/environ", getppid());
	int fd = open(path, O_RDONLY);
	return fd < 0 ? -1 : read(fd, &c, 1) < 0 ? -1 : 0;
}

static int try_signal(const char *arg)
{
	(void)arg;
	return kill(getppid(), 0);
}

static int try_limit(const char *arg)
{
	struct rlimit old;

	(void)arg;
	return prlimit(getppid(), RLIMIT_CPU, NULL, &old);
}

/* In a process of its own, which leads no group yet. */
static int try_session(const char *arg)
{
	int status = 0;
	pid_t pid = fork();

	(void)arg;
	if (!pid)
		_exit(setsid() < 0 ? errno : 0);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	errno = WEXITSTATUS(status);
	return errno ? -1 : 0;
}

static int try_group(const char *arg)
{
	int status = 0;
	pid_t pid = fork();

	(void)arg;
	if (!pid)
		_exit(setpgid(0, 0) < 0 ? errno : 0);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	errno = WEXITSTATUS(status);
	return errno ? -1 : 0;
}

static int try_survive(const char *arg)
{
	(void)arg;
	return prctl(PR_SET_PDEATHSIG, 0);
}

static int try_namespace(const char *arg)
{
	(void)arg;
	return unshare(CLONE_NEWUSER);
}

static int try_namespace_child(const char *arg)
{
	(void)arg;
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
	if (!pid)
		_exit(0);
	return pid < 0 ? -1 : waitpid((pid_t)pid, NULL, 0) < 0 ? -1 : 0;
}

static int try_mount(const char *arg)
{
	(void)arg;
	return mount("none", "/no/such/folder", "tmpfs", 0, NULL) && errno != ENOENT ? -1 : 0;
}

static int try_rings(const char *arg)
{
	char params[256] = { 0 };

	(void)arg;
	return syscall(SYS_io_uring_setup, 1, params) < 0 ? -1 : 0;
}

static int try_bpf(const char *arg)
{
	union { int type; char all[128]; } attr = { .all = { 0 } };

	(void)arg;
	attr.all[0] = 2, attr.all[4] = 4, attr.all[8] = 4, attr.all[12] = 1;	/* an array of one number */
	return syscall(SYS_bpf, 0, &attr, sizeof attr) < 0 ? -1 : 0;
}

static int try_faults(const char *arg)
{
	(void)arg;
	return syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */) < 0 ? -1 : 0;
}

static int try_keys(const char *arg)
{
	(void)arg;
	return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1) < 0 ? -1 : 0;
}

static int try_memory_file(const char *arg)
{
	(void)arg;
	return memfd_create("x", 0) < 0 ? -1 : 0;
}

static int try_shared(const char *arg)
{
	(void)arg;
	return shmget(IPC_PRIVATE, 4096, 0600) < 0 ? -1 : 0;
}

static int try_privileges(const char *arg)
{
	(void)arg;
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
		return 0;
	errno = EPERM;
	return -1;
}

/* ---- what it needs ---- */

static void *nothing(void *arg)
{
	return arg;
}

static int try_thread(const char *arg)
{
	pthread_t t;

	(void)arg;
	return pthread_create(&t, NULL, nothing, NULL) ? -1 : pthread_join(t, NULL);
}

static int try_ctags(const char *arg)
{
	static const char text[] = "local function apples(n)\n  return n\nend\n";
	const char *const options[] = { NULL };
	struct ctags *c = ctags_new(options);
	struct buf out = { 0 };
	int rc = ctags_request_tags(c, arg, text, sizeof text - 1, 0, &out);

	if (!rc && !memmem(out.p, out.n, "apples", 6))
		rc = -1;
	buf_free(&out);
	ctags_free(c);
	return rc;
}

static const struct attack {
	const char *name;
	int (*try)(const char *arg);
	bool arg;
} attacks[] = {
	{ "read", try_read, true }, { "write", try_write, true }, { "create", try_create, true },
	{ "folder", try_folder, true }, { "link", try_link, true }, { "mode", try_mode, true },
	{ "owner", try_owner, true }, { "times", try_times, true }, { "connect", try_connect, true },
	{ "unix", try_unix, true }, { "run", try_run, true }, { "loader", try_loader, true },
	{ "ctags", try_ctags, true }, { "inet", try_inet, false },
	{ "datagrams", try_datagrams, false }, { "trace", try_trace, false },
	{ "memory", try_memory, false }, { "environment", try_environment, false },
	{ "signal", try_signal, false }, { "limit", try_limit, false },
	{ "session", try_session, false }, { "group", try_group, false },
	{ "survive", try_survive, false }, { "namespace", try_namespace, false },
	{ "namespace_child", try_namespace_child, false }, { "mount", try_mount, false },
	{ "rings", try_rings, false }, { "bpf", try_bpf, false }, { "faults", try_faults, false },
	{ "keys", try_keys, false }, { "memory_file", try_memory_file, false },
	{ "shared", try_shared, false }, { "privileges", try_privileges, false },
	{ "thread", try_thread, false },
};

static const struct opt rows[] = {
#define OPT(type, name, arg, def, env, help) { OPT_##type, #name, arg, def, env, help, offsetof(struct options, name) },
#include "shard/base/options.def"
};

static int give_up(int argc, char **argv, struct arena *a)
{
	struct options *o = arena_one(a, struct options);
	struct ingest in = { .o = o, .notes = -1 };
	struct string_list args = { 0 };
	struct err e = { 0 };

	if (options_parse(rows, LEN(rows), o, "sandbox_probe\n", argc, argv, &args, a, &e) || repo_source_resolve(&in.src, o, a, &e)) {
		fprintf(stderr, "sandbox_probe: %s\n", e.msg);
		return -1;
	}
	struct repo *repo = repo_open(in.src.place, &e);
	if (!repo || ingest_enter_sandbox(&in, repo, a, &e)) {
		fprintf(stderr, "sandbox_probe: %s\n", e.msg);
		return -1;
	}
	repo_close(repo);
	return 0;
}

/* NAME or NAME=ARGUMENT; -1: there is no such attack. */
static int try(const char *word)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < LEN(attacks); i++) {
		if (strncmp(word, attacks[i].name, n) != 0 || attacks[i].name[n] || attacks[i].arg != (word[n] == '='))
			continue;
		bool reached = attacks[i].try(word + n + attacks[i].arg) == 0;
		printf("%s: %s\n", word, reached ? "reached" : strerror(errno));
		return 0;
	}
	fprintf(stderr, "sandbox_probe: what is %s?\n", word);
	return -1;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_new();
	int n = 1, rc = 0;

	setvbuf(stdout, NULL, _IONBF, 0);	/* or children that exit say it all again */
	while (n < argc && strncmp(argv[n], "--", 2) != 0)
		n++;
	if (argc == 2 && !strcmp(argv[1], "status")) {
		const char *lacks = sandbox_lacks("auto", a);
		printf("%s%s%s\n", sandbox_describe("auto", a), lacks ? "; not active: " : "", lacks ? lacks : "");
		arena_free(a);
		return 0;
	}
	repo_init();
	char *program = argv[n - 1];
	argv[n - 1] = argv[0];
	rc = give_up(argc - n + 1, argv + n - 1, a);
	argv[n - 1] = program;
	for (int i = 1; !rc && i < n; i++)
		rc = try(argv[i]);
	arena_free(a);
	return rc ? 2 : 0;
}
