#include "proto/base/buf.h"
#include "shard/contracts/urls/dataflow.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/syntax/node_rules.h"

/*
 * Objects, dictionaries and arrays with keys that are written out, by the names that grammars have
 * in common.
 */

static bool key_is(const struct syntax_tree *t, TSNode key, const char *name)
{
	const char *s = t->text + node_start_byte(key);
	size_t n = node_len(key);

	while (n && strchr("\"'`:", *s))
		s++, n--;
	while (n && strchr("\"'`:", s[n - 1]))
		n--;
	return strlen(name) == n && !memcmp(s, name, n);
}

/* The key and the value of one part of an object. */
static bool part(TSNode n, TSNode *key, TSNode *value)
{
	uint32_t count = ts_node_named_child_count(n);

	*key = node_field(n, "key");
	if (ts_node_is_null(*key))
		*key = node_field(n, "left");
	if (ts_node_is_null(*key))
		*key = node_field(n, "name");
	*value = node_field(n, "value");
	if (ts_node_is_null(*value))
		*value = node_field(n, "right");
	if (ts_node_is_null(*key) && count == 2 &&
	    (node_type_is(n, "keyed_element") || node_type_is(n, "array_element_initializer"))) {
		*key = ts_node_named_child(n, 0);
		*value = ts_node_named_child(n, 1);
	}
	if (!ts_node_is_null(*value) && node_type_is(*value, "literal_element"))
		*value = ts_node_named_child(*value, 0);
	return !ts_node_is_null(*key) && !ts_node_is_null(*value);
}

static struct expression find_literal_member(
    struct dataflow_context *a, struct expression o, const char *name, int depth)
{
	struct expression none = { 0 };
	TSNode key, value;

	if (ts_node_is_null(o.n) || depth > 3)
		return none;
	for (uint32_t i = ts_node_named_child_count(o.n); i-- > 0 && --a->budget > 0;) {
		TSNode k = ts_node_named_child(o.n, i);
		if (node_type_is(k, "shorthand_property_identifier") && key_is(o.in->t, k, name))
			return (struct expression){ o.in, k, o.given };
		if (part(k, &key, &value) && key_is(o.in->t, key, name))
			return (struct expression){ o.in, value, o.given };
		if (strstr(ts_node_type(k), "spread") || strstr(ts_node_type(k), "splat")) {
			struct origin s = origin_of(
			    a, (struct expression){ o.in, ts_node_named_child(k, 0), o.given });
			struct expression m = none;
			if (s.what == ORIGIN_NODE)
				m = find_literal_member(a, s.at, name, depth + 1);
			if (!ts_node_is_null(m.n))
				return m;
		}
		if (node_type_is(k, "literal_value") || node_type_is(k, "initializer_expression") ||
		    node_type_is(k, "as_expression")) {
			struct expression m = find_literal_member(
			    a, (struct expression){ o.in, k, o.given }, name, depth + 1);
			if (!ts_node_is_null(m.n))
				return m;
		}
	}
	return none;
}

bool literal_is_object(TSNode n)
{
	static const char *const types[] = { "object", "dictionary", "composite_literal",
		"literal_value", "hash", "initializer_expression", "object_creation_expression",
		"array_creation_expression", "implicit_object_creation_expression" };

	for (size_t i = 0; i < LEN(types); i++)
		if (node_type_is(n, types[i]))
			return true;
	return false;
}

/* A key's own node, of a function that stands in an object as well. */
static bool named_part(TSNode n, TSNode *key, TSNode *value)
{
	if (node_type_is(n, "shorthand_property_identifier")) {
		*key = *value = n;
		return true;
	}
	if (part(n, key, value))
		return true;
	*key = node_type_is(n, "method_definition") ? node_field(n, "name") : (TSNode){ 0 };
	*value = n;
	return !ts_node_is_null(*key);
}

static void visit_literal_members(struct dataflow_context *a, struct expression o,
    void (*each)(void *, struct expression key, struct expression value), void *arg, int depth)
{
	TSNode key, value;

	for (uint32_t i = 0, n = depth > 3 ? 0 : ts_node_named_child_count(o.n);
	     i < n && --a->budget > 0; i++) {
		TSNode k = ts_node_named_child(o.n, i);
		bool spread = strstr(ts_node_type(k), "spread") || strstr(ts_node_type(k), "splat");
		if (spread)
			literal_each_member(a, (struct expression){ o.in, ts_node_named_child(k, 0), o.given },
			    each, arg, depth + 1);
		else if (named_part(k, &key, &value))
			each(arg, (struct expression){ o.in, key, o.given },
			    (struct expression){ o.in, value, o.given });
	}
}

/* The node that is a definition's name, or a null node. */
static TSNode name_below(const struct syntax_tree *t, TSNode n, const char *name, int depth)
{
	TSNode found = { 0 };

	if (!ts_node_named_child_count(n)) {
		if (node_is(t, n, name))
			return n;
		return found;
	}
	for (uint32_t i = 0; i < ts_node_named_child_count(n) && depth < 4 && ts_node_is_null(found);
	     i++)
		found = name_below(t, ts_node_named_child(n, i), name, depth + 1);
	return found;
}

/* What a module exports by name, as if it were an object. */
static void visit_exports(struct contract_file *in,
    void (*each)(void *, struct expression key, struct expression value), void *arg)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		TSNode n = ts_node_descendant_for_byte_range(
		    in->t->root, d->start_byte, d->end_byte ? d->end_byte - 1 : 0);
		TSNode name = d->parent >= 0 || !d->exported ? (TSNode){ 0 } :
		                                               name_below(in->t, n, d->name, 0);
		if (!ts_node_is_null(name))
			each(arg, (struct expression){ in, name, NULL }, (struct expression){ in, name, NULL });
	}
}

void literal_each_member(struct dataflow_context *a, struct expression object,
    void (*each)(void *, struct expression key, struct expression value), void *arg, int depth)
{
	struct origin o = depth > 6 ? (struct origin){ 0 } : origin_of(a, object);
	TSNode returns[2], merged;

	if (o.what == ORIGIN_MODULE)
		visit_exports(o.at.in, each, arg);
	if (o.what != ORIGIN_NODE)
		return;
	if (literal_is_object(o.at.n)) {
		visit_literal_members(a, o.at, each, arg, depth);
	} else if (is_function_node(o.at.in->t, o.at.n)) {
		if (function_return_values(o.at.in, o.at.n, returns, LEN(returns)) == 1)
			literal_each_member(
			    a, (struct expression){ o.at.in, returns[0], o.at.given }, each, arg, depth + 1);
	} else if (rules_of(o.at.in->t->rules, o.at.n) &&
	    rules_of(o.at.in->t->rules, o.at.n)->op == VALUE_CALL &&
	    !ts_node_is_null(merged = url_merge_arguments(o.at.in->t, o.at.n))) {
		for (uint32_t i = 0, n = ts_node_named_child_count(merged); i < n && --a->budget > 0; i++)
			literal_each_member(a,
			    (struct expression){ o.at.in, ts_node_named_child(merged, i), o.at.given }, each,
			    arg, depth + 1);
	}
}

struct expression literal_member(
    struct dataflow_context *a, struct expression object, const char *name)
{
	return find_literal_member(a, object, name, 0);
}
