/* What Rust's macros make of their arguments: the text that is appended, and the lines it stands on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/macro_expansion.h"
#include "tests/language_rules.h"

static struct arena *a;
static struct rules *rust;

/* The appended text, part by part, each with its line: `2: f("/a")`. */
static const char *expanded(const char *text)
{
	struct macro_expansion x;
	char *copy = exact_copy(text);
	size_t n = strlen(text);
	const char *out = "nothing";
	struct buf b = { 0 };

	if (macros_expand(rust, copy, n, a, &x)) {
		assert_memory_equal(x.text, text, n);
		assert_int_equal(x.part[0].from, n);
		assert_int_equal(x.part[x.nparts - 1].to, x.n);
		for (size_t i = 0; i < x.nparts; i++) {
			assert_true(!i || x.part[i].from == x.part[i - 1].to);
			buf_printf(&b, "%u:%.*s\n", x.part[i].line, (int)(x.part[i].to - x.part[i].from),
			    x.text + x.part[i].from);
		}
		out = arena_strn(a, b.p, b.n - 1);
	}
	buf_free(&b);
	free(copy);
	return out;
}

/* clang-format off */
static const struct { const char *text, *expanded; } texts[] = {
	{ "fn f() { g(\"/a\") }", "nothing" },
	{ "macro_rules! m { () => { f(\"/a\") } }", "nothing" },	/* nobody uses it */
	{ "macro_rules! m { () => { f(\"/a\") } }\nm!();", "0: f(\"/a\")" },
	{ "macro_rules! m { () => { f(\"a\") } }\nm!();", "nothing" },	/* no path is written */
	{ "macro_rules! m { () => { f(\"/\") } }\nm!();", "0: f(\"/\")" },
	{ "macro_rules! m { () => { f('/') } }\nm!();", "nothing" },
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nm!(\"/a\");", "0: f(\n1:\"/a\"\n0:)" },
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nm!(\"a\");", "nothing" },
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nm!{\"/a\"}\nm![\"/b\"];", "1: f(\"/a\")\n2: f(\"/b\")" },
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nn!(\"/a\");", "nothing" },
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nm(\"/a\");", "nothing" },
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nfn g() { m!(\"/a\"); }", "nothing" },	/* not at the top */
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nm!(\"/a\" x);", "nothing" },	/* no rule matches */
	{ "macro_rules! m { ($p:literal) => { f($p) }; ($p:literal x) => { g($p) } }\nm!(\"/a\" x);", "0: g(\n1:\"/a\"\n0:)" },
	{ "macro_rules! m { ($p:literal) => { f($p) } ($q:ident) => { g($q, \"/b\") } }\nm!(a);", "0: g(\n1:a\n0:, \"/b\")" },
	/* the first rule counts */
	{ "macro_rules! m { ($($t:tt)*) => { f($($t)*) }; (\"/a\") => { g() } }\nm!(\"/a\");", "0: f(\n1:\"/a\"\n0:)" },
	/* a macro that is used twice stands on the lines of its uses, or each repetition on its own */
	{ "macro_rules! m { ($p:literal) => {\n f($p)\n} }\n\nm!(\"/a\");\nm!(\n\"/b\");", "4: f(\"/a\")\n6: f(\"/b\")" },
	{ "macro_rules! m { ($($p:literal),*) => { $(f($p);)* } }\nm!(\"/a\",\n\"/b\");", "1: f(\"/a\");\n2:f(\"/b\");" },
	{ "macro_rules! m { ($($p:literal),*) => { [$($p),*] } }\nm!(\"/a\", \"/b\");", "0: [\n1:\"/a\",\"/b\"\n0:]" },
	{ "macro_rules! m { ($($p:literal = $v:ident),*) => { $($v($p))* } }\nm!(\"/a\" = x, \"/b\" = y);", "1: x(\"/a\")y(\"/b\")" },
	{ "macro_rules! m { ($n:ident; $($p:literal),*) => { $($n($p);)* } }\nm!(x; \"/a\", \"/b\");", "1: x(\"/a\");x(\"/b\");" },
	{ "macro_rules! m { ($($p:literal: $($v:ident)*),*) => { $($($v($p);)*)* } }\nm!(\"/a\": x y, \"/b\": z);",
	    "1: x(\"/a\");y(\"/a\");z(\"/b\");" },
	{ "macro_rules! m { ($($p:literal),*) => { $(f();)* } }\nm!(\"/a\");", "nothing" },	/* no variable says how often */
	/* macros in macros */
	{ "macro_rules! m { ($p:literal) => { f($p) } }\nmacro_rules! n { () => { m!(\"/a\") } }\nn!();", "1: f(\"/a\")" },
	{ "macro_rules! m { ($p:literal) => { x!($p) } }\nm!(\"/a\");", "0: x!(\n1:\"/a\"\n0:)" },
	{ "macro_rules! m { ($p:literal) => { m!($p) } }\nm!(\"/a\");", "1: m!(\"/a\")" },	/* without end: 16 times */
	/* blanks */
	{ "macro_rules! m { ($a:ident $b:ident) => { pub fn $a(\"/a\")$b } }\nm!(x y);", "0: pub fn\n1: x\n0:(\"/a\")\n1:y" },
	{ "macro_rules! m { ($a:ident $b:ident) => { $a$b(\"/a\") } }\nm!(x y);", "1: x y\n0:(\"/a\")" },
	{ "macro_rules! m { ($t:expr) => { f($t) } }\nm!(\"/a\" + b);", "0: f(\n1:\"/a\" + b\n0:)" },
	/* $crate, and what is no variable */
	{ "macro_rules! m { () => { $crate::f(\"/a\") } }\nm!();", "0: crate::f(\"/a\")" },
	{ "macro_rules! m { ($p:literal) => { f($q, $p) } }\nm!(\"/a\");", "0: f(q,\n1: \"/a\"\n0:)" },
	/* no definitions */
	{ "macro_rules! m (($p:literal) => { f($p) });\nm!(\"/a\");", "0: f(\n1:\"/a\"\n0:)" },
	{ "macro_rules! m { ($p:literal) -> { f($p) } }\nm!(\"/a\");", "nothing" },
	{ "macro_rules! m { ($p:literal) => f }\nm!(\"/a\");", "nothing" },
	{ "macro_rules! m ;\nm!(\"/a\");", "nothing" },
	{ "macro_rules m { ($p:literal) => { f($p) } }\nm!(\"/a\");", "nothing" },
	{ "macro_rules! m { ($p:literal) => { f($p) }\nm!(\"/a\");", "nothing" },	/* brackets do not match */
	{ "m!(\"/a\"); // macro_rules", "nothing" },
};
/* clang-format on */

static void macros_make_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(texts); i++) {
		const char *got = expanded(texts[i].text);
		if (strcmp(got, texts[i].expanded) != 0)
			fail_msg("%s\nis\n%s\nnot\n%s", texts[i].text, got, texts[i].expanded);
	}
}

