#include "coordinator/contracts/matching/client_address.h"

#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/match_by_name.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

enum {
	REQUESTS_MIN = 3, /* different requests that a repository must serve */
	SERVED_PERCENT_MIN = 60, /* of all requests to the address */
	PROVIDERS_MAX = 512, /* a request with more providers than this tells nothing */
};

struct address_request {
	const struct call_site *first;
	struct address_request *next;
};

struct address_servers {
	struct address_server *v;
	size_t n;
};

/* Requests that are counted together. */
struct request_group {
	struct address_request *requests;
	size_t called, explained;
	struct address_servers all; /* whoever serves any of them, ordered by member */
	size_t best; /* the most that any of these serves */
};

/* What one repository calls at an address. */
struct client_address {
	size_t caller;
	const char *host; /* name of the shared address, or NULL if it is the caller's own */
	struct map *seen; /* requests of the groups, each once */
	struct request_group whole;
	struct map *parts; /* struct request_group by the first word of the path, and by folder */
	struct address_servers found; /* those that serve most of it */
};

struct address_index {
	struct map *addresses;
	size_t built; /* so many of them are counted */
	struct map *shared; /* struct address_servers by host, from the calls of all callers */
};

struct address_index *address_index_new(void)
{
	struct address_index *b = xcalloc(1, sizeof *b);

	b->addresses = map_new();
	b->shared = map_new();
	return b;
}

void address_index_free(struct address_index *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < map_len(b->addresses); i++) {
		struct client_address *p = map_val(b->addresses, i);
		map_free(p->seen);
		map_free(p->parts);
	}
	map_free(b->addresses);
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

const char *address_shared_name(const struct match_context *w, const struct call_site *s)
{
	bool resembles = s->host_class == HOST_MEMBER && s->host.loose; /* it may be found shared */

	if (!match_has_unknown_server(s) || !s->host.name || !(is_shared(s) || resembles))
		return NULL;
	return shared_key(w, s);
}

static bool is_graphql(const struct call_site *s)
{
	return match_text_equal(s->fact->kind, "graphql");
}

/* Whether enough of the path is known to tell where the call goes. */
static bool is_usable(const struct call_site *s)
{
	return is_graphql(s) || (s->path.literals && !s->path.open && !path_is_everywhere(&s->path));
}

static struct client_address *address_of(struct match_context *w, const struct call_site *s)
{
	struct client_address **at = (struct client_address **)map_at(
	    w->addresses->addresses, key_of(w, s));

	if (*at)
		return *at;
	*at = arena_one(w->a, struct client_address);
	(*at)->seen = map_new();
	(*at)->parts = map_new();
	(*at)->caller = s->member;
	if (is_shared(s))
		(*at)->host = shared_key(w, s);
	return *at;
}

/* Add a request to a group, once; `name` is the group's among those of the address. */
static void add_request(
    struct match_context *w, struct request_group *g, const char *name, const struct call_site *s)
{
	const char *path = s->path.text;

	if (s->fact->path && !s->path.n)
		path = s->fact->path;
	void **seen = map_at(
	    s->address->seen, arena_printf(w->a, "%s %s %s", name, s->fact->method, path));
	if (*seen)
		return;
	*seen = g;
	struct address_request *r = arena_one(w->a, struct address_request);
	*r = (struct address_request){ s, g->requests };
	g->requests = r;
	g->called++;
}

/* The key of requests from the same folder. */
static const char *folder_of(const struct match_context *w, const struct call_site *s)
{
	const char *slash = strrchr(s->fact->file, '/');
	size_t n = 0;

	if (slash)
		n = (size_t)(slash - s->fact->file);
	return arena_printf(w->a, "in %.*s", (int)n, s->fact->file);
}

/* The key of requests whose paths have the same first word that tells what they are about. */
static const char *likeness_of(const struct match_context *w, const struct call_site *s)
{
	for (size_t i = 0; i < s->path.n; i++)
		if (s->path.kind[i] == SEG_LITERAL && !path_is_common_word(s->path.seg[i]))
			return arena_printf(w->a, "like %s", s->path.seg[i]);
	return "like";
}

static struct request_group *group_at(
    struct match_context *w, struct client_address *p, const char *part)
{
	struct request_group **at = (struct request_group **)map_at(p->parts, part);

	if (!*at)
		*at = arena_one(w->a, struct request_group);
	return *at;
}

