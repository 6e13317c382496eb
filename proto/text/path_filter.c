#include "proto/text/path_filter.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/text/glob.h"

enum {
	MAX_GLOBS = 1000, /* alternatives of all globs together */
	MAX_GLOB_BYTES = 1000,
	MAX_STEPS = 20000 /* of one glob against one path */
};

struct path_glob {
	const char *glob;
	bool excludes, anchored, folder;
};

struct path_filter {
	struct path_glob *v;
	size_t n;
	bool includes; /* some glob does */
};

static int add(struct path_filter *f, const char *text, bool excludes, struct err *e)
{
	size_t n = strlen(text);
	struct path_glob g = { .glob = text, .excludes = excludes };

	if (f->n == MAX_GLOBS)
		return err_set(e, ERR_INVALID_INPUT, "`glob`: more than %d alternatives", MAX_GLOBS);
	if (n && text[n - 1] == '/') {
		g.folder = true;
		((char *)text)[--n] = 0; /* an own copy */
	}
	g.anchored = strchr(text, '/') != NULL;
	g.glob = text + (*text == '/');
	f->includes |= !excludes;
	f->v[f->n++] = g;
	return 0;
}

/* The `}` of the `{` at `open`, or NULL. */
static const char *closing(const char *open)
{
	int depth = 0;

	for (const char *s = open; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '{')
			depth++;
		else if (*s == '}' && !--depth)
			return s;
	}
	return NULL;
}

/* The end of the alternative that begins at `s`, before `end`. */
static const char *alternative_end(const char *s, const char *end)
{
	int depth = 0;

	for (; s < end; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '{')
			depth++;
		else if (*s == '}')
			depth--;
		else if (*s == ',' && !depth)
			return s;
	}
	return end;
}

static const char *first_brace(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (*s == '{')
			return s;
	}
	return NULL;
}

/* Add a glob, once for each alternative of its braces. */
static int expand(
    struct path_filter *f, const char *text, bool excludes, struct arena *a, struct err *e)
{
	const char *open = first_brace(text);

	if (!open)
		return add(f, arena_str(a, text), excludes, e);
	const char *close = closing(open);
	if (!close)
		return err_set(e, ERR_INVALID_INPUT, "`glob`: `%.100s` has a `{` without its `}`", text);
	for (const char *s = open + 1;; s++) {
		const char *end = alternative_end(s, close);
		const char *one = arena_printf(
		    a, "%.*s%.*s%s", (int)(open - text), text, (int)(end - s), s, close + 1);
		if (expand(f, one, excludes, a, e))
			return -1;
		if (end == close)
			return 0;
		s = end;
	}
}

static int check(const char *glob, struct err *e)
{
	if (strlen(glob) > MAX_GLOB_BYTES)
		return err_set(
		    e, ERR_INVALID_INPUT, "`glob`: `%.60s…` is longer than %d bytes", glob, MAX_GLOB_BYTES);
	if (!*glob || !strcmp(glob, "!") || !strcmp(glob, "/"))
		return err_set(e, ERR_INVALID_INPUT,
		    "`glob`: `%s` matches nothing; leave it out, or write `*.go`", glob);
	return 0;
}

struct path_filter *path_filter_new(const struct strs *globs, struct arena *a, struct err *e)
{
	struct path_filter *f = arena_one(a, struct path_filter);

	f->v = arena_many(a, MAX_GLOBS, struct path_glob);
	for (size_t i = 0; i < globs->n; i++) {
		const char *glob = globs->v[i];
		bool excludes = *glob == '!';
		if (check(glob, e) || expand(f, glob + excludes, excludes, a, e))
			return NULL;
	}
	return f;
}

static bool matches_one(const struct path_glob *g, const char *path)
{
	const char *slash = strrchr(path, '/');
	int budget = MAX_STEPS;

	if (!g->anchored && slash)
		path = slash + 1;
	return glob_matches(g->glob, path, &budget);
}

/* Whether a glob that excludes matches a folder around the file. */
static bool matches_folder(const struct path_glob *g, const char *path)
{
	char folder[4096];

	for (const char *s = strchr(path, '/'); s; s = strchr(s + 1, '/')) {
		size_t n = (size_t)(s - path);
		if (n >= sizeof folder)
			return false;
		memcpy(folder, path, n);
		folder[n] = 0;
		if (matches_one(g, folder))
			return true;
	}
	return false;
}

static bool matches(const struct path_glob *g, const char *path)
{
	if (!g->folder && matches_one(g, path))
		return true;
	return g->excludes && matches_folder(g, path);
}

bool path_filter_wants(const struct path_filter *f, const char *path)
{
	for (size_t i = f->n; i-- > 0;)
		if (matches(&f->v[i], path))
			return !f->v[i].excludes;
	return !f->includes;
}
