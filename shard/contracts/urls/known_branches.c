/* Branches that the calls at hand take, and code that they do not reach. */
#include "shard/contracts/urls/known_conditions.h"

#include <string.h>

#include "proto/base/buf.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MOST_AROUND = 24, MOST_BEFORE = 12 };

/* Statements that end a function. */
static const char *const leaving[] = { "return_statement", "throw_statement", "raise_statement",
	"return_expression", "return" };

/* Whether a node begins with the word by the name that the grammar gives it. */
static bool is_kind(TSNode n, const char *word)
{
	return !strncmp(ts_node_type(n), word, strlen(word));
}

/* What is done if the condition of a node holds; null: it has no condition. */
static TSNode then_of(TSNode n)
{
	TSNode then = node_field(n, "consequence");

	if (ts_node_is_null(then) &&
	    (is_kind(n, "if") || is_kind(n, "unless") || is_kind(n, "else_if") ||
	        is_kind(n, "conditional")))
		then = node_field(n, "body");
	return then;
}

static bool is_block(TSNode n)
{
	static const char *const words[] = { "block", "compound", "body", "then" };

	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(ts_node_type(n), words[i]))
			return true;
	return false;
}

/* Whether the last thing that a branch does is to leave the function. */
static bool leaves(TSNode branch)
{
	uint32_t count = ts_node_named_child_count(branch);

	for (size_t i = 0; i < LEN(leaving); i++)
		if (node_type_is(branch, leaving[i]))
			return true;
	if (!count || !is_block(branch))
		return false;
	TSNode last = ts_node_named_child(branch, count - 1);
	for (size_t i = 0; i < LEN(leaving); i++)
		if (node_type_is(last, leaving[i]))
			return true;
	return false;
}

/* Whether the condition of an `if`, or `unless`, holds. */
static enum truth holds(struct dataflow_context *a, struct expression t, TSNode branch)
{
	enum truth out = condition_value(a, expression_at(t, node_field(branch, "condition")));

	if (is_kind(branch, "unless"))
		return truth_opposite(out);
	return out;
}

/* Whether a statement before the node, an `if` without `else`, has left the function. */
static bool is_left_before(struct dataflow_context *a, struct expression t)
{
	TSNode n = ts_node_prev_named_sibling(t.n);

	for (int i = 0; i < MOST_BEFORE && !ts_node_is_null(n); i++) {
		TSNode then = then_of(n);
		bool alone = ts_node_is_null(node_field(n, "alternative"));
		if (!ts_node_is_null(then) && alone && leaves(then) && holds(a, t, n) == TRUTH_TRUE)
			return true;
		n = ts_node_prev_named_sibling(n);
	}
	return false;
}

/* Whether the branch of an `if`, `c ? a : b`, in which the node stands is taken. */
static enum truth is_branch_taken(struct dataflow_context *a, struct expression t, TSNode around)
{
	TSNode condition = node_field(around, "condition"), then = then_of(around);

	if (ts_node_is_null(condition) || ts_node_is_null(then) || node_within(t.n, condition))
		return TRUTH_UNKNOWN;
	if (node_within(t.n, then))
		return holds(a, t, around);
	return truth_opposite(holds(a, t, around));
}

/* Whether a branch before this one, `elif`, is taken. */
static bool is_behind_taken(struct dataflow_context *a, struct expression branch)
{
	TSNode n = ts_node_prev_named_sibling(branch.n);

	for (int i = 0; i < MOST_BEFORE && !ts_node_is_null(n); i++) {
		TSNode condition = node_field(n, "condition");
		if (!strstr(ts_node_type(n), "if"))
			return false;
		if (condition_value(a, expression_at(branch, condition)) == TRUTH_TRUE)
			return true;
		n = ts_node_prev_named_sibling(n);
	}
	return false;
}

bool is_unreachable(struct dataflow_context *a, struct expression t)
{
	struct expression at = t;

	for (int i = 0; t.given && i < MOST_AROUND; i++) {
		TSNode around = node_parent(at.n);
		if (ts_node_is_null(around) || is_function_node(t.in->t, at.n))
			return false;
		if (is_branch_taken(a, t, around) == TRUTH_FALSE ||
		    is_case_taken(a, t, around) == TRUTH_FALSE)
			return true;
		if (strstr(ts_node_type(at.n), "el") == ts_node_type(at.n) && is_behind_taken(a, at))
			return true;
		if (is_block(around) && is_left_before(a, at))
			return true;
		at.n = around;
	}
	return false;
}

/* Whether a node around others only holds cases, or what is left if a condition does not hold. */
static bool holds_cases(TSNode n)
{
	static const char *const words[] = { "else", "switch", "match", "when_expression" };

	for (size_t i = 0; i < LEN(words); i++)
		if (is_kind(n, words[i]))
			return true;
	return node_type_is(n, "case");
}

/* Whether what is around a part of a function leads to it in the calls at hand. */
static bool leads_to(struct dataflow_context *a, struct expression t, TSNode part, TSNode around)
{
	if (!ts_node_is_null(then_of(around)))
		return is_branch_taken(a, t, around) == TRUTH_TRUE;
	if (is_case(t.in->t, around))
		return is_case_taken(a, t, around) == TRUTH_TRUE;
	return holds_cases(around) || !runs_conditionally(part, node_parent(around));
}

bool is_certain(struct dataflow_context *a, struct expression t, TSNode use)
{
	TSNode part = t.n;

	for (int i = 0; t.given && i < MOST_AROUND; i++) {
		TSNode around = node_parent(part);
		if (ts_node_is_null(around))
			return false;
		if (node_within(use, around))
			return true;
		if (!leads_to(a, t, part, around))
			return false;
		part = around;
	}
	return false;
}
