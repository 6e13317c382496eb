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
#include "shard/base/options.h"
#include "shard/git/git_process_internal.h"

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
	const struct git_command g = { .url = "", .shown = "here", .o = &o };
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

/* What runs a program, what is read by whoever is on the way, and what nobody knows, is not asked. */
static void schemes(void **state)
{
	static const struct { const char *url; bool plain, with_http; const char *schemes; } cases[] = {
		{ "https://git.example.com/a", true, true, "https:ssh:git" }, { "ssh://git@git.example.com/a", true, true, "https:ssh:git" },
		{ "git@git.example.com:a", true, true, "https:ssh:git" }, { "git@[::1]:a", true, true, "https:ssh:git" },
		{ "git+ssh://git.example.com/a", true, true, "https:ssh:git" }, { "git://git.example.com/a", true, true, "https:ssh:git" },
		{ "file:///srv/a", true, true, "https:ssh:git:file" }, { "http://127.0.0.1:81/a", true, true, "https:ssh:git:http" },
		{ "http://git.example.com/a", false, true, "https:ssh:git:http" }, { "http://127.0.0.1@git.example.com/a", false, true, NULL },
		{ "http://localhost.example.com/a", false, true, NULL }, { "ext::sh -c true", false, false, NULL },
		{ "ext::sh -c true ://", false, false, NULL }, { "fd::17", false, false, NULL }, { "ftp://127.0.0.1/a", false, false, NULL },
		{ "https::http://127.0.0.1/a", false, false, NULL }, { "gopher://127.0.0.1/a", false, false, NULL },
	};
	struct arena *a = arena_new();

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct options o = { 0 };
		struct err e = { 0 };
		if (!git_check_url(cases[i].url, &o, a, &e) != cases[i].plain)
			fail_msg("%s", cases[i].url);
		o.git_http = true;
		if (!git_check_url(cases[i].url, &o, a, &e) != cases[i].with_http)
			fail_msg("%s, with http", cases[i].url);
		if (cases[i].schemes)
			assert_string_equal(git_allowed_protocols(cases[i].url, &o, a), cases[i].schemes);
	}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pipe_stays_open),
		cmocka_unit_test(schemes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
