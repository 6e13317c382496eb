#include "coordinator/contracts/paths/match_route_index.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/map.h"

/*
 * Tries over the segments of the routes.  The one from the front finds routes that fit a call
 * exactly or by a rest.  The one from the end finds routes that begin earlier or later than the
 * call, and is faster for calls whose holes are in front.
 */
struct route_ref {
	uint32_t route;
	struct route_ref *next;
};

struct route_node {
	const char *seg;
	enum path_segment_kind kind;
	struct route_node *first, *next;	/* children, siblings */
	struct route_node *loose, *next_loose;	/* children that are not fixed text; their siblings */
	struct map *by_seg;		/* all children, if there are many */
	size_t children;
	struct route_ref *ends, *rests;	/* routes that end here; routes whose rest begins here */
};

struct match_index {
	const struct path_template *const *routes;
	struct arena *a;
	struct route_node front, back;	/* all routes; closed routes with text, from the end */
	struct route_node rest;		/* the routes that are not in `back`, from the front */
	struct map *found, *found_based;	/* struct route_candidates by the text of the path */
	struct { struct map **v; size_t n, cap; } maps;
};

enum { CHILDREN_MAP_MIN = 8 };

/* ---- building ---- */

static struct route_node *child(const struct route_node *n, const char *seg)
{
	if (n->by_seg)
		return map_get(n->by_seg, seg);
	struct route_node *c = n->first;
	while (c && strcmp(c->seg, seg))
		c = c->next;
	return c;
}

static void index_children(struct match_index *x, struct route_node *n)
{
	n->by_seg = map_new();
	x->maps.v = grow(x->maps.v, &x->maps.cap, x->maps.n + 1, sizeof *x->maps.v);
	x->maps.v[x->maps.n++] = n->by_seg;
	for (struct route_node *c = n->first; c; c = c->next)
		*map_at(n->by_seg, c->seg) = c;
}

static struct route_node *child_or_new(
    struct match_index *x, struct route_node *n, const char *seg, enum path_segment_kind kind)
{
	struct route_node *c = child(n, seg);

	if (c)
		return c;
	c = arena_one(x->a, struct route_node);
	*c = (struct route_node){ .seg = seg, .kind = kind, .next = n->first };
	n->first = c;
	if (c->kind != SEG_LITERAL) {
		c->next_loose = n->loose;
		n->loose = c;
	}
	n->children++;
	if (n->by_seg)
		*map_at(n->by_seg, seg) = c;
	else if (n->children > CHILDREN_MAP_MIN)
		index_children(x, n);
	return c;
}

static void put(struct match_index *x, struct route_ref **list, uint32_t route)
{
	struct route_ref *r = arena_one(x->a, struct route_ref);

	*r = (struct route_ref){ route, *list };
	*list = r;
}

static void add_from_front(struct match_index *x, struct route_node *n, uint32_t route)
{
	const struct path_template *p = x->routes[route];

	for (size_t i = 0; i + p->open < p->n; i++)
		n = child_or_new(x, n, p->seg[i], p->kind[i]);
	if (p->open)
		put(x, &n->rests, route);
	else
		put(x, &n->ends, route);
}

static void add_from_end(struct match_index *x, struct route_node *n, uint32_t route)
{
	const struct path_template *p = x->routes[route];

	for (size_t i = p->n; i--;)
		n = child_or_new(x, n, p->seg[i], p->kind[i]);
	put(x, &n->ends, route);
}

static bool has_text(const struct path_template *p)
{
	size_t i = 0;

	while (i < p->n && p->kind[i] == SEG_PARAMETER)
		i++;
	return i < p->n;
}

static void add(struct match_index *x, uint32_t route)
{
	const struct path_template *p = x->routes[route];

	add_from_front(x, &x->front, route);
	if (p->open || !has_text(p))
		add_from_front(x, &x->rest, route);
	else
		add_from_end(x, &x->back, route);
}

struct match_index *match_index_new(const struct path_template *const *routes, size_t n)
{
	struct match_index *x = xcalloc(1, sizeof *x);

	x->routes = routes;
	x->a = arena_new();
	x->found = map_new();
	x->found_based = map_new();
	for (size_t i = 0; i < n; i++)
		add(x, (uint32_t)i);
	return x;
}

static void free_found(struct map *m)
{
	for (size_t i = 0; i < map_len(m); i++)
		free(((struct route_candidates *)map_val(m, i))->v);
	map_free(m);
}

void match_index_free(struct match_index *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->maps.n; i++)
		map_free(x->maps.v[i]);
	free_found(x->found);
	free_found(x->found_based);
	free(x->maps.v);
	arena_free(x->a);
	free(x);
}

