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
	pcre2_code *regex;	/* NULL: words and dots, or an expression that is wrong */
	pcre2_match_data *match;
	pcre2_match_context *limits;
};

bool topic_is_pattern(const char *s)
{
	return *s == '^' || (strcmp(s, "{}") && (strpbrk(s, "*#") || strstr(s, "{}")));
}

struct topic_pattern *topic_pattern_new(const char *text)
{
	struct topic_pattern *p = xcalloc(1, sizeof *p);
	PCRE2_SIZE at;
	int code;

	p->text = text;
	if (*text != '^' || strlen(text) > PATTERN_LEN_MAX)
		return p;
	struct buf b = { 0 };	/* what is not known of it is some text */
	for (const char *s = text; *s; s += strncmp(s, "{}", 2) ? 1 : 2)
		buf_put(&b, strncmp(s, "{}", 2) ? s : ".+", strncmp(s, "{}", 2) ? 1 : 2);
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

static bool words_fit(const char *p, const char *s)
{
	for (; *p; p++, s++) {
		bool hole = p[0] == '{' && p[1] == '}', word = *p == '*', rest = *p == '#';
		if (!hole && !word && !rest) {
			if (*p != *s)
				return !strcmp(p, ".#") && !*s;	/* `a.#` holds `a` */
			continue;
		}
		const char *after = p + (hole ? 2 : 1);
		for (size_t n = rest ? 0 : 1; n <= strlen(s); n++) {
			if (word && memchr(s, '.', n))
				return false;
			if (words_fit(after, s + n))
				return true;
		}
		return false;
	}
	return !*s;
}

bool topic_pattern_fits(const struct topic_pattern *p, const char *name)
{
	if (*p->text != '^')
		return words_fit(p->text, name);
	return p->regex && strlen(name) <= PATTERN_LEN_MAX &&
	    pcre2_match(
	        p->regex, (PCRE2_SPTR)name, strlen(name), 0, PCRE2_ANCHORED, p->match, p->limits) >= 0;
}
