#include "shard/contracts/urls/known_conditions.h"

#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MOST_NESTED = 6, MOST_AROUND = 24, MOST_BEFORE = 12, MOST_VISITED = 256 };

static const char *const yes[] = { "true", "True", "TRUE" };
static const char *const no[] = { "false", "False", "FALSE" };
static const char *const equal[] = { "==", "===" };
static const char *const unequal[] = { "!=", "!==" };
static const char *const negations[] = { "!", "not" };
static const char *const all_of[] = { "&&", "and" };
static const char *const any_of[] = { "||", "or" };
static const char *const leaving[] = { "return_statement", "throw_statement", "raise_statement",
	"return_expression", "return" };

static bool is_one_of(const struct syntax_tree *t, TSNode n, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (node_is(t, n, words[i]))
			return true;
	return false;
}

static enum truth opposite(enum truth x)
{
	if (x == TRUTH_TRUE)
		return TRUTH_FALSE;
	if (x == TRUTH_FALSE)
		return TRUTH_TRUE;
	return TRUTH_UNKNOWN;
}

/* The text of an expression that is known as a whole; false: it is not. */
static bool known_text(struct dataflow_context *a, struct expression t, struct buf *out)
{
	struct eval v = { .ask = a, .out = out };

	eval(&v, t);		/* within the budget and the depth of what is evaluated */
	return out->n && !memchr(out->p, '{', out->n);
}

static enum truth compared(
    struct dataflow_context *a, struct expression left, struct expression right)
{
	struct buf one = { 0 }, other = { 0 };
	enum truth out = TRUTH_UNKNOWN;

	/* the right side is mostly a constant, or nothing: that is soon known */
	if (known_text(a, right, &other) && known_text(a, left, &one)) {
		out = TRUTH_FALSE;
		if (one.n == other.n && !memcmp(one.p, other.p, one.n))
			out = TRUTH_TRUE;
	}
	buf_free(&one);
	buf_free(&other);
	return out;
}

/* Whether there are other arguments: `if args` of a function with *args. */
static enum truth truth_of_rest(struct expression t)
{
	struct expression first;

	if (rest_arguments(t.given, t, &first, 1))
		return TRUTH_TRUE;
	return TRUTH_FALSE;
}

static enum truth value_of(struct dataflow_context *a, struct expression t)
{
	if (!ts_node_named_child_count(t.n) && rest_is_given(t.given, t))
		return truth_of_rest(t);
	struct origin o = origin_of(a, t);

	if (o.what != ORIGIN_NODE)
		return TRUTH_UNKNOWN;
	if (is_one_of(o.at.in->t, o.at.n, yes, LEN(yes)))
		return TRUTH_TRUE;
	if (is_one_of(o.at.in->t, o.at.n, no, LEN(no)))
		return TRUTH_FALSE;
	return TRUTH_UNKNOWN;
}

static enum truth evaluate(struct dataflow_context *a, struct expression t, int depth);

/* `left and right` if `decides` is false, `left or right` if it is true. */
static enum truth joined(struct dataflow_context *a, struct expression left,
    struct expression right, enum truth decides, int depth)
{
	enum truth one = evaluate(a, left, depth), other;

	if (one == decides)
		return decides;
	other = evaluate(a, right, depth);
	if (other == decides || one == other)
		return other;
	return TRUTH_UNKNOWN;
}

static enum truth of_two(struct dataflow_context *a, struct expression t, int depth)
{
	TSNode sign = ts_node_child(t.n, 1);
	struct expression left = { t.in, ts_node_child(t.n, 0), t.given };
	struct expression right = { t.in, ts_node_child(t.n, 2), t.given };

	if (is_one_of(t.in->t, sign, equal, LEN(equal)))
		return compared(a, left, right);
	if (is_one_of(t.in->t, sign, unequal, LEN(unequal)))
		return opposite(compared(a, left, right));
	if (is_one_of(t.in->t, sign, all_of, LEN(all_of)))
		return joined(a, left, right, TRUTH_FALSE, depth);
	if (is_one_of(t.in->t, sign, any_of, LEN(any_of)))
		return joined(a, left, right, TRUTH_TRUE, depth);
	return TRUTH_UNKNOWN;
}

