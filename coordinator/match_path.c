#include "coordinator/match_path.h"

#include <string.h>

#include "proto/base/arena.h"

enum { STRIP_MAX = 3, EXTRA_MAX = 5 };
enum { NO_FIT = -1, WEAK, PARAMETER, LITERAL };

struct path path_split(const char *t, struct arena *a)
{
	const char *mark = strstr(t, "://"), *slash = mark ? strchr(mark + 3, '/') : t;
	struct path p = { 0 };

	t = slash ? slash : "";
	size_t len = strcspn(t, "?#"), slots = 1;
	for (size_t i = 0; i < len; i++)
		slots += t[i] == '/';
	p.seg = arena_many(a, slots, const char *);
	for (size_t i = 0; i < len;) {
		size_t n = strcspn(t + i, "/");
		n = n < len - i ? n : len - i;
		if (n)
			p.seg[p.n++] = arena_strn(a, t + i, n);
		i += n + 1;
	}
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

static int segment_fit(const char *call, const char *route)
{
	if (!strcmp(route, "{}"))
		return PARAMETER;
	if (!strcmp(call, "{}"))
		return WEAK;
	if (!strcmp(call, route))
		return LITERAL;
	if (strstr(route, "{}") && like(route, call))
		return PARAMETER;
	return strstr(call, "{}") && like(call, route) ? WEAK : NO_FIT;
}

static bool align(const char **call, size_t nc, const char **route, size_t nr, struct fit *f)
{
	size_t i = 0;

	*f = (struct fit){ 0 };
	for (; i < nr; i++) {
		f->rest = !strcmp(route[i], "{*}") || (i < nc && !strcmp(call[i], "{*}"));
		if (f->rest)
			return true;
		int k = i < nc ? segment_fit(call[i], route[i]) : NO_FIT;
		if (k == NO_FIT)
			return false;
		f->weak += k == WEAK;
		f->literals += k == LITERAL;
	}
	return nc == nr;
}

bool path_fit(const struct path *c, const struct path *r, struct fit *f)
{
	if (align(c->seg, c->n, r->seg, r->n, f))
		return true;
	for (size_t k = 1; k < c->n && k <= STRIP_MAX; k++)
		if (align(c->seg + k, c->n - k, r->seg, r->n, f) && f->literals && !f->rest && !f->weak) {
			f->level = 1;
			return true;
		}
	/* Behind an unknown base a call may be the end of a longer route. */
	size_t base = c->n && !strcmp(c->seg[0], "{}");
	for (size_t k = 1; k < r->n && k <= EXTRA_MAX; k++)
		if (align(c->seg + base, c->n - base, r->seg + k, r->n - k, f) && f->literals && !f->weak && !f->rest) {
			f->level = 2;
			return true;
		}
	return false;
}

bool path_unknown(const struct path *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->seg[i], "{}") && strcmp(p->seg[i], "{*}"))
			return false;
	return p->n > 0;
}
