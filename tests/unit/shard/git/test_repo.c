/* Repositories that are moved, replaced or emptied while they are read: no answer, never a crash, a leak or a half of one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/git/repo.h"

enum { SWAPS = 2000, MOST = 80 };

static struct arena *a;
static char dir[40] = "/tmp/atoll-repo.XXXXXX";
static _Atomic bool swapping;

static const char *in(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

/* A repository with one commit of that subject. */
static void make(const char *name)
{
	assert_int_equal(system(arena_printf(a,
	    "git init -q -b main %s && git -C %s -c user.name=t -c user.email=t@t commit -q --allow-empty -m %s",
	    in(name), in(name), name)), 0);
}

/* The subject of HEAD, "" where it cannot be read. */
static const char *asked(struct repo *r)
{
	char head[REPO_OID_SIZE], tips[REPO_TIPS_SIZE];

	if (repo_head(r, head, NULL))
		return "";
	repo_tips(r, tips);
	repo_behind(r, tips, head);
	return repo_subject(r, head, MOST, a);
}

static void objects_that_went_come_back(void **state)
{
	static const char *const revisions[] = { "HEAD", "@", "HEAD~1", "main^", "@{1}", "gone" };
	struct repo *r = repo_open(in("one"), NULL);

	(void)state;
	assert_non_null(r);
	assert_int_equal(rename(in("one/.git/objects"), in("objects")), 0);
	assert_string_equal(asked(r), "");
	struct err e = { 0 };
	char id[REPO_OID_SIZE];
	for (size_t i = 0; i < LEN(revisions); i++, e.code = 0) {
		assert_int_equal(repo_revision(r, revisions[i], id, &e), -1);
		assert_int_equal(e.code, ERR_INVALID_INPUT);
	}
	assert_null(repo_open(in("one"), &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "lacks HEAD, or its folder of refs or objects"));
	assert_int_equal(rename(in("objects"), in("one/.git/objects")), 0);
	assert_string_equal(asked(r), "one");
	assert_int_equal(repo_revision(r, "@", id, &e), 0);
	repo_close(r);
}

static void *swap(void *arg)
{
	const char *const *names = arg, *one = names[0], *two = names[1], *away = names[2];
	bool ok = true;

	for (int i = 0; i < SWAPS; i++)
		ok &= !rename(one, away) && !rename(two, one) && !rename(away, two);
	swapping = false;
	return ok ? "ok" : NULL;
}

static void one_that_is_swapped_gives_one_of_both_or_nothing(void **state)
{
	const char *names[] = { in("one"), in("two"), in("away") }, *path = names[0];
	pthread_t other;
	size_t read = 0;
	void *ok;

	(void)state;
	swapping = true;
	assert_int_equal(pthread_create(&other, NULL, swap, names), 0);
	for (bool last = false; !last; read++) {
		last = !swapping;
		struct repo *r = repo_open(path, NULL);
		const char *subject = r ? asked(r) : "";
		assert_true(!*subject || !strcmp(subject, "one") || !strcmp(subject, "two"));
		if (last)
			assert_string_equal(subject, "one");
		repo_close(r);
	}
	assert_int_equal(pthread_join(other, &ok), 0);
	assert_non_null(ok);
	assert_true(read > 1);
}

static int setup(void **state)
{
	(void)state;
	repo_init();
	a = arena_new();
	assert_non_null(mkdtemp(dir));
	make("one");
	make("two");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(objects_that_went_come_back), cmocka_unit_test(one_that_is_swapped_gives_one_of_both_or_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
