#include "coordinator/contracts/matching/topic_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"

enum { PATTERN_LEN_MAX = 1000, MATCH_STEPS = 20000 };

struct topic_pattern {
	const char *text;
	pcre2_code *regex;	/* NULL if the text is not a regular expression, or an invalid one */
	pcre2_match_data *match;
	pcre2_match_context *limits;
};

bool topic_is_pattern(const char *s)
{
	if (*s == '^')
		return true;
	if (!strcmp(s, "{}"))
		return false;
	return strpbrk(s, "*#") || strstr(s, "{}");
}

static bool is_hole(const char *s)
{
	return s[0] == '{' && s[1] == '}';
}

/* The expression, with any text in place of its unknown parts. */
static void put_expression(struct buf *b, const char *s)
{
	while (*s) {
		if (is_hole(s)) {
			buf_str(b, ".+");
			s += 2;
		} else {
			buf_byte(b, *s++);
		}
	}
}

struct topic_pattern *topic_pattern_new(const char *text)
{
	struct topic_pattern *p = xcalloc(1, sizeof *p);
	struct buf b = { 0 };
	PCRE2_SIZE at;
	int code;

	p->text = text;
	if (*text != '^' || strlen(text) > PATTERN_LEN_MAX)
		return p;
	put_expression(&b, text);
	p->regex = pcre2_compile((PCRE2_SPTR)b.p, b.n, 0, &code, &at, NULL);
	buf_free(&b);
	p->match = pcre2_match_data_create(1, NULL);
	p->limits = pcre2_match_context_create(NULL);
	if (!p->match || !p->limits)
		die("out of memory");
	pcre2_set_match_limit(p->limits, MATCH_STEPS);
	return p;
}

void topic_pattern_free(struct topic_pattern *p)
{
	if (!p)
		return;
	pcre2_code_free(p->regex);
	pcre2_match_data_free(p->match);
	pcre2_match_context_free(p->limits);
	free(p);
}

static bool words_fit(const char *p, const char *s);

/* Whether text from `s` fits what begins the pattern, {}, * or #, and the rest fits the rest. */
static bool wildcard_fits(const char *p, const char *s)
{
	bool word = *p == '*';
	const char *after = p + 1;
	size_t min = 1, len = strlen(s);

	if (is_hole(p))
		after = p + 2;
	if (*p == '#')
		min = 0;
	for (size_t n = min; n <= len; n++) {
		if (word && memchr(s, '.', n))
			return false;
		if (words_fit(after, s + n))
			return true;
	}
	return false;
}

static bool words_fit(const char *p, const char *s)
{
	for (; *p; p++, s++) {
		if (is_hole(p) || *p == '*' || *p == '#')
			return wildcard_fits(p, s);
		if (*p != *s)
			return !strcmp(p, ".#") && !*s;	/* `a.#` matches `a`, too */
	}
	return !*s;
}

bool topic_pattern_fits(const struct topic_pattern *p, const char *name)
{
	if (*p->text != '^')
		return words_fit(p->text, name);
	if (!p->regex || strlen(name) > PATTERN_LEN_MAX)
		return false;
	int rc = pcre2_match(
	    p->regex, (PCRE2_SPTR)name, strlen(name), 0, PCRE2_ANCHORED, p->match, p->limits);
	return rc >= 0;
}
