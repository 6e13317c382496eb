/* What a confined child can still do and what it cannot: files, sockets, programs, other processes; and what people are told of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/base/minmax.h"
#include "shard/sandbox/sandbox.h"
#include "shard/sandbox/syscalls.h"
#include "tests/sanitized.h"

enum { REACHED = 0, NOT_ENTERED = 250 };

static struct arena *a;
static char dir[64];

static const char *in(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

/* ---- what a child tries: 0, or -1 with errno ---- */

static int opens(const char *name, int flags)
{
	int fd = open(in(name), flags, 0600);

	if (fd >= 0)
		close(fd);
	return MIN(fd, 0);
}

static int reads_given(void)
{
	return opens("given/file", O_RDONLY);
}

static int lists_given(void)
{
	return opens("given", O_RDONLY | O_DIRECTORY);
}

static int writes_given(void)
{
	return opens("given/file", O_WRONLY);
}

static int creates_given(void)
{
	return opens("given/new", O_WRONLY | O_CREAT | O_EXCL);
}

static int reads_other(void)
{
	return opens("other/file", O_RDONLY);
}

static int lists_other(void)
{
	return opens("other", O_RDONLY | O_DIRECTORY);
}

static int writes_own(void)
{
	return opens("own/file", O_WRONLY | O_TRUNC);
}

static int creates_own(void)
{
	return opens("own/new", O_WRONLY | O_CREAT | O_EXCL);
}

static int removes_own(void)
{
	return unlink(in("own/old"));
}

static int makes_folder_in_own(void)
{
	return mkdir(in("own/folder"), 0700);
}

static int links_in_own(void)
{
	return symlink("/etc/passwd", in("own/link"));
}

static int makes_folder_in_tree(void)
{
	return mkdir(in("tree/folder"), 0700);
}

static int creates_in_tree(void)
{
	return opens("tree/new", O_WRONLY | O_CREAT | O_EXCL);
}

static int writes_one_file(void)
{
	return opens("one", O_WRONLY);
}

static int changes_mode(void)
{
	return chmod(in("own/file"), 0666);
}

static int leaves_session(void)
{
	return setsid() < 0 ? -1 : 0;
}

static int makes_socket(void)
{
	return MIN(socket(AF_INET, SOCK_STREAM, 0), 0);
}

static int makes_pair(void)
{
	int v[2];

	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, v);
}

static int makes_pair_of_datagrams(void)
{
	int v[2];

	return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, v);
}

static int runs_program(void)
{
	char *const argv[] = { "true", NULL };

	execv("/bin/true", argv);
	return -1;
}

static int makes_namespace(void)
{
	return unshare(CLONE_NEWUSER);
}

static int signals_parent(void)
{
	return kill(getppid(), 0);
}

static int survives_its_parent(void)
{
	return prctl(PR_SET_PDEATHSIG, 0);
}

static int limits_parent(void)
{
	struct rlimit none = { 0, 0 };

	return prlimit(getppid(), RLIMIT_NPROC, NULL, &none);
}

static int raises_other_priority(void)
{
	return setpriority(PRIO_PROCESS, (id_t)getppid(), 19);
}

static int lowers_own_priority(void)
{
	return setpriority(PRIO_PROCESS, 0, 19);
}

static int makes_memory_file(void)
{
	return MIN((int)syscall(SYS_memfd_create, "x", 0), 0);
}

static void *nothing(void *arg)
{
	return arg;
}

static int makes_thread(void)
{
	pthread_t t;

	errno = pthread_create(&t, NULL, nothing, NULL);
	if (errno)
		return -1;
	return pthread_join(t, NULL);
}

static int gains_privileges(void)
{
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0)
		return 0;
	errno = EPERM;
	return -1;
}

static int keeps_powers(void)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2] = { 0 };
	const unsigned left = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;

	if (syscall(SYS_capget, &head, caps))
		return -1;
	if ((caps[0].effective | caps[0].permitted) & ~left || caps[0].inheritable ||
	    caps[1].effective || caps[1].permitted || caps[1].inheritable)
		return 0;
	errno = EPERM;
	return -1;
}

/* ---- children ---- */

/* What the kernel lacks for the next children. */
static bool no_landlock, no_seccomp;

static void refuse(scmp_filter_ctx f, const char *call)
{
	seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name(call), 0);
}

static void lose_parts(void)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);

	if (no_landlock)
		refuse(f, "landlock_create_ruleset");
	if (no_seccomp)
		refuse(f, "seccomp");
	if (seccomp_load(f))
		_exit(NOT_ENTERED + 1);
	seccomp_release(f);
}

