#include "coordinator/contracts/matching/match_memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/client_address.h"
#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/match_internal.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/net/crypto.h"
#include "proto/record/codec.h"

enum { DIGEST = 16 };

struct digest {
	char hex[DIGEST];
};

struct remembered_route {
	struct digest digest;
	const char *kind, *path;
	bool formats;
};

struct remembered_member {
	const char *repo_uri, *name;
	struct digest calls, rest; /* of what it consumes; of all but its routes and calls */
	struct digest shapes; /* of its routes in their order, without their places */
	struct remembered_route *routes; /* ordered by digest */
	size_t nroutes;
	const char **addresses; /* that its calls share with those of others */
	size_t naddresses;
	struct address_lesson *lessons; /* what its requests tell about them */
	size_t nlessons;
};

struct match_memory {
	struct arena *a; /* of the members; NULL: nothing is remembered */
	struct remembered_member *m; /* ordered by repo_uri */
	size_t n;
	unsigned char *depends; /* n rows of n bits: whose routes the calls of each member depend on */
};

struct match_memory *match_memory_new(void)
{
	return xcalloc(1, sizeof(struct match_memory));
}

static void forget(struct match_memory *m)
{
	if (m->a)
		arena_free(m->a);
	m->a = NULL;
	m->m = NULL;
	m->n = 0;
}

void match_memory_free(struct match_memory *m)
{
	if (!m)
		return;
	forget(m);
	free(m->depends);
	free(m);
}

/* ---- which routes each caller depends on ---- */

static size_t row_size(size_t n)
{
	return (n + 7) / 8;
}

void match_memory_note(struct match_memory *m, size_t caller, size_t member)
{
	if (m)
		m->depends[caller * row_size(m->n) + member / 8] |= (unsigned char)(1 << member % 8);
}

static bool depends_on(const struct match_memory *m, size_t caller, size_t member)
{
	return m->depends[caller * row_size(m->n) + member / 8] >> member % 8 & 1;
}

static void forget_dependencies(struct match_memory *m, size_t caller)
{
	memset(m->depends + caller * row_size(m->n), 0, row_size(m->n));
}

/* ---- what is remembered of a member ---- */

static struct digest digest_end(struct crypto_hash *h)
{
	char hex[SHA256_HEX];
	struct digest d;

	crypto_hash_end(h, hex);
	memcpy(d.hex, hex, sizeof d.hex);
	return d;
}

static struct digest digest_of(const struct buf *b)
{
	struct crypto_hash *h = crypto_hash_new();

	crypto_hash_put(h, b->p, b->n);
	return digest_end(h);
}

static int by_digest(const void *a, const void *b)
{
	const struct remembered_route *x = a, *y = b;

	return memcmp(&x->digest, &y->digest, sizeof x->digest);
}

static void put_fact(struct buf *b, const struct fact *f)
{
	codec_put(&rec_fact, f, b);
}

/* All of a route but where it is: what decides which calls it fits, and better than which others. */
static void put_shape(struct buf *b, const struct provider *p)
{
	struct fact f = *p->fact;

	f.file = f.raw = f.symbol = NULL;
	f.line = f.end_line = 0;
	f.steps.n = 0;
	put_fact(b, &f);
	buf_byte(b, p->example);
}

static void read_routes(
    const struct match_context *w, size_t member, struct remembered_member *m, struct arena *a)
{
	struct buf shapes = { 0 }, route = { 0 };

	m->routes = arena_many(a, w->first[member + 1] - w->first[member], struct remembered_route);
	for (size_t i = w->first[member]; i < w->first[member + 1]; i++) {
		const struct provider *p = &w->providers[i];
		put_shape(&shapes, p);
		route.n = 0;
		put_fact(&route, p->fact);
		m->routes[m->nroutes++] = (struct remembered_route){ digest_of(&route),
			arena_str(a, p->fact->kind), arena_str(a, p->fact->path), p->path.formats };
	}
	if (m->nroutes)
		qsort(m->routes, m->nroutes, sizeof *m->routes, by_digest);
	m->shapes = digest_of(&shapes);
	buf_free(&shapes);
	buf_free(&route);
}

