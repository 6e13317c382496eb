#define PCRE2_CODE_UNIT_WIDTH 8
#include "proto/pattern/unicode_sets.h"

#include <ctype.h>
#include <pcre2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/sorting.h"
#include "proto/pattern/utf8.h"

enum { NAME_MAX_BYTES = 60, FIRST_SURROGATE = 0xd800, LAST_SURROGATE = 0xdfff };

/* Everything made here stays, so one arena holds it.  The lock guards all of it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena *kept;
static struct map *properties; /* name as PCRE2 knows it -> struct charset */

/* Two characters that are equal when case is ignored, ascending by `c`. */
static struct case_pair {
	uint32_t c, other;
} * case_pairs;
static size_t ncase_pairs;

/* What PCRE2 knows by its short name only.  Names are lower case, without spaces, `_` and `-`. */
static const struct {
	const char *name, *is;
} long_names[] = {
	{ "letter", "L" },
	{ "casedletter", "L&" },
	{ "lc", "L&" },
	{ "uppercaseletter", "Lu" },
	{ "lowercaseletter", "Ll" },
	{ "titlecaseletter", "Lt" },
	{ "modifierletter", "Lm" },
	{ "otherletter", "Lo" },
	{ "mark", "M" },
	{ "combiningmark", "M" },
	{ "nonspacingmark", "Mn" },
	{ "spacingmark", "Mc" },
	{ "enclosingmark", "Me" },
	{ "number", "N" },
	{ "decimalnumber", "Nd" },
	{ "digit", "Nd" },
	{ "letternumber", "Nl" },
	{ "othernumber", "No" },
	{ "punctuation", "P" },
	{ "punct", "P" },
	{ "connectorpunctuation", "Pc" },
	{ "dashpunctuation", "Pd" },
	{ "openpunctuation", "Ps" },
	{ "closepunctuation", "Pe" },
	{ "initialpunctuation", "Pi" },
	{ "finalpunctuation", "Pf" },
	{ "otherpunctuation", "Po" },
	{ "symbol", "S" },
	{ "mathsymbol", "Sm" },
	{ "currencysymbol", "Sc" },
	{ "modifiersymbol", "Sk" },
	{ "othersymbol", "So" },
	{ "separator", "Z" },
	{ "spaceseparator", "Zs" },
	{ "lineseparator", "Zl" },
	{ "paragraphseparator", "Zp" },
	{ "other", "C" },
	{ "control", "Cc" },
	{ "cntrl", "Cc" },
	{ "format", "Cf" },
	{ "surrogate", "Cs" },
	{ "privateuse", "Co" },
	{ "unassigned", "Cn" },
};

static struct arena *keep(void)
{
	if (!kept) {
		kept = arena_new();
		properties = map_new();
	}
	return kept;
}

static pcre2_code *compile(const char *pattern, size_t n, uint32_t options)
{
	size_t at;
	int code;

	return pcre2_compile((PCRE2_SPTR)pattern, n, PCRE2_UTF | options, &code, &at, NULL);
}

static void put_character(struct buf *b, uint32_t c)
{
	char bytes[UTF8_MAX];

	buf_put(b, bytes, utf8_encode(c, bytes));
}

/* Every character once, ascending. */
static void put_all_characters(struct buf *b)
{
	for (uint32_t c = 0; c <= LAST_CHARACTER; c++)
		if (c < FIRST_SURROGATE || c > LAST_SURROGATE)
			put_character(b, c);
}

struct ranges {
	struct range *v;
	size_t n, cap;
};

static void add_range(struct ranges *to, uint32_t first, uint32_t last)
{
	to->v = grow(to->v, &to->cap, to->n + 1, sizeof *to->v);
	to->v[to->n++] = (struct range){ first, last };
}

/* The ranges of the characters of `text` that `code`, some class and `+`, matches. */
static void find_ranges(const pcre2_code *code, const struct buf *text, struct ranges *found)
{
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	const size_t *span = pcre2_get_ovector_pointer(match);
	size_t from = 0;
	uint32_t first, last;

	if (!match)
		die("out of memory");
	while (pcre2_match(code, (PCRE2_SPTR)text->p, text->n, from, PCRE2_NO_UTF_CHECK, match, NULL) >
	    0) {
		utf8_decode(text->p + span[0], text->n - span[0], &first);
		utf8_decode_back(text->p, span[1], &last);
		add_range(found, first, last);
		from = span[1];
	}
	pcre2_match_data_free(match);
}

/* The set of a class, as PCRE2 writes it; NULL if it knows no such class. */
static const struct charset *make_set(const char *class)
{
	struct buf pattern = { 0 }, text = { 0 };
	struct ranges found = { 0 };
	const struct charset *set = NULL;

	buf_printf(&pattern, "%s+", class);
	pcre2_code *code = compile(pattern.p, pattern.n, 0);
	if (code) {
		pcre2_jit_compile(code, PCRE2_JIT_COMPLETE); /* without it, it only takes longer */
		put_all_characters(&text);
		find_ranges(code, &text, &found);
		set = charset_new(keep(), found.v, found.n);
	}
	pcre2_code_free(code);
	free(found.v);
	buf_free(&text);
	buf_free(&pattern);
	return set;
}

