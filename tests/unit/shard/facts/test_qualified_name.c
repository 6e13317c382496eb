/* Qualified names are bounded, unique, stable, and end with the definition's own name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "shard/facts/qualified_name.h"

static void test_short_names_are_joined(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	assert_string_equal(qualified_join(a, "Shop", "open"), "Shop.open");
	arena_free(a);
}

static const char *nested(struct arena *a, const char *outermost, int depth)
{
	const char *name = outermost;

	for (int i = 0; i < depth; i++)
		name = qualified_join(a, name, arena_printf(a, "f%d", i));
	return name;
}

static void test_deep_names_are_bounded(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	for (int depth = 0; depth < 2000; depth++) {
		const char *name = nested(a, "top", depth);
		assert_true(strlen(name) <= QUALIFIED_MAX);
		assert_int_equal(strncmp(name, "top", 3), 0);
		arena_reset(a);
	}
	arena_free(a);
}

static void test_deep_names_differ_where_their_parents_do(void **state)
{
	struct arena *a = arena_new();
	const char *around = nested(a, "top", 1000);
	const char *one = qualified_join(a, qualified_join(a, around, "a"), "end"),
	           *other = qualified_join(a, qualified_join(a, around, "b"), "end");

	(void)state;
	assert_string_not_equal(one, other);
	assert_string_equal(one + strlen(one) - 4, ".end");
	assert_string_equal(one, qualified_join(a, qualified_join(a, around, "a"), "end"));
	arena_free(a);
}

static void test_a_name_to_look_up_is_the_same(void **state)
{
	struct arena *a = arena_new();
	char room[QUALIFIED_ROOM];

	(void)state;
	for (int depth = 0; depth < 300; depth++) {
		const char *around = nested(a, "top", depth);
		qualified_join_to(room, around, "end");
		assert_string_equal(room, qualified_join(a, around, "end"));
		arena_reset(a);
	}
	arena_free(a);
}

static void test_a_cut_keeps_whole_characters(void **state)
{
	struct arena *a = arena_new();
	char around[QUALIFIED_MAX + 2] = "x";

	(void)state;
	for (size_t i = 1; i + 1 < sizeof around - 1; i += 2)
		memcpy(around + i, "\xc3\xa9", 2);
	const char *name = qualified_join(a, around, "end"), *mark = strstr(name, ".~");
	assert_non_null(mark);
	assert_int_equal((mark - name) % 2, 1);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_names_are_joined),
		cmocka_unit_test(test_deep_names_are_bounded),
		cmocka_unit_test(test_deep_names_differ_where_their_parents_do),
		cmocka_unit_test(test_a_name_to_look_up_is_the_same),
		cmocka_unit_test(test_a_cut_keeps_whole_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
