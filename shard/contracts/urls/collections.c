/*
 * Lists and maps that calls make of their arguments: `List.of(a, b)`, `mapOf("a" to b)`; and the
 * constants of an enumeration, `Endpoint.values()`.
 */
#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/contracts/urls/value_origin_internal.h"

enum { MOST_PARTS = 512 };

/* The rule for what a call makes, or NULL. */
static const struct call_rule *rule_of_call(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);
	char name[80];

	if (!x || (x->op != EXPR_CALL && x->op != EXPR_NEW))
		return NULL;
	call_callee(t, n, arguments_of(t, n), name, sizeof name);
	return call_rule_of(t->rules, name);
}

static bool makes(const struct syntax_tree *t, TSNode n, enum call_how how)
{
	const struct call_rule *rule = rule_of_call(t, n);

	return rule && rule->how == how;
}

/* The node without what holds an argument. */
static TSNode argument_value(TSNode n)
{
	if (node_type_is(n, "value_argument") || node_type_is(n, "argument") ||
	    node_type_is(n, "parenthesized_expression"))
		return ts_node_named_child(n, ts_node_named_child_count(n) - 1);
	return n;
}

bool collection_pair(const struct syntax_tree *t, TSNode n, TSNode out[2])
{
	n = argument_value(argument_value(n));
	if (node_type_is(n, "infix_expression") && ts_node_named_child_count(n) == 3) {
		out[0] = ts_node_named_child(n, 0);
		out[1] = ts_node_named_child(n, 2);
		return node_is(t, ts_node_named_child(n, 1), "to");
	}
	return makes(t, n, CALL_PAIR) && call_arguments(t, n, out, 2) == 2;
}

size_t collection_elements(struct expression list, struct expression *out, size_t max)
{
	TSNode part[MOST_PARTS];
	size_t n = 0;

	if (!makes(list.in->t, list.n, CALL_ITEMS))
		return 0;
	n = call_arguments(list.in->t, list.n, part, MIN(max, MOST_PARTS));
	for (size_t i = 0; i < n; i++)
		out[i] = (struct expression){ list.in, argument_value(part[i]), list.given };
	return n;
}

size_t collection_pairs(
    struct expression map, struct expression *key, struct expression *value, size_t max)
{
	const struct syntax_tree *t = map.in->t;
	TSNode part[MOST_PARTS], pair[2];
	size_t count = 0;

	if (!makes(t, map.n, CALL_PAIRS))
		return 0;
	size_t n = call_arguments(t, map.n, part, MOST_PARTS);
	for (size_t i = 0; i < n && count < max; i++) {
		if (!collection_pair(t, part[i], pair)) {
			if (i + 1 == n)
				break;
			pair[0] = part[i];
			pair[1] = part[++i];
		}
		key[count] = (struct expression){ map.in, pair[0], map.given };
		value[count++] = (struct expression){ map.in, pair[1], map.given };
	}
	return count;
}

/* Whether the node is a literal of the text, in quotes. */
static bool is_quoted(const struct syntax_tree *t, TSNode n, const char *text)
{
	const char *s = t->text + node_start_byte(n);
	size_t len = strlen(text);

	return node_len(n) == len + 2 && *s == '"' && !memcmp(s + 1, text, len);
}

struct expression collection_member(struct expression map, const char *key)
{
	struct expression k[MOST_PARTS], v[MOST_PARTS];
	size_t n = collection_pairs(map, k, v, MOST_PARTS);

	for (size_t i = 0; i < n; i++)
		if (is_quoted(map.in->t, k[i].n, key) || node_is(map.in->t, k[i].n, key))
			return v[i];
	return (struct expression){ 0 };
}

/* The type of a call of `values()`, or of `entries`; or a null node. */
static TSNode enumerated(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);
	TSNode member = n, name, none = { 0 };

	if (!x)
		return none;
	if (x->op == EXPR_CALL) {
		name = node_path_get(&x->name, n);
		if (!ts_node_is_null(name) && node_is(t, name, "values"))
			return node_path_get(&x->object, n);
		member = called_member(t, n);
		if (ts_node_is_null(member))
			return none;
		x = rules_expr(t, member);
	}
	if (x->op != EXPR_MEMBER)
		return none;
	name = node_path_get(&x->name, member);
	if (node_is(t, name, "values") || node_is(t, name, "entries"))
		return node_path_get(&x->object, member);
	return none;
}

size_t enumeration_elements(
    struct dataflow_context *a, struct expression list, struct expression *out, size_t max)
{
	struct contract_file *in = list.in;
	TSNode name = enumerated(list.in->t, list.n);
	size_t n = 0;

	if (ts_node_is_null(name))
		return 0;
	int type = named_type(a, (struct expression){ list.in, name, NULL }, &in);
	if (type < 0 || strcmp(in->found->v[type].def.kind, "enum"))
		return 0;
	for (size_t i = 0; i < in->found->n && n < max; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && kind_of(d->kind) == KIND_constant)
			out[n++] = (struct expression){ in, definition_node(in, (int)i), NULL };
	}
	return n;
}
