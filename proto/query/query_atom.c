/* Texts, filters and options: what stands between the spaces, parentheses and words of a query. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/process/suggest.h"
#include "proto/query/query_parse_internal.h"

static const struct filter {
	const char *name;
	enum query_kind kind;
	const char *example;
} filters[] = {
#define FILTER(name, kind, example) { name, kind, example },
#include "proto/query/query_filters.def"
};

static const struct foreign_filter {
	const char *name, *instead;
} foreign[] = {
#define FOREIGN(name, instead) { name, instead },
#include "proto/query/query_filters.def"
};

static const struct language_name {
	const char *typed, *name;
} languages[] = {
#define LANGUAGE(typed, name) { typed, name },
#include "proto/query/query_filters.def"
};

static const struct {
	const char *name;
	enum query_case value;
} cases[] = {
	{ "auto", QUERY_CASE_AUTO },
	{ "yes", QUERY_CASE_YES },
	{ "no", QUERY_CASE_NO },
};

/* ---- values ---- */

/* What was read: its text, what it is, and where it begins. */
struct value {
	const char *text;
	bool regex, bare;
	size_t at;
};

static bool ends_word(char c)
{
	return !c || query_is_space(c) || c == ')';
}

/* Behind a closing `"` or `/` another word must not begin. */
static bool check_end(struct query_parser *p, const char *mark, const char *advice)
{
	if (ends_word(p->text[p->at]))
		return true;
	return query_error(p, p->at, "put a space behind the closing %s, or %s", mark, advice);
}

/* "..." in which \" and \\ stand for " and \. */
static bool read_quoted(struct query_parser *p, struct value *out)
{
	size_t open = p->at++;
	struct buf b = { 0 };

	*out = (struct value){ .at = p->at };
	buf_str(&b, "");
	for (; p->text[p->at] && p->text[p->at] != '"'; p->at++) {
		char next = p->text[p->at + 1];
		if (p->text[p->at] == '\\' && (next == '"' || next == '\\'))
			p->at++;
		buf_byte(&b, p->text[p->at]);
	}
	out->text = arena_strn(p->a, b.p, b.n);
	buf_free(&b);
	if (!p->text[p->at])
		return query_error(p, open, "this quote is not closed; write \\\" for a quote in a text");
	p->at++;
	return check_end(p, "quote", "write \\\" for a quote in a text");
}

/* The bytes of an escape, or of one character that is none. */
static size_t escape_length(const char *s)
{
	return *s == '\\' && s[1] ? 2 : 1;
}

/* An expression from `from` to `to`, with / for \/. */
static const char *unescaped_slashes(struct query_parser *p, size_t from, size_t to)
{
	struct buf b = { 0 };
	size_t n;

	buf_str(&b, "");
	for (size_t i = from; i < to; i += n) {
		n = escape_length(p->text + i);
		bool slash = n == 2 && p->text[i + 1] == '/';
		buf_put(&b, p->text + i + slash, n - slash);
	}
	const char *text = arena_strn(p->a, b.p, b.n);
	buf_free(&b);
	return text;
}

/* /.../ in which \/ stands for a slash. */
static bool read_regex(struct query_parser *p, struct value *out)
{
	size_t open = p->at++;

	*out = (struct value){ .regex = true, .at = p->at };
	while (p->text[p->at] && p->text[p->at] != '/')
		p->at += escape_length(p->text + p->at);
	if (!p->text[p->at])
		return query_error(p, open,
		    "this / begins an expression that no second / ends; quote a text that begins with /");
	out->text = unescaped_slashes(p, out->at, p->at);
	p->at++;
	return check_end(
	    p, "/", "quote a text that begins with /; in an expression write \\/ for a slash");
}

/* The expression of a filter, up to a space or a parenthesis that it did not open. */
static bool read_bare_regex(struct query_parser *p, struct value *out)
{
	size_t open = 0;

	*out = (struct value){ .regex = true, .bare = true, .at = p->at };
	while (p->text[p->at] && !query_is_space(p->text[p->at])) {
		char c = p->text[p->at];
		if (c == ')' && !open)
			break;
		open += c == '(';
		open -= c == ')';
		if (c == '\\' && (!p->text[p->at + 1] || query_is_space(p->text[p->at + 1])))
			return query_error(p, p->at, "nothing follows this \\; write \\\\ for a backslash");
		p->at += escape_length(p->text + p->at);
	}
	out->text = unescaped_slashes(p, out->at, p->at);
	return true;
}

/* A word without meaning of its own. */
static bool read_word(struct query_parser *p, struct value *out)
{
	size_t from = p->at;

	*out = (struct value){ .bare = true, .at = from };
	while (!ends_word(p->text[p->at]) && p->text[p->at] != '(')
		p->at++;
	if (p->text[p->at] == '(')
		return query_error(p, p->at,
		    "quote a text with a parenthesis, such as \"main(\", or put a space before `(`");
	out->text = arena_strn(p->a, p->text + from, p->at - from);
	return true;
}

static bool read_value(struct query_parser *p, enum query_kind kind, struct value *out)
{
	if (p->text[p->at] == '"')
		return read_quoted(p, out);
	if (kind == QUERY_LANG)
		return read_word(p, out);
	if (p->text[p->at] == '/')
		return read_regex(p, out);
	return read_bare_regex(p, out);
}

/* ---- atoms ---- */

