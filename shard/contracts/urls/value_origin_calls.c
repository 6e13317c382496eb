/* What calls give back, and what new objects hold. */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/program/program.h"

enum { MAX_RETURNS = 4 };

/* The method of that name of the type that the definition is, or -1. */
static int method_named(const struct contract_file *in, int type, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (in->found->v[i].def.parent == type && in->found->v[i].def.signature &&
		    !strcmp(in->found->v[i].def.name, name))
			return (int)i;
	return -1;
}

/* The type of which an expression makes an instance, in `*in`, by index, or -1. */
static int instantiated_type(
    struct dataflow_context *a, struct expression made, struct contract_file **in)
{
	const struct expr_rule *x = rules_expr(made.in->t, made.n);
	bool called = x && x->op == EXPR_CALL && x->function.n;		/* Python has no `new` */
	TSNode type = x && x->op == EXPR_NEW ? node_path_get(&x->type, made.n) :
	    called                           ? node_path_get(&x->function, made.n) :
	                                       (TSNode){ 0 };

	if (ts_node_is_null(type) || node_len(type) >= LONGEST_NAME)
		return -1;
	const char *name = arena_strn(a->a, made.in->t->text + node_start_byte(type), node_len(type));
	*in = made.in;
	for (size_t i = 0; i < made.in->found->n; i++) {
		const struct definition *d = &made.in->found->v[i].def;
		if (!strcmp(d->name, name) && kind_is_type(kind_of(d->kind)))
			return (int)i;
	}
	struct origin o = origin_other_file(a, (struct expression){ made.in, type, NULL }, name);
	if (o.what == ORIGIN_MODULE)
		o = origin_default_export(a, o.at.in);		/* module.exports = Users */
	*in = o.at.in;
	for (size_t i = 0; o.what == ORIGIN_NODE && i < (*in)->found->n; i++)
		if (kind_is_type(kind_of((*in)->found->v[i].def.kind)) &&
		    (*in)->found->v[i].def.start_byte == node_start_byte(o.at.n))
			return (int)i;		/* module.exports = class Users { } */
	if (o.what != ORIGIN_DEFINITION ||
	    (called && !kind_is_type(kind_of(o.at.in->found->v[o.definition].def.kind))))
		return -1;
	return o.definition;
}

struct origin origin_instance_member(
    struct dataflow_context *a, struct expression made, const char *name)
{
	struct contract_file *in = made.in;
	int type = instantiated_type(a, made, &in);
	const struct definition *d = type < 0 ? NULL : &in->found->v[type].def;
	const struct binding *b = NULL;

	if (d)
		b = find_local_binding(in->t, name, strlen(name), d->start_byte, d);
	TSNode maker = b ? enclosing_function(in, b->value) : (TSNode){ 0 };
	bool field = b && (ts_node_is_null(maker) || node_start_byte(maker) < d->start_byte);

	for (size_t i = 0; d && !b && i < in->found->n; i++)	/* or what a method of it assigns */
		if (in->found->v[i].def.parent == type && in->found->v[i].def.signature)
			b = find_local_binding(in->t, name, strlen(name), in->found->v[i].def.start_byte, d);
	/* a field that the instance is made with: Settings(url="http://users") */
	if (d && (!b || field)) {
		struct expression given = { made.in, ts_node_child_by_field_name(made.n, "arguments", 9),
			made.given };
		given = literal_member(a, given, name);
		if (!ts_node_is_null(given.n))
			return origin_follow(a, given, name);
	}
	int constructor = -1;
	if (b && !field)
		constructor = enclosing_definition(in, node_start_byte(maker), true);
	if (constructor < 0 || strcmp(in->found->v[constructor].def.kind, "constructor")) {
		if (b)
			return origin_at_binding(a, in, b, NULL);
		return origin_unknown;
	}
	/* assigned by what makes it: self.url = url */
	struct call_frame *g = arena_one(a->a, struct call_frame);
	*g = (struct call_frame){ in, maker, made };
	return origin_at_binding(a, in, b, g);
}

/* What a method of a new object gives back, its fields from what the object was made with. */
static struct origin origin_of_instance(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	struct origin object = origin_follow(
	    a, (struct expression){ t.in, node_path_get(&x->object, t.n), t.given }, NULL);
	TSNode name = node_path_get(&x->name, t.n), returns[MAX_RETURNS];
	struct contract_file *in = t.in;
	int type = object.what == ORIGIN_NODE ? instantiated_type(a, object.at, &in) : -1, method = -1,
	    maker = -1;

	if (type >= 0 && node_len(name) < LONGEST_NAME) {
		method = method_named(
		    in, type, arena_strn(a->a, t.in->t->text + node_start_byte(name), node_len(name)));
		maker = method_named(in, type, in->found->v[type].def.name);
	}
	TSNode function = method >= 0 ? definition_function_node(in, method) : (TSNode){ 0 };
	if (ts_node_is_null(function) ||
	    function_return_values(in, function, returns, MAX_RETURNS) != 1)
		return origin_unknown;
	struct call_frame *g = arena_many(a->a, 2, struct call_frame);
	g[0] = (struct call_frame){ in, function, t };
	if (maker >= 0) {
		g[1] = (struct call_frame){ in, definition_function_node(in, maker), object.at };
		g[0].call.given = &g[1];
	}
	return origin_follow(a, (struct expression){ in, returns[0], g }, NULL);
}

