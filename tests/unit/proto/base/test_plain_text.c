/* Which characters are safe for a terminal: ordinary ones of every length stay, those that move or hide text are escaped, and what
 * is no UTF-8 is told byte by byte. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/plain_text.h"

static struct buf out;

static const char *plain(const char *s, const char *keep)
{
	out.n = 0;
	buf_byte(&out, 0);
	out.n = 0;
	plain_put(&out, s, strlen(s), keep);
	return out.p;
}

static const char *plain_json(const char *s)
{
	out.n = 0;
	plain_put_json(&out, s);
	return out.p;
}

static void ordinary_text_stays(void **state)
{
	static const char *const texts[] = { "", " ~", "aé", "߿", "ࠀ", "က", "中文", "퟿", "�", "ａ", "𐀀", "😀", "\xf1\x80\x80\x80",
		"\xf4\x8f\xbf\xbf", "\xc2\xa0", "\xd8\x9b\xd8\x9d", "\xe2\x80\x8d", "\xe2\x80\x90", "\xe2\x80\xa7", "\xe2\x80\xaf", "\xe2\x81\xa5", "\xe2\x81\xaa" };

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		assert_string_equal(plain(texts[i], ""), texts[i]);
		assert_string_equal(plain_json(texts[i]), texts[i]);
	}
	/* each lead byte, before the lowest and the highest of what may follow */
	for (int lead = 0xc2; lead < 0xf5; lead++) {
		char low[] = { (char)lead, (char)(lead == 0xe0 ? 0xa0 : 0xbf), (char)0xbf, (char)0xbf, 0 };
		if (lead == 0xed || lead == 0xf4)
			low[1] = (char)0x80;
		low[lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4] = 0;
		assert_string_equal(plain(low, ""), low);
	}
}

static void what_moves_text_is_escaped(void **state)
{
	static const struct { const char *text, *plain, *json; } cases[] = {
		{ "a\x1b[2J", "a\\x1b[2J", NULL },
		{ "\x01\x1f\x7f", "\\x01\\x1f\\x7f", NULL },
		{ "\x7f", "\\x7f", "\\u007f" },
		{ "a\nb", "a\\nb", NULL },
		{ "\xc2\x80\xc2\x9f", "\\u0080\\u009f", "\\u0080\\u009f" },
		{ "\xd8\x9c", "\\u061c", "\\u061c" },
		{ "\xe2\x80\x8e\xe2\x80\x8f", "\\u200e\\u200f", "\\u200e\\u200f" },
		{ "\xe2\x80\xa8\xe2\x80\xae", "\\u2028\\u202e", "\\u2028\\u202e" },
		{ "\xe2\x81\xa6\xe2\x81\xa9", "\\u2066\\u2069", "\\u2066\\u2069" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_string_equal(plain(cases[i].text, ""), cases[i].plain);
		if (cases[i].json)
			assert_string_equal(plain_json(cases[i].text), cases[i].json);
	}
	assert_string_equal(plain("a\tb\nc", "\t"), "a\tb\\nc");
	assert_string_equal(plain("a\tb\nc", "\t\n"), "a\tb\nc");
	out.n = 0;
	plain_put(&out, "a\0b", 3, "\t");	/* the end of `keep` keeps nothing */
	assert_string_equal(out.p, "a\\x00b");
}

static void what_is_no_utf_8_is_told_byte_by_byte(void **state)
{
	static const struct { const char *text, *plain; } cases[] = {
		{ "\x80", "\\x80" },					/* begins nothing */
		{ "\xc3", "\\xc3" },					/* ends too early */
		{ "\xe4\xb8", "\\xe4\\xb8" },
		{ "\xf0\x9f\x98z", "\\xf0\\x9f\\x98z" },
		{ "\xc1\xbf", "\\xc1\\xbf" },				/* longer than it must be */
		{ "\xe0\x9f\xbf", "\\xe0\\x9f\\xbf" },
		{ "\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },			/* halves of a pair */
		{ "\xed\xbf\xbf", "\\xed\\xbf\\xbf" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },		/* beyond the last character */
		{ "\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80" },
		{ "\xff", "\\xff" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(plain(cases[i].text, ""), cases[i].plain);
}

static int teardown(void **state)
{
	(void)state;
	buf_free(&out);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ordinary_text_stays),
		cmocka_unit_test(what_moves_text_is_escaped),
		cmocka_unit_test(what_is_no_utf_8_is_told_byte_by_byte),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
