/* What patterns match, against ripgrep's answers in matches.tsv; what is refused, and where; that hostile patterns end. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/pattern/pattern.h"
#include "tests/random_number.h"

static const struct pattern_options plain = { 0 }, multiline = { .multiline = true };

static struct pattern *compiled(const char *text, const struct pattern_options *options)
{
	struct err e = { 0 };
	struct pattern *p = pattern_new(text, strlen(text), options, &e);

	if (!p)
		fail_msg("%s: %s", text, e.msg);
	return p;
}

/* Append the matches as matches.tsv has them. */
static void put_matches(struct buf *b, const struct pattern *p, const char *text, size_t n)
{
	struct pattern_matcher *m = pattern_matcher_new(p, NULL, NULL);
	size_t start, end;

	for (size_t from = 0; pattern_next(m, text, n, from, &start, &end) == PATTERN_FOUND;) {
		assert_in_range(start, from, n);
		assert_in_range(end, start, n);
		if (end > start)
			buf_printf(b, "%s%zu-%zu", b->n ? " " : "", start, end);
		from = end + (end == start);
	}
	pattern_matcher_free(m);
}

static void expect(const char *pattern, const struct pattern_options *options, const char *text,
    const char *matches)
{
	struct buf b = { 0 };
	struct pattern *p = compiled(pattern, options);

	buf_str(&b, "");
	put_matches(&b, p, text, strlen(text));
	if (strcmp(b.p, matches))
		fail_msg("%s in `%s`: %s, not %s", pattern, text, b.p, matches);
	pattern_free(p);
	buf_free(&b);
}

/* Replace the escapes of a text; its length. */
static size_t unescape(char *s)
{
	static const char letters[] = "ntr\\", bytes[] = "\n\t\r\\";
	char *to = s;

	for (const char *from = s; *from; from++) {
		const char *letter = *from == '\\' && from[1] ? strchr(letters, from[1]) : NULL;
		if (*from == '\\' && from[1] == 'x') {
			char hex[3] = { from[2], from[3], 0 };
			*to++ = (char)strtoul(hex, NULL, 16);
			from += 3;
		} else if (letter) {
			*to++ = bytes[letter - letters];
			from++;
		} else {
			*to++ = *from;
		}
	}
	return (size_t)(to - s);
}

static void as_ripgrep(void **state)
{
	FILE *f = fopen("tests/unit/proto/pattern/matches.tsv", "r");
	char line[4096];
	int cases = 0, wrong = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		if (*line == '#')
			continue;
		char *rest = line, *flags = strsep(&rest, "\t"), *pattern = strsep(&rest, "\t");
		char *text = strsep(&rest, "\t"), *matches = strsep(&rest, "\n");
		struct pattern_options options = { .fixed = strchr(flags, 'F'),
			.ignore_case = strchr(flags, 'i'),
			.word = strchr(flags, 'w'),
			.multiline = strchr(flags, 'm') };
		struct buf b = { 0 };
		struct pattern *p = compiled(pattern, &options);
		buf_str(&b, "");
		put_matches(&b, p, text, unescape(text));
		if (strcmp(b.p, matches))
			print_error("%s %s: %s, not %s\n", flags, pattern, b.p, matches);
		wrong += strcmp(b.p, matches) != 0;
		buf_free(&b);
		pattern_free(p);
		cases++;
	}
	fclose(f);
	assert_int_equal(wrong, 0);
	assert_true(cases > 300);
}

