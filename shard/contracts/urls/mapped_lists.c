/*
 * Lists whose elements functions and comprehensions make of those of others: `routes.map(r => …)`,
 * `["/p" + p for p in PATHS]`, `array_map(fn ($r) => …, $rows)`.
 */
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/contracts/urls/value_origin_internal.h"

enum { MOST_ARGUMENTS = 4, DEEPEST_SUFFIX = 3 };

bool called_name(struct expression call, char out[LONGEST_NAME])
{
	const struct expr_rule *x = rules_expr(call.in->t, call.n);
	TSNode name = { 0 };

	if (x->function.n) {
		TSNode f = node_path_get(&x->function, call.n);
		const struct expr_rule *of = NULL;
		if (!ts_node_is_null(f))
			of = rules_expr(call.in->t, f);
		name = f;
		if (of && of->op == EXPR_MEMBER)
			name = node_path_get(&of->name, f);
	} else {
		name = node_path_get(&x->name, call.n);
	}
	if (ts_node_is_null(name) || node_len(name) >= LONGEST_NAME)
		return false;
	memcpy(out, call.in->t->text + node_start_byte(name), node_len(name));
	out[node_len(name)] = '\0';
	return true;
}

/* Whether a function or method of that name makes a list of what it is given for each element. */
static bool maps(const char *name)
{
	static const char *const names[] = { "map", "collect", "Select", "array_map", "mapToObj",
		"filter_map", "flat_map", "flatMap" };
	const char *last = name;

	for (const char *s = name; *s; s++)
		if (strchr(".:>", *s))
			last = s + 1;
	for (size_t i = 0; i < LEN(names); i++)
		if (!strcmp(last, names[i]))
			return true;
	return false;
}

/* The comprehension with one clause that a node is; false: it is something else. */
static bool is_comprehension(struct expression t, struct mapping *out)
{
	TSNode clause = { 0 };

	if (!strstr(ts_node_type(t.n), "comprehension") && !node_type_is(t.n, "generator_expression"))
		return false;
	for (uint32_t i = 0, count = ts_node_named_child_count(t.n); i < count; i++) {
		TSNode k = ts_node_named_child(t.n, i);
		if (!node_type_is(k, "for_in_clause"))
			continue;
		if (!ts_node_is_null(clause))
			return false;
		clause = k;
	}
	if (ts_node_is_null(clause))
		return false;
	*out = (struct mapping){ .of = t, .in = t.in, .function = t.n };
	out->list = (struct expression){ t.in, node_field(clause, "right"), t.given };
	out->made = node_field(t.n, "body");
	return !ts_node_is_null(out->made) && !ts_node_is_null(out->list.n);
}

/* The last statement of a body, or the body itself if it is an expression. */
static TSNode last_statement(TSNode body)
{
	bool holds = strstr(ts_node_type(body), "body") || node_type_is(body, "statements");

	if (holds && ts_node_named_child_count(body))
		return last_named_child(body);
	return body;
}

/* What a function makes: the only value it returns, or the last statement of a block. */
static TSNode made_by(const struct contract_file *in, TSNode function)
{
	TSNode returns[2], body = node_field(function, "body"), none = { 0 };

	size_t n = function_return_values(in, function, returns, LEN(returns));
	if (n == 1)
		return returns[0];
	if (!n && node_type_is(function, "lambda_literal")) /* Kotlin */
		body = last_named_child(function);
	if (n || ts_node_is_null(body))
		return none;
	return last_statement(body);
}

/* The function among the arguments of a call, or its block; a null node: there is none. */
static TSNode function_given(const struct syntax_tree *t, TSNode call, const TSNode *v, size_t n)
{
	TSNode block = node_field(call, "block");

	if (!ts_node_is_null(block))
		return block;
	block = last_named_child(call); /* Kotlin: in a suffix */
	for (int i = 0; i < DEEPEST_SUFFIX && !ts_node_is_null(block); i++) {
		if (node_type_is(block, "lambda_literal"))
			return block;
		block = last_named_child(block);
	}
	for (size_t i = 0; i < n; i++) {
		TSNode k = v[i];
		while (!is_function_node(t, k) && ts_node_named_child_count(k) == 1)
			k = ts_node_named_child(k, 0);
		if (is_function_node(t, k))
			return k;
	}
	return (TSNode){ 0 };
}

bool mapping_of(struct expression t, struct mapping *out)
{
	const struct syntax_tree *tree = t.in->t;
	const struct expr_rule *x = rules_expr(tree, t.n);
	TSNode v[MOST_ARGUMENTS];
	char name[LONGEST_NAME];

	if (is_comprehension(t, out))
		return true;
	if (!x || x->op != EXPR_CALL)
		return false;
	if (!called_name(t, name) || !maps(name))
		return false;
	size_t n = call_arguments(tree, t.n, v, MOST_ARGUMENTS);
	*out = (struct mapping){ .of = t, .in = t.in, .function = function_given(tree, t.n, v, n) };
	if (ts_node_is_null(out->function))
		return false;
	TSNode list = call_object(tree, t.n);
	for (size_t i = 0; i < n && ts_node_is_null(list); i++)
		if (!node_within(out->function, v[i]))
			list = v[i];
	while (node_type_is(list, "argument") && ts_node_named_child_count(list) == 1)
		list = ts_node_named_child(list, 0);
	out->list = (struct expression){ t.in, list, t.given };
	out->made = made_by(t.in, out->function);
	return !ts_node_is_null(list) && !ts_node_is_null(out->made);
}

struct expression mapped_element(
    struct dataflow_context *a, const struct mapping *by, struct expression element)
{
	struct call_frame *g = arena_one(a->a, struct call_frame);
	struct expression *own = arena_one(a->a, struct expression);

	*own = element;
	*g = (struct call_frame){
		.in = by->in, .function = by->function, .call = by->of, .element = own
	};
	return (struct expression){ by->in, by->made, g };
}
