#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/known_conditions.h"
#include "shard/syntax/slash_endings.h"

/* The number of letters and digits at the beginning. */
static size_t word_length(const char *s, size_t n)
{
	size_t len = 0;

	while (len < n && isalnum((unsigned char)s[len]))
		len++;
	return len;
}

void eval_forget_placeholder(struct eval *v, bool named, size_t at)
{
	enum { HOLE = 2, SHORTEST = 3 }; /* shorter is an ending: a plural */
	const char *s = v->out->p, *next = s + at;
	size_t n = v->out->n - at;

	if (!v->ask->calls || !named || at < HOLE || word_length(s, at) < at)
		return;
	if (!n || !islower((unsigned char)*next))
		return;
	size_t len = word_length(next, n);
	if (len < SHORTEST || (len < n && !strchr("/?-_", next[len])))
		return;
	memmove(v->out->p + HOLE, next, n);
	memcpy(v->out->p, "{}", HOLE);
	v->out->n = n + HOLE;
}

static bool is_parameter(const struct buf *b, size_t from)
{
	return b->n - from == 3 && !memcmp(b->p + from, URL_PARAMETER, 3);
}

/*
 * `a || b`: the first that is known; of what a caller may give, `b` is the default. An empty `b` says
 * nothing about the segment that `a` is.
 */
void eval_either(struct eval *v, struct expression a, struct expression b)
{
	size_t before = v->out->n;

	eval(v, a);
	if (eval_known(v->out, before))
		return;
	if (is_parameter(v->out, before)) {
		v->ask->defaulted = true;
		if (!v->ask->defaults)
			return;
	}
	v->out->n = before;
	eval(v, b);
	if (v->out->n == before && before && v->out->p[before - 1] == '/')
		eval_unknown(v);
}

/*
 * Whether an operator `/` appends segments to a URL or path, not divides: one of the operands on its
 * right, or the first one, is a text.
 */
static bool appends_segment(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r;

	for (int depth = 0; depth < DEEP && !ts_node_is_null(n); depth++) {
		TSNode op = node_field(n, "operator"), right = node_field(n, "right");
		if (ts_node_is_null(op) || ts_node_is_null(right) || !node_is(t, op, "/"))
			break;
		r = rules_of(t->rules, right);
		if (r && r->op == VALUE_TEXT && !isdigit((unsigned char)t->text[node_start_byte(right)]))
			return true;
		n = node_field(n, "left");
		r = NULL;
		if (!ts_node_is_null(n))
			r = rules_of(t->rules, n);
		if (r && r->op == VALUE_TEXT)
			return true;
	}
	return false;
}

/* The operands of `base / "orders" / id`, with slashes between them. */
static void eval_segments(struct eval *v, struct expression t)
{
	TSNode op = node_field(t.n, "operator");

	if (ts_node_is_null(op) || !node_is(t.in->t, op, "/")) {
		eval(v, t);
		return;
	}
	eval_segments(v, expression_at(t, node_field(t.n, "left")));
	size_t at = v->out->n;
	buf_byte(v->out, '/');
	eval(v, expression_at(t, node_field(t.n, "right")));
	if (v->out->n > at + 1 && v->out->p[at + 1] == '/') {	/* it begins with one */
		memmove(v->out->p + at, v->out->p + at + 1, v->out->n - at - 1);
		v->out->n--;
	}
}

/* "…" % x, "…" % (x, y) */
static void eval_percent(struct eval *v, struct expression t, TSNode left, TSNode right)
{
	TSNode arg[MAX_ARGS] = { right };
	size_t n = 1;

	if (!strcmp(ts_node_type(right), "tuple"))
		for (n = 0; n < MAX_ARGS && n < ts_node_named_child_count(right); n++)
			arg[n] = ts_node_named_child(right, (uint32_t)n);
	eval_format(v, expression_at(t, left), t, arg, n, false);
}

static bool is_one_of(const struct syntax_tree *t, TSNode n, const char *const text[3])
{
	return node_is(t, n, text[0]) || node_is(t, n, text[1]) || node_is(t, n, text[2]);
}

/* left + right */
static void eval_concatenation(struct eval *v, struct expression left, struct expression right)
{
	const struct node_rule *r = NULL;
	bool whole = !v->out->n;

	eval(v, left);
	size_t at = v->out->n;
	eval_next(v, right);
	if (!ts_node_is_null(left.n))
		r = rules_of(left.in->t->rules, left.n);
	eval_forget_placeholder(v, whole && r && (r->op == VALUE_NAME || r->op == VALUE_CALL), at);
}

static bool is_number(const struct syntax_tree *t, TSNode n)
{
	return !ts_node_is_null(n) && isdigit((unsigned char)t->text[node_start_byte(n)]);
}

