/* What calls return. */
#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/program/program.h"

enum { MAX_RETURNS = 4, MAX_BASES_ABOVE = 6 };

int method_named(const struct contract_file *in, int type, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (!d->signature || strcmp(d->name, name))
			continue;
		if (d->parent == type || derived_is_outside_member(in, d, type))
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
		if (!strcmp(in->found->v[i].def.name, name) && is_type(in, i))
			return (int)i;
	return -1;
}

/* The type whose definition begins at the byte, by index, or -1. */
static int type_at(const struct contract_file *in, uint32_t start)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (in->found->v[i].def.start_byte == start && is_type(in, i))
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

/* Whether the function is a constructor. */
static bool is_constructor(const struct contract_file *in, TSNode function)
{
	int d = enclosing_definition(in, node_start_byte(function), true);

	return d >= 0 && !strcmp(in->found->v[d].def.kind, "constructor");
}

/* ---- members of objects ---- */

/* Whether a method is used like a field: `get router() { … }`, @property. */
static bool is_property(const struct contract_file *in, const struct definition *d)
{
	static const char *const words[] = { "get ", "@property", "@cached_property" };
	const char *from = in->t->text + d->start_byte;
	const char *name = memmem(from, d->end_byte - d->start_byte, d->name, strlen(d->name));

	for (size_t i = 0; i < LEN(words) && name; i++)
		if (memmem(from, (size_t)(name - from), words[i], strlen(words[i])))
			return true;
	return false;
}

struct origin origin_of_object(struct dataflow_context *a, struct origin o, struct type_ref self,
    const struct call_frame *given)
{
	TSNode returned, function = { 0 };

	if (!self.in || o.self.in)
		return o;
	if (o.what == ORIGIN_NODE && enclosing_type_index(o.at.in, o.at.n) >= 0)
		o.self = self;
	if (o.what != ORIGIN_DEFINITION)
		return o;
	const struct definition *d = &o.at.in->found->v[o.definition].def;
	o.self = self;
	o.at.given = given;
	if (d->parent >= 0 && is_property(o.at.in, d))
		function = definition_function_node(o.at.in, o.definition);
	if (ts_node_is_null(function) || function_return_values(o.at.in, function, &returned, 1) != 1)
		return o;
	struct call_frame *g = arena_one(a->a, struct call_frame);
	*g = (struct call_frame){ .in = o.at.in, .self = self };
	g->call.given = given;
	struct origin value = origin_follow(a, (struct expression){ o.at.in, returned, g }, NULL);
	if (value.what)
		return value;
	return o;
}

/* A member of a type, or of one of its bases. */
struct type_member {
	struct type_ref of; /* the type that has it */
	const struct binding *value; /* or NULL ... */
	int definition; /* ... and a method, or -1 */
};

/* What constructors give the type's own field of that name, or NULL. */
static const struct binding *own_field_value(struct type_ref of, const char *name)
{
	for (size_t i = 0; i < of.in->found->n; i++) {
		const struct definition *d = &of.in->found->v[i].def;
		if (d->parent == of.type && kind_holds_value(kind_of(d->kind)) && !strcmp(d->name, name))
			return constructed_binding(of.in, d);
	}
	return NULL;
}

/* The member of a type or of its bases; false: they have none that is known. */
static bool member_find(struct dataflow_context *a, struct type_ref of, const char *name,
    struct type_member *m, int depth)
{
	const struct definition *d = &of.in->found->v[of.type].def;
	struct type_ref base;

	*m = (struct type_member){ .of = of, .definition = method_named(of.in, of.type, name) };
	m->value = find_local_binding(of.in->t, name, strlen(name), d->start_byte, d);
	if (!m->value && m->definition < 0)
		m->value = own_field_value(of, name);
	if (m->value || m->definition >= 0)
		return true;
	for (size_t i = 0; a->join && depth < MAX_BASES_ABOVE; i++) {
		if (!other_files_base_type(a->join, of.in, of.type, i, &base.in, &base.type))
			return false;
		if (base.type >= 0 && member_find(a, base, name, m, depth + 1))
			return true;
	}
	return false;
}

