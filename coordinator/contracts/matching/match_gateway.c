#include "coordinator/contracts/matching/match_gateway.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/contracts/matching/declarations.h"
#include "coordinator/contracts/matching/member_relations.h"
#include "coordinator/contracts/matching/path_evidence.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
#include "proto/base/sorting.h"

enum { HOPS = 3, EXACT = 1000 };

struct gateway_row {
	size_t member;
	const struct fact *fact;
	/* length of its template before the first hole, plus EXACT unless it ends in a rest */
	size_t fixed;
	struct gateway_row *next;	/* with the same first segment */
};

struct gateway_index {
	struct gateway_row *rows;	/* ordered by member */
	size_t n, *first;	/* index of each member's first row; one more at the end */
	struct map *by_segment;	/* struct gateway_row, by the first segment unless it is a hole */
	struct map *by_host;	/* struct gateway_host_row; `.example.com` for its subdomains */
};

struct gateway_host_row {
	const struct gateway_row *row;
	struct gateway_host_row *next;
};

/* ---- the table ---- */

static size_t fixed_of(const char *t)
{
	size_t n = strcspn(t, "{");

	if (!strstr(t, "{*}"))
		n += EXACT;
	return n;
}

static int by_specificity(const void *x, const void *y)
{
	const struct gateway_row *a = x, *b = y;
	const struct fact *f = a->fact, *g = b->fact;
	int c = compare_numbers(a->member, b->member);

	if (!c)
		c = compare_numbers(b->fixed, a->fixed);
	if (!c)
		c = strcmp(f->path, g->path);
	if (!c)
		c = strcmp(f->host, g->host);
	if (!c)
		c = compare_texts(f->to, g->to);
	if (!c)
		c = compare_texts(f->at, g->at);
	if (!c)
		c = compare_texts(f->raw, g->raw);
	if (!c)
		c = strcmp(f->file, g->file);
	if (c)
		return c;
	return compare_numbers(f->line, g->line);
}

static bool same_rule(const struct gateway_row *a, const struct gateway_row *b)
{
	const struct fact *f = a->fact, *g = b->fact;

	return a->member == b->member && !strcmp(f->path, g->path) && !strcmp(f->host, g->host) &&
	    !compare_texts(f->to, g->to) && !compare_texts(f->at, g->at) &&
	    !compare_texts(f->raw, g->raw);
}

/* Keep one of several rows that say the same, as those of many deployments do. */
static void drop_repeated(struct gateway_index *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++)
		if (!n || !same_rule(&g->rows[n - 1], &g->rows[i]))
			g->rows[n++] = g->rows[i];
	g->n = n;
}

static bool is_row(const struct fact *f)
{
	if (!match_text_equal(f->side, "forwards") || !match_text_equal(f->kind, "http"))
		return false;
	return f->path && f->host && f->file && *f->path == '/';
}

static void collect(struct gateway_index *g, const struct match_context *w)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct contracts_res *r = w->m[i].facts;
		for (size_t k = 0; r && k < r->facts.n; k++) {
			const struct fact *f = &r->facts.v[k];
			if (is_row(f))
				g->rows[g->n++] = (struct gateway_row){ i, f, fixed_of(f->path), NULL };
		}
	}
	if (g->n)
		qsort(g->rows, g->n, sizeof *g->rows, by_specificity);
	drop_repeated(g);
	for (size_t i = 0, k = 0; i <= w->n; i++) {
		while (k < g->n && g->rows[k].member < i)
			k++;
		g->first[i] = k;
	}
}

