#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/object_fields.h"
#include "shard/syntax/slash_endings.h"

enum { DEEP = 24, MAX_STEPS = 16, BUDGET = 4000, MAX_DIGITS = 6 };

void eval_unknown(struct eval *v)
{
	buf_str(v->out, "{}");
}

void eval_note_gap(struct eval *v, struct expression t, const char *why)
{
	if (!v->ask->gap.why && !ts_node_is_null(t.n))
		v->ask->gap = (struct value_gap){ why, t };
}

bool eval_known(const struct buf *b, size_t from)
{
	const char *s = b->p + from;
	size_t n = b->n - from;

	return n && !(n == 2 && !memcmp(s, "{}", 2)) && !(n == 3 && !memcmp(s, URL_PARAMETER, 3));
}

void eval_into(struct eval *v, struct expression t, struct buf *out)
{
	struct eval sub = { .ask = v->ask, .out = out, .depth = v->depth };

	eval(&sub, t);
}

/*
 * Of two slashes where parts of a text meet, one goes: a base that ends with a slash is never the
 * beginning of a host.
 */
static void join_slashes(struct eval *v, size_t at)
{
	const char *s = v->out->p;

	if (!at || at >= v->out->n || s[at - 1] != '/' || s[at] != '/' || (at > 1 && s[at - 2] == ':'))
		return;
	memmove(v->out->p + at, v->out->p + at + 1, v->out->n - at - 1);
	v->out->n--;
}

/* The number of letters and digits at the beginning. */
static size_t word_length(const char *s, size_t n)
{
	size_t len = 0;

	while (len < n && isalnum((unsigned char)s[len]))
		len++;
	return len;
}

/*
 * A URL whose first part is a name's value, a plain word, and goes on at `at` with a segment of its
 * own, `unset` + `users/1`: the word only stands for a base that is set at run time.
 */
static void forget_placeholder(struct eval *v, bool named, size_t at)
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

void eval_next(struct eval *v, struct expression t)
{
	size_t at = v->out->n;

	eval(v, t);
	join_slashes(v, at);
}

static void add_text(struct eval *v, const struct syntax_tree *t, uint32_t from, uint32_t to)
{
	if (v->out->n + (to - from) <= LONGEST)
		buf_put(v->out, t->text + from, to - from);
}

/*
 * A piece of a literal.  The dollar that begins a placeholder of a setting is written `\$` where a
 * plain one begins a hole (Kotlin).
 */
static void add_piece(struct eval *v, const struct syntax_tree *t, TSNode piece)
{
	uint32_t from = node_start_byte(piece), to = node_end_byte(piece);

	for (uint32_t i = from; i + 2 < to; i++) {
		if (memcmp(t->text + i, "\\${", 3))
			continue;
		add_text(v, t, from, i);
		from = i + 1;
	}
	add_text(v, t, from, to);
}

static void escape(struct eval *v, const struct syntax_tree *t, TSNode n)
{
	static const char from[] = "nrt0", to[] = { '\n', '\r', '\t', ' ' };
	char c = ' ';

	if (node_len(n) > 1)
		c = t->text[node_start_byte(n) + 1];
	const char *at = strchr(from, c);
	if (at && *at)
		c = to[at - from];
	buf_byte(v->out, c);
}

struct expression expression_at(struct expression t, TSNode n)
{
	return (struct expression){ t.in, n, t.given };
}

/* An expression inside a string: its first child that has a value. */
static void eval_hole(struct eval *v, struct expression t)
{
	const struct node_rule *own = rules_of(t.in->t->rules, t.n);
	const struct expr_rule *index = rules_expr(t.in->t, t.n);

	if (own && (own->op || (index && index->op == EXPR_INDEX))) {
		eval(v, t);
		return;
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(t.n); i < count && i < MAX_ARGS; i++) {
		TSNode k = ts_node_named_child(t.n, i);
		const struct node_rule *r = rules_of(t.in->t->rules, k);
		const struct expr_rule *x = rules_expr(t.in->t, k);
		if ((r && r->op) || (x && x->op == EXPR_INDEX)) {
			eval(v, expression_at(t, k));
			return;
		}
	}
	eval(v, t);
}

/* A string literal or template: its pieces in order. */
static unsigned marks_of(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (r)
		return r->marks;
	return 0;
}

/* A string literal whose node has no parts: C#'s @"x", Ruby's :x; or a number. */
static void eval_plain_text(struct eval *v, struct expression t)
{
	const char *text = t.in->t->text, *from = text + node_start_byte(t.n);
	const char *quote = memchr(from, '"', node_len(t.n));

	if (isdigit((unsigned char)*from))
		add_text(v, t.in->t, node_start_byte(t.n), node_end_byte(t.n));
	if (*from == ':')
		add_text(v, t.in->t, node_start_byte(t.n) + 1, node_end_byte(t.n));
	if (quote && quote + 1 < text + node_end_byte(t.n))
		add_text(v, t.in->t, (uint32_t)(quote + 1 - text), node_end_byte(t.n) - 1);
}

