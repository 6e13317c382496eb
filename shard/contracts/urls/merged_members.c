/* Fields into which a constructor merges an object that it is given: Object.assign(this.paths, paths). */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/url_evaluator.h"

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
