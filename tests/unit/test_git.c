/* git as a child: what is left behind when it cannot be started. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git.h"
#include "shard/options.h"

/* The number that the next file gets. */
static int next_file(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

/* There is room for one of the two pipes. */
static void no_pipe_stays_open(void **state)
{
	const struct options o = { .git_seconds = 20 };
	const struct git g = { .url = "", .shown = "here", .o = &o };
	const char *argv[] = { "git", "version", NULL };
	struct arena *a = arena_new();
	struct buf out = { 0 };
	struct err e = { 0 };
	struct rlimit was, now;
	int next = next_file();

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
	now = (struct rlimit){ (rlim_t)next + 3, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &now), 0);
	int rc = git_run(&g, argv, &out, a, &e);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
	assert_int_equal(rc, -1);
	assert_int_equal(e.code, ERR_INTERNAL);
	assert_int_equal(next_file(), next);
	buf_free(&out);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pipe_stays_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
