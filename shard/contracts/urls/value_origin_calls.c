/* What calls return. */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/program/program.h"

enum { MAX_RETURNS = 4 };

int method_named(const struct contract_file *in, int type, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && d->signature && !strcmp(d->name, name))
			return (int)i;
	}
	return -1;
}

static bool is_type(const struct contract_file *in, size_t definition)
{
	return kind_is_type(kind_of(in->found->v[definition].def.kind));
}

/* The type of that name that a file defines, by index, or -1. */
static int type_of_name(const struct contract_file *in, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (is_type(in, i) && !strcmp(in->found->v[i].def.name, name))
			return (int)i;
	return -1;
}

/* The type whose definition begins at the byte, by index, or -1. */
static int type_at(const struct contract_file *in, uint32_t start)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (is_type(in, i) && in->found->v[i].def.start_byte == start)
			return (int)i;
	return -1;
}

/* The node that names the type an expression makes an instance of, or a null node. */
static TSNode type_node(const struct expr_rule *x, TSNode made)
{
	if (!x)
		return (TSNode){ 0 };
	if (x->op == EXPR_NEW)
		return node_path_get(&x->type, made);
	if (x->op == EXPR_CALL)		/* Python has no `new` */
		return node_path_get(&x->function, made);
	return (TSNode){ 0 };
}

int instantiated_type(
    struct dataflow_context *a, struct expression made, struct contract_file **in)
{
	const struct expr_rule *x = rules_expr(made.in->t, made.n);
	TSNode node = type_node(x, made.n);

	if (ts_node_is_null(node) || node_len(node) >= LONGEST_NAME)
		return -1;
	char *name = arena_strn(a->a, made.in->t->text + node_start_byte(node), node_len(node));
	name[strcspn(name, "<")] = '\0';	/* without type arguments */
	*in = made.in;
	int type = type_of_name(made.in, name);
	if (type >= 0)
		return type;
	struct origin o = origin_other_file(a, (struct expression){ made.in, node, NULL }, name);
	if (o.what == ORIGIN_MODULE)
		o = origin_default_export(a, o.at.in);		/* module.exports = Users */
	*in = o.at.in;
	if (o.what == ORIGIN_NODE)		/* module.exports = class Users { } */
		return type_at(o.at.in, node_start_byte(o.at.n));
	if (o.what != ORIGIN_DEFINITION)
		return -1;
	if (x->op == EXPR_CALL && !is_type(o.at.in, (size_t)o.definition))
		return -1;
	return o.definition;
}

int named_type(struct dataflow_context *a, struct expression t, struct contract_file **in)
{
	if (node_len(t.n) >= LONGEST_NAME)
		return -1;
	const char *name = arena_strn(a->a, t.in->t->text + node_start_byte(t.n), node_len(t.n));
	*in = t.in;
	int type = type_of_name(t.in, name);
	if (type >= 0)
		return type;
	struct origin o = origin_other_file(a, t, name);
	if (o.what != ORIGIN_DEFINITION || !is_type(o.at.in, (size_t)o.definition))
		return -1;
	*in = o.at.in;
	return o.definition;
}

static const struct import_rule *imports_of(const struct contract_file *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	if (rule)
		return rule->imports;
	return NULL;
}

/* The node of the module's path if `n` is an import as the rule describes it, or a null node. */
static TSNode imported_module(const struct contract_file *r, const struct import_rule *i, TSNode n)
{
	if (!condition_holds(&i->when, r->t, n))
		return (TSNode){ 0 };
	return node_path_get(&i->module, n);
}

bool origin_is_require(const struct contract_file *r, TSNode n)
{
	for (const struct import_rule *i = imports_of(r, n); i; i = i->next)
		if (!ts_node_is_null(imported_module(r, i, n)))
			return true;
	return false;
}

/* The path in require("./x") or import("./x"), without quotes; NULL: it is no such call. */
static const char *require_argument(
    struct dataflow_context *a, const struct contract_file *r, TSNode n)
{
	for (const struct import_rule *i = imports_of(r, n); i; i = i->next) {
		TSNode m = imported_module(r, i, n);
		if (!ts_node_is_null(m) && node_len(m) > 2)
			return arena_strn(a->a, r->t->text + node_start_byte(m) + 1, node_len(m) - 2);
	}
	return NULL;
}

/* Whether the call joins paths, so that its function need not be followed. */
static bool joins_paths(const struct syntax_tree *t, TSNode call)
{
	char name[80];
	const struct call_rule *rule;

	call_callee(t, call, arguments_of(t, call), name, sizeof name);
	rule = call_rule_of(t->rules, name);
	return rule && (rule->how == CALL_PATHS || rule->how == CALL_JOIN);
}

