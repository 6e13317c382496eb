#include "shard/contracts/gateways/path_rewrite.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/gateways/regex_template.h"

enum { LONGEST_PATH = 2000 };

/* ---- templates ---- */

/* The path with {1}, {2}, … in place of `{}`. */
static const char *number_wildcards(const char *path, struct arena *a)
{
	struct buf b = { 0 };
	int n = 0;

	for (const char *s = path; *s; s++) {
		if (s[0] == '{' && s[1] == '}') {
			buf_printf(&b, "{%d}", ++n);
			s++;
		} else {
			buf_byte(&b, *s);
		}
	}
	const char *t = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return t;
}

static bool put(struct path_rewrites *f, const char *path, const char *to)
{
	if (f->n == MAX_PATH_REWRITES || *path != '/')
		return false;
	for (size_t i = 0; i < f->n; i++)
		if (!strcmp(f->v[i].path, path))
			return true;
	f->v[f->n++] = (struct path_rewrite){ path, to };
	return true;
}

/* Whether a segment of a pattern matches the rest of the path: **, {*name}, {name:.*}. */
static bool is_rest(const char *name)
{
	if (!strcmp(name, "**"))
		return true;
	if (strlen(name) <= 2 || *name != '{')
		return false;
	return name[1] == '*' || !strcmp(name, "{everything}") || strstr(name, ":.*}");
}

/* Whether a segment matches one whole segment: *, ?, {name}, or ** before the end. */
static bool is_wildcard(const char *name)
{
	if (!strcmp(name, "**") || !strcmp(name, "*") || !strcmp(name, "?"))
		return true;
	return *name == '{' && strlen(name) > 2;
}

/* One segment of a Spring or ASP.NET pattern as a template. */
static const char *ant_segment(const char *name, bool last, struct arena *a)
{
	const char *star = strchr(name, '*');

	if (last && is_rest(name))
		return "{*}";
	if (last && star && name[1] && strcmp(name, "**"))	/* user* */
		return arena_printf(a, "%.*s{*}", (int)(star - name), name);
	if (is_wildcard(name))
		return "{}";
	return name;
}

/* The length of the first segment; slashes in braces belong to it: {name:a/b}. */
static size_t segment_length(const char *p)
{
	size_t n = 0;

	for (int depth = 0; p[n] && (depth || p[n] != '/'); n++)
		depth += (p[n] == '{') - (p[n] == '}');
	return n;
}

static bool add_ant(struct path_rewrites *f, const char *p, struct arena *a)
{
	const char *out = "";

	if (*p == '/')
		p++;
	for (;; p++) {
		size_t n = segment_length(p);
		out = arena_printf(a, "%s/%s", out, ant_segment(arena_strn(a, p, n), !p[n], a));
		p += n;
		if (!*p)
			break;
	}
	return put(f, out, number_wildcards(out, a));
}

static bool add_regex(struct path_rewrites *f, const char *p, struct arena *a)
{
	struct regex_template v[MAX_PATH_REWRITES];
	size_t n = regex_template_read(p, v, MAX_PATH_REWRITES, a);
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= put(f, regex_template_plain(v[i].text, a), v[i].text);
	return any;
}

/* The template of a path, or of all paths below it. */
static const char *plain_template(enum path_rewrite_style style, const char *p, struct arena *a)
{
	size_t n = strlen(p);

	if (style == PATH_REWRITE_EXACT)
		return p;
	if (style == PATH_REWRITE_TEXT_PREFIX || !strcmp(p, "/"))
		return arena_printf(a, "%s{*}", p);
	if (n && p[n - 1] == '/')
		n--;
	return arena_printf(a, "%.*s/{*}", (int)n, p);
}

bool path_rewrite_add(
    struct path_rewrites *f, enum path_rewrite_style style, const char *p, struct arena *a)
{
	if (strlen(p) > LONGEST_PATH) {
		arena_set_truncated(a, "gateway: a path of more than 2000 bytes");
		return false;
	}
	if (style == PATH_REWRITE_REGEX)
		return add_regex(f, p, a);
	if (style == PATH_REWRITE_ANT)
		return add_ant(f, p, a);
	const char *path = plain_template(style, p, a);
	return put(f, path, path);
}

/* ---- changes ---- */

/* Where segment `i` begins; NULL if there are fewer. */
static const char *segment(const char *s, size_t i)
{
	if (*s != '/')
		s = NULL;
	while (s && i--)
		s = strchr(s + 1, '/');
	return s;
}

/* How many segments there are before the rest. */
static size_t count_segments(const char *to, const char *rest)
{
	size_t n = 0;

	for (;;) {
		const char *s = segment(to, n);
		if (!s || s == rest)
			return n;
		n++;
	}
}

void path_rewrite_strip_segments(struct path_rewrites *f, size_t n, struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		struct path_rewrite *x = &f->v[i];
		const char *rest = strstr(x->to, "/{*}");
		size_t have = count_segments(x->to, rest);
		/* some are segments of the rest */
		if (have < n && rest && !strcmp(x->to, number_wildcards(x->path, a))) {
			const char *path = arena_strn(a, x->path, strlen(x->path) - 3);
			for (size_t k = have; k < n; k++)
				path = arena_printf(a, "%s{}/", path);
			x->path = arena_printf(a, "%s{*}", path);
			x->to = number_wildcards(x->path, a);
		}
		x->to = segment(x->to, n);
		if (!x->to)
			x->to = "/";
	}
}