TSNode constructor_of(const struct contract_file *in, int type)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent == type && !strcmp(d->kind, "constructor"))
			return definition_function_node(in, (int)i);
	}
	return (TSNode){ 0 };
}

const struct call_frame *constructor_frames(struct dataflow_context *a, struct type_ref base,
    struct type_ref self, struct expression made, int depth)
{
	struct call_frame *g = arena_one(a->a, struct call_frame);
	struct expression call[2];

	*g = (struct call_frame){ base.in, constructor_of(base.in, base.type), made, self, false,
		NULL };
	if ((base.in == self.in && base.type == self.type) || depth > MAX_BASES_ABOVE)
		return g;
	if (derived_constructor_calls(a, self, base.in, base.type, call, 2) != 1)
		return g; /* a constructor that is not written passes everything on */
	struct type_ref next = { call[0].in, enclosing_type_index(call[0].in, call[0].n) };
	call[0].given = constructor_frames(a, next, self, made, depth + 1);
	g->call = call[0];
	return g;
}

/* Whether a binding of a type is a field's own value, not what a method assigns. */
static bool is_field_value(const struct type_member *m, TSNode maker)
{
	const struct definition *d = &m->of.in->found->v[m->of.type].def;

	return m->value && (ts_node_is_null(maker) || node_start_byte(maker) < d->start_byte);
}

struct origin origin_made_member(struct dataflow_context *a, struct type_ref self,
    struct expression made, const char *name)
{
	struct type_member m = { 0 };
	struct origin o;
	TSNode maker = { 0 };