/* Many of one kind; then the use of the last one. */
static const char *many(const char *each, int n, const char *last)
{
	struct buf b = { 0 };

	for (int i = 0; i < n; i++)
		buf_printf(&b, each, i);
	buf_printf(&b, "%s", last);
	const char *text = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return text;
}

static void how_many_macros_and_rules(void **state)
{
	const char *macro = "macro_rules! m%d { () => { f(\"/a\") } }\n",
	           *rule = "(x%d) => { f(\"/a\") };";

	(void)state;
	assert_string_equal(expanded(many(macro, 64, "m63!();")), "63: f(\"/a\")");
	assert_string_equal(expanded(many(macro, 65, "m64!();")), "nothing");
	assert_string_equal(expanded(many(macro, 65, "m63!();")), "63: f(\"/a\")");
	assert_string_equal(
	    expanded(many("macro_rules! m {", 1, many(rule, 16, "}\nm!(x15);"))), "0: f(\"/a\")");
	assert_string_equal(
	    expanded(many("macro_rules! m {", 1, many(rule, 17, "}\nm!(x16);"))), "nothing");
}

/* The lines of at most 1,000 parts; what is beyond stands on the last of these. */
static void how_many_parts(void **state)
{
	struct macro_expansion x;
	const char *text = many("m!(\"/%d\");\n", 1001, "");

	(void)state;
	text = arena_printf(a, "macro_rules! m { ($p:literal) => { f($p) } }\n%s", text);
	assert_true(macros_expand(rust, text, strlen(text), a, &x));
	assert_int_equal(x.nparts, EXPANDED_PARTS);
	assert_int_equal(x.part[0].line, 1);
	assert_int_equal(x.part[999].line, 1000);
	assert_int_equal(x.part[999].to, x.n);
}

static int count(const char *text, size_t n, const char *what)
{
	const char *end = text + n, *at = text;
	int found = 0;

	while ((at = memmem(at, (size_t)(end - at), what, strlen(what)))) {
		at++;
		found++;
	}
	return found;
}

/* How often the word is in what was appended to a text. */
static int appended(const struct macro_expansion *x, const char *text, const char *what)
{
	return count(x->text + strlen(text), x->n - strlen(text), what);
}

/* A macro in itself is expanded 16 times; one that doubles itself, 2,000 times: then what is left stands there as it is. */
static void macros_without_end(void **state)
{
	struct macro_expansion x;
	const char *once = "macro_rules! m { ($p:literal) => { x m!($p) } }\nm!(\"/a\");",
	           *twice = "macro_rules! m { ($p:literal) => { m!($p); m!($p) } }\nm!(\"/a\");";

	(void)state;
	assert_true(macros_expand(rust, once, strlen(once), a, &x));
	assert_int_equal(appended(&x, once, "x"), 16);
	assert_true(macros_expand(rust, twice, strlen(twice), a, &x));
	assert_int_equal(appended(&x, twice, "m!"), 2001);
}

/* No more than 200,000 tokens are made: whole uses of 15,010 tokens. */
static void macros_that_make_much(void **state)
{
	struct macro_expansion x;
	const char *text = arena_printf(a,
	    "macro_rules! m { ($($p:literal)*) => { $($p y y y y y y y y y)* } }\n%s",
	    many("m!(%d", 1, ""));

	(void)state;
	text = arena_printf(a, "%s%s", text, many(" \"/\"", 1500, ");\n"));
	for (int i = 0; i < 4; i++)
		text = arena_printf(a, "%s%s", text, strstr(text, "m!("));
	assert_true(macros_expand(rust, text, strlen(text), a, &x));
	assert_int_equal(appended(&x, text, " y"), 13 * 1501 * 9);
}

static void other_languages_have_none(void **state)
{
	struct rules *go = language_rules("go");
	struct macro_expansion x;
	const char *text = "macro_rules! m { () => { f(\"/a\") } }\nm!();";

	(void)state;
	assert_false(macros_expand(go, text, strlen(text), a, &x));
	assert_int_equal(x.n, 0);
	assert_null(x.text);
	rules_free(go);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(macros_make_text),
		cmocka_unit_test(how_many_macros_and_rules),
		cmocka_unit_test(how_many_parts),
		cmocka_unit_test(macros_without_end),
		cmocka_unit_test(macros_that_make_much),
		cmocka_unit_test(other_languages_have_none),
	};

	a = arena_new();
	rust = language_rules("rust");
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	rules_free(rust);
	arena_free(a);
	return rc;
}
