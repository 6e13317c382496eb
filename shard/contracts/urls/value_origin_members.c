/* What members of variables and of the own object mean. */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/definitions/expression.h"
#include "shard/program/program.h"

enum { MOST_DERIVED = 8 };

/* Whether the function makes one of the calls at hand: its callers give the parameter. */
static bool makes_call_at_hand(struct expression t, const struct origin *parameter)
{
	for (const struct call_frame *g = t.given; g; g = g->call.given)
		if (g->call.in == parameter->at.in && node_within(g->call.n, parameter->function))
			return true;
	return false;
}

/*
 * Whether what a member is of is a parameter, but not an argument of the call at hand: one of
 * another function, such as the constructor, or a part of the argument, `config.paths` of
 * `config.paths.users`.
 */
static bool is_known_by_type(const struct origin *o, struct expression t, TSNode object)
{
	const struct expr_rule *x = rules_expr(t.in->t, object);

	if (o->what != ORIGIN_PARAMETER)
		return false;
	if (o->at.in != t.in || !node_within(t.n, o->function))
		return !makes_call_at_hand(t, o);
	return x && x->op == EXPR_MEMBER;
}

/*
 * What the resolver knows of a member by the types of what is before it.  Where something is known
 * already, only a value counts: a constant of the type that a constructor's parameter has.
 */
static struct origin origin_by_chain(
    struct dataflow_context *a, struct expression t, struct origin known, const char *name)
{
	const char *chain = node_dotted_name(t.in, t.n, a->a);
	struct origin o = origin_unknown;

	if (chain)
		o = origin_other_file(a, t, chain);
	bool value = o.what == ORIGIN_NODE && !means_empty(o.at.in->t, o.at.n);
	if (known.what && !value)
		return known;
	if (!o.what && chain && verb_constant(chain))
		return origin_at_node(t.in, t.n, t.given, name);
	return o;
}

/* What a statement before the use gives a member of a variable; unknown: none does. */
static struct origin assigned_member(
    struct dataflow_context *a, struct expression object, const char *name)
{
	struct expression m = changed_member(a, object, name);

	if (ts_node_is_null(m.n))
		return origin_unknown;
	struct origin o = origin_follow(a, m, name);
	if (!o.what) /* a constant of a library */
		o = origin_at_node(m.in, m.n, m.given, name);
	return o;
}

bool origin_is_callee(struct expression t)
{
	TSNode call = node_parent(t.n);
	const struct expr_rule *x = NULL;

	if (!ts_node_is_null(call))
		x = rules_expr(t.in->t, call);
	return x && x->op == EXPR_CALL && x->function.n &&
	    ts_node_eq(node_path_get(&x->function, call), t.n);
}

/* The method that a call of a parameter's member means by the parameter's type; unknown: none. */
static struct origin method_of_parameter(
    struct dataflow_context *a, struct expression t, const struct origin *o)
{
	const char *chain = NULL;
	struct origin method = origin_unknown;

	if (o->what == ORIGIN_PARAMETER && origin_is_callee(t))
		chain = node_dotted_name(t.in, t.n, a->a);
	if (chain)
		method = origin_other_file(a, t, chain);
	if (method.what != ORIGIN_DEFINITION)
		return origin_unknown;
	const char *kind = method.at.in->found->v[method.definition].def.kind;
	return kind_is_callable(kind_of(kind)) ? method : origin_unknown;
}

/* The member of the object that is passed to the one around the code: new Users(this). */
static struct origin member_of_passed(
    struct dataflow_context *a, const struct origin *parameter, const char *name)
{
	struct passed_object x = origin_passed(a, parameter);
	struct origin o = origin_unknown;
	int method = -1;

	if (!x.of.in)
		return o;
	if (x.of.type >= 0)
		method = method_named(x.of.in, x.of.type, name);
	if (method >= 0)
		return origin_at_definition(a, x.of.in, method);
	if (!x.self)
		return origin_made_member(a, x.of, x.at, name);
	o = origin_of_own_field(a, x.at, name, strlen(name));
	if (!o.what)
		o = origin_own_member(a, x.at, name);
	return o;
}

