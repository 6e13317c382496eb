#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "coordinator/records/records.h"
#include "coordinator/tools/grep_counts.h"
#include "proto/base/arena.h"

static int set_up(void **state)
{
	*state = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	arena_free(*state);
	return 0;
}

static void the_fifty_repositories_with_most_lines_are_told(void **state)
{
	enum { N = 70, WITHOUT = 10 };
	struct arena *a = *state;
	struct grep_out out = { 0 };
	struct grep_repo *v = arena_many(a, N, struct grep_repo);

	for (size_t i = 0; i < N; i++)
		v[i] = (struct grep_repo){ "r", arena_printf(a, "h/r%02zu", i), i < WITHOUT ? 0 : i / 2,
			1 };
	grep_counts_by_repo(&out, v, N);
	assert_int_equal(out.repos_total, N - WITHOUT);
	assert_int_equal(out.by_repo.n, GREP_COUNTS_MAX);
	assert_string_equal(out.by_repo.v[0].repo_uri, "h/r68");
	assert_string_equal(out.by_repo.v[1].repo_uri, "h/r69");
	assert_int_equal(out.by_repo.v[GREP_COUNTS_MAX - 1].lines, 10);
}

static void nothing_found_is_no_row(void **state)
{
	struct grep_out out = { 0 };
	struct grep_repo none = { "r", "h/r", 0, 0 };
	const struct grep_res empty = { 0 };

	grep_counts_by_repo(&out, &none, 1);
	grep_counts_by_language(&out, (const struct grep_res *[]){ &empty }, 1, *state);
	assert_int_equal(out.by_repo.n + out.repos_total, 0);
	assert_int_equal(out.by_language.n + out.languages_total, 0);
}

static void languages_are_summed_over_shards(void **state)
{
	struct grep_language one[] = { { "go", 3, 1 }, { NULL, 2, 2 } };
	struct grep_language two[] = { { NULL, 4, 1 }, { "c", 3, 3 }, { "go", 1, 1 } };
	const struct grep_res x = { .by_language = { one, 2 } }, y = { .by_language = { two, 3 } };
	struct grep_out out = { 0 };

	grep_counts_by_language(&out, (const struct grep_res *[]){ &x, &y }, 2, *state);
	assert_int_equal(out.by_language.n, 3);
	assert_int_equal(out.languages_total, 3);
	assert_null(out.by_language.v[0].language);
	assert_int_equal(out.by_language.v[0].lines, 6);
	assert_int_equal(out.by_language.v[0].files, 3);
	assert_string_equal(out.by_language.v[1].language, "go");
	assert_int_equal(out.by_language.v[1].lines, 4);
	assert_string_equal(out.by_language.v[2].language, "c");
}

static void the_fifty_languages_with_most_lines_are_told(void **state)
{
	enum { N = 60 };
	struct arena *a = *state;
	struct grep_language *v = arena_many(a, N, struct grep_language);
	struct grep_res x = { .by_language = { v, N } };
	struct grep_out out = { 0 };

	for (size_t i = 0; i < N; i++)
		v[i] = (struct grep_language){ arena_printf(a, "l%zu", i), i + 1, 1 };
	grep_counts_by_language(&out, (const struct grep_res *[]){ &x }, 1, a);
	assert_int_equal(out.by_language.n, GREP_COUNTS_MAX);
	assert_int_equal(out.languages_total, N);
	assert_string_equal(out.by_language.v[0].language, "l59");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    the_fifty_repositories_with_most_lines_are_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_found_is_no_row, set_up, tear_down),
		cmocka_unit_test_setup_teardown(languages_are_summed_over_shards, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    the_fifty_languages_with_most_lines_are_told, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
