#include "shard/contracts/gateways/regex_template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

/* REST and SEGMENT: bytes that stand for wildcards while an expression is read */
enum { LONGEST = 400, REST = 1, SEGMENT = 2 };

/* ---- alternatives ---- */

/* The end of the group that begins at `s`, or NULL. */
static const char *group_end(const char *s)
{
	int depth = 0;

	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '[' && strchr(s, ']'))
			s = strchr(s, ']');
		else if (*s == '(')
			depth++;
		else if (*s == ')' && !--depth)
			return s;
	}
	return NULL;
}

/* The next `|` on the level of `s` before `end`, or NULL. */
static const char *next_bar(const char *s, const char *end)
{
	int depth = 0;

	for (; s < end; s++) {
		if (*s == '\\')
			s++;
		else if (*s == '(')
			depth++;
		else if (*s == ')')
			depth--;
		else if (*s == '|' && !depth)
			return s;
	}
	return NULL;
}

static size_t expand(const char *s, const char **out, size_t n, size_t max, struct arena *a);

/* The expression once for each alternative of the group whose text begins at `from`. */
static size_t expand_group(const char *s, const char *from, const char *end, const char **out,
    size_t n, size_t max, struct arena *a)
{
	for (const char *bar; from <= end; from = bar + 1) {
		bar = next_bar(from, end);
		if (!bar)
			bar = end;
		if (bar - from == 1 && *from == '$')
			continue;	/* (/|$): what ends there is taken by a rest, too */
		const char *open = from;
		while (open > s && *open != '(')
			open--;
		n = expand(
		    arena_printf(a, "%.*s%.*s%s", (int)(open + 1 - s), s, (int)(bar - from), from, end),
		    out, n, max, a);
	}
	return n;
}

/* Every way through groups with alternatives. */
static size_t expand(const char *s, const char **out, size_t n, size_t max, struct arena *a)
{
	for (const char *c = s; *c; c++) {
		const char *end = NULL;
		if (*c == '(')
			end = group_end(c);
		if (*c == '\\' && c[1])
			c++;
		else if (end && next_bar(c + 1, end) && c[1] != '?')
			return expand_group(s, c + 1, end, out, n, max, a);
	}
	if (n < max && strlen(s) < LONGEST)
		out[n++] = s;
	return n;
}

/* ---- one of them ---- */

struct regex_reader {
	const char *s;
	char out[LONGEST + 1];
	size_t n;
	struct { size_t from, to; const char *name; bool closed; } group[PATTERN_GROUPS];
	size_t ngroups;
	int open[PATTERN_GROUPS];	/* groups that are open; -1: one that captures nothing */
	size_t depth;
	bool ended;		/* $ */
};

static bool is_wild(char c)
{
	return c == REST || c == SEGMENT;
}

static void put(struct regex_reader *r, char c)
{
	if (r->n == LONGEST)
		return;
	if (r->n && is_wild(c) && is_wild(r->out[r->n - 1]))
		return;
	r->out[r->n++] = c;
}

/* The length of a quantifier: * + ? {n,m}, also lazy or possessive; 0 if there is none. */
static size_t quantifier(const char *s)
{
	const char *close = NULL;
	size_t n = 0;

	if (*s == '{')
		close = strchr(s, '}');
	if (close)
		n = (size_t)(close - s) + 1;
	else if (*s && strchr("*+?", *s))
		n = 1;
	if (n && (s[n] == '?' || s[n] == '+'))	/* lazy, possessive */
		return n + 1;
	return n;
}

/* A class of characters, `.`, \w: if it matches slashes and is repeated, it is a rest. */
static bool read_wild(struct regex_reader *r)
{
	const char *s = r->s;
	bool slash = *s == '.';
	size_t n = 1;

	if (*s == '[') {
		const char *end = strchr(s + 2, ']');
		if (!end)
			return false;
		n = (size_t)(end - s) + 1;
		slash = (s[1] == '^') != (memchr(s, '/', n) != NULL);
	} else if (*s == '\\') {
		if (!s[1] || !strchr("wdSDWs", s[1]))
			return false;
		n = 2;
	}
	size_t q = quantifier(s + n);
	char c = SEGMENT;
	if (*s == '.' && !q)
		c = '.';	/* meant literally */
	else if (slash && q && s[n] != '?')
		c = REST;
	put(r, c);
	r->s += n + q;
	return true;
}

/* Whether a group has a name: (?<name>...), (?P<name>...); `s`: behind its bracket. */
static bool is_named_group(const char *s)
{
	if (s[0] != '?' || (s[1] != '<' && s[1] != 'P'))
		return false;
	return isalpha((unsigned char)s[2 + (s[1] == 'P')]);
}

/* The text behind the name of a group, which becomes the group's name; NULL: it does not end. */
static const char *read_name(struct regex_reader *r, int index, const char *s)
{
	const char *name = strchr(s, '<'), *end;

	if (name)
		s = name + 1;
	end = strchr(s, '>');
	if (!end)
		return NULL;
	r->group[index].name = s;
	return end + 1;
}

static bool read_open(struct regex_reader *r)
{
	const char *s = r->s + 1;
	bool room = r->ngroups + 1 < PATTERN_GROUPS;
	int index = -1;

	if (r->depth == PATTERN_GROUPS)
		return false;
	if (room && is_named_group(s)) {
		index = (int)++r->ngroups;
		s = read_name(r, index, s);
		if (!s)
			return false;
	} else if (s[0] == '?') {
		if (s[1] != ':')
			return false;	/* it looks ahead or behind */
		s += 2;
	} else if (room) {
		index = (int)++r->ngroups;
	}
	if (index > 0)
		r->group[index].from = r->n;
	r->open[r->depth++] = index;
	r->s = s;
	return true;
}

