#include "proto/text/url_host.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

static int default_port(const char *scheme)
{
	static const struct { const char *scheme; int port; } ports[] = {
		{ "https", 443 }, { "http", 80 }, { "ssh", 22 }, { "git", 9418 },
	};

	for (size_t i = 0; i < LEN(ports); i++)
		if (!strcmp(ports[i].scheme, scheme))
			return ports[i].port;
	return 0;
}

static const char *lower(const char *s, size_t n, struct arena *a)
{
	char *copy = arena_strn(a, s, n);

	for (char *c = copy; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

/* Whether it is a host name or IPv4 address, or an IPv6 address in brackets. */
static bool is_name(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
	static const char v6[] = "abcdef0123456789.:";
	size_t n = strlen(name);

	if (*name == '[')
		return n > 2 && name[n - 1] == ']' && strspn(name + 1, v6) == n - 2;
	return n && strspn(name, plain) == n;
}

/* Parses the digits of a port.  0 if it is invalid. */
static int parse_port(const char *s)
{
	char *end;

	if (!isdigit((unsigned char)*s))
		return 0;
	long port = strtol(s, &end, 10);
	if (*end || port < 1 || port > 65535)
		return 0;
	return (int)port;
}

/* Parses `host` or `host:port`, of `n` bytes. */
static int parse_authority(const char *s, size_t n, struct url_host *h, struct arena *a)
{
	const char *all = lower(s, n, a), *bracket = strchr(all, ']'), *colon;

	if (bracket)
		colon = strchr(bracket, ':');
	else
		colon = strchr(all, ':');
	if (colon)
		h->name = arena_strn(a, all, (size_t)(colon - all));
	else
		h->name = all;
	h->port = default_port(h->scheme);
	if (!is_name(h->name))
		return -1;
	if (!colon || !colon[1])
		return 0;
	h->port = parse_port(colon + 1);
	if (!h->port)
		return -1;
	return 0;
}

int url_host_parse(const char *url, struct url_host *h, struct arena *a)
{
	const char *mark = strstr(url, "://");

	if (!mark || mark == url)
		return -1;
	const char *from = mark + 3;
	size_t n = strcspn(from, "/?#");
	h->scheme = lower(url, (size_t)(mark - url), a);
	for (size_t i = n; i > 0; i--)
		if (from[i - 1] == '@')
			return parse_authority(from + i, n - i, h, a);
	return parse_authority(from, n, h, a);
}

/* Parses the host of a rule.  *below is set if the rule is for all names below it. */
static int parse_pattern(const char *written, const char *scheme, bool *below, struct url_host *h,
    struct arena *a)
{
	*below = !strncmp(written, "*.", 2);
	if (*below)
		written += 2;
	h->scheme = scheme;
	return parse_authority(written, strlen(written), h, a);
}

bool url_host_matches(const struct url_host *h, const char *written, struct arena *a)
{
	struct url_host want;
	bool below;

	if (parse_pattern(written, h->scheme, &below, &want, a) || want.port != h->port)
		return false;
	size_t n = strlen(h->name), k = strlen(want.name);
	if (!below)
		return !strcmp(h->name, want.name);
	return n > k + 1 && h->name[n - k - 1] == '.' && !strcmp(h->name + n - k, want.name);
}

bool url_host_pattern_valid(const char *written, struct arena *a)
{
	struct url_host h;
	bool below;

	return !parse_pattern(written, "", &below, &h, a);
}

bool url_host_equal(const struct url_host *x, const struct url_host *y)
{
	return !strcmp(x->scheme, y->scheme) && !strcmp(x->name, y->name) && x->port == y->port;
}

bool url_host_is_loopback(const struct url_host *h)
{
	struct in_addr v4;

	if (!strcmp(h->name, "localhost") || !strcmp(h->name, "[::1]"))
		return true;
	return inet_pton(AF_INET, h->name, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}
