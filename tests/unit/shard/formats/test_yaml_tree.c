/* What a YAML text says, in tests/answers/yaml_tree.txt (text_cases.h), and what is found in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shard/formats/yaml_tree.h"
#include "tests/text_cases.h"

/* `key: !tag "text" LINE-LAST^HEIGHT`; maps as {}, lists as []; what is in them below, indented. */
static void put(const struct yaml *y, int depth, struct buf *out)
{
	/* clang-format off */
	static const char *const kinds[] = { "", " {}", " []" };
	/* clang-format on */

	buf_printf(out, "%*s%s", 2 * depth, "", y->key ? y->key : "-");
	if (y->tag)
		buf_printf(out, " %s", y->tag);
	if (y->text)
		buf_printf(out, " \"%s\"", y->text);
	buf_printf(out, "%s %u-%u^%u\n", kinds[y->kind], y->line, y->end_line, y->height);
	for (const struct yaml *c = y->first; c; c = c->next)
		put(c, depth + 1, out);
}

static void says(const char *header, const char *text, size_t n, struct buf *said, struct arena *a)
{
	(void)header;
	for (const struct yaml *y = yaml_read(text, n, a); y; y = y->next)
		put(y, 0, said);
}

static void texts_are_trees(void **state)
{
	(void)state;
	text_cases_check("tests/answers/yaml_tree.txt", says);
}

static void what_is_found(void **state)
{
	static const char text[] =
	    "base: &b {x: 1, y: 2, deep: {z: 3}}\nmore: &m\n  <<: *b\n  y: 4\nmost:\n  <<: *m\n  w: []\nlist: [a]\n";
	/* clang-format off */
	static const struct { const char *path, *text; } cases[] = {
		{ "base/x", "1" }, { "base/deep/z", "3" }, { "more/x", "1" }, { "more/y", "4" }, { "most/x", "1" }, { "most/y", "4" },
		{ "most/deep/z", "3" }, { "most/w", NULL }, { "list/a", NULL }, { "none", NULL }, { "base/x/y", NULL }, { "base//x", NULL },
	};
	/* clang-format on */
	struct arena *a = arena_new();
	const struct yaml *y = yaml_read(text, sizeof text - 1, a);

	(void)state;
	assert_non_null(y);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct yaml *found = yaml_get_path(y, cases[i].path);
		const char *got = found ? found->text : NULL;
		if (!got != !cases[i].text || (got && strcmp(got, cases[i].text) != 0))
			fail_msg("%s: %s", cases[i].path, got ? got : "nothing");
	}
	assert_ptr_equal(yaml_get_path(y, ""), y);
	assert_ptr_equal(yaml_get(y, "base"), y->first);
	assert_string_equal(yaml_get_text(yaml_get(y, "base"), "x"), "1");
	assert_null(yaml_get_text(y, "base"));
	assert_null(yaml_get_text(y, "none"));
	assert_null(yaml_get(NULL, "x"));
	assert_null(yaml_get(yaml_get(y, "list"), "a"));
	assert_null(yaml_get_path(NULL, "x"));
	arena_free(a);
}

/* Keys of paths have 99 bytes at most; merged maps are followed four deep; 64 levels are read. */
static void limits(void **state)
{
	struct arena *a = arena_new();
	char key[202];
	struct buf b = { 0 };

	(void)state;
	for (size_t n = 99; n <= 100; n++) {
		memset(key, 'k', n);
		strcpy(key + n, ": 1\n");
		const struct yaml *y = yaml_read(key, strlen(key), a);
		key[n] = 0;
		assert_int_equal(yaml_get_path(y, key) != NULL, n == 99);
		assert_non_null(yaml_get(y, key));
	}
	buf_printf(&b, "m0: &m0 {x: 1}\n");
	for (int i = 1; i <= 5; i++)
		buf_printf(&b, "m%d: &m%d {<<: *m%d}\n", i, i, i - 1);
	const struct yaml *y = yaml_read(b.p, b.n, a);
	assert_non_null(yaml_get_path(y, "m4/x"));
	assert_null(yaml_get_path(y, "m5/x"));
	for (int levels = 64; levels <= 65; levels++) {
		b.n = 0;
		for (int i = 0; i < levels; i++)
			buf_byte(&b, '[');
		for (int i = 0; i < levels; i++)
			buf_byte(&b, ']');
		assert_int_equal(yaml_read(b.p, b.n, a) != NULL, levels == 64);
	}
	buf_free(&b);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_trees),
		cmocka_unit_test(what_is_found),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
