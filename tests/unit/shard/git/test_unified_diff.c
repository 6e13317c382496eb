/* Diffs of people and programs in the form of git's, in tests/answers/unified_diff.txt (text_cases.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shard/git/unified_diff.h"
#include "tests/text_cases.h"

static void says(const char *header, const char *text, size_t n, struct buf *said, struct arena *a)
{
	(void)header;
	buf_str(said, unified_diff_normalize(arena_strn(a, text, n), a));
}

static void diffs_get_one_form(void **state)
{
	(void)state;
	text_cases_check("tests/answers/unified_diff.txt", says);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(diffs_get_one_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
