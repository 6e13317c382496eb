#include "proto/text/route_question.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

static const char *const methods[] = { "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS",
	"TRACE", "ANY" };

static const char blanks[] = " \t\r\n";

/* Whether a segment is or contains a parameter, in the notation of any framework. */
static bool is_parameter(const char *s, size_t n)
{
	if (n && (*s == ':' || *s == '$'))
		return true;
	for (size_t i = 0; i < n; i++)
		if (strchr("{<[(*", s[i]))
			return true;
	return false;
}

static const char *lower(const char *s, size_t n, struct arena *a)
{
	char *copy = arena_strn(a, s, n);

	for (char *c = copy; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

void route_path_read(const char *path, struct route_path *out, struct arena *a)
{
	size_t end = strcspn(path, "?#");

	*out = (struct route_path){ 0 };
	for (size_t i = 0; i < end && out->n < ROUTE_SEGMENTS;) {
		size_t n = MIN(strcspn(path + i, "/"), end - i);
		const char *segment = path + i;
		i += n + 1;
		if (!n)
			continue;
		out->rest = n == 3 && !memcmp(segment, "{*}", 3);
		if (out->rest)
			continue;
		out->segment[out->n] = NULL;
		if (!is_parameter(segment, n))
			out->segment[out->n] = lower(segment, n, a);
		out->n++;
	}
}

static bool has_letters(const struct route_path *p)
{
	for (size_t i = 0; i < p->n; i++)
		for (const char *c = p->segment[i]; c && *c; c++)
			if (isalpha((unsigned char)*c))
				return true;
	return false;
}

/* The method that the text begins with, or NULL; moves the text behind it. */
static const char *method_at(const char **text)
{
	size_t n = strcspn(*text, blanks);

	for (size_t i = 0; i < LEN(methods); i++) {
		if (strlen(methods[i]) != n || strncasecmp(*text, methods[i], n) != 0)
			continue;
		*text += n;
		*text += strspn(*text, blanks);
		return methods[i];
	}
	return NULL;
}

bool route_question_parse(
    const char *text, const char **method, struct route_path *out, struct arena *a)
{
	text += strspn(text, " \t\r\n`'\"");
	*method = method_at(&text);
	*out = (struct route_path){ 0 };
	if (*text != '/')
		return false;
	size_t n = strlen(text);
	while (n && strchr(" \t\r\n`'\"", text[n - 1]))
		n--;
	const char *path = arena_strn(a, text, n);
	if (strpbrk(path, blanks))
		return false;
	route_path_read(path, out, a);
	return has_letters(out);
}

/*
 * Whether `n` segments of both, from the given ones on, are equal; `value` is set if a value stands
 * for a parameter.
 */
static bool equal_segments(const struct route_path *asked, size_t from,
    const struct route_path *route, size_t at, size_t n, bool *value)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const char *x = asked->segment[from + i], *y = route->segment[at + i];
		if (x && y && strcmp(x, y) != 0)
			return false;
		if (!x && y)
			return false;
		any |= x && y;
		*value |= x && !y;
	}
	return any;
}

enum route_fit route_path_fit(const struct route_path *asked, const struct route_path *route)
{
	bool value = false;

	if (asked->n >= route->n && (asked->n == route->n || route->rest) &&
	    equal_segments(asked, 0, route, 0, route->n, &value))
		return asked->n > route->n || value ? ROUTE_VALUE : ROUTE_WHOLE;
	value = false;
	if (asked->n < route->n &&
	    equal_segments(asked, 0, route, route->n - asked->n, asked->n, &value) && !value)
		return ROUTE_WITHIN;
	if (asked->n > route->n &&
	    equal_segments(asked, asked->n - route->n, route, 0, route->n, &value) && !value)
		return ROUTE_END;
	return ROUTE_UNLIKE;
}