static bool read_close(struct regex_reader *r)
{
	if (!r->depth)
		return false;
	int index = r->open[--r->depth];
	if (index > 0) {
		r->group[index].to = r->n;
		r->group[index].closed = true;
	}
	r->s += 1 + quantifier(r->s + 1);
	return true;
}

/* A literal character; an optional one is taken as present, except for a slash at the end. */
static bool read_letter(struct regex_reader *r)
{
	size_t n = 1;

	if (*r->s == '\\')
		n = 2;
	char c = r->s[n - 1];
	if (!c)
		return false;
	size_t q = quantifier(r->s + n);
	const char *after = r->s + n + q;
	if (q && r->s[n] != '?')
		return false;
	bool at_end = !*after || !strcmp(after, "$");
	bool optional_slash = q && c == '/' && at_end;
	if (!optional_slash)
		put(r, c);
	r->s = after;
	return true;
}

static bool read_one(struct regex_reader *r)
{
	switch (*r->s) {
	case '^': r->s++; return true;
	case '$':
		r->ended = true;
		r->s++;
		return true;
	case '(': return read_open(r);
	case ')': return read_close(r);
	case '[':
	case '.': return read_wild(r);
	case '|': return false;
	case '\\':
		if (isalpha((unsigned char)r->s[1]))
			return read_wild(r);
		return read_letter(r);
	default: return read_letter(r);
	}
}

/* A part of what was read as text: wildcards as {1}, {2}, a rest at the end as {*}. */
static const char *text_of(const struct regex_reader *r, size_t from, size_t to, struct arena *a)
{
	struct buf b = { 0 };
	int number = 0;

	for (size_t i = 0; i < to; i++) {
		bool wild = is_wild(r->out[i]), last = r->out[i] == REST && i + 1 == r->n;
		if (wild && !last)
			number++;
		if (i < from)
			continue;
		if (last)
			buf_str(&b, "{*}");
		else if (wild)
			buf_printf(&b, "{%d}", number);
		else
			buf_byte(&b, r->out[i]);
	}
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

static bool read_all(const char *s, struct regex_template *p, struct arena *a)
{
	struct regex_reader r = { .s = s };

	while (*r.s)
		if (!read_one(&r))
			return false;
	size_t n = r.n;
	*p = (struct regex_template){ 0 };
	if (!r.ended && (!n || r.out[n - 1] != REST)) {
		if (n && r.out[n - 1] == SEGMENT)
			put(&r, '/');
		put(&r, REST);
		p->tail = text_of(&r, n, r.n, a);
	}
	p->text = text_of(&r, 0, r.n, a);
	p->group[0] = text_of(&r, 0, n, a);
	for (size_t i = 1; i <= r.ngroups; i++) {
		if (r.group[i].closed)
			p->group[i] = text_of(&r, r.group[i].from, r.group[i].to, a);
		if (r.group[i].name)
			p->name[i] = arena_strn(a, r.group[i].name, strcspn(r.group[i].name, ">"));
	}
	return !r.depth;
}

size_t regex_template_read(
    const char *regex, struct regex_template *out, size_t max, struct arena *a)
{
	const char *way[MAX_PATH_REWRITES];
	size_t k = 0;

	if (strlen(regex) >= LONGEST)
		return 0;
	size_t n = expand(regex, way, 0, MIN(max, MAX_PATH_REWRITES), a);
	for (size_t i = 0; i < n; i++)
		k += read_all(way[i], &out[k], a);
	return k;
}

/* ---- replacements ---- */

/* The group that a replacement names at `s`, behind `$` or `\`; *end is behind the name. */
static const char *group_at(const struct regex_template *p, const char *s, const char **end)
{
	bool escaped = *s == '\\', braces = s[escaped] == '{';
	const char *from = s + escaped + braces;
	bool digits = isdigit((unsigned char)*from);
	size_t n = 0;

	while (isalnum((unsigned char)from[n])) {
		bool digit = isdigit((unsigned char)from[n]);
		if (!braces && digit != digits)
			break;
		n++;
	}
	*end = from + n + (braces && from[n] == '}');
	if (n == 1 && digits)
		return p->group[*from - '0'];
	for (size_t i = 1; i < PATTERN_GROUPS && n; i++)
		if (p->name[i] && strlen(p->name[i]) == n && !memcmp(p->name[i], from, n))
			return p->group[i];
	return NULL;
}

static bool names_group(const char *s)
{
	return *s == '$' || (*s == '\\' && isdigit((unsigned char)s[1]));
}

const char *regex_template_expand(const struct regex_template *p, const char *with, struct arena *a)
{
	struct buf b = { 0 };

	for (const char *s = with; *s;) {
		if (s[0] == '\\' && s[1] == '$')	/* escaped for the language or file around it */
			s++;
		if (!names_group(s)) {
			buf_byte(&b, *s++);
			continue;
		}
		const char *group = group_at(p, s + 1, &s);
		if (group)
			buf_str(&b, group);
	}
	const char *s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return s;
}

const char *regex_template_plain(const char *text, struct arena *a)
{
	char *out = arena_str(a, text), *w = out;

	for (const char *s = text; *s; s++) {
		*w++ = *s;
		if (*s == '{' && isdigit((unsigned char)s[1]))
			s = strchr(s, '}') - 1;
	}
	*w = '\0';
	return out;
}
