#include "coordinator/contracts/paths/match_path.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

/* Letters and digits that a pattern of holes needs to be more than a parameter. */
enum { PATTERN_TEXT_MIN = 2 };

static size_t count_text(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += isalnum((unsigned char)*s) != 0;
	return n;
}

static enum path_segment_kind kind_of(const char *s)
{
	if (!strcmp(s, "{}"))
		return SEG_PARAMETER;
	if (strstr(s, "{*}"))
		return SEG_REST;
	if (!strncmp(s, "{}{}", 4) && !s[strspn(s, "{}")])
		return SEG_PARAMETER;
	if (strstr(s, "{}"))
		return SEG_PATTERN;
	return SEG_LITERAL;
}

/* In lower case, since most servers ignore case, and with {} for every name in braces. */
static char lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 32);
	return c;
}

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
		*w++ = lower(s[i]);
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
	if (*kind == SEG_LITERAL)
		p->literals++;
	p->seg[p->n++] = seg;
}

/* Where the path begins, behind scheme and host; "" if there is only a host. */
static const char *path_begin(const char *t)
{
	const char *scheme_end = strstr(t, "://");

	if (!scheme_end)
		return t;
	const char *slash = strchr(scheme_end + 3, '/');
	if (!slash)
		return "";
	return slash;
}

struct path_template path_split(const char *t, struct arena *a)
{
	struct path_template p = { 0 };

