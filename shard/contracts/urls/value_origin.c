#include "shard/contracts/urls/value_origin_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/definitions/expression.h"
#include "shard/program/program.h"
#include "shard/syntax/slash_endings.h"

/* ---- names ---- */

/* The value of an argument; a constant of a library, HandlerType.POST, is its own. */
static struct origin origin_of_argument(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_unknown;

	if (ts_node_is_null(t.n))
		return o;
	o = origin_follow(a, t, NULL);
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	bool constant = x && x->op == EXPR_MEMBER &&
	    isupper((unsigned char)t.in->t->text[node_start_byte(t.n)]);
	if (!o.what && constant)
		o = origin_at_node(t.in, t.n, t.given, NULL);
	return o;
}

static struct origin at_parameter(
    struct dataflow_context *a, struct expression t, TSNode function, const char *name, size_t n)
{
	for (const struct call_frame *g = t.given; g; g = g->call.given) {
		if (g->in != t.in || !ts_node_eq(g->function, function))
			continue;
		struct expression given = parameter_argument(a, g, name, n);
		if (ts_node_is_null(given.n) && !ts_node_is_null(parameter_object(a, g, name, n).n)) {
			struct origin object = literal_open_part(a, parameter_object(a, g, name, n));
			if (object.what == ORIGIN_PARAMETER)	/* an object that a caller passes on */
				return object;
		}
		return origin_of_argument(a, given);
	}
	if (!ts_node_is_null(a->each) && ts_node_eq(a->each, function)) {
		struct expression element = parameter_of_callback(a, t.in, function, a->element, name, n);
		if (ts_node_is_null(element.n))
			return origin_unknown;
		return origin_follow(a, element, NULL);
	}
	struct origin element = origin_unknown;
	if (!a->objects)
		element = origin_loop_element(a, t, name, n);
	if (element.what && element.what != ORIGIN_PARAMETER)
		return element;
	a->unknown = true;
	TSNode fallback = parameter_default_value(t.in, function, name, n);
	a->defaulted |= !ts_node_is_null(fallback);
	if (a->defaults && !ts_node_is_null(fallback))
		return origin_follow(a, (struct expression){ t.in, fallback, t.given }, NULL);
	return (struct origin){
		.what = ORIGIN_PARAMETER, .at = t, .function = function, .name = arena_strn(a->a, name, n)
	};
}

/* The innermost type or module around a node, or NULL. */
static const struct definition *type_around(const struct contract_file *in, TSNode at)
{
	uint32_t from = node_start_byte(at), to = node_end_byte(at);
	int i = (int)in->found->n;

	while ((i = found_around(in->found, from, to, i)) >= 0) {
		enum kind k = kind_of(in->found->v[i].def.kind);
		if (kind_is_type(k) || k == KIND_module)
			return &in->found->v[i].def;
	}
	return NULL;
}

/*
 * What a name is given in the type around a node; other types of the file may have fields of the
 * same name.
 */
static const struct binding *type_binding(
    const struct contract_file *in, const char *name, size_t n, TSNode at)
{
	const struct definition *type = type_around(in, at);

	if (type)
		return find_local_binding(in->t, name, n, node_start_byte(at), type);
	return NULL;
}

const struct binding *origin_choose(
    struct dataflow_context *a, const struct binding *const *v, size_t count)
{
	if (!count)
		return NULL;
	if (count > 1)
		a->choices = MAX(a->choices, (int)count);
	return v[MIN((size_t)a->choice, count - 1)];
}

static const struct binding *branch_binding(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	const struct binding *v[MAX_BRANCHES];

	return origin_choose(a, v, reaching_values(t.in->t, name, n, t.n, v, MAX_BRANCHES));
}

/*
 * One of the values that branches give to a parameter; NULL: it has what the caller gives.  Branches
 * that the calls at hand do not take give nothing.
 */
