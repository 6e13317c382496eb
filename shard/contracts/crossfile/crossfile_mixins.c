/*
 * Calls of a method by code that its type, or a type derived from it, takes from another base,
 * module or trait, which lacks the method: `get(path)` in a module that a client includes.
 */
#include "shard/contracts/crossfile/crossfile_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/syntax/node_rules.h"

enum { DEEPEST = 4, MOST_NODES = 20000, MOST_DERIVED = 64 };

struct own_calls {
	struct contract_file *in;
	int type; /* the base, in that file */
	const char *name;
	struct expression *out;
	size_t *n, max;
	int budget;
};

/* The name of what a call calls; null: it is no call. */
static TSNode called_name(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call), *member;
	TSNode none = { 0 };

	if (!x || x->op != EXPR_CALL)
		return none;
	if (!x->function.n)
		return node_path_get(&x->name, call);
	TSNode function = node_path_get(&x->function, call);
	if (ts_node_is_null(function))
		return none;
	member = rules_expr(t, function);
	if (member && member->op == EXPR_MEMBER)
		return node_path_get(&member->name, function);
	return function;
}

static void find_own_calls(struct own_calls *x, TSNode n)
{
	struct expression call = { x->in, n, NULL };

	if (--x->budget < 0 || *x->n == x->max)
		return;
	TSNode name = called_name(x->in->t, n);
	if (!ts_node_is_null(name) && node_is(x->in->t, name, x->name) && derived_own_call(call) &&
	    enclosing_type_index(x->in, n) == x->type)
		x->out[(*x->n)++] = call;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		find_own_calls(x, ts_node_named_child(n, i));
}

/* Whether the type has a method of that name. */
static bool has_method(const struct contract_file *in, int type, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && d->signature && !strcmp(d->name, name))
			return true;
	}
	return false;
}

static void calls_in_bases(struct crossfile *j, struct contract_file *in, int type,
    const char *name, int depth, struct own_calls *to)
{
	struct contract_file *base;
	int index;

	for (size_t i = 0; depth < DEEPEST && crossfile_base_type(j, in, type, i, &base, &index); i++) {
		if (index < 0 || has_method(base, index, name)) /* its own calls are of its own method */
			continue;
		struct own_calls x = *to;
		x.in = base;
		x.type = index;
		x.budget = MOST_NODES;
		find_own_calls(&x, definition_node(base, index));
		calls_in_bases(j, base, index, name, depth + 1, to);
	}
}

/* The same in all types that are derived from the one that has the method. */
static void calls_beside(
    struct crossfile *j, struct contract_file *in, int type, int depth, struct own_calls *to)
{
	struct type_ref below[MOST_DERIVED];
	size_t n = 0;

	calls_in_bases(j, in, type, to->name, 0, to);
	if (depth < DEEPEST)
		n = crossfile_derived_types(j, in, type, below, MOST_DERIVED);
	for (size_t i = 0; i < n; i++)
		calls_beside(j, below[i].in, below[i].type, depth + 1, to);
}

void crossfile_calls_of_mixed_in(struct crossfile *j, struct contract_file *r, int definition,
    struct expression *out, size_t *n, size_t max)
{
	const struct definition *d = &r->found->v[definition].def;
	struct own_calls to = { .name = d->name, .out = out, .n = n, .max = max };

	if (d->parent >= 0 && d->signature && strcmp(d->kind, "constructor"))
		calls_beside(j, r, d->parent, 0, &to);
}
