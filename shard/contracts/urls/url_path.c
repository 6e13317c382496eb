#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/url_evaluator.h"

/* The end of the segment at `s`: the next slash outside brackets. */
static const char *segment_end(const char *s, bool route)
{
	int depth = 0;

	for (; *s && (depth > 0 || *s != '/'); s++) {
		if (strchr("{<(", *s))
			depth++;
		else if (strchr("}>)", *s))
			depth--;
		else if (!depth && !route && strchr("?# ", *s))
			break;
	}
	return s;
}

static bool is_rest(const char *s, size_t n, bool last)
{
	if (n >= 4 && !memcmp(s + n - 4, "...}", 4))
		return true;
	if (n >= 2 && *s == '{' && s[1] == '*')
		return true;
	if (n > 3 && *s == '{' && !memcmp(s + n - 2, "*}", 2) && isalnum((unsigned char)s[n - 3]))
		return true;
	if ((n > 6 && !memcmp(s, "<path:", 6)) || (n > 6 && !memcmp(s + n - 6, ":path}", 6)))
		return true;
	if (n == 4 && !memcmp(s, "(.*)", 4))
		return true;
	return *s == '*' && (n == 2 || last);
}

/* `s`, which opens a bracket: where it closes, or NULL. */
static const char *bracket_end(const char *s, const char *end)
{
	char open = *s, close = open == '{' ? '}' : open == '<' ? '>' : ')';
	int depth = 0;

	for (; s < end; s++) {
		depth += *s == open;
		depth -= *s == close;
		if (!depth)
			return s;
	}
	return NULL;
}

/* A name, and what may follow it in Express: (regex), ?, +, *. */
static const char *param_end(const char *s, const char *end)
{
	while (s < end && (isalnum((unsigned char)*s) || *s == '_'))
		s++;
	if (s < end && *s == '(' && bracket_end(s, end))
		s = bracket_end(s, end) + 1;
	return s + (s < end && strchr("?+*", *s));
}

static void segment(struct buf *b, const char *s, const char *end, bool route, bool last)
{
	while (s < end) {
		const char *close = NULL;
		if (strchr("{<", *s))
			close = bracket_end(s, end);
		if (close) {
			buf_str(b, close - s == 2 && s[1] == '*' ? "{*}" : "{}");
			s = close + 1;
		} else if (route && *s == ':' && s + 1 < end &&
		    (isalpha((unsigned char)s[1]) || s[1] == '_')) {
			buf_str(b, "{}");
			s = param_end(s + 1, end);
		} else if (route && *s == '*') {
			buf_str(b, last && s + 1 == end ? "{*}" : "{}");
			s++;
		} else {
			buf_byte(b, *s++);
		}
	}
}

const char *url_path(const char *s, bool route, struct arena *a)
{
	struct buf b = { 0 };

	while (*s) {
		while (*s == '/')
			s++;
		const char *end = segment_end(s, route);
		size_t n = (size_t)(end - s);
		bool stop = *end && *end != '/';
		if (n == 3 && !memcmp(s, "{$}", 3))
			n = 0;
		if (n) {
			buf_byte(&b, '/');
			if (route && is_rest(s, n, !*end))
				buf_str(&b, "{*}");
			else
				segment(&b, s, end, route, !*end);
		}
		s = end;
		if (stop)
			break;
	}
	if (!b.n)
		buf_byte(&b, '/');
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* Where the path of a URL begins, and its host. */
static const char *host_of(const char *s, struct arena *a, const char **host)
{
	const char *scheme = strstr(s, "://"), *end;

	*host = NULL;
	if (!strncmp(s, "{}//", 4))	/* a scheme that is not known */
		s += 2;
	else if (!strncmp(s, "{}://", 5))
		s += 3;
	if (!strncmp(s, "{}", 2)) {
		end = s + 2;
	} else if (scheme && !memchr(s, '/', (size_t)(scheme - s))) {
		s = scheme + 3;
		end = s + strcspn(s, "/?#");
	} else if (!strncmp(s, "//", 2)) {
		s += 2;
		end = s + strcspn(s, "/?#");
	} else {
		return s;
	}
	if (end > s)
		*host = arena_strn(a, s, (size_t)(end - s));
	return end;
}

static bool literal(const char *s)
{
	for (; s && *s; s++)
		if (isalnum((unsigned char)*s) || (*s & 0x80))
			return true;
	return false;
}

/* A name is one without a port that is not known. */
static const char *without_port(const char *host, struct arena *a)
{
	size_t n = strlen(host);

	if (literal(host) && n > 3 && !strcmp(host + n - 3, ":{}"))
		return arena_strn(a, host, n - 3);
	return host;
}

bool url_split(const char *text, struct arena *a, const char **host, const char **path)
{
	const char *rest = host_of(text, a, host);
	bool known;

	if (*host && strchr(*host, '{'))
		*host = without_port(url_path(*host, false, a) + 1, a);
	*path = url_path(rest, false, a);
	if (literal(*path))
		return true;
	if (*rest == '/')
		known = !strcmp(*path, "/") || literal(*host);
	else
		known = literal(*host) && (*host)[strlen(*host) - 1] != '}' && !strchr(*path, '{');
	if (known)
		return true;
	*path = "{}";
	if (!literal(*host)) {
		*host = NULL;
	} else if (*rest != '/') {	/* the hole after the host is path as likely as name */
		size_t n = strlen(*host);
		*host = arena_strn(a, *host, n > 2 && !strcmp(*host + n - 2, "{}") ? n - 2 : n);
	}
	return false;
}
