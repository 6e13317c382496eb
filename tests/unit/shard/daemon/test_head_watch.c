/* What tells a shard that HEAD may have moved: commits, checkouts and packed refs, not files of the working tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/daemon/head_watch.h"
#include "shard/git/repo.h"

static char dir[64];
static struct arena *a;
static struct repo *r;
static struct head_watch *w;

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-watch.XXXXXX");
	assert_non_null(mkdtemp(dir));
	run("git init -q -b main r && git -C r config gc.auto 0 && git -C r -c user.name=n -c user.email=e commit -q --allow-empty -m one");
	const char *place = arena_printf(a, "%s/r", dir);
	r = repo_open(place, &(struct err){ 0 });
	w = head_watch_new(r, place);
	assert_non_null(w);
	return 0;
}

static int end(void **state)
{
	(void)state;
	head_watch_free(w);
	repo_close(r);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

/* Whether it has something to say, which the kernel has noted by the time that a command ends. */
static bool told(void)
{
	struct pollfd p = { head_watch_fd(w), POLLIN, 0 };

	if (poll(&p, 1, 0) != 1)
		return false;
	return head_watch_read(w);
}

static void a_commit_is_noticed(void **state)
{
	(void)state;
	assert_true(head_watch_is_complete(w));
	assert_false(told());
	run("git -C r -c user.name=n -c user.email=e commit -q --allow-empty -m two");
	assert_true(told());
	while (told())
		;
	assert_false(told());
}

static void a_checkout_and_packed_refs_are_noticed(void **state)
{
	(void)state;
	run("git -C r checkout -q --detach");
	assert_true(told());
	run("git -C r checkout -q main && git -C r branch a/b/c");
	while (told())
		;
	run("git -C r branch -f a/b/c HEAD && git -C r -c user.name=n -c user.email=e commit -q --allow-empty -m two && "
	    "git -C r branch -f a/b/c HEAD");
	assert_true(told());
	while (told())
		;
	run("git -C r pack-refs --all");
	assert_true(told());
}

static void other_files_are_not(void **state)
{
	(void)state;
	run("echo x >r/a.c && mkdir r/src && echo x >r/src/b.c && echo x >r/.git/description");
	assert_false(told() && told() && told());
}

static void a_repository_that_moved(void **state)
{
	(void)state;
	assert_false(head_watch_is_moved(w));
	assert_false(head_watch_is_moved(NULL));
	run("mv r elsewhere && git init -q -b main r");
	assert_true(head_watch_is_moved(w));
}

static void watch_again(void)
{
	head_watch_free(w);
	w = head_watch_new(r, arena_printf(a, "%s/r", dir));
	assert_non_null(w);
}

/* What is not there needs no watch; what is too deep to be watched is polled. */
static void folders_that_are_not_watched(void **state)
{
	(void)state;
	run("mv r/.git/refs r/.git/kept");
	watch_again();
	assert_true(head_watch_is_complete(w));
	run("mv r/.git/kept r/.git/refs && mkdir -p r/.git/refs/heads/a/b/c/d/e");
	watch_again();
	assert_true(head_watch_is_complete(w));
	run("mkdir -p r/.git/refs/heads/$(seq -s / 1 40)");
	watch_again();
	assert_false(head_watch_is_complete(w));
	run("rm -rf r/.git/refs/heads/1");
	watch_again();
	assert_true(head_watch_is_complete(w));
}

static void without_a_watch(void **state)
{
	(void)state;
	assert_int_equal(head_watch_fd(NULL), -1);
	assert_false(head_watch_read(NULL));
	assert_false(head_watch_is_complete(NULL));
	head_watch_free(NULL);
}

int main(void)
{
	sigset_t block;

	sigemptyset(&block);
	head_watch_add_signals(&block);
	pthread_sigmask(SIG_BLOCK, &block, NULL);
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(a_commit_is_noticed),
		CASE(a_checkout_and_packed_refs_are_noticed),
		CASE(other_files_are_not),
		CASE(a_repository_that_moved),
		CASE(folders_that_are_not_watched),
		CASE(without_a_watch),
	};

	return cmocka_run_group_tests_name("head_watch", tests, NULL, NULL);
}
