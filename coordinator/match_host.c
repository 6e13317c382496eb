#include "coordinator/match_host.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"

struct owners {
	size_t *v, n;
};

struct hosts {
	struct map *by_name;	/* struct owners */
};

/* Lower case, `_` as `-`, no port, no holes, no outer dots. */
static char *clean(const char *host, struct arena *a)
{
	char *out = arena_get(a, strlen(host) + 1, 1), *w = out;
	const char *at = strrchr(host, '@');

	for (const char *p = at ? at + 1 : host; *p; p++) {
		if (p[0] == '{' && p[1] == '}') {
			p++;
			continue;
		}
		if (*p == ':' || *p == '/')
			break;
		*w++ = *p == '_' ? '-' : (char)tolower((unsigned char)*p);
	}
	while (w > out && (w[-1] == '.' || w[-1] == '-'))
		*--w = 0;
	return out + strspn(out, ".-");
}

static void add(struct hosts *h, const char *name, size_t member, struct arena *a)
{
	char *key = clean(name, a);
	struct owners **at = (struct owners **)map_at(h->by_name, key);

	if (!*key)
		return;
	if (!*at)
		*at = arena_one(a, struct owners);
	if ((*at)->n && (*at)->v[(*at)->n - 1] == member)
		return;
	size_t *v = arena_many(a, (*at)->n + 1, size_t);
	if ((*at)->n)
		memcpy(v, (*at)->v, (*at)->n * sizeof *v);
	v[(*at)->n++] = member;
	(*at)->v = v;
}

struct hosts *hosts_new(const struct match_member *m, size_t n, struct arena *a)
{
	struct hosts *h = arena_one(a, struct hosts);

	h->by_name = map_new();
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(m[i].name, '/'), *last = slash ? slash + 1 : m[i].name;
		size_t len = strlen(last);
		add(h, last, i, a);
		if (!strncmp(m[i].repo_uri, "local:", 6) && len > 7 && last[len - 7] == '-')
			add(h, arena_strn(a, last, len - 7), i, a);	/* the folder's name */
		for (size_t k = 0; m[i].facts && k < m[i].facts->names.n; k++)
			add(h, m[i].facts->names.v[k], i, a);
	}
	return h;
}

void hosts_free(struct hosts *h)
{
	if (h)
		map_free(h->by_name);
}

static bool is_address(const char *h)
{
	return h[strspn(h, "0123456789.")] == 0 || *h == '[' || !strcmp(h, "localhost") || !strcmp(h, "host.docker.internal");
}

/* `users.shop`, `users.shop.svc.cluster.local`: names inside a cluster, of which the first part is the service. */
static bool is_cluster_name(const char *h)
{
	static const char *const ends[] = { ".svc", ".local", ".internal", ".consul", ".lan", ".localdomain", ".docker" };
	static const char *const world[] = { "com", "org", "net", "edu", "gov", "info", "dev", "app", "cloud", "online",
		"tech", "site", "xyz", "biz", "page", "link" };
	const char *dot = strrchr(h, '.');
	size_t n = strlen(h);

	for (size_t i = 0; i < LEN(ends); i++)
		if (n > strlen(ends[i]) && !strcmp(h + n - strlen(ends[i]), ends[i]))
			return true;
	if (!dot || strchr(h, '.') != dot || strlen(dot + 1) <= 2)
		return false;	/* more than two parts, or a country */
	for (size_t i = 0; i < LEN(world); i++)
		if (!strcmp(dot + 1, world[i]))
			return false;
	return true;
}

enum host_says hosts_ask(const struct hosts *h, const char *host, struct host_names *out, struct arena *a)
{
	*out = (struct host_names){ 0 };
	if (!host || !*host)
		return HOST_NOTHING;
	char *name = clean(host, a);
	if (!*name || is_address(name))
		return HOST_NOTHING;
	const struct owners *o = map_get(h->by_name, name);
	bool cluster = is_cluster_name(name), dotted = strchr(name, '.') != NULL;
	if (!o && cluster)
		o = map_get(h->by_name, arena_strn(a, name, strcspn(name, ".")));
	out->name = name;
	if (o) {
		out->members = o->v;
		out->n = o->n;
		return HOST_MEMBER;
	}
	if (strstr(host, "{}") && !dotted)
		return HOST_NOTHING;	/* a part of the name is unknown */
	return dotted && !cluster ? HOST_EXTERNAL : HOST_STRANGER;
}