/* Everything but the routes. */
static void read_rest(const struct contracts_res *r, struct remembered_member *m)
{
	struct buf calls = { 0 }, rest = { 0 };
	struct contracts_res others = *r;

	others.facts.n = 0;
	others.total = 0; /* it counts routes and calls, too */
	codec_put(&rec_contracts_res, &others, &rest);
	for (size_t i = 0; i < r->facts.n; i++) {
		const struct fact *f = &r->facts.v[i];
		if (match_text_equal(f->side, "consumes"))
			put_fact(&calls, f);
		else if (!match_text_equal(f->side, "provides"))
			put_fact(&rest, f);
	}
	m->calls = digest_of(&calls);
	m->rest = digest_of(&rest);
	buf_free(&calls);
	buf_free(&rest);
}

static void read_addresses(const struct match_context *w, const struct call_sites *s, size_t member,
    struct remembered_member *m, struct arena *a)
{
	struct map *seen = map_new();

	for (size_t i = s->first[member]; i < s->first[member + 1]; i++) {
		const char *address = address_shared_name(w, s->v[i]);
		if (address)
			map_at(seen, address);
	}
	m->addresses = arena_many(a, map_len(seen), const char *);
	for (size_t i = 0; i < map_len(seen); i++)
		m->addresses[m->naddresses++] = arena_str(a, map_key(seen, i));
	map_free(seen);
}

static struct address_lesson copy_lesson(const struct address_lesson *l, struct arena *a)
{
	struct address_server *v = arena_many(a, l->n, struct address_server);

	memcpy(v, l->v, l->n * sizeof *v);
	return (struct address_lesson){ l->caller, arena_str(a, l->address), v, l->n };
}

static void copy_lessons(
    struct remembered_member *m, const struct address_lesson *v, size_t n, struct arena *a)
{
	m->lessons = arena_many(a, n, struct address_lesson);
	m->nlessons = n;
	for (size_t i = 0; i < n; i++)
		m->lessons[i] = copy_lesson(&v[i], a);
}

static struct remembered_member read_member(
    const struct match_context *w, const struct call_sites *s, size_t member, struct arena *a)
{
	static const struct contracts_res none;
	const struct match_member *of = &w->m[member];
	struct remembered_member m = { .repo_uri = arena_str(a, of->repo_uri),
		.name = arena_str(a, of->name) };

	read_routes(w, member, &m, a);
	read_rest(of->facts ? of->facts : &none, &m);
	read_addresses(w, s, member, &m, a);
	return m;
}

static struct remembered_member *read_members(
    const struct match_context *w, const struct call_sites *s, struct arena *a)
{
	struct remembered_member *m = arena_many(a, w->n, struct remembered_member);

	for (size_t i = 0; i < w->n; i++)
		m[i] = read_member(w, s, i, a);
	return m;
}

/* ---- what has changed ---- */

/* The work of a match, and what decides it. */
struct comparison {
	struct match_memory *old;
	const struct match_context *w;
	const struct call_sites *calls;
	const struct remembered_member *now;
	bool *again;
	bool *changed, *moved; /* members whose routes differ; only in their places */
	struct path_template *paths; /* of HTTP routes that came or went */
	size_t npaths;
	struct map *kinds; /* of other routes that came or went */
};

static bool same_digest(const struct digest *a, const struct digest *b)
{
	return !memcmp(a, b, sizeof *a);
}

/* Whether only routes and calls may differ. */
static bool is_comparable(
    const struct match_memory *old, const struct remembered_member *now, size_t n)
{
	if (!old->a || old->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(old->m[i].repo_uri, now[i].repo_uri) || strcmp(old->m[i].name, now[i].name) ||
		    !same_digest(&old->m[i].rest, &now[i].rest))
			return false;
	return true;
}

static void add_changed_route(struct comparison *x, size_t member, const struct remembered_route *r)
{
	x->changed[member] = true;
	if (strcmp(r->kind, "http")) {
		*map_at(x->kinds, r->kind) = x;
		return;
	}
	struct path_template *p = &x->paths[x->npaths++];
	*p = path_split(r->path, x->w->a);
	p->formats = r->formats;
}

static bool has_moved(const struct remembered_member *a, const struct remembered_member *b)
{
	if (a->nroutes != b->nroutes || !same_digest(&a->shapes, &b->shapes))
		return false;
	for (size_t i = 0; i < a->nroutes; i++)
		if (!same_digest(&a->routes[i].digest, &b->routes[i].digest))
			return true;
	return false;
}

