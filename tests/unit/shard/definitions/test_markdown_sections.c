/* The sections of Markdown texts: where they begin and end, how they are nested and called, and what is no heading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/definitions/definitions.h"
#include "shard/definitions/markdown_sections.h"

/* The sections as "QUALIFIED FIRST-LAST|" each; the bytes of each are those of its lines. */
static void sections(const char *text, const char *want)
{
	struct arena *a = arena_new();
	struct found_definitions out = { 0 };
	struct buf got = { 0 };

	markdown_sections_find(text, strlen(text), a, &out);
	buf_str(&got, "");
	for (size_t i = 0; i < out.n; i++) {
		const struct definition *d = &out.v[i].def;
		const char *at = text + d->start_byte, *last = text + d->end_byte - 1;
		assert_string_equal(d->kind, "section");
		assert_int_equal(out.v[i].has_body, d->end_line > d->start_line);
		assert_true(at == text || at[-1] == '\n');
		assert_true(*last != '\n' && *last != ' ');
		uint32_t line = 1;
		for (const char *p = text; p < at; p++)
			line += *p == '\n';
		assert_int_equal(line, d->start_line);
		for (const char *p = at; p < last; p++)
			line += *p == '\n';
		assert_int_equal(line, d->end_line);
		buf_printf(&got, "%s %u-%u|", d->qualified, d->start_line, d->end_line);
	}
	assert_string_equal(got.p, want);
	buf_free(&got);
	free(out.v);
	arena_free(a);
}

static void levels(void **state)
{
	(void)state;
	sections("# A\n\ntext\n\n## B\nb\n### C\nc\n## D\n# E\n",
	    "A 1-9|A.B 5-8|A.B.C 7-8|A.D 9-9|E 10-10|");
	sections("## B\n# A\n", "B 1-1|A 2-2|");
	sections("# A\n### C\n## B\n", "A 1-3|A.C 2-2|A.B 3-3|");
	sections("###### F\n####### G\n", "F 1-2|");
	sections("text\n\n# A", "A 3-3|");
	sections("", "");
	sections("text\n", "");
	sections("# A\ntext\n\n\n# B\n\n", "A 1-2|B 5-5|");
}

static void what_begins_with_signs(void **state)
{
	(void)state;
	sections("#A\n", "");
	sections("#\n# \n", "");
	sections("   # A\n    # B\n", "A 1-2|");
	sections("#\tA\n", "A 1-1|");
	sections("# A #\n## B ## \n", "A 1-2|A.B 2-2|");
	sections("# A#B\n", "A#B 1-1|");
}

static void what_is_underlined(void **state)
{
	(void)state;
	sections("A\n==\nB\n", "A 1-3|");
	sections("A\n===\n\nB\n--\nb\n", "A 1-6|A.B 4-6|");
	sections("A\n=\n", "");
	sections("A\n== x\n", "");
	sections("A\n--x\n", "");
	sections("a\nA\n==\n", ""); /* the end of a paragraph */
	sections("- a\n---\n", "");
	sections("> a\n---\n", "");
	sections("| a |\n---\n", "");
	sections("\n---\n", "");
	sections("A\n~~\n", "");
}

static void how_a_heading_is_called(void **state)
{
	(void)state;
	sections("# `code` and *em*\n", "code and em 1-1|");
	sections("# [text](http://x/(y)) end\n", "text end 1-1|");
	sections("# ![image](x.png) A\n", "image A 1-1|");
	sections("# A!\n", "A! 1-1|");
	sections("# <a name=\"x\"></a>A <b\n", "A <b 1-1|");
	sections("# a   b\tc\n", "a b c 1-1|");
	sections("# [a]\n", "a 1-1|");
	sections("# [a](b\n", "a(b 1-1|");
	sections("# ``\n", "");
}

static void code_and_comments(void **state)
{
	(void)state;
	sections("```\n# A\n```\n# B\n", "B 4-4|");
	sections("~~~~ sh\n# A\n~~~\n# C\n~~~~\n# B\n", "B 6-6|");
	sections("```\n# A\n~~~\n# B\n", "");
	sections("``` a`\n# A\n", "A 2-2|"); /* code within a line */
	sections("~~~ a`\n# A\n", "");
	sections("``\n# A\n", "A 2-2|");
	sections("    ```\n# A\n", "A 2-2|");
	sections("<!--\n# A\n-->\n# B\n", "B 4-4|");
	sections("<!-- a -->\n# B\n", "B 2-2|");
	sections("a <!--\n# B\n", "B 2-2|");
	sections("<!--\n# A -->\n# B\n", "B 3-3|");
}

static void front_matter(void **state)
{
	(void)state;
	sections("---\n# a: b\n---\n# A\nx\n", "A 4-5|");
	sections("---\n# A\n", "A 2-2|"); /* it does not end */
	sections("----\n# A\n----\n# B\n", "A 2-3|B 4-4|");
	sections("x\n---\n# A\n---\n", "x 1-2|A 3-4|");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),
		cmocka_unit_test(what_begins_with_signs),
		cmocka_unit_test(what_is_underlined),
		cmocka_unit_test(how_a_heading_is_called),
		cmocka_unit_test(code_and_comments),
		cmocka_unit_test(front_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