static enum truth evaluate(struct dataflow_context *a, struct expression t, int depth)
{
	uint32_t count = ts_node_child_count(t.n), named = ts_node_named_child_count(t.n);
	struct expression inner = t;

	if (depth == MOST_NESTED)
		return TRUTH_UNKNOWN;
	if (count == 3 && named == 1 && node_is(t.in->t, ts_node_child(t.n, 0), "(")) {
		inner.n = ts_node_named_child(t.n, 0);
		return evaluate(a, inner, depth + 1);
	}
	if (count == 2 && named == 1 &&
	    is_one_of(t.in->t, ts_node_child(t.n, 0), negations, LEN(negations))) {
		inner.n = ts_node_named_child(t.n, 0);
		return opposite(evaluate(a, inner, depth + 1));
	}
	if (count == 3 && named == 2)
		return of_two(a, t, depth + 1);
	return value_of(a, t);
}

enum truth condition_value(struct dataflow_context *a, struct expression condition)
{
	struct url_steps *steps = a->steps;
	struct value_gap gap = a->gap;
	int choices = a->choices, budget = a->budget;
	bool unknown = a->unknown;

	if (!condition.given || ts_node_is_null(condition.n) || a->deciding)
		return TRUTH_UNKNOWN;
	a->steps = NULL;	/* the path does not consist of it */
	a->deciding = true;
	a->budget = MIN(budget, MOST_VISITED);
	enum truth out = evaluate(a, condition, 0);
	if (a->choices != choices)
		out = TRUTH_UNKNOWN;
	a->deciding = false;
	a->budget += MAX(budget - MOST_VISITED, 0);
	a->steps = steps;
	a->gap = gap;
	a->choices = choices;
	a->unknown = unknown;
	a->decided |= out != TRUTH_UNKNOWN;
	return out;
}

/* Whether the last thing that a branch does is to leave the function. */
static bool leaves(TSNode branch)
{
	uint32_t count = ts_node_named_child_count(branch);

	for (size_t i = 0; i < LEN(leaving); i++)
		if (node_type_is(branch, leaving[i]))
			return true;
	if (!count || !strstr(ts_node_type(branch), "block"))
		return false;
	TSNode last = ts_node_named_child(branch, count - 1);
	for (size_t i = 0; i < LEN(leaving); i++)
		if (node_type_is(last, leaving[i]))
			return true;
	return false;
}

/* Whether a statement before the node, an `if` without `else`, has left the function. */
static bool is_left_before(struct dataflow_context *a, struct expression t)
{
	TSNode n = ts_node_prev_named_sibling(t.n);

	for (int i = 0; i < MOST_BEFORE && !ts_node_is_null(n); i++) {
		TSNode condition = node_field(n, "condition"), then = node_field(n, "consequence");
		bool alone = ts_node_is_null(node_field(n, "alternative"));
		if (!ts_node_is_null(condition) && !ts_node_is_null(then) && alone && leaves(then) &&
		    condition_value(a, expression_at(t, condition)) == TRUTH_TRUE)
			return true;
		n = ts_node_prev_named_sibling(n);
	}
	return false;
}

/* Whether the node stands in the branch of an `if`, `c ? a : b`, that is not taken. */
static bool is_in_other_branch(struct dataflow_context *a, struct expression t, TSNode around)
{
	TSNode condition = node_field(around, "condition"), then = node_field(around, "consequence");

	if (ts_node_is_null(condition) || ts_node_is_null(then) || node_within(t.n, condition))
		return false;
	enum truth other = TRUTH_FALSE;
	if (!node_within(t.n, then))
		other = TRUTH_TRUE;
	return condition_value(a, expression_at(t, condition)) == other;
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
		TSNode around = ts_node_parent(at.n);
		if (ts_node_is_null(around) || is_function_node(t.in->t, at.n))
			return false;
		if (is_in_other_branch(a, t, around))
			return true;
		if (strstr(ts_node_type(at.n), "el") == ts_node_type(at.n) && is_behind_taken(a, at))
			return true;
		if (strstr(ts_node_type(around), "block") && is_left_before(a, at))
			return true;
		at.n = around;
	}
	return false;
}
