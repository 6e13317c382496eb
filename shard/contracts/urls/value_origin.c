#include "shard/contracts/urls/value_origin_internal.h"

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/program/program.h"

enum { MAX_STEPS = 16, MAX_RAW = 160, MAX_BRANCHES = 4 };

/* ---- bindings ---- */

static void note_step(
    struct dataflow_context *a, const struct contract_file *r, const char *name, TSNode value)
{
	uint32_t len = node_len(value), line = node_line(value);
	struct url_steps *steps = a->steps;
	const char *path = r->file ? r->file->path : NULL;

	for (size_t i = 0; steps && i < steps->n; i++)
		if (steps->v[i].file == path && steps->v[i].line == line)
			return;
	if (!steps || steps->n == MAX_STEPS)
		return;
	steps->v = grow(steps->v, &steps->cap, steps->n + 1, sizeof *steps->v);
	steps->v[steps->n++] = (struct step){ .file = path,
		.line = line,
		.text = arena_printf(a->a, "%s = %.*s", name, (int)(len > MAX_RAW ? MAX_RAW : len),
		    r->t->text + node_start_byte(value)) };
}

const struct origin origin_unknown;

struct origin origin_at_node(
    struct contract_file *in, TSNode n, const struct call_frame *given, const char *name)
{
	return (struct origin){ .what = ORIGIN_NODE, .at = { in, n, given }, .name = name };
}

struct origin origin_at_binding(struct dataflow_context *a, struct contract_file *in,
    const struct binding *b, const struct call_frame *given)
{
	note_step(a, in, b->name, b->value);
	return origin_follow(a, (struct expression){ in, b->value, given }, b->name);
}

