#include "coordinator/contracts/matching/match_base_url.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/match_by_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"

/* requests; of a hundred; repositories that serve one */
enum { REQUESTS_MIN = 3, SERVED_PERCENT_MIN = 60, SERVERS_MAX = 64 };

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
	const char *host;		/* NULL: it is no address for others */
	struct map *seen;		/* of requests */
	struct base_url_request *requests;
	size_t called;
	struct base_url_servers found;
};

struct base_url_index {
	struct map *places;
	struct map *shared;		/* struct base_url_servers by host: what any caller's calls say */
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
	const char *host = s->fact->host ? s->fact->host : "";

	return arena_printf(w->a, "%s %zu %s %s", s->fact->kind, s->member,
	    is_shared(s) ? s->host.name : host, s->hint.n ? s->hint.name : "");
}

/*
 * One path has all operations of GraphQL, so a host may be one server for them, and another for
 * the rest.
 */
static const char *shared_key(const struct match_context *w, const struct call_site *s)
{
	return arena_printf(w->a, "%s %s", s->fact->kind, s->host.name);
}

/* Calls of which nothing is known say nothing about where they go. */
static bool is_usable(const struct call_site *s)
{
	return match_text_equal(s->fact->kind, "graphql") || (s->path.literals && !s->path.open);
}

void base_url_index_add(struct match_context *w, const struct call_site *s)
{
	if (!is_usable(s))
		return;
	struct called_base_url **at = (struct called_base_url **)map_at(w->bases->places, key_of(w, s));
	if (!*at) {
		*at = arena_one(w->a, struct called_base_url);
		(*at)->seen = map_new();
		if (is_shared(s))
			(*at)->host = shared_key(w, s);
		else
			(*at)->host = NULL;
	}
	void **seen = map_at((*at)->seen,
	    arena_printf(w->a, "%s %s", s->fact->method,
	        s->fact->path && !s->path.n ? s->fact->path : s->path.text));
	if (*seen)
		return;
	struct base_url_request *r = *seen = arena_one(w->a, struct base_url_request);
	*r = (struct base_url_request){ s, (*at)->requests };
	(*at)->requests = r;
	(*at)->called++;
}

/* ---- counting ---- */

enum { SHIFTS = EXTRA_MAX + 1 + STRIP_MAX };

struct served_count {
	size_t member, served[SHIFTS];
	struct served_count *next;
	const struct base_url_request *last[SHIFTS];
};

/* By member, while one address is looked at. */
struct served_counts {
	struct served_count **of, *first;
	struct arena *a;
};

static struct served_count *counts_of(struct served_counts *c, size_t member)
{
	struct served_count *s = c->of[member];

	if (s)
		return s;
	s = c->of[member] = arena_one(c->a, struct served_count);
	s->member = member;
	s->next = c->first;
	return c->first = s;
}

static void count_for(
    struct served_counts *counts, const struct base_url_request *r, size_t member, int shift)
{
	struct served_count *t = counts_of(counts, member);
	size_t s = (size_t)(shift + EXTRA_MAX);

	t->served[s] += t->last[s] != r;
	t->last[s] = r;
}

static void count_named(
    const struct match_context *w, const struct base_url_request *r, struct served_counts *counts)
{
	size_t n;
	const size_t *v = provider_name_index_get(w, r->first->fact, &n);

	for (size_t i = 0; i < n && n <= SERVERS_MAX * 8; i++)
		count_for(counts, r, w->providers[v[i]].member, 0);
}

/* Count a request for each repository and shift that serves it exactly. */
static void count(
    const struct match_context *w, const struct base_url_request *r, struct served_counts *counts)
{
	const struct route_candidates *c = match_index_find(w->index, &r->first->path);

	for (size_t i = 0; i < c->n && c->n <= SERVERS_MAX * 8; i++) {
		const struct provider *p = &w->providers[w->of[c->v[i].route]];
		const struct path_match *f = &c->v[i].fit;
		if (f->weak || f->rest || !f->literals ||
		    !match_methods(r->first->fact->method, p->fact->method))
			continue;
		count_for(counts, r, p->member, f->shift);
	}
}

static int by_member(const void *a, const void *b)
{
	const struct base_url_server *x = a, *y = b;

	return (x->member > y->member) - (x->member < y->member);
}

/* The shift that serves most; the smallest of equals. */
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

static void infer_servers(
    struct called_base_url *p, struct served_counts *c, const struct match_context *w)
{
	for (const struct base_url_request *r = p->requests; r && p->called >= REQUESTS_MIN;
	     r = r->next)
		(match_text_equal(r->first->fact->kind, "graphql") ? count_named : count)(w, r, c);
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
	*n = f ? f->n : 0;
	return f ? f->v : NULL;
}
