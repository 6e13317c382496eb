/*
 * Cases of a `switch`, `match` or `when` and branches that the calls at hand take, and code that they
 * do not reach.
 */
#include "shard/contracts/urls/known_conditions.h"

#include <string.h>

#include "proto/base/buf.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/syntax/tree_nodes.h"

/* ---- cases ---- */

enum { MOST_PATTERNS = 16, MOST_CASES = 64, DEEPEST_PATTERN = 4 };

bool is_case(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && (r->marks & MARK_CASE);
}

static bool is_named(TSNode n, const char *word)
{
	return strstr(ts_node_type(n), word) != NULL;
}

/* The node within parentheses, and within nodes that only say that it is a pattern. */
static TSNode inner(TSNode n)
{
	for (int i = 0; i < DEEPEST_PATTERN && ts_node_named_child_count(n) == 1; i++) {
		if (!is_named(n, "parenthesized") && !is_named(n, "pattern") && !is_named(n, "_condition"))
			break;
		n = ts_node_named_child(n, 0);
	}
	return n;
}

/* What the cases are compared with; null: the node has no cases. */
static TSNode subject_of(TSNode cases)
{
	static const char *const fields[] = { "condition", "value", "subject" };
	TSNode n = { 0 };

	for (size_t i = 0; i < LEN(fields) && ts_node_is_null(n); i++)
		n = node_field(cases, fields[i]);
	if (ts_node_is_null(n))
		n = ts_node_named_child(cases, 0);
	if (ts_node_is_null(n))
		return n;
	return inner(n);
}

/* The first of the patterns of a case; null: it is for all that is left. */
static TSNode first_pattern(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	TSNode none = { 0 };

	if (!r || !r->case_pattern.n)
		return none;
	TSNode pattern = node_path_get(&r->case_pattern, n);
	if (!ts_node_is_null(pattern) && node_is(t, pattern, "_"))
		return none;
	return pattern;
}

/* All patterns of a case, those of a list apart; how many. */
static size_t patterns_of(const struct syntax_tree *t, TSNode n, TSNode out[MOST_PATTERNS])
{
	TSNode first = first_pattern(t, n);
	size_t count = 0;

	if (ts_node_is_null(first))
		return 0;
	first = inner(first);
	if (is_named(first, "_list") || is_named(first, "union") || is_named(first, "or_pattern")) {
		for (uint32_t i = 0; i < ts_node_named_child_count(first) && count < MOST_PATTERNS; i++)
			out[count++] = inner(ts_node_named_child(first, i));
		return count;
	}
	TSNode next = first_pattern(t, n);
	bool listed = !ts_node_eq(node_parent(next), n);
	const char *type = ts_node_type(next);
	for (; !ts_node_is_null(next) && count < MOST_PATTERNS; next = ts_node_next_named_sibling(next))
		if (listed || !strcmp(ts_node_type(next), type))
			out[count++] = inner(next);
		else
			break;
	return count;
}

/* Whether one of the patterns of a case is the subject's value; all that is left: false. */
static enum truth case_fits(struct dataflow_context *a, struct expression subject, TSNode n)
{
	TSNode pattern[MOST_PATTERNS];
	size_t count = patterns_of(subject.in->t, n, pattern);
	enum truth out = TRUTH_FALSE;

	for (size_t i = 0; i < count; i++) {
		struct expression p = { subject.in, pattern[i], subject.given };
		enum truth one = condition_equals(a, subject, p);
		if (one == TRUTH_TRUE)
			return TRUTH_TRUE;
		if (one == TRUTH_UNKNOWN)
			out = TRUTH_UNKNOWN;
	}
	if (count == MOST_PATTERNS)
		return TRUTH_UNKNOWN;
	return out;
}

/* Whether the case has no code of its own: that of the next one is run. */
static bool falls_through(TSNode n)
{
	return ts_node_named_child_count(n) == 1;
}

/* Whether the case itself fits, or one that has no code, right before it. */
static enum truth fits_with_those_before(
    struct dataflow_context *a, struct expression subject, TSNode n)
{
	enum truth out = case_fits(a, subject, n);

	for (int i = 0; i < MOST_CASES && out != TRUTH_TRUE; i++) {
		n = ts_node_prev_named_sibling(n);
		if (ts_node_is_null(n) || !is_case(subject.in->t, n) || !falls_through(n))
			break;
		enum truth one = case_fits(a, subject, n);
		if (one == TRUTH_TRUE || out == TRUTH_FALSE)
			out = one;
	}
	return out;
}

/* Whether no case but what is left fits. */
static enum truth is_left_over(struct dataflow_context *a, struct expression subject, TSNode n)
{
	TSNode cases = node_parent(n);
	uint32_t count = ts_node_named_child_count(cases);
	enum truth out = TRUTH_TRUE;

	for (uint32_t i = 0; i < count; i++) {
		TSNode one = ts_node_named_child(cases, i);
		if (!is_case(subject.in->t, one) || ts_node_eq(one, n))
			continue;
		enum truth fits = case_fits(a, subject, one);
		if (i == MOST_CASES || fits == TRUTH_TRUE)
			return TRUTH_FALSE;
		if (fits == TRUTH_UNKNOWN)
			out = TRUTH_UNKNOWN;
	}
	return out;
}

enum truth is_case_taken(struct dataflow_context *a, struct expression t, TSNode n)
{
	TSNode pattern = first_pattern(t.in->t, n), cases = node_parent(n);

	if (!is_case(t.in->t, n) || ts_node_is_null(cases))
		return TRUTH_UNKNOWN;
	if (!ts_node_is_null(pattern) && node_within(t.n, pattern))
		return TRUTH_UNKNOWN;
	if (is_named(cases, "body") || is_named(cases, "block"))
		cases = node_parent(cases);
	struct expression subject = { t.in, subject_of(cases), t.given };
	if (ts_node_is_null(subject.n) || node_within(t.n, subject.n))
		return TRUTH_UNKNOWN;
	if (ts_node_is_null(pattern))
		return is_left_over(a, subject, n);
	return fits_with_those_before(a, subject, n);
}

/* ---- branches ---- */

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
