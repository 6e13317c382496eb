#include "coordinator/contracts/matching/match_by_name.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"

struct provider_list {
	size_t *v, n, cap;
};

struct provider_name_index {
	struct map *by_name;	/* struct provider_list of providers */
};

/* `Service/Method` without its package; the whole name of a GraphQL field. */
static const char *key_of(const struct fact *f, struct arena *a)
{
	const char *slash = strchr(f->path, '/'), *service = f->path;

	if (match_text_equal(f->kind, "graphql"))
		return arena_printf(a, "graphql %s", f->path);
	for (const char *p = f->path; slash && p < slash; p++) {
		if (*p == '.')
			service = p + 1;
	}
	return arena_str(a, service);
}

static void put(struct provider_list *l, size_t provider)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = provider;
}

struct provider_name_index *provider_name_index_new(const struct match_context *w)
{
	struct provider_name_index *x = xcalloc(1, sizeof *x);

	x->by_name = map_new();
	for (size_t i = 0; i < w->nproviders; i++) {
		const struct fact *f = w->providers[i].fact;
		if (!match_text_equal(f->kind, "grpc") && !match_text_equal(f->kind, "graphql"))
			continue;
		struct provider_list **at = (struct provider_list **)map_at(x->by_name, key_of(f, w->a));
		if (!*at)
			*at = arena_one(w->a, struct provider_list);
		put(*at, i);
	}
	return x;
}

void provider_name_index_free(struct provider_name_index *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < map_len(x->by_name); i++)
		free(((struct provider_list *)map_val(x->by_name, i))->v);
	map_free(x->by_name);
	free(x);
}

static bool has_package(const char *name, const char *slash)
{
	return memchr(name, '.', (size_t)(slash - name)) != NULL;
}

/* Names fit if one of the two lacks a package, but not if their packages differ. */
static bool packages_fit(const char *call, const char *route)
{
	const char *c = strchr(call, '/'), *r = strchr(route, '/');

	if (!c || !r)
		return false;
	return !has_package(call, c) || !has_package(route, r);
}

const size_t *provider_name_index_get(
    const struct match_context *w, const struct fact *f, size_t *n)
{
	const struct provider_list *l = map_get(w->named->by_name, key_of(f, w->a));

	*n = 0;
	if (!l)
		return NULL;
	*n = l->n;
	return l->v;
}

void provider_name_index_each(const struct match_context *w, struct call_site *s,
    void (*each)(struct match_context *, struct call_site *, struct provider *, bool exact))
{
	const struct provider_list *l = map_get(w->named->by_name, key_of(s->fact, w->a));

	if (!l || !strcmp(s->fact->path, "{}"))
		return;
	for (size_t i = 0; i < l->n; i++) {
		struct provider *p = &w->providers[l->v[i]];
		bool exact = !strcmp(p->fact->path, s->fact->path);
		if (exact || packages_fit(s->fact->path, p->fact->path))
			each((struct match_context *)w, s, p, exact);
	}
}
