/* Grams of texts, what patterns demand of them, and that no text with a match is ruled out. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/pattern/grams.h"
#include "proto/pattern/pattern.h"
#include "tests/random_number.h"

static void put_gram(struct buf *b, uint32_t gram)
{
	buf_byte(b, (char)(gram >> 16));
	buf_byte(b, (char)(gram >> 8));
	buf_byte(b, (char)gram);
}

static void expect_grams(const char *text, const char *expected)
{
	struct gram_collector *c = gram_collector_new();
	struct buf b = { 0 };
	size_t n;

	for (int again = 0; again < 2; again++) {
		const uint32_t *grams = grams_collect(c, text, strlen(text), &n);
		buf_free(&b);
		buf_str(&b, "");
		for (size_t i = 0; i < n; i++) {
			buf_str(&b, i ? "," : "");
			put_gram(&b, grams[i]);
		}
		assert_string_equal(b.p, expected);
	}
	buf_free(&b);
	gram_collector_free(c);
}

static void grams_of_texts(void **state)
{
	(void)state;
	expect_grams("", "");
	expect_grams("ab", "");
	expect_grams("abcabc", "abc,bca,cab");
	expect_grams("ABC abc", " ab,abc,bc ,c a");
	expect_grams("ab\ncd\nxyz", "xyz");
	expect_grams("\xe2\x84\xaa"
	             "ey \xc5\xbfo",
	    " so,ey ,key,y s"); /* Kelvin sign, long s */
	expect_grams("a\xc3\x89", "a\xc3\x89");
	expect_grams("\xe2\x84", "");
}

static void put_query(struct buf *b, const struct gram_query *q)
{
	if (q->kind == GRAM_QUERY_ANY)
		buf_str(b, "any");
	if (q->kind == GRAM_QUERY_GRAM)
		put_gram(b, q->gram);
	for (size_t i = 0; i < q->nparts; i++) {
		buf_str(b, i ? (q->kind == GRAM_QUERY_ALL ? "&" : "|") : "(");
		put_query(b, q->parts[i]);
	}
	if (q->nparts)
		buf_str(b, ")");
}

static const struct {
	const char *pattern, *query;
} demands[] = {
	{ "", "any" },
	{ "ab", "any" },
	{ "abc", "abc" },
	{ "(?i)KEYS", "(eys&key)" },
	{ "a\\bbc", "abc" },
	{ "a.*bc", "any" },
	{ "abc.*def", "(abc&def)" },
	{ "abc|def", "(abc|def)" },
	{ "abc|de", "any" },
	{ "a[bc]d", "(abd|acd)" },
	{ "ab(c|d)?", "any" },
	{ "(abc)?def", "def" },
	{ "(abc)+", "abc" },
	{ "a{3}", "aaa" },
	{ "(ab){2,}c", "(aba&abc&bab)" },
	{ "\\w+abc\\d", "abc" },
	{ "(?i)é1",
	    "(\xc3\x89"
	    "1|\xc3\xa9"
	    "1)" },
	{ "[a-z]bcd", "bcd" },
	{ "x*abc", "abc" },
	{ "(foo|bar)baz", "((arb&bar&baz&rba)|(baz&foo&oba&oob))" },
};

static void queries_of_patterns(void **state)
{
	static const struct pattern_options plain = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(demands); i++) {
		struct err e = { 0 };
		struct buf b = { 0 };
		struct pattern *p = pattern_new(demands[i].pattern, strlen(demands[i].pattern), &plain, &e);
		assert_non_null(p);
		put_query(&b, pattern_grams(p));
		if (strcmp(b.p, demands[i].query))
			fail_msg("%s: %s, not %s", demands[i].pattern, b.p, demands[i].query);
		buf_free(&b);
		pattern_free(p);
	}
}

static size_t query_size(const struct gram_query *q)
{
	size_t size = 1;

	for (size_t i = 0; i < q->nparts; i++)
		size += query_size(q->parts[i]);
	return size;
}

/* 2,000 words are too many conditions; fewer are kept of each, but some of all. */
static void queries_are_bounded(void **state)
{
	static const struct pattern_options plain = { 0 };
	struct buf words = { 0 };
	struct err e = { 0 };
	uint64_t seed = 3;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		buf_str(&words, i ? "|" : "");
		for (int k = 0; k < 28; k++)
			buf_byte(&words, (char)('a' + random_number(&seed, 26)));
	}
	struct pattern *p = pattern_new(words.p, words.n, &plain, &e);
	assert_non_null(p);
	assert_int_equal(pattern_grams(p)->kind, GRAM_QUERY_ONE);
	assert_int_equal(pattern_grams(p)->nparts, 2000);
	assert_in_range(query_size(pattern_grams(p)), 2000, GRAM_QUERY_MAX_NODES);
	pattern_free(p);
	buf_free(&words);
}

/* ---- random patterns ---- */

