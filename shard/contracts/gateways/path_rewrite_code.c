#include "shard/contracts/gateways/path_rewrite_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

/* ---- expressions ---- */

/*
 * The string or regular expression literal at *s, unescaped; *s is moved behind it.  NULL if there
 * is none.
 */
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
	if (*c)
		c++;
	while (quote == '/' && isalpha((unsigned char)*c))
		c++;	/* flags */
	*s = c;
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* Two literals with one of the signs `between` them; false: there is something else. */
static bool two_literals(
    const char **s, const char *between, const char **first, const char **second, struct arena *a)
{
	*first = literal(s, a);
	if (!*first)
		return false;
	*s += strspn(*s, " \t\r\n");
	if (!**s || !strchr(between, **s))
		return false;
	++*s;
	*second = literal(s, a);
	return *second != NULL;
}

static void do_strip(struct path_rewrites *f, const char *s, struct arena *a)
{
	size_t n = 1;

	if (isdigit((unsigned char)*s))
		n = strtoul(s, NULL, 10) % 10;
	path_rewrite_strip_segments(f, n, a);
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

/* The string behind a key and signs such as "] = ", ", " or "(prefix: "; NULL if there is none. */
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

/* The pairs of an object: { '^/api': '', … } */
static void replace_by_object(struct path_rewrites *f, const char *s, struct arena *a)
{
	const char *from, *to;

	if (*s != '{')
		return;
	s = strpbrk(s + 1, "\"'`}");
	while (s && *s && strchr("\"'`", *s) && two_literals(&s, ":", &from, &to, a)) {
		path_rewrite_replace_regex(f, from, to, false, a);
		s += strspn(s, ", \t\r\n");
	}
}

void path_rewrite_from_code(struct path_rewrites *f, const char *code, struct arena *a)
{
	replace_by_object(f, code, a);
	for (const char *s = code; *s; s++)
		for (size_t i = 0; i < LEN(calls); i++)
			if (!strncmp(s, calls[i].name, strlen(calls[i].name)))
				calls[i].act(f, s + strlen(calls[i].name), a);
}

/* ---- names ---- */

/* Whether a parameter in braces matches the rest of the path. */
static bool is_rest(const char *s)
{
	return s[1] == '*' || !strncmp(s, "{everything}", 12) || !strcmp(s, "{url}");
}

/*
 * The length of a parameter at `s`: {name}, {**name}, :name, :name*; 0 if there is none.  `*rest`:
 * whether it matches the rest of the path.
 */
static size_t parameter(const char *s, bool *rest)
{
	const char *close = NULL;
	size_t n = 1;

	*rest = false;
	if (*s == '{')
		close = strchr(s, '}');
	if (close) {
		*rest = is_rest(s);
		return (size_t)(close - s) + 1;
	}
	if (*s != ':' || !isalpha((unsigned char)s[1]))
		return 0;
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	if (s[n] == '(')
		close = strchr(s + n, ')');
	if (close)
		n = (size_t)(close - s) + 1;
	*rest = s[n] == '*' || s[n] == '+';
	return n + *rest;
}

/* The name of a parameter. */
static const char *name_in(const char *s, size_t n, struct arena *a)
{
	size_t from = strspn(s, "{:*"), len = 0;

	while (from + len < n && (isalnum((unsigned char)s[from + len]) || s[from + len] == '_'))
		len++;
	return arena_strn(a, s + from, len);
}

/*
 * The number of the parameter in the template `from`; 0: it has none of that name.  `*rest`:
 * whether it matches the rest there; unchanged if there is none.
 */
static int parameter_number(const char *from, const char *name, bool *rest, struct arena *a)
{
	int number = 0;
	bool takes_rest;

	while (*from) {
		size_t n = parameter(from, &takes_rest);
		if (!n) {
			from++;
			continue;
		}
		number += !takes_rest;
		if (!strcmp(name_in(from, n, a), name)) {
			*rest = takes_rest;
			return number + takes_rest;
		}
		from += n;
	}
	return 0;
}

/* The template with {} and {*} for its parameters; with {1}, {2}, … for those of `from`, or "". */
static const char *template_of_names(const char *t, const char *from, struct arena *a)
{
	struct buf b = { 0 };
	bool rest;

	while (*t) {
		size_t n = parameter(t, &rest);
		if (!n) {
			buf_byte(&b, *t++);
			continue;
		}
		int number = parameter_number(from, name_in(t, n, a), &rest, a);
		if (rest)
			buf_str(&b, "{*}");
		else if (number)
			buf_printf(&b, "{%d}", number);
		else
			buf_str(&b, "{}");
		t += n;
	}
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

bool path_rewrite_add_named(
    struct path_rewrites *f, const char *from, const char *to, struct arena *a)
{
	const char *path = template_of_names(from, "", a), *target = template_of_names(to, from, a);

	if (f->n == MAX_PATH_REWRITES)
		return false;
	if (*from != '/')
		path = arena_printf(a, "/%s", path);
	if (*to != '/')
		target = arena_printf(a, "/%s", target);
	f->v[f->n++] = (struct path_rewrite){ path, target };
	return true;
}
