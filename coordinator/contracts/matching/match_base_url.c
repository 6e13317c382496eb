#include "coordinator/contracts/matching/match_base_url.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/match_by_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"

enum { FEWEST = 3, SHARE = 60, CROWD = 64 };	/* requests; of a hundred; repositories that serve one */

struct asking {
	const struct call_site *first;
	struct asking *next;
};

struct found_bases {
	struct base *v;
	size_t n;
};

/* What one repository calls at an address. */
struct address {
	const char *host;		/* NULL: it is no address for others */
	struct map *seen;		/* of requests */
	struct asking *requests;
	size_t called;
	struct found_bases found;
};

struct bases {
	struct map *places;
	struct map *shared;		/* struct found_bases by host: what any caller's calls say */
};

struct bases *bases_new(void)
{
	struct bases *b = calloc(1, sizeof *b);

	if (!b)
		abort();
	b->places = map_new();
	b->shared = map_new();
	return b;
}

void bases_free(struct bases *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < map_len(b->places); i++)
		map_free(((struct address *)map_val(b->places, i))->seen);
	map_free(b->places);
	map_free(b->shared);
	free(b);
}

static bool is_shared(const struct call_site *s)
{
	return s->says == HOST_EXTERNAL || s->says == HOST_STRANGER;
}

static const char *key_of(const struct work *w, const struct call_site *s)
{
	const char *host = s->fact->host ? s->fact->host : "";

	return arena_printf(w->a, "%s %zu %s %s", s->fact->kind, s->member, is_shared(s) ? s->host.name : host, s->hint.n ? s->hint.name : "");
}

/* One path has all operations of GraphQL, so a host may be one server for them, and another for the rest. */
static const char *shared_key(const struct work *w, const struct call_site *s)
{
	return arena_printf(w->a, "%s %s", s->fact->kind, s->host.name);
}

/* Calls of which nothing is known say nothing about where they go. */
static bool tells(const struct call_site *s)
{
	return match_is(s->fact->kind, "graphql") || (s->path.literals && !s->path.open);
}

void bases_tell(struct work *w, const struct call_site *s)
{
	if (!tells(s))
		return;
	struct address **at = (struct address **)map_at(w->bases->places, key_of(w, s));
	if (!*at) {
		*at = arena_one(w->a, struct address);
		(*at)->seen = map_new();
		(*at)->host = is_shared(s) ? shared_key(w, s) : NULL;
	}
	void **seen = map_at((*at)->seen,
	    arena_printf(w->a, "%s %s", s->fact->method, s->fact->path && !s->path.n ? s->fact->path : s->path.text));
	if (*seen)
		return;
	struct asking *r = *seen = arena_one(w->a, struct asking);
	*r = (struct asking){ s, (*at)->requests };
	(*at)->requests = r;
	(*at)->called++;
}

/* ---- counting ---- */

enum { SHIFTS = EXTRA_MAX + 1 + STRIP_MAX };

struct served {
	size_t member, served[SHIFTS];
	struct served *next;
	const struct asking *last[SHIFTS];
};

/* By member, while one address is looked at. */
struct counts {
	struct served **of, *first;
	struct arena *a;
};

static struct served *counts_of(struct counts *c, size_t member)
{
	struct served *s = c->of[member];

	if (s)
		return s;
	s = c->of[member] = arena_one(c->a, struct served);
	s->member = member;
	s->next = c->first;
	return c->first = s;
}

static void count_for(struct counts *counts, const struct asking *r, size_t member, int shift)
{
	struct served *t = counts_of(counts, member);
	size_t s = (size_t)(shift + EXTRA_MAX);

	t->served[s] += t->last[s] != r;
	t->last[s] = r;
}

static void count_named(const struct work *w, const struct asking *r, struct counts *counts)
{
	size_t n;
	const size_t *v = named_list(w, r->first->fact, &n);

	for (size_t i = 0; i < n && n <= CROWD * 8; i++)
		count_for(counts, r, w->providers[v[i]].member, 0);
}

/* Count a request for each repository and shift that serves it exactly. */
static void count(const struct work *w, const struct asking *r, struct counts *counts)
{
	const struct candidates *c = match_index_find(w->index, &r->first->path);

	for (size_t i = 0; i < c->n && c->n <= CROWD * 8; i++) {
		const struct provider *p = &w->providers[w->of[c->v[i].route]];
		const struct fit *f = &c->v[i].fit;
		if (f->weak || f->rest || !f->literals || !match_methods(r->first->fact->method, p->fact->method))
			continue;
		count_for(counts, r, p->member, f->shift);
	}
}

static int by_member(const void *a, const void *b)
{
	const struct base *x = a, *y = b;

	return (x->member > y->member) - (x->member < y->member);
}

/* The shift that serves most; the smallest of equals. */
static struct base best_of(const struct served *t, size_t called)
{
	struct base b = { .member = t->member, .called = called };

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

static void keep(struct found_bases *f, const struct base *b, struct arena *a)
{
	size_t i = 0;

	while (i < f->n && f->v[i].member != b->member)
		i++;
	if (i == f->n) {
		struct base *v = arena_many(a, f->n + 1, struct base);
		if (f->n)
			memcpy(v, f->v, f->n * sizeof *v);
		f->v = v;
		f->v[f->n++] = *b;
	} else if (b->served > f->v[i].served) {
		f->v[i] = *b;
	}
}

static void conclude(struct address *p, struct counts *c, const struct work *w)
{
	for (const struct asking *r = p->requests; r && p->called >= FEWEST; r = r->next)
		(match_is(r->first->fact->kind, "graphql") ? count_named : count)(w, r, c);
	for (struct served *t = c->first; t; t = t->next) {
		struct base b = best_of(t, p->called);
		if (b.served >= FEWEST && b.served * 100 >= p->called * SHARE)
			keep(&p->found, &b, w->a);
		c->of[t->member] = NULL;
	}
	if (p->found.n)
		qsort(p->found.v, p->found.n, sizeof *p->found.v, by_member);
	c->first = NULL;
	arena_reset(c->a);
}

static void share(const struct work *w, const struct address *p)
{
	struct found_bases **at = (struct found_bases **)map_at(w->bases->shared, p->host);

	if (!*at)
		*at = arena_one(w->a, struct found_bases);
	for (size_t i = 0; i < p->found.n; i++)
		keep(*at, &p->found.v[i], w->a);
	if ((*at)->n)
		qsort((*at)->v, (*at)->n, sizeof *(*at)->v, by_member);
}

void bases_settle(const struct work *w)
{
	struct counts c = { .of = arena_many(w->a, w->n, struct served *), .a = arena_new() };

	for (size_t i = 0; i < map_len(w->bases->places); i++) {
		struct address *p = map_val(w->bases->places, i);
		conclude(p, &c, w);
		if (p->host)
			share(w, p);
	}
	arena_free(c.a);
}

const struct base *bases_ask(const struct work *w, const struct call_site *s, size_t *n)
{
	const struct address *p = map_get(w->bases->places, key_of(w, s));
	const struct found_bases *f = p && p->found.n ? &p->found : NULL;

	if (!f && is_shared(s))
		f = map_get(w->bases->shared, shared_key(w, s));
	*n = f ? f->n : 0;
	return f ? f->v : NULL;
}