void eval_join(struct eval *v, struct expression t)
{
	static const char *const joins[] = { "+", ".", "<>" }, *const either[] = { "||", "??", "or" };
	TSNode left = ts_node_child_by_field_name(t.n, "left", 4),
	       right = ts_node_child_by_field_name(t.n, "right", 5);
	TSNode op = ts_node_child_by_field_name(t.n, "operator", 8);

	if (ts_node_is_null(op)) {	/* literals side by side */
		uint32_t count = ts_node_named_child_count(t.n);
		for (uint32_t i = 0; i < count && i < MAX_ARGS; i++)
			eval(v, expression_at(t, ts_node_named_child(t.n, i)));
	} else if (is_number(t.in->t, left) && is_number(t.in->t, right)) {
		eval_unknown(v);	/* 1 + 1 */
	} else if (is_one_of(t.in->t, op, joins)) {
		eval_concatenation(v, expression_at(t, left), expression_at(t, right));
	} else if (is_one_of(t.in->t, op, either)) {
		eval_either(v, expression_at(t, left), expression_at(t, right));
	} else if (node_is(t.in->t, op, "<<")) {	/* base.dup << "/users" */
		eval_concatenation(v, expression_at(t, left), expression_at(t, right));
	} else if (node_is(t.in->t, op, "&&")) {	/* ready && "/users" */
		eval(v, expression_at(t, right));
	} else if (node_is(t.in->t, op, "%")) {
		eval_percent(v, t, left, right);
	} else if (appends_segment(t.in->t, t.n)) {
		eval_segments(v, t);
	} else {
		eval_unknown(v);
	}
}

/* Whether the condition stands between the values: `a if c else b`. */
static bool is_reversed_choice(TSNode n)
{
	return ts_node_child_count(n) > 1 && node_type_is(ts_node_child(n, 1), "if");
}

/* The two values that a conditional expression chooses from. */
static void choices(TSNode n, TSNode out[2])
{
	if (is_reversed_choice(n)) {
		out[0] = ts_node_named_child(n, 0);
		out[1] = last_named_child(n);
		return;
	}
	out[0] = ts_node_child_by_field_name(n, "consequence", 11);
	out[1] = ts_node_child_by_field_name(n, "alternative", 11);
	if (ts_node_is_null(out[0]))
		out[0] = ts_node_child_by_field_name(n, "body", 4);
	if (!ts_node_is_null(out[0]) && !ts_node_is_null(out[1]))
		return;
	uint32_t count = ts_node_named_child_count(n), first = 0;
	if (count > 2)
		first = count - 2;	/* behind the condition */
	out[0] = ts_node_named_child(n, first);
	out[1] = last_named_child(n);
}

enum { WRAPPED_MAX = 16 };

/* Whether a call says that there is no value: Err(e), Promise.reject(e). */
static bool is_failure(const struct syntax_tree *t, TSNode n)
{
	char name[40];

	call_callee(t, n, arguments_of(t, n), name, sizeof name);
	const struct call_rule *rule = call_rule_of(t->rules, name);
	return rule && rule->how == CALL_NOTHING;
}

/* What an expression has within parentheses and the like; null if it is none of these. */
static TSNode inner_expression(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	TSNode none = { 0 };

	if (r && r->op == VALUE_LAST)
		return last_named_child(n);
	if (r && r->op == VALUE_INNER)
		return ts_node_named_child(n, 0);
	return none;
}

static bool is_throw_or_nothing(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (means_nothing(t, n) || !strncmp(t->text + node_start_byte(n), "throw ", 6))
		return true;
	return r && r->op == VALUE_CALL && is_failure(t, n);
}

bool eval_is_no_value(const struct syntax_tree *t, TSNode n)
{
	for (int depth = 0; depth < WRAPPED_MAX && !ts_node_is_null(n); depth++) {
		if (is_throw_or_nothing(t, n))
			return true;
		n = inner_expression(t, n);
	}
	return false;
}

TSNode decided_choice(struct dataflow_context *a, struct expression t)
{
	TSNode of[2], condition = node_field(t.n, "condition"), none = { 0 };

	if (is_reversed_choice(t.n))
		condition = ts_node_named_child(t.n, 1);
	enum truth holds = condition_value(a, expression_at(t, condition));
	if (!holds)
		return none;
	choices(t.n, of);
	return of[holds == TRUTH_FALSE];
}

struct expression eval_chosen(struct dataflow_context *a, struct expression t)
{
	TSNode of[2];

	choices(t.n, of);
	for (int i = 0; i < 2; i++)
		if (is_with_slash(t.in->t, of[i], of[!i]))
			return expression_at(t, of[!i]);
	TSNode decided = decided_choice(a, t);
	if (!ts_node_is_null(decided))
		return expression_at(t, decided);
	if (a->choices < 2)
		a->choices = 2;
	return expression_at(t, of[a->choice > 0]);
}

/* ---- expressions of several cases, one of which gives the value: match, when, switch ---- */

enum { MOST_CASES = 32 };

struct value_case {
	TSNode value, pattern; /* a null pattern: all that is left */
};

struct value_cases {
	struct value_case v[MOST_CASES];
	size_t n;
	bool more; /* there are too many */
};

static void add_case(const struct syntax_tree *t, TSNode n, struct value_cases *out)
{
	const struct node_rule *r = rules_of(t->rules, n);
	struct value_case c = { .value = node_path_get(&r->case_value, n) };

	if (r->case_pattern.n)
		c.pattern = node_path_get(&r->case_pattern, n);
	if (ts_node_is_null(c.value) || eval_is_no_value(t, c.value))
		return;
	out->more |= out->n == MOST_CASES;
	if (!out->more)
		out->v[out->n++] = c;
}

