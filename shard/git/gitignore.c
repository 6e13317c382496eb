#include "shard/git/gitignore.h"

#include <string.h>

#include "proto/base/arena.h"

/*
 * Patterns kept; steps of one match; of all, and for each path of them: hostile patterns end
 * there.
 */
enum { MAX_IGNORE_PATTERNS = 4000, MAX_MATCH_STEPS = 20000, MAX_TOTAL_STEPS = 200000000,
    STEPS_PER_PATH = 20000 };

struct ignore_pattern {
	const char *dir, *glob;
	bool negated, folder, anchored;
};

/* `[a-z]`: the end of the class, or NULL when it does not close; *hit says whether `c` is in it. */
static const char *class(const char *g, char c, bool *hit)
{
	bool not = *g == '!' || *g == '^';

	g += not;
	*hit = false;
	for (const char *first = g; *g && (*g != ']' || g == first); g++) {
		char lo = *g == '\\' && g[1] ? *++g : *g, hi = lo;
		if (g[1] == '-' && g[2] && g[2] != ']')
			hi = g[2], g += 2;
		*hit |= c >= lo && c <= hi;
	}
	*hit ^= not;
	return *g == ']' ? g + 1 : NULL;
}

static bool glob_matches(const char *g, const char *s, int *budget)
{
	for (; *g; s++) {
		bool hit = true;
		if (--*budget < 0)
			return false;
		if (g[0] == '*' && g[1] == '*') {
			bool slash = g[2] == '/';
			g += 2 + slash;
			if (!*g)
				return true;
			for (const char *t = s; ; t++) {
				if ((!slash || t == s || t[-1] == '/') && glob_matches(g, t, budget))
					return true;
				if (!*t)
					return false;
			}
		}
		if (*g == '*') {
			for (g++;; s++) {
				if (glob_matches(g, s, budget))
					return true;
				if (!*s || *s == '/')
					return false;
			}
		}
		if (!*s)
			return false;
		const char *end = NULL;
		if (*g == '[')
			end = class(g + 1, *s, &hit);
		if (end)
			hit &= *s != '/';
		else if (*g == '?')
			hit = *s != '/', end = g + 1;
		else {
			g += *g == '\\' && g[1];
			hit = *g == *s, end = g + 1;
		}
		if (!hit)
			return false;
		g = end;
	}
	return !*s;
}

static bool match(
    struct ignore_rules *ig, const struct ignore_pattern *p, const char *path, bool folder)
{
	size_t n = strlen(p->dir);
	int budget = MAX_MATCH_STEPS;

	if (strncmp(path, p->dir, n) || (p->folder && !folder))
		return false;
	path += n;
	if (!p->anchored) {
		const char *slash = strrchr(path, '/');
		if (slash)
			path = slash + 1;
	}
	bool is = glob_matches(p->glob, path, &budget);
	ig->steps += (uint64_t)(MAX_MATCH_STEPS - budget);
	return is;
}

static void add(struct ignore_rules *ig, struct ignore_pattern p, struct arena *a)
{
	if (ig->n == MAX_IGNORE_PATTERNS)
		return;
	if (ig->n == ig->cap) {
		struct ignore_pattern *v = arena_many(
		    a, ig->cap = ig->cap ? ig->cap * 2 : 16, struct ignore_pattern);
		if (ig->n)
			memcpy(v, ig->v, ig->n * sizeof *v);
		ig->v = v;
	}
	ig->v[ig->n++] = p;
	ig->known = false;
}

/* One pattern as written, to what it means. */
static void add_text(struct ignore_rules *ig, const char *dir, const char *s, size_t n,
    bool negated, struct arena *a)
{
	struct ignore_pattern p = { .dir = dir, .negated = negated };

	if (n && s[n - 1] == '/')
		p.folder = true, n--;
	p.anchored = memchr(s, '/', n) != NULL;
	if (n && *s == '/')
		s++, n--;
	if (!n)
		return;
	p.glob = arena_strn(a, s, n);
	add(ig, p, a);
}

/* Call `line` for each line that is neither empty nor a comment. */
static void lines(struct ignore_rules *ig, const char *attr, const char *dir, const char *text,
    size_t n, struct arena *a,
    void (*line)(
        struct ignore_rules *, const char *, const char *, const char *, size_t, struct arena *))
{
	const char *end = text + n;

	dir = arena_str(a, dir);
	while (text < end) {
		const char *nl = memchr(text, '\n', (size_t)(end - text)), *stop = nl ? nl : end;
		while (stop > text && strchr(" \t\r", stop[-1]))
			stop--;
		if (stop > text && *text != '#')
			line(ig, attr, dir, text, (size_t)(stop - text), a);
		text = nl ? nl + 1 : end;
	}
}

static void ignore_line(struct ignore_rules *ig, const char *attr, const char *dir, const char *s,
    size_t n, struct arena *a)
{
	bool negated = *s == '!';

	(void)attr;
	add_text(ig, dir, s + negated, n - negated, negated, a);
}

/* `*.c linguist-generated -linguist-vendored=false` */
static void attr_line(struct ignore_rules *ig, const char *attr, const char *dir, const char *s,
    size_t n, struct arena *a)
{
	const char *end = s + n, *p = s;
	size_t len = strlen(attr);

	while (p < end && *p != ' ' && *p != '\t')
		p++;
	size_t pattern = (size_t)(p - s);
	while (p < end) {
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		const char *word = p;
		while (p < end && *p != ' ' && *p != '\t')
			p++;
		bool off = word < p && (*word == '-' || *word == '!');
		size_t m = (size_t)(p - word) - off;
		if (m < len || strncmp(word + off, attr, len) || (m > len && word[off + len] != '='))
			continue;
		off |= m > len && !strncmp(word + len, "=false", 6);
		add_text(ig, dir, s, pattern, off, a);
	}
}

void ignore_add(
    struct ignore_rules *ig, const char *dir, const char *text, size_t n, struct arena *a)
{
	lines(ig, NULL, dir, text, n, a, ignore_line);
}

void ignore_add_attr(struct ignore_rules *ig, const char *attr, const char *dir, const char *text,
    size_t n, struct arena *a)
{
	lines(ig, attr, dir, text, n, a, attr_line);
}

static bool last_match_ignores(struct ignore_rules *ig, const char *path, bool folder)
{
	for (size_t i = ig->n; i > 0 && !ig->spent; i--) {
		if (match(ig, &ig->v[i - 1], path, folder))
			return !ig->v[i - 1].negated;
		ig->spent = ig->steps > MAX_TOTAL_STEPS + ig->paths * STEPS_PER_PATH;
	}
	return false;
}

/*
 * Whether a folder above the path is ignored; paths come by folders, so the last one is mostly
 * known.
 */
static bool parent_ignored(struct ignore_rules *ig, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = 0;
	char dir[sizeof ig->dir];

	if (slash)
		n = (size_t)(slash - path);
	if (ig->known && !strncmp(ig->dir, path, n) && !ig->dir[n])
		return ig->below;
	ig->below = false;
	for (size_t i = 0; i <= n && !ig->below; i++)
		if (path[i] == '/') {
			memcpy(dir, path, i);
			dir[i] = 0;
			ig->below = last_match_ignores(ig, dir, true);
		}
	memcpy(ig->dir, path, n);
	ig->dir[n] = 0;
	ig->known = true;
	return ig->below;
}

bool ignore_matches(struct ignore_rules *ig, const char *path)
{
	if (!ig->n || strlen(path) >= sizeof ig->dir || ig->spent)
		return false;
	ig->paths++;
	return parent_ignored(ig, path) || last_match_ignores(ig, path, false);
}
