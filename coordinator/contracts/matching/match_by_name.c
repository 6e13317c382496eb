#include "coordinator/contracts/matching/match_by_name.h"

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
};

/* `Service/Method` without the package; a field as it is. */
static const char *key_of(const struct fact *f, struct arena *a)
{
	const char *slash = strchr(f->path, '/'), *service = f->path;

	if (match_is(f->kind, "graphql"))
		return arena_printf(a, "graphql %s", f->path);
	for (const char *p = f->path; slash && p < slash; p++)
		service = *p == '.' ? p + 1 : service;
	return arena_str(a, service);
}

static void put(struct list *l, size_t provider)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = provider;
}

struct named *named_new(const struct work *w)
{
	struct named *x = calloc(1, sizeof *x);

	if (!x)
		abort();
	x->by_name = map_new();
	for (size_t i = 0; i < w->nproviders; i++) {
		const struct fact *f = w->providers[i].fact;
		if (!match_is(f->kind, "grpc") && !match_is(f->kind, "graphql"))
			continue;
		struct list **at = (struct list **)map_at(x->by_name, key_of(f, w->a));
		if (!*at)
			*at = arena_one(w->a, struct list);
		put(*at, i);
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
	free(x);
}

/* A package that one of the two lacks does not keep them apart; different ones do. */
static bool packages_fit(const char *call, const char *route)
{
	const char *c = strchr(call, '/'), *r = strchr(route, '/');

	return c && r && (!memchr(call, '.', (size_t)(c - call)) || !memchr(route, '.', (size_t)(r - route)));
}

const size_t *named_list(const struct work *w, const struct fact *f, size_t *n)
{
	const struct list *l = map_get(w->named->by_name, key_of(f, w->a));

	*n = l ? l->n : 0;
	return l ? l->v : NULL;
}

void named_find(const struct work *w, struct call_site *s,
    void (*each)(struct work *, struct call_site *, struct provider *, bool exact))
{
	const struct list *l = map_get(w->named->by_name, key_of(s->fact, w->a));

	if (!strcmp(s->fact->path, "{}"))
		return;
	for (size_t i = 0; l && i < l->n; i++) {
		struct provider *p = &w->providers[l->v[i]];
		bool exact = !strcmp(p->fact->path, s->fact->path);
		if (exact || packages_fit(s->fact->path, p->fact->path))
			each((struct work *)w, s, p, exact);
	}
}
