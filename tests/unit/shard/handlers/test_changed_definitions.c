/* Which definitions a change touches: versions of a file in, edits out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "shard/facts/facts.h"
#include "shard/git/repo.h"
#include "shard/handlers/changed_definitions.h"
#include "shard/parse/parser.h"

static struct parser *parser;

static struct file_version version_of(const char *path, const char *text, struct arena *a)
{
	struct facts *f = arena_one(a, struct facts);

	if (!text)
		return (struct file_version){ 0 };
	parse(parser, lang_detect(path, text, strlen(text)), text, strlen(text), 0, a, f);
	return (struct file_version){ f, text, strlen(text) };
}

static size_t lines_of(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == '\n';
	return n;
}

/* The texts have a common beginning and end; what is between them is one hunk. */
static struct diff_hunk between(const char *old, const char *now, struct arena *a)
{
	size_t n = strlen(old), m = strlen(now), from = 0, i = 0, to = 0;

	for (; i < n && i < m && old[i] == now[i]; i++)
		if (old[i] == '\n')
			from = i + 1;
	for (i = 0; i < n - from && i < m - from && old[n - i - 1] == now[m - i - 1]; i++)
		if (i && old[n - i - 1] == '\n')
			to = i;
	bool old_ends = i == n - from, now_ends = i == m - from;
	if (old_ends && now_ends)
		to = i;
	else if (old_ends && now[m - i - 1] == '\n')
		to = i;
	else if (now_ends && old[n - i - 1] == '\n')
		to = i;
	const char *x = arena_strn(a, old + from, n - to - from), *y = arena_strn(a, now + from, m - to - from);
	uint32_t start = (uint32_t)lines_of(arena_strn(a, old, from)) + 1;
	return (struct diff_hunk){ start, (uint32_t)lines_of(x), start, (uint32_t)lines_of(y), x, y };
}

/* Checks the changes between two texts, as in "changed a.b, renamed c>d". */
static void expect(const char *path, const char *old, const char *now, const char *want)
{
	static const char *const names[] = { "changed", "added", "removed", "renamed" };
	struct arena *a = arena_new();
	struct file_version x = version_of(path, old, a), y = version_of(path, now, a);
	const char *old_text = old ? old : "", *new_text = now ? now : "";
	struct diff_hunk h = between(old_text, new_text, a);
	struct definition_edits out = { 0 };
	struct buf got = { 0 };

	definition_edits_find(&x, &y, &h, 1, &out, a);
	buf_str(&got, "");
	for (size_t i = 0; i < out.n; i++) {
		const struct definition_edit *e = &out.v[i];
		buf_printf(&got, "%s%s ", i ? ", " : "", names[e->kind]);
		if (e->kind == EDIT_RENAMED)
			buf_printf(&got, "%s>", e->old->qualified);
		if (e->now)
			buf_str(&got, e->now->qualified);
		else if (e->old)
			buf_str(&got, e->old->qualified);
		else
			buf_str(&got, "file");
	}
	assert_string_equal(got.p, want);
	free(out.v);
	buf_free(&got);
	arena_free(a);
}

#define BASE "import os\n\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef top(x):\n    y = x + 1\n    return y\n"

static void the_innermost_definition_is_touched(void **state)
{
	(void)state;
	expect("a.py", BASE, "import os\n\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 3\n\n\ndef top(x):\n    y = x + 1\n    return y\n", "changed A.g");
	expect("a.py", BASE, "import os\n\n\nclass A(B):\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef top(x):\n    y = x + 1\n    return y\n", "changed A");
	expect("a.py", BASE, "import sys\n\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef top(x):\n    y = x + 1\n    return y\n", "changed file");
}

static void blank_lines_say_nothing(void **state)
{
	(void)state;
	expect("a.py", "def f():\n    return 1\n", "def f():\n\n    return 1\n", "");
}

