/*
 * Names that stand for each element of a list: `for _, r := range routes`, `routes.forEach(r =>
 * …)`.  The elements are alternatives (dataflow_context.choice), so that a route in such a loop is
 * one for each element of a table.
 */
#include <stdlib.h>

#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/value_origin_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MOST_ELEMENTS = 512, MOST_AROUND = 60, FIRST_CHILDREN = 3, MOST_CONVERSIONS = 4 };

/* What a name is of the element. */
struct loop_name {
	TSNode list;		/* null: the name is of no loop */
	TSNode around;		/* the statement or call */
	int part;		/* the number of the part that the name stands for; WHOLE or KEY */
};

enum { WHOLE = -1, KEY = -2 };

static bool is_text(const struct syntax_tree *t, TSNode n, const char *name, size_t len)
{
	return node_len(n) == len && !memcmp(t->text + node_start_byte(n), name, len);
}

/* Which part of a pattern has the name: `k, v`, `[method, path]`; false: none. */
static bool find_part(const struct syntax_tree *t, const struct local_rule *rule, TSNode pattern,
    const char *name, size_t len, int *part)
{
	TSNode around = node_parent(pattern);

	/* several parameters of a block are the parts of one element (Ruby) */
	if (node_type_is(around, "block_parameters") && ts_node_named_child_count(around) > 1)
		pattern = around;
	uint32_t count = ts_node_named_child_count(pattern);

	*part = WHOLE;
	if (rule->element < 2 && is_text(t, pattern, name, len))
		return true;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_text(t, ts_node_named_child(pattern, i), name, len))
			continue;
		*part = (int)i;
		if (rule->element >= 2)
			*part = KEY;
		if (rule->element >= 2 && (int)i + 1 == rule->element)
			*part = WHOLE;
		return true;
	}
	return false;
}

/* The loop that a node begins and that has the name. */
static struct loop_name loop_of_node(
    const struct syntax_tree *t, TSNode n, const char *name, size_t len)
{
	const struct node_rule *r = rules_of(t->rules, n);
	struct loop_name none = { 0 };

	if (!r)
		return none;
	for (const struct local_rule *l = r->locals; l; l = l->next) {
		struct loop_name out = { 0 };
		if (!l->element || l->per.n || !condition_holds(&l->when, t, n))
			continue;
		TSNode pattern = node_path_get(&l->name, n);
		if (ts_node_is_null(pattern) || !find_part(t, l, pattern, name, len, &out.part))
			continue;
		out.list = node_path_get(&l->value, n);
		return out;
	}
	return none;
}

/* Whether the node defines a function, whose names no loop around it gives. */
static bool defines_function(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && r->defs && is_function_node(t, n);
}

/* The innermost loop around a node that has the name. */
static struct loop_name loop_around(
    const struct syntax_tree *t, TSNode at, const char *name, size_t len)
{
	struct loop_name found = { 0 };
	TSNode n = node_parent(at);

	for (int depth = 0; depth < MOST_AROUND && !ts_node_is_null(n); depth++) {
		found = loop_of_node(t, n, name, len);
		TSNode first[FIRST_CHILDREN];
		uint32_t count = MIN(nodes_named(n, first, FIRST_CHILDREN), (uint32_t)FIRST_CHILDREN);
		for (uint32_t i = 0; i < count && ts_node_is_null(found.list); i++)
			found = loop_of_node(t, first[i], name, len);
		found.around = n;
		if (!ts_node_is_null(found.list) || defines_function(t, n))
			break;
		n = node_parent(n);
	}
	return found;
}

/* The node whose children are the elements of a list; or a null node. */
static TSNode list_body(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (node_type_is(n, "composite_literal"))
		return node_field(n, "body");
	if (!ts_node_is_null(node_field(n, "initializer")))	/* new List<T> { a, b } */
		return node_field(n, "initializer");
	if (r && (r->op == VALUE_LIST || r->op == VALUE_FIELDS))
		return n;
	return (TSNode){ 0 };
}

/* The elements of a list or map that a call makes; how many. */
static size_t made_elements(struct dataflow_context *a, struct expression list,
    const struct loop_name *name, struct expression out[MOST_ELEMENTS])
{
	size_t n = collection_elements(list, out, MOST_ELEMENTS);

	if (!n)
		n = enumeration_elements(a, list, out, MOST_ELEMENTS);
	if (n)
		return n;
	struct expression *other = xmalloc(MOST_ELEMENTS * sizeof *other);
	if (name->part == KEY)
		n = collection_pairs(list, out, other, MOST_ELEMENTS);
	else
		n = collection_pairs(list, other, out, MOST_ELEMENTS);
	free(other);
	return n;
}

