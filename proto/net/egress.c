#include "proto/net/egress.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/redact.h"

static const char *default_schemes[] = { "https", "ssh", "git" };
static struct egress_policy rules[2] = { { .token = false },
	{ .token = true, .schemes = { default_schemes, LEN(default_schemes) } } };

void egress_init(const struct egress_policy *x)
{
	for (size_t i = 0; i < LEN(rules); i++) {
		rules[i] = *x;
		rules[i].token = i;
	}
}

const struct egress_policy *egress_policy_of(bool token)
{
	return &rules[token];
}

/* ---- addresses ---- */

enum kind { LINK_LOCAL, LOCAL, PRIVATE };

/* The longest that fits counts: a row stands before those that it is part of. */
static const struct address_range {
	const char *prefix;
	int bits;
	enum kind kind;
	const char *what;
} ranges[] = {
	{ "169.254.0.0", 16, LINK_LOCAL, "link-local" },
	{ "168.63.129.16", 32, LINK_LOCAL, "a cloud's own service" },   /* Azure */
	{ "100.100.100.200", 32, LINK_LOCAL, "a cloud's own service" }, /* Alibaba */
	{ "192.0.0.192", 32, LINK_LOCAL, "a cloud's own service" },     /* Oracle */
	{ "0.0.0.0", 8, LOCAL, "unspecified" },
	{ "127.0.0.0", 8, LOCAL, "loopback" },
	{ "224.0.0.0", 4, LOCAL, "multicast" },
	{ "240.0.0.0", 4, LOCAL, "reserved" },
	{ "10.0.0.0", 8, PRIVATE, "private" },
	{ "172.16.0.0", 12, PRIVATE, "private" },
	{ "192.168.0.0", 16, PRIVATE, "private" },
	{ "100.64.0.0", 10, PRIVATE, "private" },
	{ "fe80::", 10, LINK_LOCAL, "link-local" },
	{ "fd00:ec2::254", 128, LINK_LOCAL, "a cloud's own service" }, /* AWS */
	{ "fd20:ce::254", 128, LINK_LOCAL, "a cloud's own service" },  /* Google */
	{ "::", 128, LOCAL, "unspecified" },
	{ "::1", 128, LOCAL, "loopback" },
	{ "ff00::", 8, LOCAL, "multicast" },
	{ "fec0::", 10, PRIVATE, "private" },
	{ "fc00::", 7, PRIVATE, "private" },
};

/* IPv6 addresses that hold one of IPv4, which is what they lead to; it begins at that byte. */
static const struct {
	const char *prefix;
	int bits, at;
	unsigned char mask; /* 0xff: its bits are inverted */
} holders[] = {
	{ "::ffff:0:0", 96, 12, 0 },   /* mapped */
	{ "::ffff:0:0:0", 96, 12, 0 }, /* translated */
	{ "64:ff9b::", 96, 12, 0 },    /* NAT64 */
	{ "64:ff9b:1::", 48, 12, 0 },  /* NAT64 of a network's own */
	{ "2002::", 16, 2, 0 },        /* 6to4 */
	{ "2001::", 32, 12, 0xff },    /* Teredo */
	{ "::", 96, 12, 0 },           /* compatible */
};

static bool within(const unsigned char *address, int family, const char *prefix, int bits)
{
	unsigned char p[16];

	if (inet_pton(family, prefix, p) != 1)
		return false;
	int whole = bits / 8, left = bits % 8, mask = 0xff00 >> left & 0xff;
	return !memcmp(address, p, (size_t)whole) &&
	       (!left || (address[whole] & mask) == (p[whole] & mask));
}

static const struct address_range *range_of(const unsigned char *address, int family)
{
	for (size_t i = 0; i < LEN(ranges); i++)
		if (within(address, family, ranges[i].prefix, ranges[i].bits))
			return &ranges[i];
	return NULL;
}

