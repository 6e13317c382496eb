/* Cases of a `switch`, `match` or `when` that the arguments of the calls at hand choose. */
#include "shard/contracts/urls/known_conditions.h"

#include <string.h>

#include "proto/base/buf.h"
#include "shard/contracts/urls/url_evaluator_internal.h"

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
