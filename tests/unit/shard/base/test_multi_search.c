/* Searching many words at once gives the same result as searching each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/base/multi_search.h"

static void words_in_words(void **state)
{
	static const char *const words[] = { "he", "she", "his", "hers", "", "she" };
	static const struct { const char *text; bool want[6]; } cases[] = {
		{ "ushers", { true, true, false, true, false, true } }, { "his", { false, false, true } }, { "h", { false } },
		{ "", { false } }, { "shis", { false, false, true } }, { "SHE", { false } }, { "s\0he", { true } },
	};
	struct arena *a = arena_new();
	struct multi_search *k = multi_search_new(a);

	(void)state;
	for (unsigned i = 0; i < LEN(words); i++)
		multi_search_add(k, words[i], strlen(words[i]), i);
	multi_search_compile(k);
	for (size_t i = 0; i < LEN(cases); i++) {
		bool found[LEN(words)] = { false };
		size_t n = i == LEN(cases) - 1 ? 4 : strlen(cases[i].text);
		multi_search_find(k, cases[i].text, n, found);
		for (size_t w = 0; w < LEN(words); w++)
			if (found[w] != cases[i].want[w])
				fail_msg("\"%s\" in \"%s\": %d", words[w], cases[i].text, found[w]);
	}
	arena_free(a);
}

static void nothing_to_look_for(void **state)
{
	struct arena *a = arena_new();
	struct multi_search *k = multi_search_new(a);
	bool found[1] = { false };

	(void)state;
	multi_search_compile(k);
	multi_search_find(k, "text", 4, found);
	assert_false(found[0]);
	arena_free(a);
}

/* Of few letters, so that words overlap in every way. */
static void random_text(char *s, size_t n, unsigned *seed)
{
	for (size_t i = 0; i < n; i++)
		s[i] = (char)("abc\xff"[(unsigned)rand_r(seed) % 4]);
}

static void as_memmem_says(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 500; round++) {
		unsigned seed = round;
		struct arena *a = arena_new();
		struct multi_search *k = multi_search_new(a);
		char words[12][6], text[40];
		size_t lengths[12], n = (size_t)rand_r(&seed) % sizeof text;
		bool found[12] = { false };

		for (unsigned i = 0; i < 12; i++) {
			lengths[i] = 1 + (size_t)rand_r(&seed) % 6;
			random_text(words[i], lengths[i], &seed);
			multi_search_add(k, words[i], lengths[i], i);
		}
		multi_search_compile(k);
		random_text(text, n, &seed);
		multi_search_find(k, text, n, found);
		for (size_t i = 0; i < 12; i++)
			if (found[i] != (memmem(text, n, words[i], lengths[i]) != NULL))
				fail_msg("round %u: word %zu", round, i);
		arena_free(a);
	}
}

/* A long text is read at several places at once. */
static void anywhere_in_a_long_text(void **state)
{
	struct arena *a = arena_new();
	struct multi_search *k = multi_search_new(a);
	char text[320];

	(void)state;
	multi_search_add(k, "needle", 6, 0);
	multi_search_add(k, "el", 2, 1);
	multi_search_compile(k);
	for (size_t n = 270; n < sizeof text; n++)
		for (size_t at = 0; at + 6 <= n; at++) {
			bool found[2] = { false }, none[2] = { false };
			memset(text, 'e', n);
			memcpy(text + at, "needl", 5);
			multi_search_find(k, text, n, found);
			multi_search_find(k, text, at + 5, none);
			if (!found[0] || found[1] || none[0])
				fail_msg("at %zu of %zu: %d %d %d", at, n, found[0], found[1], none[0]);
			text[at + 5] = 'l';
			multi_search_find(k, text, n, none);
			if (none[0])
				fail_msg("at %zu of %zu: not there", at, n);
			text[at + 4] = 'e';
			multi_search_find(k, text, n, none);
			if (!none[1])
				fail_msg("at %zu of %zu: el", at, n);
		}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_in_words), cmocka_unit_test(nothing_to_look_for), cmocka_unit_test(as_memmem_says),
		cmocka_unit_test(anywhere_in_a_long_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