static const struct address_range *range_of_v6(const unsigned char *address)
{
	const struct address_range *own = range_of(address, AF_INET6);
	unsigned char v4[4];

	for (size_t i = 0; i < LEN(holders) && !own; i++) {
		if (!within(address, AF_INET6, holders[i].prefix, holders[i].bits))
			continue;
		for (int k = 0; k < 4; k++)
			v4[k] = address[holders[i].at + k] ^ holders[i].mask;
		own = range_of(v4, AF_INET);
	}
	return own;
}

const char *egress_refusal(const struct egress_policy *x, const struct sockaddr *to)
{
	const struct address_range *r = NULL;

	if (to->sa_family == AF_INET)
		r = range_of(
		    (const void *)&((const struct sockaddr_in *)(const void *)to)->sin_addr,
		    AF_INET);
	else if (to->sa_family == AF_INET6)
		r = range_of_v6(
		    (const void *)&((const struct sockaddr_in6 *)(const void *)to)->sin6_addr);
	else {
		if (x->token)
			return "no internet address";
		return NULL;
	}
	if (!r)
		return NULL;
	const bool fine[] = { [LINK_LOCAL] = x->link_local,
		[LOCAL] = !x->token || x->local,
		[PRIVATE] = !x->token || !x->public_only };
	if (fine[r->kind])
		return NULL;
	return r->what;
}

static const char *const remedies[] = {
	[LINK_LOCAL] = "ATOLL_ALLOW_LINK_LOCAL",
	[LOCAL] = "ATOLL_ALLOW_LOCAL_SOURCES",
	[PRIVATE] = "ATOLL_PUBLIC_SOURCES_ONLY=false",
};

/* The option that would admit what is so called. */
static const char *remedy(const char *what)
{
	for (size_t i = 0; i < LEN(ranges); i++)
		if (!strcmp(ranges[i].what, what))
			return remedies[ranges[i].kind];
	return "nothing";
}

int egress_set_refusal(
    const struct egress_policy *x, const char *where, const char *what, struct err *e)
{
	err_set(e, ERR_FORBIDDEN, "an address that is %s, which %s admits%s: %.100s", what,
	    remedy(what), x->token ? " for tokens" : "", where);
	return err_hint(e, "The coordinator and the shards have that option.%s",
	    x->token ? "  The operator may name the address: `atoll up URL`." : "");
}

/* ---- sources ---- */

static const struct {
	const char *written, *scheme, *port;
} schemes[] = {
	{ "https", "https", "443" },
	{ "http", "http", "80" },
	{ "ssh", "ssh", "22" },
	{ "git+ssh", "ssh", "22" },
	{ "ssh+git", "ssh", "22" },
	{ "git", "git", "9418" },
	{ "file", "file", "" },
};

/* Names under which clouds and machines know themselves, whatever they resolve to. */
static const struct {
	const char *name, *what;
} names[] = {
	{ "metadata", "a cloud's own service" },
	{ "metadata.google.internal", "a cloud's own service" },
	{ "metadata.goog", "a cloud's own service" },
	{ "instance-data", "a cloud's own service" },
	{ "instance-data.ec2.internal", "a cloud's own service" },
	{ "localhost", "loopback" },
	{ "ip6-localhost", "loopback" },
	{ "ip6-loopback", "loopback" },
};