static const char *segment_of(const char *path, struct arena *a)
{
	size_t n = strcspn(path + 1, "/?#{");
	char *s = arena_strn(a, path + 1, n);

	for (char *c = s; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return s;
}

static void index_host(
    struct gateway_index *g, struct gateway_row *r, const char *host, struct arena *a)
{
	struct gateway_host_row **at = (struct gateway_host_row **)map_at(g->by_host, host);
	struct gateway_host_row *h = arena_one(a, struct gateway_host_row);

	*h = (struct gateway_host_row){ r, *at };
	*at = h;
}

static void index_row(struct gateway_index *g, struct gateway_row *r, struct arena *a)
{
	const char *segment = segment_of(r->fact->path, a);

	if (*segment) {
		struct gateway_row **at = (struct gateway_row **)map_at(g->by_segment, segment);
		r->next = *at;
		*at = r;
	}
	for (const char *s = text_or_empty(r->fact->at); *s;) {
		size_t n = strcspn(s, " "), star = *s == '*';
		index_host(g, r, arena_strn(a, s + star, n - star), a);
		s += n;
		if (*s == ' ')
			s++;
	}
}

struct gateway_index *gateway_index_new(const struct match_context *w)
{
	struct gateway_index *g = arena_one(w->a, struct gateway_index);
	size_t total = 0;

	for (size_t i = 0; i < w->n; i++)
		if (w->m[i].facts)
			total += w->m[i].facts->facts.n;
	g->rows = xmalloc((total + 1) * sizeof *g->rows);
	g->first = arena_many(w->a, w->n + 1, size_t);
	g->by_segment = map_new();
	g->by_host = map_new();
	collect(g, w);
	for (size_t i = g->n; i--;)
		index_row(g, &g->rows[i], w->a);
	return g;
}

bool gateway_index_has_rows(const struct gateway_index *g)
{
	return g->n > 0;
}

void gateway_index_free(struct gateway_index *g)
{
	if (!g)
		return;
	free(g->rows);
	map_free(g->by_segment);
	map_free(g->by_host);
}

/* ---- one call ---- */

/* What was found behind gateways. */
struct gateway_forwarding {
	const struct match_context *w;
	gateway_choose_fn *choose;
	struct match_target *v;
	size_t n, cap;
	bool known, external;	/* a row leads to a member that serves HTTP; to a public host */
	const char *outside;
	struct map *visited; /* the rows and paths that were followed; the value is the hop, from 1 */
};

struct gateway_row_list {
	const struct gateway_row **v;
	size_t n, cap;
};

static void add_row(
    struct gateway_row_list *r, const struct gateway_row *row, const char *path, struct arena *a)
{
	if (!gateway_rewrite_path(row->fact->path, row->fact->to, path, a))
		return;
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = row;
}

static int by_place(const void *x, const void *y)
{
	const struct gateway_row *a = *(const struct gateway_row *const *)x,
	                         *b = *(const struct gateway_row *const *)y;

	return (a > b) - (a < b);
}

/* Keep the most specific rows of each gateway.  The rows of a member are in that order. */
static void keep_best(struct gateway_row_list *r)
{
	size_t k = 0;

	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_place);
	for (size_t i = 0; i < r->n; i++) {
		const struct gateway_row *last = NULL;
		if (k)
			last = r->v[k - 1];
		bool other_member = !last || last->member != r->v[i]->member;
		if (other_member || (last->fixed == r->v[i]->fixed && last != r->v[i]))
			r->v[k++] = r->v[i];
	}
	r->n = k;
}

static void rows_of(const struct gateway_index *g, size_t member, const char *path,
    struct gateway_row_list *r, struct arena *a)
{
	for (size_t i = g->first[member]; i < g->first[member + 1]; i++)
		add_row(r, &g->rows[i], path, a);
}

/* How much of a match is guessed; lower is better. */
static int guess_level(const struct match_rank *r)
{
	return (r->fit.weak > 0) * 8 + r->fit.level * 2 + r->fit.rest;
}

/* Remove targets that fit by a rest alone. */
static size_t drop_vague(struct call_site *d)
{
	size_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		if (!d->v[i].rank.fit.rest || d->v[i].rank.fit.literals)
			d->v[n++] = d->v[i];
	return n;
}