	t = path_begin(t);
	size_t len = strcspn(t, "?#"), slots = 1;
	for (size_t i = 0; i < len; i++)
		if (t[i] == '/')
			slots++;
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

/* Where a segment's format begins: lower-case letters behind a dot; NULL: it has none. */
static const char *format_of(const char *segment)
{
	const char *dot = strrchr(segment, '.');

	if (!dot || dot == segment)
		return NULL;
	size_t n = strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz");
	return n >= 3 && n <= 4 && !dot[1 + n] ? dot : NULL;
}

const struct path_template *path_without_format(const struct path_template *p, struct arena *a)
{
	const char *dot = NULL;

	if (p->n && !p->open)
		dot = format_of(p->seg[p->n - 1]);
	if (!dot)
		return NULL;
	struct path_template *bare = arena_one(a, struct path_template);
	*bare = path_split(arena_strn(a, p->text, strlen(p->text) - strlen(dot)), a);
	bare->based = p->based;
	return bare;
}

/* Whether `s` fits a pattern whose `{}` stand for any text.  Holes of `s` count as text. */
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

/* Whether `s` is the text with a hole behind it, which may be a query. */
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
 * Whether the text before the {*} of a segment is a prefix of the other segment, which may be open
 * itself, or NULL if there is none.
 */
static bool begins(const char *open, const char *other, struct path_match *f)
{
	size_t n = (size_t)(strstr(open, "{*}") - open);

	f->rest = true;
	if (!n)
		return true;
	f->literals++;
	if (!other)
		return false;
	const char *end = strstr(other, "{*}");
	if (end) {
		size_t m = (size_t)(end - other);
		n = MIN(n, m);
	}
	return !strncmp(open, other, n);
}

static const char *segment_at(const struct path_template *p, size_t i)
{
	if (i < p->n)
		return p->seg[i];
	return NULL;
}

/* Match the call from segment `i` on with the route from segment `k` on. */
static bool align(const struct path_template *call, size_t i, const struct path_template *route,
    size_t k, struct path_match *f)
{
	for (; k < route->n || i < call->n; i++, k++) {
		const char *c = segment_at(call, i), *r = segment_at(route, k);
		if (r && route->kind[k] == SEG_REST)
			return begins(r, c, f);
		if (c && call->kind[i] == SEG_REST)
			return begins(c, r, f);
		if (!c || !r)
			return false;
		enum segment_fit fits = path_segment_fit(c, call->kind[i], r, route->kind[k]);
		if (fits == FITS_NOT)
			return false;
		if (fits == FITS_WEAKLY) {
			if (i + 1 == call->n)
				return false;
			f->weak++;
		} else if (fits == FITS_TEXT) {
			f->literals++;
		}
	}
	return true;
}

/* The call has more leading segments than the route: a gateway strips them. */
static bool fit_stripped(
    const struct path_template *c, const struct path_template *r, struct path_match *f)
{
	size_t k = c->n - r->n;
	enum path_strip strips = path_strips(c, k);

	if (k > STRIP_MAX || strips == STRIP_NO)
		return false;
	*f = (struct path_match){ .level = 1, .shift = (int)k };
	bool ends = align(c, k, r, 0, f) && f->literals && !f->weak;
	f->weak = strips == STRIP_MAYBE;
	return ends;
}

/* The route has more leading segments than the call: they are in the call's unknown base. */
static bool fit_suffix(
    const struct path_template *c, const struct path_template *r, struct path_match *f)
{
	size_t k = r->n - c->n, base = c->based;

	if (k + base > EXTRA_MAX)
		return false;
	*f = (struct path_match){ .level = 2, .shift = -(int)k };
	bool ends = align(c, base, r, k + base, f) && f->literals && !f->weak;
	f->weak = 0;
	return ends;
}

static bool fit(const struct path_template *c, const struct path_template *r, struct path_match *f)
{
	bool open = c->open || r->open;

	*f = (struct path_match){ 0 };
	if ((open || c->n == r->n) && align(c, 0, r, 0, f))
		return true;
	if (open || !r->n)
		return false;
	if (c->n > r->n)
		return fit_stripped(c, r, f);
	if (c->n < r->n)
		return fit_suffix(c, r, f);
	return false;
}

bool path_fit(const struct path_template *c, const struct path_template *r, struct path_match *f)
{
	return fit(c, r, f) || (r->formats && c->bare && fit(c->bare, r, f));
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

/* ---- words ---- */

static bool is_version(const char *s)
{
	if (*s != 'v' || !isdigit((unsigned char)s[1]))
		return false;
	return !s[1 + strspn(s + 1, "0123456789.")];
}

bool path_is_common_word(const char *segment)
{
	static const char *const words[] = { "api", "apis", "rest", "public", "internal", "web", "www",
		"app", "services", "service" };

	for (size_t i = 0; i < LEN(words); i++)
		if (!strcmp(words[i], segment))
			return true;
	return is_version(segment);
}

bool path_is_everywhere(const struct path_template *p)
{
	static const char *const words[] = { "health", "healthz", "healthcheck", "health-check",
		"livez", "readyz", "live", "ready", "liveness", "readiness", "metrics", "ping", "status",
		"info", "version", "actuator", "favicon.ico", "robots.txt" };

	for (size_t i = 0; i < p->n; i++) {
		size_t k = 0;
		if (p->kind[i] != SEG_LITERAL)
			continue;
		while (k < LEN(words) && strcmp(words[k], p->seg[i]))
			k++;
		if (k == LEN(words))
			return false;
	}
	return p->literals > 0;
}

/* Whether a segment of a call is a word, not a value such as 42 or a UUID. */
static bool is_word(const struct path_template *call, size_t i)
{
	return call->kind[i] == SEG_LITERAL && !call->seg[i][strcspn(call->seg[i], "0123456789")];
}

static void count_words(struct path_words *w, const struct path_template *call, size_t i,
    const struct path_template *route, size_t k)
{
	bool is_parameter = route->kind[k] == SEG_PARAMETER;

	if (is_parameter) {
		w->taken += is_word(call, i);
		return;
	}
	bool is_hole = call->kind[i] == SEG_PARAMETER;
	if (is_hole)
		w->guessed += route->kind[k] == SEG_PATTERN || !path_is_common_word(route->seg[k]);
	else if (route->kind[k] == SEG_PATTERN)
		w->telling += count_text(route->seg[k]) >= PATTERN_TEXT_MIN;
	else
		w->telling += !path_is_common_word(route->seg[k]);
}

struct path_words path_words(
    const struct path_template *call, const struct path_template *route, const struct path_match *f)
{
	struct path_words w = { .guessed = f->level == 1 && f->weak };
	size_t i = 0, k = 0;

	if (f->shift > 0)
		i = (size_t)f->shift;
	else if (f->level == 2)
		i = call->based;
	if (f->level == 2 && route->n + i > call->n)
		k = route->n + i - call->n;
	for (size_t at = 0; at < i; at++)
		w.removed += is_word(call, at) && !path_is_common_word(call->seg[at]);
	for (; i < call->n && k < route->n; i++, k++) {
		if (call->kind[i] == SEG_REST || route->kind[k] == SEG_REST)
			break;
		count_words(&w, call, i, route, k);
	}
	return w;
}