static const struct binding *parameter_branch(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	const struct binding *v[MAX_BRANCHES], *taken[MAX_BRANCHES + 1];
	size_t count = 0;
	bool argument;

	size_t given = reaching_parameter_values(t.in->t, name, n, t.n, v, MAX_BRANCHES, &argument);
	for (size_t i = 0; i < given; i++)
		if (!is_unreachable(a, (struct expression){ t.in, v[i]->value, t.given }))
			taken[count++] = v[i];
	if (count && argument)
		taken[count++] = NULL;
	return origin_choose(a, taken, count);
}

/* The same of a member of the type around the node. */
static const struct binding *member_branch(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	const struct definition *type = type_around(t.in, t.n);
	const struct binding *v[MAX_BRANCHES];

	if (!type)
		return NULL;
	return origin_choose(a, v, reaching_member_values(t.in, name, n, type, v, MAX_BRANCHES));
}

struct origin origin_derived(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	struct contract_file *in;
	int d = derived_override(a, t, name, n, &in);

	if (d < 0)
		return origin_unknown;
	return origin_at_definition(a, in, d);
}

/* The binding of a name where the node is; the node is not part of its value. */
static const struct binding *binding_of_name(
    struct dataflow_context *a, struct expression t, const char *name, size_t n, TSNode function)
{
	const struct binding *b = find_local_binding(t.in->t, name, n, node_start_byte(t.n), NULL);

	if (!b)
		b = type_binding(t.in, name, n, t.n);
	bool parameter = !ts_node_is_null(function);
	bool assigned = parameter && b && node_within(b->value, function);
	if (!b && !parameter)
		b = branch_binding(a, t, name, n);
	else if (parameter && !b)
		b = parameter_branch(a, t, name, n);
	else if (assigned && runs_conditionally(b->value, t.n))
		b = parameter_branch(a, t, name, n);
	if (!b && ts_node_is_null(function))
		b = member_branch(a, t, name, n);
	if (b && node_within(t.n, b->value))
		return NULL;
	return b;
}

/* Whether the name means the parameter of a function rather than what the binding gives. */
static bool is_parameter(const struct contract_file *in, TSNode function, const struct binding *b)
{
	if (ts_node_is_null(function))
		return false;
	if (!b || b->to - b->from > node_len(function) || binding_combines(in->t, b))
		return true;
	return is_parameter_default(in, function, b->value);
}

/* The object that a method was called on, in the view at hand; unknown: the name is not its. */
static struct origin at_receiver(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	for (const struct call_frame *g = t.given; g; g = g->call.given) {
		if (g->in != t.in || ts_node_is_null(g->function) || !node_within(t.n, g->function))
			continue;
		TSNode own = function_receiver_name(g->function);
		if (ts_node_is_null(own))
			continue;
		const char *text = t.in->t->text + node_start_byte(own);
		TSNode object = call_receiver(g->call.in->t, g->call.n);
		if (node_len(own) == n && !memcmp(text, name, n) && !ts_node_is_null(object))
			return origin_follow(a, (struct expression){ g->call.in, object, g->call.given }, NULL);
	}
	return origin_unknown;
}

/* A parameter of the type around the node, whose constructor is its head (Kotlin, C#). */
static struct origin at_type_parameter(
    struct dataflow_context *a, struct expression t, const char *name)
{
	int type = enclosing_type_index(t.in, t.n);
	TSNode function = derived_primary_constructor(t.in, type, name, strlen(name));

	if (ts_node_is_null(function))
		return origin_unknown;
	a->unknown = true;
	return (struct origin){
		.what = ORIGIN_PARAMETER, .at = t, .function = function, .name = name
	};
}

struct expression origin_argument(
    struct dataflow_context *a, struct expression t, TSNode function, const char *name, size_t n)
{
	for (const struct call_frame *g = t.given; g; g = g->call.given)
		if (g->in == t.in && ts_node_eq(g->function, function))
			return parameter_argument(a, g, name, n);
	return (struct expression){ 0 };
}