/* The method of the object's own type that a call of `self.method` or `method` means. */
static struct origin own_call(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode object = node_path_get(&x->object, t.n), name = node_path_get(&x->name, t.n);

	if (ts_node_is_null(name))
		return origin_unknown;
	if (!ts_node_is_null(object) &&
	    !word_set_has(&tree->rules->self, tree->text + node_start_byte(object), node_len(object)))
		return origin_unknown;
	return origin_derived(a, t, tree->text + node_start_byte(name), node_len(name));
}

/* The function whose call has no field for it: a method of the object's own type, or a name. */
static struct origin origin_of_callee(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	struct origin o = own_call(a, t, x);

	if (o.what)
		return o;
	const char *chain = node_dotted_name(t.in, t.n, a->a);	/* it ends with () */
	if (!chain || strlen(chain) <= 2)
		return o;
	return origin_other_file(a, t, arena_strn(a->a, chain, strlen(chain) - 2));
}

/* The node of the function that is called, unless it is a method of a new object; or null. */
static TSNode called_function(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x, struct origin *o)
{
	if (x->function.n) {
		TSNode f = node_path_get(&x->function, t.n);
		*o = origin_follow(a, (struct expression){ t.in, f, t.given }, NULL);
	} else {
		*o = origin_of_callee(a, t, x);
	}
	if (o->what == ORIGIN_MODULE)
		*o = origin_default_export(a, o->at.in);
	if (o->what == ORIGIN_DEFINITION)
		return definition_function_node(o->at.in, o->definition);
	if (o->what == ORIGIN_NODE && is_function_node(o->at.in->t, o->at.n))
		return o->at.n;
	return (TSNode){ 0 };
}

/* The call of a function, below the frame of the object whose method it is. */
static struct call_frame *frame_of_call(
    struct dataflow_context *a, const struct origin *o, TSNode function, struct expression call)
{
	struct call_frame *g = arena_one(a->a, struct call_frame);

	*g = (struct call_frame){ o->at.in, function, call };
	if (o->what == ORIGIN_DEFINITION && o->at.given)
		g->call.given = o->at.given;
	return g;
}

size_t origin_return_values(
    struct dataflow_context *a, struct expression t, struct expression *out, size_t max)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct origin o = origin_unknown;
	TSNode returns[MAX_RETURNS];

	if (!x || x->op != EXPR_CALL || a->depth >= ORIGIN_DEEP)
		return 0;
	TSNode function = called_function(a, t, x, &o);
	if (ts_node_is_null(function))
		return 0;
	size_t n = function_return_values(o.at.in, function, returns, MAX_RETURNS);
	struct call_frame *g = frame_of_call(a, &o, function, t);
	for (size_t i = 0; i < n && i < max; i++)
		out[i] = (struct expression){ o.at.in, returns[i], g };
	return MIN(n, max);
}

/* The module that a call of require() loads, or the call itself. */
static struct origin required_module(
    struct dataflow_context *a, struct contract_file *in, const char *module, struct origin self)
{
	struct source_file *f = NULL;
	struct contract_file *r = NULL;

	a->unknown = true;
	if (a->join && in->file)
		f = other_files_module(a->join, in, module);
	if (f)
		r = other_files_read(a->join, f);
	if (!r)
		return self;
	return (struct origin){ .what = ORIGIN_MODULE, .at = { .in = r } };
}

struct origin origin_call(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	const char *module = require_argument(a, t.in, t.n);
	struct origin self = origin_at_node(t.in, t.n, t.given, NULL), o = origin_unknown;
	TSNode returns[MAX_RETURNS];

	if (module)
		return required_module(a, t.in, module, self);
	if (joins_paths(t.in->t, t.n))
		return self;
	if (!x->function.n && !ts_node_is_null(node_path_get(&x->object, t.n))) {	/* a method */
		o = own_call(a, t, x);
		if (!o.what) {
			o = origin_instance_call(a, t, x);
			if (o.what)
				return o;
		}
	}
	TSNode function = called_function(a, t, x, &o);
	if (ts_node_is_null(function) ||
	    function_return_values(o.at.in, function, returns, MAX_RETURNS) != 1)
		return self;
	struct call_frame *g = frame_of_call(a, &o, function, t);
	o = origin_follow(a, (struct expression){ o.at.in, returns[0], g }, NULL);
	if (o.what)
		return o;
	return self;
}