static const struct {
	const char *pattern, *part;
} refused[] = {
	{ "a(?=b)", "column 2: look-ahead is not supported; match the text itself" },
	{ "(?!a)", "column 1: negative look-ahead" },
	{ "é(?<=b)", "column 2: look-behind" },
	{ "(?<!b)", "column 1: negative look-behind" },
	{ "(?>a)", "column 1: atomic groups are not supported; write (?:...)" },
	{ "(a)\\1", "column 4: back-references" },
	{ "(?P=x)", "column 1: back-references" },
	{ "(?-u)a", "column 4: (?-u) is not supported; write ASCII classes" },
	{ "(?z)", "column 3: unknown flag" },
	{ "(?)", "column 3: a flag is missing" },
	{ "(?i-)", "column 5: a flag is missing" },
	{ "(?P<x", "the name of this group has no end" },
	{ "(a", "column 1: this group is not closed; add `)`" },
	{ "a)", "column 2: this `)` closes no group; write \\)" },
	{ "[a", "column 1: this class is not closed" },
	{ "[]", "column 1: this class is not closed" },
	{ "[b-a]", "column 2: this range goes down" },
	{ "[\\w-a]", "column 2: a range goes from one character to another; write \\-" },
	{ "[a\\b]", "column 3: this is no character" },
	{ "*a", "column 1: nothing stands before `*` that could repeat; write \\*" },
	{ "a|+", "column 3: nothing stands before `+`" },
	{ "(?i)*", "column 5: nothing stands before `*`" },
	{ "a{", "column 3: a number is missing; write {2} or {2,5}, or \\{" },
	{ "a{1", "column 2: this repetition is not closed" },
	{ "a{3,2}", "column 2: {3,2} counts down; write {2,3}" },
	{ "a{999999}", "column 3: more than 140000 repetitions" },
	{ "(a{1000}){1000}", "it has more than 140000 parts once its repetitions are written out" },
	{ "(((){1000}){1000}){1000}", "it has more than 140000 parts" },
	{ "\\", "column 1: nothing follows the backslash" },
	{ "\\y", "column 1: unknown escape" },
	{ "\\é", "column 1: unknown escape" },
	{ "\\<a", "column 1: \\< and \\> are not supported; write \\b" },
	{ "\\Qa", "column 1: \\Q and \\E are not supported; escape each character, or set `fixed`" },
	{ "\\x4", "column 1: this number is not complete" },
	{ "\\x{}", "column 1: this number is not complete" },
	{ "\\x{110000}", "column 1: there is no such character" },
	{ "\\u{d800}", "column 1: a surrogate" },
	{ "\\p{Gree}", "column 1: there is no property `Gree`" },
	{ "\\p{sc=Lu}", "column 1: there is no property `sc=Lu`" },
	{ "\\p{gc=Greek}", "column 1: there is no property `gc=Greek`" },
	{ "\\p{", "column 1: this property is not closed" },
	{ "a\\nb",
	    "column 2: a line end matches nothing, because a match is within one line; leave it out or set `multiline`" },
	{ "ab\n", "column 3: a line end" },
	{ "[\\n]", "column 1: a line end" },
	{ "a\xff", "column 2: this is not UTF-8" },
};

static void refusals_name_the_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(refused); i++) {
		struct err e = { 0 };
		const char *text = refused[i].pattern;
		struct pattern *p = pattern_new(text, strlen(text), &plain, &e);
		if (p || e.code != ERR_INVALID_INPUT || strncmp(e.msg, "pattern: ", 9) ||
		    !strstr(e.msg, refused[i].part))
			fail_msg("%s: %s", text, p ? "accepted" : e.msg);
	}
}

static void nests_and_grows_within_limits(void **state)
{
	struct buf deep = { 0 }, long_one = { 0 }, repeated = { 0 }, classes = { 0 };
	const struct buf *all[] = { &deep, &long_one, &repeated, &classes };

	(void)state;
	for (int i = 0; i < 30000; i++) {
		buf_str(&deep, "(");
		buf_str(&repeated, i ? "*" : "a");
		buf_str(&classes, "[a");
	}
	for (int i = 0; i <= PATTERN_MAX_BYTES; i++)
		buf_str(&long_one, "a");
	for (size_t i = 0; i < LEN(all); i++) {
		struct err e = { 0 };
		assert_null(pattern_new(all[i]->p, all[i]->n, &plain, &e));
		assert_int_equal(e.code, ERR_INVALID_INPUT);
	}
	buf_free(&deep);
	buf_free(&long_one);
	buf_free(&repeated);
	buf_free(&classes);
}

/* A pattern of `n` times the same piece, which costs memory to read, is read or refused. */
static void costly_pieces_have_a_budget(void **state)
{
	static const char *const pieces[] = { "\\W", "[\\W\\S]", "\\PL", "(?i:é)", "\\w", "[^é]" };

	(void)state;
	for (size_t i = 0; i < LEN(pieces); i++) {
		struct buf b = { 0 };
		struct err e = { 0 };
		while (b.n + strlen(pieces[i]) <= PATTERN_MAX_BYTES)
			buf_str(&b, pieces[i]);
		struct pattern *p = pattern_new(b.p, b.n, &plain, &e);
		if (!p)
			assert_int_equal(e.code, ERR_INVALID_INPUT);
		pattern_free(p);
		buf_free(&b);
	}
}

static void words_keep_their_order(void **state)
{
	(void)state;
	expect("sam|x|samwise", &plain, "samwise x", "0-3 8-9");
	expect("samwise|x|sam", &plain, "samwise sam x", "0-7 8-11 12-13");
	expect("ab|[a-b]c|abd", &plain, "abd bc ac", "0-2 4-6 7-9");
	expect("abc|b|abd|ab|a", &plain, "abd abx abc b", "0-3 4-6 8-11 12-13");
	expect("(?:a|aa|aaa)$", &plain, "aaa", "0-3");
	expect("(?i:ab|AC|b)", &plain, "aC AB B", "0-2 3-5 6-7");
	expect("a|ab|", &plain, "ab", "0-1");
	expect(
	    "[ab]c|ad|[ab]de", &plain, "ade bde", "0-2 4-7"); /* they overlap, so their order stays */
}