/* Add the routes that only one of the two has, unless they only have other places. */
static void compare_routes(struct comparison *x, size_t member)
{
	const struct remembered_member *a = &x->old->m[member], *b = &x->now[member];
	size_t i = 0, k = 0;

	x->moved[member] = has_moved(a, b);
	if (x->moved[member])
		return;
	while (i < a->nroutes || k < b->nroutes) {
		int c = 0;
		if (i == a->nroutes)
			c = 1;
		else if (k == b->nroutes)
			c = -1;
		else
			c = by_digest(&a->routes[i], &b->routes[k]);
		if (c < 0)
			add_changed_route(x, member, &a->routes[i]);
		if (c > 0)
			add_changed_route(x, member, &b->routes[k]);
		i += c <= 0;
		k += c >= 0;
	}
}

static void find_changes(struct comparison *x)
{
	size_t most = 0;

	for (size_t i = 0; i < x->w->n; i++)
		most += x->old->m[i].nroutes + x->now[i].nroutes;
	x->paths = arena_many(x->w->a, most, struct path_template);
	x->changed = arena_many(x->w->a, x->w->n, bool);
	x->moved = arena_many(x->w->a, x->w->n, bool);
	for (size_t i = 0; i < x->w->n; i++)
		compare_routes(x, i);
}

/* ---- whom it concerns ---- */

static struct match_index *index_changes(const struct comparison *x)
{
	const struct path_template **v = arena_many(x->w->a, x->npaths, const struct path_template *);

	for (size_t i = 0; i < x->npaths; i++)
		v[i] = &x->paths[i];
	return match_index_new(v, x->npaths);
}

static bool may_be_served(
    const struct comparison *x, struct match_index *changes, const struct call_site *s)
{
	if (map_get(x->kinds, s->fact->kind))
		return true;
	return match_text_equal(s->fact->kind, "http") && match_index_find(changes, &s->path)->n;
}

static bool depends_on_changed(const struct comparison *x, size_t caller)
{
	for (size_t i = 0; i < x->w->n; i++)
		if (x->changed[i] && depends_on(x->old, caller, i))
			return true;
	return false;
}

/* Whether a change of routes or of its own calls may change what the caller's calls reach. */
static bool is_concerned(const struct comparison *x, struct match_index *changes, size_t caller)
{
	if (depends_on_changed(x, caller) ||
	    !same_digest(&x->old->m[caller].calls, &x->now[caller].calls))
		return true;
	for (size_t i = x->calls->first[caller]; i < x->calls->first[caller + 1]; i++)
		if (may_be_served(x, changes, x->calls->v[i]))
			return true;
	return false;
}

/* A row names the place of what it leads to. */
static void mark_row(struct comparison *x, const struct end *consumer, const struct end *producer)
{
	size_t caller = match_find_member(x->w, consumer->repo_uri);
	size_t server = match_find_member(x->w, producer->repo_uri);

	if (caller < x->w->n && server < x->w->n && x->moved[server])
		x->again[caller] = true;
}

static void mark_rows(struct comparison *x, const struct match_result *before)
{
	for (size_t i = 0; i < before->contracts.n; i++)
		mark_row(x, before->contracts.v[i].consumer, before->contracts.v[i].producer);
	for (size_t i = 0; i < before->unresolved.n; i++) {
		const struct unresolved *u = &before->unresolved.v[i];
		for (size_t k = 0; k < u->candidates.n; k++)
			mark_row(x, u->consumer, &u->candidates.v[k]);
	}
}

static void find_concerned(struct comparison *x, const struct match_result *before)
{
	x->kinds = map_new();
	find_changes(x);
	struct match_index *changes = index_changes(x);
	for (size_t i = 0; i < x->w->n; i++)
		x->again[i] = is_concerned(x, changes, i);
	match_index_free(changes);
	map_free(x->kinds);
	mark_rows(x, before);
}

/* What the calls depend on is not known. */
static void begin_anew(struct match_memory *m, size_t n)
{
	free(m->depends);
	m->depends = xcalloc(n * row_size(n) + 1, 1);
}

