/* Calls of functions that only a local variable names. */
#include "shard/contracts/contracts_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
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
	const struct call_frame *given;
	struct expression *out;
	size_t n, max;
};

/* Whether a call is of a value that has the name: add(p), add.accept(p), this.add(p) of `.add`. */
static bool calls_value(const struct syntax_tree *t, TSNode call, TSNode callee, const char *name)
{
	static const char *const methods[] = { "accept", "apply", "call", "invoke", "Invoke", "run" };
	const struct expr_rule *x = NULL;

	if (ts_node_is_null(callee))
		return false;
	if (*name == '.') {
		x = rules_expr(t, callee);
		return x && x->op == EXPR_MEMBER && node_is(t, node_path_get(&x->name, callee), name + 1);
	}
	if (node_is(t, callee, name))
		return true;
	TSNode object = call_object(t, call);
	if (ts_node_is_null(object) || !node_is(t, object, name))
		return false;
	const char *end = t->text + node_end_byte(callee);
	for (size_t i = 0; i < LEN(methods); i++) {
		size_t n = strlen(methods[i]);
		if (node_len(callee) >= n && !memcmp(end - n, methods[i], n))
			return true;
	}
	return false;
}

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
	else
		callee = node_path_get(&x->name, n);
	if (calls_value(l->in->t, n, callee, l->name))
		l->out[l->n++] = (struct expression){ l->in, n, l->given };
}

/* Whether the file defines a function of that name. */
static bool defines(const struct contract_file *in, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (in->found->v[i].def.signature && !strcmp(in->found->v[i].def.name, name))
			return true;
	return false;
}

size_t calls_of_local_function(
    struct contract_file *in, TSNode function, struct expression *out, size_t max)
{
	struct local_calls l = { .in = in, .out = out, .max = max };
	const struct binding *b = variable_of(in->t, function);

	if (!b)
		return 0;
	const char *member = strrchr(b->name, '.');
	if (member) {	/* a.add = func…: a member that no function of the file is */
		if (defines(in, member + 1))
			return 0;
		l.name = member;
		nodes_each(in->t->root, add_call, &l);
		return l.n;
	}
	l.name = b->name;
	nodes_each(ts_node_descendant_for_byte_range(in->t->root, b->from, b->to - 1), add_call, &l);
	return l.n;
}

/* ---- functions that calls are given ---- */

enum { MOST_GIVEN = 8, MOST_ARGUMENTS = 8, MOST_AROUND = 3 };

/* A call that is given a function, and at which place. */
struct giving_call {
	TSNode call;
	int place;
};

struct giving_calls {
	const struct syntax_tree *t;
	const char *name;	/* of the function; NULL: it has none ... */
	TSNode function;	/* ... and this is its node */
	struct giving_call v[MOST_GIVEN];
	size_t n;
};

/* The node without what holds an argument. */
static TSNode argument_value(TSNode n)
{
	bool holds = node_type_is(n, "argument") || node_type_is(n, "value_argument") ||
	    node_type_is(n, "keyword_argument");

	if (holds && ts_node_named_child_count(n))
		return ts_node_named_child(n, ts_node_named_child_count(n) - 1);
	return n;
}

/* Whether an argument is the function, or its name, perhaps as a member: add, self.add, a.handle. */
static bool is_given(const struct giving_calls *l, TSNode argument)
{
	const struct expr_rule *x = rules_expr(l->t, argument);

	if (!l->name)
		return ts_node_eq(argument, l->function);
	if (x && x->op == EXPR_MEMBER)
		return node_is(l->t, node_path_get(&x->name, argument), l->name);
	return x && x->op == EXPR_NAME && node_is(l->t, argument, l->name);
}

static void add_giving(void *arg, TSNode n, uint32_t depth)
{
	struct giving_calls *l = arg;
	const struct expr_rule *x = rules_expr(l->t, n);
	TSNode v[MOST_ARGUMENTS];

	(void)depth;
	if (!x || (x->op != EXPR_CALL && x->op != EXPR_NEW) || l->n == MOST_GIVEN)
		return;
	size_t count = call_arguments(l->t, n, v, MOST_ARGUMENTS);
	for (size_t i = 0; i < count && l->n < MOST_GIVEN; i++)
		if (is_given(l, argument_value(v[i])))
			l->v[l->n++] = (struct giving_call){ n, (int)i };
}

/* Whether the file has the name where an argument may be: behind a bracket, comma or dot. */
static bool may_be_given(const struct syntax_tree *t, const char *name)
{
	size_t len = strlen(name);

	for (const char *s = t->text; (s = memmem(s, (size_t)(t->text + t->n - s), name, len)); s++)
		if (s > t->text && strchr("(, .", s[-1]) && strchr("),", s[len]))
			return true;
	return false;
}

/* The calls of its parameter by the function that a call calls. */
static size_t calls_of_parameter(struct dataflow_context *a, struct contract_file *in,
    const struct giving_call *by, struct expression *out, size_t max)
{
	const struct expr_rule *x = rules_expr(in->t, by->call);
	struct expression call = { in, by->call, NULL };
	struct origin o = { 0 };
	TSNode function = { 0 };

	if (x->op == EXPR_CALL)
		function = origin_called_function(a, call, x, &o);
	if (ts_node_is_null(function) || !o.at.in)
		return 0;
	const char *name = parameter_name(o.at.in, function, by->place, a->a);
	if (!name || !*name)
		return 0;
	struct call_frame *g = arena_one(a->a, struct call_frame);
	*g = (struct call_frame){ .in = o.at.in, .function = function, .call = call, .self = o.self };
	struct local_calls l = { .in = o.at.in, .name = name, .given = g, .out = out, .max = max };
	nodes_each(function, add_call, &l);
	return l.n;
}

size_t calls_of_given_function(struct dataflow_context *a, struct contract_file *in,
    TSNode function, const char *name, struct expression *out, size_t max)
{
	struct giving_calls l = { .t = in->t, .name = name, .function = function };
	size_t n = 0;

	if (name) {
		if (may_be_given(in->t, name))
			nodes_each(in->t->root, add_giving, &l);
	} else {
		TSNode call = function;
		for (int i = 0; i < MOST_AROUND && !ts_node_is_null(call) && !l.n; i++) {
			call = node_parent(call);
			if (!ts_node_is_null(call))
				add_giving(&l, call, 0);
		}
	}
	for (size_t i = 0; i < l.n && n < max; i++)
		n += calls_of_parameter(a, in, &l.v[i], out + n, max - n);
	return n;
}
