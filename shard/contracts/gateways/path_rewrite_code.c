#include "shard/contracts/gateways/path_rewrite_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* ---- expressions ---- */

/* The string or expression in slashes at *s, unescaped; *s goes behind it.  NULL: there is none. */
static const char *literal(const char **s, struct arena *a)
{
	const char *c = *s + strspn(*s, " \t\r\n");
	char quote = *c;
	struct buf b = { 0 };

	if (!quote || !strchr("\"'`/", quote))
		return NULL;
	for (c++; *c && *c != quote; c++) {
		if (*c == '\\' && (c[1] == quote || (quote != '/' && c[1] == '\\')))
			c++;
		buf_byte(&b, *c);
	}
	*s = *c ? c + 1 : c;
	while (quote == '/' && isalpha((unsigned char)**s))
		++*s;	/* flags */
	const char *out = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

/* Two of them with a comma, or a colon, between. */
static bool two_literals(
    const char **s, const char *between, const char **first, const char **second, struct arena *a)
{
	if (!(*first = literal(s, a)))
		return false;
	*s += strspn(*s, " \t\r\n");
	if (!**s || !strchr(between, **s))
		return false;
	++*s;
	return (*second = literal(s, a)) != NULL;
}

static void do_strip(struct path_rewrites *f, const char *s, struct arena *a)
{
	path_rewrite_strip_segments(f, isdigit((unsigned char)*s) ? strtoul(s, NULL, 10) % 10 : 1, a);
}

static void do_replace(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *from, *to;

	if (two_literals(&s, ",", &from, &to, a))
		path_rewrite_replace_regex(f, from, to, false, a);
}

static void do_prefix(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *prefix = literal(&s, a);

	if (prefix)
		path_rewrite_add_prefix(f, prefix, a);
}

static void do_set(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *path = literal(&s, a);

	if (path && !strchr(path, '{'))
		path_rewrite_set(f, path, a);
}

/*
 * The string behind a key and what stands between them: "] = ", ", ", "(prefix: "; NULL: there is
 * none.
 */
static const char *string_after_key(const char *s, struct arena *a)
{
	s += *s == '"';
	s += strcspn(s, "\"';}");
	if (*s == '"')
		return literal(&s, a);
	return NULL;
}

static void do_cut(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *prefix = string_after_key(s, a);

	if (prefix)
		path_rewrite_strip_prefix(f, prefix, a);
}

static void do_put_before(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *prefix = string_after_key(s, a);

	if (prefix)
		path_rewrite_add_prefix(f, prefix, a);
}

static void do_set_to(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *path = string_after_key(s, a);

	if (path && !strchr(path, '{'))
		path_rewrite_set(f, path, a);
}

static const struct {
	const char *name;
	void (*act)(struct path_rewrites *, const char *arguments, struct arena *);
} calls[] = {
	{ "stripPrefix(", do_strip },
	{ "rewritePath(", do_replace },
	{ "prefixPath(", do_prefix },
	{ "setPath(", do_set },
	{ ".replace(", do_replace },
	{ "PathRemovePrefix", do_cut },
	{ "PathPrefix", do_put_before },
	{ "PathSet", do_set_to },
};

void path_rewrite_from_code(struct path_rewrites *f, const char *code, struct arena *a)
{
	const char *from, *to;

	/* { '^/api': '', … } */
	for (const char *s = code; *s == '{' && (s = strpbrk(s + 1, "\"'`}")) && *s != '}';) {
		if (!two_literals(&s, ":", &from, &to, a))
			break;
		path_rewrite_replace_regex(f, from, to, false, a);
		s += strspn(s, ", \t\r\n");
		s -= *s && *s != '}';	/* as if it began here */
		if (!strchr("\"'`", s[1]))
			break;
		s = arena_printf(a, "{%s", s + 1);
	}
	for (const char *s = code; *s; s++)
		for (size_t i = 0; i < LEN(calls); i++)
			if (!strncmp(s, calls[i].name, strlen(calls[i].name)))
				calls[i].act(f, s + strlen(calls[i].name), a);
}

/* ---- names ---- */

/*
 * The length of a parameter at `s`: {name}, {**name}, :name, :name*; and whether it takes the
 * rest.
 */
static size_t parameter(const char *s, bool *rest)
{
	size_t n = 1;

	*rest = false;
	if (*s == '{' && strchr(s, '}')) {
		n = (size_t)(strchr(s, '}') - s) + 1;
		*rest = s[1] == '*' || !strncmp(s, "{everything}", 12) || (!strncmp(s, "{url}", 5) && !s[5]);
		return n;
	}
	if (*s != ':' || !isalpha((unsigned char)s[1]))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	if (s[n] == '(') {
		if (strchr(s + n, ')'))
			n = (size_t)(strchr(s + n, ')') - s) + 1;
	}
	*rest = s[n] == '*' || s[n] == '+';
	return n + *rest;
}

/* The name alone. */
static const char *name_in(const char *s, size_t n, struct arena *a)
{
	size_t from = strspn(s, "{:*"), len = 0;

	while (from + len < n && (isalnum((unsigned char)s[from + len]) || s[from + len] == '_'))
		len++;
	return arena_strn(a, s + from, len);
}

/* As {}, {*}; with `from` as the number that a name has there. */
static const char *template_of_names(const char *t, const char *from, struct arena *a)
{
	struct buf b = { 0 };
	bool rest, other;

	for (size_t n; *t; t += n) {
		n = parameter(t, &rest);
		if (!n) {
			buf_byte(&b, *t);
			n = 1;
			continue;
		}
		const char *name = name_in(t, n, a);
		int number = 0, found = 0;
		bool takes_rest = rest;
		for (const char *s = from ? from : ""; *s && !found;) {
			size_t m = parameter(s, &other);
			number += m && !other;
			if (m && !strcmp(name_in(s, m, a), name)) {
				found = number;
				takes_rest = other;
				found += other;
			}
			s += m ? m : 1;
		}
		if (takes_rest)
			buf_str(&b, "{*}");
		else if (found)
			buf_printf(&b, "{%d}", found);
		else
			buf_str(&b, "{}");
	}
	const char *out = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

bool path_rewrite_add_named(
    struct path_rewrites *f, const char *from, const char *to, struct arena *a)
{
	const char *slash = "/";

	if (*from == '/')
		slash = "";
	if (f->n == MAX_PATH_REWRITES)
		return false;
	f->v[f->n++] = (struct path_rewrite){ arena_printf(
		                                      a, "%s%s", slash, template_of_names(from, NULL, a)),
		arena_printf(a, "%s%s", *to == '/' ? "" : "/", template_of_names(to, from, a)) };
	return true;
}
