#include "shard/contracts/urls/known_conditions.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MOST_NESTED = 6, MOST_VISITED = 256 };

static const char *const yes[] = { "true", "True", "TRUE" };
static const char *const no[] = { "false", "False", "FALSE" };
static const char *const equal[] = { "==", "===", "is" };
static const char *const unequal[] = { "!=", "!==", "is not" };
static const char *const nothing_tests[] = { "nil?", "blank?", "is_null", "isNull", "empty",
	"IsNullOrEmpty", "IsNullOrWhiteSpace" };
static const char *const something_tests[] = { "present?", "isset", "nonNull" };
static const char *const negations[] = { "!", "not" };
static const char *const all_of[] = { "&&", "and" };
static const char *const any_of[] = { "||", "or" };

static bool is_one_of(const struct syntax_tree *t, TSNode n, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (node_is(t, n, words[i]))
			return true;
	return false;
}

enum truth truth_opposite(enum truth x)
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

/* Whether a value is a text or an object that is written out: it is not nothing. */
static bool is_literal(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return (r && r->op == VALUE_TEXT) || literal_is_object(n);
}

/* Whether a name is a parameter or a variable of its function: members change at other times. */
static bool is_own_variable(struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	const char *name = tree->text + node_start_byte(t.n);
	size_t n = node_len(t.n);
	const struct expr_rule *x = rules_expr(tree, t.n);

	if (!x || x->op != EXPR_NAME || *name == '@')
		return false;
	if (!ts_node_is_null(function_of_parameter(t.in, t.n, name, n)))
		return true;
	const struct binding *b = find_local_binding(tree, name, n, node_start_byte(t.n), NULL);
	return b && b->from;
}

/* What a value that is nothing says; the default of a parameter says nothing of other callers. */
static enum truth truth_of_nothing(const struct dataflow_context *a, enum truth value)
{
	if (a->defaults)
		return TRUTH_UNKNOWN;
	return value;
}

