/* Names that an assignment takes from a list: `url, body = self._prepare(path)`. */
#include "shard/contracts/urls/value_origin_internal.h"

#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/syntax/tree_nodes.h"

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
