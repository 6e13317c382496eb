/* The elements of lists, wherever they are written: in literals, arguments, sums, comprehensions. */
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/buf.h"

enum { MAX_DEPTH = 8, MAX_SPREAD = 8 };

struct list_collector {
	struct dataflow_context *a;
	struct expression *out;
	size_t n, max;
};

static bool collect(struct list_collector *, struct expression, int depth);

static bool is_spread(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && r->marks & MARK_SPREAD;
}

/* An element, or the elements of a list that is spread there. */
static bool collect_element(struct list_collector *l, struct expression t, int depth)
{
	if (node_type_is(t.n, "comment"))
		return true;
	if (is_spread(t.in->t, t.n) && ts_node_named_child_count(t.n) == 1) {
		size_t before = l->n;
		t.n = ts_node_named_child(t.n, 0);
		if (collect(l, t, depth + 1))
			return true;
		l->n = before; /* as an element, callers may know it */
	}
	if (node_type_is(t.n, "literal_element"))
		t.n = ts_node_named_child(t.n, 0);
	if (l->n < l->max)
		l->out[l->n++] = t;
	return true;
}

static bool collect_children(struct list_collector *l, struct expression list, int depth)
{
	uint32_t count = ts_node_named_child_count(list.n);

	for (uint32_t i = 0; i < count; i++)
		if (!collect_element(l, expression_at(list, ts_node_named_child(list.n, i)), depth))
			return false;
	return true;
}

/* What a comprehension goes through: `str(p) for p in parts`. */
static TSNode comprehended(TSNode n)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		if (node_type_is(ts_node_named_child(n, i), "for_in_clause"))
			return node_field(ts_node_named_child(n, i), "right");
	return (TSNode){ 0 };
}

TSNode list_converted(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);
	TSNode arguments = arguments_of(t, n), arg[4], none = { 0 };
	char name[80];

	if (!r || r->op != VALUE_CALL || ts_node_is_null(arguments))
		return none;
	call_callee(t, n, arguments, name, sizeof name);
	const struct call_rule *rule = call_rule_of(t->rules, name);
	if (rule && rule->how == CALL_SAME)
		return called_object(t, n);
	size_t count = call_arguments(t, n, arg, LEN(arg));
	if (!rule || rule->how != CALL_CONTENTS || !count)
		return none;
	return arg[count - 1];
}

/* The elements that statements add to the list: parts.push(id). */
static bool collect_changes(struct list_collector *l, struct expression name, int depth)
{
	struct variable_change change[MOST_CHANGES];
	size_t n = variable_changes(name.in, name.n, change);
	TSNode element[MAX_ARGS];

	for (size_t i = 0; i < n; i++) {
		TSNode call = change[i].n;
		if (change[i].maybe)
			continue;
		if (!change[i].chain) {		/* parts += [id] */
			collect(l, expression_at(name, call), depth + 1);
			continue;
		}
		const struct call_rule *rule = method_rule(name.in->t, call);
		if (!rule || (rule->how != CALL_CONCAT && rule->how != CALL_SEGMENTS))
			continue;
		size_t count = call_arguments(name.in->t, call, element, MAX_ARGS);
		for (size_t k = 0; k < count; k++)
			collect_element(l, expression_at(name, element[k]), depth);
	}
	return true;
}

/* Whether a parameter has a value of the function's own there: path = append(base, path...). */
static bool is_assigned_anew(struct expression t)
{
	const struct binding *v[MAX_BRANCHES];
	bool argument;
	size_t n = reaching_parameter_values(t.in->t, t.in->t->text + node_start_byte(t.n),
	    node_len(t.n), t.n, v, MAX_BRANCHES, &argument);

	for (size_t i = 0; i < n; i++)
		if (node_within(t.n, v[i]->value))
			return false;
	return !argument;
}

