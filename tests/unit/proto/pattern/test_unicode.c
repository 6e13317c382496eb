/*
 * The tables of unicode.def are those that PCRE2 has.  With RECORD set, the test prints their rows as PCRE2 has them now.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"

#include "proto/pattern/unicode_sets.c"

static struct arena *a;

static const struct charset *property(const char *name)
{
	const struct charset *set = unicode_property(name, strlen(name));

	assert_non_null(set);
	return set;
}

static const struct charset *union_of(const char *const *names)
{
	const struct charset *all = property(names[0]);

	for (size_t i = 1; names[i]; i++)
		all = charset_union(a, all, property(names[i]));
	return all;
}

static void print(const char *row, const struct charset *set)
{
	if (!getenv("RECORD"))
		return;
	for (size_t i = 0; i < set->n; i++)
		printf("%s(0x%x, 0x%x)%c", row, set->ranges[i].first, set->ranges[i].last,
		    i % 5 == 4 || i + 1 == set->n ? '\n' : ' ');
}

static void sets_are_those_of_properties(void **state)
{
	const struct charset *all = union_of((const char *const[]){
		"alphabetic", "m", "nd", "pc", "joincontrol", NULL });

	(void)state;
	print("WORD", all);
	print("DIGIT", property("nd"));
	print("SPACE", property("whitespace"));
	assert_true(charset_equal(unicode_word(), all));
	assert_true(charset_equal(unicode_digit(), property("nd")));
	assert_true(charset_equal(unicode_space(), property("whitespace")));
}

/* The characters of `cased` that PCRE2 takes for `c` when case does not matter. */
static struct ranges equal_to(uint32_t c, const struct buf *cased)
{
	char pattern[20];
	struct ranges equal = { 0 };
	int n = snprintf(pattern, sizeof pattern, "\\x{%x}", c);
	pcre2_code *code = compile(pattern, (size_t)n, PCRE2_CASELESS);

	assert_non_null(code);
	find_ranges(code, cased, &equal);
	pcre2_code_free(code);
	return equal;
}

/* Whether the tables have the pair next; RECORD: print it as a rule of its own. */
static size_t check_pair(size_t at, uint32_t c, uint32_t other)
{
	if (getenv("RECORD"))
		printf("CASE(0x%x, 0x%x, 1, %ld)\n", c, c, (long)other - (long)c);
	assert_true(at < ncase_pairs);
	assert_int_equal(case_pairs[at].c, c);
	assert_int_equal(case_pairs[at].other, other);
	return at + 1;
}

static void pairs_are_those_of_the_library(void **state)
{
	const struct charset *set = property("changeswhencasemapped");
	struct buf cased = { 0 };
	size_t at = 0;

	(void)state;
	make_case_pairs();
	for (size_t i = 0; i < set->n; i++)
		for (uint32_t c = set->ranges[i].first; c <= set->ranges[i].last; c++)
			put_character(&cased, c);
	for (size_t i = 0; i < set->n; i++)
		for (uint32_t c = set->ranges[i].first; c <= set->ranges[i].last; c++) {
			struct ranges equal = equal_to(c, &cased);
			for (size_t k = 0; k < equal.n; k++)
				if (equal.v[k].first != c)
					at = check_pair(at, c, equal.v[k].first);
			free(equal.v);
		}
	assert_int_equal(at, ncase_pairs);
	buf_free(&cased);
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_are_those_of_properties),
		cmocka_unit_test(pairs_are_those_of_the_library),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