static bool add_atom(struct query_parser *p, enum query_kind kind, const struct value *v,
    const struct query_node **out)
{
	struct query_node *atom = arena_one(p->a, struct query_node);

	if (p->query->natoms == QUERY_MAX_ATOMS)
		return query_error(p, v->at,
		    "more than %d texts and filters; write alternatives as one /a|b|c/", QUERY_MAX_ATOMS);
	*atom = (struct query_node){ .kind = kind,
		.text = v->text,
		.regex = v->regex,
		.atom = p->query->natoms++,
		.column = query_column(p->text, v->at),
		.at = v->at };
	*out = atom;
	return true;
}

/* The name of a language as the indexes have it. */
static const char *language_name(const char *typed, struct arena *a)
{
	char *small = arena_str(a, typed);

	for (char *s = small; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	for (size_t i = 0; i < LEN(languages); i++)
		if (!strcmp(languages[i].typed, small))
			return languages[i].name;
	return small;
}

/*
 * The `*` of a value that must be a glob, since in an expression it says nothing of use; NULL if
 * there is none.
 */
static const char *star_of_glob(const char *value)
{
	const char *star;

	if (*value == '*')
		return value;
	star = strstr(value, "/*");
	if (star)
		return star + 1;
	return strstr(value, "**");
}

static bool refuse_glob(struct query_parser *p, const struct value *v)
{
	const char *typed = arena_strn(p->a, p->text + v->at, p->at - v->at);
	const char *star = star_of_glob(typed);

	if (!star)
		return true;
	return query_error(p, v->at + (size_t)(star - typed),
	    "this is an expression, not a glob: write \\.js$ for *.js, and ^src/.*\\.js$ for src/**/*.js");
}

static bool parse_filter(
    struct query_parser *p, const struct filter *f, const struct query_node **out)
{
	size_t begin = p->at;
	struct value v;

	p->at += strcspn(p->text + p->at, ":") + 1;
	if (ends_word(p->text[p->at]))
		return query_error(
		    p, begin, "%s: needs a value directly behind it, such as %s", f->name, f->example);
	if (!read_value(p, f->kind, &v))
		return false;
	if (f->kind == QUERY_FILE && v.bare && !refuse_glob(p, &v))
		return false;
	if (f->kind == QUERY_LANG)
		v.text = language_name(v.text, p->a);
	return add_atom(p, f->kind, &v, out);
}

static bool parse_case(struct query_parser *p, const struct query_node **out)
{
	size_t begin = p->at;
	struct value v;

	*out = NULL;
	p->at += strlen("case:");
	if (!read_word(p, &v))
		return false;
	if (p->negated)
		return query_error(p, begin, "case: cannot be negated; write case:yes or case:no");
	for (size_t i = 0; i < LEN(cases); i++) {
		if (strcasecmp(cases[i].name, v.text))
			continue;
		if (p->has_case && p->query->letter_case != cases[i].value)
			return query_error(p, begin, "case: stands twice; it is for the whole query");
		p->has_case = true;
		p->query->letter_case = cases[i].value;
		return true;
	}
	return query_error(p, begin, "case:%.40s; write case:yes, case:no or case:auto", v.text);
}

/* The letters before a colon, in small letters; "" if the word does not begin so. */
static const char *filter_name(const struct query_parser *p)
{
	const char *word = p->text + p->at;
	size_t n = 0;

	while (isalpha((unsigned char)word[n]))
		n++;
	if (!n || word[n] != ':' || word[n + 1] == ':' || !strncmp(word + n, "://", 3))
		return "";
	char *name = arena_strn(p->a, word, n);
	for (char *s = name; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	return name;
}

/* A name that is like that of a filter is a typing error, not a text. */
static bool refuse_similar(struct query_parser *p, const char *name)
{
	const char *names[LEN(filters) + 1];
	const char *near;
	size_t n = 0;

	if (strlen(name) < 3)
		return true;
	for (; n < LEN(filters); n++)
		names[n] = filters[n].name;
	names[n++] = "case";
	near = suggest_names(name, names, n, p->a);
	if (!*near)
		return true;
	return query_error(
	    p, p->at, "there is no filter %.20s:, but %s; quote it if it is a text", name, near);
}

static bool parse_word(struct query_parser *p, const struct query_node **out)
{
	const char *name = filter_name(p);
	struct value v;

	if (!strcmp(name, "case"))
		return parse_case(p, out);
	for (size_t i = 0; i < LEN(filters); i++)
		if (!strcmp(name, filters[i].name))
			return parse_filter(p, &filters[i], out);
	for (size_t i = 0; i < LEN(foreign); i++)
		if (!strcmp(name, foreign[i].name))
			return query_error(p, p->at, "there is no filter %s: %s; quote it if it is a text",
			    name, foreign[i].instead);
	if (*name && !refuse_similar(p, name))
		return false;
	return read_word(p, &v) && add_atom(p, QUERY_TEXT, &v, out);
}

bool query_parse_atom(struct query_parser *p, const struct query_node **out)
{
	struct value v;

	if (p->text[p->at] == '"')
		return read_quoted(p, &v) && add_atom(p, QUERY_TEXT, &v, out);
	if (p->text[p->at] == '/')
		return read_regex(p, &v) && add_atom(p, QUERY_TEXT, &v, out);
	return parse_word(p, out);
}
