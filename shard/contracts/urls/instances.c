/*
 * Objects that constructors make, whose members have the values of the constructor's arguments:
 * instances of classes, records, data classes, constants of enumerations.
 */
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/contracts/urls/value_origin_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RETURNS = 4, MAX_BASES = 4, MAX_FIELDS = 32 };

/* An object: its type, and the expression or the constant that makes it. */
struct instance {
	struct contract_file *in;
	int type;
	struct expression made;
};

/* Whether the definition is a constant of an enumeration. */
static bool is_enum_constant(const struct contract_file *in, int definition)
{
	const struct definition *d = &in->found->v[definition].def;

	if (d->parent < 0 || kind_of(d->kind) != KIND_constant)
		return false;
	return !strcmp(in->found->v[d->parent].def.kind, "enum");
}

/* The enumeration of which the node is a constant, by index, or -1. */
static int type_of_constant(struct expression t)
{
	for (size_t i = 0; i < t.in->found->n; i++) {
		const struct definition *d = &t.in->found->v[i].def;
		if (d->start_byte == node_start_byte(t.n) && d->end_byte == node_end_byte(t.n) &&
		    is_enum_constant(t.in, (int)i))
			return d->parent;
	}
	return -1;
}

/* The object that an origin makes, as seen from `from`; false: it makes none of this repository. */
static bool instance_of(struct dataflow_context *a, const struct origin *o, struct expression from,
    struct instance *out)
{
	*out = (struct instance){ o->at.in, -1, o->at };
	if (o->what == ORIGIN_NODE)
		out->type = type_of_constant(o->at);
	if (o->what == ORIGIN_NODE && out->type < 0)
		out->type = instantiated_type(a, o->at, &out->in);
	else if (o->what == ORIGIN_DEFINITION && is_enum_constant(o->at.in, o->definition)) {
		out->type = o->at.in->found->v[o->definition].def.parent;
		out->made.n = definition_node(o->at.in, o->definition);
	}
	if (!out->made.given)
		out->made.given = from.given;
	return out->type >= 0;
}

static const struct call_frame *frame(
    struct dataflow_context *a, const struct instance *x, TSNode function)
{
	struct call_frame *g = arena_one(a->a, struct call_frame);

	*g = (struct call_frame){ .in = x->in, .function = function, .call = x->made };
	return g;
}

/* The call of the constructor, in which the members of the object have their values; or NULL. */
static const struct call_frame *constructor_frame(
    struct dataflow_context *a, const struct instance *x)
{
	int maker = method_named(x->in, x->type, x->in->found->v[x->type].def.name);
	TSNode function = constructor_of(x->in, x->type);

	if (ts_node_is_null(function))
		function = definition_node(x->in, x->type);
	if (maker >= 0)
		function = definition_function_node(x->in, maker);
	if (ts_node_is_null(function) || !parameter_count(x->in, function))
		return NULL;
	return frame(a, x, function);
}

/* A value, or the expression itself if it is a constant of a library. */
static struct origin value_of(struct dataflow_context *a, struct expression t, const char *name)
{
	struct origin o = origin_unknown;

	if (ts_node_is_null(t.n))
		return o;
	o = origin_follow(a, t, name);
	if (!o.what)
		o = origin_at_node(t.in, t.n, t.given, name);
	return o;
}

/* The argument for a parameter of the type itself: a record, a data class. */
static struct origin member_of_primary(
    struct dataflow_context *a, const struct instance *x, const char *name)
{
	TSNode function = derived_primary_constructor(x->in, x->type, name, strlen(name));

	if (ts_node_is_null(function))
		return origin_unknown;
	return value_of(a, parameter_argument(a, frame(a, x, function), name, strlen(name)), name);
}

/* Whether a field of the type is written as a parameter of its constructor. */
static bool is_parameter_field(const struct instance *x, TSNode function, const char *name)
{
	for (size_t i = 0; i < x->in->found->n; i++) {
		const struct definition *d = &x->in->found->v[i].def;
		if (d->parent == x->type && kind_holds_value(kind_of(d->kind)) && !strcmp(d->name, name) &&
		    d->start_byte >= node_start_byte(function) && d->end_byte <= node_end_byte(function))
			return true;
	}
	return false;
}