static const char *const pieces[] = { "a", "b", "k", "K", "s", "S", "ß", "ẞ", "ſ", "\u212a", "İ",
	"i", "é", "É", ".", "\\w", "\\s", "[a-c]", "[^a]", "[ks]", "\\b", "^", "$", "(?i:k)", "(?i:s)",
	"ab", "kas", "bak", "\\W", "(?i)", "(?s:.)", "\\x{17f}", "[ſß]" };
static const char *const letters[] = { "a", "b", "k", "K", "s", "S", "ß", "ẞ", "ſ", "\u212a", "İ",
	"i", "é", "É", "ab", "kas", "bak", "\n", " ", "c", "\xc3", "\xe2\x84" };
static const char *const repetitions[] = { "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?" };

static const char *one_of(const char *const *list, size_t n, uint64_t *seed)
{
	return list[random_number(seed, (unsigned)n)];
}

static void put_pattern(struct buf *b, unsigned depth, uint64_t *seed)
{
	unsigned kind = depth ? random_number(seed, 8) : 0;

	if (kind < 2) {
		buf_str(b, one_of(pieces, LEN(pieces), seed));
	} else if (kind < 6) {
		put_pattern(b, depth - 1, seed);
		put_pattern(b, depth - 1, seed);
	} else if (kind == 6) {
		buf_str(b, "(?:");
		put_pattern(b, depth - 1, seed);
		buf_str(b, "|");
		put_pattern(b, depth - 1, seed);
		buf_str(b, ")");
	} else {
		buf_str(b, "(?:");
		put_pattern(b, depth - 1, seed);
		buf_str(b, ")");
		buf_str(b, one_of(repetitions, LEN(repetitions), seed));
	}
}

struct gram_list {
	const uint32_t *v;
	size_t n;
};

static int compare_grams(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static bool has_gram(void *arg, uint32_t gram)
{
	const struct gram_list *list = arg;

	return list->n && bsearch(&gram, list->v, list->n, sizeof gram, compare_grams);
}

/* Whether the pattern matches, and that the grams of a text with a match allow it; *ruled_out counts the other texts. */
static bool check_text(const struct pattern *p, struct gram_collector *c, const struct buf *text,
    const char *pattern, unsigned *ruled_out)
{
	struct pattern_matcher *m = pattern_matcher_new(p, NULL, NULL);
	struct gram_list list;
	size_t start, end;
	bool matches = pattern_next(m, text->p, text->n, 0, &start, &end) == PATTERN_FOUND;

	list.v = grams_collect(c, text->p, text->n, &list.n);
	bool may = gram_query_may_match(pattern_grams(p), has_gram, &list);
	if (matches && !may)
		fail_msg("%s matches at %zu-%zu of `%s`, and its grams rule it out", pattern, start, end,
		    text->p);
	*ruled_out += !may;
	pattern_matcher_free(m);
	return matches;
}

/* A query does not get as deep as a pattern may: what is too deep may be anything. */
static void deep_patterns(void **state)
{
	static const struct pattern_options plain = { 0 };
	struct gram_collector *c = gram_collector_new();
	struct buf pattern = { 0 }, text = { 0 };
	struct err e = { 0 };
	unsigned ruled_out = 0;

	(void)state;
	for (int i = 0; i < 190; i++) {
		buf_printf(&pattern, "\\d+a%03d(?:no%03d|", i, i);
		buf_printf(&text, "1a%03d", i);
	}
	buf_str(&pattern, "end");
	buf_str(&text, "end");
	for (int i = 0; i < 190; i++)
		buf_str(&pattern, ")");
	struct pattern *p = pattern_new(pattern.p, pattern.n, &plain, &e);
	assert_non_null(p);
	assert_true(check_text(p, c, &text, pattern.p, &ruled_out));
	text.n = 4;
	assert_false(check_text(p, c, &text, pattern.p, &ruled_out));
	assert_int_equal(ruled_out, 1);
	pattern_free(p);
	buf_free(&pattern);
	buf_free(&text);
	gram_collector_free(c);
}

static void no_match_is_ruled_out(void **state)
{
	struct gram_collector *c = gram_collector_new();
	unsigned matched = 0, ruled_out = 0;
	uint64_t seed = 11;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct pattern_options options = { .ignore_case = random_number(&seed, 2),
			.word = !random_number(&seed, 4),
			.multiline = random_number(&seed, 2) };
		struct buf pattern = { 0 }, text = { 0 };
		struct err e = { 0 };
		put_pattern(&pattern, 4, &seed);
		for (int k = 0; k < 60; k++)
			buf_str(&text, one_of(letters, LEN(letters), &seed));
		struct pattern *p = pattern_new(pattern.p, pattern.n, &options, &e);
		if (p)
			matched += check_text(p, c, &text, pattern.p, &ruled_out);
		pattern_free(p);
		buf_free(&pattern);
		buf_free(&text);
	}
	gram_collector_free(c);
	assert_true(matched > 500); /* else nothing was checked */
	assert_true(ruled_out > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grams_of_texts),
		cmocka_unit_test(queries_of_patterns),
		cmocka_unit_test(queries_are_bounded),
		cmocka_unit_test(deep_patterns),
		cmocka_unit_test(no_match_is_ruled_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
