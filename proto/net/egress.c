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

/* The first row that matches counts, so a range comes before those that contain it. */
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

/* IPv6 addresses with an embedded IPv4 address, which is the one that they lead to. */
static const struct {
	const char *prefix;
	int bits, at;       /* the IPv4 address begins at that byte */
	unsigned char mask; /* 0xff if its bits are inverted */
} embeddings[] = {
	{ "::ffff:0:0", 96, 12, 0 },   /* mapped */
	{ "::ffff:0:0:0", 96, 12, 0 }, /* translated */
	{ "64:ff9b::", 96, 12, 0 },    /* NAT64 */
	{ "64:ff9b:1::", 48, 12, 0 },  /* local NAT64 */
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
	if (memcmp(address, p, (size_t)whole))
		return false;
	return !left || (address[whole] & mask) == (p[whole] & mask);
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

	for (size_t i = 0; i < LEN(embeddings) && !own; i++) {
		if (!within(address, AF_INET6, embeddings[i].prefix, embeddings[i].bits))
			continue;
		for (int k = 0; k < 4; k++)
			v4[k] = address[embeddings[i].at + k] ^ embeddings[i].mask;
		own = range_of(v4, AF_INET);
	}
	return own;
}

static const struct address_range *range_of_socket_address(const struct sockaddr *to)
{
	const void *any = to;

	if (to->sa_family == AF_INET6) {
		const struct sockaddr_in6 *v6 = any;
		return range_of_v6((const void *)&v6->sin6_addr);
	}
	const struct sockaddr_in *v4 = any;
	return range_of((const void *)&v4->sin_addr, AF_INET);
}

static bool is_allowed(const struct egress_policy *x, enum kind kind)
{
	if (kind == LINK_LOCAL)
		return x->link_local;
	if (!x->token)
		return true;
	if (kind == LOCAL)
		return x->local;
	return !x->public_only;
}

const char *egress_refusal(const struct egress_policy *x, const struct sockaddr *to)
{
	if (to->sa_family != AF_INET && to->sa_family != AF_INET6) {
		if (x->token)
			return "no internet address";
		return NULL;
	}
	const struct address_range *r = range_of_socket_address(to);
	if (!r || is_allowed(x, r->kind))
		return NULL;
	return r->what;
}

static const char *const remedies[] = {
	[LINK_LOCAL] = "ATOLL_ALLOW_LINK_LOCAL",
	[LOCAL] = "ATOLL_ALLOW_LOCAL_SOURCES",
	[PRIVATE] = "ATOLL_PUBLIC_SOURCES_ONLY=false",
};

/* The option that would allow addresses of this range. */
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
	const char *whom = "", *alternative = "";

	if (x->token) {
		whom = " for tokens";
		alternative = "  Or the operator adds the address: `atoll up URL`.";
	}
	err_set(e, ERR_FORBIDDEN, "an address that is %s, which %s allows%s: %.100s", what,
	    remedy(what), whom, where);
	return err_hint(e, "Set that option on the coordinator and the shards.%s", alternative);
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

/* Names of cloud services and of the machine itself, whatever they resolve to. */
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
	return err_hint(
	    e, "Use an absolute path, a URL with https://, ssh:// or git://, or USER@HOST:PATH.");
}

/* `helper::address`, for which git would run a program. */
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
			return "contains a control character";
		if (!path && (*c == ' ' || *c == '\\'))
			return "contains a space or a backslash";
	}
	return NULL;
}

static bool is_port(const char *port)
{
	size_t n = strlen(port);

	return n <= 5 && strspn(port, "0123456789") == n;
}

/* Cuts the host, at `host`, from what follows it, and returns that; NULL if it is malformed. */
static char *end_of_host(char *host, bool brackets)
{
	if (!brackets)
		return host + strcspn(host, ":");
	char *end = strchr(host, ']');
	if (!end)
		return NULL;
	*end++ = 0;
	if (*end && *end != ':')
		return NULL;
	return end;
}

/* Parses `[user@]host[:port]`.  -1 if it is malformed. */
static int split_host(char *authority, struct egress_target *out)
{
	char *at = strrchr(authority, '@'), *host = authority;

	if (*authority == '-')
		return -1;
	if (at)
		host = at + 1;
	out->literal = *host == '[';
	host += out->literal;
	char *end = end_of_host(host, out->literal);
	if (!end)
		return -1;
	if (*end == ':') {
		*end++ = 0;
		out->has_port = *end;
		if (*end)
			out->port = end;
	}
	out->host = host;
	if (!*host || *host == '-' || !is_port(out->port))
		return -1;
	return 0;
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
	if (strcmp(out->scheme, "file") != 0)
		return split_host(arena_strn(a, mark, strcspn(mark, "/?#")), out);
	if (*mark != '/')
		return -1;
	return 0;
}