/* The argument for a field that is written so: constructor(private path: string) */
static struct origin member_of_constructor(
    struct dataflow_context *a, const struct instance *x, const char *name)
{
	TSNode function = constructor_of(x->in, x->type);

	if (ts_node_is_null(function) || !is_parameter_field(x, function, name))
		return origin_unknown;
	if (!function_has_parameter(x->in, function, name, strlen(name)))
		name = arena_printf(a->a, "$%s", name); /* PHP */
	if (!function_has_parameter(x->in, function, name, strlen(name)))
		return origin_unknown;
	return value_of(a, parameter_argument(a, frame(a, x, function), name, strlen(name)), name);
}

/* Whether an argument is for a parameter that it names. */
static bool is_named_argument(TSNode n)
{
	return !ts_node_is_null(node_field(n, "name")) || node_type_is(n, "pair");
}

/*
 * The argument at the place of a field, of a type that has no constructor of its own: a data class,
 * Struct.new(:verb, :path).
 */
static struct origin member_by_position(
    struct dataflow_context *a, const struct instance *x, const char *name)
{
	TSNode argument[MAX_FIELDS];
	size_t n = 0;

	if (ts_node_is_null(constructor_of(x->in, x->type)))
		n = call_arguments(x->made.in->t, x->made.n, argument, MAX_FIELDS);
	for (size_t i = 0; n && i < x->in->found->n; i++) {
		const struct definition *d = &x->in->found->v[i].def;
		if (d->parent != x->type || kind_of(d->kind) != KIND_field || strcmp(d->name, name))
			continue;
		size_t at = position_of_field(x->in, (int)i);
		if (at >= n || is_named_argument(argument[at]))
			break;
		return value_of(a, (struct expression){ x->made.in, argument[at], x->made.given }, name);
	}
	return origin_unknown;
}

/* The object as one of its type's base, made by the arguments that the constructor hands on. */
static bool instance_of_base(
    struct dataflow_context *a, const struct instance *x, struct instance *base)
{
	struct type_ref self = { x->in, x->type };
	struct expression call;

	*base = (struct instance){ 0 };
	if (!a->join || !other_files_base_type(a->join, x->in, x->type, 0, &base->in, &base->type) ||
	    base->type < 0)
		return false;
	size_t n = derived_constructor_calls(a, self, base->in, base->type, &call, 1);
	base->made = x->made;
	if (n) {
		base->made = call;
		base->made.given = constructor_frame(a, x);
	}
	return true;
}

/* The value of a member of the object, which may be a parameter of its type or of a base. */
static struct origin member_of_instance(
    struct dataflow_context *a, const struct instance *x, const char *name)
{
	struct instance of = *x, base;
	struct origin o = origin_made_member(a, (struct type_ref){ x->in, x->type }, x->made, name);

	for (int i = 0; i < MAX_BASES && !o.what; i++) {
		o = member_of_primary(a, &of, name);
		if (!o.what)
			o = member_of_constructor(a, &of, name);
		if (o.what || !instance_of_base(a, &of, &base))
			break;
		of = base;
	}
	if (!o.what)
		o = member_by_position(a, x, name);
	return o;
}

struct origin origin_instance_member(struct dataflow_context *a, const struct origin *object,
    struct expression from, const char *name)
{
	struct instance x;

	if (!instance_of(a, object, from, &x))
		return origin_unknown;
	return member_of_instance(a, &x, name);
}

/* Whether a literal of an object says the type: User{Name: "x"}. */
static bool literal_names_type(struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);

	return x && x->op == EXPR_NEW;
}

struct origin origin_node_member(
    struct dataflow_context *a, const struct origin *o, const char *name)
{
	if (!literal_is_object(o->at.n))
		return origin_instance_member(a, o, o->at, name);
	struct expression m = literal_member(a, o->at, name);
	if (ts_node_is_null(m.n))
		m = positional_member(a, o->at, name);
	if (ts_node_is_null(m.n)) {
		struct origin assigned = origin_assigned_member(a, o, name);
		if (assigned.what || !literal_names_type(o->at))
			return assigned;
		return origin_instance_member(a, o, o->at, name); /* a method of its type */
	}
	struct origin value = origin_follow(a, m, name);
	if (!value.what) /* a constant of a library */
		value = origin_at_node(m.in, m.n, m.given, name);
	return value;
}

