#include "coordinator/match_named.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"

struct list {
	size_t *v, n, cap;
};

struct named {
	struct map *by_name;	/* struct list of providers */
	struct list patterns;	/* subscriptions to more than one topic */
};

/* `Service/Method` without the package, or the topic. */
static const char *key_of(const struct fact *f, struct arena *a)
{
	const char *slash = strchr(f->path, '/'), *service = f->path;

	if (!match_is(f->kind, "grpc"))
		return arena_printf(a, "topic %s", f->path);
	for (const char *p = f->path; slash && p < slash; p++)
		service = *p == '.' ? p + 1 : service;
	return arena_printf(a, "grpc %s", service);
}

static void put(struct list *l, size_t provider)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = provider;
}

static bool is_pattern(const struct fact *f)
{
	return match_is(f->kind, "topic") && strcmp(f->path, "{}") && (strpbrk(f->path, "*#") || strstr(f->path, "{}"));
}

struct named *named_new(const struct work *w)
{
	struct named *x = calloc(1, sizeof *x);

	if (!x)
		abort();
	x->by_name = map_new();
	for (size_t i = 0; i < w->nproviders; i++) {
		const struct fact *f = w->providers[i].fact;
		if (match_is(f->kind, "http"))
			continue;
		struct list **at = (struct list **)map_at(x->by_name, key_of(f, w->a));
		if (!*at)
			*at = arena_one(w->a, struct list);
		put(*at, i);
		if (is_pattern(f))
			put(&x->patterns, i);
	}
	return x;
}

void named_free(struct named *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < map_len(x->by_name); i++)
		free(((struct list *)map_val(x->by_name, i))->v);
	map_free(x->by_name);
	free(x->patterns.v);
	free(x);
}

/* Whether a topic is one of a pattern: {} some text, * a word between dots, # any words. */
static bool topic_like(const char *p, const char *s)
{
	for (; *p; p++, s++) {
		bool hole = p[0] == '{' && p[1] == '}', word = *p == '*', rest = *p == '#';
		if (!hole && !word && !rest) {
			if (*p != *s)
				return !strcmp(p, ".#") && !*s;	/* `a.#` holds `a` */
			continue;
		}
		const char *after = p + (hole ? 2 : 1);
		for (size_t n = rest ? 0 : 1; n <= strlen(s); n++) {
			if (word && memchr(s, '.', n))
				return false;
			if (topic_like(after, s + n))
				return true;
		}
		return false;
	}
	return !*s;
}

/* A package that one of the two lacks does not keep them apart; different ones do. */
static bool packages_fit(const char *call, const char *route)
{
	const char *c = strchr(call, '/'), *r = strchr(route, '/');

	return c && r && (!memchr(call, '.', (size_t)(c - call)) || !memchr(route, '.', (size_t)(r - route)));
}

void named_find(const struct work *w, struct call_site *s,
    void (*each)(struct work *, struct call_site *, struct provider *, bool exact))
{
	const struct list *l = map_get(w->named->by_name, key_of(s->fact, w->a)), *patterns = &w->named->patterns;
	bool topic = match_is(s->fact->kind, "topic");

	if (!strcmp(s->fact->path, "{}"))
		return;
	for (size_t i = 0; l && i < l->n; i++) {
		struct provider *p = &w->providers[l->v[i]];
		bool exact = !strcmp(p->fact->path, s->fact->path);
		if (exact || packages_fit(s->fact->path, p->fact->path))
			each((struct work *)w, s, p, exact);
	}
	for (size_t i = 0; topic && i < patterns->n; i++) {
		struct provider *p = &w->providers[patterns->v[i]];
		if (strcmp(p->fact->path, s->fact->path) && topic_like(p->fact->path, s->fact->path))
			each((struct work *)w, s, p, false);
	}
}