/* The list that a name, member or call means. */
static bool collect_named(struct list_collector *l, struct expression t, int depth)
{
	struct expression rest[MAX_ARGS];
	size_t n = 0;

	if (rest_is_given(t.given, t) && !is_assigned_anew(t)) {
		n = rest_arguments(t.given, t, rest, MAX_ARGS);
		for (size_t i = 0; i < n; i++)
			if (!collect_element(l, rest[i], depth))
				return false;
		return true;
	}
	struct origin o = origin_of(l->a, t);
	return origin_is_elsewhere(&o, t) && collect(l, o.at, depth + 1) &&
	    collect_changes(l, t, depth);
}

/* Whether the first of an object's fields has a key: PHP's arrays may have none. */
static bool has_keys(TSNode object)
{
	TSNode field = ts_node_named_child(object, 0);

	return ts_node_is_null(field) || ts_node_named_child_count(field) != 1;
}

/* The list that a call adds to, and what it adds: append(parts, id).  How many; 0: it does not. */
static size_t elements_added(const struct syntax_tree *t, TSNode n, TSNode out[MAX_ARGS])
{
	char name[80];

	if (rules_of(t->rules, n)->op != VALUE_CALL)
		return 0;
	call_callee(t, n, arguments_of(t, n), name, sizeof name);
	const struct call_rule *rule = call_rule_of(t->rules, name);
	if (!rule || rule->how != CALL_CONCAT || *rule->name == '.')
		return 0;
	return call_arguments(t, n, out, MAX_ARGS);
}

static bool collect(struct list_collector *l, struct expression t, int depth)
{
	if (ts_node_is_null(t.n) || depth > MAX_DEPTH)
		return false;
	if (node_type_is(t.n, "composite_literal"))
		return collect_children(l, expression_at(t, node_field(t.n, "body")), depth);
	TSNode through = comprehended(t.n);
	if (!ts_node_is_null(through))
		return collect(l, expression_at(t, through), depth + 1);
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);
	if (!r)
		return false;
	if (r->op == VALUE_LIST || (r->op == VALUE_FIELDS && !has_keys(t.n)))
		return collect_children(l, t, depth);
	if (r->op == VALUE_INNER)
		return collect(l, expression_at(t, ts_node_named_child(t.n, 0)), depth + 1);
	if (r->op == VALUE_LAST)
		return collect(l, expression_at(t, last_named_child(t.n)), depth + 1);
	if (r->op == VALUE_JOIN)
		return collect(l, expression_at(t, node_field(t.n, "left")), depth + 1) &&
		    collect(l, expression_at(t, node_field(t.n, "right")), depth + 1);
	TSNode added[MAX_ARGS];
	size_t n = elements_added(t.in->t, t.n, added);
	if (n && !collect(l, expression_at(t, added[0]), depth + 1))
		return false;
	for (size_t i = 1; i < n; i++)
		collect_element(l, expression_at(t, added[i]), depth);
	if (n)
		return true;
	through = list_converted(t.in->t, t.n);
	if (!ts_node_is_null(through))
		return collect(l, expression_at(t, through), depth + 1);
	return collect_named(l, t, depth);
}

size_t list_values(
    struct dataflow_context *a, struct expression t, struct expression *out, size_t max)
{
	struct list_collector l = { .a = a, .out = out, .max = max };

	if (!collect(&l, t, 0))
		return 0;
	return l.n;
}

struct expression element_of_spread(
    struct dataflow_context *a, const struct call_frame *g, int index)
{
	const struct syntax_tree *t = g->call.in->t;
	struct expression element[MAX_SPREAD], none = { 0 };
	TSNode v[MAX_ARGS];
	size_t n = call_arguments(t, g->call.n, v, MAX_ARGS);

	for (size_t i = 0; i < n && (int)i <= index; i++) {
		const struct node_rule *r = rules_of(t->rules, v[i]);
		if (!r || !(r->marks & MARK_SPREAD) || ts_node_named_child_count(v[i]) != 1)
			continue;
		struct expression list = { g->call.in, ts_node_named_child(v[i], 0), g->call.given };
		size_t at = (size_t)index - i;
		if (list_values(a, list, element, MAX_SPREAD) > at)
			return element[at];
		return none;
	}
	return none;
}
