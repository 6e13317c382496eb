#include "proto/base/buf.h"
#include "shard/contracts/urls/dataflow.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/syntax/node_rules.h"

/*
 * Literals of objects, dictionaries and arrays with keys, by the node types and fields that
 * grammars have in common.
 */

enum { MANY = 64, MAX_RETURNED = 4, DEEPEST = 24 };

static bool key_is(const struct syntax_tree *t, TSNode key, const char *name)
{
	const char *s = t->text + node_start_byte(key);
	size_t n = node_len(key);

	while (n && strchr("\"'`:[", *s)) {
		s++;
		n--;
	}
	while (n && strchr("\"'`:]", s[n - 1]))
		n--;
	return strlen(name) == n && !memcmp(s, name, n);
}

/* Whether the node is one of the pairs of `{ { "a", 1 }, { "b", 2 } }` (C#). */
static bool is_pair(TSNode n)
{
	return node_type_is(n, "initializer_expression") &&
	    node_type_is(node_parent(n), "initializer_expression");
}

/* The key and the value of one part of an object. */
static bool part(TSNode n, TSNode *key, TSNode *value)
{
	uint32_t count = ts_node_named_child_count(n);

	*key = node_field(n, "key");
	if (ts_node_is_null(*key))
		*key = node_field(n, "left");
	if (ts_node_is_null(*key) && node_type_is(n, "field_initializer"))
		*key = node_field(n, "field");
	if (ts_node_is_null(*key))
		*key = node_field(n, "name");
	*value = node_field(n, "value");
	if (ts_node_is_null(*value))
		*value = node_field(n, "right");
	if (ts_node_is_null(*key) && count == 2 &&
	    (node_type_is(n, "keyed_element") || node_type_is(n, "array_element_initializer") ||
	        is_pair(n))) {
		*key = ts_node_named_child(n, 0);
		*value = ts_node_named_child(n, 1);
	}
	if (!ts_node_is_null(*value) && node_type_is(*value, "literal_element"))
		*value = ts_node_named_child(*value, 0);
	return !ts_node_is_null(*key) && !ts_node_is_null(*value);
}

static bool is_spread(TSNode n)
{
	const char *type = ts_node_type(n);

	return strstr(type, "spread") || strstr(type, "splat") ||
	    !strcmp(type, "base_field_initializer");
}

/* Whether the members of the literal are children of this child. */
static bool holds_members(TSNode n)
{
	return node_type_is(n, "literal_value") || node_type_is(n, "initializer_expression") ||
	    node_type_is(n, "as_expression") || node_type_is(n, "field_initializer_list");
}

/* Whether a part of an object is a name that is both key and value. */
static bool is_shorthand(TSNode n)
{
	return node_type_is(n, "shorthand_property_identifier") ||
	    node_type_is(n, "shorthand_field_initializer");
}

static TSNode shorthand_value(TSNode n)
{
	if (ts_node_named_child_count(n))
		return ts_node_named_child(n, 0);
	return n;
}

static struct expression find_literal_member(
    struct dataflow_context *a, struct expression o, const char *name, int depth);

/* The member of an object that is spread, { ...options }; or a null node. */
static struct expression member_of_spread(
    struct dataflow_context *a, struct expression spread, const char *name)
{
	struct expression of = { spread.in, ts_node_named_child(spread.n, 0), spread.given }, m = { 0 };

	if (a->depth >= DEEPEST || --a->budget < 0)
		return m;
	a->depth++;
	m = origin_member(a, of, name);
	a->depth--;
	return m;
}

/* The member of an object that is spread, or of an inner list; or a null node. */
static struct expression find_inner_member(
    struct dataflow_context *a, struct expression part, const char *name, int depth)
{
	if (is_spread(part.n)) {
		struct expression m = member_of_spread(a, part, name);
		if (!ts_node_is_null(m.n))
			return m;
	}
	if (holds_members(part.n))
		return find_literal_member(a, part, name, depth + 1);
	return (struct expression){ 0 };
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
		if (is_shorthand(k) && key_is(o.in->t, k, name))
			return (struct expression){ o.in, shorthand_value(k), o.given };
		if (part(k, &key, &value) && key_is(o.in->t, key, name))
			return (struct expression){ o.in, value, o.given };
		struct expression m = find_inner_member(
		    a, (struct expression){ o.in, k, o.given }, name, depth);
		if (!ts_node_is_null(m.n))
			return m;
	}
	return none;
}

/* Whether an argument is a member of an object without braces, or such an object. */
static bool is_keyed_argument(TSNode n)
{
	static const char *const types[] = { "pair", "keyword_argument", "dictionary_splat",
		"hash_splat_argument" };

	for (size_t i = 0; i < LEN(types); i++)
		if (node_type_is(n, types[i]))
			return true;
	return false;
}

/* Whether the node is a list of arguments with an object without braces: f(url: u, method: m). */
static bool is_braceless(TSNode n)
{
	if (!node_type_is(n, "argument_list"))
		return false;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count && i < MANY; i++)
		if (is_keyed_argument(ts_node_named_child(n, i)))
			return true;
	return false;
}

bool literal_is_object(TSNode n)
{
	static const char *const types[] = { "object", "dictionary", "composite_literal",
		"literal_value", "hash", "initializer_expression", "object_creation_expression",
		"array_creation_expression", "implicit_object_creation_expression", "struct_expression"};

	for (size_t i = 0; i < LEN(types); i++)
		if (node_type_is(n, types[i]))
			return true;
	return is_braceless(n);
}

