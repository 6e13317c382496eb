/* What a request reads from: the repository, also when it is moved away and back, and an index without what is asked of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "shard/git/repo.h"
#include "shard/index/index_reader.h"

static struct arena *a;
static struct err e;
static char dir[64];
static struct index_reader r;

static void run(const char *command)
{
	if (system(arena_printf(a, "cd %s && { %s; } >/dev/null 2>&1", dir, command)))
		fail_msg("%s", command);
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	e = (struct err){ 0 };
	strcpy(dir, "/tmp/atoll-reader.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	run("git init -q here && git init -q there && mkdir none");
	r = (struct index_reader){ .place = arena_printf(a, "%s/here", dir), .data = dir };
	return 0;
}

static int end(void **state)
{
	(void)state;
	index_reader_close(&r);
	assert_null(r.repo);
	assert_null(r.db);
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static void how_long_a_part_may_take(void **state)
{
	const struct index_reader timed = { .began_ms = 1000, .deadline_ms = 3000 },
	                          endless = { .began_ms = 1000 };

	(void)state;
	assert_int_equal(index_reader_until(&timed, 30), 1600);
	assert_int_equal(index_reader_until(&timed, 100), 3000);
	assert_int_equal(index_reader_until(&timed, 0), 1000);
	assert_int_equal(index_reader_until(&endless, 30), 0);
}

static void a_repository_is_opened_once(void **state)
{
	(void)state;
	struct repo *first = index_reader_repo(&r, &e);
	assert_non_null(first);
	assert_ptr_equal(index_reader_repo(&r, &e), first);
	assert_int_equal(e.code, 0);
}

static void it_is_moved_away_and_comes_back(void **state)
{
	(void)state;
	assert_non_null(index_reader_repo(&r, &e));
	run("mv here away");
	for (int i = 0; i < 2; i++) {
		e = (struct err){ 0 };
		assert_null(index_reader_repo(&r, &e));
		assert_int_equal(e.code, ERR_NOT_FOUND);
		assert_string_equal(e.msg, READER_REPO_MISSING);
		assert_string_equal(
		    e.hint, "What is indexed can still be found, but texts cannot be shown.");
		assert_null(index_reader_repo(&r, NULL));
	}
	run("mv there here");
	e = (struct err){ 0 };
	assert_non_null(index_reader_repo(&r, &e));
	assert_int_equal(e.code, 0);
}

/* No answer tells a path of this machine. */
static void git_cannot_read_it(void **state)
{
	(void)state;
	run("git -C here config core.repositoryformatversion 99");
	assert_null(index_reader_repo(&r, &e));
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(e.msg, READER_UNREADABLE);
	assert_non_null(strstr(e.hint, "texts cannot be shown"));
}

static void an_index_without_a_ranking(void **state)
{
	(void)state;
	r.db = db_open(arena_printf(a, "%s/empty.db", dir), DB_CREATE, &e);
	assert_non_null(r.db);
	r.info.generation = 7;
	for (int i = 0; i < 2; i++) {
		e = (struct err){ 0 };
		assert_null(index_reader_ranking(&r, &e));
		assert_int_not_equal(e.code, 0);
	}
	assert_null(index_reader_vectors(&r, &e));
	index_reader_reset(&r);
	assert_null(r.db);
	assert_int_equal(r.info.generation, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(how_long_a_part_may_take, begin, end),
		cmocka_unit_test_setup_teardown(a_repository_is_opened_once, begin, end),
		cmocka_unit_test_setup_teardown(it_is_moved_away_and_comes_back, begin, end),
		cmocka_unit_test_setup_teardown(git_cannot_read_it, begin, end),
		cmocka_unit_test_setup_teardown(an_index_without_a_ranking, begin, end),
	};

	repo_init();
	log_init("test", LOG_ERROR + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
