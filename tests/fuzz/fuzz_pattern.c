/*
 * Any bytes as a pattern and a text: the first byte sets options, a NUL ends the pattern.  A match is inside the text, and
 * its grams do not rule the text out.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/err.h"
#include "proto/pattern/grams.h"
#include "proto/pattern/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { STOPS_ALLOWED = 200, MATCHES_ALLOWED = 100 };

static bool enough(void *arg)
{
	int *left = arg;

	return --*left <= 0;
}

struct gram_list {
	const uint32_t *v;
	size_t n;
};

static bool has_gram(void *arg, uint32_t gram)
{
	const struct gram_list *list = arg;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i] == gram)
			return true;
	return false;
}

static void search(const struct pattern *pattern, const char *text, size_t n)
{
	int left = STOPS_ALLOWED;
	struct pattern_matcher *m = pattern_matcher_new(pattern, enough, &left);
	struct gram_collector *c = gram_collector_new();
	struct gram_list list;
	size_t start, end, from = 0, matches = 0;

	while (matches < MATCHES_ALLOWED &&
	    pattern_next(m, text, n, from, &start, &end) == PATTERN_FOUND) {
		if (start < from || end < start || end > n)
			__builtin_trap();
		from = end + (end == start);
		matches++;
	}
	list.v = grams_collect(c, text, n, &list.n);
	if (matches && !gram_query_may_match(pattern_grams(pattern), has_gram, &list))
		__builtin_trap();
	gram_collector_free(c);
	pattern_matcher_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct err e = { 0 };

	if (!n)
		return 0;
	struct pattern_options options = {
		.fixed = *p & 1, .ignore_case = *p & 2, .word = *p & 4, .multiline = *p & 8
	};
	const char *text = (const char *)p + 1, *end = memchr(text, 0, n - 1);
	size_t length = end ? (size_t)(end - text) : n - 1;
	struct pattern *pattern = pattern_new(text, length, &options, &e);
	if (!pattern) {
		if (e.code != ERR_INVALID_INPUT)
			__builtin_trap();
		return 0;
	}
	size_t begin = 1 + length + (end != NULL);
	search(pattern, (const char *)p + begin, n - begin);
	pattern_free(pattern);
	return 0;
}