/* A string literal or template: its pieces in order. */
static void eval_text(struct eval *v, struct expression t)
{
	TSTreeCursor c = ts_tree_cursor_new(t.n);
	bool hole = false;
	size_t first = 0; /* the end of a hole that the text begins with */

	if (!ts_node_child_count(t.n))
		eval_plain_text(v, t);
	for (bool more = ts_tree_cursor_goto_first_child(&c); more && v->out->n < LONGEST;
	    more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		unsigned marks = marks_of(t.in->t, k);
		size_t at = v->out->n;
		bool part = marks & MARK_HOLE || hole;
		hole = marks & MARK_HOLE;
		if (marks & MARK_PIECE)
			add_piece(v, t.in->t, k);
		else if (marks & MARK_ESCAPE)
			escape(v, t.in->t, k);
		else if (marks & MARK_HOLE)
			eval_hole(v, expression_at(t, k));
		if (part)
			join_slashes(v, at);
		if (first && at == first)
			forget_placeholder(v, true, at);
		if (!at && marks & MARK_HOLE)
			first = v->out->n;
	}
	ts_tree_cursor_delete(&c);
}

/* The value of a keyword argument, `name=value`; a null node if there is none. */
static TSNode named_argument(
    const struct syntax_tree *t, const TSNode *arg, size_t n, const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		TSNode key = ts_node_child_by_field_name(arg[i], "name", 4);
		if (!ts_node_is_null(key) && node_len(key) == len &&
		    !memcmp(t->text + node_start_byte(key), name, len))
			return ts_node_child_by_field_name(arg[i], "value", 5);
	}
	return (TSNode){ 0 };
}

/* The end of the placeholder at `s`; NULL: there is none. */
static const char *format_hole_end(const char *s, bool brace)
{
	const char *end = NULL;

	if (brace && *s == '{')
		end = strchr(s, '}');
	else if (!brace && *s == '%' && s[1] != '%')
		end = s + 1 + strspn(s + 1, "0123456789.+-# ");
	if (!end || !*end)
		return NULL;
	return end;
}

/*
 * Replace a format's placeholders with its arguments: {} {0} {name} if `brace`, else %s %d %v.
 */
static void fill(struct eval *v, const char *format, struct expression t, const TSNode *arg,
    size_t n, bool brace)
{
	size_t next = 0;

	for (const char *s = format; *s && v->out->n < LONGEST; s++) {
		const char *end = format_hole_end(s, brace);
		TSNode named = { 0 };
		if (!end) {
			if (!brace && *s == '%' && s[1] == '%')
				s++;
			buf_byte(v->out, *s);
			continue;
		}
		if (brace)
			named = named_argument(t.in->t, arg, n, s + 1, strspn(s + 1, IDENTIFIER));
		bool positional = !brace || end == s + 1 || isdigit((unsigned char)s[1]);
		if (!ts_node_is_null(named))
			eval(v, expression_at(t, named));
		else if (next < n && positional)
			eval(v, expression_at(t, arg[next++]));
		else
			eval_unknown(v);
		s = end;
	}
}

void eval_format(struct eval *v, struct expression template, struct expression t, const TSNode *arg,
    size_t n, bool brace)
{
	struct buf format = { 0 };

	eval_into(v, template, &format);
	if (format.n)
		fill(v, format.p, t, arg, n, brace);
	buf_free(&format);
}

static bool is_parameter(const struct buf *b, size_t from)
{
	return b->n - from == 3 && !memcmp(b->p + from, URL_PARAMETER, 3);
}

/* `a || b`: the first that is known; of what a caller may give, `b` is the default. */
static void eval_either(struct eval *v, struct expression a, struct expression b)
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
}

/*
 * Whether an operator `/` appends segments to a URL or path, not divides: one of the operands on its
 * right is a text.
 */
