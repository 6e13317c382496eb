/* Builders: each call of a chain returns the object that it is called on, with one property more. */
#include "shard/contracts/urls/url_evaluator_internal.h"

enum { LONGEST_BUILDER = 60, LONGEST_MAKER = 80 };

/* Whether the text is one of the alternatives, which `|` separates; `.x`: it ends so. */
static bool is_alternative(const char *all, const char *text)
{
	size_t n = strlen(text);

	for (;; all++) {
		size_t len = strcspn(all, "|");
		if (len == n && !memcmp(all, text, n))
			return true;
		if (*all == '.' && n > len && !memcmp(all, text + n - len, len))
			return true;
		all += len;
		if (!*all)
			return false;
	}
}

/* Whether the node makes the object of a chain: it calls, or makes an instance of, one of `makers`. */
static bool is_maker(
    const struct syntax_tree *t, const struct expr_rule *x, TSNode n, const char *makers)
{
	char name[LONGEST_MAKER];
	TSNode type;

	if (x->op == EXPR_CALL) {
		call_callee(t, n, arguments_of(t, n), name, sizeof name);
		return is_alternative(makers, name);
	}
	if (x->op != EXPR_NEW)
		return false;
	type = node_path_get(&x->type, n);
	if (ts_node_is_null(type) || node_len(type) >= sizeof name)
		return false;
	memcpy(name, t->text + node_start_byte(type), node_len(type));
	name[node_len(type)] = '\0';
	return is_alternative(makers, name);
}

/* The object that a call is of: what it is called on, or what the function around it changes. */
static TSNode object_of_call(const struct syntax_tree *t, TSNode call)
{
	TSNode object = call_object(t, call);

	if (!ts_node_is_null(object))
		return object;
	call = call_of_block_around(t, call);
	if (ts_node_is_null(call))
		return call;
	return call_object(t, call);
}

/* What the node is called on, is inside, or is a name for; null: nothing that is known here. */
static TSNode step_down(const struct syntax_tree *t, const struct expr_rule *x, TSNode n)
{
	const struct binding *b;

	if (x->op == EXPR_CALL)
		return object_of_call(t, n);
	if (x->op == EXPR_INNER && x->of.n)
		return node_path_get(&x->of, n);
	if (x->op == EXPR_INNER)
		return ts_node_named_child(n, 0);
	if (x->op != EXPR_NAME)
		return (TSNode){ 0 };
	b = url_binding(t, n);
	if (b)
		return b->value;
	return (TSNode){ 0 };
}

TSNode chain_start(const struct syntax_tree *t, TSNode n, const char *makers)
{
	for (int i = 0; i < LONGEST_BUILDER && !ts_node_is_null(n); i++) {
		const struct expr_rule *x = rules_expr(t, n);
		if (!x)
			break;
		if (is_maker(t, x, n, makers))
			return n;
		n = step_down(t, x, n);
	}
	return (TSNode){ 0 };
}

/* ---- what a call is of ---- */

TSNode called_member(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = NULL;
	TSNode none = { 0 };

	if (!ts_node_is_null(call))
		x = rules_expr(t, call);
	if (!x || x->op != EXPR_CALL)
		return none;
	TSNode f = node_path_get(&x->function, call);
	if (ts_node_is_null(f))
		return none;
	x = rules_expr(t, f);
	if (x && x->op == EXPR_INNER && x->of.n) {	/* router.with_state::<()>(s) */
		f = node_path_get(&x->of, f);
		if (ts_node_is_null(f))
			return none;
		x = rules_expr(t, f);
	}
	if (!x || x->op != EXPR_MEMBER)
		return none;
	return f;
}

TSNode call_receiver(const struct syntax_tree *t, TSNode call)
{
	TSNode member = called_member(t, call);

	if (ts_node_is_null(member))
		return member;
	return node_path_get(&rules_expr(t, member)->object, member);
}

TSNode call_object(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);

	if (x && x->object.n)
		return node_path_get(&x->object, call);
	return call_receiver(t, call);
}

TSNode function_receiver_name(TSNode function)
{
	TSNode list = { 0 }, none = { 0 };

	if (!ts_node_is_null(function))
		list = node_field(function, "receiver");
	if (ts_node_is_null(list) || !ts_node_named_child_count(list))
		return none;
	return node_field(ts_node_named_child(list, 0), "name");
}