static int malformed(const char *source, const char *what, struct arena *a, struct err *e)
{
	char *shown = arena_strn(a, source, strnlen(source, 100));

	for (char *c = shown; *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
	err_set(e, ERR_INVALID_INPUT, "`source`: `%.100s` %s", uri_redact(shown, a), what);
	return err_hint(e, "Name an absolute path, or a URL with https://, ssh:// or git:// in "
			   "front, or USER@HOST:PATH.");
}

/* `helper::address`, which git runs a program for. */
static bool is_helper(const char *source)
{
	size_t n = 0;

	while (isalnum((unsigned char)source[n]) || (source[n] && strchr("+-._", source[n])))
		n++;
	return n && source[n] == ':' && source[n + 1] == ':';
}

static const char *bad_bytes(const char *source, bool path)
{
	for (const char *c = source; *c; c++) {
		if (iscntrl((unsigned char)*c))
			return "holds a control character";
		if (!path && (*c == ' ' || *c == '\\'))
			return "holds a space or a backslash";
	}
	return NULL;
}

/* `[user@]host[:port]`: -1 when it is none. */
static int split_host(char *authority, struct egress_target *out)
{
	char *at = strrchr(authority, '@'), *host = at ? at + 1 : authority, *end;

	if (*authority == '-')
		return -1;
	out->literal = *host == '[';
	if (out->literal) {
		if (!(end = strchr(++host, ']')) || (end[1] && end[1] != ':'))
			return -1;
		*end++ = 0;
	} else {
		end = host + strcspn(host, ":");
	}
	if (*end == ':') {
		*end++ = 0;
		out->has_port = *end;
		if (*end)
			out->port = end;
	}
	out->host = host;
	size_t n = strlen(out->port);
	bool good = *host && *host != '-' && n <= 5 && strspn(out->port, "0123456789") == n;
	return good ? 0 : -1;
}

static int parse_url(
    const char *source, const char *mark, struct egress_target *out, struct arena *a)
{
	size_t n = (size_t)(mark - source);

	*out = (struct egress_target){ .host = "", .port = "" };
	for (size_t i = 0; i < LEN(schemes); i++)
		if (strlen(schemes[i].written) == n &&
		    !strncasecmp(schemes[i].written, source, n)) {
			out->scheme = schemes[i].scheme;
			out->port = schemes[i].port;
		}
	if (!out->scheme)
		return -1;
	mark += 3;
	if (!strcmp(out->scheme, "file"))
		return *mark == '/' ? 0 : -1;
	return split_host(arena_strn(a, mark, strcspn(mark, "/?#")), out);
}

/* `user@host:path`; brackets around an IPv6 address. */
static int parse_scp(const char *source, struct egress_target *out, struct arena *a)
{
	const char *at = strchr(source, '@'),
		   *host = at && at < source + strcspn(source, "/") ? at + 1 : source;
	const char *end = *host == '[' ? strchr(host, ']') : host,
		   *colon = end ? strchr(end, ':') : NULL;

	if (!colon || memchr(end, '/', (size_t)(colon - end)) || !colon[1] || colon[1] == '-')
		return -1;
	*out = (struct egress_target){ .scheme = "ssh", .host = "", .port = "22" };
	return split_host(arena_strn(a, source, (size_t)(colon - source)), out);
}

int egress_parse(const char *source, struct egress_target *out, struct arena *a, struct err *e)
{
	bool path = *source == '/';
	const char *bad = bad_bytes(source, path), *mark = strstr(source, "://");

	*out = (struct egress_target){ .scheme = "file", .host = "", .port = "" };
	if (bad)
		return malformed(source, bad, a, e);
	if (path)
		return 0;
	if (is_helper(source))
		return malformed(source, "names a program that git would run", a, e);
	if (*source == '-' || (mark ? parse_url(source, mark, out, a) : parse_scp(source, out, a)))
		return malformed(source,
		    "is neither an absolute path nor a URL of a scheme that is fetched", a, e);
	return 0;
}

static bool has_scheme(const struct egress_policy *x, const char *scheme)
{
	for (size_t i = 0; i < x->schemes.n; i++)
		if (!strcasecmp(x->schemes.v[i], scheme))
			return true;
	return false;
}

static int refused_scheme(const struct egress_target *s, struct err *e)
{
	bool file = !strcmp(s->scheme, "file");

	err_set(e, ERR_FORBIDDEN, "`source`: a token may not add %s",
	    file ? "a path of a machine" : s->scheme);
	if (file)
		return err_hint(e, "Name it to `atoll up PATH`, use the token of "
		    "--bootstrap-token-file, or add file to ATOLL_SOURCE_SCHEMES.");
	return err_hint(e, "ATOLL_SOURCE_SCHEMES of the coordinator and the shards has those that "
	    "tokens may add.");
}

/* `localhost`, also with a dot at its end, and what is below it. */
static const char *named(const char *host)
{
	size_t n = strlen(host);

	n -= n && host[n - 1] == '.';
	for (size_t i = 0; i < LEN(names); i++)
		if (strlen(names[i].name) == n && !strncasecmp(names[i].name, host, n))
			return names[i].what;
	if (n > 10 && !strncasecmp(host + n - 10, ".localhost", 10))
		return "loopback";
	return NULL;
}

/* Numbers that stand for an address, in whatever way inet_aton reads them. */
static const char *number_refused(const struct egress_policy *x, const struct egress_target *s)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (!s->literal && inet_aton(s->host, &v4.sin_addr))
		return egress_refusal(x, (const struct sockaddr *)(const void *)&v4);
	if (inet_pton(AF_INET6, s->host, &v6.sin6_addr) == 1)
		return egress_refusal(x, (const struct sockaddr *)(const void *)&v6);
	return NULL;
}

