#include "proto/text/repo_uri.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/net/crypto.h"

struct uri_slice {
	const char *p;
	size_t n;
};

static struct uri_slice trim(struct uri_slice s, const char *set)
{
	while (s.n && strchr(set, *s.p)) {
		s.p++;
		s.n--;
	}
	while (s.n && strchr(set, s.p[s.n - 1]))
		s.n--;
	return s;
}

/* Removes slashes at both ends and `.git`, which may come before or after the last slash. */
static struct uri_slice clean_path(struct uri_slice path)
{
	path = trim(path, "/ \t\r\n");
	if (path.n >= 4 && !strncasecmp(path.p + path.n - 4, ".git", 4))
		path.n -= 4;
	return trim(path, "/");
}

static bool default_port(struct uri_slice port)
{
	static const char *const ports[] = { "80", "443", "22", "9418" };

	for (size_t i = 0; i < LEN(ports); i++)
		if (strlen(ports[i]) == port.n && !memcmp(ports[i], port.p, port.n))
			return true;
	return !port.n;
}

static bool all_digits(struct uri_slice s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isdigit((unsigned char)s.p[i]))
			return false;
	return s.n > 0;
}

static void to_lower(char *s)
{
	for (; *s; s++)
		*s = (char)tolower((unsigned char)*s);
}

static bool ends_with_git(struct uri_slice s)
{
	return s.n >= 4 && !strncmp(s.p + s.n - 4, ".git", 4);
}

/* The part before the first slash, or all of it. */
static struct uri_slice before_slash(struct uri_slice s)
{
	const char *slash = memchr(s.p, '/', s.n);

	if (slash)
		s.n = (size_t)(slash - s.p);
	return s;
}

/* The colon before the port in `host:port` or `[v6]:port`, or NULL. */
static const char *port_colon(struct uri_slice authority)
{
	const char *from = NULL;

	if (authority.n && *authority.p == '[')
		from = memchr(authority.p, ']', authority.n);
	if (!from)
		from = authority.p;
	return memchr(from, ':', authority.n - (size_t)(from - authority.p));
}

static struct uri_slice without_user(struct uri_slice authority)
{
	for (size_t i = authority.n; i > 0; i--)
		if (authority.p[i - 1] == '@')
			return (struct uri_slice){ authority.p + i, authority.n - i };
	return authority;
}

/*
 * Over ssh, Azure DevOps uses ssh.dev.azure.com:v3/org/project/repo for
 * dev.azure.com/org/project/_git/repo.
 */
static const char *azure(const char *host, struct uri_slice path, struct arena *a)
{
	const char *p = path.p, *end = path.p + path.n, *slash = NULL;

	if (strcmp(host, "dev.azure.com") && strcmp(host, "ssh.dev.azure.com"))
		return NULL;
	if (path.n < 3 || strncmp(p, "v3/", 3))
		return NULL;
	for (const char *c = p + 3; c < end; c++)
		if (*c == '/')
			slash = c;
	if (!slash)
		return NULL;
	return arena_printf(a, "dev.azure.com/%.*s/_git/%.*s", (int)(slash - p - 3), p + 3,
	    (int)(end - slash - 1), slash + 1);
}

/* The repo_uri of host and path, both without their ends and in canonical case. */
static const char *canonical(
    struct uri_slice host, struct uri_slice port, struct uri_slice path, struct arena *a)
{
	path = clean_path(path);
	if (!host.n || !path.n)
		return NULL;
	char *h = arena_strn(a, host.p, host.n);
	to_lower(h);
	const char *uri = azure(h, path, a);
	if (uri)
		return uri;
	if (default_port(port))
		return arena_printf(a, "%s/%.*s", h, (int)path.n, path.p);
	return arena_printf(a, "%s:%.*s/%.*s", h, (int)port.n, port.p, (int)path.n, path.p);
}

static const char *join(struct uri_slice authority, struct uri_slice path, struct arena *a)
{
	struct uri_slice host = without_user(authority), port = { 0 };
	const char *colon = port_colon(host);

	if (colon) {
		port = (struct uri_slice){ colon + 1, (size_t)(host.p + host.n - colon - 1) };
		host.n = (size_t)(colon - host.p);
	}
	if (port.n && !all_digits(port)) {	/* ssh://host:org/repo */
		path = (struct uri_slice){ port.p, (size_t)(path.p + path.n - port.p) };
		port.n = 0;
	}
	return canonical(host, port, path, a);
}

/* Whether it is the scheme of a host: not `file`, and not the `helper::` of helper::address. */
static bool is_host_scheme(struct uri_slice s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!isalnum((unsigned char)s.p[i]) && !strchr("+-.", s.p[i]))
			return false;
	bool file = s.n == 4 && !strncasecmp(s.p, "file", 4);
	return s.n && !file;
}

