/* Rewrites the path of a call as a gateway does. */
#include "coordinator/contracts/matching/match_gateway.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"

enum { PARTS = 10 };	/* {1} to {9} */

/* `to` with {1} to {9} replaced by the parts and {*} by the rest. */
static const char *expand_template(
    const char *to, const char *const part[PARTS], const char *rest, struct arena *a)
{
	struct buf b = { 0 };

	for (const char *s = to; *s;) {
		if (!strncmp(s, "{*}", 3)) {
			buf_str(&b, text_or_empty(rest));
			s += 3;
		} else if (s[0] == '{' && s[1] >= '1' && s[1] <= '9' && s[2] == '}') {
			buf_str(&b, text_or(part[s[1] - '0'], "{}"));
			s += 3;
		} else {
			buf_byte(&b, *s++);
		}
	}
	const char *out = arena_strn(a, text_or_empty(b.p), b.n);
	buf_free(&b);
	return out;
}

/* The length that a `{}` takes: to the end of the segment, or to the text behind it; 0 = none. */
static size_t hole_length(const char *c, const char *after)
{
	size_t n = strcspn(c, "/?");

	if (!*after || *after == '/')
		return n;
	const char *at = memchr(c, *after, n);
	if (!at)
		return 0;
	return (size_t)(at - c);
}

/* Whether the template takes the rest of the path here. */
static bool begins_rest(const char *t, const char *c)
{
	return !strncmp(t, "{*}", 3) || (!strcmp(t, "/{*}") && !*c);
}

/* Match a path with a template, filling the parts and the rest. */
static bool match_template(
    const char *t, const char *c, const char *part[PARTS], const char **rest, struct arena *a)
{
	size_t n = 0;

	for (; *t; t++, c++) {
		if (begins_rest(t, c)) {
			*rest = c;
			return true;
		}
		if (t[0] == '{' && t[1] == '}') {
			size_t len = hole_length(c, t + 2);
			if (!len)
				return false;
			if (++n < PARTS)
				part[n] = arena_strn(a, c, len);
			c += len - 1;
			t++;
		} else if (tolower((unsigned char)*t) != tolower((unsigned char)*c)) {
			return false;	/* a hole of the path is not known to be this text, either */
		}
	}
	return !*c || !strcmp(c, "/") || !strcmp(c, "{}");	/* the hole may be a query */
}

const char *gateway_rewrite_path(const char *t, const char *to, const char *path, struct arena *a)
{
	const char *part[PARTS] = { 0 }, *rest = NULL;

	path = arena_strn(a, path, strcspn(path, "?#"));
	if (!match_template(t, path, part, &rest, a))
		return NULL;
	if (to)
		return expand_template(to, part, rest, a);
	return path;
}