/* The key and the value of a part of an object, which may also be a method. */
static bool named_part(TSNode n, TSNode *key, TSNode *value)
{
	*key = *value = n;
	if (node_type_is(n, "shorthand_property_identifier"))
		return true;
	if (part(n, key, value))
		return true;
	*value = n;
	if (!node_type_is(n, "method_definition"))
		return false;
	*key = node_field(n, "name");
	return !ts_node_is_null(*key);
}

static void visit_literal_members(struct dataflow_context *a, struct expression o,
    void (*each)(void *, struct expression key, struct expression value), void *arg, int depth)
{
	TSNode key, value;

	if (depth > 3)
		return;
	for (uint32_t i = 0, n = ts_node_named_child_count(o.n); i < n && --a->budget > 0; i++) {
		TSNode k = ts_node_named_child(o.n, i);
		if (is_spread(k))
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

/* Each name that a module exports, as if the module were an object. */
static void visit_exports(struct contract_file *in,
    void (*each)(void *, struct expression key, struct expression value), void *arg)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent >= 0 || !d->exported)
			continue;
		TSNode name = name_below(in->t, definition_node(in, (int)i), d->name, 0);
		if (!ts_node_is_null(name))
			each(arg, (struct expression){ in, name, NULL }, (struct expression){ in, name, NULL });
	}
}

/* The arguments of a call that merges objects; a null node if `n` is something else. */
static TSNode merged_objects(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (!r || r->op != VALUE_CALL)
		return (TSNode){ 0 };
	return url_merge_arguments(t, n);
}

void literal_each_member(struct dataflow_context *a, struct expression object,
    void (*each)(void *, struct expression key, struct expression value), void *arg, int depth)
{
	TSNode returns[2];

	if (depth > 6)
		return;
	struct origin o = origin_of(a, object);
	if (o.what == ORIGIN_MODULE)
		visit_exports(o.at.in, each, arg);
	if (o.what != ORIGIN_NODE)
		return;
	if (literal_is_object(o.at.n)) {
		visit_literal_members(a, o.at, each, arg, depth);
		return;
	}
	if (is_function_node(o.at.in->t, o.at.n)) {
		if (function_return_values(o.at.in, o.at.n, returns, LEN(returns)) == 1)
			literal_each_member(
			    a, (struct expression){ o.at.in, returns[0], o.at.given }, each, arg, depth + 1);
		return;
	}
	TSNode merged = merged_objects(o.at.in->t, o.at.n);
	if (ts_node_is_null(merged))
		return;
	for (uint32_t i = 0, n = ts_node_named_child_count(merged); i < n && --a->budget > 0; i++) {
		TSNode part = ts_node_named_child(merged, i);
		literal_each_member(
		    a, (struct expression){ o.at.in, part, o.at.given }, each, arg, depth + 1);
	}
}

struct expression literal_member(
    struct dataflow_context *a, struct expression object, const char *name)
{
	return find_literal_member(a, object, name, 0);
}

struct expression literal_merged_member(
    struct dataflow_context *a, struct expression call, const char *name)
{
	TSNode merged = merged_objects(call.in->t, call.n), receiver;
	struct expression m = { 0 };

	if (ts_node_is_null(merged))
		return m;
	if (is_braceless(merged))
		m = find_literal_member(a, (struct expression){ call.in, merged, call.given }, name, 0);
	for (uint32_t i = ts_node_named_child_count(merged); i-- > 0 && ts_node_is_null(m.n);) {
		TSNode part = ts_node_named_child(merged, i);
		if (!node_type_is(part, "pair") && --a->budget > 0)
			m = origin_member(a, (struct expression){ call.in, part, call.given }, name);
	}
	receiver = call_object(call.in->t, call.n);
	if (ts_node_is_null(m.n) && !ts_node_is_null(receiver) && --a->budget > 0)
		m = origin_member(a, (struct expression){ call.in, receiver, call.given }, name);
	return m;
}

/* The parameter that is one of the values which a call may return; unknown: none is. */
static struct origin returned_parameter(struct dataflow_context *a, struct expression call)
{
	struct expression returned[MAX_RETURNED];
	struct origin o = { 0 };
	size_t n = 0;

	if (--a->budget > 0)
		n = origin_return_values(a, call, returned, MAX_RETURNED);
	for (size_t i = 0; n > 1 && i < n; i++) {
		o = origin_of(a, returned[i]);
		if (o.what == ORIGIN_PARAMETER)
			return o;
	}
	return (struct origin){ 0 };
}

struct origin literal_open_part(struct dataflow_context *a, struct expression object)
{
	struct origin o = origin_of(a, object), part = { 0 };

	if (o.what != ORIGIN_NODE)
		return o;
	TSNode parts = o.at.n;
	if (!literal_is_object(parts))
		parts = merged_objects(o.at.in->t, parts);
	if (ts_node_is_null(parts))
		return returned_parameter(a, o.at);
	for (uint32_t i = 0, n = ts_node_named_child_count(parts); i < n && --a->budget > 0; i++) {
		TSNode k = ts_node_named_child(parts, i);
		if (is_spread(k))
			k = ts_node_named_child(k, 0);
		else if (literal_is_object(parts))
			continue;
		part = origin_of(a, (struct expression){ o.at.in, k, o.at.given });
		if (part.what == ORIGIN_PARAMETER)
			return part;
	}
	return (struct origin){ 0 };
}

bool literal_is_open(struct dataflow_context *a, struct expression object)
{
	return literal_open_part(a, object).what == ORIGIN_PARAMETER;
}
