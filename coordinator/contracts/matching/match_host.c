#include "coordinator/contracts/matching/match_host.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/service_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"

enum { VAGUE = 4, STEP_TEXT = 300 };

struct host_members {
	size_t *v, n;
};

/*
 * struct host_members by name: the whole name; the name without words such as `service`; the ends
 * of the latter.
 */
struct host_index {
	struct map *exact, *cores, *ends;
};

/* In lower case, with `-` for `_`, without user, port, holes, and dots or dashes at the ends. */
static char clean_char(char c)
{
	if (c == '_')
		return '-';
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 32);
	return c;
}

static char *clean(const char *host, struct arena *a)
{
	char *out = arena_get(a, strlen(host) + 1, 1), *w = out;
	const char *at = strrchr(host, '@');

	if (at)
		host = at + 1;
	for (const char *p = host; *p && *p != ':' && *p != '/'; p++) {
		if (p[0] == '{' && p[1] == '}')
			p++;
		else if (p[0] != '$' || p[1] != '{')
			*w++ = clean_char(*p);
	}
	while (w > out && (w[-1] == '.' || w[-1] == '-'))
		*--w = 0;
	return out + strspn(out, ".-");
}

static void add(struct map *m, const char *key, size_t member, struct arena *a)
{
	if (!*key)
		return;
	struct host_members **at = (struct host_members **)map_at(m, key);
	if (!*at)
		*at = arena_one(a, struct host_members);
	struct host_members *l = *at;
	if (l->n && l->v[l->n - 1] == member)
		return;
	if (!(l->n & (l->n - 1))) {	/* full: the capacity is the next power of two */
		size_t *v = arena_many(a, MAX(2 * l->n, 1), size_t);
		if (l->n)
			memcpy(v, l->v, l->n * sizeof *v);
		l->v = v;
	}
	l->v[l->n++] = member;
}

static void add_name(struct host_index *h, const char *name, size_t member, struct arena *a)
{
	struct name_words w;

	if (*name == ':')	/* a port */
		add(h->exact, name, member, a);
	else
		add(h->exact, clean(name, a), member, a);
	name_words(name, &w);
	for (size_t i = 0; i < w.n; i++) {
		char core[NAME_CORE];
		if (name_core(&w, i, core))
			add(i ? h->ends : h->cores, core, member, a);
	}
}

struct host_index *host_index_new(const struct match_member *m, size_t n, struct arena *a)
{
	struct host_index *h = arena_one(a, struct host_index);

	*h = (struct host_index){ map_new(), map_new(), map_new() };
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(m[i].name, '/'), *last = m[i].name;
		if (slash)
			last = slash + 1;
		size_t len = strlen(last);
		if (!strncmp(m[i].repo_uri, "local:", 6) && len > 7 && last[len - 7] == '-')
			add_name(h, arena_strn(a, last, len - 7), i, a);	/* the folder's name */
		add_name(h, last, i, a);
		for (size_t k = 0; m[i].facts && k < m[i].facts->names.n; k++)
			add_name(h, m[i].facts->names.v[k], i, a);
	}
	return h;
}

void host_index_free(struct host_index *h)
{
	if (!h)
		return;
	map_free(h->exact);
	map_free(h->cores);
	map_free(h->ends);
}

static bool found(const struct host_members *o, bool loose, struct host_names *out)
{
	if (!o)
		return false;
	out->members = o->v;
	out->n = o->n;
	out->loose = loose;
	return true;
}

/* The members whose names have the same words as a name. */
static bool like_names(
    const struct host_index *h, const struct name_words *w, struct host_names *out)
{
	char core[NAME_CORE];

	if (!name_core(w, 0, core))
		return false;
	const struct host_members *o = map_get(h->cores, core);
	if (!o)
		o = map_get(h->ends, core);
	return o && o->n < VAGUE && found(o, true, out);
}

/* Whether a host is an IP address or this machine. */
static bool is_address(const char *h)
{
	if (h[strspn(h, "0123456789.")] == 0 || *h == '[')
		return true;
	return !strcmp(h, "localhost") || !strcmp(h, "host.docker.internal");
}