static void comments_belong_to_what_stands_below(void **state)
{
	(void)state;
	expect("a.go", "package a\n\n// one\nfunc F() {}\n", "package a\n\n// two\nfunc F() {}\n", "changed F");
	expect("a.py", "@old\ndef f():\n    return 1\n", "@new\ndef f():\n    return 1\n", "changed f");
}

static void names_decide_what_is_new_and_gone(void **state)
{
	(void)state;
	expect("a.py", BASE, BASE "\n\ndef other():\n    return [0]\n", "added other");
	expect("a.py", BASE "\n\ndef other():\n    return [0]\n", BASE, "removed other");
	expect("a.py", NULL, "class A:\n    x = 1\n    def f(self):\n        pass\n", "added A, added A.f");
	expect("a.py", "class A:\n    x = 1\n    def f(self):\n        pass\n", NULL, "removed A, removed A.f");
}

static void most_lines_in_common_are_a_renaming(void **state)
{
	(void)state;
	expect("a.py", "def one(x):\n    y = x * 2\n    return one(y)\n", "def two(x):\n    y = x * 2\n    return two(y)\n", "renamed one>two");
	expect("a.py", "def one(x):\n    return x * 2\n", "def two(a, b):\n    print(a)\n    return b\n", "added two, removed one");
	expect("a.py", "class A:\n    def f(self):\n        return 1\n", "class B:\n    def f(self):\n        return 1\n", "renamed A>B");
}

static void one_of_several_of_a_name_is_touched(void **state)
{
	(void)state;
	expect("a.java", "class A {\n  void f(int x) {\n    g(1);\n  }\n  void f(String x) {\n    g(2);\n  }\n}\n",
	    "class A {\n  void f(int x) {\n    g(1);\n  }\n  void f(String x) {\n    g(3);\n  }\n}\n", "changed A.f");
}

static void what_is_not_known_is_not_guessed(void **state)
{
	struct arena *a = arena_new();
	struct file_version old = version_of("a.py", "def f():\n    return 1\n", a), now = { .text = "x\n", .n = 2 };
	struct diff_hunk h = { 1, 2, 1, 1, "def f():\n    return 1\n", "x\n" };
	struct definition_edits out = { 0 };

	(void)state;
	definition_edits_find(&old, &now, &h, 1, &out, a);		/* the new text could not be parsed */
	assert_int_equal(out.n, 2);
	assert_int_equal(out.v[1].kind, EDIT_CHANGED);
	free(out.v);
	arena_free(a);
}

/* A definition without a name, as a macro or an index from elsewhere may give it, is compared by its lines. */
static void names_may_be_empty(void **state)
{
	struct arena *a = arena_new();
	struct definition old = { .name = "", .qualified = "a", .kind = "function", .start_line = 1, .end_line = 2, .parent = -1 };
	struct definition now = old;
	struct facts x = { .definitions = { .v = &old, .n = 1 } }, y = { .definitions = { .v = &now, .n = 1 } };
	static const char text[] = "f(())\ng(())\n";
	struct file_version before = { &x, text, strlen(text) }, after = { &y, text, strlen(text) };
	struct diff_hunk h = { 1, 2, 1, 2, text, text };
	struct definition_edits out = { 0 };

	(void)state;
	now.qualified = "b";
	now.name = "b";
	definition_edits_find(&before, &after, &h, 1, &out, a);
	assert_int_equal(out.n, 1);
	assert_int_equal(out.v[0].kind, EDIT_RENAMED);
	free(out.v);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_innermost_definition_is_touched),
		cmocka_unit_test(blank_lines_say_nothing),
		cmocka_unit_test(comments_belong_to_what_stands_below),
		cmocka_unit_test(names_decide_what_is_new_and_gone),
		cmocka_unit_test(most_lines_in_common_are_a_renaming),
		cmocka_unit_test(one_of_several_of_a_name_is_touched),
		cmocka_unit_test(what_is_not_known_is_not_guessed),
		cmocka_unit_test(names_may_be_empty),
	};
	struct err e = { 0 };

	parser = parser_new(&e);
	int rc = parser ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
	parser_free(parser);
	return rc;
}
