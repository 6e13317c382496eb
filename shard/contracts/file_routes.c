#include "shard/contracts/file_routes.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"
#include "shard/contracts/paths/url_path.h"

static const char MARK[] = "/@file=";

struct file_route_spec {
	const char *folder, *below, *name, *hidden;
};

static bool has_file_marker(const struct fact *f)
{
	return !strncmp(f->path, MARK, sizeof MARK - 1);
}

/* The text behind the first `folder/` at or after `s` that is a whole part of the path, or NULL. */
static const char *after_folder(const char *path, const char *s, const char *folder)
{
	size_t n = strlen(folder);

	for (; (s = strstr(s, folder)); s++)
		if ((s == path || s[-1] == '/') && s[n] == '/')
			return s + n + 1;
	return NULL;
}

static bool within(const char *s, const char *folder)
{
	size_t n = strlen(folder);

	return !strcmp(folder, "-") || (!strncmp(s, folder, n) && s[n] == '/');
}

/* Where the route begins in the path, or NULL.  Below any folder (`-`), the last one counts. */
static const char *route_of(const char *path, const struct file_route_spec *spec)
{
	const char *found = NULL, *s = after_folder(path, path, spec->folder);
	bool any = !strcmp(spec->below, "-");

	while (s && (any || !found)) {
		if (within(s, spec->below))
			found = s;
		s = after_folder(path, s, spec->folder);
	}
	return found;
}

/* Whether a closing or opening bracket belongs to an [[optional]] parameter. */
static bool is_doubled(const char *s, size_t n, size_t i)
{
	return i + 1 < n && s[i + 1] == s[i];
}

/*
 * Append a part of the path: `[id]` is a parameter, `[...rest]` the rest; a `(group)` or a `@slot`
 * is not part of the route.
 */
static void segment(struct buf *b, const char *s, size_t n)
{
	if ((*s == '(' && s[n - 1] == ')') || *s == '@')
		return;
	buf_byte(b, '/');
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '[' && n - i > 3 && memmem(s + i, n - i, "...", 3)) {
			buf_str(b, "{rest...}");
			return;
		}
		if (s[i] == '[' || s[i] == ']') {
			if (!is_doubled(s, n, i))
				buf_byte(b, s[i] == '[' ? '{' : '}');
		} else if (s[i] == '=') {	/* SvelteKit: what a parameter must match */
			i += strcspn(s + i, "]/") - 1;
		} else {
			buf_byte(b, s[i]);
		}
	}
}

/*
 * Append what Remix makes of a name's part: `$id` a parameter, `$` the rest; `_layout` and
 * `(optional)` are no part of a route.
 */
static bool is_index(const char *s, size_t n)
{
	return n == 5 && !memcmp(s, "index", 5);
}

/*
 * Append a part of a name as Remix reads it: `$id` is a parameter, `$` the rest; `_layout` and
 * `(optional)` are not part of the route.
 */
static void dotted_part(struct buf *b, const char *s, size_t n)
{
	if (n && (s[n - 1] == '_' || s[n - 1] == '+'))
		n--;
	if (!n || strchr("_(", *s) || is_index(s, n))
		return;
	buf_byte(b, '/');
	if (*s == '$' && n == 1) {
		buf_str(b, "{rest...}");
		return;
	}
	if (*s == '$') {
		buf_byte(b, '{');
		buf_put(b, s + 1, n - 1);
		buf_byte(b, '}');
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (s[i] != '[' && s[i] != ']')
			buf_byte(b, s[i]);
}

/* The parts of a folder's or file's name, `users.$id`; dots in brackets do not separate. */
static void dotted(struct buf *b, const char *s, size_t n)
{
	size_t from = 0;
	bool quoted = false;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && (s[i] == '[' || s[i] == ']'))
			quoted = s[i] == '[';
		if (i < n && (quoted || s[i] != '.'))
			continue;
		dotted_part(b, s + from, i - from);
		from = i + 1;
	}
}