/* What a child gets from `action` in this sandbox: REACHED, an errno, or NOT_ENTERED. */
static int outcome(struct sandbox s, int (*action)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		struct err e = { 0 };
		if (no_landlock || no_seccomp)
			lose_parts();
		s.a = a;
		sandbox_allow(&s, in("given"), LANDLOCK_READ);
		sandbox_allow(&s, in("own"), LANDLOCK_READ | LANDLOCK_WRITE);
		sandbox_allow(&s, in("tree"), LANDLOCK_READ | LANDLOCK_WRITE | LANDLOCK_FOLDERS);
		sandbox_allow(&s, in("one"), LANDLOCK_READ | LANDLOCK_WRITE | LANDLOCK_FOLDERS);
		sandbox_allow(&s, in("missing"), LANDLOCK_READ);
		if (s.programs)
			sandbox_allow_program(&s, "/bin/true");
		if (s.network)
			sandbox_allow_network(&s);
		if (sandbox_enter(&s, &e) || s.v)
			_exit(NOT_ENTERED);
		_exit(action() ? errno : REACHED);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	strcpy(dir, "/tmp/atoll-sandbox.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	const char *cmd = arena_printf(a,
	    "cd %s && mkdir given own tree other && touch given/file own/file own/old other/file one",
	    dir);
	return system(cmd);
}

static int end(void **state)
{
	(void)state;
	no_landlock = no_seccomp = false;
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static void files(void **state)
{
	static const struct {
		int (*action)(void);
		int confined;
	} v[] = {
		{ reads_given, REACHED },
		{ lists_given, REACHED },
		{ writes_given, EACCES },
		{ creates_given, EACCES },
		{ reads_other, EACCES },
		{ lists_other, EACCES },
		{ writes_own, REACHED },
		{ creates_own, REACHED },
		{ removes_own, REACHED },
		{ makes_folder_in_own, EACCES },
		{ links_in_own, EACCES },
		{ makes_folder_in_tree, REACHED },
		{ creates_in_tree, REACHED },
		{ writes_one_file, REACHED },
	};

	(void)state;
	if (!landlock_version())
		skip();
	for (size_t i = 0; i < LEN(v); i++)
		if (outcome((struct sandbox){ .mode = "auto" }, v[i].action) != v[i].confined)
			fail_msg("action %zu is not %s", i, v[i].confined ? "refused" : "allowed");
}

/* What one that runs only our code and git may do. */
static void files_of_a_trusted_child(void **state)
{
	(void)state;
	if (!landlock_version())
		skip();
	const struct sandbox trusted = { .mode = "auto", .trusted = true };
	assert_int_equal(outcome(trusted, reads_other), REACHED);
	assert_int_equal(outcome(trusted, creates_own), REACHED);
	assert_int_equal(outcome(trusted, creates_given), EACCES);
	assert_int_equal(outcome(trusted, runs_program), REACHED);
	assert_int_equal(outcome(trusted, changes_mode), REACHED);
	assert_int_equal(outcome(trusted, makes_memory_file), REACHED);
	assert_int_equal(outcome(trusted, makes_socket), EPERM);
}

static void calls(void **state)
{
	static const struct {
		int (*action)(void);
		int confined;
	} v[] = {
		{ makes_socket, EPERM },
		{ makes_pair, REACHED },
		{ makes_pair_of_datagrams, EPERM },
		{ runs_program, EPERM },
		{ makes_namespace, EPERM },
		{ survives_its_parent, EPERM },
		{ limits_parent, EPERM },
		{ raises_other_priority, EPERM },
		{ lowers_own_priority, REACHED },
		{ makes_memory_file, EPERM },
		{ changes_mode, EPERM },
		{ leaves_session, EPERM },
		{ makes_thread, REACHED },
		{ gains_privileges, EPERM },
		{ keeps_powers, EPERM },
	};

	(void)state;
	if (!syscalls_supported())
		skip();
	for (size_t i = 0; i < LEN(v); i++)
		if (outcome((struct sandbox){ .mode = "auto" }, v[i].action) != v[i].confined)
			fail_msg("action %zu is not %s", i, v[i].confined ? "refused" : "allowed");
	if (landlock_version() >= 6)
		assert_int_equal(outcome((struct sandbox){ .mode = "auto" }, signals_parent), EPERM);
}

static void what_is_allowed(void **state)
{
	const struct sandbox network = { .mode = "auto", .network = true },
	                     programs = { .mode = "auto", .programs = true };

	(void)state;
	if (!syscalls_supported() || !landlock_version())
		skip();
	assert_int_equal(outcome(network, makes_socket), REACHED);
	assert_int_equal(outcome(network, makes_pair_of_datagrams), REACHED);
	assert_int_equal(outcome(network, runs_program), EPERM);
	assert_int_equal(outcome(network, reads_other), EACCES);
	assert_int_equal(outcome(programs, makes_socket), EPERM);
	assert_int_equal(outcome(programs, reads_other), EACCES);
	if (!SANITIZED) /* its libraries are elsewhere */
		assert_int_equal(outcome(programs, runs_program), REACHED);
}

static int is_told_landlock(void)
{
	return strcmp(sandbox_describe("auto", a), "seccomp, no network") ||
	    strcmp(sandbox_lacks("auto", a),
	        "the kernel has no landlock, or a container does not let it be used");
}

static int is_told_seccomp(void)
{
	return strncmp(sandbox_describe("auto", a), "landlock (ABI ", 14) ||
	    strchr(sandbox_describe("auto", a), ',') ||
	    strcmp(sandbox_lacks("auto", a),
	        "the kernel has no seccomp, or a container does not let it be used");
}

static int is_told_both(void)
{
	return strcmp(sandbox_describe("auto", a), "") ||
	    strcmp(sandbox_lacks("auto", a),
	        "the kernel has no landlock and seccomp, or a container does not let it be used");
}

/* `auto` uses what there is, `require` refuses. */
static void a_kernel_that_lacks_a_part(void **state)
{
	const struct sandbox automatic = { .mode = "auto" }, off = { .mode = "off" },
	                     required = { .mode = "require" };

	(void)state;
	if (!syscalls_supported() || !landlock_version())
		skip();
	no_landlock = true;
	assert_int_equal(outcome(automatic, reads_other), REACHED);
	assert_int_equal(outcome(automatic, makes_socket), EPERM);
	assert_int_equal(outcome(required, reads_given), NOT_ENTERED);
	assert_int_equal(outcome(off, is_told_landlock), REACHED);
	no_seccomp = true;
	assert_int_equal(outcome(automatic, reads_other), REACHED);
	assert_int_equal(outcome(automatic, makes_socket), REACHED);
	assert_int_equal(outcome(automatic, gains_privileges), EPERM);
	assert_int_equal(outcome(required, reads_given), NOT_ENTERED);
	assert_int_equal(outcome(off, reads_other), REACHED);
	assert_int_equal(outcome(off, is_told_both), REACHED);
	no_landlock = false;
	assert_int_equal(outcome(automatic, reads_other), EACCES);
	assert_int_equal(outcome(automatic, changes_mode), REACHED);
	assert_int_equal(outcome(required, reads_given), NOT_ENTERED);
	assert_int_equal(outcome(off, is_told_seccomp), REACHED);
}

static void without_a_sandbox(void **state)
{
	static int (*const v[])(void) = { reads_other, creates_given, makes_socket, changes_mode,
		runs_program, signals_parent, gains_privileges };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		unlink(in("given/new"));
		assert_int_equal(outcome((struct sandbox){ .mode = "off" }, v[i]), REACHED);
		unlink(in("given/new"));
		assert_int_equal(outcome((struct sandbox){ .mode = NULL }, v[i]), REACHED);
	}
}