static bool has_target(const struct gateway_forwarding *x, const struct provider *p)
{
	for (size_t k = 0; k < x->n; k++)
		if (x->v[k].p == p)
			return true;
	return false;
}

static void add_target(struct gateway_forwarding *x, const struct call_site *d,
    const struct match_target *t, const struct forward_hop *via)
{
	if (has_target(x, t->p))
		return;
	x->v = grow(x->v, &x->cap, x->n + 1, sizeof *x->v);
	x->v[x->n] = *t;
	x->v[x->n].rank.basis = MATCH_BY_GATEWAY;
	x->v[x->n].loose = d->host_class != HOST_MEMBER || d->host.loose;
	x->v[x->n++].via = via;
}

/* Keep the better of two sets of targets, or both if they are equally good.  Takes d->v. */
static void keep_best_targets(
    struct gateway_forwarding *x, struct call_site *d, const struct forward_hop *via)
{
	size_t n = drop_vague(d);
	int c = -1;

	if (n && x->n)
		c = guess_level(&d->v[0].rank) - guess_level(&x->v[0].rank);
	if (n && c < 0)
		x->n = 0;
	for (size_t i = 0; i < n && c <= 0; i++)
		add_target(x, d, &d->v[i], via);
	free(d->v);
}

/* A row's upstream may have a member's name although its servers are not known here. */
static void find_upstream(
    const struct match_context *w, const struct gateway_row *row, struct call_site *d)
{
	struct host_names h;
	const char *name = NULL;

	if (row->fact->raw)
		name = strstr(row->fact->raw, "://");
	if (!name || !name[3])
		return;
	name += 3;
	name = arena_strn(w->a, name, strcspn(name, "/"));
	if (host_index_find(w->hosts, name, &h, w->a) != HOST_MEMBER)
		return;
	d->host_class = HOST_MEMBER;
	d->host = h;
}

/* The call as the target of a row gets it. */
static struct call_site behind(const struct gateway_forwarding *x, const struct call_site *s,
    const struct gateway_row *row, const char *path)
{
	const struct match_context *w = x->w;
	struct fact *f = arena_one(w->a, struct fact);
	struct call_site d = {
		.member = s->member, .fact = f, .path = path_split(path, w->a), .declared = s->declared
	};

	*f = *s->fact;
	d.sent = true;
	f->path = path;
	f->host = row->fact->host;
	f->raw = row->fact->raw;
	f->steps.n = 0;
	d.host_class = host_index_find(w->hosts, f->host, &d.host, w->a);
	if (d.host_class != HOST_MEMBER)
		find_upstream(w, row, &d);
	if (d.host_class != HOST_MEMBER)
		host_index_find_hint(w->hosts, f, &d.hint, w->a);
	drop_strangers(w, row->member, NULL, &d.host);
	drop_strangers(w, row->member, NULL, &d.hint);
	declarations_drop(&d);
	return d;
}

static void follow(struct gateway_forwarding *, const struct call_site *,
    const struct gateway_row_list *, const struct forward_hop *, int hop);

/* A member behind a gateway may be a gateway itself. */
static void follow_member(struct gateway_forwarding *x, const struct call_site *d,
    const struct host_names *names, const struct forward_hop *via, int hop)
{
	struct gateway_row_list r = { 0 };

	for (size_t i = 0; i < names->n; i++)
		rows_of(x->w->gates, names->members[i], d->fact->path, &r, x->w->a);
	keep_best(&r);
	if (hop < HOPS)
		follow(x, d, &r, via, hop + 1);
	free(r.v);
}

/* Choose targets for the call behind a row; whether they fit exactly. */
static bool choose_behind_row(struct gateway_forwarding *x, struct call_site *d,
    struct call_site *same, const struct host_names *names, const struct forward_hop *via)
{
	x->choose(x->w, d, names);
	bool exact = d->n && match_exact(&d->v[0].rank);
	keep_best_targets(x, d, via);
	if (exact)
		return true;
	/* the gateway may not rewrite the path as we understand it: try the path as it was */
	x->choose(x->w, same, names);
	if (same->n && match_exact(&same->v[0].rank))
		keep_best_targets(x, same, via);
	else
		free(same->v);
	return false;
}