/* The cases among the children of a node, or of its block. */
static void gather_cases(const struct syntax_tree *t, TSNode n, bool block, struct value_cases *out)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode child = ts_node_named_child(n, i);
		const struct node_rule *r = rules_of(t->rules, child);
		if (r && (r->marks & MARK_CASE))
			add_case(t, child, out);
		else if (block && i + 1 == count)
			gather_cases(t, child, false, out);
	}
}

/* What the cases are compared with: a member or name, or the object itself. */
static TSNode subject_of(TSNode n)
{
	TSNode s = ts_node_named_child(n, 0);

	while (ts_node_named_child_count(s) == 1)
		s = ts_node_named_child(s, 0);
	return s;
}

/* The argument that the calls at hand give for the subject; a null node: it is not known. */
static struct expression subject_argument(struct dataflow_context *a, struct expression subject)
{
	const char *name = subject.in->t->text + node_start_byte(subject.n);
	size_t len = node_len(subject.n);
	struct expression out = { 0 };
	bool own = word_set_has(&subject.in->t->rules->self, name, len);

	for (const struct call_frame *g = subject.given; g && ts_node_is_null(out.n);
	     g = g->call.given) {
		if (ts_node_is_null(g->call.n) || ts_node_is_null(g->function) || g->in != subject.in ||
		    !node_within(subject.n, g->function))
			continue;
		if (!own)
			return parameter_argument(a, g, name, len);
		out = g->call;
		out.n = call_object(g->call.in->t, g->call.n);
	}
	return out;
}

/* The last name or the text of an expression, without signs around it. */
static const char *last_word(const struct syntax_tree *t, TSNode n, size_t *len)
{
	const char *from = t->text + node_start_byte(n), *end = t->text + node_end_byte(n), *s;

	while (end > from && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	s = end;
	while (s > from && (isalnum((unsigned char)s[-1]) || s[-1] == '_'))
		s--;
	*len = (size_t)(end - s);
	return s;
}

/* Whether it is a name of a constant, or a literal, which no statement changes. */
static bool is_fixed(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	size_t len;
	const char *word = last_word(t, n, &len);

	if (r && r->op == VALUE_TEXT)
		return true;
	return len && (isupper((unsigned char)*word) || isdigit((unsigned char)*word));
}

/* The case that the argument of the calls at hand chooses, or NULL. */
static const struct value_case *decided_case(
    struct dataflow_context *a, struct expression t, const struct value_cases *cases)
{
	struct expression subject = { t.in, subject_of(t.n), t.given }, given = { 0 };
	size_t n, m;

	if (t.given && !ts_node_is_null(subject.n))
		given = subject_argument(a, subject);
	if (ts_node_is_null(given.n) || !is_fixed(given.in->t, given.n))
		return NULL;
	const char *word = last_word(given.in->t, given.n, &n);
	for (size_t i = 0; i < cases->n; i++) {
		if (ts_node_is_null(cases->v[i].pattern))
			continue;
		const char *of = last_word(t.in->t, cases->v[i].pattern, &m);
		if (n == m && !memcmp(word, of, n))
			return &cases->v[i];
	}
	return NULL;
}

TSNode case_value(struct dataflow_context *a, struct expression t)
{
	struct value_cases cases = { .n = 0 };
	const struct value_case *decided;

	if (ts_node_is_null(node_field(t.n, "consequence"))) /* else it is a condition */
		gather_cases(t.in->t, t.n, true, &cases);
	if (!cases.n || cases.more)
		return (TSNode){ 0 };
	decided = decided_case(a, t, &cases);
	a->decided |= decided != NULL;
	if (decided)
		return decided->value;
	a->choices = MAX(a->choices, (int)cases.n);
	return cases.v[MIN((size_t)a->choice, cases.n - 1)].value;
}

TSNode chosen_value(struct dataflow_context *a, struct expression t)
{
	TSNode of[2], value = case_value(a, t);

	if (!ts_node_is_null(value))
		return value;
	choices(t.n, of);
	if (eval_is_no_value(t.in->t, of[0]) || eval_is_no_value(t.in->t, of[1]))
		return of[eval_is_no_value(t.in->t, of[0])];
	return eval_chosen(a, t).n;
}

/* Whether it is `a ?: b`, whose condition is the first value. */
static bool has_no_first_value(TSNode n)
{
	TSNode condition = node_field(n, "condition");

	return !ts_node_is_null(condition) && ts_node_named_child_count(n) == 2 &&
	    ts_node_is_null(node_field(n, "consequence")) && ts_node_is_null(node_field(n, "body"));
}

/* The caller evaluates once for each value (dataflow_context.choice). */
void eval_choice(struct eval *v, struct expression t)
{
	if (has_no_first_value(t.n))
		eval_either(v, expression_at(t, ts_node_named_child(t.n, 0)),
		    expression_at(t, last_named_child(t.n)));
	else
		eval(v, expression_at(t, chosen_value(v->ask, t)));
}
