/* Which ends of lines and words Kotlin's grammar does not see. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/line_ends.h"
#include "tests/language_rules.h"

static struct arena *a;
static struct rules *kotlin;

/* The text with `~` for each byte that is left out, and `^` for each end of line that is read as a blank. */
static const char *marked(const char *text)
{
	char *copy = exact_copy(text), *out = arena_str(a, text);
	struct excluded_range *v;
	size_t n = line_ends_find(kotlin, copy, strlen(text), a, &v);

	for (size_t i = 0; i < n; i++) {
		assert_true(!i || v[i].to > v[i - 1].to);
		for (size_t k = v[i].from; k < v[i].to; k++)
			out[k] = '~';
		if (v[i].from == v[i].to)
			out[v[i].to - 1] = '^';
	}
	free(copy);
	return out;
}

/* clang-format off */
static const struct { const char *text, *marked; } texts[] = {
	{ "", "" },
	{ "class A", "class A" },
	/* annotations */
	{ "@P(1)\nclass A", "@P(1)~class A" },
	{ "@P(1) \t\r\nclass A", "@P(1)~~~~class A" },
	{ "@P(\"/a)\")\nclass A", "@P(\"/a)\")~class A" },
	{ "@P(\"a\\\")\")\nclass A", "@P(\"a\\\")\")~class A" },
	{ "@P(\"a\n)\nclass A", "@P(\"a\n)~class A" },	/* a string ends with its line */
	{ "@P(a(b), c)\nfun f()", "@P(a(b), c)~fun f()" },
	{ "@P(\n1\n)\nclass A", "@P(\n1\n)~class A" },
	{ "@a.b_1.P(1)\nx", "@a.b_1.P(1)\nx" },	/* no capital */
	{ "@P.b_1(1)\nx", "@P.b_1(1)~x" },
	{ "@P(1)\n@Q(2)\nclass A", "@P(1)~@Q(2)~class A" },
	{ "@P(1)\n@q(2)\nclass A", "@P(1)\n@q(2)\nclass A" },
	{ "@P(1)\n\nclass A", "@P(1)\n\nclass A" },
	{ "@P(1)\n  fun f()", "@P(1)\n  fun f()" },
	{ "@P(1)\n", "@P(1)\n" },
	{ "@P(1)", "@P(1)" },
	{ "@P(1) class A\n@Q(1)\nx", "@P(1) class A\n@Q(1)~x" },
	{ "@P\nclass A", "@P\nclass A" },
	{ "@P[1]\nclass A", "@P[1]\nclass A" },
	{ "@P(1\nclass A", "@P(1\nclass A" },
	{ "@P(1\n@Q)\nx", "@P(1\n@Q)~x" },
	{ " @P(1)\nclass A", " @P(1)\nclass A" },	/* only where a line begins */
	{ "x @P(1)\nclass A", "x @P(1)\nclass A" },
	{ "@", "@" },
	{ "@P", "@P" },
	{ "@P(\"", "@P(\"" },
	/* heads of classes */
	{ "class A\nconstructor(x: Int)", "class A^constructor(x: Int)" },
	{ "class A\n  private constructor(x: Int)", "class A^  private constructor(x: Int)" },
	{ "class A<T>\nconstructor(x: Int)", "class A<T>^constructor(x: Int)" },
	{ "class A_\nconstructor()", "class A_^constructor()" },
	{ "class A  \nconstructor()", "class A  ^constructor()" },
	{ "class A {\nconstructor()", "class A {\nconstructor()" },
	{ "class A :\nconstructor()", "class A :\nconstructor()" },
	{ "class A\nconstructor", "class A\nconstructor" },
	{ "class A\nconstructors()", "class A\nconstructors()" },
	{ "class A\n@Inject\nconstructor()", "class A^@Inject^constructor()" },
	{ "class A\n@Inject(1)\ninternal\nconstructor()", "class A^@Inject(1)^internal^constructor()" },
	{ "class A\n@a.B:c\nconstructor()", "class A^@a.B:c^constructor()" },
	{ "class A\n@P(1) {\nconstructor()", "class A\n@P(1) {\nconstructor()" },
	{ "class A\n\nconstructor()", "class A\n\nconstructor()" },
	{ "class A\nval x = 1\nconstructor()", "class A\nval x = 1\nconstructor()" },
	{ "class A\nprivate", "class A\nprivate" },
	{ "class A\nclass B\nconstructor()", "class A\nclass B^constructor()" },
	{ "class A\nconstructor()\nprivate\nconstructor()", "class A^constructor()\nprivate\nconstructor()" },
	{ "class A\nconstructor()\nclass B\nconstructor()", "class A^constructor()\nclass B^constructor()" },
	{ "data class A\nconstructor()", "data class A^constructor()" },
	{ "@P(1) class A\nconstructor()", "@P(1) class A^constructor()" },
	{ "x.class A\nconstructor()", "x.class A\nconstructor()" },
	{ "object A\nconstructor()", "object A\nconstructor()" },
	/* an end of line that is both is a blank */
	{ "class A\n@P(1)\nconstructor()", "class A^@P(1)^constructor()" },
	{ "@Q(1)\nclass A\nconstructor()", "@Q(1)~class A^constructor()" },
};
/* clang-format on */