struct origin origin_definition_member(
    struct dataflow_context *a, const struct origin *o, const char *name)
{
	const struct definition *d = &o->at.in->found->v[o->definition].def;
	const struct binding *b = find_local_binding(o->at.in->t, name, strlen(name), d->start_byte, d);

	if (b)
		return origin_at_binding(a, o->at.in, b, NULL);
	return origin_instance_member(a, o, o->at, name);
}

/* The field that a method without code of its own reads: getUrl(), url(). */
static const char *field_of_getter(struct dataflow_context *a, const char *name)
{
	if (strncmp(name, "get", 3) || !isupper((unsigned char)name[3]))
		return name;
	char *field = arena_str(a->a, name + 3);
	*field = (char)tolower((unsigned char)*field);
	return field;
}

/* What is assigned to a member that only a reader is defined for: attr_reader :client (Ruby). */
static struct origin behind_reader(struct dataflow_context *a, const struct origin *o)
{
	const struct definition *d = NULL;

	if (o->what == ORIGIN_DEFINITION)
		d = &o->at.in->found->v[o->definition].def;
	if (!d || kind_of(d->kind) != KIND_field || d->parent < 0)
		return *o;
	const char *name = arena_printf(a->a, "@%s", d->name);
	const struct definition *type = &o->at.in->found->v[d->parent].def;
	const struct binding *b = find_local_binding(
	    o->at.in->t, name, strlen(name), d->start_byte, type);
	if (!b)
		return *o;
	return origin_at_binding(a, o->at.in, b, NULL);
}

/* The first argument of a call, or a null node. */
static TSNode first_argument(struct expression call)
{
	TSNode argument = { 0 };

	call_arguments(call.in->t, call.n, &argument, 1);
	return argument;
}

/* What a method without arguments returns, of an object that is passed to the one around the code. */
static struct origin call_of_passed(
    struct dataflow_context *a, struct expression t, const struct origin *object, const char *name)
{
	struct passed_object passed = { 0 };
	TSNode returns[MAX_RETURNS];
	int method = -1;

	if (ts_node_is_null(first_argument(t)))
		passed = origin_passed(a, object);
	if (passed.of.in)
		method = method_named(passed.of.in, passed.of.type, name);
	if (method < 0)
		return origin_unknown;
	struct contract_file *in = passed.of.in;
	TSNode function = definition_function_node(in, method);
	if (ts_node_is_null(function) ||
	    function_return_values(in, function, returns, MAX_RETURNS) != 1)
		return origin_unknown;
	return origin_follow(a, (struct expression){ in, returns[0], NULL }, NULL);
}

struct origin origin_instance_call(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	struct expression of = { t.in, node_path_get(&x->object, t.n), t.given };
	struct origin object = origin_follow(a, of, NULL);
	TSNode n = node_path_get(&x->name, t.n), returns[MAX_RETURNS];
	struct instance made;

	if (ts_node_is_null(n) || node_len(n) >= LONGEST_NAME)
		return origin_unknown;
	const char *name = arena_strn(a->a, t.in->t->text + node_start_byte(n), node_len(n));
	struct origin changed = origin_unknown;
	if (ts_node_is_null(first_argument(t)))
		changed = value_of(a, changed_member(a, of, field_of_getter(a, name)), name);
	if (changed.what)
		return changed;
	object = behind_reader(a, &object);
	if (object.what == ORIGIN_PARAMETER)
		return call_of_passed(a, t, &object, name);
	if (!instance_of(a, &object, t, &made))
		return origin_unknown;
	struct origin o = origin_instance_member(a, &object, t, name);
	if (o.what != ORIGIN_DEFINITION)
		return member_of_instance(a, &made, field_of_getter(a, name));
	TSNode function = definition_function_node(o.at.in, o.definition);
	if (ts_node_is_null(function) ||
	    function_return_values(o.at.in, function, returns, MAX_RETURNS) != 1)
		return origin_unknown;
	struct call_frame *g = arena_one(a->a, struct call_frame);
	*g = (struct call_frame){ .in = o.at.in, .function = function, .call = t, .self = o.self };
	g->call.given = frames_above(a, o.at.given, t.given);
	return origin_follow(a, (struct expression){ o.at.in, returns[0], g }, NULL);
}

/* ---- the object of a view ---- */

