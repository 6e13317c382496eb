#include "shard/program/resolver_cache.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

enum { FIRST_SIZE = 256 };

static uint32_t mix(uint32_t h, uint64_t x)
{
	h = (h ^ (uint32_t)x) * 0x9e3779b1u;
	return (h ^ (uint32_t)(x >> 32) ^ h >> 15) * 0x85ebca6bu;
}

static uint32_t hash_of(const struct memo *m)
{
	uint32_t h = mix(
	    mix(mix((uint32_t)m->what, (uintptr_t)m->of), (uintptr_t)m->also), (uint32_t)m->number);

	for (const char *c = m->text; c && *c; c++)
		h = (h ^ (uint8_t)*c) * 16777619u;
	return h ^ h >> 16;
}

/* Whether both are the same lookup. */
static bool same(const struct memo *x, const struct memo *y)
{
	if (x->hash != y->hash || x->of != y->of || x->also != y->also)
		return false;
	if (x->what != y->what || x->number != y->number || x->default_name != y->default_name)
		return false;
	return texts_equal(x->text, y->text);
}

static struct memo **slot(const struct name_resolver *l, const struct memo *m)
{
	size_t i = m->hash & (l->memos.size - 1);

	while (l->memos.v[i] && !same(l->memos.v[i], m))
		i = (i + 1) & (l->memos.size - 1);
	return &l->memos.v[i];
}

static void make_room(struct name_resolver *l)
{
	struct memo **old = l->memos.v;
	size_t n = l->memos.size;

	if (l->memos.n * 2 < n)
		return;
	if (n)
		l->memos.size = n * 2;
	else
		l->memos.size = FIRST_SIZE;
	l->memos.v = arena_many(l->a, l->memos.size, struct memo *);
	for (size_t i = 0; i < n; i++)
		if (old[i])
			*slot(l, old[i]) = old[i];
}

/* Whether a new lookup would return the same result. */
static bool is_reusable(const struct memo *x, const struct name_resolver *l)
{
	if (x->limit_reached)
		return x->depth == l->depth && x->steps == l->steps;
	return l->depth <= x->depth && l->steps >= x->steps_used;
}

bool memo_find(struct name_resolver *l, struct memo *m)
{
	make_room(l);
	m->default_name = l->default_name;
	m->hash = hash_of(m);
	const struct memo *x = *slot(l, m);
	if (x && is_reusable(x, l)) {
		l->steps -= x->steps_used;
		l->limit_reached |= x->limit_reached;
		m->value = x->value;
		return true;
	}
	if (x)
		m->text = x->text;
	else
		m->text = arena_str(l->a, m->text);
	m->depth = l->depth;
	m->steps = l->steps;
	m->limit_reached = l->limit_reached;	/* of the lookup around it, until memo_store */
	l->limit_reached = false;
	return false;
}

struct resolved_value memo_store(struct name_resolver *l, struct memo *m, struct resolved_value v)
{
	bool around = m->limit_reached;

	make_room(l);
	struct memo **at = slot(l, m);
	m->value = v;
	m->steps_used = m->steps - l->steps;
	m->limit_reached = l->limit_reached;
	l->limit_reached |= around;
	if (!*at) {
		*at = arena_one(l->a, struct memo);
		**at = *m;
		l->memos.n++;
	} else if ((*at)->limit_reached || (!m->limit_reached && m->depth > (*at)->depth)) {
		**at = *m;
	}
	return v;
}
