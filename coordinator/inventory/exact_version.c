#include "coordinator/inventory/exact_version.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

/* How a version may begin: with a digit, with `v` and a digit, or with a letter as well. */
enum beginning { DIGIT, DIGIT_AFTER_V, ANY_LETTER };

/*
 * How an ecosystem writes that it wants one version: without anything (`bare`), after one of
 * `signs` (longest first), or in `[` and `]`.  With fewer than `parts` numbers it is a range.
 */
static const struct pin_rule {
	const char *ecosystem, *file; /* file: only manifests of this name; NULL: all */
	bool bare, in_brackets;
	enum beginning begins;
	size_t parts;
	const char *signs[3];
} rules[] = {
	{ "npm", NULL, true, false, DIGIT, 3, { "=" } },
	{ "pypi", NULL, false, false, DIGIT, 1, { "===", "==" } },
	{ "go", NULL, true, false, DIGIT_AFTER_V, 3, { NULL } },
	{ "maven", NULL, true, true, ANY_LETTER, 1, { NULL } },
	{ "cargo", NULL, false, false, DIGIT, 3, { "=" } },
	{ "nuget", "packages.config", true, true, DIGIT, 1, { NULL } },
	{ "nuget", NULL, false, true, DIGIT, 1, { NULL } },
	{ "rubygems", NULL, true, false, DIGIT, 1, { "=" } },
	{ "composer", NULL, true, false, DIGIT_AFTER_V, 1, { "==", "=" } },
};

/* Words that stand for whatever is newest, or for a branch. */
static const char *const moving[] = { "latest", "release", "latest.release", "latest.integration" };

static const struct pin_rule *rule_of(const char *ecosystem, const char *file)
{
	const char *slash = strrchr(file, '/'), *base = file;

	if (slash)
		base = slash + 1;
	for (size_t i = 0; i < LEN(rules); i++) {
		if (strcmp(rules[i].ecosystem, ecosystem))
			continue;
		if (!rules[i].file || !strcasecmp(rules[i].file, base))
			return &rules[i];
	}
	return NULL;
}

static bool moves(const char *version)
{
	size_t n = strlen(version);

	for (size_t i = 0; i < LEN(moving); i++)
		if (!strcasecmp(version, moving[i]))
			return true;
	return version[n - 1] == '+' || (n > 4 && !strcasecmp(version + n - 4, "-dev"));
}

/* Whether a part of the version stands for any number: `1.x`. */
static bool has_wildcard(const char *version)
{
	for (const char *s = version; *s; s++) {
		bool begins = s == version || s[-1] == '.';
		bool ends = !s[1] || s[1] == '.';
		if (begins && ends && (*s == 'x' || *s == 'X'))
			return true;
	}
	return false;
}

static size_t count_parts(const char *version)
{
	size_t n = 1;

	for (const char *s = version; *s && *s != '-' && *s != '+'; s++)
		if (*s == '.')
			n++;
	return n;
}

static bool begins_well(const struct pin_rule *r, const char *s)
{
	if (r->begins == ANY_LETTER)
		return isalnum((unsigned char)*s);
	if (r->begins == DIGIT_AFTER_V && *s == 'v')
		s++;
	return isdigit((unsigned char)*s);
}

static bool is_version(const struct pin_rule *r, const char *s)
{
	if (!begins_well(r, s))
		return false;
	for (const char *c = s; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(".-_+!~", *c))
			return false;
	return !moves(s) && !has_wildcard(s) && count_parts(s) >= r->parts;
}

/* The text between the brackets of `[1.2.3]`; NULL if it is not in such. */
static const char *within_brackets(const char *s, struct arena *a)
{
	size_t n = strlen(s);

	if (n < 3 || s[0] != '[' || s[n - 1] != ']')
		return NULL;
	return arena_strn(a, s + 1, n - 2);
}

/* The text after the sign of equality; NULL if there is none. */
static const char *after_sign(const struct pin_rule *r, const char *s)
{
	for (size_t i = 0; i < LEN(r->signs) && r->signs[i]; i++) {
		size_t n = strlen(r->signs[i]);
		if (!strncmp(s, r->signs[i], n))
			return s + n + strspn(s + n, " ");
	}
	return NULL;
}

/* The range without what says that it is exact; NULL if nothing says so. */
static const char *without_signs(const struct pin_rule *r, const char *range, struct arena *a)
{
	const char *s = after_sign(r, range);

	if (s)
		return s;
	if (r->in_brackets)
		s = within_brackets(range, a);
	if (s)
		return s;
	if (r->bare)
		return range;
	return NULL;
}

const char *exact_version(
    const char *ecosystem, const char *file, const char *range, struct arena *a)
{
	const struct pin_rule *r = rule_of(ecosystem, text_or_empty(file));

	if (!r || !text_is_set(range))
		return NULL;
	const char *version = without_signs(r, range, a);
	if (!version || !is_version(r, version))
		return NULL;
	return version;
}
