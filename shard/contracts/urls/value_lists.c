/* The elements of lists, wherever they are written: in literals, arguments, sums, comprehensions. */
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/contracts/urls/value_origin_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/syntax/tree_nodes.h"

enum { MAX_DEPTH = 8, MAX_SPREAD = 8, MOST_ELEMENTS = 64, MOST_DIGITS = 3 };

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

/* The elements of a list that a call makes of its arguments, List.of(a, b); false: it makes none. */
static bool collect_made(struct list_collector *l, struct expression list)
{
	size_t n = collection_elements(list, l->out + l->n, l->max - l->n);

	l->n += n;
	return n > 0;
}

/* What a function or comprehension makes of each element of a list. */
static bool collect_mapped(struct list_collector *l, const struct mapping *by, int depth)
{
	size_t before = l->n;

	if (!collect(l, by->list, depth + 1))
		return false;
	for (size_t i = before; i < l->n; i++)
		l->out[i] = mapped_element(l->a, by, l->out[i]);
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
	TSNode initializer = node_field(t.n, "initializer");	/* new List<string> { a, b } */
	if (!ts_node_is_null(initializer) && node_type_is(initializer, "initializer_expression"))
		return collect_children(l, expression_at(t, initializer), depth);
	struct mapping by;
	if (mapping_of(t, &by))
		return collect_mapped(l, &by, depth);
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
	if (collect_made(l, t))
		return true;
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

/* ---- names that an assignment takes from a list: `url, body = self._prepare(path)` ---- */

enum { MOST_STATEMENTS = 400, MOST_NAMES = 16, MOST_RETURNED = 4, DEEPEST = 3 };

static TSNode first_field(TSNode n, const char *const *names, size_t count)
{
	TSNode found = { 0 };

	for (size_t i = 0; i < count && ts_node_is_null(found); i++)
		found = node_field(n, names[i]);
	return found;
}

/* Whether a node is a list of names that get the elements of a list. */
static bool is_list_pattern(TSNode n)
{
	static const char *const types[] = { "array_pattern", "pattern_list", "tuple_pattern",
		"list_pattern", "list_literal", "left_assignment_list" };

	for (size_t i = 0; i < LEN(types); i++)
		if (node_type_is(n, types[i]))
			return true;
	return false;
}

/* The place of a name in a pattern, which may leave some out: `[, url]`; -1: it lacks the name. */
static int place_in_pattern(const struct syntax_tree *t, TSNode pattern, const char *name, size_t n)
{
	uint32_t count = ts_node_child_count(pattern);
	int at = 0;

	for (uint32_t i = 0; i < count && at < MOST_NAMES; i++) {
		TSNode k = ts_node_child(pattern, i);
		if (node_is(t, k, ","))
			at++;
		else if (node_len(k) == n && !memcmp(t->text + node_start_byte(k), name, n))
			return at;
	}
	return -1;
}

/* What a statement assigns to a list with the name, at `*place`; a null node: it does not. */
static TSNode unpacked(
    const struct syntax_tree *t, TSNode n, const char *name, size_t len, int *place, int depth)
{
	static const char *const left[] = { "left", "name", "pattern" },
	                         *const right[] = { "right", "value" };
	TSNode v[MOST_NAMES], none = { 0 }, pattern = first_field(n, left, LEN(left));

	if (!ts_node_is_null(pattern) && is_list_pattern(pattern)) {
		*place = place_in_pattern(t, pattern, name, len);
		if (*place >= 0)
			return first_field(n, right, LEN(right));
		return none;
	}
	if (depth == DEEPEST ||
	    (!strstr(ts_node_type(n), "declaration") && !node_type_is(n, "expression_statement")))
		return none;
	uint32_t count = nodes_named(n, v, MOST_NAMES);
	for (uint32_t i = 0; i < count && i < MOST_NAMES; i++) {
		TSNode found = unpacked(t, v[i], name, len, place, depth + 1);
		if (!ts_node_is_null(found))
			return found;
	}
	return none;
}

/* The last statement of a block before the node that gives the name an element; or a null node. */
static TSNode unpacked_in(
    const struct syntax_tree *t, TSNode block, TSNode at, const char *name, size_t n, int *place)
{
	TSNode statement[MOST_STATEMENTS], found = { 0 };
	uint32_t count = MIN(nodes_named(block, statement, MOST_STATEMENTS), MOST_STATEMENTS);
	int its = 0;

	for (uint32_t i = 0; i < count && node_end_byte(statement[i]) <= node_start_byte(at); i++) {
		TSNode value = unpacked(t, statement[i], name, n, &its, 0);
		if (ts_node_is_null(value))
			continue;
		found = value;
		*place = its;
	}
	return found;
}

struct expression list_element_at(struct dataflow_context *a, struct expression list, size_t place)
{
	struct expression element[MOST_ELEMENTS];

	if (place < list_values(a, list, element, MOST_ELEMENTS))
		return element[place];
	return (struct expression){ 0 };
}

struct expression list_element(struct dataflow_context *a, struct expression list, TSNode key)
{
	struct expression none = { 0 };
	char text[MOST_DIGITS + 1] = "";

	if (node_type_is(key, "argument") || node_type_is(key, "bracketed_argument_list"))
		key = last_named_child(key);
	if (node_type_is(key, "argument"))
		key = last_named_child(key);
	if (ts_node_is_null(key) || !node_len(key) || node_len(key) > MOST_DIGITS)
		return none;
	memcpy(text, list.in->t->text + node_start_byte(key), node_len(key));
	if (text[strspn(text, "0123456789")])
		return none;
	return list_element_at(a, list, strtoul(text, NULL, 10));
}

/* The element at a place of the list that an expression means; or a null node. */
static struct expression element_at(struct dataflow_context *a, struct expression list, int place)
{
	struct expression element[MOST_NAMES];
	size_t n = 0;

	if (node_type_is(list.n, "expression_list") || node_type_is(list.n, "right_assignment_list")) {
		if ((uint32_t)place < ts_node_named_child_count(list.n))
			return (struct expression){ list.in, ts_node_named_child(list.n, (uint32_t)place),
				list.given };
		return (struct expression){ 0 };
	}
	n = list_values(a, list, element, MOST_NAMES);
	if ((size_t)place < n)
		return element[place];
	return (struct expression){ 0 };
}

/* The same of what a call returns; of several lists, that whose turn it is. */
static struct expression element_of_call(
    struct dataflow_context *a, struct expression call, int place)
{
	struct expression returned[MOST_RETURNED], found[MOST_RETURNED];
	size_t n = origin_return_values(a, call, returned, MOST_RETURNED), count = 0;

	for (size_t i = 0; i < n; i++) {
		struct expression e = element_at(a, returned[i], place);
		if (!ts_node_is_null(e.n))
			found[count++] = e;
	}
	if (!count)
		return (struct expression){ 0 };
	if (count > 1)
		a->choices = MAX(a->choices, (int)count);
	return found[MIN((size_t)a->choice, count - 1)];
}

struct origin origin_unpacked_element(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	const struct syntax_tree *tree = t.in->t;
	struct expression value = { .in = t.in, .given = t.given }, element;
	int place = 0;

	for (TSNode p = node_parent(t.n); !ts_node_is_null(p) && ts_node_is_null(value.n);
	     p = node_parent(p))
		if (ts_node_named_child_count(p) > 1)
			value.n = unpacked_in(tree, p, t.n, name, n, &place);
	if (ts_node_is_null(value.n))
		return origin_unknown;
	element = element_at(a, value, place);
	if (ts_node_is_null(element.n))
		element = element_of_call(a, value, place);
	if (ts_node_is_null(element.n))
		return origin_unknown;
	struct origin o = origin_follow(a, element, NULL);
	if (!o.what)
		o = origin_at_node(element.in, element.n, element.given, NULL);
	return o;
}