/* The binding of a name; NULL if it is a parameter, whose argument, if known, goes to `*given`. */
static const struct binding *step_of_name(
    struct dataflow_context *a, struct expression t, struct expression *given, bool *parameter)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	size_t n = node_len(t.n);
	TSNode function = function_of_parameter(t.in, t.n, name, n);
	const struct binding *b = binding_of_name(a, t, name, n, function);

	if (!is_parameter(t.in, function, b))
		return b;
	*given = origin_argument(a, t, function, name, n);
	*parameter = ts_node_is_null(given->n);
	return NULL;
}

/* The binding of a member of the own object, or NULL. */
static const struct binding *step_of_member(struct expression t, const struct expr_rule *x)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode object = node_path_get(&x->object, t.n), name = node_path_get(&x->name, t.n);

	if (ts_node_is_null(object) || ts_node_is_null(name))
		return NULL;
	if (!word_set_has(&tree->rules->self, tree->text + node_start_byte(object), node_len(object)))
		return NULL;
	return find_local_binding(
	    tree, tree->text + node_start_byte(name), node_len(name), node_start_byte(t.n), NULL);
}

struct expression origin_step(struct dataflow_context *a, struct expression t, bool *parameter)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct expression given = { 0 };
	const struct binding *b = NULL;

	if (x && x->op == EXPR_NAME)
		b = step_of_name(a, t, &given, parameter);
	else if (x && x->op == EXPR_MEMBER)
		b = step_of_member(t, x);
	if (!b || node_within(t.n, b->value))
		return given;
	return (struct expression){ t.in, b->value, t.given };
}

struct origin origin_member_of(struct dataflow_context *a, const struct origin *o, const char *name)
{
	switch (o->what) {
	case ORIGIN_MODULE: return origin_exported(a, o->at.in, name, 0);
	case ORIGIN_NODE: return origin_node_member(a, o, name);
	case ORIGIN_DEFINITION: return origin_definition_member(a, o, name);
	case ORIGIN_PARAMETER: return *o;
	case ORIGIN_UNKNOWN: break;
	}
	return origin_unknown;
}

/* The origin of a name that a declaration takes from an object: const { get, base = "/" } = api */
static struct origin at_unpacked(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	TSNode key, fallback, value = unpacked_value(t.in, t.n, name, n, &key, &fallback);

	if (ts_node_is_null(value))
		return origin_unknown;
	struct origin o = origin_follow(a, (struct expression){ t.in, value, t.given }, NULL);
	if (!ts_node_is_null(key))
		o = origin_member_of(
		    a, &o, arena_strn(a->a, t.in->t->text + node_start_byte(key), node_len(key)));
	if (!o.what && !ts_node_is_null(fallback))
		return origin_follow(a, (struct expression){ t.in, fallback, t.given }, NULL);
	return o;
}

/* The origin of a name as it is seen from the node. */
static struct origin at_text(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	TSNode function = function_of_parameter(t.in, t.n, name, n);
	const struct binding *b = binding_of_name(a, t, name, n, function);
	struct origin o = origin_unknown;

	if (is_parameter(t.in, function, b))
		return at_parameter(a, t, function, name, n);
	if (!b)
		o = at_receiver(a, t, name, n);
	if (!o.what && (!b || !b->from))
		o = origin_of_own_field(a, t, name, n);
	if (!b && !o.what)
		o = origin_loop_element(a, t, name, n);
	if (!o.what && (!b || !b->from))
		o = origin_derived(a, t, name, n);
	if (o.what)
		return o;
	if (b)
		return origin_at_binding(a, t.in, b, t.given);
	if (n >= LONGEST_NAME)
		return origin_unknown;
	o = at_unpacked(a, t, name, n);
	if (!o.what)
		o = origin_unpacked_element(a, t, name, n);
	if (o.what)
		return o;
	const char *text = arena_strn(a->a, name, n);
	o = origin_other_file(a, t, text);
	if (!o.what)
		o = origin_imported(a, t.in, text);
	if (!o.what)
		o = at_type_parameter(a, t, text);
	return o;
}