static void literals_are_found_everywhere(void **state)
{
	static const char *const patterns[] = { "qz", "(?i)qz", "(?i)QZ|nothing", "\\w?qz", "q[xz]" };

	(void)state;
	for (size_t i = 0; i < LEN(patterns); i++) {
		struct pattern *p = compiled(patterns[i], &plain);
		struct pattern_matcher *m = pattern_matcher_new(p, NULL, NULL);
		for (size_t at = 0; at < 3000; at++) {
			char text[3002];
			size_t start, end;
			memset(text, '.', sizeof text);
			memcpy(text + at, "qz", 2);
			if (pattern_next(m, text, sizeof text, 0, &start, &end) != PATTERN_FOUND ||
			    start != at || end != at + 2)
				fail_msg("%s at %zu", patterns[i], at);
		}
		pattern_matcher_free(m);
		pattern_free(p);
	}
}

static void empty_matches(void **state)
{
	static const struct {
		const char *pattern, *text;
		size_t from;
		int rc;
		size_t start, end;
	} cases[] = {
		{ "", "ab", 0, 1, 0, 0 },
		{ "", "ab\n", 3, 0, 0, 0 }, /* no line begins there */
		{ "$", "ab\n", 0, 1, 2, 2 },
		{ "$", "ab", 0, 1, 2, 2 },
		{ "$", "ab", 2, 1, 2, 2 },
		{ "$", "ab\n", 3, 0, 0, 0 },
		{ "^", "ab\ncd", 1, 1, 3, 3 },
		{ "x*", "é", 1, 1, 2, 2 }, /* not inside a character */
		{ "", "", 0, 0, 0, 0 },
		{ "\\b", "  ab", 0, 1, 2, 2 },
		{ "\\bb", "ab", 1, 0, 0, 0 }, /* what is before `from` counts */
		{ "\\Ab", "ab", 1, 0, 0, 0 },
		{ "^b", "ab", 1, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		struct pattern *p = compiled(cases[i].pattern, &plain);
		struct pattern_matcher *m = pattern_matcher_new(p, NULL, NULL);
		size_t start = 0, end = 0;
		int rc = pattern_next(m, cases[i].text, strlen(cases[i].text), cases[i].from, &start, &end);
		if (rc != cases[i].rc || (rc && (start != cases[i].start || end != cases[i].end)))
			fail_msg("%s in `%s`: %d, %zu-%zu", cases[i].pattern, cases[i].text, rc, start, end);
		pattern_matcher_free(m);
		pattern_free(p);
	}
}

/*
 * What ripgrep 13 has otherwise: \b and \B are about words behind a match, too, the first alternative is preferred, \z is the end of the file,
 * and escapes of later versions.
 */
static void beyond_ripgrep(void **state)
{
	(void)state;
	expect("\\B\\w", &plain, "日1cI é", "3-4 4-5 5-6");
	expect("\\b.", &plain, "éa -b", "0-2 3-4 5-6");
	expect("(a|ab)(c|bcd)", &plain, "abcd", "0-4");
	expect("foo\\z", &plain, "foo\nfoo", "4-7");
	expect("\\\"\\/", &plain, "a\"/", "1-3");
	expect("(?<year>\\d+)", &plain, "in 1999", "3-7");
	expect("\\p{^Lu}", &plain, "aB", "0-1");
	expect("a\nb", &multiline, "a\nb", "0-3");
}

struct countdown {
	uint64_t asked, until;
};

static bool count_down(void *arg)
{
	struct countdown *c = arg;

	return ++c->asked >= c->until;
}

static const struct {
	const char *pattern, *letters;
	bool matches;
} hostile[] = {
	{ "(a+)+$", "a", true },
	{ "(a+)+$b", "a", false },
	{ "((((a|b)*c)*d)*e)*f$", "abcde", false },
	{ "(x+x+)+y", "x", false },
	{ "(.*)*=", "ab", false },
	{ "[a-y]*[b-z]*[0-9]", "a", false },
	{ "(a|aa)+$", "a", true },
	{ "(.?){200}z", "a", false },
	{ "a.{500}b", "a", false },
	{ "\\b(\\w+\\s*)+=", "ab ", false },
	{ "([a-z]{1,30}){1,30}9", "ab", false },
	{ "(a?){500}a{500}b", "a", false },
};

enum { HOSTILE_BYTES = 1 << 20, LINE_BYTES = 80, STOPS_ALLOWED = 4000 };

static void put_hostile_text(struct buf *b, const char *letters, bool lines)
{
	uint64_t seed = 7;

	for (size_t i = 0; i < HOSTILE_BYTES; i++) {
		if (lines && i % LINE_BYTES == LINE_BYTES - 1)
			buf_byte(b, '\n');
		else
			buf_byte(b, letters[random_number(&seed, (unsigned)strlen(letters))]);
	}
}

/* `stop` is asked once for 65,536 bytes or steps of work, so that their number bounds the work. */
static void expect_end(const char *pattern, const struct buf *text, int expected)
{
	struct countdown c = { 0, STOPS_ALLOWED };
	struct pattern *p = compiled(pattern, &plain);
	struct pattern_matcher *m = pattern_matcher_new(p, count_down, &c);
	size_t start, end;
	int rc = pattern_next(m, text->p, text->n, 0, &start, &end);

	if (rc != expected)
		fail_msg("%.60s: %d after %llu stops", pattern, rc, (unsigned long long)c.asked);
	assert_true(c.asked > 4); /* it is asked while it searches */
	pattern_matcher_free(m);
	pattern_free(p);
}

static void hostile_patterns_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(hostile); i++)
		for (int lines = 0; lines < 2; lines++) {
			struct buf text = { 0 };
			put_hostile_text(&text, hostile[i].letters, lines);
			if (!lines || !hostile[i].matches)
				expect_end(
				    hostile[i].pattern, &text, hostile[i].matches ? PATTERN_FOUND : PATTERN_NONE);
			buf_free(&text);
		}
}

