#include "shard/contracts/gateways/path_rewrite.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/gateways/regex_template.h"

enum { LONGEST_PATH = 2000 };

/* ---- templates ---- */

/* `{}` as {1}, {2}, …: each as itself. */
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
	const char *t = arena_strn(a, b.p ? b.p : "", b.n);
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

/* One segment of a Spring or ASP.NET pattern. */
static const char *ant_segment(const char *s, size_t n, bool last, bool *rest, struct arena *a)
{
	bool stars = n == 2 && s[0] == '*' && s[1] == '*', braces = n > 2 && *s == '{';
	const char *name = arena_strn(a, s, n);

	*rest = last && (stars || (braces && s[1] == '*') || (braces && !strcmp(name, "{everything}")) || (braces && strstr(name, ":.*}")));
	if (*rest)
		return "{*}";
	if (n && memchr(s, '*', n) && n > 1 && !stars && last) {	/* user* */
		*rest = true;
		return arena_printf(a, "%.*s{*}", (int)((const char *)memchr(s, '*', n) - s), s);
	}
	if (stars || braces || (n == 1 && (*s == '*' || *s == '?')))
		return "{}";
	return name;
}

static bool add_ant(struct path_rewrites *f, const char *p, struct arena *a)
{
	const char *out = "";

	for (p += *p == '/'; ; p++) {
		size_t n = 0;
		for (int depth = 0; p[n] && (depth || p[n] != '/'); n++)	/* {name:a/b} */
			depth += p[n] == '{' ? 1 : p[n] == '}' ? -1 : 0;
		bool rest;
		out = arena_printf(a, "%s/%s", out, ant_segment(p, n, !p[n], &rest, a));
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

bool path_rewrite_add(
    struct path_rewrites *f, enum path_rewrite_style style, const char *p, struct arena *a)
{
	size_t n = strlen(p);

	if (n > LONGEST_PATH) {
		arena_set_truncated(a, "gateway: a path of more than 2000 bytes");
		return false;
	}
	if (style == PATH_REWRITE_REGEX)
		return add_regex(f, p, a);
	if (style == PATH_REWRITE_ANT)
		return add_ant(f, p, a);
	if (style == PATH_REWRITE_SEGMENT_PREFIX && n > 1 && p[n - 1] == '/')
		n--;
	const char *path = style == PATH_REWRITE_EXACT ? p :
	    style == PATH_REWRITE_TEXT_PREFIX || (n == 1 && *p == '/') ?
	                                                 arena_printf(a, "%s{*}", p) :
	                                                 arena_printf(a, "%.*s/{*}", (int)n, p);
	return put(f, path, path);
}

/* ---- what is done to them ---- */

/* Where segment `i` begins; NULL: there are fewer. */
static const char *segment(const char *s, size_t i)
{
	if (*s != '/')
		s = NULL;
	while (s && i--)
		s = strchr(s + 1, '/');
	return s;
}

void path_rewrite_strip_segments(struct path_rewrites *f, size_t n, struct arena *a)
{
	for (size_t i = 0; i < f->n; i++) {
		struct path_rewrite *x = &f->v[i];
		const char *rest = strstr(x->to, "/{*}");
		size_t have = 0;
		while (segment(x->to, have) && segment(x->to, have) != rest)
			have++;
		/* of the rest, too */
		if (have < n && rest && !strcmp(x->to, number_wildcards(x->path, a))) {
			const char *path = arena_strn(a, x->path, strlen(x->path) - 3);
			for (size_t k = have; k < n; k++)
				path = arena_printf(a, "%s{}/", path);
			x->path = arena_printf(a, "%s{*}", path);
			x->to = number_wildcards(x->path, a);
		}
		const char *to = segment(x->to, n);
		x->to = to ? to : "/";
	}
}

/* Whether `to` begins with whole segments of the text; what is behind them. */
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
		if (to) {
			if (*to == '/')
				f->v[i].to = to;
			else
				f->v[i].to = arena_printf(a, "/%s", to);
		}
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

/* What each wild part of a pattern took. */
struct path_captures {
	const char *part[PATTERN_GROUPS], *rest;
};

/* PART: the pattern is for some of what the template is for */
enum unify_result { FITS_NOT, FITS, FITS_PART };

static size_t mark(const char *s)
{
	if (*s == '{' && strchr(s, '}'))
		return (size_t)(strchr(s, '}') - s) + 1;
	return 0;
}

static enum unify_result unify(
    const char *p, const char *s, struct path_captures *t, struct arena *a)
{
	while (*p) {
		size_t wild = mark(p), hole = mark(s);
		bool rest = hole && s[1] == '*';
		if (wild && p[1] == '*') {
			t->rest = s;
			return FITS;
		}
		if (rest)
			return FITS_PART;
		if (wild) {
			size_t n = hole;
			if (!hole)
				n = strcspn(s, "/{");
			if (!n)
				return FITS_NOT;
			t->part[(p[1] - '0') % PATTERN_GROUPS] = arena_strn(a, s, n);
			p += wild;
			s += n;
		} else {
			if (hole || *p != *s) {
				if (!*s && *p == '/' && !strcmp(p, "/{*}"))
					return FITS;
				return FITS_NOT;
			}
			p++;
			s++;
		}
	}
	return *s ? FITS_NOT : FITS;
}

/* A text with marks of the pattern as what they took. */
static const char *fill_captures(const char *s, const struct path_captures *t, struct arena *a)
{
	struct buf b = { 0 };

	for (size_t n; *s; s += n) {
		n = mark(s);
		const char *part = n && s[1] == '*' ? t->rest :
		    n                               ? t->part[(s[1] - '0') % PATTERN_GROUPS] :
		                                      NULL;
		if (!n)
			n = 1;
		if (part)
			buf_str(&b, part);
		else if (n == 1)
			buf_byte(&b, *s);
	}
	const char *out = arena_strn(a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

/* The template as the pattern turns it; false: the pattern is not for it. */
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
