#include "shard/contracts/urls/object_fields.h"

#include "shard/contracts/urls/url_evaluator.h"
#include "shard/syntax/node_rules.h"

enum { DEEP = 8, MOST = 200 };

static const TSNode none;

static TSNode find_field(const struct syntax_tree *, TSNode, const char *keys, int depth);

/* Whether the key, which may be in quotes, is one of `keys`. */
static bool key_among(const struct syntax_tree *t, TSNode key, const char *keys)
{
	const char *s = t->text + node_start_byte(key);
	size_t n = node_len(key);

	if (n > 2 && strchr("'\"", *s)) {
		s++;
		n -= 2;
	}
	for (size_t len; *keys; keys += len + (keys[len] == ' ')) {
		len = strcspn(keys, " ");
		if (n && n == len && !memcmp(s, keys, n))
			return true;
	}
	return false;
}

/*
 * The value of one of the keys in one child of an object: `key: value`, a name that is both, or a
 * spread object.
 */
static TSNode member(const struct syntax_tree *t, TSNode n, const char *keys, int depth)
{
	TSNode key = ts_node_child_by_field_name(n, "key", 3),
	       value = ts_node_child_by_field_name(n, "value", 5);
	const struct node_rule *r = rules_of(t->rules, n);

	if (!ts_node_is_null(key)) {
		if (key_among(t, key, keys))
			return value;
		return none;
	}
	if (r && r->marks & MARK_SPREAD)
		return find_field(t, ts_node_named_child(n, 0), keys, depth + 1);
	if (r && r->op == VALUE_NAME && key_among(t, n, keys))
		return n;
	return none;
}

static TSNode last_of(const struct syntax_tree *t, TSNode n, const char *keys, int depth,
    TSNode (*of)(const struct syntax_tree *, TSNode, const char *, int))
{
	TSTreeCursor c = ts_tree_cursor_new(n);
	TSNode found = none;
	int budget = MOST;

	for (bool more = ts_tree_cursor_goto_first_child(&c); more && budget--;
	    more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c), is = none;
		if (ts_node_is_named(k))
			is = of(t, k, keys, depth);
		if (!ts_node_is_null(is))
			found = is;
	}
	ts_tree_cursor_delete(&c);
	return found;
}

/* The value of `object.key`. */
static TSNode member_at(const struct syntax_tree *t, TSNode n, int depth)
{
	TSNode object = ts_node_child_by_field_name(n, "object", 6), key;
	char name[80];

	if (ts_node_is_null(object) || ts_node_named_child_count(n) < 2)
		return none;
	key = ts_node_named_child(n, ts_node_named_child_count(n) - 1);
	if (!node_len(key) || node_len(key) >= sizeof name)
		return none;
	memcpy(name, t->text + node_start_byte(key), node_len(key));
	name[node_len(key)] = '\0';
	return find_field(t, object, name, depth);
}

static TSNode find_field(const struct syntax_tree *t, TSNode n, const char *keys, int depth)
{
	const struct node_rule *r = NULL;
	const struct binding *b;

	if (!ts_node_is_null(n) && depth <= DEEP)
		r = rules_of(t->rules, n);
	if (!r)
		return none;
	switch (r->op) {
	case VALUE_FIELDS: return last_of(t, n, keys, depth, member);
	case VALUE_INNER: return find_field(t, ts_node_named_child(n, 0), keys, depth + 1);
	case VALUE_LAST:
		return find_field(
		    t, ts_node_named_child(n, ts_node_named_child_count(n) - 1), keys, depth + 1);
	case VALUE_NAME:
		b = url_binding(t, n);
		if (b)
			return find_field(t, b->value, keys, depth + 1);
		return find_field(t, member_at(t, n, depth + 1), keys, depth + 1);
	case VALUE_CALL:
		n = url_merge_arguments(t, n);
		if (ts_node_is_null(n))
			return none;
		return last_of(t, n, keys, depth + 1, find_field);
	default: return none;
	}
}

TSNode object_field(const struct syntax_tree *t, TSNode n, const char *keys)
{
	return find_field(t, n, keys, 0);
}

TSNode object_member(const struct syntax_tree *t, TSNode n)
{
	return member_at(t, n, 0);
}