	bool found = member_find(a, self, name, &m, 0);
	if (m.value)
		maker = enclosing_function(m.of.in, m.value->value);
	bool field = is_field_value(&m, maker);
	/* a field that the instance is made with: Settings(url="http://users") */
	if (!m.value || field) {
		struct expression given = { made.in, ts_node_child_by_field_name(made.n, "arguments", 9),
			made.given };
		given = literal_member(a, given, name);
		if (!ts_node_is_null(given.n))
			return origin_follow(a, given, name);
	}
	if (!found)
		return origin_unknown;
	const struct call_frame *g = constructor_frames(a, m.of, self, made, 0);
	if (!m.value)
		o = origin_at_definition(a, m.of.in, m.definition);
	else if (field || is_constructor(m.of.in, maker))
		o = origin_at_binding(a, m.of.in, m.value, g);
	else
		o = origin_at_binding(a, m.of.in, m.value, NULL);
	return origin_of_object(a, o, self, g);
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

TSNode origin_called_function(
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

const struct call_frame *frames_above(struct dataflow_context *a, const struct call_frame *inner,
    const struct call_frame *outer)
{
	struct call_frame *first = NULL, *last = NULL;

	for (const struct call_frame *g = inner; g && g != outer; g = g->call.given) {
		struct call_frame *copy = arena_one(a->a, struct call_frame);
		*copy = *g;
		if (last)
			last->call.given = copy;
		else
			first = copy;
		last = copy;
	}
	if (!last)
		return outer;
	last->call.given = outer;
	return first;
}

/* The frame of a call of a function that is at an origin. */
static const struct call_frame *frame_of_call(
    struct dataflow_context *a, const struct origin *o, TSNode function, struct expression call)
{
	struct call_frame *g = arena_one(a->a, struct call_frame);

	*g = (struct call_frame){ o->at.in, function, call, o->self, false, NULL };
	g->call.given = frames_above(a, o->at.given, call.given);	/* what the object was made with */
	return g;
}

/*
 * The type that a method of a base is called on: Order in `Order::routes()`, whose routes() is in a
 * trait, and where a type calls it of its own object, path() of an interface with code.
 */
static struct type_ref named_receiver(
    struct dataflow_context *a, const struct origin *o, struct expression call)
{
	struct type_ref none = { 0 };

	if (o->self.in || o->what != ORIGIN_DEFINITION)
		return o->self;
	int owner = o->at.in->found->v[o->definition].def.parent;
	if (owner < 0 || !is_type(o->at.in, (size_t)owner))
		return none;
	struct type_ref of, base = { o->at.in, owner };
	if (derived_own_call(call))
		of = derived_self(a, call);
	else
		of = derived_receiver(a, call);
	bool itself = of.in == base.in && of.type == base.type;
	if (!of.in || itself || !derived_is(a, of, base))
		return none;
	return of;
}

size_t origin_return_values(
    struct dataflow_context *a, struct expression t, struct expression *out, size_t max)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct origin o = origin_unknown;
	TSNode returns[MAX_RETURNS];

	if (!x || x->op != EXPR_CALL || a->depth >= ORIGIN_DEEP)
		return 0;
	TSNode function = origin_called_function(a, t, x, &o);
	if (ts_node_is_null(function))
		return 0;
	size_t n = function_return_values(o.at.in, function, returns, MAX_RETURNS);
	o.self = named_receiver(a, &o, t);
	const struct call_frame *g = frame_of_call(a, &o, function, t);
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

/* What a getter of a parameter gives, which only callers know: the parameter; or the call itself. */
static struct origin getter_of_parameter(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x, struct origin self)
{
	TSNode object = call_object(t.in->t, t.n), argument;

	if (x->op != EXPR_CALL || ts_node_is_null(object) || call_arguments(t.in->t, t.n, &argument, 1))
		return self;
	struct origin o = origin_follow(a, (struct expression){ t.in, object, t.given }, NULL);
	if (o.what == ORIGIN_PARAMETER)
		return o;
	return self;
}

struct origin origin_called(
    struct dataflow_context *a, struct expression t, const struct origin *called)
{
	struct contract_file *in = called->at.in;
	TSNode returns[MAX_RETURNS], function;

	if (is_type(in, (size_t)called->definition))
		return *called;
	function = definition_function_node(in, called->definition);
	if (ts_node_is_null(function) ||
	    function_return_values(in, function, returns, MAX_RETURNS) != 1)
		return *called;
	const struct call_frame *g = frame_of_call(a, called, function, t);
	struct origin o = origin_follow(a, (struct expression){ in, returns[0], g }, NULL);
	if (o.what)
		return o;
	return *called;
}

/*
 * The list or object that a call only passes on: its receiver or first argument, frozen or wrapped;
 * else the call `self`, as also where statements add to it before.
 */
static struct origin origin_passed_on(
    struct dataflow_context *a, struct expression t, struct origin self)
{
	TSNode arguments = arguments_of(t.in->t, t.n), passed = { 0 };
	struct variable_change change[MOST_CHANGES];
	const struct call_rule *rule;
	char name[80];

	call_callee(t.in->t, t.n, arguments, name, sizeof name);
	rule = call_rule_of(t.in->t->rules, name);
	if (rule && rule->how == CALL_SAME)
		passed = call_object(t.in->t, t.n);
	else if (rule && rule->how == CALL_FIRST && call_arguments(t.in->t, t.n, &passed, 1) != 1)
		return self;
	if (ts_node_is_null(passed) || variable_changes(t.in, passed, change))
		return self;
	struct origin o = origin_follow(a, (struct expression){ t.in, passed, t.given }, NULL);
	if (o.what != ORIGIN_NODE)
		return self;
	const struct node_rule *r = rules_of(o.at.in->t->rules, o.at.n);
	if (literal_is_object(o.at.n) || (r && r->op == VALUE_LIST))
		return o;
	return self;
}

/* What a call that no function of this repository answers passes on, else a getter of a parameter. */
static struct origin passed_on_or_getter(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x, struct origin self)
{
	struct origin o = origin_passed_on(a, t, self);

	if (o.what == ORIGIN_NODE && ts_node_eq(o.at.n, t.n))
		return getter_of_parameter(a, t, x, self);
	return o;
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
	TSNode function = origin_called_function(a, t, x, &o);
	if (ts_node_is_null(function) ||
	    function_return_values(o.at.in, function, returns, MAX_RETURNS) != 1)
		return passed_on_or_getter(a, t, x, self);
	o.self = named_receiver(a, &o, t);
	const struct call_frame *g = frame_of_call(a, &o, function, t);
	struct origin value = origin_follow(a, (struct expression){ o.at.in, returns[0], g }, NULL);
	if (!value.what)
		return self;
	if (value.at.in == o.at.in)
		return origin_of_object(a, value, o.self, g);
	return value;
}
