#include "shard/git/gitignore.h"

#include <string.h>

#include "proto/base/arena.h"

/* Patterns kept; steps of one match; of all, and for each path of them: hostile patterns end there. */
enum { MOST = 4000, BUDGET = 20000, STEPS = 200000000, STEPS_PER_PATH = 20000 };

struct pattern {
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

static bool fits(const char *g, const char *s, int *budget)
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
				if ((!slash || t == s || t[-1] == '/') && fits(g, t, budget))
					return true;
				if (!*t)
					return false;
			}
		}
		if (*g == '*') {
			for (g++;; s++) {
				if (fits(g, s, budget))
					return true;
				if (!*s || *s == '/')
					return false;
			}
		}
		if (!*s)
			return false;
		const char *end = *g == '[' ? class(g + 1, *s, &hit) : NULL;
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

static bool match(struct ignore *ig, const struct pattern *p, const char *path, bool folder)
{
	size_t n = strlen(p->dir);
	int budget = BUDGET;

	if (strncmp(path, p->dir, n) || (p->folder && !folder))
		return false;
	path += n;
	if (!p->anchored) {
		const char *slash = strrchr(path, '/');
		path = slash ? slash + 1 : path;
	}
	bool is = fits(p->glob, path, &budget);
	ig->steps += (uint64_t)(BUDGET - budget);
	return is;
}

static void add(struct ignore *ig, struct pattern p, struct arena *a)
{
	if (ig->n == MOST)
		return;
	if (ig->n == ig->cap) {
		struct pattern *v = arena_many(a, ig->cap = ig->cap ? ig->cap * 2 : 16, struct pattern);
		if (ig->n)
			memcpy(v, ig->v, ig->n * sizeof *v);
		ig->v = v;
	}
	ig->v[ig->n++] = p;
	ig->known = false;
}

/* One pattern as written, to what it means. */
static void add_text(struct ignore *ig, const char *dir, const char *s, size_t n, bool negated,
    struct arena *a)
{
	struct pattern p = { .dir = dir, .negated = negated };

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
static void lines(struct ignore *ig, const char *attr, const char *dir, const char *text, size_t n,
    struct arena *a, void (*line)(struct ignore *, const char *, const char *, const char *, size_t, struct arena *))
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

static void ignore_line(struct ignore *ig, const char *attr, const char *dir, const char *s, size_t n,
    struct arena *a)
{
	bool negated = *s == '!';

	(void)attr;
	add_text(ig, dir, s + negated, n - negated, negated, a);
}

/* `*.c linguist-generated -linguist-vendored=false` */
static void attr_line(struct ignore *ig, const char *attr, const char *dir, const char *s, size_t n,
    struct arena *a)
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

void ignore_add(struct ignore *ig, const char *dir, const char *text, size_t n, struct arena *a)
{
	lines(ig, NULL, dir, text, n, a, ignore_line);
}

void ignore_add_attr(struct ignore *ig, const char *attr, const char *dir, const char *text, size_t n,
    struct arena *a)
{
	lines(ig, attr, dir, text, n, a, attr_line);
}

static bool decided(struct ignore *ig, const char *path, bool folder)
{
	for (size_t i = ig->n; i > 0 && !ig->spent; i--) {
		if (match(ig, &ig->v[i - 1], path, folder))
			return !ig->v[i - 1].negated;
		ig->spent = ig->steps > STEPS + ig->paths * STEPS_PER_PATH;
	}
	return false;
}

/* Whether a folder above the path is ignored; paths come by folders, so the last one is mostly known. */
static bool folder_decided(struct ignore *ig, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;
	char dir[sizeof ig->dir];

	if (ig->known && !strncmp(ig->dir, path, n) && !ig->dir[n])
		return ig->below;
	ig->below = false;
	for (size_t i = 0; i <= n && !ig->below; i++)
		if (path[i] == '/') {
			memcpy(dir, path, i);
			dir[i] = 0;
			ig->below = decided(ig, dir, true);
		}
	memcpy(ig->dir, path, n);
	ig->dir[n] = 0;
	ig->known = true;
	return ig->below;
}

bool ignore_has(struct ignore *ig, const char *path)
{
	if (!ig->n || strlen(path) >= sizeof ig->dir || ig->spent)
		return false;
	ig->paths++;
	return folder_decided(ig, path) || decided(ig, path, false);
}