/* ---- finding ---- */

struct route_search {
	const struct match_index *x;
	const struct path_template *call;
	struct route_candidates *out;
	bool formatted;		/* `call` is a call without its format */
};

static void add_candidate(struct route_search *s, uint32_t route, const struct path_match *f)
{
	if (s->formatted && !s->x->routes[route]->formats)
		return;
	if (!f->literals && (f->weak || f->rest || f->level))
		return;
	s->out->v = grow(s->out->v, &s->out->cap, s->out->n + 1, sizeof *s->out->v);
	s->out->v[s->out->n++] = (struct route_candidate){ route, *f };
}

/* Add routes whose fit is known. */
static void take(struct route_search *s, const struct route_ref *list, const struct path_match *f)
{
	for (; list; list = list->next)
		add_candidate(s, list->route, f);
}

/* Add those routes that fit. */
static void test(struct route_search *s, const struct route_ref *list)
{
	struct path_match f;

	for (; list; list = list->next)
		if (path_fit(s->call, s->x->routes[list->route], &f))
			add_candidate(s, list->route, &f);
}

/* Add the routes at and below a node that fit an open call. */
static void test_below(struct route_search *s, const struct route_node *n)
{
	test(s, n->ends);
	test(s, n->rests);
	for (const struct route_node *c = n->first; c; c = c->next)
		test_below(s, c);
}

/* Continue the search at a node: `at` segments of the call have fitted, as `f` describes. */
typedef void step(struct route_search *, const struct route_node *, size_t at, struct path_match f);

static void step_to(struct route_search *s, const struct route_node *c, size_t i, bool weak,
    size_t at, struct path_match f, step *then)
{
	enum segment_fit fits = path_segment_fit(s->call->seg[i], s->call->kind[i], c->seg, c->kind);

	if (fits == FITS_NOT)
		return;
	if (fits == FITS_WEAKLY) {
		if (!weak || i + 1 == s->call->n)
			return;
		f.weak++;
	} else if (fits == FITS_TEXT) {
		f.literals++;
	}
	then(s, c, at, f);
}

/* Whether the segment may fit any child; a hole at the end fits only parameters. */
static bool goes_anywhere(const struct path_template *p, size_t i)
{
	return p->kind[i] == SEG_PATTERN || (p->kind[i] == SEG_PARAMETER && i + 1 < p->n);
}

/* The child with the text of segment `i`, which may have a hole behind it that is a query. */
static const struct route_node *fixed_child(
    const struct route_node *n, const struct path_template *p, size_t i)
{
	size_t len = strlen(p->seg[i]);
	char text[256];

	if (p->kind[i] == SEG_LITERAL)
		return child(n, p->seg[i]);
	if (p->kind[i] != SEG_PATTERN || len >= sizeof text || strcmp(p->seg[i] + len - 2, "{}"))
		return NULL;
	memcpy(text, p->seg[i], len - 2);
	text[len - 2] = 0;
	return child(n, text);
}

/* Continue with `then` at the children that may fit segment `i` of the call. */
static void descend(struct route_search *s, const struct route_node *n, size_t i, bool weak,
    size_t at, const struct path_match *f, step *then)
{
	const struct route_node *c;

	if (weak && goes_anywhere(s->call, i)) {
		for (c = n->first; c; c = c->next)
			step_to(s, c, i, true, at, *f, then);
		return;
	}
	c = fixed_child(n, s->call, i);
	if (c)
		step_to(s, c, i, false, at, *f, then);
	for (c = n->loose; c; c = c->next_loose)
		step_to(s, c, i, false, at, *f, then);
}

/*
 * Whether a hole may stand for text, with the segments [from, to) left to compare: some text must
 * agree.
 */
static bool may_guess(
    const struct route_search *s, const struct path_match *f, size_t from, size_t to)
{
	while (from < to && s->call->kind[from] == SEG_PARAMETER)
		from++;
	return f->literals || from < to;
}

static void from_front(
    struct route_search *s, const struct route_node *n, size_t at, struct path_match f)
{
	const struct path_template *p = s->call;

	test(s, n->rests);
	if (at == p->n)
		take(s, n->ends, &f);
	else if (p->open && at + 1 == p->n)
		test_below(s, n);
	else
		descend(s, n, at, may_guess(s, &f, at, p->n), at + 1, &f, from_front);
}

