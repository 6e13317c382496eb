#include "shard/contracts/file_routes.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/record/record.h"
#include "shard/contracts/urls/url_evaluator.h"

static const char MARK[] = "/@file=";

struct file_route_spec {
	const char *folder, *below, *name, *hidden;
};

static bool has_file_marker(const struct fact *f)
{
	return !strncmp(f->path, MARK, sizeof MARK - 1);
}

/* Behind `folder/` where that is a part of the path, looked for from `s` on; NULL: it is not. */
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

/* Where the route begins in the path; NULL: it has none. */
static const char *route_of(const char *path, const struct file_route_spec *spec)
{
	const char *found = NULL;
	bool any = !strcmp(spec->below, "-");

	for (const char *s = path; (s = after_folder(path, s, spec->folder)) && (any || !found);)
		if (within(s, spec->below))
			found = s;
	return found;
}

/*
 * Append a part of the path: `[id]` is a parameter, `[...rest]` the rest; a `(group)` and a
 * `@slot` are no part of a route.
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
			if (i + 1 == n || s[i + 1] != s[i])	/* [[optional]] */
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
static void dotted_part(struct buf *b, const char *s, size_t n)
{
	if (n && (s[n - 1] == '_' || s[n - 1] == '+'))
		n--;
	if (!n || *s == '_' || *s == '(' || (n == 5 && !memcmp(s, "index", 5)))
		return;
	buf_byte(b, '/');
	if (*s == '$') {
		buf_byte(b, '{');
		buf_put(b, s + 1, n - 1);
		buf_str(b, n == 1 ? "rest...}" : "}");
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (s[i] != '[' && s[i] != ']')
			buf_byte(b, s[i]);
}

/* The parts of a folder's or file's name: `users.$id`, where what is in brackets is as it is. */
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

/* A method at the end of a file's name: `users.get`. */
static const char *name_method(const char *s, size_t n, size_t *left)
{
	static const char *const verbs[] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD",
		"OPTIONS" };
	const char *dot = memrchr(s, '.', n);

	for (size_t i = 0; dot && i < LEN(verbs); i++)
		if (strlen(verbs[i]) == n - (size_t)(dot + 1 - s) &&
		    !strncasecmp(dot + 1, verbs[i], strlen(verbs[i]))) {
			*left = (size_t)(dot - s);
			return verbs[i];
		}
	return NULL;
}

/* Append the file's own part of the route; false: it is not called so. */
static bool name_add(
    struct buf *b, const char *s, const struct file_route_spec *spec, struct fact *f)
{
	const char *dot = strrchr(s, '.'), *method;
	size_t n = dot ? (size_t)(dot - s) : strlen(s);

	if (!strcmp(spec->name, ".")) {
		if (!b->n || n != 5 || memcmp(s, "route", 5))	/* of a folder of its own */
			dotted(b, s, n);
		return true;
	}
	if (strcmp(spec->name, "-"))
		return n == strlen(spec->name) && !memcmp(s, spec->name, n);
	if ((method = name_method(s, n, &n)))
		f->method = method;
	if (n && !(n == 5 && !memcmp(s, "index", 5)))
		segment(b, s, n);
	return true;
}

static bool set_route_from_spec(
    struct fact *f, const char *path, const struct file_route_spec *spec, struct arena *a)
{
	const char *s = route_of(path, spec), *slash;
	struct buf b = { 0 };

	for (const char *part = s; part && spec->hidden;
	     part = (part = strchr(part, '/')) ? part + 1 : NULL)
		if (*part == *spec->hidden)
			return false;
	for (; s && (slash = strchr(s, '/')); s = slash + 1)
		if (slash > s)
			(*spec->name == '.' ? dotted : segment)(&b, s, (size_t)(slash - s));
	bool placed = s && name_add(&b, s, spec, f);
	buf_str(&b, "");
	if (placed)
		f->path = url_path(b.p, true, a);
	buf_free(&b);
	return placed;
}

/* Give the fact the path that the first of its specifications says; false: none does. */
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
	const char *said = NULL;	/* a path that has methods */

	for (size_t i = 0; i < n; i++) {
		bool mark = has_file_marker(&f[i]);
		if (mark && !placed(&f[i], path, a))
			continue;
		if (mark && strcmp(f[i].method, "ANY"))
			said = f[i].path;
		f[at++] = f[i];
	}
	for (size_t i = 0; i < at; i++)
		if (!said || strcmp(f[i].method, "ANY") || strcmp(f[i].path, said))
			f[left++] = f[i];
	return left;
}