/* The colon before the path of `user@host:path`, or NULL if the source has not this form. */
static const char *scp_colon(const char *source)
{
	const char *at = strchr(source, '@'), *end = source;

	if (at && at < source + strcspn(source, "/"))
		end = at + 1;
	if (*end == '[')
		end = strchr(end, ']');
	if (!end)
		return NULL;
	const char *colon = strchr(end, ':');
	if (!colon || memchr(end, '/', (size_t)(colon - end)))
		return NULL;
	return colon;
}

/* Parses `user@host:path`, with brackets around an IPv6 address. */
static int parse_scp(const char *source, struct egress_target *out, struct arena *a)
{
	const char *colon = scp_colon(source);

	if (!colon || !colon[1] || colon[1] == '-')
		return -1;
	*out = (struct egress_target){ .scheme = "ssh", .host = "", .port = "22" };
	return split_host(arena_strn(a, source, (size_t)(colon - source)), out);
}

static int parse_remote(const char *source, struct egress_target *out, struct arena *a)
{
	const char *mark = strstr(source, "://");

	if (*source == '-')
		return -1;
	if (mark)
		return parse_url(source, mark, out, a);
	return parse_scp(source, out, a);
}

int egress_parse(const char *source, struct egress_target *out, struct arena *a, struct err *e)
{
	bool path = *source == '/';
	const char *bad = bad_bytes(source, path);

	*out = (struct egress_target){ .scheme = "file", .host = "", .port = "" };
	if (bad)
		return malformed(source, bad, a, e);
	if (path)
		return 0;
	if (is_helper(source))
		return malformed(source, "names a program that git would run", a, e);
	if (parse_remote(source, out, a))
		return malformed(
		    source, "is neither an absolute path nor a URL with a supported scheme", a, e);
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
	if (strcmp(s->scheme, "file") != 0) {
		err_set(e, ERR_FORBIDDEN, "`source`: a token may not add %s", s->scheme);
		return err_hint(e,
		    "ATOLL_SOURCE_SCHEMES of the coordinator and the shards lists the "
		    "schemes that tokens may add.");
	}
	err_set(e, ERR_FORBIDDEN, "`source`: a token may not add a path of a machine");
	return err_hint(e,
	    "Run `atoll up PATH`, use the token of --bootstrap-token-file, or add file "
	    "to ATOLL_SOURCE_SCHEMES.");
}

/* What a well-known name stands for, or NULL.  Handles a trailing dot and `*.localhost`. */
static const char *well_known(const char *host)
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

/* Why a numeric address is refused, in any notation that inet_aton accepts, or NULL. */
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
	const char *punctuation = s->literal ? ".:" : "-._";

	for (const char *c = s->host; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr(punctuation, *c))
			return false;
	return true;
}

/* Why the host of a source is refused as it is written, or NULL. */
static const char *host_refused(const struct egress_policy *x, const struct egress_target *s)
{
	const char *what = well_known(s->host);
	bool allowed = x->link_local;

	if (!what)
		return number_refused(x, s);
	if (!strcmp(what, "loopback"))
		allowed = x->local;
	if (!allowed)
		return what;
	return number_refused(x, s);
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
		return malformed(
		    source, "has a host with characters other than letters, digits, `-` and `.`", a, e);
	const char *refused = host_refused(x, &s);
	if (refused)
		return egress_set_refusal(x, uri_redact(source, a), refused, e);
	return 0;
}

static bool put_address(const struct addrinfo *i, struct egress_addresses *out)
{
	if (out->n == EGRESS_ADDRESSES)
		return false;
	return !getnameinfo(
	    i->ai_addr, i->ai_addrlen, out->v[out->n], EGRESS_TEXT, NULL, 0, NI_NUMERICHOST);
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
		return err_hint(e, "Check the name, and DNS on the shard's machine.");
	}
	for (struct addrinfo *i = found; i && !refused; i = i->ai_next) {
		refused = egress_refusal(x, i->ai_addr);
		if (!refused && put_address(i, out))
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

/* Reads the variables like curl: http_proxy in lower case only. */
bool egress_uses_proxy(const char *scheme)
{
	if (set("all_proxy") || set("ALL_PROXY"))
		return !strncmp(scheme, "http", 4);
	if (!strcmp(scheme, "http"))
		return set("http_proxy");
	return !strcmp(scheme, "https") && (set("https_proxy") || set("HTTPS_PROXY"));
}
