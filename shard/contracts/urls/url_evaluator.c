#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum { MAX_STEPS = 16, BUDGET = 4000, MAX_DIGITS = 6 };

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

void eval_join_slashes(struct eval *v, size_t at)
{
	const char *s = v->out->p;

	if (!at || at >= v->out->n || s[at - 1] != '/' || s[at] != '/' || (at > 1 && s[at - 2] == ':'))
		return;
	memmove(v->out->p + at, v->out->p + at + 1, v->out->n - at - 1);
	v->out->n--;
}

void eval_next(struct eval *v, struct expression t)
{
	size_t at = v->out->n;

	eval(v, t);
	eval_join_slashes(v, at);
}

struct expression expression_at(struct expression t, TSNode n)
{
	return (struct expression){ t.in, n, t.given };
}

TSNode last_named_child(TSNode n)
{
	uint32_t count = ts_node_named_child_count(n);

	if (!count)
		return (TSNode){ 0 };
	return ts_node_named_child(n, count - 1);
}

bool eval_is_changed(struct expression argument)
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
		if (!ts_node_is_null(argument.n) && (!changed || eval_is_changed(argument)))
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
		eval_source(v, t.in->t, node_start_byte(t.n), node_end_byte(t.n));
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
