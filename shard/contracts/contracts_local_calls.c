/* Calls of functions that only a local variable names. */
#include "shard/contracts/contracts_internal.h"

#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

/* Whether the value is the function, perhaps in parentheses. */
static bool is_value(const struct binding *b, TSNode function)
{
	return node_within(function, b->value) && node_end_byte(function) == node_end_byte(b->value) &&
	    node_start_byte(function) - node_start_byte(b->value) <= 1;
}

/* The variable of a function that has the function as its value, or NULL. */
static const struct binding *variable_of(const struct syntax_tree *t, TSNode function)
{
	for (size_t i = 0; i < t->bindings.n; i++)
		if (t->bindings.v[i].from && is_value(&t->bindings.v[i], function))
			return &t->bindings.v[i];
	return NULL;
}

struct local_calls {
	struct contract_file *in;
	const char *name;
	struct expression *out;
	size_t n, max;
};

static void add_call(void *arg, TSNode n, uint32_t depth)
{
	struct local_calls *l = arg;
	const struct expr_rule *x = rules_expr(l->in->t, n);
	TSNode callee = { 0 };

	(void)depth;
	if (!x || x->op != EXPR_CALL || l->n == l->max)
		return;
	if (x->function.n)
		callee = node_path_get(&x->function, n);
	else if (ts_node_is_null(node_path_get(&x->object, n)))
		callee = node_path_get(&x->name, n);
	if (!ts_node_is_null(callee) && node_is(l->in->t, callee, l->name))
		l->out[l->n++] = (struct expression){ l->in, n, NULL };
}

size_t calls_of_local_function(
    struct contract_file *in, TSNode function, struct expression *out, size_t max)
{
	struct local_calls l = { .in = in, .out = out, .max = max };
	const struct binding *b = variable_of(in->t, function);

	if (!b)
		return 0;
	l.name = b->name;
	nodes_each(ts_node_descendant_for_byte_range(in->t->root, b->from, b->to - 1), add_call, &l);
	return l.n;
}
