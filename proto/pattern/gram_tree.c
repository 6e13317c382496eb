#include "proto/pattern/gram_tree.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/pattern/gram_terms.h"
#include "proto/pattern/normal_bytes.h"
#include "proto/pattern/pattern_tree.h"
#include "proto/pattern/utf8.h"

enum {
	MAX_TEXTS = 24,
	MAX_TEXT = 64,
	SHORT_TEXT = 16,
	SMALL_SET = 40,
	MAX_COPIES = 16,
	BRIDGE = 2
};

/* Normalised texts; distinct. */
struct texts {
	size_t n;
	struct text {
		const char *p;
		size_t n;
	} v[MAX_TEXTS];
};

/* What is known of the texts that a node matches. */
struct known {
	const struct texts *exact; /* all of them; NULL if they are too many */
	/* if exact is NULL: each begins with one of the first, and ends with one of the second */
	const struct texts *begin, *finish;
	const struct gram_term *must; /* what else holds of the grams of each; NULL for nothing */
};

struct builder {
	struct arena *scratch;
};

/* ---- sets of texts ---- */

static void add_text(struct texts *to, const char *p, size_t n)
{
	for (size_t i = 0; i < to->n; i++)
		if (to->v[i].n == n && !memcmp(to->v[i].p, p, n))
			return;
	to->v[to->n++] = (struct text){ p, n };
}

static const struct texts *one_text(struct builder *b, const char *p, size_t n)
{
	struct texts *texts = arena_one(b->scratch, struct texts);

	add_text(texts, p, n);
	return texts;
}

/* Both; NULL if they are too many. */
static const struct texts *both(struct builder *b, const struct texts *x, const struct texts *y)
{
	struct texts *texts = arena_one(b->scratch, struct texts);

	if (x->n + y->n > MAX_TEXTS)
		return NULL;
	*texts = *x;
	for (size_t i = 0; i < y->n; i++)
		add_text(texts, y->v[i].p, y->v[i].n);
	return texts;
}

/* Each of one behind each of the other; NULL if they are too many. */
static const struct texts *joined(struct builder *b, const struct texts *x, const struct texts *y)
{
	struct texts *texts = arena_one(b->scratch, struct texts);

	if (x->n * y->n > MAX_TEXTS)
		return NULL;
	for (size_t i = 0; i < x->n; i++)
		for (size_t k = 0; k < y->n; k++) {
			size_t n = x->v[i].n + y->v[k].n;
			char *p = arena_many(b->scratch, n + 1, char);
			memcpy(p, x->v[i].p, x->v[i].n);
			memcpy(p + x->v[i].n, y->v[k].p, y->v[k].n);
			add_text(texts, p, n);
		}
	return texts;
}

static const struct texts *beginnings(struct builder *b, const struct texts *x, size_t n)
{
	struct texts *texts = arena_one(b->scratch, struct texts);

	for (size_t i = 0; i < x->n; i++)
		add_text(texts, x->v[i].p, MIN(x->v[i].n, n));
	return texts;
}

static const struct texts *endings(struct builder *b, const struct texts *x, size_t n)
{
	struct texts *texts = arena_one(b->scratch, struct texts);

	for (size_t i = 0; i < x->n; i++) {
		size_t length = MIN(x->v[i].n, n);
		add_text(texts, x->v[i].p + x->v[i].n - length, length);
	}
	return texts;
}

static bool has_long(const struct texts *x)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].n > MAX_TEXT)
			return true;
	return false;
}

/* What holds of the grams of a text that contains one of these. */
static const struct gram_term *grams_of(struct builder *b, const struct texts *texts)
{
	const struct gram_term *one = NULL;

	for (size_t i = 0; i < texts->n; i++) {
		const struct gram_term *all = gram_term_text(b->scratch, texts->v[i].p, texts->v[i].n);
		if (!all)
			return NULL;
		one = i ? gram_term_one(b->scratch, one, all) : all;
	}
	return one;
}

static void demand(struct builder *b, struct known *k, const struct gram_term *term)
{
	k->must = gram_term_all(b->scratch, k->must, term);
}

/* ---- nodes ---- */

static struct known empty_text(struct builder *b)
{
	return (struct known){ .exact = one_text(b, "", 0) };
}

static struct known anything(struct builder *b)
{
	const struct texts *empty = one_text(b, "", 0);

	return (struct known){ .begin = empty, .finish = empty };
}

/* The same without the exact texts: their grams are known by how they begin and end. */
static struct known opened(struct known k)
{
	if (!k.exact)
		return k;
	k.begin = k.finish = k.exact;
	k.exact = NULL;
	return k;
}

/* Long texts are cut: their grams are known then. */
static struct known cut(struct builder *b, struct known k)
{
	if (k.exact && has_long(k.exact))
		k = opened(k);
	if (k.exact)
		return k;
	if (has_long(k.begin)) {
		demand(b, &k, grams_of(b, k.begin));
		k.begin = beginnings(b, k.begin, SHORT_TEXT);
	}
	if (has_long(k.finish)) {
		demand(b, &k, grams_of(b, k.finish));
		k.finish = endings(b, k.finish, BRIDGE);
	}
	return k;
}

/* Behind all of `x` stands what begins with one of `y`. */
static void set_begin(
    struct builder *b, struct known *k, const struct texts *x, const struct texts *y)
{
	k->begin = joined(b, x, y);
	if (k->begin)
		return;
	demand(b, k, grams_of(b, y));
	k->begin = joined(b, x, beginnings(b, y, BRIDGE));
	if (!k->begin)
		k->begin = x;
}