/* The elements of the list, by name of the loop; how many. */
static size_t elements_of(struct dataflow_context *a, struct expression list,
    const struct loop_name *name, struct expression out[MOST_ELEMENTS])
{
	TSNode body = list_body(list.in->t, list.n);
	uint32_t count = 0;
	size_t n = made_elements(a, list, name, out);

	if (n)
		return n;

	if (!ts_node_is_null(body))
		count = ts_node_named_child_count(body);
	for (uint32_t i = 0; i < count && n < MOST_ELEMENTS; i++) {
		TSNode k = ts_node_named_child(body, i);
		bool php = node_type_is(k, "array_element_initializer");
		bool keyed = node_type_is(k, "keyed_element") || (php && ts_node_named_child_count(k) == 2);
		if (keyed)
			k = ts_node_named_child(k, name->part != KEY);
		else if (name->part == KEY || node_type_is(k, "comment"))
			continue;
		if (!ts_node_is_null(k) &&
		    (node_type_is(k, "literal_element") || node_type_is(k, "array_element_initializer")))
			k = ts_node_named_child(k, 0);
		if (!ts_node_is_null(k))
			out[n++] = (struct expression){ list.in, k, list.given };
	}
	return n;
}

/* The part of an element that is a list itself. */
static struct origin part_of_element(
    struct dataflow_context *a, struct expression element, int part)
{
	struct origin o = origin_follow(a, element, NULL);

	if (node_type_is(element.n, "pair"))	/* of a map, which is no expression */
		o = origin_at_node(element.in, element.n, element.given, NULL);
	if (o.what != ORIGIN_NODE || (uint32_t)part >= ts_node_named_child_count(o.at.n))
		return origin_unknown;
	o.at.n = ts_node_named_child(o.at.n, (uint32_t)part);
	if (node_type_is(o.at.n, "array_element_initializer"))
		o.at.n = ts_node_named_child(o.at.n, 0);
	return origin_follow(a, o.at, NULL);
}

/* The element whose turn it is, in `a->loop_element`, and the loop; false: there is none. */
static bool take_element(struct dataflow_context *a, struct expression list,
    const struct loop_name *of, struct contract_file *in)
{
	struct expression *element = xmalloc(MOST_ELEMENTS * sizeof *element);
	size_t count = elements_of(a, list, of, element);
	bool other = a->loop.in && !ts_node_eq(a->loop.n, of->around);
	bool taken = count && !other;	/* elements of two loops have no common number */

	if (taken) {
		a->choices = MAX(a->choices, (int)count);
		a->loop = (struct expression){ in, of->around, NULL };
		a->loop_element = element[MIN((size_t)a->choice, count - 1)];
	}
	free(element);
	return taken;
}

/* Where the elements of a list are written: ROUTES of sorted(ROUTES.items()). */
static struct origin origin_of_list(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_follow(a, t, NULL);

	for (int i = 0; i < MOST_CONVERSIONS && o.what == ORIGIN_NODE; i++) {
		TSNode of = list_converted(o.at.in->t, o.at.n);
		if (ts_node_is_null(of))
			break;
		o = origin_follow(a, (struct expression){ o.at.in, of, o.at.given }, NULL);
	}
	return o;
}

struct origin origin_loop_element(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	struct loop_name of = loop_around(t.in->t, t.n, name, n);

	if (ts_node_is_null(of.list) || node_within(t.n, of.list))
		return origin_unknown;
	struct origin list = origin_of_list(a, (struct expression){ t.in, of.list, t.given });
	if (list.what == ORIGIN_PARAMETER)
		return list;
	if (list.what != ORIGIN_NODE)
		return origin_unknown;
	if (!take_element(a, list.at, &of, t.in))
		return origin_unknown;
	if (of.part >= 0)
		return part_of_element(a, a->loop_element, of.part);
	struct origin o = origin_follow(a, a->loop_element, NULL);
	if (!o.what)	/* the name of something that is not of this repository */
		o = origin_at_node(a->loop_element.in, a->loop_element.n, a->loop_element.given, NULL);
	return o;
}