static bool appends_segment(const struct syntax_tree *t, TSNode n)
{
	for (int depth = 0; depth < DEEP && !ts_node_is_null(n); depth++) {
		TSNode op = node_field(n, "operator"), right = node_field(n, "right");
		if (ts_node_is_null(op) || ts_node_is_null(right) || !node_is(t, op, "/"))
			return false;
		const struct node_rule *r = rules_of(t->rules, right);
		if (r && r->op == VALUE_TEXT && !isdigit((unsigned char)t->text[node_start_byte(right)]))
			return true;
		n = node_field(n, "left");
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
	forget_placeholder(v, whole && r && (r->op == VALUE_NAME || r->op == VALUE_CALL), at);
}

static void eval_join(struct eval *v, struct expression t)
{
	static const char *const joins[] = { "+", ".", "<>" }, *const either[] = { "||", "??", "or" };
	TSNode left = ts_node_child_by_field_name(t.n, "left", 4),
	       right = ts_node_child_by_field_name(t.n, "right", 5);
	TSNode op = ts_node_child_by_field_name(t.n, "operator", 8);

	if (ts_node_is_null(op)) {	/* literals side by side */
		uint32_t count = ts_node_named_child_count(t.n);
		for (uint32_t i = 0; i < count && i < MAX_ARGS; i++)
			eval(v, expression_at(t, ts_node_named_child(t.n, i)));
	} else if (is_one_of(t.in->t, op, joins)) {
		eval_concatenation(v, expression_at(t, left), expression_at(t, right));
	} else if (is_one_of(t.in->t, op, either)) {
		eval_either(v, expression_at(t, left), expression_at(t, right));
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

TSNode last_named_child(TSNode n)
{
	uint32_t count = ts_node_named_child_count(n);

	if (!count)
		return (TSNode){ 0 };
	return ts_node_named_child(n, count - 1);
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

/* Whether an expression says that there is no value: null, undefined, throw. */
static bool is_no_value(const struct syntax_tree *t, TSNode n)
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

/* `c ? a : b`: the caller evaluates once for each value (dataflow_context.choice). */
static void eval_choice(struct eval *v, struct expression t)
{
	TSNode of[2], condition = ts_node_child_by_field_name(t.n, "condition", 9);

	choices(t.n, of);
	if (is_no_value(t.in->t, of[0]) || is_no_value(t.in->t, of[1])) {
		eval(v, expression_at(t, of[is_no_value(t.in->t, of[0])]));
		return;
	}
	if (!ts_node_is_null(condition) && ts_node_eq(condition, of[0])) {	/* a ?: b */
		eval_either(v, expression_at(t, of[0]), expression_at(t, of[1]));
		return;
	}
	eval(v, eval_chosen(v->ask, t));
}

/* Whether statements change the variable that an argument is: send(&url). */
static bool is_changed(struct expression argument)
{
	struct variable_change change[MOST_CHANGES];
	TSNode n = argument.n;

	while (ts_node_named_child_count(n) == 1)
		n = ts_node_named_child(n, 0);
	const struct node_rule *r = rules_of(argument.in->t->rules, n);
	return r && r->op == VALUE_NAME && variable_changes(argument.in, n, change);
}

/*
 * A parameter, from the call through which the function is seen; false: unknown.  `changed`: only
 * if it is a variable that statements change, which its origin does not tell.
 */
static bool eval_argument(struct eval *v, struct expression t, bool changed)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	size_t before = v->out->n;

	if (!t.given)
		return false;
	TSNode function = function_of_parameter(t.in, t.n, name, node_len(t.n));
	if (ts_node_is_null(function))
		return false;
	for (const struct call_frame *g = t.given; g; g = g->call.given) {
		struct expression argument = { 0 };
		if (g->in == t.in && ts_node_eq(g->function, function))
			argument = parameter_argument(v->ask, g, name, node_len(t.n));
		if (!ts_node_is_null(argument.n) && (!changed || is_changed(argument)))
			eval(v, argument);
		if (eval_known(v->out, before))
			return true;
		v->out->n = before;
	}
	return false;
}

/* A name or call; its value may also come from a caller or a setting. */
static void eval_named(struct eval *v, struct expression t, bool name)
{
	size_t before = v->out->n;

	if (name && eval_argument(v, t, true))
		return;
	if (name)
		eval_name(v, t);
	else
		eval_call(v, t);
	if (v->out->n != before + 2 || eval_known(v->out, before))
		return;
	v->out->n = before;
	if (!eval_argument(v, t, false) && !eval_option(v, t))
		eval_unknown(v);
}

/* Whether the node is a whole number as a path has it: 4; not 0x4 or 1_000. */
static bool is_number(const struct syntax_tree *t, TSNode n)
{
	uint32_t len = node_len(n);

	return len && len <= MAX_DIGITS && !ts_node_child_count(n) &&
	    strspn(t->text + node_start_byte(n), "0123456789") == len;
}

void eval(struct eval *v, struct expression t)
{
	const struct node_rule *r = NULL;

	if (!ts_node_is_null(t.n))
		r = rules_of(t.in->t->rules, t.n);
	bool beyond = v->depth >= DEEP || v->out->n >= LONGEST || --v->ask->budget < 0;
	if (!beyond && !ts_node_is_null(t.n) && is_number(t.in->t, t.n)) {
		add_text(v, t.in->t, node_start_byte(t.n), node_end_byte(t.n));
		return;
	}
	if (!r || beyond) {
		eval_note_gap(v, t, beyond ? "limit" : "expression");
		eval_unknown(v);
		return;
	}
	v->depth++;
	switch (r->op) {
	case VALUE_TEXT: eval_text(v, t); break;
	case VALUE_JOIN: eval_join(v, t); break;
	case VALUE_INNER: eval(v, expression_at(t, ts_node_named_child(t.n, 0))); break;
	case VALUE_NAME: case VALUE_CALL: eval_named(v, t, r->op == VALUE_NAME); break;
	case VALUE_CHOICE: eval_choice(v, t); break;
	case VALUE_LAST: eval(v, expression_at(t, last_named_child(t.n))); break;
	case VALUE_EITHER:
		eval_either(
		    v, expression_at(t, ts_node_named_child(t.n, 0)), expression_at(t, last_named_child(t.n)));
		break;
	case VALUE_PARTS: eval_parts(v, t); break;
	case VALUE_LIST: case VALUE_FIELDS: eval_unknown(v); break;
	case VALUE_NONE:
		if (!eval_index(v, t))
			eval_unknown(v);
		break;
	}
	v->depth--;
}

/* Where a name begins in `this.x`, `self.x`, `Type.X`: behind the last dot. */
static size_t owner_length(const char *text, size_t len)
{
	const char *dot = memrchr(text, '.', len);

	if (!dot)
		return 0;
	return (size_t)(dot + 1 - text);
}

const struct binding *url_binding(const struct syntax_tree *t, TSNode n)
{
	const char *text = t->text + node_start_byte(n);
	size_t len = node_len(n), owner = owner_length(text, len);
	bool own = owner == 5 && (!memcmp(text, "this.", 5) || !memcmp(text, "self.", 5));

	if (owner && !own && !isupper((unsigned char)*text))
		return NULL;
	const struct binding *b = find_local_binding(
	    t, text + owner, len - owner, node_start_byte(n), NULL);
	if (b && !node_within(n, b->value))
		return b;
	return NULL;
}

TSNode url_merge_arguments(const struct syntax_tree *t, TSNode call)
{
	TSNode arguments = arguments_of(t, call);
	const struct call_rule *rule;
	char name[80];

	if (ts_node_is_null(arguments))
		return arguments;
	call_callee(t, call, arguments, name, sizeof name);
	rule = call_rule_of(t->rules, name);
	if (!rule || rule->how != CALL_MERGE)
		return (TSNode){ 0 };
	return arguments;
}

/* The node that a name stands for in the end, or the node itself, and its rule (NULL: none). */
static TSNode resolve_alias(const struct syntax_tree *t, TSNode n, const struct node_rule **r)
{
	for (int depth = 0; depth < DEEP; depth++) {
		*r = NULL;
		if (ts_node_is_null(n))
			break;
		*r = rules_of(t->rules, n);
		if (!*r)
			break;
		if ((*r)->op == VALUE_INNER) {
			n = ts_node_named_child(n, 0);
			continue;
		}
		if ((*r)->op != VALUE_NAME)
			break;
		const struct binding *b = url_binding(t, n);
		if (b)
			n = b->value;
		else
			n = object_member(t, n);
	}
	return n;
}

bool url_is_object(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r;

	if (ts_node_is_null(n))
		return false;
	n = resolve_alias(t, n, &r);
	if (!r)
		return false;
	if (r->op == VALUE_CALL)
		return !ts_node_is_null(url_merge_arguments(t, n));
	return r->op == VALUE_FIELDS;
}

size_t url_elements(const struct syntax_tree *t, TSNode n, TSNode *out, size_t cap)
{
	const struct node_rule *r;
	uint32_t count;

	n = resolve_alias(t, n, &r);
	if (!r || r->op != VALUE_LIST)
		return 0;
	count = ts_node_named_child_count(n);
	for (uint32_t i = 0; i < count && i < cap; i++)
		out[i] = ts_node_named_child(n, i);
	return MIN(count, cap);
}

void url_add_step(struct dataflow_context *a, const char *path, uint32_t line, const char *text)
{
	struct url_steps *s = a->steps;

	for (size_t i = 0; s && i < s->n; i++)
		if (s->v[i].file == path && s->v[i].line == line && !strcmp(s->v[i].text, text))
			return;
	if (!s || s->n == MAX_STEPS)
		return;
	s->v = grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	s->v[s->n++] = (struct step){ .file = path, .line = line, .text = text };
}

void url_text(struct dataflow_context *a, struct expression t, struct buf *out)
{
	struct eval v = { .ask = a, .out = out };
	size_t from = out->n;

	a->budget = BUDGET;
	a->depth = 0;
	eval(&v, t);
	if (!t.in->t->rules->placeholders.n)
		return;
	const char *text = arena_strn(a->a, out->p + from, out->n - from);
	if (strstr(text, "${")) {
		out->n = from;
		buf_str(out, eval_placeholders(a, t.in, text, 0));
	}
}