void address_index_add(struct match_context *w, struct call_site *s)
{
	s->address = address_of(w, s);
	if (is_graphql(s)) {
		add_request(w, &s->address->whole, "all", s);
		return;
	}
	const char *likeness = likeness_of(w, s), *folder = folder_of(w, s);
	s->like = group_at(w, s->address, likeness);
	s->near = group_at(w, s->address, folder);
	if (!is_usable(s))
		return;
	add_request(w, &s->address->whole, "all", s);
	add_request(w, s->like, likeness, s);
	add_request(w, s->near, folder, s);
}

/* ---- counting ---- */

enum { SHIFTS = EXTRA_MAX + 1 + STRIP_MAX };

struct served_count {
	size_t member, served[SHIFTS];
	struct served_count *next;
	const struct address_request *last[SHIFTS];
};

/* Counts by member for one group of requests. */
struct served_counts {
	struct served_count **of, *first;
	size_t members, explained;
	const struct address_request *last;
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
	c->members++;
	return s;
}

static void count_for(
    struct served_counts *counts, const struct address_request *r, size_t member, int shift)
{
	struct served_count *t = counts_of(counts, member);
	size_t s = (size_t)(shift + EXTRA_MAX);

	if (t->last[s] != r)
		t->served[s]++;
	t->last[s] = r;
	if (counts->last != r)
		counts->explained++;
	counts->last = r;
}

static void count_named(
    const struct match_context *w, const struct address_request *r, struct served_counts *counts)
{
	size_t n;
	const size_t *v = provider_name_index_get(w, r->first->fact, &n);

	if (n > PROVIDERS_MAX)
		return;
	for (size_t i = 0; i < n; i++)
		if (!declarations_deny(r->first, w->providers[v[i]].member))
			count_for(counts, r, w->providers[v[i]].member, 0);
}

/* Whether a route serves a request for sure, and not only because it takes many. */
static bool serves(const struct call_site *s, const struct provider *p, const struct path_match *f)
{
	if (f->rest || !match_methods(s->fact->method, p->fact->method) ||
	    declarations_deny(s, p->member))
		return false;
	struct path_words words = path_words(&s->path, &p->path, f);
	return words.telling && !words.taken && !words.guessed;
}

/* Count a request for each repository and shift that serves it exactly. */
static void count_routes(
    const struct match_context *w, const struct address_request *r, struct served_counts *counts)
{
	const struct route_candidates *c = match_index_find(w->index, &r->first->path);

	if (c->n > PROVIDERS_MAX)
		return;
	for (size_t i = 0; i < c->n; i++) {
		const struct provider *p = &w->providers[w->of[c->v[i].route]];
		if (serves(r->first, p, &c->v[i].fit))
			count_for(counts, r, p->member, c->v[i].fit.shift);
	}
}

static int by_member(const void *a, const void *b)
{
	const struct address_server *x = a, *y = b;

	return (x->member > y->member) - (x->member < y->member);
}