static const char *uri_from_url(struct uri_slice s, const char *mark, struct arena *a)
{
	if (!is_host_scheme((struct uri_slice){ s.p, (size_t)(mark - s.p) }))
		return NULL;
	const char *from = mark + 3, *end = s.p + s.n;
	for (const char *c = from; c < end; c++)
		if (*c == '?' || *c == '#')
			end = c;
	const char *slash = memchr(from, '/', (size_t)(end - from));
	if (!slash)
		slash = end;
	return join((struct uri_slice){ from, (size_t)(slash - from) },
	    (struct uri_slice){ slash, (size_t)(end - slash) }, a);
}

/* user@host:path, with the colon before any slash. */
static const char *uri_from_scp(struct uri_slice s, struct arena *a)
{
	struct uri_slice host = without_user(before_slash(s));
	const char *colon = port_colon(host);

	if (!colon || colon == host.p || memchr(s.p, '\\', s.n))
		return NULL;
	bool letter = colon - host.p == 1 && isalpha((unsigned char)*host.p);
	if (letter && host.p == s.p)	/* C:path on Windows */
		return NULL;
	if (colon + 1 < s.p + s.n && colon[1] == ':')
		return NULL;
	return join((struct uri_slice){ host.p, (size_t)(colon - host.p) },
	    (struct uri_slice){ colon + 1, (size_t)(s.p + s.n - colon - 1) }, a);
}

static const char *find_scheme(struct uri_slice s)
{
	for (size_t i = 0; i + 3 <= s.n; i++)
		if (!memcmp(s.p + i, "://", 3))
			return s.p + i;
	return NULL;
}

const char *uri_of_remote(const char *remote, struct arena *a)
{
	struct uri_slice s = trim((struct uri_slice){ remote, strlen(remote) }, " \t\r\n");
	const char *mark = find_scheme(s);

	if (mark)
		return uri_from_url(s, mark, a);
	return uri_from_scp(s, a);
}

const char *uri_of_path(const char *abs_path, struct arena *a)
{
	char hex[SHA256_HEX];

	crypto_sha256(abs_path, strlen(abs_path), hex);
	return arena_printf(a, "local:%s", hex);
}

/* Whether it begins with host:port/, as a repo_uri may; user@host:1234/path is another form. */
static bool has_port(struct uri_slice s)
{
	struct uri_slice head = before_slash(s);

	if (memchr(s.p, '@', s.n))
		return false;
	const char *colon = port_colon(head);
	if (!colon)
		return false;
	return all_digits((struct uri_slice){ colon + 1, (size_t)(head.p + head.n - colon - 1) });
}

const char *uri_canonical(const char *typed, struct arena *a)
{
	struct uri_slice s = trim((struct uri_slice){ typed, strlen(typed) }, " \t\r\n");
	const char *uri = NULL;

	if (s.n > 6 && !strncasecmp(s.p, "local:", 6)) {
		char *local = arena_strn(a, s.p, s.n);
		to_lower(local);
		return local;
	}
	if (!has_port(s))
		uri = uri_of_remote(typed, a);
	if (uri)
		return uri;
	struct uri_slice head = before_slash(s), path = { s.p + head.n, s.n - head.n };
	if (path.n)
		uri = join(head, path, a);
	if (uri)
		return uri;
	return arena_strn(a, s.p, s.n);
}

static const char *local_display_name(const char *uri, const char *abs_path, struct arena *a)
{
	if (!abs_path)
		abs_path = "";
	struct uri_slice p = trim((struct uri_slice){ abs_path, strlen(abs_path) }, "/");
	const char *end = p.p + p.n, *base = end;
	while (base > p.p && base[-1] != '/')
		base--;
	struct uri_slice name = { base, (size_t)(end - base) };
	if (name.n > 4 && ends_with_git(name))	/* the folder of a bare repository */
		name.n -= 4;
	if (name.n)
		return arena_printf(a, "%.*s-%.6s", (int)name.n, name.p, uri + 6);
	return arena_printf(a, "local-%.6s", uri + 6);
}

const char *uri_display_name(const char *uri, const char *abs_path, struct arena *a)
{
	if (!strncmp(uri, "local:", 6))
		return local_display_name(uri, abs_path, a);
	const char *path = strchr(uri, '/');
	if (path)
		path++;
	else
		path = uri;
	const char *from = path + strlen(path);
	int slashes = 0;
	while (from > path) {
		slashes += from[-1] == '/';
		if (slashes == 2)
			break;
		from--;
	}
	return arena_str(a, from);
}

const char *uri_directory_name(const char *uri, struct arena *a)
{
	char hex[SHA256_HEX];
	const char *url = uri;

	if (strncmp(uri, "local:", 6))
		url = arena_printf(a, "https://%s", uri);
	crypto_sha256(url, strlen(url), hex);
	return arena_printf(a, "repo_%.16s", hex);
}

static bool is_encoded(const char *p)
{
	return *p == '%' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2]);
}

char *uri_decode(const char *text, size_t n, struct arena *a)
{
	char *out = arena_strn(a, text, n), *to = out, hex[3] = "";

	for (const char *p = out; *p; p++) {
		if (!is_encoded(p)) {
			*to++ = *p;
			continue;
		}
		memcpy(hex, p + 1, 2);
		*to++ = (char)strtol(hex, NULL, 16);
		p += 2;
	}
	*to = 0;
	return out;
}