static void ends_of_lines_that_are_hidden(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(texts); i++)
		assert_string_equal(marked(texts[i].text), texts[i].marked);
}

/* After 64 annotations that do not end, nothing more is looked for; and no more than 4,096 are found. */
static void how_many(void **state)
{
	struct excluded_range *v;
	struct buf b = { 0 };

	(void)state;
	for (int n = 63; n <= 64; n++) {
		b.n = 0;
		buf_printf(&b, "@P(1)\nx\n");
		for (int i = 0; i < n; i++)
			buf_printf(&b, "@P(\n");
		assert_int_equal(line_ends_find(kotlin, b.p, b.n, a, &v), 1);
		for (int i = 0; i < n; i++)
			buf_printf(&b, ")"); /* now they all end */
		buf_printf(&b, "\nx");
		assert_int_equal(line_ends_find(kotlin, b.p, b.n, a, &v), 2);
	}
	b.n = 0;
	for (int i = 0; i < 4097; i++)
		buf_printf(&b, "@P(1)\nx\n");
	assert_int_equal(line_ends_find(kotlin, b.p, b.n, a, &v), EXCLUDED_MAX);
	assert_int_equal(v[EXCLUDED_MAX - 1].to, 8 * 4096 - 2);
	buf_free(&b);
}

static void words_that_are_omitted(void **state)
{
	/* clang-format off */
	static const struct { const char *text, *omitted; } cases[] = {
		{ "fun interface A", "    interface A" }, { "x fun\t interface A {}", "x    \t interface A {}" },
		{ "fun interface A\nfun interface B", "    interface A\n    interface B" }, { "fun interfaces()", NULL }, { "fun f()", NULL },
		{ "afun interface A", NULL }, { ".fun interface A", NULL }, { "fun\ninterface A", NULL }, { "fun interface", NULL },
		{ "fun interface.a", NULL }, { "fun", NULL }, { "funinterface A", NULL }, { "fun fun interface A", "fun     interface A" },
	};
	/* clang-format on */

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		char *copy = exact_copy(cases[i].text);
		size_t n = strlen(cases[i].text);
		const char *got = line_ends_omit(kotlin, copy, n, a);
		assert_int_equal(got == copy, !cases[i].omitted);
		assert_memory_equal(got, cases[i].omitted ? cases[i].omitted : cases[i].text, n);
		free(copy);
	}
}

static void other_languages_have_none(void **state)
{
	struct rules *java = language_rules("java");
	const char *text = "@P(1)\nclass A\nconstructor() fun interface A";
	struct excluded_range *v;

	(void)state;
	assert_int_equal(line_ends_find(java, text, strlen(text), a, &v), 0);
	assert_ptr_equal(line_ends_omit(java, text, strlen(text), a), text);
	rules_free(java);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_of_lines_that_are_hidden),
		cmocka_unit_test(how_many),
		cmocka_unit_test(words_that_are_omitted),
		cmocka_unit_test(other_languages_have_none),
	};

	a = arena_new();
	kotlin = language_rules("kotlin");
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	rules_free(kotlin);
	arena_free(a);
	return rc;
}