static const struct charset *kept_set(const char *class)
{
	pthread_mutex_lock(&lock);
	keep();
	const struct charset *set = map_get(properties, class);
	if (!set) {
		set = make_set(class);
		if (set)
			*map_at(properties, class) = (void *)(uintptr_t)set;
	}
	pthread_mutex_unlock(&lock);
	return set;
}

static const struct range words[] = {
#define WORD(first, last) { first, last },
#include "proto/pattern/unicode.def"
};
static const struct range digits[] = {
#define DIGIT(first, last) { first, last },
#include "proto/pattern/unicode.def"
};
static const struct range spaces[] = {
#define SPACE(first, last) { first, last },
#include "proto/pattern/unicode.def"
};

const struct charset *unicode_word(void)
{
	static const struct charset set = { LEN(words), words };

	return &set;
}

const struct charset *unicode_digit(void)
{
	static const struct charset set = { LEN(digits), digits };

	return &set;
}

const struct charset *unicode_space(void)
{
	static const struct charset set = { LEN(spaces), spaces };

	return &set;
}

/* Copy a name in lower case, without what does not count; false for a byte that no name has. */
static bool plain_name(const char *name, size_t n, char to[NAME_MAX_BYTES])
{
	size_t length = 0;

	if (n >= NAME_MAX_BYTES)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)name[i];
		if (c == ' ' || c == '_' || c == '-')
			continue;
		if (!isalnum(c) && c != '&')
			return false;
		to[length++] = (char)tolower(c);
	}
	to[length] = 0;
	return length > 0;
}

static const char *short_category(const char *name)
{
	for (size_t i = 0; i < LEN(long_names); i++)
		if (!strcmp(long_names[i].name, name))
			return long_names[i].is;
	return NULL;
}

static const struct charset *class_of(const char *before, const char *name)
{
	char class[NAME_MAX_BYTES + 20];

	snprintf(class, sizeof class, "[\\p{%s%s}]", before, name);
	return kept_set(class);
}

/* A category of one or two letters or a binary property; a script only if it says so. */
static const struct charset *property_by_name(const char *name)
{
	const char *category = short_category(name);

	if (category)
		return class_of("", category);
	if (!strcmp(name, "assigned"))
		return kept_set("[\\P{Cn}]");
	const struct charset *script = class_of("sc:", name); /* without sc:, PCRE2 means scx: */
	if (script)
		return script;
	return class_of("", name);
}

const struct charset *unicode_property(const char *name, size_t n)
{
	char kind[NAME_MAX_BYTES], value[NAME_MAX_BYTES];
	size_t before = 0;

	while (before < n && name[before] != '=' && name[before] != ':')
		before++;
	if (before == n)
		return plain_name(name, n, value) ? property_by_name(value) : NULL;
	if (!plain_name(name, before, kind) || !plain_name(name + before + 1, n - before - 1, value))
		return NULL;
	if (!strcmp(kind, "sc") || !strcmp(kind, "script"))
		return class_of("sc:", value);
	if (!strcmp(kind, "scx") || !strcmp(kind, "scriptextensions"))
		return class_of("scx:", value);
	if (strcmp(kind, "gc") && strcmp(kind, "generalcategory"))
		return NULL;
	const char *category = short_category(value);
	if (!category && strlen(value) > 2)
		return NULL;
	return class_of("", category ? category : value);
}

/* From `first` to `last` in steps, each character is equal to the one so far behind it. */
static const struct case_rule {
	uint32_t first, last, step;
	int32_t other;
} case_rules[] = {
#define CASE(first, last, step, other) { first, last, step, other },
#include "proto/pattern/unicode.def"
};

static int by_characters(const void *a, const void *b)
{
	const struct case_pair *x = a, *y = b;
	int c = compare_numbers(x->c, y->c);

	return c ? c : compare_numbers(x->other, y->other);
}

static void make_case_pairs(void)
{
	size_t cap = 0;

	for (size_t i = 0; i < LEN(case_rules); i++) {
		const struct case_rule *r = &case_rules[i];
		for (uint32_t c = r->first; c <= r->last; c += r->step) {
			case_pairs = grow(case_pairs, &cap, ncase_pairs + 1, sizeof *case_pairs);
			case_pairs[ncase_pairs++] = (struct case_pair){ c, c + (uint32_t)r->other };
		}
	}
	qsort(case_pairs, ncase_pairs, sizeof *case_pairs, by_characters);
}

/* The first pair whose character is `c` or later. */
static size_t first_pair(uint32_t c)
{
	size_t low = 0, high = ncase_pairs;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (case_pairs[middle].c < c)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct charset *unicode_fold(struct arena *a, const struct charset *set)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct ranges all = { 0 };

	pthread_once(&once, make_case_pairs);
	for (size_t i = 0; i < set->n; i++) {
		add_range(&all, set->ranges[i].first, set->ranges[i].last);
		for (size_t k = first_pair(set->ranges[i].first);
		     k < ncase_pairs && case_pairs[k].c <= set->ranges[i].last; k++)
			add_range(&all, case_pairs[k].other, case_pairs[k].other);
	}
	const struct charset *folded = charset_new(a, all.v, all.n);
	free(all.v);
	return folded;
}