/* Before all of `y` stands what ends with one of `x`. */
static void set_finish(
    struct builder *b, struct known *k, const struct texts *x, const struct texts *y)
{
	k->finish = joined(b, x, y);
	if (k->finish)
		return;
	demand(b, k, grams_of(b, x));
	k->finish = joined(b, endings(b, x, BRIDGE), y);
	if (!k->finish)
		k->finish = y;
}

/* In the middle, `x` ends and `y` begins. */
static void demand_middle(
    struct builder *b, struct known *k, const struct texts *x, const struct texts *y)
{
	const struct texts *middle = joined(b, x, y);

	if (middle) {
		demand(b, k, grams_of(b, middle));
		return;
	}
	demand(b, k, grams_of(b, x));
	demand(b, k, grams_of(b, y));
}

static struct known one_behind_other(struct builder *b, struct known x, struct known y)
{
	struct known k = { .must = gram_term_all(b->scratch, x.must, y.must) };

	if (x.exact && y.exact)
		k.exact = joined(b, x.exact, y.exact);
	if (k.exact)
		return cut(b, k);
	if (x.exact && y.exact)
		x = opened(x);
	k.begin = x.begin;
	k.finish = y.finish;
	if (x.exact)
		set_begin(b, &k, x.exact, y.begin);
	if (y.exact)
		set_finish(b, &k, x.finish, y.exact);
	if (!x.exact && !y.exact)
		demand_middle(b, &k, x.finish, y.begin);
	return cut(b, k);
}

/* The union of two sets of beginnings, as short as needed to be few. */
static const struct texts *either_begin(
    struct builder *b, const struct texts *x, const struct texts *y)
{
	const struct texts *begin = both(b, x, y);

	for (size_t n = BRIDGE + 1; !begin; n--)
		begin = both(b, beginnings(b, x, n), beginnings(b, y, n));
	return begin;
}

static const struct texts *either_finish(
    struct builder *b, const struct texts *x, const struct texts *y)
{
	const struct texts *finish = both(b, x, y);

	for (size_t n = BRIDGE + 1; !finish; n--)
		finish = both(b, endings(b, x, n), endings(b, y, n));
	return finish;
}

static struct known one_or_other(struct builder *b, struct known x, struct known y)
{
	struct known k = { 0 };

	if (x.exact && y.exact)
		k.exact = both(b, x.exact, y.exact);
	if (k.exact) {
		if (x.must && y.must)
			k.must = gram_term_one(b->scratch, x.must, y.must);
		return k;
	}
	x = opened(x);
	y = opened(y);
	demand(b, &x, gram_term_all(b->scratch, grams_of(b, x.begin), grams_of(b, x.finish)));
	demand(b, &y, gram_term_all(b->scratch, grams_of(b, y.begin), grams_of(b, y.finish)));
	if (x.must && y.must)
		k.must = gram_term_one(b->scratch, x.must, y.must);
	k.begin = either_begin(b, x.begin, y.begin);
	k.finish = either_finish(b, x.finish, y.finish);
	return k;
}

static size_t normal_character(uint32_t c, char to[UTF8_MAX])
{
	char bytes[UTF8_MAX];
	size_t n = utf8_encode(c, bytes), length = 0;
	unsigned char byte;

	for (size_t i = 0; i < n; length++) {
		i += normal_byte(bytes + i, n - i, &byte);
		to[length] = (char)byte;
	}
	return length;
}

static struct known of_set(struct builder *b, const struct charset *set)
{
	struct texts *texts = arena_one(b->scratch, struct texts);

	if (!set->n || charset_size(set) > SMALL_SET)
		return anything(b);
	for (size_t i = 0; i < set->n; i++)
		for (uint32_t c = set->ranges[i].first; c <= set->ranges[i].last; c++) {
			char bytes[UTF8_MAX];
			size_t n = normal_character(c, bytes);
			if (texts->n == MAX_TEXTS)
				return anything(b);
			add_text(texts, arena_strn(b->scratch, bytes, n), n);
		}
	return (struct known){ .exact = texts };
}

static struct known of_node(struct builder *b, const struct node *node);

static struct known of_repeat(struct builder *b, const struct node *node)
{
	struct known once = of_node(b, node->parts[0]), k = once;

	if (!node->max)
		return empty_text(b);
	if (!node->min && node->max == 1)
		return one_or_other(b, once, empty_text(b));
	if (!node->min)
		return anything(b);
	once.must = NULL; /* the first one has it */
	uint32_t copies = MIN(node->min, (uint32_t)MAX_COPIES);
	for (uint32_t i = 1; i < copies; i++)
		k = one_behind_other(b, k, once);
	return copies == node->max ? k : opened(k);
}

static struct known of_node(struct builder *b, const struct node *node)
{
	struct known k;

	switch (node->kind) {
	case NODE_SET: return of_set(b, node->set);
	case NODE_REPEAT: return of_repeat(b, node);
	case NODE_SEQUENCE:
		k = empty_text(b);
		for (size_t i = 0; i < node->nparts; i++)
			k = one_behind_other(b, k, of_node(b, node->parts[i]));
		return k;
	case NODE_CHOICE:
		k = of_node(b, node->parts[0]);
		for (size_t i = 1; i < node->nparts; i++)
			k = one_or_other(b, k, of_node(b, node->parts[i]));
		return k;
	case NODE_EMPTY:
	case NODE_PLACE: break;
	}
	return empty_text(b);
}

const struct gram_query *gram_tree_make(const struct node *tree, struct arena *a)
{
	struct builder b = { .scratch = arena_new() };
	struct known k = of_node(&b, tree);

	if (k.exact)
		demand(&b, &k, grams_of(&b, k.exact));
	else
		demand(&b, &k, gram_term_all(b.scratch, grams_of(&b, k.begin), grams_of(&b, k.finish)));
	const struct gram_query *query = gram_terms_query(k.must, a);
	arena_free(b.scratch);
	return query;
}