/* A method at the end of a file's name, `users.get`; `*left`: the length of the rest. */
static const char *name_method(const char *s, size_t n, size_t *left)
{
	static const char *const verbs[] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD",
		"OPTIONS" };
	const char *dot = memrchr(s, '.', n);

	if (!dot)
		return NULL;
	size_t len = n - (size_t)(dot + 1 - s);
	for (size_t i = 0; i < LEN(verbs); i++)
		if (strlen(verbs[i]) == len && !strncasecmp(dot + 1, verbs[i], len)) {
			*left = (size_t)(dot - s);
			return verbs[i];
		}
	return NULL;
}

/* Append the part of the route that the file's name gives; false: the name does not fit. */
static bool name_add(
    struct buf *b, const char *s, const struct file_route_spec *spec, struct fact *f)
{
	const char *dot = strrchr(s, '.');
	size_t n = strlen(s);

	if (dot)
		n = (size_t)(dot - s);
	if (!strcmp(spec->name, ".")) {
		bool own_folder = b->n && n == 5 && !memcmp(s, "route", 5);
		if (!own_folder)
			dotted(b, s, n);
		return true;
	}
	if (strcmp(spec->name, "-"))
		return n == strlen(spec->name) && !memcmp(s, spec->name, n);
	const char *method = name_method(s, n, &n);
	if (method)
		f->method = method;
	if (n && !is_index(s, n))
		segment(b, s, n);
	return true;
}

/* Whether a folder or file of the route begins with the letter. */
static bool has_hidden_part(const char *route, char letter)
{
	for (const char *s = route; s; s = strchr(s, '/')) {
		if (*s == '/')
			s++;
		if (*s == letter)
			return true;
	}
	return false;
}

static bool set_route_from_spec(
    struct fact *f, const char *path, const struct file_route_spec *spec, struct arena *a)
{
	const char *s = route_of(path, spec);
	struct buf b = { 0 };

	if (!s || (spec->hidden && has_hidden_part(s, *spec->hidden)))
		return false;
	for (;;) {
		const char *slash = strchr(s, '/');
		if (!slash)
			break;
		if (slash > s && *spec->name == '.')
			dotted(&b, s, (size_t)(slash - s));
		else if (slash > s)
			segment(&b, s, (size_t)(slash - s));
		s = slash + 1;
	}
	bool fits = name_add(&b, s, spec, f);
	buf_str(&b, "");
	if (fits)
		f->path = url_path(b.p, true, a);
	buf_free(&b);
	return fits;
}

/* Give the fact the path from the first of its specifications that fits; false: none does. */
static bool placed(struct fact *f, const char *path, struct arena *a)
{
	char *rest = arena_strn(a, f->path + sizeof MARK - 1, strlen(f->path) - (sizeof MARK - 1));

	for (char *one = strtok_r(rest, "|", &rest); one; one = strtok_r(NULL, "|", &rest)) {
		struct file_route_spec spec;
		spec.folder = strsep(&one, "=");
		spec.below = strsep(&one, "=");
		spec.name = strsep(&one, "=");
		spec.hidden = one;
		if (spec.name && set_route_from_spec(f, path, &spec, a))
			return true;
	}
	return false;
}

size_t file_routes(struct fact *f, size_t n, const char *path, struct arena *a)
{
	size_t at = 0, left = 0;
	const char *explicit = NULL;	/* a path that has methods */

	for (size_t i = 0; i < n; i++) {
		bool mark = has_file_marker(&f[i]);
		if (mark && !placed(&f[i], path, a))
			continue;
		if (mark && strcmp(f[i].method, "ANY"))
			explicit = f[i].path;
		f[at++] = f[i];
	}
	for (size_t i = 0; i < at; i++)
		if (!explicit || strcmp(f[i].method, "ANY") || strcmp(f[i].path, explicit))
			f[left++] = f[i];
	return left;
}
