#include "shard/contracts/urls/dataflow.h"

#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/syntax/node_rules.h"

enum { MAX_FOLLOWED = 12 };

/* Whether the node calls a function that returns a member by its name: getattr(x, name). */
static bool is_member_call(const struct syntax_tree *t, TSNode n, TSNode arg[2])
{
	char name[80];

	if (call_arguments(t, n, arg, 2) != 2)
		return false;
	call_callee(t, n, arguments_of(t, n), name, sizeof name);
	const struct call_rule *rule = call_rule_of(t->rules, name);
	return rule && rule->how == CALL_MEMBER;
}

/* The node in brackets behind `of`; a null node if there is none. */
static TSNode key_of(TSNode index, TSNode of)
{
	uint32_t n = ts_node_named_child_count(index);
	TSNode key = { 0 };

	if (n > 1)
		key = ts_node_named_child(index, n - 1);
	if (ts_node_is_null(key) || ts_node_eq(key, of))
		return (TSNode){ 0 };
	return key;
}

/* `table[key]`: the member of an object literal, which `*t` becomes, or a method by its name. */
static bool follow_element(struct dataflow_context *a, struct expression *t,
    const struct expr_rule *x, struct method_value *out, bool *found)
{
	struct expression of = { t->in, node_path_get(&x->of, t->n), t->given };
	struct expression key = { t->in, key_of(t->n, of.n), t->given };

	if (ts_node_is_null(of.n) || ts_node_is_null(key.n))
		return false;
	struct origin o = origin_of(a, of);
	if (o.what != ORIGIN_NODE || !literal_is_object(o.at.n)) {
		*out = (struct method_value){ .object = of, .name = key };
		*found = true;
		return true;
	}
	struct buf name = { 0 };
	url_text(a, key, &name);
	const char *word = arena_strn(a->a, name.p, name.n);
	buf_free(&name);
	out->parameter = strstr(word, URL_PARAMETER) != NULL;
	*t = literal_member(a, o.at, word);
	return !ts_node_is_null(t->n);
}

/* One step towards the method; false: there is no further one.  `*found`: `out` is filled. */
static bool follow(
    struct dataflow_context *a, struct expression *t, struct method_value *out, bool *found)
{
	const struct expr_rule *x = rules_expr(t->in->t, t->n);
	const struct node_rule *r = rules_of(t->in->t->rules, t->n);
	TSNode arg[2];

	if (r && r->op == VALUE_CHOICE) {
		*t = eval_chosen(a, *t);
		return true;
	}
	if (!x)
		return false;
	if (x->op == EXPR_CALL && is_member_call(t->in->t, t->n, arg)) {
		*out = (struct method_value){ .object = expression_at(*t, arg[0]),
			.name = expression_at(*t, arg[1]) };
		*found = true;
		return true;
	}
	if (x->op == EXPR_INDEX)
		return follow_element(a, t, x, out, found);
	struct expression next = origin_step(a, *t, &out->parameter);
	if (!ts_node_is_null(next.n)) {
		*t = next;
		return true;
	}
	if (x->op != EXPR_MEMBER)
		return false;
	*out = (struct method_value){ .object = expression_at(*t, node_path_get(&x->object, t->n)),
		.name = expression_at(*t, node_path_get(&x->name, t->n)),
		.word = true };
	*found = !ts_node_is_null(out->object.n) && !ts_node_is_null(out->name.n);
	return *found;
}

bool method_value_of(struct dataflow_context *a, struct expression t, struct method_value *out)
{
	bool found = false;

	*out = (struct method_value){ 0 };
	for (int i = 0; i < MAX_FOLLOWED && !found; i++)
		if (!follow(a, &t, out, &found))
			return false;
	return found;
}
