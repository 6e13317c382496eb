#include "coordinator/contracts/matching/match_path.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"

static enum path_segment_kind kind_of(const char *s)
{
	if (!strcmp(s, "{}"))
		return SEG_PARAMETER;
	if (strstr(s, "{*}"))
		return SEG_REST;
	if (strstr(s, "{}"))
		return SEG_PATTERN;
	return SEG_LITERAL;
}

/* In small letters, since most servers take both, and with every name in braces as {}. */
static char *plain(const char *s, size_t n, struct arena *a)
{
	char *out = arena_get(a, n + 1, 1), *w = out;

	for (size_t i = 0; i < n; i++) {
		const char *end = NULL;
		if (s[i] == '{' && s[i + 1] != '*')
			end = memchr(s + i, '}', n - i);
		if (end) {
			*w++ = '{';
			i = (size_t)(end - s);
		}
		*w++ = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i];
	}
	return out;
}

static void add_segment(
    struct path_template *p, enum path_segment_kind *kind, const char *s, size_t n, struct arena *a)
{
	char *seg = plain(s, n, a), *rest = strstr(seg, "{*}");

	if (rest)
		rest[3] = 0;
	*kind = kind_of(seg);
	p->open = rest != NULL;
	p->literals += *kind == SEG_LITERAL;
	p->seg[p->n++] = seg;
}

struct path_template path_split(const char *t, struct arena *a)
{
	const char *mark = strstr(t, "://"), *slash = mark ? strchr(mark + 3, '/') : t;
	struct path_template p = { 0 };

	t = slash ? slash : "";
	size_t len = strcspn(t, "?#"), slots = 1;
	for (size_t i = 0; i < len; i++)
		slots += t[i] == '/';
	p.seg = arena_many(a, slots, const char *);
	enum path_segment_kind *kind = arena_many(a, slots, enum path_segment_kind);
	p.kind = kind;
	for (size_t i = 0; i < len && !p.open;) {
		size_t n = strcspn(t + i, "/");
		n = MIN(n, len - i);
		if (n)
			add_segment(&p, &kind[p.n], t + i, n, a);
		i += n + 1;
	}
	p.text = "";
	for (size_t i = 0; i < p.n; i++)
		p.text = arena_printf(a, "%s/%s", p.text, p.seg[i]);
	return p;
}

/* Whether `s` fits a pattern whose `{}` stand for any text; holes of `s` are text to it. */
static bool like(const char *pattern, const char *s)
{
	for (; *pattern; pattern++, s++) {
		if (pattern[0] == '{' && pattern[1] == '}') {
			for (const char *rest = s + (*s != 0); *rest; rest++)
				if (like(pattern + 2, rest))
					return true;
			return !pattern[2] && *s;
		}
		if (*pattern != *s)
			return false;
	}
	return !*s;
}

/* The text and a hole behind it, which may be a query. */
static bool is_followed(const char *s, const char *text)
{
	size_t n = strlen(text);

	return !strncmp(s, text, n) && !strcmp(s + n, "{}");
}

enum segment_fit path_segment_fit(
    const char *call, enum path_segment_kind c, const char *route, enum path_segment_kind r)
{
	if (r == SEG_PARAMETER)
		return FITS_PARAMETER;
	if (c == SEG_PARAMETER)
		return FITS_WEAKLY;
	if (!strcmp(call, route) || (r == SEG_PATTERN && like(route, call)) ||
	    (c == SEG_PATTERN && is_followed(call, route)))
		return FITS_TEXT;
	if (c == SEG_PATTERN && like(call, route))
		return FITS_WEAKLY;
	return FITS_NOT;
}

/*
 * The text before the {*} of a segment begins the other one (NULL: there is none), which may
 * itself be open.
 */
static bool begins(const char *open, const char *other, struct path_match *f)
{
	size_t n = (size_t)(strstr(open, "{*}") - open);

	f->rest = true;
	f->literals += n > 0;
	if (!n)
		return true;
	const char *end = other ? strstr(other, "{*}") : NULL;
	size_t m = 0;
	if (end)
		m = (size_t)(end - other);
	return other && !strncmp(open, other, end && m < n ? m : n);
}

/* The call from segment `i` on and the route from segment `k` on. */
static bool align(const struct path_template *call, size_t i, const struct path_template *route,
    size_t k, struct path_match *f)
{
	for (; k < route->n || i < call->n; i++, k++) {
		const char *c = i < call->n ? call->seg[i] : NULL, *r = k < route->n ? route->seg[k] : NULL;
		if (r && route->kind[k] == SEG_REST)
			return begins(r, c, f);
		if (c && call->kind[i] == SEG_REST)
			return begins(c, r, f);
		enum segment_fit fits = FITS_NOT;
		if (c && r)
			fits = path_segment_fit(c, call->kind[i], r, route->kind[k]);
		if (fits == FITS_NOT || (fits == FITS_WEAKLY && i + 1 == call->n))
			return false;
		f->weak += fits == FITS_WEAKLY;
		f->literals += fits == FITS_TEXT;
	}
	return true;
}

bool path_fit(const struct path_template *c, const struct path_template *r, struct path_match *f)
{
	*f = (struct path_match){ 0 };
	if ((c->open || r->open || c->n == r->n) && align(c, 0, r, 0, f))
		return true;
	if (c->open || r->open || !r->n || c->n == r->n)
		return false;
	bool longer = c->n > r->n;
	size_t k = longer ? c->n - r->n : r->n - c->n, base = !longer && c->based;
	enum path_strip strips = STRIP_YES;
	if (longer)
		strips = path_strips(c, k);
	if (k + base > (longer ? STRIP_MAX : EXTRA_MAX) || strips == STRIP_NO)
		return false;
	*f = (struct path_match){ .level = longer ? 1 : 2, .shift = longer ? (int)k : -(int)k };
	bool ends = (longer ? align(c, k, r, 0, f) : align(c, base, r, k + base, f)) && f->literals &&
	    !f->weak;
	f->weak = strips == STRIP_MAYBE;
	return ends;
}

bool path_fit_after(
    const struct path_template *c, size_t n, const struct path_template *r, struct path_match *f)
{
	*f = (struct path_match){ .level = 1, .shift = (int)n };
	return n <= c->n && align(c, n, r, 0, f) && !f->weak;
}

enum path_strip path_strips(const struct path_template *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (p->kind[i] != SEG_LITERAL)
			return STRIP_NO;
	if (!n || p->based || p->kind[0] == SEG_LITERAL)
		return STRIP_YES;
	if (p->kind[0] == SEG_PARAMETER)
		return STRIP_MAYBE;
	return STRIP_NO;
}

bool path_has_no_text(const struct path_template *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->kind[i] != SEG_PARAMETER && strcmp(p->seg[i], "{*}"))
			return false;
	return p->n > 0;
}