struct origin origin_own_member(struct dataflow_context *a, struct expression t, const char *name)
{
	const struct binding *later = NULL;
	const struct binding *b = find_local_binding(
	    t.in->t, name, strlen(name), node_start_byte(t.n), NULL);

	if (!b || means_empty(t.in->t, b->value))
		later = member_branch(a, t, name, strlen(name));
	if (later)
		b = later;
	if (!b || b->from || node_within(t.n, b->value))
		return origin_unknown;
	return origin_at_binding(a, t.in, b, t.given);
}

/* A constant of the object's own type: self.class::PATH; unknown: the name is another one. */
static struct origin own_constant(struct dataflow_context *a, struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode scope = node_field(t.n, "scope"), name = node_field(t.n, "name");

	if (ts_node_is_null(scope) || ts_node_is_null(name) ||
	    !word_set_has(&tree->rules->self, tree->text + node_start_byte(scope), node_len(scope)))
		return origin_unknown;
	const char *text = arena_strn(a->a, tree->text + node_start_byte(name), node_len(name));
	struct origin o = origin_derived(a, t, text, strlen(text));
	if (o.what)
		return o;
	return origin_own_member(a, t, text);
}

static struct origin at_name(struct dataflow_context *a, struct expression t)
{
	struct origin o = own_constant(a, t);
	const char *path = NULL;

	if (o.what)
		return o;
	if (t.in->t->rules->tokens)
		path = token_dotted_name(t.in, t.n, a->a);
	if (path)
		return origin_other_file(a, t, path);
	return at_text(a, t, t.in->t->text + node_start_byte(t.n), node_len(t.n));
}

struct origin origin_chain(struct dataflow_context *a, struct expression t, const char *chain)
{
	const char *dot = strrchr(chain, '.');
	struct origin o;

	if (a->depth >= ORIGIN_DEEP || --a->budget < 0)
		return origin_unknown;
	if (!dot)
		return at_text(a, t, chain, strlen(chain));
	a->depth++;
	if (word_set_has(&t.in->t->rules->self, chain, (size_t)(dot - chain))) {
		o = origin_derived(a, t, dot + 1, strlen(dot + 1));
		if (!o.what)
			o = origin_own_member(a, t, dot + 1);
	} else {
		o = origin_chain(a, t, arena_strn(a->a, chain, (size_t)(dot - chain)));
		o = origin_member_of(a, &o, dot + 1);
	}
	a->depth--;
	if (o.what)
		return o;
	return origin_other_file(a, t, chain);
}

/*
 * The expression inside another one; of the two values of a conditional, the one that the calls at
 * hand choose, else the one that is not nothing: c ? undefined : options; else each in its turn,
 * but an object is the first one in all views.
 */
static TSNode unwrap_expression(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	static const char *const nothing[] = { "undefined", "null", "None", "nil" };
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);
	TSNode n, other = node_field(t.n, "alternative");

	if (r && r->op == VALUE_CHOICE && !a->objects && !a->deciding)
		return chosen_value(a, t);
	if (x->of.n)
		n = node_path_get(&x->of, t.n);
	else
		n = ts_node_named_child(t.n, 0);
	TSNode decided = decided_choice(a, t);
	if (!ts_node_is_null(decided))
		return decided;
	if (ts_node_is_null(n) || ts_node_is_null(other))
		return n;
	for (size_t i = 0; i < LEN(nothing); i++)
		if (node_is(t.in->t, n, nothing[i]))
			return other;
	return n;
}

/* The left side of `options || {}`, whose right side says nothing; null: it is something else. */
static TSNode or_nothing(TSNode n)
{
	TSNode right = ts_node_child_by_field_name(n, "right", 5);

	if (ts_node_is_null(right) || !literal_is_object(right) || ts_node_named_child_count(right))
		return (TSNode){ 0 };
	return ts_node_child_by_field_name(n, "left", 4);
}