static bool plain_host(const struct egress_target *s)
{
	for (const char *c = s->host; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(s->literal ? ".:" : "-._", *c))
			return false;
	return true;
}

int egress_check_source(
    const struct egress_policy *x, const char *source, struct arena *a, struct err *e)
{
	struct egress_target s;

	if (egress_parse(source, &s, a, e))
		return -1;
	if (!x->token)
		return 0;
	if (!has_scheme(x, s.scheme))
		return refused_scheme(&s, e);
	if (!plain_host(&s))
		return malformed(source,
		    "has a host with other characters than letters, digits, `-` and `.`", a, e);
	const char *what = named(s.host), *refused = number_refused(x, &s);
	bool admitted = what && (strcmp(what, "loopback") ? x->link_local : x->local);
	if (what && !admitted)
		return egress_set_refusal(x, uri_redact(source, a), what, e);
	if (refused)
		return egress_set_refusal(x, uri_redact(source, a), refused, e);
	return 0;
}

int egress_resolve(const struct egress_policy *x, const struct egress_target *s,
    struct egress_addresses *out, struct err *e)
{
	const struct addrinfo want = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found = NULL;
	const char *refused = NULL;
	int rc = getaddrinfo(s->host, s->port, &want, &found);

	out->n = 0;
	if (rc) {
		err_set(e, ERR_UNAVAILABLE, "%.120s: %s", s->host, gai_strerror(rc));
		return err_hint(e, "Check the name, and the resolver of the shard's machine.");
	}
	for (struct addrinfo *i = found; i && !refused; i = i->ai_next) {
		refused = egress_refusal(x, i->ai_addr);
		if (!refused && out->n < EGRESS_ADDRESSES &&
		    !getnameinfo(i->ai_addr, i->ai_addrlen, out->v[out->n], EGRESS_TEXT, NULL, 0,
			NI_NUMERICHOST))
			out->n++;
	}
	freeaddrinfo(found);
	if (refused)
		return egress_set_refusal(x, s->host, refused, e);
	if (out->n)
		return 0;
	return err_set(e, ERR_UNAVAILABLE, "%.120s: no address", s->host);
}

static bool set(const char *variable)
{
	const char *v = getenv(variable);

	return v && *v;
}

/* As curl reads them: http_proxy in small letters alone. */
bool egress_uses_proxy(const char *scheme)
{
	if (set("all_proxy") || set("ALL_PROXY"))
		return !strncmp(scheme, "http", 4);
	if (!strcmp(scheme, "http"))
		return set("http_proxy");
	return !strcmp(scheme, "https") && (set("https_proxy") || set("HTTPS_PROXY"));
}
