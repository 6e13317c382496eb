#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "proto/pattern/alphabet.h"
#include "proto/pattern/pattern_tree.h"

/* A branch of a choice, as a sequence; what was taken from its front is left out. */
struct branch {
	const struct node *const *parts;
	size_t n;
};

/* Branches that begin with the same set. */
struct group {
	const struct charset *first;
	struct branch *branches;
	size_t n;
};

static const struct node *sequence_of(struct arena *a, const struct node *const *parts, size_t n)
{
	struct node *node = arena_one(a, struct node);

	if (n == 1)
		return parts[0];
	*node = (struct node){ .kind = n ? NODE_SEQUENCE : NODE_EMPTY, .parts = parts, .nparts = n };
	for (size_t i = 0; i < n; i++)
		node->depth = MAX(node->depth, parts[i]->depth + 1);
	return node;
}

static struct branch branch_of(struct arena *a, const struct node *node)
{
	const struct node **one = arena_one(a, const struct node *);

	if (node->kind == NODE_SEQUENCE)
		return (struct branch){ node->parts, node->nparts };
	*one = node;
	return (struct branch){ one, node->kind != NODE_EMPTY };
}

static bool begins_with_set(const struct branch *b)
{
	return b->n && b->parts[0]->kind == NODE_SET && b->parts[0]->set->n;
}

/* How many sets all branches of a group begin with. */
static size_t common_sets(const struct group *g)
{
	size_t n = g->branches[0].n;

	for (size_t i = 0; i < g->n; i++) {
		const struct branch *x = &g->branches[0], *y = &g->branches[i];
		size_t same = 0;
		while (same < MIN(n, y->n) && x->parts[same]->kind == NODE_SET &&
		    y->parts[same]->kind == NODE_SET &&
		    charset_equal(x->parts[same]->set, y->parts[same]->set))
			same++;
		n = same;
	}
	return n;
}

static const struct node *choice_of(struct arena *a, struct branch *branches, size_t n);

static const struct node *group_node(struct arena *a, const struct group *g)
{
	size_t common = common_sets(g);
	const struct node **parts = arena_many(a, common + 1, const struct node *);

	if (g->n == 1)
		return sequence_of(a, g->branches[0].parts, g->branches[0].n);
	for (size_t i = 0; i < common; i++)
		parts[i] = g->branches[0].parts[i];
	for (size_t i = 0; i < g->n; i++) {
		g->branches[i].parts += common;
		g->branches[i].n -= common;
	}
	parts[common] = choice_of(a, g->branches, g->n);
	return sequence_of(a, parts, common + 1);
}

static const struct node *plain_choice(struct arena *a, const struct node **parts, size_t n)
{
	struct node *node = arena_one(a, struct node);

	if (n == 1)
		return parts[0];
	*node = (struct node){ .kind = NODE_CHOICE, .parts = parts, .nparts = n };
	for (size_t i = 0; i < n; i++)
		node->depth = MAX(node->depth, parts[i]->depth + 1);
	return node;
}

/* The branches by their first sets, in the order in which these appear; the number of groups. */
static size_t make_groups(
    struct arena *a, const struct branch *branches, size_t n, struct group *groups)
{
	struct set_table *sets = set_table_new(a);
	uint32_t *group_of = arena_many(a, n, uint32_t);
	size_t ngroups = 0;

	for (size_t i = 0; i < n; i++) {
		group_of[i] = set_table_add(sets, branches[i].parts[0]->set);
		ngroups = MAX(ngroups, (size_t)group_of[i] + 1);
		groups[group_of[i]].first = branches[i].parts[0]->set;
		groups[group_of[i]].n++;
	}
	set_table_free(sets);
	for (size_t i = 0; i < ngroups; i++) {
		groups[i].branches = arena_many(a, groups[i].n, struct branch);
		groups[i].n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		struct group *g = &groups[group_of[i]];
		g->branches[g->n++] = branches[i];
	}
	return ngroups;
}

/* Whether no character is in two of the groups' sets: then their order does not matter. */
static bool are_disjoint(struct arena *a, const struct group *groups, size_t n)
{
	size_t size = 0, nranges = 0, k = 0;

	for (size_t i = 0; i < n; i++) {
		size += charset_size(groups[i].first);
		nranges += groups[i].first->n;
	}
	struct range *all = arena_many(a, nranges, struct range);
	for (size_t i = 0; i < n; i++)
		for (size_t r = 0; r < groups[i].first->n; r++)
			all[k++] = groups[i].first->ranges[r];
	return charset_size(charset_new(a, all, nranges)) == size;
}

static const struct node *choice_of(struct arena *a, struct branch *branches, size_t n)
{
	const struct node **parts = arena_many(a, n, const struct node *);
	bool all_begin = true;

	for (size_t i = 0; i < n; i++) {
		parts[i] = sequence_of(a, branches[i].parts, branches[i].n);
		all_begin = all_begin && begins_with_set(&branches[i]);
	}
	if (!all_begin || n < 2)
		return plain_choice(a, parts, n);
	struct group *groups = arena_many(a, n, struct group);
	size_t ngroups = make_groups(a, branches, n, groups);
	if (ngroups == n || !are_disjoint(a, groups, ngroups))
		return plain_choice(a, parts, n);
	for (size_t i = 0; i < ngroups; i++)
		parts[i] = group_node(a, &groups[i]);
	return plain_choice(a, parts, ngroups);
}

static const struct node *factored_choice(struct arena *a, const struct node *node)
{
	struct branch *branches = arena_many(a, node->nparts, struct branch);

	for (size_t i = 0; i < node->nparts; i++)
		branches[i] = branch_of(a, node->parts[i]);
	return choice_of(a, branches, node->nparts);
}

const struct node *tree_factored(const struct node *node, struct arena *a)
{
	struct node *copy = arena_one(a, struct node);
	const struct node **parts = arena_many(a, node->nparts, const struct node *);

	if (!node->nparts)
		return node;
	for (size_t i = 0; i < node->nparts; i++)
		parts[i] = tree_factored(node->parts[i], a);
	*copy = *node;
	copy->parts = parts;
	return node->kind == NODE_CHOICE ? factored_choice(a, copy) : copy;
}