/* What constructors of its type give to a field by its bare name: `_url = url;`, once. */
static const struct binding *constructed(
    const struct contract_file *in, const struct definition *field)
{
	const struct binding *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < in->t->bindings.n && field->parent >= 0; i++) {
		const struct binding *b = &in->t->bindings.v[i];
		int maker = b->from && !strcmp(b->name, field->name) ?
		    enclosing_definition(in, node_start_byte(b->value), true) :
		    -1;
		const struct definition *d = NULL;
		if (maker >= 0)
			d = &in->found->v[maker].def;
		if (d && d->parent == field->parent && !strcmp(d->kind, "constructor") &&
		    strstr(ts_node_type(ts_node_parent(b->value)), "assignment")) {
			found = b;
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

/*
 * What a field is given, once, on whatever object: `c.url = url` in the options of a client's
 * maker.
 */
static const struct binding *binding_on_object(
    const struct contract_file *in, const struct definition *field)
{
	const struct binding *found = NULL;
	size_t n = 0, len = strlen(field->name);

	for (size_t i = 0; i < in->t->bindings.n; i++) {
		const struct binding *b = &in->t->bindings.v[i];
		size_t have = strlen(b->name);
		if (have < len + 2 || b->name[have - len - 1] != '.' ||
		    strcmp(b->name + have - len, field->name))
			continue;
		found = b;
		n++;
	}
	return n == 1 ? found : NULL;
}

struct origin origin_at_definition(struct dataflow_context *a, struct contract_file *in, int index)
{
	const struct definition *d = &in->found->v[index].def;
	enum kind k = kind_of(d->kind);
	const struct binding *b = NULL;

	if (!kind_is_callable(k) && !kind_is_type(k))
		b = find_local_binding(in->t, d->name, strlen(d->name), d->start_byte, d);
	if (!b && kind_holds_value(k))	/* a field that a method assigns */
		b = find_local_binding(in->t, d->name, strlen(d->name), d->start_byte, NULL);
	if (!b && kind_holds_value(k)) {	/* or that an instance is made with */
		const char *member = arena_printf(a->a, ".%s", d->name);
		b = find_local_binding(in->t, member, strlen(member), d->start_byte, NULL);
	}
	if (!b && kind_holds_value(k))
		b = constructed(in, d);
	if (!b && kind_holds_value(k))
		b = binding_on_object(in, d);
	if (b)
		return origin_at_binding(a, in, b, NULL);
	return (struct origin){
		.what = ORIGIN_DEFINITION, .at = { .in = in }, .definition = index, .name = d->name
	};
}

/* ---- names ---- */

static struct origin at_parameter(
    struct dataflow_context *a, struct expression t, TSNode function, const char *name, size_t n)
{
	for (const struct call_frame *g = t.given; g; g = g->call.given) {
		if (g->in != t.in || !ts_node_eq(g->function, function))
			continue;
		struct expression given = parameter_argument(a, g, name, n);
		if (ts_node_is_null(given.n))
			return origin_unknown;
		return origin_follow(a, given, NULL);
	}
	if (!ts_node_is_null(a->each) && a->element.in == t.in && ts_node_eq(a->each, function)) {
		struct expression element = parameter_of_callback(a, t.in, function, a->element, name, n);
		if (ts_node_is_null(element.n))
			return origin_unknown;
		return origin_follow(a, element, NULL);
	}
	a->unknown = true;
	TSNode fallback = parameter_default_value(t.in, function, name, n);
	a->defaulted |= !ts_node_is_null(fallback);
	if (a->defaults && !ts_node_is_null(fallback))
		return origin_follow(a, (struct expression){ t.in, fallback, t.given }, NULL);
	return (struct origin){
		.what = ORIGIN_PARAMETER, .at = t, .function = function, .name = arena_strn(a->a, name, n)
	};
}

/*
 * What a name is given in the type around a node: other types of the file may have fields of that
 * name.
 */
static const struct binding *type_binding(
    const struct contract_file *in, const char *name, size_t n, TSNode at)
{
	const struct definition *type = NULL;

	for (size_t i = 0; i < in->found->n && in->found->v[i].def.start_byte <= node_start_byte(at);
	     i++) {
		enum kind k = kind_of(in->found->v[i].def.kind);
		if (node_end_byte(at) <= in->found->v[i].def.end_byte &&
		    (kind_is_type(k) || k == KIND_module))
			type = &in->found->v[i].def;
	}
	if (type)
		return find_local_binding(in->t, name, n, node_start_byte(at), type);
	return NULL;
}

/* One of the values that branches give to a local variable: each is asked for (asking.choice). */
static const struct binding *branch_binding(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	const struct binding *v[MAX_BRANCHES];
	size_t count = reaching_values(t.in->t, name, n, t.n, v, MAX_BRANCHES);

	if (count > 1 && a->choices < (int)count)
		a->choices = (int)count;
	if (!count)
		return NULL;
	return v[(size_t)a->choice < count ? (size_t)a->choice : count - 1];
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

/* What the name means where the node stands. */
static struct origin at_text(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	const struct binding *b = find_local_binding(t.in->t, name, n, node_start_byte(t.n), NULL);
	TSNode function = function_of_parameter(t.in, t.n, name, n);

	if (!b)
		b = type_binding(t.in, name, n, t.n);
	if (!b && ts_node_is_null(function))
		b = branch_binding(a, t, name, n);
	if (b && node_start_byte(t.n) >= node_start_byte(b->value) &&
	    node_end_byte(t.n) <= node_end_byte(b->value))
		b = NULL;
	if (!ts_node_is_null(function) &&
	    (!b || b->to - b->from > node_len(function) ||
	        is_parameter_default(t.in, function, b->value)))
		return at_parameter(a, t, function, name, n);
	struct origin derived = origin_unknown;
	if (!b || !b->from)
		derived = origin_derived(a, t, name, n);
	if (derived.what)
		return derived;
	if (b)
		return origin_at_binding(a, t.in, b, t.given);
	const char *text = n < LONGEST_NAME ? arena_strn(a->a, name, n) : NULL;
	struct origin o = origin_unknown;
	if (text)
		o = origin_other_file(a, t, text);
	if (o.what || !text)
		return o;
	return origin_imported(a, t.in, text);
}

static struct origin at_name(struct dataflow_context *a, struct expression t)
{
	const char *path = NULL;

	if (t.in->t->rules->tokens)
		path = token_dotted_name(t.in, t.n, a->a);
	if (path)
		return origin_other_file(a, t, path);
	return at_text(a, t, t.in->t->text + node_start_byte(t.n), node_len(t.n));
}

/* A member of what the object is; unknown: only resolve can say. */
static struct origin member_of_origin(
    struct dataflow_context *a, const struct origin *o, const char *name)
{
	if (o->what == ORIGIN_MODULE)
		return origin_exported(a, o->at.in, name, 0);
	if (o->what == ORIGIN_NODE && literal_is_object(o->at.n)) {
		struct expression m = literal_member(a, o->at, name);
		if (ts_node_is_null(m.n))
			return origin_assigned_member(a, o, name);
		return origin_follow(a, m, name);
	}
	if (o->what == ORIGIN_NODE)
		return origin_instance_member(a, o->at, name);
	if (o->what == ORIGIN_DEFINITION) {
		const struct definition *d = &o->at.in->found->v[o->definition].def;
		const struct binding *b = find_local_binding(
		    o->at.in->t, name, strlen(name), d->start_byte, d);
		if (b)
			return origin_at_binding(a, o->at.in, b, NULL);
		return origin_unknown;
	}
	if (o->what == ORIGIN_PARAMETER)
		return *o;
	return origin_unknown;
}

/* A member of the object that the code belongs to. */
static struct origin own_member(struct dataflow_context *a, struct expression t, const char *name)
{
	const struct binding *b = find_local_binding(
	    t.in->t, name, strlen(name), node_start_byte(t.n), NULL);
	bool inside = b && node_start_byte(t.n) >= node_start_byte(b->value) &&
	    node_end_byte(t.n) <= node_end_byte(b->value);

	if (b && !inside && !b->from)
		return origin_at_binding(a, t.in, b, t.given);
	return origin_unknown;
}

static struct origin at_member(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode object = node_path_get(&x->object, t.n), last = node_path_get(&x->name, t.n);
	struct origin o;

	if (ts_node_is_null(object) || ts_node_is_null(last) || node_len(last) >= LONGEST_NAME)
		return origin_unknown;
	const char *name = arena_strn(a->a, tree->text + node_start_byte(last), node_len(last));
	if (word_set_has(&tree->rules->self, tree->text + node_start_byte(object), node_len(object))) {
		o = origin_derived(a, t, name, strlen(name));
		if (!o.what)
			o = own_member(a, t, name);
	} else {
		o = origin_follow(a, (struct expression){ t.in, object, t.given }, NULL);
		o = member_of_origin(a, &o, name);
	}
	const char *chain = NULL;
	if (!o.what)
		chain = node_dotted_name(t.in, t.n, a->a);
	if (chain)
		return origin_other_file(a, t, chain);
	return o;
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
		o = own_member(a, t, dot + 1);
	} else {
		o = origin_chain(a, t, arena_strn(a->a, chain, (size_t)(dot - chain)));
		o = member_of_origin(a, &o, dot + 1);
	}
	a->depth--;
	if (o.what)
		return o;
	return origin_other_file(a, t, chain);
}

/*
 * What an expression means that is around another; of two that a condition chooses from the one
 * that is something: c ? undefined : options.
 */
static TSNode unwrap_expression(struct expression t, const struct expr_rule *x)
{
	TSNode n = x->of.n ? node_path_get(&x->of, t.n) : ts_node_named_child(t.n, 0),
	       other = node_field(t.n, "alternative");

	static const char *const nothing[] = { "undefined", "null", "None", "nil" };

	for (size_t i = 0; i < LEN(nothing) && !ts_node_is_null(n) && !ts_node_is_null(other); i++)
		if (node_is(t.in->t, n, nothing[i]))
			return other;
	return n;
}

/* What is left of `options || {}`, which says nothing by itself; null: it is something else. */
static TSNode or_nothing(TSNode n)
{
	TSNode right = ts_node_child_by_field_name(n, "right", 5);

	if (ts_node_is_null(right) || !literal_is_object(right) || ts_node_named_child_count(right))
		return (TSNode){ 0 };
	return ts_node_child_by_field_name(n, "left", 4);
}

static struct origin follow_node(struct dataflow_context *a, struct expression t, const char *name)
{
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct origin o;

	if (r && r->op == VALUE_INNER)
		return origin_follow(
		    a, (struct expression){ t.in, ts_node_named_child(t.n, 0), t.given }, name);
	if (node_type_is(t.n, "shorthand_property_identifier"))
		return at_name(a, t);
	if (r && (r->op == VALUE_JOIN || r->op == VALUE_EITHER) && !ts_node_is_null(or_nothing(t.n)))
		return origin_follow(a, (struct expression){ t.in, or_nothing(t.n), t.given }, name);
	if (!x || (r && (r->op == VALUE_TEXT || r->op == VALUE_JOIN || r->op == VALUE_EITHER)))
		return origin_at_node(t.in, t.n, t.given, name);
	switch (x->op) {
	case EXPR_NAME:
		return at_name(a, t);
	case EXPR_MEMBER:
		return at_member(a, t, x);
	case EXPR_INNER:
	case EXPR_CAST:
		return origin_follow(
		    a, (struct expression){ t.in, unwrap_expression(t, x), t.given }, name);
	case EXPR_CALL:
		o = origin_call(a, t, x);
		if (!o.name)
			o.name = name;
		return o;
	case EXPR_NEW:
	case EXPR_INDEX:
		break;
	}
	return origin_at_node(t.in, t.n, t.given, name);
}

struct origin origin_follow(struct dataflow_context *a, struct expression t, const char *name)
{
	if (ts_node_is_null(t.n) || a->depth >= ORIGIN_DEEP || --a->budget < 0)
		return origin_unknown;
	a->depth++;
	struct origin o = follow_node(a, t, name);
	a->depth--;
	return o;
}

struct origin origin_of(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_follow(a, t, NULL),
	              made = o.what == ORIGIN_MODULE ? origin_default_export(a, o.at.in) :
	                                               origin_unknown;

	return made.what ? made : o;
}
