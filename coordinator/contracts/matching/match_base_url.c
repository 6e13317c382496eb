#include "coordinator/contracts/matching/match_base_url.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/match_by_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"

enum {
	REQUESTS_MIN = 3,		/* different requests that a repository must serve */
	SERVED_PERCENT_MIN = 60,	/* of all requests to the address */
	PROVIDERS_MAX = 512,		/* a request with more providers than this tells nothing */
};

struct base_url_request {
	const struct call_site *first;
	struct base_url_request *next;
};

struct base_url_servers {
	struct base_url_server *v;
	size_t n;
};

/* What one repository calls at an address. */
struct called_base_url {
	const char *host;		/* key of the shared address, or NULL if it is the caller's own */
	struct map *seen;		/* requests, each once */
	struct base_url_request *requests;
	size_t called;
	struct base_url_servers found;
};

struct base_url_index {
	struct map *places;
	struct map *shared;		/* struct base_url_servers by host, from the calls of all callers */
};

struct base_url_index *base_url_index_new(void)
{
	struct base_url_index *b = xcalloc(1, sizeof *b);

	b->places = map_new();
	b->shared = map_new();
	return b;
}

void base_url_index_free(struct base_url_index *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < map_len(b->places); i++)
		map_free(((struct called_base_url *)map_val(b->places, i))->seen);
	map_free(b->places);
	map_free(b->shared);
	free(b);
}

static bool is_shared(const struct call_site *s)
{
	return s->host_class == HOST_EXTERNAL || s->host_class == HOST_UNREGISTERED;
}

static const char *key_of(const struct match_context *w, const struct call_site *s)
{
	const char *host = text_or_empty(s->fact->host), *hint = "";

	if (is_shared(s))
		host = s->host.name;
	if (s->hint.n)
		hint = s->hint.name;
	return arena_printf(w->a, "%s %zu %s %s", s->fact->kind, s->member, host, hint);
}

/*
 * All operations of GraphQL share one path, so a host may forward them to one server and the rest
 * to another.
 */
static const char *shared_key(const struct match_context *w, const struct call_site *s)
{
	return arena_printf(w->a, "%s %s", s->fact->kind, s->host.name);
}

/* Whether enough of the path is known to tell where the call goes. */
static bool is_usable(const struct call_site *s)
{
	return match_text_equal(s->fact->kind, "graphql") || (s->path.literals && !s->path.open);
}

static struct called_base_url *base_url_of(struct match_context *w, const struct call_site *s)
{
	struct called_base_url **at = (struct called_base_url **)map_at(w->bases->places, key_of(w, s));

	if (!*at) {
		*at = arena_one(w->a, struct called_base_url);
		(*at)->seen = map_new();
		if (is_shared(s))
			(*at)->host = shared_key(w, s);
	}
	return *at;
}

void base_url_index_add(struct match_context *w, const struct call_site *s)
{
	const char *path = s->path.text;

	if (!is_usable(s))
		return;
	if (s->fact->path && !s->path.n)
		path = s->fact->path;
	struct called_base_url *p = base_url_of(w, s);
	void **seen = map_at(p->seen, arena_printf(w->a, "%s %s", s->fact->method, path));
	if (*seen)
		return;
	struct base_url_request *r = arena_one(w->a, struct base_url_request);
	*r = (struct base_url_request){ s, p->requests };
	*seen = r;
	p->requests = r;
	p->called++;
}

/* ---- counting ---- */

enum { SHIFTS = EXTRA_MAX + 1 + STRIP_MAX };

struct served_count {
	size_t member, served[SHIFTS];
	struct served_count *next;
	const struct base_url_request *last[SHIFTS];
};

/* Counts by member for one address. */
struct served_counts {
	struct served_count **of, *first;
	struct arena *a;
};

static struct served_count *counts_of(struct served_counts *c, size_t member)
{
	struct served_count *s = c->of[member];

	if (s)
		return s;
	s = arena_one(c->a, struct served_count);
	s->member = member;
	s->next = c->first;
	c->of[member] = s;
	c->first = s;
	return s;
}

static void count_for(
    struct served_counts *counts, const struct base_url_request *r, size_t member, int shift)
{
	struct served_count *t = counts_of(counts, member);
	size_t s = (size_t)(shift + EXTRA_MAX);

	if (t->last[s] != r)
		t->served[s]++;
	t->last[s] = r;
}