/* Whether the type has a field of that name, perhaps as a parameter of its own. */
static bool has_field(const struct contract_file *in, int type, const char *name, size_t n)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && kind_holds_value(kind_of(d->kind)) && strlen(d->name) == n &&
		    !memcmp(d->name, name, n))
			return true;
	}
	return !ts_node_is_null(derived_primary_constructor(in, type, name, n));
}

/* The object that the call of a frame is of; unknown: it is the caller's own. */
static struct origin object_of_frame(
    struct dataflow_context *a, const struct call_frame *g, struct origin *parameter)
{
	const struct syntax_tree *t = g->call.in->t;
	TSNode object = call_object(t, g->call.n);

	if (ts_node_is_null(object) ||
	    word_set_has(&t->rules->self, t->text + node_start_byte(object), node_len(object)))
		return origin_unknown;
	struct expression of = { g->call.in, object, g->call.given };
	struct origin o = origin_follow(a, of, NULL);
	const char *chain = NULL;
	*parameter = origin_unknown;
	if (o.what == ORIGIN_PARAMETER)
		*parameter = o;
	if (o.what == ORIGIN_PARAMETER) /* of a constructor, say: its type may tell */
		chain = node_dotted_name(of.in, object, a->a);
	if (chain)
		return origin_other_file(a, of, chain);
	return o;
}

/* The object that a method is called on; a null node: none. */
static struct expression receiver_of(const struct call_frame *g)
{
	return (struct expression){ g->call.in, call_object(g->call.in->t, g->call.n), g->call.given };
}

struct origin origin_of_made(struct dataflow_context *a, struct expression at, const char *name)
{
	struct type_ref around = { at.in, -1 };
	const struct call_frame *g = NULL;

	if (at.given)
		g = frame_of_maker(a, at.given);
	if (g)
		around.type = enclosing_type_index(at.in, at.n);
	if (around.type < 0 || !derived_is(a, g->self, around))
		return origin_unknown;
	return member_of_instance(a, &(struct instance){ g->self.in, g->self.type, g->call }, name);
}

struct origin origin_of_own_field(
    struct dataflow_context *a, struct expression at, const char *name, size_t n)
{
	int type = -1;
	struct instance x;

	if (at.given)
		type = enclosing_type_index(at.in, at.n);
	if (type < 0 || n >= LONGEST_NAME || !has_field(at.in, type, name, n))
		return origin_unknown;
	const char *field = arena_strn(a->a, name, n);
	for (const struct call_frame *g = at.given; g; g = g->call.given) {
		if (g->in != at.in)
			continue;
		if (ts_node_is_null(g->function) && g->self.in == at.in && g->self.type == type)
			return member_of_primary(a, &(struct instance){ at.in, type, g->call }, field);
		if (ts_node_is_null(g->function) || enclosing_type_index(g->in, g->function) != type)
			continue;
		if (ts_node_eq(g->function, definition_node(at.in, type))) /* a constructor's own call */
			return member_of_primary(a, &(struct instance){ at.in, type, g->call }, field);
		struct origin changed = value_of(a, changed_member(a, receiver_of(g), field), field);
		if (changed.what)
			return changed;
		struct origin parameter = origin_unknown, object = object_of_frame(a, g, &parameter);
		if (object.what && instance_of(a, &object, g->call, &x))
			return member_of_instance(a, &x, field);
		if (parameter.what && eval_around_site(a, &parameter))
			return parameter; /* callers know it */
	}
	return origin_of_made(a, at, field);
}

/* ---- the expressions that make the objects of a type ---- */

/* Whether the function is the constructor of a type, or none: the type has no own one. */
static bool may_construct(const struct contract_file *in, TSNode function)
{
	if (ts_node_is_null(function))
		return true;
	int d = enclosing_definition(in, node_start_byte(function), true);
	return d >= 0 && !strcmp(in->found->v[d].def.kind, "constructor");
}

static bool makes(struct dataflow_context *a, struct expression made, struct type_ref of)
{
	const struct expr_rule *x = rules_expr(made.in->t, made.n);
	struct contract_file *in = NULL;

	if (!x || (x->op != EXPR_NEW && x->op != EXPR_CALL))
		return false;
	return instantiated_type(a, made, &in) == of.type && in == of.in;
}

const struct call_frame *frame_of_maker(struct dataflow_context *a, const struct call_frame *given)
{
	for (const struct call_frame *g = given; g; g = g->call.given)
		if (g->self.in && g->call.in && !ts_node_is_null(g->call.n) &&
		    may_construct(g->in, g->function) && makes(a, g->call, g->self))
			return g;
	return NULL;
}