/*
 * `users.shop`, `users.shop.svc.cluster.local`: names inside a cluster, whose first part is the
 * service.
 */
static bool is_cluster_name(const char *h)
{
	static const char *const ends[] = { ".svc", ".local", ".internal", ".consul", ".lan",
		".localdomain", ".docker" };
	static const char *const world[] = { "com", "org", "net", "edu", "gov", "info", "dev", "app",
		"cloud", "online", "tech", "site", "xyz", "biz", "page", "link" };
	const char *dot = strrchr(h, '.');
	size_t n = strlen(h);

	for (size_t i = 0; i < LEN(ends); i++)
		if (n > strlen(ends[i]) && !strcmp(h + n - strlen(ends[i]), ends[i]))
			return true;
	bool two_parts = dot && strchr(h, '.') == dot;
	if (!two_parts || strlen(dot + 1) <= 2)		/* two letters are a country */
		return false;
	for (size_t i = 0; i < LEN(world); i++)
		if (!strcmp(dot + 1, world[i]))
			return false;
	return true;
}

enum host_class host_index_find(
    const struct host_index *h, const char *host, struct host_names *out, struct arena *a)
{
	struct name_words w;

	*out = (struct host_names){ 0 };
	if (!text_is_set(host))
		return HOST_UNKNOWN;
	char *name = clean(host, a);
	if (!*name || is_address(name))
		return HOST_UNKNOWN;
	out->name = name;
	bool cluster = is_cluster_name(name), dotted = strchr(name, '.') != NULL;
	if (found(map_get(h->exact, name), false, out))
		return HOST_MEMBER;
	const char *first = name;
	if (cluster)
		first = arena_strn(a, name, strcspn(name, "."));
	if (cluster && found(map_get(h->exact, first), false, out))
		return HOST_MEMBER;
	name_words(first, &w);
	if ((cluster || !dotted) && like_names(h, &w, out))
		return HOST_MEMBER;
	if (strstr(host, "{}") && !dotted)
		return HOST_UNKNOWN;	/* a part of the name is unknown */
	if (dotted && !cluster)
		return HOST_EXTERNAL;
	return HOST_UNREGISTERED;
}

bool host_index_find_segment(
    const struct host_index *h, const char *segment, struct host_names *out)
{
	struct name_words w;

	*out = (struct host_names){ .name = segment };
	name_words(segment, &w);
	return like_names(h, &w, out);
}

/* Find the first name of an address in the text that names a member. */
static bool hint_in(
    const struct host_index *h, const char *text, struct host_names *out, struct arena *a)
{
	static const char
	    letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

	for (size_t i = 0; text[i] && i < STEP_TEXT;) {
		size_t n = strspn(text + i, letters);
		struct name_words w;
		char word[NAME_CORE];
		if (n && n < sizeof word) {
			memcpy(word, text + i, n);
			word[n] = 0;
			name_words(word, &w);
			if (w.address && like_names(h, &w, out)) {
				out->name = arena_str(a, word);
				return true;
			}
		}
		i += MAX(n, 1);
	}
	return false;
}

/* The members that listen at the port on this machine that is called. */
static bool port_in(
    const struct host_index *h, const char *host, struct host_names *out, struct arena *a)
{
	const char *port = NULL;

	if (host)
		port = strrchr(host, ':');
	if (!port || !is_address(clean(host, a)))
		return false;
	out->name = port;
	return found(map_get(h->exact, port), true, out);
}

bool host_index_find_hint(
    const struct host_index *h, const struct fact *f, struct host_names *out, struct arena *a)
{
	struct host_names n = { 0 };
	bool found = f->raw && hint_in(h, f->raw, &n, a);

	if (!found)
		found = port_in(h, f->host, &n, a);
	for (size_t i = 0; i < f->steps.n && !found; i++)
		found = f->steps.v[i].text && hint_in(h, f->steps.v[i].text, &n, a);
	if (found)
		*out = n;
	return found;
}