static void count_named(
    const struct match_context *w, const struct base_url_request *r, struct served_counts *counts)
{
	size_t n;
	const size_t *v = provider_name_index_get(w, r->first->fact, &n);

	if (n > PROVIDERS_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		count_for(counts, r, w->providers[v[i]].member, 0);
}

/* Count a request for each repository and shift that serves it exactly. */
static void count_routes(
    const struct match_context *w, const struct base_url_request *r, struct served_counts *counts)
{
	const struct route_candidates *c = match_index_find(w->index, &r->first->path);

	if (c->n > PROVIDERS_MAX)
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct provider *p = &w->providers[w->of[c->v[i].route]];
		const struct path_match *f = &c->v[i].fit;
		bool exact = !f->weak && !f->rest && f->literals;
		if (exact && match_methods(r->first->fact->method, p->fact->method))
			count_for(counts, r, p->member, f->shift);
	}
}

static int by_member(const void *a, const void *b)
{
	const struct base_url_server *x = a, *y = b;

	return (x->member > y->member) - (x->member < y->member);
}

/* The shift that serves most requests; the smallest of equals. */
static struct base_url_server best_of(const struct served_count *t, size_t called)
{
	struct base_url_server b = { .member = t->member, .called = called };

	for (int d = 0; d <= EXTRA_MAX; d++)
		for (int sign = 1; sign >= -1; sign -= 2) {
			int at = EXTRA_MAX + d * sign;
			if (at < SHIFTS && t->served[at] > b.served) {
				b.served = t->served[at];
				b.shift = d * sign;
			}
		}
	return b;
}

static void keep(struct base_url_servers *f, const struct base_url_server *b, struct arena *a)
{
	size_t i = 0;

	while (i < f->n && f->v[i].member != b->member)
		i++;
	if (i == f->n) {
		struct base_url_server *v = arena_many(a, f->n + 1, struct base_url_server);
		if (f->n)
			memcpy(v, f->v, f->n * sizeof *v);
		f->v = v;
		f->v[f->n++] = *b;
	} else if (b->served > f->v[i].served) {
		f->v[i] = *b;
	}
}

static void count_requests(
    const struct match_context *w, const struct called_base_url *p, struct served_counts *c)
{
	if (p->called < REQUESTS_MIN)
		return;
	for (const struct base_url_request *r = p->requests; r; r = r->next) {
		if (match_text_equal(r->first->fact->kind, "graphql"))
			count_named(w, r, c);
		else
			count_routes(w, r, c);
	}
}

static void infer_servers(
    struct called_base_url *p, struct served_counts *c, const struct match_context *w)
{
	count_requests(w, p, c);
	for (struct served_count *t = c->first; t; t = t->next) {
		struct base_url_server b = best_of(t, p->called);
		if (b.served >= REQUESTS_MIN && b.served * 100 >= p->called * SERVED_PERCENT_MIN)
			keep(&p->found, &b, w->a);
		c->of[t->member] = NULL;
	}
	if (p->found.n)
		qsort(p->found.v, p->found.n, sizeof *p->found.v, by_member);
	c->first = NULL;
	arena_reset(c->a);
}

static void publish_servers(const struct match_context *w, const struct called_base_url *p)
{
	struct base_url_servers **at = (struct base_url_servers **)map_at(w->bases->shared, p->host);

	if (!*at)
		*at = arena_one(w->a, struct base_url_servers);
	for (size_t i = 0; i < p->found.n; i++)
		keep(*at, &p->found.v[i], w->a);
	if ((*at)->n)
		qsort((*at)->v, (*at)->n, sizeof *(*at)->v, by_member);
}

void base_url_index_build(const struct match_context *w)
{
	struct served_counts c = { .of = arena_many(w->a, w->n, struct served_count *),
		.a = arena_new() };

	for (size_t i = 0; i < map_len(w->bases->places); i++) {
		struct called_base_url *p = map_val(w->bases->places, i);
		infer_servers(p, &c, w);
		if (p->host)
			publish_servers(w, p);
	}
	arena_free(c.a);
}

const struct base_url_server *base_url_index_find(
    const struct match_context *w, const struct call_site *s, size_t *n)
{
	const struct called_base_url *p = map_get(w->bases->places, key_of(w, s));
	const struct base_url_servers *f = NULL;

	if (p && p->found.n)
		f = &p->found;
	if (!f && is_shared(s))
		f = map_get(w->bases->shared, shared_key(w, s));
	*n = 0;
	if (!f)
		return NULL;
	*n = f->n;
	return f->v;
}
