/* Bloom filters: what was added is always found, and little else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "proto/text/bloom_filter.h"

static uint64_t word(const char *kind, int i)
{
	char text[32];

	snprintf(text, sizeof text, "%s%d", kind, i);
	return bloom_hash(text);
}

static void no_word_is_lost(void **state)
{
	static const int sizes[] = { 0, 1, 2, 50, 51, 52, 1000, 20000 };

	(void)state;
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		size_t bytes = bloom_size((size_t)sizes[s]);
		uint8_t *sketch = calloc(bytes + 1, 1);	/* and a byte that nobody may touch */
		assert_non_null(sketch);
		for (int i = 0; i < sizes[s]; i++)
			bloom_add(sketch, bytes, word("load", i));
		for (int i = 0; i < sizes[s]; i++)
			assert_true(bloom_may_contain(sketch, bytes, word("load", i)));
		int wrong = 0, asked = 2000;
		for (int i = 0; i < asked; i++)
			wrong += bloom_may_contain(sketch, bytes, word("save", i));
		assert_in_range(wrong, 0,
		    asked / 25); /* one in a hundred, and one block may have more than its share */
		assert_int_equal(sketch[bytes], 0);
		free(sketch);
	}
}

static void what_is_none_rules_nothing_out(void **state)
{
	static const uint8_t zero[256];

	(void)state;
	assert_true(bloom_may_contain(zero, 0, word("load", 1)));
	assert_true(bloom_may_contain(NULL, 0, word("load", 1)));
	assert_true(bloom_may_contain(zero, 63, word("load", 1)));
	assert_true(bloom_may_contain(zero, 65, word("load", 1)));
	assert_false(bloom_may_contain(zero, 64, word("load", 1)));
}

/* Both ends of a federation must set the same bits: changing them changes the wire protocol. */
static void hashes_stay(void **state)
{
	(void)state;
	assert_true(bloom_hash("") && bloom_hash_key(""));
	assert_true(bloom_hash("load_users") != bloom_hash("load_user"));
	assert_true(bloom_hash_key("load") == bloom_hash("=load"));
	assert_true(bloom_hash_key("load") != bloom_hash("load"));
	assert_int_equal(bloom_hash("load_users"), 0xc92cca89c66e8179u);
	assert_int_equal(bloom_size(0), 64);
	assert_int_equal(bloom_size(1000) % 64, 0);
	assert_in_range(bloom_size(1000), 1250, 1250 + 64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_word_is_lost),
		cmocka_unit_test(what_is_none_rules_nothing_out),
		cmocka_unit_test(hashes_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