/* Remember members.  What the requests of those that stay tell is taken over. */
static void replace(
    struct match_memory *m, struct remembered_member *now, size_t n, struct arena *a)
{
	for (size_t i = 0; m->a && i < n && m->n == n; i++)
		copy_lessons(&now[i], m->m[i].lessons, m->m[i].nlessons, a);
	forget(m);
	m->a = a;
	m->m = now;
	m->n = n;
}

bool *match_memory_compare(struct match_memory *m, const struct match_context *w,
    const struct call_sites *calls, const struct match_result *before)
{
	bool *again = arena_many(w->a, w->n, bool);

	memset(again, true, w->n * sizeof *again);
	if (!m)
		return again;
	struct arena *a = arena_new();
	struct remembered_member *now = read_members(w, calls, a);
	struct comparison x = { .old = m, .w = w, .calls = calls, .now = now, .again = again };
	if (before && is_comparable(m, now, w->n)) {
		find_concerned(&x, before);
	} else {
		forget(m);
		begin_anew(m, w->n);
	}
	replace(m, now, w->n, a);
	return again;
}

/* ---- what requests tell about the addresses that callers share ---- */

static bool same_lesson(const struct address_lesson *a, const struct address_lesson *b)
{
	if (strcmp(a->address, b->address) || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct address_server *x = &a->v[i], *y = &b->v[i];
		if (x->member != y->member || x->shift != y->shift || x->served != y->served ||
		    x->called != y->called)
			return false;
	}
	return true;
}

static bool has_lesson(const struct address_lesson *v, size_t n, const struct address_lesson *l)
{
	for (size_t i = 0; i < n; i++)
		if (same_lesson(&v[i], l))
			return true;
	return false;
}

/* The lessons of a caller, among all that are ordered by caller. */
struct lesson_range {
	const struct address_lesson *v;
	size_t n;
};

/* Pass the lessons of the next caller. */
static struct lesson_range pass_lessons(struct lesson_range *left, size_t caller)
{
	struct lesson_range r = { left->v, 0 };

	while (r.n < left->n && left->v[r.n].caller == caller)
		r.n++;
	left->v += r.n;
	left->n -= r.n;
	return r;
}

/* Put the addresses about which only one of the two tells this. */
static void put_differences(struct map *out, struct lesson_range a, struct lesson_range b)
{
	for (size_t i = 0; i < a.n; i++)
		if (!has_lesson(b.v, b.n, &a.v[i]))
			*map_at(out, a.v[i].address) = out;
	for (size_t i = 0; i < b.n; i++)
		if (!has_lesson(a.v, a.n, &b.v[i]))
			*map_at(out, b.v[i].address) = out;
}

static bool has_address(const struct remembered_member *m, const struct map *addresses)
{
	for (size_t i = 0; i < m->naddresses; i++)
		if (map_get(addresses, m->addresses[i]))
			return true;
	return false;
}

void match_memory_spread(struct match_memory *m, const struct match_context *w, bool *again)
{
	struct lesson_range left = { 0 };
	struct map *differ;

	if (!m)
		return;
	left.n = address_index_lessons(w, (struct address_lesson **)&left.v);
	differ = map_new();
	for (size_t i = 0; i < w->n; i++) {
		const struct lesson_range now = pass_lessons(&left, i);
		if (again[i])
			put_differences(
			    differ, now, (struct lesson_range){ m->m[i].lessons, m->m[i].nlessons });
	}
	for (size_t i = 0; i < w->n; i++)
		again[i] |= has_address(&m->m[i], differ) || declarations_has(w, i);
	map_free(differ);
	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; !again[i] && k < m->m[i].nlessons; k++)
			address_index_teach(w, &m->m[i].lessons[k]);
}

void match_memory_keep_lessons(
    struct match_memory *m, const struct match_context *w, const bool *again)
{
	struct lesson_range left = { 0 };

	if (!m)
		return;
	left.n = address_index_lessons(w, (struct address_lesson **)&left.v);
	for (size_t i = 0; i < w->n; i++) {
		const struct lesson_range now = pass_lessons(&left, i);
		if (!again[i])
			continue;
		copy_lessons(&m->m[i], now.v, now.n, m->a);
		forget_dependencies(m, i);
	}
}
