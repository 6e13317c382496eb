#include "proto/pattern/gram_terms.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/sorting.h"
#include "proto/pattern/grams.h"

struct gram_term {
	enum gram_query_kind kind; /* GRAM, or ALL or ONE of the two */
	uint32_t gram;
	const struct gram_term *x, *y;
};

enum { MAX_COMPARED = 32 };

static const struct gram_query any_text = { .kind = GRAM_QUERY_ANY };

static const struct gram_term *pair(struct arena *a, enum gram_query_kind kind,
    const struct gram_term *x, const struct gram_term *y)
{
	struct gram_term *term = arena_one(a, struct gram_term);

	*term = (struct gram_term){ .kind = kind, .x = x, .y = y };
	return term;
}

const struct gram_term *gram_term_all(
    struct arena *a, const struct gram_term *x, const struct gram_term *y)
{
	if (!x)
		return y;
	if (!y || x == y)
		return x;
	return pair(a, GRAM_QUERY_ALL, x, y);
}

const struct gram_term *gram_term_one(
    struct arena *a, const struct gram_term *x, const struct gram_term *y)
{
	if (!x || !y)
		return NULL;
	return x == y ? x : pair(a, GRAM_QUERY_ONE, x, y);
}

const struct gram_term *gram_term_text(struct arena *a, const char *p, size_t n)
{
	const struct gram_term *all = NULL;
	const unsigned char *u = (const unsigned char *)p;

	for (size_t i = 0; i + 2 < n; i++) {
		if (u[i] == '\n' || u[i + 1] == '\n' || u[i + 2] == '\n')
			continue;
		struct gram_term *term = arena_one(a, struct gram_term);
		term->kind = GRAM_QUERY_GRAM;
		term->gram = (uint32_t)u[i] << 16 | (uint32_t)u[i + 1] << 8 | u[i + 2];
		all = gram_term_all(a, all, term);
	}
	return all;
}

/* ---- to a query ---- */

struct maker {
	struct arena *arena;
	size_t most; /* parts of ALL */
	size_t nodes;
	bool too_large;
};

struct terms {
	const struct gram_term **v;
	size_t n, cap;
};

struct parts {
	const struct gram_query **v;
	size_t n, cap;
};

static void push(struct terms *to, const struct gram_term *term)
{
	to->v = grow(to->v, &to->cap, to->n + 1, sizeof *to->v);
	to->v[to->n++] = term;
}

static const struct gram_query *make(struct maker *m, const struct gram_term *term, unsigned depth);

static void add_part(struct parts *to, const struct gram_query *part)
{
	to->v = grow(to->v, &to->cap, to->n + 1, sizeof *to->v);
	to->v[to->n++] = part;
}

/* Add a part of a query of a kind, or its parts if it is of that kind, too. */
static void add_made(struct parts *to, enum gram_query_kind kind, const struct gram_query *made)
{
	if (made->kind != kind) {
		add_part(to, made);
		return;
	}
	for (size_t i = 0; i < made->nparts; i++)
		add_part(to, made->parts[i]);
}

/* The parts of a term of one kind, through all pairs of that kind. */
static void add_parts(
    struct maker *m, const struct gram_term *term, unsigned depth, struct parts *to)
{
	struct terms left = { 0 };

	push(&left, term);
	while (left.n && !m->too_large) {
		const struct gram_term *next = left.v[--left.n];
		if (next->kind != term->kind) {
			add_made(to, term->kind, make(m, next, depth + 1));
		} else {
			push(&left, next->y);
			push(&left, next->x);
		}
	}
	free(left.v);
}

static int compare_queries(const struct gram_query *x, const struct gram_query *y)
{
	if (x == y)
		return 0;
	if (x->kind != y->kind)
		return compare_numbers(x->kind, y->kind);
	if (x->gram != y->gram)
		return compare_numbers(x->gram, y->gram);
	if (x->nparts != y->nparts)
		return compare_numbers(x->nparts, y->nparts);
	for (size_t i = 0; i < x->nparts; i++) {
		int order = compare_queries(x->parts[i], y->parts[i]);
		if (order)
			return order;
	}
	return 0;
}

static int compare_parts(const void *a, const void *b)
{
	return compare_queries(
	    *(const struct gram_query *const *)a, *(const struct gram_query *const *)b);
}