static void what_people_are_told(void **state)
{
	int version = landlock_version();
	bool calls_too = syscalls_supported();
	struct err e = { 0 };

	(void)state;
	assert_string_equal(sandbox_describe("off", a), "");
	assert_string_equal(sandbox_lacks("off", a), "--sandbox is off");
	if (version && calls_too) {
		assert_string_equal(sandbox_describe("auto", a),
		    arena_printf(a, "landlock (ABI %d), seccomp, no network", version));
		assert_null(sandbox_lacks("auto", a));
		assert_null(sandbox_lacks("require", a));
		assert_int_equal(outcome((struct sandbox){ .mode = "require" }, reads_given), REACHED);
	} else {
		assert_non_null(sandbox_lacks("auto", a));
		assert_int_equal(outcome((struct sandbox){ .mode = "require" }, reads_given), NOT_ENTERED);
	}
	assert_int_equal(sandbox_check_mode("auto", &e), 0);
	assert_int_equal(sandbox_check_mode("require", &e), 0);
	assert_int_equal(sandbox_check_mode("off", &e), 0);
	assert_int_equal(e.code, 0);
	assert_int_equal(sandbox_check_mode("perhaps", &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, "--sandbox: `perhaps` is unknown; use auto, require or off");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(files, begin, end),
		cmocka_unit_test_setup_teardown(files_of_a_trusted_child, begin, end),
		cmocka_unit_test_setup_teardown(calls, begin, end),
		cmocka_unit_test_setup_teardown(what_is_allowed, begin, end),
		cmocka_unit_test_setup_teardown(a_kernel_that_lacks_a_part, begin, end),
		cmocka_unit_test_setup_teardown(without_a_sandbox, begin, end),
		cmocka_unit_test_setup_teardown(what_people_are_told, begin, end),
	};

	log_init("test", LOG_ERROR + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
