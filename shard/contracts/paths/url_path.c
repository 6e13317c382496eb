#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/paths/url_path.h"

/* The end of the segment at `s`: the next slash outside brackets. */
static const char *segment_end(const char *s, bool route)
{
	int depth = 0;

	for (; *s && (depth > 0 || *s != '/'); s++) {
		if (!route && *s == '{' && s[1] && strchr("?&", s[1]))
			break;		/* the query of a template: {?page} */
		if (strchr("{<(", *s))
			depth++;
		else if (strchr("}>)", *s))
			depth--;
		else if (!depth && !route && strchr("?# ", *s))
			break;
	}
	return s;
}

static bool ends_with(const char *s, size_t n, const char *end)
{
	size_t len = strlen(end);

	return n >= len && !memcmp(s + n - len, end, len);
}

/* Whether a segment stands for the rest of the path; `last`: it is the last one. */
static bool is_rest(const char *s, size_t n, bool last)
{
	if (ends_with(s, n, "...}"))
		return true;
	if (n >= 2 && *s == '{' && s[1] == '*')
		return true;
	if (n > 3 && *s == '{' && ends_with(s, n, "*}") && isalnum((unsigned char)s[n - 3]))
		return true;
	if (n > 6 && (!memcmp(s, "<path:", 6) || ends_with(s, n, ":path}")))
		return true;
	if (n == 4 && !memcmp(s, "(.*)", 4))
		return true;
	return *s == '*' && (n == 2 || last);
}

/* Where the bracket that opens at `s` closes, or NULL. */
static const char *bracket_end(const char *s, const char *end)
{
	static const char opening[] = "{<(", closing[] = "}>)";
	char open = *s, close = closing[strchr(opening, open) - opening];
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

static bool begins_parameter(const char *s, const char *end)
{
	return *s == ':' && s + 1 < end && (isalpha((unsigned char)s[1]) || s[1] == '_');
}

static void segment(struct buf *b, const char *s, const char *end, bool route, bool last)
{
	while (s < end) {
		const char *close = NULL;
		if (strchr("{<", *s))
			close = bracket_end(s, end);
		bool star = false;
		if (close) {
			star = close - s == 2 && s[1] == '*';
			s = close + 1;
		} else if (route && begins_parameter(s, end)) {
			s = param_end(s + 1, end);
		} else if (route && *s == '*') {
			star = last && s + 1 == end;
			s++;
		} else {
			buf_byte(b, *s++);
			continue;
		}
		buf_str(b, star ? "{*}" : "{}");
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

/* The end of a hole and the port behind it: "{}:8080", "{}:{}". */
static const char *unknown_host_end(const char *s)
{
	const char *end = s + 2, *port = end + 1;

	if (*end != ':')
		return end;
	size_t digits = strspn(port, "0123456789");
	if (digits)
		return port + digits;
	if (!strncmp(port, "{}", 2))
		return port + 2;
	return end;
}

/* Whether what follows two slashes is rather a path than a host, which has dots or a port. */
static bool begins_path(const char *s)
{
	size_t n = strcspn(s, "/?#");

	return s[n] == '/' && n == strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-");
}

/* Where the path of a URL begins, and its host. */
static const char *host_of(const char *s, struct arena *a, const char **host)
{
	const char *scheme = strstr(s, "://"), *end;

	*host = NULL;
	if (!strncmp(s, "{}//", 4) && !begins_path(s + 4))	/* a scheme that is not known */
		s += 2;
	else if (!strncmp(s, "{}://", 5))
		s += 3;
	if (!strncmp(s, "{}", 2)) {
		end = unknown_host_end(s);
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

/* A host name without its port, if the port is unknown. */
static const char *without_port(const char *host, struct arena *a)
{
	size_t n = strlen(host);

	if (literal(host) && n > 3 && !strcmp(host + n - 3, ":{}"))
		return arena_strn(a, host, n - 3);
	return host;
}

/* Whether a URL without a literal in its path still has a known path. */
static bool is_path_known(const char *rest, const char *host, const char *path)
{
	if (*rest == '/')
		return !strcmp(path, "/") || literal(host);
	return literal(host) && host[strlen(host) - 1] != '}' && !strchr(path, '{');
}

bool url_split(const char *text, struct arena *a, const char **host, const char **path)
{
	const char *rest = host_of(text, a, host);

	if (*host && strchr(*host, '{'))
		*host = without_port(url_path(*host, false, a) + 1, a);
	*path = url_path(rest, false, a);
	if (literal(*path) || is_path_known(rest, *host, *path))
		return true;
	*path = "{}";
	if (!literal(*host)) {
		*host = NULL;
	} else if (*rest != '/') {	/* the hole after the host is path as likely as name */
		size_t n = strlen(*host);
		if (n > 2 && ends_with(*host, n, "{}"))
			n -= 2;
		*host = arena_strn(a, *host, n);
	}
	return false;
}