/* Sort the parts, grams first, and drop repetitions. */
static void sort_parts(struct parts *parts)
{
	size_t n = 0;

	if (parts->n > 1)
		qsort(parts->v, parts->n, sizeof *parts->v, compare_parts);
	for (size_t i = 0; i < parts->n; i++)
		if (!n || compare_queries(parts->v[n - 1], parts->v[i]))
			parts->v[n++] = parts->v[i];
	parts->n = n;
}

static bool has_part(const struct gram_query *q, const struct gram_query *gram)
{
	for (size_t i = 0; i < q->nparts; i++)
		if (!compare_queries(q->parts[i], gram))
			return true;
	return false;
}

/* Whether one of the grams before it makes this part needless: a|(a&b) is a, and so is a&(a|b). */
static bool is_needless(const struct parts *parts, size_t ngrams, const struct gram_query *part)
{
	for (size_t i = 0; i < ngrams; i++)
		if (has_part(part, parts->v[i]))
			return true;
	return false;
}

/* The parts are sorted, so the grams stand first. */
static void drop_needless(struct parts *parts)
{
	size_t ngrams = 0, n = 0;

	while (ngrams < parts->n && ngrams < MAX_COMPARED && parts->v[ngrams]->kind == GRAM_QUERY_GRAM)
		ngrams++;
	for (size_t i = 0; i < parts->n; i++)
		if (!is_needless(parts, ngrams, parts->v[i]))
			parts->v[n++] = parts->v[i];
	parts->n = n;
}

/* Of too many parts, keep some from everywhere. */
static void thin_parts(struct parts *parts, size_t most)
{
	if (parts->n <= most)
		return;
	for (size_t i = 0; i < most; i++)
		parts->v[i] = parts->v[i * parts->n / most];
	parts->n = most;
}

static const struct gram_query *query_of(
    struct maker *m, enum gram_query_kind kind, const struct parts *parts)
{
	struct gram_query *q = arena_one(m->arena, struct gram_query);
	const struct gram_query **v = arena_many(m->arena, parts->n, const struct gram_query *);

	memcpy(v, parts->v, parts->n * sizeof *v);
	*q = (struct gram_query){ .kind = kind, .nparts = parts->n, .parts = v };
	return q;
}

static const struct gram_query *make_gram(struct maker *m, uint32_t gram)
{
	struct gram_query *q = arena_one(m->arena, struct gram_query);

	*q = (struct gram_query){ .kind = GRAM_QUERY_GRAM, .gram = gram };
	return q;
}

/* Too deep or too large a part always holds, and so does ONE with such a part. */
static const struct gram_query *make(struct maker *m, const struct gram_term *term, unsigned depth)
{
	struct parts parts = { 0 };
	const struct gram_query *q;
	size_t kept = 0;

	m->too_large = m->too_large || ++m->nodes > 20 * (size_t)GRAM_QUERY_MAX_NODES;
	if (m->too_large || depth > GRAM_QUERY_MAX_DEPTH)
		return &any_text;
	if (term->kind == GRAM_QUERY_GRAM)
		return make_gram(m, term->gram);
	add_parts(m, term, depth, &parts);
	bool any = false;
	for (size_t i = 0; i < parts.n; i++) {
		any |= parts.v[i]->kind == GRAM_QUERY_ANY;
		if (parts.v[i]->kind != GRAM_QUERY_ANY)
			parts.v[kept++] = parts.v[i];
	}
	parts.n = kept;
	sort_parts(&parts);
	drop_needless(&parts);
	if (term->kind == GRAM_QUERY_ALL)
		thin_parts(&parts, m->most);
	if (!parts.n || m->too_large || (any && term->kind == GRAM_QUERY_ONE))
		q = &any_text;
	else if (parts.n == 1)
		q = parts.v[0];
	else
		q = query_of(m, term->kind, &parts);
	free(parts.v);
	return q;
}

static size_t size_of(const struct gram_query *q)
{
	size_t size = 1;

	for (size_t i = 0; i < q->nparts; i++)
		size += size_of(q->parts[i]);
	return size;
}

const struct gram_query *gram_terms_query(const struct gram_term *term, struct arena *a)
{
	static const size_t most[] = { 64, 8, 2 };

	for (size_t i = 0; term && i < LEN(most); i++) {
		struct maker m = { .arena = a, .most = most[i] };
		const struct gram_query *q = make(&m, term, 0);
		if (!m.too_large && size_of(q) <= GRAM_QUERY_MAX_NODES)
			return q;
	}
	return &any_text;
}