static void many_words_end(void **state)
{
	struct buf words = { 0 }, text = { 0 };
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		buf_str(&words, i ? "|" : "(?i:");
		for (unsigned n = 6 + random_number(&seed, 8); n; n--)
			buf_byte(&words, (char)('a' + random_number(&seed, 10)));
	}
	buf_str(&words, ")Z");
	put_hostile_text(&text, "abcDEfghij", true);
	expect_end(words.p, &text, PATTERN_NONE);
	buf_free(&words);
	buf_free(&text);
}

static void stop_ends_the_search(void **state)
{
	struct buf text = { 0 };
	struct countdown c = { 0, 2 };
	struct pattern *p = compiled("[ab]+c", &plain);
	struct pattern_matcher *m = pattern_matcher_new(p, count_down, &c);
	size_t start, end;

	(void)state;
	put_hostile_text(&text, "ab", false);
	assert_int_equal(pattern_next(m, text.p, text.n, 0, &start, &end), PATTERN_STOPPED);
	assert_int_equal(c.asked, 2);
	c = (struct countdown){ 0, UINT64_MAX }; /* the matcher can be used again */
	assert_int_equal(pattern_next(m, text.p, text.n, 0, &start, &end), PATTERN_NONE);
	assert_int_equal(pattern_next(m, "xabc", 4, 0, &start, &end), PATTERN_FOUND);
	assert_int_equal(start, 1);
	pattern_matcher_free(m);
	pattern_free(p);
	buf_free(&text);
}

/* More states than the memory holds: they are forgotten, and the answer stays right. */
static void a_full_automaton_goes_on(void **state)
{
	struct buf text = { 0 };
	struct pattern *p = compiled("[ab]*a[ab]{18}c[ab]", &plain);
	struct pattern_matcher *m = pattern_matcher_new(p, NULL, NULL);
	size_t start, end;

	(void)state;
	put_hostile_text(&text, "ab", false);
	size_t n = text.n;
	buf_str(&text, "\nbaaaaaaaaaaaaaaaaaaacb");
	assert_int_equal(pattern_next(m, text.p, text.n, 0, &start, &end), PATTERN_FOUND);
	assert_int_equal(start, n + 1);
	assert_int_equal(end, text.n);
	pattern_matcher_free(m);
	pattern_free(p);
	buf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_ripgrep),
		cmocka_unit_test(refusals_name_the_place),
		cmocka_unit_test(nests_and_grows_within_limits),
		cmocka_unit_test(costly_pieces_have_a_budget),
		cmocka_unit_test(words_keep_their_order),
		cmocka_unit_test(literals_are_found_everywhere),
		cmocka_unit_test(empty_matches),
		cmocka_unit_test(beyond_ripgrep),
		cmocka_unit_test(hostile_patterns_end),
		cmocka_unit_test(many_words_end),
		cmocka_unit_test(stop_ends_the_search),
		cmocka_unit_test(a_full_automaton_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