bool origin_is_require(const struct contract_file *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	for (const struct import_rule *i = rule ? rule->imports : NULL; i; i = i->next)
		if (condition_holds(&i->when, r->t, n) && i->module.n &&
		    !ts_node_is_null(node_path_get(&i->module, n)))
			return true;
	return false;
}

/* The path in require("./x"), import("./x"), without quotes; NULL: the call is none. */
static const char *require_argument(
    struct dataflow_context *a, const struct contract_file *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	for (const struct import_rule *i = rule ? rule->imports : NULL; i; i = i->next) {
		TSNode m = condition_holds(&i->when, r->t, n) && i->module.n ?
		    node_path_get(&i->module, n) :
		    (TSNode){ 0 };
		if (!ts_node_is_null(m) && node_len(m) > 2)
			return arena_strn(a->a, r->t->text + node_start_byte(m) + 1, node_len(m) - 2);
	}
	return NULL;
}

/* Whether what the call makes is known, whatever its function does for it. */
static bool joins_paths(const struct syntax_tree *t, TSNode call)
{
	char name[80];
	const struct call_rule *rule;

	call_callee(t, call, arguments_of(t, call), name, sizeof name);
	rule = call_rule_of(t->rules, name);
	return rule && (rule->how == CALL_PATHS || rule->how == CALL_JOIN);
}

/* The method of the type that the object is of which a call of an own method means. */
static struct origin own_call(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode object = x->object.n ? node_path_get(&x->object, t.n) : (TSNode){ 0 },
	       name = node_path_get(&x->name, t.n);

	if (ts_node_is_null(name) ||
	    (!ts_node_is_null(object) &&
	        !word_set_has(
	            &tree->rules->self, tree->text + node_start_byte(object), node_len(object))))
		return origin_unknown;
	return origin_derived(a, t, tree->text + node_start_byte(name), node_len(name));
}

/* What is called, where that is no method of a new object; its node, or null. */
static TSNode called_function(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x, struct origin *o)
{
	if (x->function.n) {
		*o = origin_follow(a, (struct expression){ t.in, node_path_get(&x->function, t.n), t.given }, NULL);
	} else if (!(*o = own_call(a, t, x)).what) {
		const char *chain = node_dotted_name(t.in, t.n, a->a);
		size_t n = 0;
		if (chain)
			n = strlen(chain);
		if (n > 2)
			*o = origin_other_file(a, t, arena_strn(a->a, chain, n - 2));
	}
	if (o->what == ORIGIN_MODULE)
		*o = origin_default_export(a, o->at.in);
	return o->what == ORIGIN_DEFINITION ? definition_function_node(o->at.in, o->definition) :
	    o->what == ORIGIN_NODE && is_function_node(o->at.in->t, o->at.n) ? o->at.n : (TSNode){ 0 };
}

size_t origin_return_values(
    struct dataflow_context *a, struct expression t, struct expression *out, size_t max)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct origin o = origin_unknown;
	TSNode function = x && x->op == EXPR_CALL && a->depth < ORIGIN_DEEP ?
	    called_function(a, t, x, &o) :
	    (TSNode){ 0 },
	       returns[MAX_RETURNS];
	size_t n = ts_node_is_null(function) ?
	    0 :
	    function_return_values(o.at.in, function, returns, MAX_RETURNS);
	struct call_frame *g = arena_one(a->a, struct call_frame);

	*g = (struct call_frame){ o.at.in, function, t };
	for (size_t i = 0; i < n && i < max; i++)
		out[i] = (struct expression){ o.at.in, returns[i], g };
	return MIN(n, max);
}

struct origin origin_call(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	const char *module = require_argument(a, t.in, t.n);
	struct origin self = origin_at_node(t.in, t.n, t.given, NULL), o = origin_unknown;
	TSNode returns[MAX_RETURNS];

	if (module) {
		a->unknown = true;
		struct source_file *f = a->join && t.in->file ? other_files_module(a->join, t.in, module) :
		                                                NULL;
		struct contract_file *r = NULL;
		if (f)
			r = other_files_read(a->join, f);
		return r ? (struct origin){ .what = ORIGIN_MODULE, .at = { .in = r } } : self;
	}
	if (joins_paths(t.in->t, t.n))
		return self;
	bool method = !x->function.n && x->object.n && !ts_node_is_null(node_path_get(&x->object, t.n));
	if (method && (o = own_call(a, t, x)).what == ORIGIN_UNKNOWN &&
	    (o = origin_of_instance(a, t, x)).what)
		return o;
	TSNode function = called_function(a, t, x, &o);
	if (ts_node_is_null(function) ||
	    function_return_values(o.at.in, function, returns, MAX_RETURNS) != 1)
		return self;
	struct call_frame *g = arena_one(a->a, struct call_frame);
	*g = (struct call_frame){ o.at.in, function, t };
	o = origin_follow(a, (struct expression){ o.at.in, returns[0], g }, NULL);
	return o.what ? o : self;
}