/* Whether the type defines a member of that name, or its code gives one a value. */
static bool has_member(struct type_ref of, const char *name)
{
	const struct definition *type = &of.in->found->v[of.type].def;
	size_t len = strlen(name);

	for (const struct binding *b = NULL; (b = binding_named(of.in->t, name, len, b));)
		if (type->start_byte <= node_start_byte(b->value) &&
		    node_end_byte(b->value) <= type->end_byte)
			return true;
	for (size_t i = 0; i < of.in->found->n; i++) {
		const struct definition *d = &of.in->found->v[i].def;
		if (d->parent == of.type && !strcmp(d->name, name))
			return true;
	}
	return false;
}

/*
 * Whether others may take the type in beside a base of their own: a trait or module, or a class
 * of a language whose classes have several bases (Python).
 */
static bool may_be_mixed_in(struct type_ref of)
{
	const struct definition *d = &of.in->found->v[of.type].def;

	return strcmp(d->kind, "class") != 0 ||
	    node_type_is(definition_node(of.in, of.type), "class_definition");
}

/* The member of the object itself that only one derived type has: a mixin uses others' members. */
static struct origin member_of_derived(
    struct dataflow_context *a, struct expression t, const char *name)
{
	struct type_ref below[MOST_DERIVED], of = { t.in, enclosing_type_index(t.in, t.n) };
	struct origin found = origin_unknown;
	size_t n = 0;

	if (a->join && of.type >= 0 && may_be_mixed_in(of) && !has_member(of, name))
		n = other_files_derived_types(a->join, of.in, of.type, below, MOST_DERIVED);
	for (size_t i = 0; i < n; i++) {
		const struct definition *d = &below[i].in->found->v[below[i].type].def;
		const struct binding *b = find_local_binding(
		    below[i].in->t, name, strlen(name), d->start_byte, d);
		if (!b)
			continue;
		if (found.what)
			return origin_unknown;
		found = origin_at_binding(a, below[i].in, b, NULL);
	}
	return found;
}

struct origin origin_at_member(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode object = node_path_get(&x->object, t.n), last = node_path_get(&x->name, t.n);
	struct origin o, of = origin_unknown;

	if (ts_node_is_null(object) || ts_node_is_null(last) || node_len(last) >= LONGEST_NAME)
		return origin_unknown;
	const char *name = arena_strn(a->a, tree->text + node_start_byte(last), node_len(last));
	bool own = word_set_has(
	    &tree->rules->self, tree->text + node_start_byte(object), node_len(object));
	if (own) {
		o = origin_of_own_field(a, t, name, strlen(name));
		if (!o.what)
			o = origin_derived(a, t, name, strlen(name));
		if (!o.what)
			o = origin_own_member(a, t, name);
		if (!o.what)
			o = origin_of_made(a, t, name);
		if (!o.what)
			o = member_of_derived(a, t, name);
	} else {
		o = origin_merged_member(a, t, object, name);
		if (!o.what)
			o = assigned_member(a, (struct expression){ t.in, object, t.given }, name);
		if (o.what)
			return o;
		of = origin_follow(a, (struct expression){ t.in, object, t.given }, NULL);
		o = origin_member_of(a, &of, name);
	}
	struct origin method = method_of_parameter(a, t, &o);
	if (method.what)
		o = method;
	else if (!o.what || is_known_by_type(&o, t, object))
		o = origin_by_chain(a, t, o, name);
	if (of.what == ORIGIN_PARAMETER && (!o.what || o.what == ORIGIN_PARAMETER)) {
		struct origin passed = member_of_passed(a, &of, name);
		if (passed.what)
			return passed;
	}
	if (own)
		return origin_of_object(a, o, derived_self(a, t), t.given);
	return o;
}