/* What is behind the text in `to`, if `to` begins with it as whole segments; else NULL. */
static const char *behind(const char *to, const char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '/')
		n--;
	if (!strncmp(to, text, n) && (!to[n] || to[n] == '/' || to[n] == '{'))
		return to + n;
	return NULL;
}

void path_rewrite_strip_prefix(struct path_rewrites *f, const char *prefix, struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		const char *to = behind(f->v[i].to, prefix);
		if (to && *to != '/')
			to = arena_printf(a, "/%s", to);
		if (to)
			f->v[i].to = to;
	}
}

void path_rewrite_add_prefix(struct path_rewrites *f, const char *prefix, struct arena *a)
{
	size_t n = strlen(prefix);

	while (n && prefix[n - 1] == '/')
		n--;
	for (size_t i = 0; i < f->n && n; i++)
		f->v[i].to = arena_printf(
		    a, "%s%.*s%s", *prefix == '/' ? "" : "/", (int)n, prefix, f->v[i].to);
}

void path_rewrite_set(struct path_rewrites *f, const char *path, struct arena *a)
{
	for (size_t i = 0; i < f->n; i++)
		f->v[i].to = arena_str(a, path);
}

void path_rewrite_replace_prefix(struct path_rewrites *f, const char *with, struct arena *a)
{
	for (size_t i = 0; i < f->n; i++)
		f->v[i].to = arena_printf(a, "%s%s", with, strstr(f->v[i].path, "{*}") ? "{*}" : "");
}

/* ---- expressions ---- */

/* What each wildcard of a pattern matched. */
struct path_captures {
	const char *part[PATTERN_GROUPS], *rest;
};

/* FITS_PART: the pattern matches only some of the paths of the template */
enum unify_result { FITS_NOT, FITS, FITS_PART };

/* The length of a wildcard {1} or {*} at `s`, or 0. */
static size_t mark(const char *s)
{
	if (*s == '{' && strchr(s, '}'))
		return (size_t)(strchr(s, '}') - s) + 1;
	return 0;
}

/* Match one literal character; false: they differ. */
static bool same_literal(const char *p, const char *s)
{
	return !mark(s) && *p == *s;
}

/* Match the template `s` against the pattern `p`, with the wildcards' values in `t`. */
static enum unify_result unify(
    const char *p, const char *s, struct path_captures *t, struct arena *a)
{
	while (*p) {
		size_t wild = mark(p), hole = mark(s);
		if (wild && p[1] == '*') {
			t->rest = s;
			return FITS;
		}
		if (hole && s[1] == '*')
			return FITS_PART;
		if (wild) {
			size_t n = hole;
			if (!n)
				n = strcspn(s, "/{");
			if (!n)
				return FITS_NOT;
			t->part[(p[1] - '0') % PATTERN_GROUPS] = arena_strn(a, s, n);
			p += wild;
			s += n;
			continue;
		}
		if (!*s && !strcmp(p, "/{*}"))
			return FITS;
		if (!same_literal(p, s))
			return FITS_NOT;
		p++;
		s++;
	}
	return *s ? FITS_NOT : FITS;
}

/* A text with what the wildcards of the pattern matched in their place. */
static const char *fill_captures(const char *s, const struct path_captures *t, struct arena *a)
{
	struct buf b = { 0 };

	while (*s) {
		size_t n = mark(s);
		if (!n) {
			buf_byte(&b, *s++);
			continue;
		}
		const char *part = t->rest;
		if (s[1] != '*')
			part = t->part[(s[1] - '0') % PATTERN_GROUPS];
		if (part)
			buf_str(&b, part);
		s += n;
	}
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* Add the template as the pattern changes it; false: not all of its paths are changed. */
static bool apply_template(struct path_rewrites *f, const struct path_rewrite *x,
    const struct regex_template *p, const char *with, bool whole, struct arena *a)
{
	struct path_captures t = { 0 };
	const char *to = regex_template_expand(p, with, a);

	if (p->tail && !whole)
		to = arena_printf(a, "%s%s", to, p->tail);
	switch (unify(p->text, x->to, &t, a)) {
	case FITS:
		put(f, x->path, fill_captures(to, &t, a));
		return true;
	case FITS_PART:
		if (!strcmp(x->to, number_wildcards(x->path, a)))
			put(f, regex_template_plain(p->text, a), to);
		break;
	case FITS_NOT: break;
	}
	return false;
}

void path_rewrite_replace_regex(
    struct path_rewrites *f, const char *regex, const char *with, bool whole, struct arena *a)
{
	struct regex_template v[MAX_PATH_REWRITES];
	size_t n = regex_template_read(regex, v, MAX_PATH_REWRITES, a);
	struct path_rewrites old = *f;

	f->n = 0;
	for (size_t i = 0; i < old.n; i++) {
		bool all = false;
		for (size_t k = 0; k < n && !all; k++)
			all = apply_template(f, &old.v[i], &v[k], with, whole, a);
		if (!all)
			put(f, old.v[i].path, old.v[i].to);
	}
	for (size_t i = 0; i < f->n; i++)
		if (*f->v[i].to != '/')
			f->v[i].to = arena_printf(a, "/%s", f->v[i].to);
}

const char *path_rewrite_target(const struct path_rewrite *f, struct arena *a)
{
	if (strcmp(f->to, number_wildcards(f->path, a)))
		return f->to;
	return NULL;
}
