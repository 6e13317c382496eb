#include "proto/base/buf.h"
#include "shard/reading.h"
#include "shard/rules.h"

/* Objects, dictionaries and arrays with keys that are written out, by the names that grammars have in common. */

static bool key_is(const struct tree *t, TSNode key, const char *name)
{
	const char *s = t->text + node_from(key);
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
	if (ts_node_is_null(*key) && count == 2 && (node_type_is(n, "keyed_element") || node_type_is(n, "array_element_initializer"))) {
		*key = ts_node_named_child(n, 0);
		*value = ts_node_named_child(n, 1);
	}
	if (!ts_node_is_null(*value) && node_type_is(*value, "literal_element"))
		*value = ts_node_named_child(*value, 0);
	return !ts_node_is_null(*key) && !ts_node_is_null(*value);
}

static struct term member_written(struct asking *a, struct term o, const char *name, int depth)
{
	struct term none = { 0 };
	TSNode key, value;

	if (ts_node_is_null(o.n) || depth > 3)
		return none;
	for (uint32_t i = ts_node_named_child_count(o.n); i-- > 0 && --a->budget > 0;) {
		TSNode k = ts_node_named_child(o.n, i);
		if (node_type_is(k, "shorthand_property_identifier") && key_is(o.in->t, k, name))
			return (struct term){ o.in, k, o.given };
		if (part(k, &key, &value) && key_is(o.in->t, key, name))
			return (struct term){ o.in, value, o.given };
		if (strstr(ts_node_type(k), "spread") || strstr(ts_node_type(k), "splat")) {
			struct origin s = origin_of(a, (struct term){ o.in, ts_node_named_child(k, 0), o.given });
			struct term m = s.what == ORIGIN_NODE ? member_written(a, s.at, name, depth + 1) : none;
			if (!ts_node_is_null(m.n))
				return m;
		}
		if (node_type_is(k, "literal_value") || node_type_is(k, "initializer_expression") || node_type_is(k, "as_expression")) {
			struct term m = member_written(a, (struct term){ o.in, k, o.given }, name, depth + 1);
			if (!ts_node_is_null(m.n))
				return m;
		}
	}
	return none;
}

bool written_object(TSNode n)
{
	static const char *const types[] = { "object", "dictionary", "composite_literal", "literal_value", "hash",
		"initializer_expression", "object_creation_expression", "array_creation_expression", "implicit_object_creation_expression" };

	for (size_t i = 0; i < LEN(types); i++)
		if (node_type_is(n, types[i]))
			return true;
	return false;
}

struct term written_member(struct asking *a, struct term object, const char *name)
{
	return member_written(a, object, name, 0);
}
