#include "shard/git/gitignore.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/text/glob.h"

/* These limits stop hostile patterns. */
enum {
	MAX_IGNORE_PATTERNS = 4000,
	MAX_MATCH_STEPS = 20000,		/* of one pattern against one path */
	MAX_TOTAL_STEPS = 200000000,	/* of all matches, plus STEPS_PER_PATH for each path */
	STEPS_PER_PATH = 20000
};

struct ignore_pattern {
	const char *dir, *glob;
	bool negated, folder, anchored;
};

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
	bool matches = glob_matches(p->glob, path, &budget);
	ig->steps += (uint64_t)(MAX_MATCH_STEPS - budget);
	return matches;
}

static void add(struct ignore_rules *ig, struct ignore_pattern p, struct arena *a)
{
	if (ig->n == MAX_IGNORE_PATTERNS)
		return;
	if (ig->n == ig->cap) {
		ig->cap = MAX(16, ig->cap * 2);
		struct ignore_pattern *v = arena_many(a, ig->cap, struct ignore_pattern);
		if (ig->n)
			memcpy(v, ig->v, ig->n * sizeof *v);
		ig->v = v;
	}
	ig->v[ig->n++] = p;
	ig->known = false;
}

/* Parse one pattern and add it. */
static void add_text(struct ignore_rules *ig, const char *dir, const char *s, size_t n,
    bool negated, struct arena *a)
{
	struct ignore_pattern p = { .dir = dir, .negated = negated };

	if (n && s[n - 1] == '/') {
		p.folder = true;
		n--;
	}
	p.anchored = memchr(s, '/', n) != NULL;
	if (n && *s == '/') {
		s++;
		n--;
	}
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
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		if (!nl)
			nl = end;
		const char *stop = nl;
		while (stop > text && strchr(" \t\r", stop[-1]))
			stop--;
		if (stop > text && *text != '#')
			line(ig, attr, dir, text, (size_t)(stop - text), a);
		text = nl + (nl < end);
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
 * Whether a folder above the path is ignored.  Caches the last answer, as callers ask for the paths
 * of one folder after the other.
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
