/* Queries as text: what is said once for several rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/syntax/query_source.h"

static void each_row_is_written(void **state)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "(a) @path\n; a comment\n", "(a) @path\n; a comment\n" },
		{ "; each VERB PATH\n;   get | /users\n;   put |\n(a \"$VERB\" \"$PATH\" \"$VERBS $VER $\") ; why\n; end\n(b)\n",
		    "\n\n\n(a \"get\" \"/users\" \"getS $VER $\") ; why\n(a \"put\" \"\" \"putS $VER $\")  \n(b)\n" },
		{ "; each HEAD TAIL\n;   |\n;   (a (b | ))\n; each X\n;   1\n;   2\n$HEAD(c $X)$TAIL\n; end\n; end\n",
		    "\n\n\n\n\n\n(c 1)\n(c 2) \n   (a (b(c 1))) (a (b(c 2)))  \n" },
		{ "; each X\n;   a|b\n\"$X\"\n; end\n", "\n\n\"a|b\"\n\n" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct buf out = { 0 };
		assert_int_equal(query_expand_each(cases[i].text, &out, NULL), 0);
		assert_string_equal(out.p, cases[i].want);
		buf_free(&out);
	}
}

static void what_lacks_a_part_is_refused(void **state)
{
	static const struct { const char *text, *want; } cases[] = {
		{ "; each X\n;   a\n(a)\n", "`; each X` has no `; end`" },
		{ "; each X\n(a)\n; end\n", "`; each X` has no rows" },
		{ "; each X\n;   a\n; each Y\n;   b\n(a)\n; end\n", "`; each X` has no `; end`" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct buf out = { 0 };
		struct err e = { 0 };
		assert_int_equal(query_expand_each(cases[i].text, &out, &e), -1);
		assert_string_equal(e.msg, cases[i].want);
		buf_free(&out);
	}
}

static void shapes_become_rows(void **state)
{
	static const char *const shapes[] = { NULL, "; shape b X\n(own $X)\n; end\n",
		"; shape a X Y\n(a $X)\n; rows b\n;   $Y\n; end\n; shape b X\n(b $X)\n; end\n" };
	static const char text[] = "(c)\n; rows a\n;   1 | 2\n(d)\n";
	struct buf out = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(query_expand_shapes(text, shapes, 3, &out, &e), 0);
	assert_string_equal(out.p,
	    "(c)\n; each X Y\n;   1 | 2\n(a $X)\n; each X\n;   $Y\n(own $X)\n; end\n; end\n(d)\n");
	assert_int_equal(query_expand_shapes("; rows c\n;   1\n", shapes, 3, &out, &e), -1);
	assert_string_equal(e.msg, "no shape `c`");
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_is_written),
		cmocka_unit_test(what_lacks_a_part_is_refused),
		cmocka_unit_test(shapes_become_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