/* The shift that serves most requests; the smallest of equals. */
static struct address_server best_of(const struct served_count *t, size_t called)
{
	struct address_server b = { .member = t->member, .called = called };

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

static void count_requests(
    const struct match_context *w, const struct request_group *g, struct served_counts *c)
{
	for (const struct address_request *r = g->requests; r; r = r->next) {
		if (is_graphql(r->first))
			count_named(w, r, c);
		else
			count_routes(w, r, c);
	}
}

/* Find who serves the requests of a group. */
static void count_group(
    const struct match_context *w, struct request_group *g, struct served_counts *c)
{
	count_requests(w, g, c);
	g->explained = c->explained;
	g->all.v = arena_many(w->a, c->members, struct address_server);
	for (struct served_count *t = c->first; t; t = t->next) {
		struct address_server s = best_of(t, g->called);
		g->all.v[g->all.n++] = s;
		g->best = MAX(g->best, s.served);
		c->of[t->member] = NULL;
	}
	if (g->all.n)
		qsort(g->all.v, g->all.n, sizeof *g->all.v, by_member);
	c->first = NULL;
	c->last = NULL;
	c->members = c->explained = 0;
	arena_reset(c->a);
}

/* Whether one says more than the other about the same member. */
static bool says_more(const struct address_server *a, const struct address_server *b)
{
	if (a->served != b->served)
		return a->served > b->served;
	if (a->called != b->called)
		return a->called < b->called;
	return a->shift < b->shift;
}

static void keep(struct address_servers *f, const struct address_server *b, struct arena *a)
{
	size_t i = 0;

	while (i < f->n && f->v[i].member != b->member)
		i++;
	if (i == f->n) {
		struct address_server *v = arena_many(a, f->n + 1, struct address_server);
		if (f->n)
			memcpy(v, f->v, f->n * sizeof *v);
		f->v = v;
		f->v[f->n++] = *b;
	} else if (says_more(b, &f->v[i])) {
		f->v[i] = *b;
	}
}

static void find_servers(const struct match_context *w, struct client_address *p)
{
	for (size_t i = 0; i < p->whole.all.n; i++) {
		const struct address_server *b = &p->whole.all.v[i];
		if (b->served >= REQUESTS_MIN && b->served * 100 >= b->called * SERVED_PERCENT_MIN)
			keep(&p->found, b, w->a);
	}
}

void address_index_teach(const struct match_context *w, const struct address_lesson *l)
{
	struct address_servers **at = (struct address_servers **)map_at(
	    w->addresses->shared, l->address);

	if (!*at)
		*at = arena_one(w->a, struct address_servers);
	for (size_t i = 0; i < l->n; i++)
		keep(*at, &l->v[i], w->a);
	if ((*at)->n)
		qsort((*at)->v, (*at)->n, sizeof *(*at)->v, by_member);
}

static struct address_lesson lesson_of(const struct client_address *p)
{
	return (struct address_lesson){ p->caller, p->host, p->found.v, p->found.n };
}

static int by_caller(const void *a, const void *b)
{
	const struct address_lesson *x = a, *y = b;
	int c = compare_numbers(x->caller, y->caller);

	if (c)
		return c;
	return strcmp(x->address, y->address);
}

size_t address_index_lessons(const struct match_context *w, struct address_lesson **out)
{
	const struct map *all = w->addresses->addresses;
	size_t n = 0;

	*out = arena_many(w->a, map_len(all), struct address_lesson);
	for (size_t i = 0; i < map_len(all); i++) {
		const struct client_address *p = map_val(all, i);
		if (p->host && p->found.n)
			(*out)[n++] = lesson_of(p);
	}
	if (n)
		qsort(*out, n, sizeof **out, by_caller);
	return n;
}

static void build(const struct match_context *w, struct client_address *p, struct served_counts *c)
{
	count_group(w, &p->whole, c);
	for (size_t k = 0; k < map_len(p->parts); k++)
		count_group(w, map_val(p->parts, k), c);
	find_servers(w, p);
	if (!p->host)
		return;
	const struct address_lesson lesson = lesson_of(p);
	address_index_teach(w, &lesson);
}

void address_index_build(const struct match_context *w)
{
	struct served_counts c = { .of = arena_many(w->a, w->n, struct served_count *),
		.a = arena_new() };
	struct address_index *b = w->addresses;

	for (; b->built < map_len(b->addresses); b->built++)
		build(w, map_val(b->addresses, b->built), &c);
	arena_free(c.a);
}

/* ---- answers ---- */

const struct address_server *address_index_servers(
    const struct match_context *w, const struct call_site *s, size_t *n)
{
	const struct client_address *p = s->address;
	const struct address_servers *f = NULL;

	if (p && p->found.n)
		f = &p->found;
	if (!f && is_shared(s))
		f = map_get(w->addresses->shared, shared_key(w, s));
	*n = 0;
	if (!f)
		return NULL;
	*n = f->n;
	return f->v;
}

static size_t served_by(const struct request_group *g, size_t member)
{
	const struct address_server key = { .member = member };
	const struct address_server *s = NULL;

	if (g->all.n)
		s = bsearch(&key, g->all.v, g->all.n, sizeof key, by_member);
	return s ? s->served : 0;
}

struct address_support address_support(const struct call_site *s, size_t member)
{
	struct address_support a = { 0 };

	if (!s->address)
		return a;
	a.called = s->address->whole.called;
	a.explained = s->address->whole.explained;
	a.served = served_by(&s->address->whole, member);
	a.best = s->address->whole.best;
	if (!s->like)
		return a;
	a.like_called = s->like->called;
	a.like_served = served_by(s->like, member);
	a.like_best = s->like->best;
	a.near_called = s->near->called;
	a.near_served = served_by(s->near, member);
	return a;
}