/* The constructor of a type, else the type itself, by index. */
static int maker_of(struct type_ref of)
{
	for (size_t i = 0; i < of.in->found->n; i++) {
		const struct definition *d = &of.in->found->v[i].def;
		if (d->parent == of.type && !strcmp(d->kind, "constructor"))
			return (int)i;
	}
	return of.type;
}

size_t objects_of_type(
    struct dataflow_context *a, struct type_ref of, struct expression *out, size_t max)
{
	struct expression *calls = xmalloc(max * sizeof *calls);
	size_t n = 0, count = other_files_callers(a->join, of.in, maker_of(of), calls, max);

	for (size_t i = 0; i < count; i++)
		if (makes(a, calls[i], of))
			out[n++] = calls[i];
	free(calls);
	return n;
}

/* ---- objects that others are given ---- */

enum { MOST_PASSING = 12, MOST_DERIVED = 12, MOST_NESTED = 2, SEARCH_COST = 16 };

/* Whether a name is a word for the object that the code belongs to. */
static bool is_self(struct expression t)
{
	return word_set_has(&t.in->t->rules->self, t.in->t->text + node_start_byte(t.n), node_len(t.n));
}

/* The object that an argument is: the one that the code belongs to, or what a constructor makes. */
static struct passed_object object_passed(struct dataflow_context *a, struct expression t)
{
	struct passed_object x = { .at = t, .self = is_self(t) };
	struct origin o = { 0 };

	if (x.self) {
		x.of = (struct type_ref){ t.in, enclosing_type_index(t.in, t.n) };
		x.at.given = NULL;
		return x;
	}
	if (--a->budget > 0)
		o = origin_follow(a, t, NULL);
	if (o.what == ORIGIN_NODE) {
		x.at = o.at;
		x.of.type = instantiated_type(a, o.at, &x.of.in);
	}
	if (x.of.type < 0)
		x.of = (struct type_ref){ 0 };
	return x;
}

/*
 * The first object that calls which make objects of the type pass for the parameter, if all are of
 * one type; false: there are several.
 */
static bool find_passed(struct dataflow_context *a, const struct origin *parameter,
    struct type_ref of, struct passed_object *found)
{
	struct expression made[MOST_PASSING];
	size_t n = objects_of_type(a, of, made, MOST_PASSING);

	for (size_t i = 0; i < n; i++) {
		struct call_frame g = {
			.in = parameter->at.in, .function = parameter->function, .call = made[i]
		};
		struct expression t = parameter_argument(a, &g, parameter->name, strlen(parameter->name));
		struct passed_object x = { 0 };
		if (!ts_node_is_null(t.n))
			x = object_passed(a, t);
		if (!x.of.in)
			continue;
		if (found->of.in && (found->of.in != x.of.in || found->of.type != x.of.type))
			return false;
		if (!found->of.in)
			*found = x;
	}
	return true;
}

/* The same, of the type and of those derived from it. */
static bool find_passed_to_all(struct dataflow_context *a, const struct origin *parameter,
    struct type_ref of, struct passed_object *found)
{
	struct type_ref below[MOST_DERIVED];

	if (!find_passed(a, parameter, of, found))
		return false;
	size_t n = other_files_derived_types(a->join, of.in, of.type, below, MOST_DERIVED);
	for (size_t i = 0; i < n; i++)
		if (!find_passed(a, parameter, below[i], found))
			return false;
	return true;
}

struct passed_object origin_passed(struct dataflow_context *a, const struct origin *parameter)
{
	struct passed_object found = { 0 }, none = { 0 };
	int d = enclosing_definition(parameter->at.in, node_start_byte(parameter->function), true);

	if (!a->join || d < 0 || !parameter->name ||
	    strcmp(parameter->at.in->found->v[d].def.kind, "constructor"))
		return none;
	struct type_ref of = { parameter->at.in, parameter->at.in->found->v[d].def.parent };
	a->budget -= SEARCH_COST;
	if (of.type < 0 || a->budget < 0 || a->passings >= MOST_NESTED)
		return none;
	a->passings++;
	bool one = find_passed_to_all(a, parameter, of, &found);
	a->passings--;
	return one ? found : none;
}
