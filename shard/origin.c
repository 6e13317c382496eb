#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/derived.h"
#include "shard/reading.h"
#include "shard/rules.h"
#include "shard/urls_own.h"
#include "shard/world.h"

enum { DEEP = 24, LONGEST_NAME = 120, MAX_STEPS = 16, MAX_RAW = 160, MAX_RETURNS = 4, MAX_BRANCHES = 4 };

/* ---- bindings ---- */

static void note_step(struct asking *a, const struct reading *r, const char *name, TSNode value)
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
	steps->v[steps->n++] = (struct step){ .file = path, .line = line,
		.text = arena_printf(a->a, "%s = %.*s", name, (int)(len > MAX_RAW ? MAX_RAW : len), r->t->text + node_from(value)) };
}

static const struct origin unknown;

static struct origin at_node(struct reading *in, TSNode n, const struct given *given, const char *name)
{
	return (struct origin){ .what = ORIGIN_NODE, .at = { in, n, given }, .name = name };
}

static struct origin follow(struct asking *, struct term, const char *name);

static struct origin at_binding(struct asking *a, struct reading *in, const struct binding *b, const struct given *given)
{
	note_step(a, in, b->name, b->value);
	return follow(a, (struct term){ in, b->value, given }, b->name);
}

/* What constructors of its type give to a field by its bare name: `_url = url;`, once. */
static const struct binding *constructed(const struct reading *in, const struct definition *field)
{
	const struct binding *found = NULL;
	size_t n = 0;

	for (size_t i = 0; i < in->t->bindings.n && field->parent >= 0; i++) {
		const struct binding *b = &in->t->bindings.v[i];
		int maker = b->from && !strcmp(b->name, field->name) ? reading_definition(in, node_from(b->value), true) : -1;
		const struct definition *d = maker < 0 ? NULL : &in->found->v[maker].def;
		if (d && d->parent == field->parent && !strcmp(d->kind, "constructor") && strstr(ts_node_type(ts_node_parent(b->value)), "assignment")) {
			found = b;
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

/* What a field is given, once, on whatever object: `c.url = url` in the options of a client's maker. */
static const struct binding *given_on(const struct reading *in, const struct definition *field)
{
	const struct binding *found = NULL;
	size_t n = 0, len = strlen(field->name);

	for (size_t i = 0; i < in->t->bindings.n; i++) {
		const struct binding *b = &in->t->bindings.v[i];
		size_t have = strlen(b->name);
		if (have < len + 2 || b->name[have - len - 1] != '.' || strcmp(b->name + have - len, field->name))
			continue;
		found = b;
		n++;
	}
	return n == 1 ? found : NULL;
}

static struct origin at_definition(struct asking *a, struct reading *in, int index)
{
	const struct definition *d = &in->found->v[index].def;
	enum kind k = kind_of(d->kind);
	const struct binding *b = kind_callable(k) || kind_type(k) ? NULL :
	    reading_binding(in->t, d->name, strlen(d->name), d->start_byte, d);

	if (!b && kind_holder(k))	/* a field that a method assigns */
		b = reading_binding(in->t, d->name, strlen(d->name), d->start_byte, NULL);
	if (!b && kind_holder(k)) {	/* or that an instance is made with */
		const char *member = arena_printf(a->a, ".%s", d->name);
		b = reading_binding(in->t, member, strlen(member), d->start_byte, NULL);
	}
	if (!b && kind_holder(k))
		b = constructed(in, d);
	if (!b && kind_holder(k))
		b = given_on(in, d);
	if (b)
		return at_binding(a, in, b, NULL);
	return (struct origin){ .what = ORIGIN_DEFINITION, .at = { .in = in }, .definition = index, .name = d->name };
}

/* ---- modules ---- */

/* What the whole file gives to a name, in whatever function: module.exports in one that is called at once. */
static const struct binding *binding_anywhere(const struct tree *t, const char *name)
{
	const struct binding *found = NULL;

	for (size_t i = 0; i < t->bindings.n; i++)
		if (!strcmp(t->bindings.v[i].name, name))
			found = &t->bindings.v[i];
	return found;
}

static const char *const defaults[] = { "default", "module.exports" };

static struct origin module_default(struct asking *a, struct reading *in)
{
	for (size_t i = 0; i < LEN(defaults); i++) {
		const struct binding *b = binding_anywhere(in->t, defaults[i]);
		if (b)
			return at_binding(a, in, b, NULL);
	}
	return unknown;
}

static struct origin module_member(struct asking *, struct reading *, const char *name, int depth);

/* What the module offers of others under the name. */
static struct origin offered_again(struct asking *a, struct reading *in, const char *name, int depth)
{
	struct origin o = unknown;

	for (size_t i = 0; i < in->facts->imports.n && depth < 4 && !o.what; i++) {
		const struct import *x = &in->facts->imports.v[i];
		bool all = !x->name || !strcmp(x->name, "*");
		if (!x->again || !x->module || (!all && strcmp(x->alias ? x->alias : x->name, name)))
			continue;
		struct file *f = join_module(a->join, in, x->module);
		struct reading *r = f ? join_read(a->join, f) : NULL;
		if (r)
			o = module_member(a, r, all ? name : x->name, depth + 1);
	}
	return o;
}

/* A member that is put into an object after it is made: `api = {}; api.get = ...`. */
static struct origin member_assigned(struct asking *a, const struct origin *object, const char *name)
{
	struct reading *in = object->at.in;
	const char *full = object->what == ORIGIN_NODE && object->name ? arena_printf(a->a, "%s.%s", object->name, name) : NULL;
	const struct binding *b = full ? reading_binding(in->t, full, strlen(full), node_from(object->at.n), NULL) : NULL;

	return b ? at_binding(a, in, b, object->at.given) : unknown;
}

static struct origin module_member(struct asking *a, struct reading *in, const char *name, int depth)
{
	static const char *const before[] = { "", "exports.", "module.exports." };
	struct origin o = unknown;

	if (!strcmp(name, "default") && (o = module_default(a, in)).what)
		return o;
	for (size_t i = 0; i < LEN(before); i++) {
		const char *full = arena_printf(a->a, "%s%s", before[i], name);
		const struct binding *b = i ? binding_anywhere(in->t, full) : reading_binding(in->t, full, strlen(full), 0, NULL);
		if (b && (i || !b->from))
			return at_binding(a, in, b, NULL);
	}
	for (size_t i = 0; i < in->found->n; i++)
		if (!strcmp(in->found->v[i].def.qualified, name))
			return at_definition(a, in, (int)i);
	if (strcmp(name, "default") && (o = module_default(a, in)).what == ORIGIN_NODE) {
		struct term m = origin_member(a, o.at, name);
		if (!ts_node_is_null(m.n))
			return follow(a, m, name);
		struct origin put = member_assigned(a, &o, name);
		if (put.what)
			return put;
	}
	return offered_again(a, in, name, depth);
}

/* ---- objects that are written out ---- */

struct term origin_member(struct asking *a, struct term object, const char *name)
{
	struct origin o = origin_of(a, object);

	if (o.what == ORIGIN_MODULE)
		o = module_default(a, o.at.in);
	if (o.what != ORIGIN_NODE || !written_object(o.at.n))
		return (struct term){ 0 };
	return written_member(a, o.at, name);
}

/* ---- names ---- */

/* The file whose default a name is by an import: resolve knows what that is, which may be a thing of a library's. */
static struct file *default_of(struct asking *a, struct reading *in, const char *name)
{
	for (size_t i = 0; i < in->facts->imports.n; i++) {
		const struct import *x = &in->facts->imports.v[i];
		if (x->module && x->name && x->alias && !strcmp(x->name, "default") && !strcmp(x->alias, name))
			return join_module(a->join, in, x->module);
	}
	return NULL;
}

/* Whether the name is that of a module whose default is an object: resolve takes what stands in it for that. */
static bool exports_object(struct asking *a, struct reading *in, const char *name, const struct reading *there)
{
	const struct binding *b = binding_anywhere(there->t, "default");

	return b && written_object(b->value) && default_of(a, in, name) == there->file;
}

/* What resolve knows of a name or chain. */
static struct origin elsewhere(struct asking *a, struct term t, const char *chain)
{
	const struct sym *s;
	struct file *f;
	int found;

	a->unknown = true;
	for (const char *sign; (sign = strstr(chain, "::"));)	/* Ruby's Settings::USERS is one node */
		chain = arena_printf(a->a, "%.*s.%s", (int)(sign - chain), chain, sign + 2);
	if (!a->join || !t.in->file)
		return unknown;
	if (!(found = join_name(a->join, t.in, t.n, chain, &s, &f)))
		found = (f = default_of(a, t.in, chain)) ? 2 : 0;
	if (!found)
		return unknown;
	struct reading *r = join_read(a->join, f);
	if (!r)
		return unknown;
	if (found == 2 || exports_object(a, t.in, chain, r))
		return (struct origin){ .what = ORIGIN_MODULE, .at = { .in = r } };
	if (s->index < 0 || (size_t)s->index >= r->found->n || strcmp(r->found->v[s->index].def.name, s->name))
		return unknown;
	return at_definition(a, r, s->index);
}

static struct origin at_parameter(struct asking *a, struct term t, TSNode function, const char *name, size_t n)
{
	for (const struct given *g = t.given; g; g = g->call.given) {
		if (g->in != t.in || !ts_node_eq(g->function, function))
			continue;
		struct term given = parameter_given(a, g, name, n);
		return ts_node_is_null(given.n) ? unknown : follow(a, given, NULL);
	}
	if (!ts_node_is_null(a->each) && a->element.in == t.in && ts_node_eq(a->each, function)) {
		struct term element = parameter_element(a, t.in, function, a->element, name, n);
		return ts_node_is_null(element.n) ? unknown : follow(a, element, NULL);
	}
	a->unknown = true;
	TSNode fallback = parameter_fallback(t.in, function, name, n);
	a->defaulted |= !ts_node_is_null(fallback);
	if (a->defaults && !ts_node_is_null(fallback))
		return follow(a, (struct term){ t.in, fallback, t.given }, NULL);
	return (struct origin){ .what = ORIGIN_PARAMETER, .at = t, .function = function, .name = arena_strn(a->a, name, n) };
}

/* What a name is given in the type around a node: other types of the file may have fields of that name. */
static const struct binding *type_binding(const struct reading *in, const char *name, size_t n, TSNode at)
{
	const struct definition *type = NULL;

	for (size_t i = 0; i < in->found->n && in->found->v[i].def.start_byte <= node_from(at); i++) {
		enum kind k = kind_of(in->found->v[i].def.kind);
		if (node_to(at) <= in->found->v[i].def.end_byte && (kind_type(k) || k == KIND_module))
			type = &in->found->v[i].def;
	}
	return type ? reading_binding(in->t, name, n, node_from(at), type) : NULL;
}

/* One of the values that branches give to a local variable: each is asked for (asking.choice). */
static const struct binding *branch_binding(struct asking *a, struct term t, const char *name, size_t n)
{
	const struct binding *v[MAX_BRANCHES];
	size_t count = reading_assigned(t.in->t, name, n, t.n, v, MAX_BRANCHES);

	if (count > 1 && a->choices < (int)count)
		a->choices = (int)count;
	return !count ? NULL : v[(size_t)a->choice < count ? (size_t)a->choice : count - 1];
}

/* What a name is that an import gives the file, when it is no definition there: a member of what the module exports. */
static struct origin imported(struct asking *a, struct reading *in, const char *name)
{
	for (size_t i = 0; a->join && in->file && i < in->facts->imports.n; i++) {
		const struct import *x = &in->facts->imports.v[i];
		if (!x->module || !x->name || strcmp(x->alias ? x->alias : x->name, name))
			continue;
		struct file *f = join_module(a->join, in, x->module);
		struct reading *r = f ? join_read(a->join, f) : NULL;
		if (r)
			return module_member(a, r, x->name, 0);
	}
	return unknown;
}

/* What a type that the object is of says in place of what stands here. */
static struct origin derived_origin(struct asking *a, struct term t, const char *name, size_t n)
{
	struct reading *in;
	int d = derived_member(a, t, name, n, &in);

	return d < 0 ? unknown : at_definition(a, in, d);
}

/* What the name means where the node stands. */
static struct origin at_text(struct asking *a, struct term t, const char *name, size_t n)
{
	const struct binding *b = reading_binding(t.in->t, name, n, node_from(t.n), NULL);
	TSNode function = parameter_function(t.in, t.n, name, n);

	b = b ? b : type_binding(t.in, name, n, t.n);
	if (!b && ts_node_is_null(function))
		b = branch_binding(a, t, name, n);
	if (b && node_from(t.n) >= node_from(b->value) && node_to(t.n) <= node_to(b->value))
		b = NULL;
	if (!ts_node_is_null(function) && (!b || b->to - b->from > node_len(function) || parameter_default(t.in, function, b->value)))
		return at_parameter(a, t, function, name, n);
	struct origin derived = b && b->from ? unknown : derived_origin(a, t, name, n);
	if (derived.what)
		return derived;
	if (b)
		return at_binding(a, t.in, b, t.given);
	const char *text = n < LONGEST_NAME ? arena_strn(a->a, name, n) : NULL;
	struct origin o = text ? elsewhere(a, t, text) : unknown;
	return o.what || !text ? o : imported(a, t.in, text);
}

static struct origin at_name(struct asking *a, struct term t)
{
	const char *path = t.in->t->rules->tokens ? reading_among_tokens(t.in, t.n, a->a) : NULL;

	return path ? elsewhere(a, t, path) : at_text(a, t, t.in->t->text + node_from(t.n), node_len(t.n));
}

static int type_made(struct asking *, struct term made, struct reading **in);

/* What the type gives to a member of its new instance: new Users().router. */
static struct origin member_made(struct asking *a, struct term made, const char *name)
{
	struct reading *in = made.in;
	int type = type_made(a, made, &in);
	const struct definition *d = type < 0 ? NULL : &in->found->v[type].def;
	const struct binding *b = d ? reading_binding(in->t, name, strlen(name), d->start_byte, d) : NULL;

	TSNode maker = b ? reading_function(in, b->value) : (TSNode){ 0 };
	bool field = b && (ts_node_is_null(maker) || node_from(maker) < d->start_byte);

	for (size_t i = 0; d && !b && i < in->found->n; i++)	/* or what a method of it assigns */
		if (in->found->v[i].def.parent == type && in->found->v[i].def.signature)
			b = reading_binding(in->t, name, strlen(name), in->found->v[i].def.start_byte, d);
	if (d && (!b || field)) {	/* a field that the instance is made with: Settings(url="http://users") */
		struct term given = { made.in, ts_node_child_by_field_name(made.n, "arguments", 9), made.given };
		given = written_member(a, given, name);
		if (!ts_node_is_null(given.n))
			return follow(a, given, name);
	}
	int constructor = !b || field ? -1 : reading_definition(in, node_from(maker), true);
	if (constructor < 0 || strcmp(in->found->v[constructor].def.kind, "constructor"))
		return b ? at_binding(a, in, b, NULL) : unknown;
	struct given *g = arena_one(a->a, struct given);	/* assigned by what makes it: self.url = url */
	*g = (struct given){ in, maker, made };
	return at_binding(a, in, b, g);
}

/* A member of what the object is; unknown: only resolve can say. */
static struct origin member_of_origin(struct asking *a, const struct origin *o, const char *name)
{
	if (o->what == ORIGIN_MODULE)
		return module_member(a, o->at.in, name, 0);
	if (o->what == ORIGIN_NODE && written_object(o->at.n)) {
		struct term m = written_member(a, o->at, name);
		return ts_node_is_null(m.n) ? member_assigned(a, o, name) : follow(a, m, name);
	}
	if (o->what == ORIGIN_NODE)
		return member_made(a, o->at, name);
	if (o->what == ORIGIN_DEFINITION) {
		const struct definition *d = &o->at.in->found->v[o->definition].def;
		const struct binding *b = reading_binding(o->at.in->t, name, strlen(name), d->start_byte, d);
		return b ? at_binding(a, o->at.in, b, NULL) : unknown;
	}
	return o->what == ORIGIN_PARAMETER ? *o : unknown;
}

/* A member of the object that the code belongs to. */
static struct origin own_member(struct asking *a, struct term t, const char *name)
{
	const struct binding *b = reading_binding(t.in->t, name, strlen(name), node_from(t.n), NULL);
	bool inside = b && node_from(t.n) >= node_from(b->value) && node_to(t.n) <= node_to(b->value);

	return b && !inside && !b->from ? at_binding(a, t.in, b, t.given) : unknown;
}

static struct origin at_member(struct asking *a, struct term t, const struct expr_rule *x)
{
	const struct tree *tree = t.in->t;
	TSNode object = path_get(&x->object, t.n), last = path_get(&x->name, t.n);
	struct origin o;

	if (ts_node_is_null(object) || ts_node_is_null(last) || node_len(last) >= LONGEST_NAME)
		return unknown;
	const char *name = arena_strn(a->a, tree->text + node_from(last), node_len(last));
	if (words_have(&tree->rules->self, tree->text + node_from(object), node_len(object))) {
		o = derived_origin(a, t, name, strlen(name));
		o = o.what ? o : own_member(a, t, name);
	} else {
		o = follow(a, (struct term){ t.in, object, t.given }, NULL);
		o = member_of_origin(a, &o, name);
	}
	const char *chain = o.what ? NULL : reading_chain(t.in, t.n, a->a);
	return chain ? elsewhere(a, t, chain) : o;
}

struct origin origin_chain(struct asking *a, struct term t, const char *chain)
{
	const char *dot = strrchr(chain, '.');
	struct origin o;

	if (a->depth >= DEEP || --a->budget < 0)
		return unknown;
	if (!dot)
		return at_text(a, t, chain, strlen(chain));
	a->depth++;
	if (words_have(&t.in->t->rules->self, chain, (size_t)(dot - chain))) {
		o = own_member(a, t, dot + 1);
	} else {
		o = origin_chain(a, t, arena_strn(a->a, chain, (size_t)(dot - chain)));
		o = member_of_origin(a, &o, dot + 1);
	}
	a->depth--;
	return o.what ? o : elsewhere(a, t, chain);
}

/* The path in require("./x"), import("./x"), without quotes; NULL: the call is none. */
static const char *required(struct asking *a, const struct reading *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	for (const struct import_rule *i = rule ? rule->imports : NULL; i; i = i->next) {
		TSNode m = condition_holds(&i->when, r->t, n) && i->module.n ? path_get(&i->module, n) : (TSNode){ 0 };
		if (!ts_node_is_null(m) && node_len(m) > 2)
			return arena_strn(a->a, r->t->text + node_from(m) + 1, node_len(m) - 2);
	}
	return NULL;
}

/* The method of that name of the type that the definition is, or -1. */
static int method_named(const struct reading *in, int type, const char *name)
{
	for (size_t i = 0; i < in->found->n; i++)
		if (in->found->v[i].def.parent == type && in->found->v[i].def.signature && !strcmp(in->found->v[i].def.name, name))
			return (int)i;
	return -1;
}

/* The type of which an expression makes an instance, in `*in`, by index, or -1. */
static int type_made(struct asking *a, struct term made, struct reading **in)
{
	const struct expr_rule *x = rules_expr(made.in->t, made.n);
	bool called = x && x->op == EXPR_CALL && x->function.n;		/* Python has no `new` */
	TSNode type = x && x->op == EXPR_NEW ? path_get(&x->type, made.n) : called ? path_get(&x->function, made.n) : (TSNode){ 0 };

	if (ts_node_is_null(type) || node_len(type) >= LONGEST_NAME)
		return -1;
	const char *name = arena_strn(a->a, made.in->t->text + node_from(type), node_len(type));
	*in = made.in;
	for (size_t i = 0; i < made.in->found->n; i++) {
		const struct definition *d = &made.in->found->v[i].def;
		if (!strcmp(d->name, name) && kind_type(kind_of(d->kind)))
			return (int)i;
	}
	struct origin o = elsewhere(a, (struct term){ made.in, type, NULL }, name);
	if (o.what == ORIGIN_MODULE)
		o = module_default(a, o.at.in);		/* module.exports = Users */
	*in = o.at.in;
	for (size_t i = 0; o.what == ORIGIN_NODE && i < (*in)->found->n; i++)
		if (kind_type(kind_of((*in)->found->v[i].def.kind)) && (*in)->found->v[i].def.start_byte == node_from(o.at.n))
			return (int)i;		/* module.exports = class Users { } */
	if (o.what != ORIGIN_DEFINITION || (called && !kind_type(kind_of(o.at.in->found->v[o.definition].def.kind))))
		return -1;
	return o.definition;
}

/* What a method of a new object gives back, its fields from what the object was made with. */
static struct origin at_made(struct asking *a, struct term t, const struct expr_rule *x)
{
	struct origin object = follow(a, (struct term){ t.in, path_get(&x->object, t.n), t.given }, NULL);
	TSNode name = path_get(&x->name, t.n), returns[MAX_RETURNS];
	struct reading *in = t.in;
	int type = object.what == ORIGIN_NODE ? type_made(a, object.at, &in) : -1, method = -1, maker = -1;

	if (type >= 0 && node_len(name) < LONGEST_NAME) {
		method = method_named(in, type, arena_strn(a->a, t.in->t->text + node_from(name), node_len(name)));
		maker = method_named(in, type, in->found->v[type].def.name);
	}
	TSNode function = method >= 0 ? reading_node(in, method) : (TSNode){ 0 };
	if (ts_node_is_null(function) || reading_returns(in, function, returns, MAX_RETURNS) != 1)
		return unknown;
	struct given *g = arena_many(a->a, 2, struct given);
	g[0] = (struct given){ in, function, t };
	if (maker >= 0) {
		g[1] = (struct given){ in, reading_node(in, maker), object.at };
		g[0].call.given = &g[1];
	}
	return follow(a, (struct term){ in, returns[0], g }, NULL);
}

bool origin_required(const struct reading *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	for (const struct import_rule *i = rule ? rule->imports : NULL; i; i = i->next)
		if (condition_holds(&i->when, r->t, n) && i->module.n && !ts_node_is_null(path_get(&i->module, n)))
			return true;
	return false;
}

/* Whether what the call makes is known, whatever its function does for it. */
static bool joins_paths(const struct tree *t, TSNode call)
{
	char name[80];
	const struct call_rule *rule;

	call_callee(t, call, arguments_of(t, call), name, sizeof name);
	rule = call_rule_of(t->rules, name);
	return rule && (rule->how == CALL_PATHS || rule->how == CALL_JOIN);
}

/* The method of the type that the object is of which a call of an own method means. */
static struct origin own_call(struct asking *a, struct term t, const struct expr_rule *x)
{
	const struct tree *tree = t.in->t;
	TSNode object = x->object.n ? path_get(&x->object, t.n) : (TSNode){ 0 }, name = path_get(&x->name, t.n);

	if (ts_node_is_null(name) || (!ts_node_is_null(object) && !words_have(&tree->rules->self, tree->text + node_from(object), node_len(object))))
		return unknown;
	return derived_origin(a, t, tree->text + node_from(name), node_len(name));
}

/* What is called, where that is no method of a new object; its node, or null. */
static TSNode called_function(struct asking *a, struct term t, const struct expr_rule *x, struct origin *o)
{
	if (x->function.n) {
		*o = follow(a, (struct term){ t.in, path_get(&x->function, t.n), t.given }, NULL);
	} else if (!(*o = own_call(a, t, x)).what) {
		const char *chain = reading_chain(t.in, t.n, a->a);
		size_t n = chain ? strlen(chain) : 0;
		if (n > 2)
			*o = elsewhere(a, t, arena_strn(a->a, chain, n - 2));
	}
	if (o->what == ORIGIN_MODULE)
		*o = module_default(a, o->at.in);
	return o->what == ORIGIN_DEFINITION ? reading_node(o->at.in, o->definition) :
	    o->what == ORIGIN_NODE && node_is_function(o->at.in->t, o->at.n) ? o->at.n : (TSNode){ 0 };
}

size_t origin_returns(struct asking *a, struct term t, struct term *out, size_t max)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct origin o = unknown;
	TSNode function = x && x->op == EXPR_CALL && a->depth < DEEP ? called_function(a, t, x, &o) : (TSNode){ 0 }, returns[MAX_RETURNS];
	size_t n = ts_node_is_null(function) ? 0 : reading_returns(o.at.in, function, returns, MAX_RETURNS);
	struct given *g = arena_one(a->a, struct given);

	*g = (struct given){ o.at.in, function, t };
	for (size_t i = 0; i < n && i < max; i++)
		out[i] = (struct term){ o.at.in, returns[i], g };
	return n < max ? n : max;
}

/* What a call of a function of this repository gives back, when that is one thing. */
static struct origin at_call(struct asking *a, struct term t, const struct expr_rule *x)
{
	const char *module = required(a, t.in, t.n);
	struct origin self = at_node(t.in, t.n, t.given, NULL), o = unknown;
	TSNode returns[MAX_RETURNS];

	if (module) {
		a->unknown = true;
		struct file *f = a->join && t.in->file ? join_module(a->join, t.in, module) : NULL;
		struct reading *r = f ? join_read(a->join, f) : NULL;
		return r ? (struct origin){ .what = ORIGIN_MODULE, .at = { .in = r } } : self;
	}
	if (joins_paths(t.in->t, t.n))
		return self;
	bool method = !x->function.n && x->object.n && !ts_node_is_null(path_get(&x->object, t.n));
	if (method && (o = own_call(a, t, x)).what == ORIGIN_UNKNOWN && (o = at_made(a, t, x)).what)
		return o;
	TSNode function = called_function(a, t, x, &o);
	if (ts_node_is_null(function) || reading_returns(o.at.in, function, returns, MAX_RETURNS) != 1)
		return self;
	struct given *g = arena_one(a->a, struct given);
	*g = (struct given){ o.at.in, function, t };
	o = follow(a, (struct term){ o.at.in, returns[0], g }, NULL);
	return o.what ? o : self;
}

/* What an expression means that is around another; of two that a condition chooses from the one that is something: c ? undefined : options. */
static TSNode meant_inside(struct term t, const struct expr_rule *x)
{
	TSNode n = x->of.n ? path_get(&x->of, t.n) : ts_node_named_child(t.n, 0), other = node_field(t.n, "alternative");

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

	if (ts_node_is_null(right) || !written_object(right) || ts_node_named_child_count(right))
		return (TSNode){ 0 };
	return ts_node_child_by_field_name(n, "left", 4);
}

static struct origin follow_node(struct asking *a, struct term t, const char *name)
{
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	struct origin o;

	if (r && r->op == VALUE_INNER)
		return follow(a, (struct term){ t.in, ts_node_named_child(t.n, 0), t.given }, name);
	if (node_type_is(t.n, "shorthand_property_identifier"))
		return at_name(a, t);
	if (r && (r->op == VALUE_JOIN || r->op == VALUE_EITHER) && !ts_node_is_null(or_nothing(t.n)))
		return follow(a, (struct term){ t.in, or_nothing(t.n), t.given }, name);
	if (!x || (r && (r->op == VALUE_TEXT || r->op == VALUE_JOIN || r->op == VALUE_EITHER)))
		return at_node(t.in, t.n, t.given, name);
	switch (x->op) {
	case EXPR_NAME:
		return at_name(a, t);
	case EXPR_MEMBER:
		return at_member(a, t, x);
	case EXPR_INNER:
	case EXPR_CAST:
		return follow(a, (struct term){ t.in, meant_inside(t, x), t.given }, name);
	case EXPR_CALL:
		o = at_call(a, t, x);
		if (!o.name)
			o.name = name;
		return o;
	case EXPR_NEW:
	case EXPR_INDEX:
		break;
	}
	return at_node(t.in, t.n, t.given, name);
}

static struct origin follow(struct asking *a, struct term t, const char *name)
{
	if (ts_node_is_null(t.n) || a->depth >= DEEP || --a->budget < 0)
		return unknown;
	a->depth++;
	struct origin o = follow_node(a, t, name);
	a->depth--;
	return o;
}

struct origin origin_of(struct asking *a, struct term t)
{
	struct origin o = follow(a, t, NULL), made = o.what == ORIGIN_MODULE ? module_default(a, o.at.in) : unknown;

	return made.what ? made : o;
}