/* Whether a row was followed with this path already, with as many hops left. */
static bool is_visited(
    struct gateway_forwarding *x, const struct gateway_row *row, const char *path, int hop)
{
	char *key = arena_printf(x->w->a, "%td %s", row - x->w->gates->rows, path);
	void **at = map_at(x->visited, key);
	intptr_t before = (intptr_t)*at;

	if (before && before <= hop + 1)
		return true;
	*at = (void *)(intptr_t)(hop + 1);
	return false;
}

static void follow_row(struct gateway_forwarding *x, const struct call_site *s,
    const struct gateway_row *row, const struct forward_hop *before, int hop)
{
	if (is_visited(x, row, s->fact->path, hop))
		return;
	const char *path = gateway_rewrite_path(row->fact->path, row->fact->to, s->fact->path, x->w->a);
	struct call_site d = behind(x, s, row, path), same = behind(x, s, row, s->fact->path);
	const struct host_names *names = &d.hint;
	struct forward_hop *via = arena_one(x->w->a, struct forward_hop);
	size_t had = x->n;

	if (d.host_class == HOST_MEMBER)
		names = &d.host;
	*via = (struct forward_hop){ row->member, row->fact, path, before };
	if (d.host_class == HOST_EXTERNAL && !names->n) {
		x->external = true;
		x->outside = d.host.name;
	}
	if (!names->n)
		return;
	bool by_port = *names->name == ':'; /* others listen there, too */
	for (size_t i = 0; i < names->n && !by_port; i++)
		x->known |= match_serves(x->w, s, names->members[i]);
	bool exact = choose_behind_row(x, &d, &same, names, via);
	if (x->n == had && !exact && !by_port)
		follow_member(x, &d, names, via, hop);
}

static void follow(struct gateway_forwarding *x, const struct call_site *s,
    const struct gateway_row_list *r, const struct forward_hop *before, int hop)
{
	for (size_t i = 0; i < r->n; i++)
		follow_row(x, s, r->v[i], before, hop);
}

/* ---- which gateways ---- */

/* Whether the name of an unknown host is that of a gateway: `gateway`, `api-gw`, `nginx`. */
static bool is_gateway_name(const char *name)
{
	static const char *const words[] = { "gateway", "gw", "proxy", "nginx", "ingress", "traefik",
		"envoy", "kong", "zuul", "edge" };

	if (!name)
		return false;
	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(name, words[i]))
			return true;
	return false;
}

static void rows_at(const struct gateway_index *g, const char *host, const char *path,
    struct gateway_row_list *r, struct arena *a)
{
	for (const char *s = host; s; s = strchr(s + 1, '.')) {
		const struct gateway_host_row *h = map_get(g->by_host, s);
		for (; h; h = h->next)
			add_row(r, h->row, path, a);
		if (!strchr(s, '.'))
			break;
	}
}

/* Whether somebody wrote the row for Atoll: it is for all. */
static bool is_declared(const struct gateway_row *row)
{
	static const char *const by[] = { "atoll.yaml", "routing" };

	for (size_t i = 0; i < LEN(by); i++)
		if (match_text_equal(row->fact->framework, by[i]))
			return true;
	return false;
}

/*
 * Whether a gateway that the call does not name may get it: a developer's proxy is for its own
 * repository only, and a gateway for those that have something to do with it.
 */
static bool may_get(
    const struct match_context *w, const struct call_site *s, const struct gateway_row *row)
{
	if (row->member == s->member || is_declared(row))
		return true;
	if (match_text_equal(row->fact->framework, "dev-proxy"))
		return false;
	return member_relation(w->relations, s->member, row->member, NULL) != RELATION_NONE;
}