/* Whether a name is passed what another function requires its callers to pass: there is a value. */
static bool is_passed_on(struct expression t, const struct origin *o)
{
	const char *name = t.in->t->text + node_start_byte(t.n);

	if (o->what != ORIGIN_PARAMETER || !o->name)
		return false;
	TSNode own = function_of_parameter(t.in, t.n, name, node_len(t.n));
	return !ts_node_is_null(own) && !ts_node_eq(own, o->function) &&
	    parameter_is_required(o->at.in, o->function, o->name, strlen(o->name));
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the name stands in a text. */
static bool mentions(const char *s, size_t n, const char *name, size_t len)
{
	for (const char *end = s + n; (s = memmem(s, (size_t)(end - s), name, len)); s += len)
		if (!is_word(s[-1]) && !is_word(s[len]))
			return true;
	return false;
}

/*
 * Whether what depends on a condition uses the name that is the condition: a number or a text, and
 * no switch between two ways.
 */
static bool is_used_if_given(struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	const char *name = tree->text + node_start_byte(t.n);
	TSNode around = ts_node_parent(t.n), condition = { 0 };

	for (int i = 0; i < MOST_NESTED && !ts_node_is_null(around); i++) {
		condition = node_field(around, "condition");
		if (!ts_node_is_null(condition))
			break;
		around = ts_node_parent(around);
	}
	if (ts_node_is_null(condition) || !node_within(t.n, condition))
		return false;
	uint32_t from = node_start_byte(around), to = node_start_byte(condition);
	const char *behind = tree->text + node_end_byte(condition);
	return mentions(tree->text + from, to - from, name, node_len(t.n)) ||
	    mentions(behind, node_end_byte(around) - node_end_byte(condition), name, node_len(t.n));
}

/* Whether an expression has no value: null, or a name that is given null. */
static enum truth is_nothing(struct dataflow_context *a, struct expression t)
{
	struct origin o = { 0 };

	if (is_own_variable(t))
		o = origin_of(a, t);
	if (o.what == ORIGIN_DEFINITION || is_passed_on(t, &o))
		return TRUTH_FALSE;
	if (o.what != ORIGIN_NODE)
		return TRUTH_UNKNOWN;
	if (means_nothing(o.at.in->t, o.at.n))
		return truth_of_nothing(a, TRUTH_TRUE);
	if (is_literal(o.at.in->t, o.at.n) && ts_node_named_child_count(o.at.n))
		return TRUTH_FALSE;
	return TRUTH_UNKNOWN;
}

/* Whether an expression is the empty text. */
static enum truth is_empty_text(struct dataflow_context *a, struct expression t)
{
	struct buf text = { 0 };
	struct origin o = origin_of(a, t);
	enum truth out = TRUTH_UNKNOWN;

	if (o.what == ORIGIN_NODE && means_empty(o.at.in->t, o.at.n))
		return truth_of_nothing(a, TRUTH_TRUE);
	if (known_text(a, t, &text))
		out = TRUTH_FALSE;
	buf_free(&text);
	return out;
}

static enum truth compared(
    struct dataflow_context *a, struct expression left, struct expression right)
{
	struct buf one = { 0 }, other = { 0 };
	enum truth out = TRUTH_UNKNOWN;

	if (means_nothing(right.in->t, right.n))
		return is_nothing(a, left);
	/* the right side is mostly a constant, or nothing: that is soon known */
	if (means_empty(right.in->t, right.n))
		return is_empty_text(a, left);
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

/* Whether the text of an expression, as far as it is known, begins with that of another. */
static enum truth begins_with(
    struct dataflow_context *a, struct expression text, struct expression beginning)
{
	struct buf one = { 0 }, start = { 0 };
	struct eval v = { .ask = a, .out = &one };
	enum truth out = TRUTH_UNKNOWN;

	if (known_text(a, beginning, &start)) {
		eval(&v, text);
		size_t known = 0;
		while (known < one.n && one.p[known] != '{')
			known++;
		size_t n = MIN(known, start.n);
		if (n == start.n && !memcmp(one.p, start.p, n))
			out = TRUTH_TRUE;
		else if (one.n && memcmp(one.p, start.p, n))
			out = TRUTH_FALSE;
	}
	buf_free(&one);
	buf_free(&start);
	return out;
}

/* strings.HasPrefix(path, "/"), path.startsWith("/"), path.starts_with('/') */
static enum truth truth_of_call(struct dataflow_context *a, struct expression t)
{
	static const char *const names[] = { "HasPrefix", "startsWith", "startswith", "starts_with",
		"StartsWith", "start_with?", "str_starts_with" };
	TSNode argument[2], arguments = arguments_of(t.in->t, t.n);
	char name[80];

	call_callee(t.in->t, t.n, arguments, name, sizeof name);
	const char *last = strrchr(name, '.');
	last = last ? last + 1 : name;
	size_t n = call_arguments(t.in->t, t.n, argument, 2);
	struct expression text = { t.in, call_object(t.in->t, t.n), t.given };
	for (size_t i = 0; i < LEN(names); i++) {
		if (strcmp(names[i], last))
			continue;
		if (n == 2)
			return begins_with(a, expression_at(t, argument[0]), expression_at(t, argument[1]));
		if (n == 1 && !ts_node_is_null(text.n))
			return begins_with(a, text, expression_at(t, argument[0]));
	}
	return TRUTH_UNKNOWN;
}

static enum truth value_of(struct dataflow_context *a, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	enum truth called = TRUTH_UNKNOWN;

	if (x && x->op == EXPR_CALL)
		called = truth_of_call(a, t);
	if (called != TRUTH_UNKNOWN)
		return called;
	if (!ts_node_named_child_count(t.n) && rest_is_given(t.given, t))
		return truth_of_rest(t);
	struct origin o = origin_of(a, t);

	if (is_own_variable(t) && is_passed_on(t, &o) && is_used_if_given(t))
		return TRUTH_TRUE;
	if (o.what != ORIGIN_NODE)
		return TRUTH_UNKNOWN;
	if (is_one_of(o.at.in->t, o.at.n, yes, LEN(yes)))
		return TRUTH_TRUE;
	if (is_one_of(o.at.in->t, o.at.n, no, LEN(no)))
		return TRUTH_FALSE;
	if (!is_own_variable(t))
		return TRUTH_UNKNOWN;
	if (means_nothing(o.at.in->t, o.at.n))
		return truth_of_nothing(a, TRUTH_FALSE);
	if (is_literal(o.at.in->t, o.at.n) && ts_node_named_child_count(o.at.n))
		return TRUTH_TRUE;
	return TRUTH_UNKNOWN;
}

/* Whether a call asks if there is a value, x.nil? or is_null(x): what it asks about, in `*of`. */
static bool asks_for_value(struct expression t, struct expression *of, bool *nothing)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	TSNode argument;
	char name[80];

	if (!x || x->op != EXPR_CALL)
		return false;
	call_callee(t.in->t, t.n, arguments_of(t.in->t, t.n), name, sizeof name);
	const char *dot = strrchr(name, '.'), *word = name;
	if (dot)
		word = dot + 1;
	*nothing = false;
	for (size_t i = 0; i < LEN(nothing_tests); i++)
		*nothing |= !strcmp(word, nothing_tests[i]);
	bool something = false;
	for (size_t i = 0; i < LEN(something_tests); i++)
		something |= !strcmp(word, something_tests[i]);
	*of = t;
	if (call_arguments(t.in->t, t.n, &argument, 1) == 1)
		of->n = argument;
	else
		of->n = call_object(t.in->t, t.n);
	return (*nothing || something) && !ts_node_is_null(of->n);
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

/* The list of which an expression is the length: paths.length, len(paths); or a null node. */
static TSNode measured_list(const struct syntax_tree *t, TSNode n)
{
	static const char *const lengths[] = { "length", "Length", "size", "count", "Count" };
	const struct expr_rule *x = rules_expr(t, n);
	TSNode argument, none = { 0 };

	if (x && x->op == EXPR_MEMBER &&
	    is_one_of(t, node_path_get(&x->name, n), lengths, LEN(lengths)))
		return node_path_get(&x->object, n);
	if (x && x->op == EXPR_CALL && call_arguments(t, n, &argument, 1) == 1 &&
	    !strncmp(t->text + node_start_byte(n), "len(", 4))
		return argument;
	return none;
}

/* Whether the other arguments, or their number, equal the right side: null, 0. */
static enum truth compared_rest(struct expression left, struct expression right)
{
	struct expression list = { left.in, measured_list(left.in->t, left.n), left.given };
	bool count = !ts_node_is_null(list.n);

	if (!count)
		list.n = left.n;
	if (ts_node_named_child_count(list.n) || !rest_is_given(list.given, list))
		return TRUTH_UNKNOWN;
	if (!count && means_nothing(right.in->t, right.n))
		return TRUTH_FALSE;
	if (count && node_is(right.in->t, right.n, "0"))
		return truth_opposite(truth_of_rest(list));
	return TRUTH_UNKNOWN;
}

static enum truth equals(
    struct dataflow_context *a, struct expression left, struct expression right)
{
	enum truth out = compared_rest(left, right);

	if (out == TRUTH_UNKNOWN)
		out = compared(a, left, right);
	return out;
}

static enum truth of_two(struct dataflow_context *a, struct expression t, int depth)
{
	TSNode sign = ts_node_child(t.n, 1);
	struct expression left = { t.in, ts_node_child(t.n, 0), t.given };
	struct expression right = { t.in, ts_node_child(t.n, 2), t.given };

	if (is_one_of(t.in->t, sign, equal, LEN(equal)))
		return equals(a, left, right);
	if (is_one_of(t.in->t, sign, unequal, LEN(unequal)))
		return truth_opposite(equals(a, left, right));
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
	bool nothing;

	if (depth == MOST_NESTED)
		return TRUTH_UNKNOWN;
	if (asks_for_value(t, &inner, &nothing)) {
		if (nothing)
			return is_nothing(a, inner);
		return truth_opposite(is_nothing(a, inner));
	}
	inner = t;
	if (count == 3 && named == 1 && node_is(t.in->t, ts_node_child(t.n, 0), "(")) {
		inner.n = ts_node_named_child(t.n, 0);
		return evaluate(a, inner, depth + 1);
	}
	if (count == 2 && named == 1 &&
	    is_one_of(t.in->t, ts_node_child(t.n, 0), negations, LEN(negations))) {
		inner.n = ts_node_named_child(t.n, 0);
		return truth_opposite(evaluate(a, inner, depth + 1));
	}
	if (count == 3 && named == 2)
		return of_two(a, t, depth + 1);
	return value_of(a, t);
}

/* Whether a condition holds, or (`right`) whether two values are equal, noting nothing else. */
static enum truth decide(
    struct dataflow_context *a, struct expression left, struct expression right)
{
	struct url_steps *steps = a->steps;
	struct value_gap gap = a->gap;
	int choices = a->choices, budget = a->budget;
	bool unknown = a->unknown;
	enum truth out;

	if (!left.given || ts_node_is_null(left.n) || a->deciding)
		return TRUTH_UNKNOWN;
	a->steps = NULL; /* the path does not consist of it */
	a->deciding = true;
	a->budget = MIN(budget, MOST_VISITED);
	if (ts_node_is_null(right.n))
		out = evaluate(a, left, 0);
	else
		out = compared(a, left, right);
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

enum truth condition_value(struct dataflow_context *a, struct expression condition)
{
	return decide(a, condition, (struct expression){ 0 });
}

enum truth condition_equals(
    struct dataflow_context *a, struct expression left, struct expression right)
{
	if (ts_node_is_null(right.n))
		return TRUTH_UNKNOWN;
	return decide(a, left, right);
}
