/* What a program tells its service manager, which folders it trusts, and which names it suggests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/process/directory.h"
#include "proto/process/sd_notify.h"
#include "proto/process/suggest.h"

static struct arena *a;
static char folder[] = "/tmp/atoll-process.XXXXXX";

static const char *in_folder(const char *name)
{
	return arena_printf(a, "%s/%s", folder, name);
}

/* ---- the service manager ---- */

static atomic_bool is_alive;
static atomic_int asked;

static bool alive(void *arg)
{
	assert_ptr_equal(arg, &asked);
	asked++;
	return is_alive;
}

static void status(void *arg, char *out, size_t n)
{
	assert_ptr_equal(arg, &asked);
	snprintf(out, n, "%s", asked < 3 ? "begins" : "runs");
}

static int listen_at(const char *path, size_t n)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct timeval most = { 30, 0 };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(at.sun_path, path, n);
	assert_int_equal(
	    bind(fd, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)),
	    0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
	return fd;
}

/* The next message, or "" if none comes for so long. */
static const char *next_message(int fd, int wait_ms)
{
	static char text[300];
	struct timeval most = { wait_ms / 1000, wait_ms % 1000 * 1000 };

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
	ssize_t n = recv(fd, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = 0;
	return text;
}

static void the_manager_is_told(void **state)
{
	const char *path = in_folder("notify");
	int fd = listen_at(path, strlen(path)), pings = 0;

	(void)state;
	asked = 0;
	is_alive = true;
	setenv("NOTIFY_SOCKET", path, 1);
	setenv("WATCHDOG_USEC", "90000", 1);
	setenv("WATCHDOG_PID", arena_printf(a, "%d", (int)getpid()), 1);
	struct sd_notifier *n = notify_open(alive, status, &asked);
	assert_non_null(n);
	assert_null(getenv("NOTIFY_SOCKET"));
	assert_null(getenv("WATCHDOG_USEC"));
	assert_null(getenv("WATCHDOG_PID"));
	assert_string_equal(next_message(fd, 30000), "READY=1");
	assert_string_equal(next_message(fd, 30000), "WATCHDOG=1");
	assert_string_equal(next_message(fd, 30000), "STATUS=begins");
	int64_t began = clock_ms();
	while (strcmp(next_message(fd, 30000), "STATUS=runs")) /* it is told once, when it changes */
		pings++;
	assert_int_equal(pings, 2);
	assert_in_range(clock_ms() - began, 50, 4000); /* a third of the time limit between two pings */
	is_alive = false;
	while (*next_message(fd, 100))
		continue;
	assert_string_equal(next_message(fd, 200), "");
	int so_far = asked;
	clock_sleep(100);
	assert_true(asked > so_far); /* it goes on asking */
	notify_stopping(n);
	assert_string_equal(next_message(fd, 30000), "STOPPING=1");
	began = clock_ms();
	notify_close(n);
	assert_true(clock_ms() - began < 4000);
	close(fd);
}

static void a_manager_without_watchdog(void **state)
{
	static const struct {
		const char *usec, *pid;
	} rows[] = { { NULL, NULL }, { "0", NULL }, { "2999", NULL }, { "90000", "1" } };
	char name[] = "@atoll-notify-0000000";

	(void)state;
	snprintf(name + 14, 8, "%d", (int)getpid() % 1000000);
	char abstract[sizeof name];
	memcpy(abstract, name, sizeof name);
	abstract[0] = 0;
	int fd = listen_at(abstract, strlen(name));
	for (size_t i = 0; i < LEN(rows); i++) {
		asked = 0;
		is_alive = true;
		setenv("NOTIFY_SOCKET", name, 1);
		if (rows[i].usec)
			setenv("WATCHDOG_USEC", rows[i].usec, 1);
		if (rows[i].pid)
			setenv("WATCHDOG_PID", rows[i].pid, 1);
		struct sd_notifier *n = notify_open(alive, status, &asked);
		assert_string_equal(next_message(fd, 30000), "READY=1");
		assert_string_equal(next_message(fd, 30000), "STATUS=begins");
		assert_string_equal(next_message(fd, 50), "");
		notify_close(n);
		assert_int_equal(asked, 0);
	}
	close(fd);
}

static void there_may_be_no_manager(void **state)
{
	char longest[200];
	int fd = listen_at(in_folder("x"), strlen(in_folder("x")));
	static const char *const bad[] = { "", "relative", "notify" };

	(void)state;
	memset(longest, 'x', sizeof longest - 1);
	longest[0] = '/';
	longest[sizeof longest - 1] = 0;
	unsetenv("NOTIFY_SOCKET");
	assert_null(notify_open(alive, status, &asked));
	for (size_t i = 0; i < LEN(bad); i++) {
		setenv("NOTIFY_SOCKET", bad[i], 1);
		assert_null(notify_open(alive, status, &asked));
	}
	setenv("NOTIFY_SOCKET", longest, 1);
	assert_null(notify_open(alive, status, &asked));
	notify_stopping(NULL);
	notify_close(NULL);
	close(fd);
}

/* ---- folders ---- */

static int mode(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

static void folders_of_this_user_alone(void **state)
{
	struct err e = { 0 };
	const char *path = in_folder("mine"), *link = in_folder("link"), *file = in_folder("file");

	(void)state;
	assert_int_equal(directory_create_exclusive(path, &e), 0);
	assert_int_equal(mode(path), 0700);
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(directory_create_exclusive(path, &e), 0);
	assert_int_equal(mode(path), 0700);
	assert_int_equal(chmod(path, 0500), 0);
	assert_int_equal(directory_create_exclusive(path, &e), 0);
	assert_int_equal(mode(path), 0500); /* only others are kept out */
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(directory_create_exclusive(link, &e), -1);
	assert_string_equal(e.msg, arena_printf(a, "%s is not a folder of this user", link));
	assert_string_equal(
	    e.hint, "Remove it, or set XDG_RUNTIME_DIR to a folder that only you may use.");
	close(open(file, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(directory_create_exclusive(file, &e), -1);
	assert_int_equal(directory_create_exclusive(in_folder("no/such"), &e), -1);
	assert_string_equal(
	    e.msg, arena_printf(a, "%s/no/such: cannot be created: No such file or directory", folder));
	if (!geteuid()) {
		assert_int_equal(chown(path, 12345, 12345), 0);
		assert_int_equal(directory_create_exclusive(path, &e), -1);
		assert_int_equal(chown(path, 0, 0), 0);
	}
	chmod(path, 0700);
}

static void folders_for_sockets(void **state)
{
	struct err e = { 0 };
	const char *other = arena_printf(a, "/tmp/atoll-%ld", (long)geteuid());
	char base[64];

	(void)state;
	snprintf(base, sizeof base, "%s/", folder);
	while (strlen(base) < 49)
		strcat(base, "r");
	assert_int_equal(mkdir(base, 0700), 0);
	setenv("XDG_RUNTIME_DIR", base, 1);
	assert_string_equal(directory_create_runtime(a, &e), arena_printf(a, "%s/atoll", base));
	strcat(base, "r");
	assert_int_equal(mkdir(base, 0700), 0);
	setenv("XDG_RUNTIME_DIR", base, 1); /* too long */
	assert_string_equal(directory_create_runtime(a, &e), other);
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	assert_string_equal(directory_create_runtime(a, &e), other);
	unsetenv("XDG_RUNTIME_DIR");
	assert_string_equal(directory_create_runtime(a, &e), other);
	setenv("XDG_RUNTIME_DIR", "/no/such", 1);
	assert_null(directory_create_runtime(a, &e));
	unsetenv("XDG_RUNTIME_DIR");
}

static void where_others_may_put_files(void **state)
{
	static const struct {
		int mode, owner, group;
		bool good;
	} rows[] = { { 0700, 0, 0, true }, { 0755, 0, 0, true }, { 0775, 0, 0, true },
		{ 0775, 0, 12345, false }, { 0755, 0, 12345, true }, { 0777, 0, 0, false },
		{ 01777, 0, 0, false }, { 0700, 12345, 0, false } };
	const char *dir = in_folder("parent");
	struct err e = { 0 };

	(void)state;
	assert_int_equal(mkdir(dir, 0700), 0);
	for (size_t i = 0; i < LEN(rows); i++) {
		if ((rows[i].owner || rows[i].group) && geteuid())
			continue;
		if (!geteuid())
			assert_int_equal(chown(dir, (uid_t)rows[i].owner, (gid_t)rows[i].group), 0);
		assert_int_equal(chmod(dir, (mode_t)rows[i].mode), 0);
		assert_int_equal(
		    directory_check_parent(in_folder("parent/socket"), &e), rows[i].good ? 0 : -1);
	}
	assert_string_equal(e.msg, arena_printf(a, "other users may put a socket into %s", dir));
	if (!geteuid())
		assert_int_equal(chown(dir, 0, 0), 0);
	chmod(dir, 0700);
	assert_int_equal(directory_check_parent("/no/such/socket", &e), 0);
	assert_int_equal(directory_check_parent("/socket", &e), 0);
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(directory_check_parent("socket", &e), 0);
	chmod(dir, 0777);
	assert_int_equal(directory_check_parent("socket", &e), -1);
	assert_int_equal(chdir("/"), 0);
}

static void folders_of_data(void **state)
{
	struct err e = { 0 };
	char longest[5000];

	(void)state;
	assert_int_equal(directory_create_private(in_folder("data/deep/er/"), "--data", &e), 0);
	assert_int_equal(mode(in_folder("data")), 0700);
	assert_int_equal(mode(in_folder("data/deep/er")), 0700);
	assert_int_equal(chmod(in_folder("data/deep"), 0754), 0);
	assert_int_equal(directory_create_private(in_folder("data/deep"), "--data", &e), 0);
	assert_int_equal(mode(in_folder("data/deep")), 0700);
	close(open(in_folder("plain"), O_CREAT | O_WRONLY, 0600));
	assert_int_equal(directory_create_private(in_folder("plain/x"), "--data", &e), -1);
	assert_string_equal(e.msg,
	    arena_printf(a, "--data: cannot write to the folder %s/plain/x: Not a directory", folder));
	assert_string_equal(e.hint, "Choose another folder with --data DIR.");
	assert_int_equal(directory_create_private(in_folder("plain"), "--data", &e), -1);
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = 0;
	assert_int_equal(directory_create_private(longest, "--data", &e), -1);
	assert_string_equal(e.msg, "--data: the path is too long");

	/* links: into a folder of this user, into one of everybody, into nothing */
	assert_int_equal(symlink(in_folder("data/deep"), in_folder("good")), 0);
	assert_int_equal(directory_create_private(in_folder("good//"), "--data", &e), 0);
	assert_int_equal(mkdir(in_folder("open"), 0700) || chmod(in_folder("open"), 01777) ||
	        mkdir(in_folder("open/there"), 0700),
	    0);
	assert_int_equal(symlink(in_folder("open/there"), in_folder("bad")), 0);
	assert_int_equal(directory_create_private(in_folder("bad"), "--data", &e), -1);
	assert_string_equal(e.msg,
	    arena_printf(a,
	        "--data %s/bad is a link into a folder that anybody may write to, or a dangling link",
	        folder));
	assert_int_equal(directory_create_private(in_folder("bad/"), "--data", &e), -1);
	assert_int_equal(directory_create_private(in_folder("open/there"), "--data", &e), 0);
	assert_int_equal(symlink(in_folder("nothing"), in_folder("dangling")), 0);
	assert_int_equal(directory_create_private(in_folder("dangling"), "--data", &e), -1);
	assert_int_equal(mode(in_folder("nothing")), -1);
	if (geteuid())
		return;
	assert_int_equal(chown(in_folder("data/deep"), 12345, 0), 0);
	assert_int_equal(directory_create_private(in_folder("data/deep"), "--data", &e), -1);
	assert_string_equal(e.msg,
	    arena_printf(a,
	        "--data %s/data/deep belongs to another user (12345), who could change the data in it",
	        folder));
	assert_int_equal(chown(in_folder("data/deep"), 0, 0), 0);
}

static void files_are_closed_to_others(void **state)
{
	static const struct {
		const char *name;
		int before, after;
	} rows[] = { { "a.key", 0644, 0600 }, { "b.key", 0600, 0600 }, { "c.txt", 0644, 0644 },
		{ "d.key", 0755, 0700 }, { "e.key", 0477, 0400 }, { ".f.key", 0666, 0600 } };
	const char *outside = in_folder("outside");

	(void)state;
	assert_int_equal(mkdir(in_folder("keys"), 0700), 0);
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *path = arena_printf(a, "%s/keys/%s", folder, rows[i].name);
		close(open(path, O_CREAT | O_WRONLY, 0600));
		assert_int_equal(chmod(path, (mode_t)rows[i].before), 0);
	}
	close(open(outside, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(chmod(outside, 0644) || symlink(outside, in_folder("keys/link.key")), 0);
	directory_restrict_files(in_folder("keys"), "*.key");
	directory_restrict_files(in_folder("no such folder"), "*");
	for (size_t i = 0; i < LEN(rows); i++)
		assert_int_equal(mode(arena_printf(a, "%s/keys/%s", folder, rows[i].name)), rows[i].after);
	assert_int_equal(mode(outside), 0644); /* links are not followed */
	assert_int_equal(chmod(folder, 0755), 0);
	directory_restrict_files(in_folder("keys"), "*");
	assert_int_equal(mode(folder), 0755);
	assert_int_equal(mode(in_folder("keys/c.txt")), 0600);
	DIR *d = directory_open(folder);
	assert_non_null(d);
	closedir(d);
	assert_null(directory_open(outside));
	assert_null(directory_open("/no/such"));
}

/* ---- suggestions ---- */

static void names_that_are_meant(void **state)
{
	static const char *const names[] = { "status", "state", "group list", "acme/api",
		"acme/web-app", "Upper", "abcdef", "aa", "ab", "ac", "ad", "ae", "af" };
	/* clang-format off */
	static const struct { const char *typed, *near; } rows[] = {
		{ "stauts", "`status`, `state`" },				/* two letters that changed places count once */
		{ "satus", "`status`" }, { "statuss", "`status`" }, { "statos", "`status`, `state`" }, { "staate", "`aa`, `state`" },
		{ "STATUS", "`status`, `state`" }, { "upper", "`Upper`" }, { "uper", "`Upper`" },
		{ "stat", "`state`, `status`" },			/* both contain it */
		{ "the status of", "`status`" },
		{ "abXdYf", "`ab`, `abcdef`" }, { "aXXdef", "`abcdef`" }, { "aXXXef", "" },	/* a third of the letters may differ */
		{ "apii", "`acme/api`" }, { "x/api", "`acme/api`" }, { "acme/wep-app", "`ac`, `acme/web-app`" }, { "acme/appi", "`ac`, `acme/api`" },
		{ "xxxx", "" }, { "", "" }, { "a", "`aa`, `ab`, `abcdef`, `ac`, `acme/api`" },	/* at most five */
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++)
		assert_string_equal(suggest_names(rows[i].typed, names, LEN(names), a), rows[i].near);
	assert_string_equal(suggest_phrase("", a), "");
	assert_string_equal(suggest_phrase("`a`", a), "; did you mean `a`?");
	assert_string_equal(suggest_choices(names, 0, a), "");
	assert_string_equal(suggest_choices(names, 1, a), "status");
	assert_string_equal(suggest_choices(names, 2, a), "status or state");
	assert_string_equal(suggest_choices(names, 3, a), "status, state or group list");
	char large[2][600];
	memset(large, 'x', sizeof large);
	large[0][599] = large[1][599] = 0;
	large[0][0] = 'y';
	const char *one = large[0];
	assert_string_equal(suggest_names(large[1], &one, 1, a), arena_printf(a, "`%s`", one));
}

static int setup(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	const char *remove = arena_printf(a, "rm -rf %s", folder);

	(void)state;
	if (system(remove))
		return -1;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_manager_is_told),
		cmocka_unit_test(a_manager_without_watchdog),
		cmocka_unit_test(there_may_be_no_manager),
		cmocka_unit_test(folders_of_this_user_alone),
		cmocka_unit_test(folders_for_sockets),
		cmocka_unit_test(where_others_may_put_files),
		cmocka_unit_test(folders_of_data),
		cmocka_unit_test(files_are_closed_to_others),
		cmocka_unit_test(names_that_are_meant),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