/* The element of a table whose key is written as a literal: PATHS["orders"], paths[:orders]. */
static struct origin at_element(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	struct expression of = { t.in, node_path_get(&x->of, t.n), t.given };
	uint32_t count = ts_node_named_child_count(t.n);

	if (ts_node_is_null(of.n) || count < 2)
		return origin_unknown;
	TSNode key = ts_node_named_child(t.n, count - 1);
	const char *text = t.in->t->text + node_start_byte(key);
	size_t n = node_len(key);
	struct expression numbered = list_element(a, of, key);
	if (!ts_node_is_null(numbered.n))
		return origin_follow(a, numbered, NULL);
	bool quoted = n > 2 && strchr("\"'`", *text) && text[n - 1] == *text;
	if (n >= LONGEST_NAME || (!quoted && *text != ':'))
		return origin_unknown;
	struct expression m = origin_member(a, of, arena_strn(a->a, text + 1, n - 1 - quoted));
	if (ts_node_is_null(m.n))
		return origin_unknown;
	return origin_follow(a, m, NULL);
}

static struct origin follow_expression(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x, const char *name)
{
	struct origin o;

	switch (x->op) {
	case EXPR_NAME:
		o = at_name(a, t);
		if (x->calls && o.what == ORIGIN_DEFINITION)
			return origin_called(a, t, &o);
		return o;
	case EXPR_MEMBER:
		o = origin_at_member(a, t, x);
		if (x->gives && o.what == ORIGIN_DEFINITION && !origin_is_callee(t))
			return origin_called(a, t, &o);
		return o;
	case EXPR_INNER:
	case EXPR_CAST:
		return origin_follow(
		    a, (struct expression){ t.in, unwrap_expression(a, t, x), t.given }, name);
	case EXPR_CALL:
		o = origin_call(a, t, x);
		if (!o.name)
			o.name = name;
		return o;
	case EXPR_INDEX:
		o = at_element(a, t, x);
		if (!o.what)
			o = origin_counted_element(a, t, x);
		if (o.what)
			return o;
		break;
	case EXPR_NEW:
	case EXPR_SUM: break;
	}
	return origin_at_node(t.in, t.n, t.given, name);
}

static struct origin follow_node(struct dataflow_context *a, struct expression t, const char *name)
{
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	enum value_op op = VALUE_NONE;

	if (r)
		op = r->op;
	bool joins = op == VALUE_JOIN || op == VALUE_EITHER;
	if (op == VALUE_INNER)
		return origin_follow(
		    a, (struct expression){ t.in, ts_node_named_child(t.n, 0), t.given }, name);
	if (op == VALUE_LAST && ts_node_named_child_count(t.n) && !is_function_node(t.in->t, t.n))
		return origin_follow(a,
		    (struct expression){ t.in, ts_node_named_child(t.n, ts_node_named_child_count(t.n) - 1),
		        t.given },
		    name);
	if (node_type_is(t.n, "shorthand_property_identifier"))
		return at_name(a, t);
	if (joins && !ts_node_is_null(or_nothing(t.n)))
		return origin_follow(a, (struct expression){ t.in, or_nothing(t.n), t.given }, name);
	if (!x || joins || op == VALUE_TEXT)
		return origin_at_node(t.in, t.n, t.given, name);
	return follow_expression(a, t, x, name);
}

struct origin origin_follow(struct dataflow_context *a, struct expression t, const char *name)
{
	if (ts_node_is_null(t.n) || a->depth >= ORIGIN_DEEP || --a->budget < 0)
		return origin_unknown;
	if (!other_files_step(a->join)) {
		if (!a->gap.why)
			a->gap = (struct value_gap){ "limit", t };
		a->budget = 0; /* what else the site asks is unknown for the same reason */
		return origin_unknown;
	}
	a->depth++;
	struct origin o = follow_node(a, t, name);
	a->depth--;
	o.slashed |= ends_with_slash(t.in->t, t.n);
	return o;
}

struct origin origin_of(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_follow(a, t, NULL), exported;

	if (o.what != ORIGIN_MODULE)
		return o;
	exported = origin_default_export(a, o.at.in);
	if (exported.what)
		return exported;
	return o;
}
