/*
 * Functions that change an object which they do not name: in `url { host = "users"; path("api") }`
 * each statement is one more step of a builder.  Without such a function, what is called so has the
 * value as its argument: `url("http://users")`.
 */
#include "shard/contracts/urls/url_evaluator_internal.h"

#include "proto/base/buf.h"

enum { LONGEST_STEP = 60, STATEMENTS_DEEP = 4, MAX_STATEMENTS = 40, BLOCK_DEEP = 40 };

/* The rule for a member of that name, or NULL. */
static const struct call_rule *member_rule(const struct syntax_tree *t, TSNode name)
{
	char text[LONGEST_STEP] = ".";

	if (ts_node_is_null(name) || node_len(name) >= sizeof text - 1)
		return NULL;
	memcpy(text + 1, t->text + node_start_byte(name), node_len(name));
	text[1 + node_len(name)] = '\0';
	return call_rule_of(t->rules, text);
}

/* The statements of the function that is the last argument of a call, or a null node. */
static TSNode statements_of(TSNode call)
{
	TSNode n = call;

	for (int i = 0; i <= STATEMENTS_DEEP && !ts_node_is_null(n); i++) {
		uint32_t count = ts_node_named_child_count(n);
		if (node_type_is(n, "statements"))
			return n;
		if (!count)
			break;
		n = ts_node_named_child(n, count - 1);
	}
	return (TSNode){ 0 };
}

/* What a step with the arguments adds to the text from `from` on. */
static void eval_block_step(struct eval *v, struct expression t, enum call_how how,
    const TSNode *arg, size_t n, size_t from)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = eval_string(v, expression_at(t, arg[i]));
		if (how == CALL_HOST || how == CALL_FIRST)
			v->out->n = from;
		if (how == CALL_HOST)
			buf_str(v->out, "//");
		if (how == CALL_SEGMENTS || how == CALL_BELOW || how == CALL_APPEND || how == CALL_FIRST ||
		    how == CALL_HOST)
			eval_added(v, how, text);
	}
}

/* One statement: a call of the object, or an assignment to one of its members. */
static void eval_statement(struct eval *v, struct expression t, size_t from)
{
	const struct syntax_tree *tree = t.in->t;
	const struct expr_rule *x = rules_expr(tree, t.n);
	TSNode arg[MAX_ARGS], name = ts_node_named_child(t.n, 0);
	size_t n = 1;

	if (x && x->op == EXPR_CALL)
		n = call_arguments(tree, t.n, arg, MAX_ARGS);
	else if (ts_node_named_child_count(t.n) == 2 && strstr(ts_node_type(t.n), "assignment"))
		arg[0] = ts_node_named_child(t.n, 1);
	else
		return;
	const struct call_rule *rule = member_rule(tree, name);
	if (rule)
		eval_block_step(v, t, rule->how, arg, n, from);
}

void eval_block(struct eval *v, struct expression call)
{
	TSNode statements = statements_of(call.n), object = call_object(call.in->t, call.n), only;
	size_t from = v->out->n;

	if (!ts_node_is_null(object))
		eval(v, expression_at(call, object));
	if (ts_node_is_null(statements)) {
		if (call_arguments(call.in->t, call.n, &only, 1))
			eval(v, expression_at(call, only));
		return;
	}
	uint32_t count = ts_node_named_child_count(statements);
	for (uint32_t i = 0; i < count && i < MAX_STATEMENTS; i++)
		eval_statement(v, expression_at(call, ts_node_named_child(statements, i)), from);
}

/* Whether a call hands its object to a function as the object of what is called there. */
static bool gives_object(const struct syntax_tree *t, TSNode call)
{
	char name[LONGEST_STEP];

	call_callee(t, call, arguments_of(t, call), name, sizeof name);
	const struct call_rule *rule = call_rule_of(t->rules, name);
	return rule && rule->how == CALL_BLOCK;
}

TSNode call_of_block_around(const struct syntax_tree *t, TSNode n)
{
	TSNode inner = n;
	bool inside = false;

	for (int i = 0; i < BLOCK_DEEP; i++) {
		n = node_parent(n);
		if (ts_node_is_null(n))
			break;
		const struct expr_rule *x = rules_expr(t, n);
		inside |= node_type_is(n, "lambda_literal");
		if (inside && x && x->op == EXPR_CALL && gives_object(t, n) &&
		    node_start_byte(statements_of(n)) <= node_start_byte(inner))
			return n;
		if (node_type_is(n, "function_body"))
			break;
	}
	return (TSNode){ 0 };
}