/* Find closed routes with text that fit the call's whole path, beginning at its end. */
static void descend_from_end(
    struct route_search *s, const struct route_node *n, size_t at, struct path_match f)
{
	if (at == s->call->n) {
		take(s, n->ends, &f);
		return;
	}
	size_t i = s->call->n - 1 - at;
	descend(s, n, i, may_guess(s, &f, 0, i + 1), at + 1, &f, descend_from_end);
}

/*
 * How many nodes are visited before the first hole that fits any text, from the front or from the
 * end.
 */
static size_t branching(
    const struct route_node *n, const struct path_template *p, size_t at, bool end)
{
	size_t i = at, total = 0;
	const struct route_node *c = NULL;

	if (at == p->n)
		return 1;
	if (end)
		i = p->n - 1 - at;
	if (goes_anywhere(p, i))
		return n->children;
	if (p->kind[i] == SEG_LITERAL)
		c = child(n, p->seg[i]);
	if (c && c->kind == SEG_LITERAL)
		total = branching(c, p, at + 1, end);
	for (c = n->loose; c; c = c->next_loose)
		total += branching(c, p, at + 1, end);
	return total;
}

/* Whether searching from the end is less work.  Open calls are searched from the front only. */
static bool is_known_at_end(const struct match_index *x, const struct path_template *p)
{
	size_t hole = 0;

	while (hole < p->n && p->kind[hole] == SEG_LITERAL)
		hole++;
	if (hole + 1 >= p->n || p->open)
		return false;
	return branching(&x->back, p, 0, true) < branching(&x->front, p, 0, false);
}

/* Add routes that have `more` or more leading segments that the call lacks. */
static void earlier(
    struct route_search *s, const struct route_node *n, int more, const struct path_match *f)
{
	struct path_match g = *f;

	if (more > EXTRA_MAX)
		return;
	g.level = 2;
	g.shift = -more + s->call->based;	/* an unknown base is a segment of the call */
	if (g.shift < 0)
		take(s, n->ends, &g);
	for (const struct route_node *c = n->first; c; c = c->next)
		earlier(s, c, more + 1, f);
}

/* Add routes that fit the call without its first segments, which a gateway strips. */
static void take_stripped(
    struct route_search *s, const struct route_node *n, size_t at, struct path_match f)
{
	size_t left = s->call->n - at;
	enum path_strip strips = path_strips(s->call, left);

	if (left > STRIP_MAX || strips == STRIP_NO)
		return;
	f.weak = strips == STRIP_MAYBE;
	f.level = 1;
	f.shift = (int)left;
	take(s, n->ends, &f);
}

static void from_end(
    struct route_search *s, const struct route_node *n, size_t at, struct path_match f)
{
	const struct path_template *p = s->call;
	size_t base = p->based;

	if (f.literals && at < p->n)
		take_stripped(s, n, at, f);
	if (f.literals && at + base == p->n)
		for (const struct route_node *c = n->first; c; c = c->next)
			earlier(s, c, 1, &f);
	if (at + base < p->n)
		descend(s, n, p->n - 1 - at, false, at + 1, &f, from_end);
}

static int by_route(const void *a, const void *b)
{
	const struct route_candidate *x = a, *y = b;

	return (x->route > y->route) - (x->route < y->route);
}

/* A route may have been found from both ends. */
static void sort_unique(struct route_candidates *c)
{
	size_t k = 0;

	if (c->n)
		qsort(c->v, c->n, sizeof *c->v, by_route);
	for (size_t i = 0; i < c->n; i++)
		if (!k || c->v[k - 1].route != c->v[i].route)
			c->v[k++] = c->v[i];
	c->n = k;
}

static void search(struct route_search *s)
{
	const struct match_index *x = s->x;

	if (is_known_at_end(x, s->call)) {
		from_front(s, &x->rest, 0, (struct path_match){ 0 });
		descend_from_end(s, &x->back, 0, (struct path_match){ 0 });
	} else {
		from_front(s, &x->front, 0, (struct path_match){ 0 });
	}
	if (!s->call->open && has_text(s->call))
		from_end(s, &x->back, 0, (struct path_match){ 0 });
}

const struct route_candidates *match_index_find(
    struct match_index *x, const struct path_template *call)
{
	struct map *cache = x->found;

	if (call->based)
		cache = x->found_based;
	struct route_candidates **at = (struct route_candidates **)map_at(cache, call->text);
	if (*at)
		return *at;
	*at = arena_one(x->a, struct route_candidates);
	search(&(struct route_search){ x, call, *at, false });
	if (call->bare)
		search(&(struct route_search){ x, call->bare, *at, true });
	sort_unique(*at);
	return *at;
}