static void rows_of_all(const struct match_context *w, const struct call_site *s, const char *path,
    struct gateway_row_list *r)
{
	const struct gateway_row *row = NULL;

	if (*path == '/')
		row = map_get(w->gates->by_segment, segment_of(path, w->a));
	for (; row; row = row->next)
		if (may_get(w, s, row))
			add_row(r, row, path, w->a);
}

/*
 * Find the rows of the gateways that may get the call.  Whether it is certain that the call goes to
 * them, not only likely.
 */
static bool find_rows(const struct match_context *w, const struct call_site *s,
    const struct host_names *those, const char *path, struct gateway_row_list *r)
{
	const struct gateway_index *g = w->gates;
	bool unknown = s->host_class == HOST_UNKNOWN, plain = s->host_class == HOST_UNREGISTERED;

	if (those) {
		for (size_t i = 0; i < those->n; i++)
			rows_of(g, those->members[i], path, r, w->a);
		return true;
	}
	if (s->host.name && (plain || s->host_class == HOST_EXTERNAL))
		rows_at(g, s->host.name, path, r, w->a);
	if (!r->n && unknown && !s->hint.n)
		rows_of(g, s->member, path, r, w->a);
	if (r->n)
		return true;
	if (unknown || (plain && is_gateway_name(s->host.name)))
		rows_of_all(w, s, path, r);
	return false;
}

/* The path without the hole that may be the address. */
static const char *path_of(const struct call_site *s)
{
	const char *hole = NULL;

	if (s->path.based)
		hole = strchr(s->fact->path, '}');
	if (hole)
		return hole + 1;
	return s->fact->path;
}

static size_t count_repositories(const struct match_target *v, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = 0;
		while (j < i && v[j].p->member != v[i].p->member)
			j++;
		if (j == i)
			k++;
	}
	return k;
}

static enum gateway_outcome put_targets(struct call_site *s, struct gateway_forwarding *x)
{
	free(s->v);
	s->v = x->v;
	s->n = x->n;
	s->cap = x->cap;
	s->repos = count_repositories(s->v, s->n);
	return GATEWAY_FORWARDS;
}

static bool can_forward(const struct match_context *w, const struct call_site *s)
{
	return w->gates->n && !s->path.open && !path_has_no_text(&s->path) && *path_of(s) == '/';
}

enum gateway_outcome gateway_forward(const struct match_context *w, struct call_site *s,
    const struct host_names *those, gateway_choose_fn *choose)
{
	struct gateway_forwarding x = { .w = w, .choose = choose };
	struct gateway_row_list r = { 0 };
	bool specific = false, several = false;

	if (!can_forward(w, s))
		return GATEWAY_UNKNOWN;
	bool certain = find_rows(w, s, those, path_of(s), &r);
	keep_best(&r);
	struct call_site call = *s;
	struct fact f = *s->fact;
	f.path = path_of(s);
	call.fact = &f;
	x.visited = map_new();
	follow(&x, &call, &r, NULL, 0);
	map_free(x.visited);
	if (r.n) {
		specific = r.v[0]->fixed % EXACT > 1;
		several = r.v[0]->member != r.v[r.n - 1]->member;
	}
	free(r.v);
	bool disagree = !certain && several && count_repositories(x.v, x.n) > 1;
	bool keeps_exact = disagree && s->n && match_exact(&s->v[0].rank);
	if (x.n && !keeps_exact)
		return put_targets(s, &x);
	free(x.v);
	if (!certain || !specific)
		return GATEWAY_UNKNOWN;
	if (x.known)
		return GATEWAY_NOT_SERVED;
	if (!x.external)
		return GATEWAY_UNKNOWN;
	s->host_class = HOST_EXTERNAL;
	s->host = (struct host_names){ .name = x.outside };
	return GATEWAY_EXTERNAL;
}
