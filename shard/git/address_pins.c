#include "shard/git/address_pins.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/net/egress.h"

static const char *bracketed(const char *address, struct arena *a)
{
	if (strchr(address, ':'))
		return arena_printf(a, "[%s]", address);
	return address;
}

static void put(struct address_pins *p, const char *key, const char *value)
{
	p->v[p->n].key = key;
	p->v[p->n++].value = value;
}

/* git 2.37 and later pass this setting to curl. */
static void pin_http(struct address_pins *p, const struct egress_target *s,
    const struct egress_addresses *v, struct arena *a)
{
	const char *list = "";

	for (size_t i = 0; i < v->n; i++)
		list = arena_printf(a, "%s%s%s", list, i ? "," : "", bracketed(v->v[i], a));
	put(p, "http.curloptResolve", arena_printf(a, "%s:%s:%s", s->host, s->port, list));
}

/*
 * ssh looks up the host key by the host's name, not by the address that it dials.  With a port
 * other than 22 the entry in known_hosts is [HOST]:PORT.
 */
static void pin_ssh(struct address_pins *p, const struct egress_target *s,
    const struct egress_addresses *v, struct arena *a)
{
	const char *alias = s->host;

	if (strcmp(s->port, "22"))
		alias = arena_printf(a, "[%s]:%s", s->host, s->port);
	p->ssh = arena_printf(a, "-oHostName=%s '-oHostKeyAlias=%s'", v->v[0], alias);
}

/*
 * git:// has no such setting.  So git rewrites the URL to the address, and sends the name as the
 * virtual host.
 */
static void pin_git(struct address_pins *p, const struct egress_target *s,
    const struct egress_addresses *v, const char *url, struct arena *a)
{
	const char *from = strstr(url, "://") + 3;
	int n = (int)strcspn(from, "/?#");

	p->virtual_host = arena_strn(a, from, (size_t)n);
	put(p, arena_printf(a, "url.git://%s:%s/.insteadOf", bracketed(v->v[0], a), s->port),
	    arena_printf(a, "%.*s%.*s/", (int)(from - url), url, n, from));
}

int address_pins_resolve(
    struct address_pins *p, const char *url, bool from_token, struct arena *a, struct err *e)
{
	const struct egress_policy *rule = egress_policy_of(from_token);
	struct egress_addresses v;
	struct egress_target s;

	*p = (struct address_pins){ 0 };
	if (egress_check_source(rule, url, a, e) || egress_parse(url, &s, a, e))
		return -1;
	if (!from_token || !strcmp(s.scheme, "file"))
		return 0;
	if (egress_resolve(rule, &s, &v, e)) {
		if (e->code != ERR_UNAVAILABLE || !egress_uses_proxy(s.scheme))
			return -1;
		*e = (struct err){ 0 }; /* the proxy resolves the name */
		return 0;
	}
	if (!strncmp(s.scheme, "http", 4))
		pin_http(p, &s, &v, a);
	else if (!strcmp(s.scheme, "ssh"))
		pin_ssh(p, &s, &v, a);
	else
		pin_git(p, &s, &v, url, a);
	return 0;
}
