#include "shard/contracts/urls/url_evaluator.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/value_origin_internal.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

enum { DEEP = 8, MOST = 200, MAX_NAMES = 32, MAX_STATEMENTS = 400 };

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

/* ---- names that a declaration takes from an object ---- */

/* The declarator of a statement whose pattern has the name, or a null node. */
static TSNode unpacking_declarator(const struct contract_file *in, TSNode statement,
    const char *name, size_t n, TSNode *key, TSNode *fallback)
{
	TSNode v[MAX_NAMES];
	uint32_t count = nodes_named(statement, v, MAX_NAMES);

	for (uint32_t i = 0; i < count && i < MAX_NAMES; i++) {
		TSNode d = v[i], pattern;
		if (in->t->text[node_start_byte(d)] != '{')
			continue;
		pattern = node_field(d, "name");
		if (!ts_node_is_null(pattern) && node_type_is(pattern, "object_pattern") &&
		    pattern_has_name(in, pattern, name, n, key, fallback))
			return d;
	}
	return (TSNode){ 0 };
}

TSNode unpacked_value(const struct contract_file *in, TSNode at, const char *name, size_t n,
    TSNode *key, TSNode *fallback)
{
	TSNode statement[MAX_STATEMENTS];

	for (TSNode p = node_parent(at); !ts_node_is_null(p); p = node_parent(p)) {
		if (!strstr(ts_node_type(p), "block") && !node_type_is(p, "program"))
			continue;
		uint32_t count = nodes_named(p, statement, MAX_STATEMENTS);
		for (uint32_t i = 0; i < count && i < MAX_STATEMENTS; i++) {
			TSNode k = statement[i];
			if (!strstr(ts_node_type(k), "declaration") && !strstr(ts_node_type(k), "export"))
				continue;
			if (node_type_is(k, "export_statement"))
				k = node_field(k, "declaration");
			if (ts_node_is_null(k))
				continue;
			TSNode d = unpacking_declarator(in, k, name, n, key, fallback);
			if (!ts_node_is_null(d) && !node_within(at, d))
				return node_field(d, "value");
		}
	}
	return (TSNode){ 0 };
}

/*
 * ---- fields into which a constructor merges an object that it is given ----
 * Object.assign(this.paths, paths)
 */

enum { MOST_NODES = 2000, MAX_PARTS = 4 };

/* The call below a node that merges something into the field, or a null node. */
static TSNode find_merge(const struct syntax_tree *t, TSNode n, TSNode field, int *budget)
{
	TSNode found = { 0 }, into, list;

	if (--*budget < 0)
		return found;
	const struct expr_rule *x = rules_expr(t, n);
	if (x && x->op == EXPR_CALL && call_arguments(t, n, &into, 1)) {
		list = url_merge_arguments(t, n);
		if (!ts_node_is_null(list) && node_len(into) == node_len(field) &&
		    !memcmp(
		        t->text + node_start_byte(into), t->text + node_start_byte(field), node_len(field)))
			return n;
	}
	for (uint32_t i = 0, c = ts_node_named_child_count(n); i < c && ts_node_is_null(found); i++)
		found = find_merge(t, ts_node_named_child(n, i), field, budget);
	return found;
}

/* Whether the file merges objects at all. */
static bool merges(const struct syntax_tree *t)
{
	for (size_t i = 0; i < t->rules->calls.n; i++) {
		const struct call_rule *r = &t->rules->calls.v[i];
		if (r->how == CALL_MERGE && memmem(t->text, t->n, r->name, strlen(r->name)))
			return true;
	}
	return false;
}

/* Whether a node is a member of the object itself. */
static bool is_own_field(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);

	if (!x || x->op != EXPR_MEMBER)
		return false;
	TSNode object = node_path_get(&x->object, n);
	return !ts_node_is_null(object) &&
	    word_set_has(&t->rules->self, t->text + node_start_byte(object), node_len(object));
}

/* The call of the constructor around a node by that of the derived type at hand; or NULL. */
static const struct call_frame *constructor_call(
    struct dataflow_context *a, struct expression t, TSNode at)
{
	struct type_ref around = { t.in, enclosing_type_index(t.in, at) };
	struct type_ref self = derived_self(a, t);
	struct expression call[2];

	a->own = true;
	if (derived_constructor_calls(a, self, around.in, around.type, call, 2) != 1)
		return NULL;
	struct call_frame *g = arena_one(a->a, struct call_frame);
	*g = (struct call_frame){
		.in = t.in, .function = enclosing_function(t.in, at), .call = call[0], .self = self
	};
	return g;
}

struct origin origin_merged_member(
    struct dataflow_context *a, struct expression t, TSNode field, const char *name)
{
	TSNode part[MAX_PARTS];
	int budget = MOST_NODES, type = -1;

	if (is_own_field(t.in->t, field) && merges(t.in->t))
		type = enclosing_type_index(t.in, t.n);
	if (type < 0)
		return origin_unknown;
	TSNode merge = find_merge(t.in->t, definition_node(t.in, type), field, &budget);
	if (ts_node_is_null(merge))
		return origin_unknown;
	const struct call_frame *g = constructor_call(a, t, merge);
	size_t n = call_arguments(t.in->t, merge, part, MAX_PARTS);
	for (size_t i = n; i-- > 1;) {
		struct expression object = { t.in, part[i], g };
		struct expression m = origin_member(a, object, name);
		if (!ts_node_is_null(m.n)) {
			a->table = m;
			return origin_follow(a, m, name);
		}
		struct origin open = literal_open_part(a, object);
		if (open.what == ORIGIN_PARAMETER)
			return open;
	}
	return origin_unknown;
}
