#include "shard/contracts/framework_objects.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/*
 * Objects of frameworks.  A router may be created in one file, filled in a second and mounted in a
 * third, so it is identified by the expression that creates it.  A match without a site tells what
 * a name or expression is created from, or mounted on, and its prefix there.
 */

enum {
	BUDGET = 4000,
	DEEPEST = 8,
	MAX_CHAIN = 200,
	MAX_CALLERS = 16,
	MAX_MOUNTS = 16,
	MAX_WALKS = 40
};

/* ---- what an expression is ---- */

/* The text of a name without `this.` or `self.`. */
static const char *own_name(struct dataflow_context *a, struct expression t)
{
	const char *s = t.in->t->text + node_start_byte(t.n);
	size_t n = node_len(t.n);
	size_t own = self_prefix(s, n);

	if (n > 200)
		return NULL;
	return arena_strn(a->a, s + own, n - own);
}

void framework_object_add(struct framework_object_list *out, struct framework_object x)
{
	for (size_t i = 0; i < out->n; i++)
		if (framework_object_is(&out->v[i], &x) && (x.at || !strcmp(out->v[i].name, x.name)))
			return;
	if (out->n < MAX_FRAMEWORK_OBJECTS)
		out->v[out->n++] = x;
}

/* Whether the name is among the words, one of which may end in a star: `Set*`. */
static bool is_fluent(const struct word_set *words, const char *name, size_t n)
{
	if (word_set_has(words, name, n))
		return true;
	for (size_t i = 0; i < words->n; i++) {
		size_t len = strlen(words->v[i]);
		if (words->v[i][len - 1] == '*' && n >= len && !memcmp(words->v[i], name, len - 1))
			return true;
	}
	return false;
}

/* The object of a call that returns it: Router() in Router().use(x); or a null node. */
static TSNode fluent_object(struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode f = called_member(tree, t.n), none = { 0 };

	if (ts_node_is_null(f))
		return none;
	const struct expr_rule *x = rules_expr(tree, f);
	TSNode name = node_path_get(&x->name, f);
	if (ts_node_is_null(name))
		return none;
	const char *word = tree->text + node_start_byte(name);
	size_t n = node_len(name);
	const char *generic = memchr(word, '<', n);
	if (generic)
		n = (size_t)(generic - word);
	if (!is_fluent(&tree->rules->fluent, word, n))
		return none;
	return node_path_get(&x->object, f);
}

/* Whether it is the first parameter of a function: the object that a plugin is registered with. */
static bool is_plugin_parameter(const struct origin *o)
{
	TSNode first, list = ts_node_child_by_field_name(o->function, "parameters", 10);

	if (!o->name || !*o->name)
		return false;
	if (ts_node_is_null(list))
		first = ts_node_child_by_field_name(o->function, "parameter", 9);
	else
		first = ts_node_named_child(list, 0);
	if (ts_node_is_null(first))
		return false;
	if (!ts_node_is_null(node_field(first, "name")))	/* behind its type */
		first = node_field(first, "name");
	size_t n = strlen(o->name), len = node_len(first);
	const char *text = o->at.in->t->text + node_start_byte(first);
	if (len < n || memcmp(text, o->name, n))
		return false;
	return len == n || !isalnum((unsigned char)text[n]);
}

static void find(
    struct dataflow_context *, struct expression, struct framework_object_list *out, int depth);

/* A parameter: what each caller passes, or else what the plugin is registered with. */
static void find_by_callers(struct dataflow_context *a, const struct origin *o,
    struct framework_object_list *out, int depth)
{
	struct expression calls[MAX_CALLERS];
	int d = enclosing_definition(o->at.in, node_start_byte(o->function), true);
	size_t n = 0, before = out->n;

	if (a->join && d >= 0 && ts_node_eq(definition_function_node(o->at.in, d), o->function))
		n = other_files_callers(a->join, o->at.in, d, calls, MAX_CALLERS);
	for (size_t i = 0; i < n; i++) {
		struct call_frame g = { o->at.in, o->function, calls[i], derived_receiver(a, calls[i]),
			false };
		struct expression x = parameter_argument(a, &g, o->name, strlen(o->name));
		if (!ts_node_is_null(x.n) && !means_nothing(x.in->t, x.n)) /* else it makes one itself */
			find(a, x, out, depth + 1);
	}
	if (out->n == before && is_plugin_parameter(o))
		framework_object_add(out,
		    (struct framework_object){
		        .in = o->at.in, .at = node_start_byte(o->function) + 1, .name = o->name });
}

/* Whether a framework may make an object of such a definition. */
static bool is_made_by_framework(const char *kind)
{
	return !strcmp(kind, "class") || !strcmp(kind, "struct") || !strcmp(kind, "module");
}

/* A function, class or module, or a field or variable, which is known by its name. */
static void find_definition(const struct origin *o, struct framework_object_list *out)
{
	const struct definition *d = &o->at.in->found->v[o->definition].def;
	uint32_t at = d->start_byte;
	TSNode function = { 0 };

	if (kind_holds_value(kind_of(d->kind))) {
		framework_object_add(out,
		    (struct framework_object){ .in = o->at.in,
		        .name = d->name,
		        .node = definition_node(o->at.in, o->definition) });
		return;
	}
	if (!kind_is_type(kind_of(d->kind)))
		function = definition_function_node(o->at.in, o->definition);
	if (!ts_node_is_null(function))
		at = node_start_byte(function);
	else if (!is_made_by_framework(d->kind))
		return;
	framework_object_add(out, (struct framework_object){ .in = o->at.in, .at = at + 1, .name = o->name });
}

/* Whether the parameter is of a function without a name, which nothing else calls. */
static bool is_anonymous(const struct origin *o)
{
	int d = enclosing_definition(o->at.in, node_start_byte(o->function), true);

	return d < 0 || !ts_node_eq(definition_function_node(o->at.in, d), o->function);
}

struct expression skip_fluent_calls(struct expression t)
{
	for (;;) {
		struct expression object = { t.in, fluent_object(t), t.given };
		if (ts_node_is_null(object.n) || ts_node_is_null(fluent_object(object)))
			return t;
		t = object;
	}
}

/* The origin of the object that a chain of calls began with, which `*t` becomes. */
static struct origin chain_begin(struct dataflow_context *a, struct expression *t)
{
	*t = skip_fluent_calls(*t);
	struct origin o = origin_of(a, *t);

	for (int i = 0; i < MAX_CHAIN && o.what == ORIGIN_NODE; i++) {
		TSNode object = fluent_object(o.at);
		if (ts_node_is_null(object))
			break;
		struct type_ref self = o.self;
		*t = skip_fluent_calls((struct expression){ o.at.in, object, o.at.given });
		o = origin_of(a, *t);
		if (!o.self.in && o.what == ORIGIN_NODE && o.at.in == t->in)
			o.self = self;
	}
	return o;
}

/*
 * The type that the site at hand is seen for, if its method of a base makes the value: a router
 * that a trait's function returns is another one for each type.
 */
static struct type_ref made_for_self(struct dataflow_context *a, const struct origin *o)
{
	struct type_ref base = { o->at.in, -1 }, none = { 0 };

	a->placed = true;
	if (!a->self.in || o->at.in != a->home)
		return none;
	base.type = enclosing_type_index(o->at.in, o->at.n);
	bool itself = a->self.in == base.in && a->self.type == base.type;
	if (base.type < 0 || itself || !derived_is(a, a->self, base))
		return none;
	return a->self;
}

/*
 * The type whose objects each have a value of their own; none if that is only the type around the
 * value.
 */
static struct type_ref owner_of(struct dataflow_context *a, const struct origin *o)
{
	struct type_ref none = { 0 };

	if (!o->self.in)
		return made_for_self(a, o);
	a->own = a->owned = true;
	if (o->self.in == o->at.in && o->self.type == enclosing_type_index(o->at.in, o->at.n))
		return none;
	return o->self;
}

static void find(
    struct dataflow_context *a, struct expression t, struct framework_object_list *out, int depth)
{
	struct origin o = chain_begin(a, &t);
	size_t before = out->n;

	bool itself = ts_node_eq(o.at.n, t.n) && !ts_node_named_child_count(t.n);
	if (o.what == ORIGIN_NODE && !itself)
		framework_object_add(out,
		    (struct framework_object){ .in = o.at.in,
		        .at = node_start_byte(o.at.n) + 1,
		        .name = o.name,
		        .self = owner_of(a, &o) });
	else if (o.what == ORIGIN_PARAMETER && depth < DEEPEST && (a->join || is_anonymous(&o)))
		find_by_callers(a, &o, out, depth);
	else if (o.what == ORIGIN_DEFINITION)
		find_definition(&o, out);
	if (out->n > before)
		return;
	const char *name = own_name(a, t);
	if (name)
		framework_object_add(out, (struct framework_object){ .in = t.in, .name = name, .node = t.n });
}

void framework_objects_of(
    struct dataflow_context *a, struct expression t, struct framework_object_list *out)
{
	struct url_steps *steps = a->steps;

	out->n = 0;
	a->budget = BUDGET;
	a->depth = 0;
	a->steps = NULL;	/* how the object is created is not part of a path */
	a->objects = true;
	find(a, t, out, 0);
	a->objects = false;
	a->steps = steps;
}

/* The file whose path a pattern gives with a name in place of its @; or NULL. */
static struct contract_file *file_by_pattern(
    struct dataflow_context *a, struct expression t, const char *pattern)
{
	const char *at = strchr(pattern, '@');
	struct buf name = { 0 };
	struct source_file *f = NULL;

	if (!a->join || !t.in->file)
		return NULL;
	url_text(a, t, &name);
	if (name.n && !memchr(name.p, '{', name.n))
		f = other_files_by_path(a->join, t.in,
		    arena_printf(
		        a->a, "%.*s%.*s%s", (int)(at - pattern), pattern, (int)name.n, name.p, at + 1));
	buf_free(&name);
	if (!f)
		return NULL;
	return other_files_read(a->join, f);
}

/* The file of a module, by its name or a string that contains it; NULL: it is no module. */
static struct contract_file *module_of(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_of(a, t);
	struct buf name = { 0 };

	if (o.what == ORIGIN_MODULE)
		return o.at.in;
	if (o.what != ORIGIN_NODE || !a->join || !t.in->file)
		return NULL;
	url_text(a, t, &name);
	buf_str(&name, "");
	struct source_file *f = other_files_module(a->join, t.in, name.p);
	if (!f && strchr(name.p, '/'))
		f = other_files_by_path(a->join, t.in, name.p);
	buf_free(&name);
	if (!f)
		return NULL;
	return other_files_read(a->join, f);
}

/* The node that names the class of `new Routes()`, `Routes::class`; or a null node. */
static TSNode named_class(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);

	if (x && x->op == EXPR_NEW)
		return node_path_get(&x->type, n);
	if (x && x->op == EXPR_MEMBER && node_is(t, node_path_get(&x->name, n), "class"))
		return node_path_get(&x->object, n);
	return (TSNode){ 0 };
}

/* The node itself if it names a class, else where its value is made; a null node: elsewhere. */
static struct expression class_or_origin(struct dataflow_context *a, struct expression t)
{
	struct origin o = { 0 };

	if (!ts_node_is_null(t.n) && !ts_node_is_null(named_class(t.in->t, t.n)))
		return t;
	o = origin_of(a, t);
	if (o.what == ORIGIN_NODE)
		return o.at;
	return (struct expression){ 0 };
}

/* The method of a class that a node means; the class is written with or without its namespace. */
static struct origin method_of_class(
    struct dataflow_context *a, struct expression of, const char *method)
{
	TSNode class = { 0 };

	if (!ts_node_is_null(of.n))
		class = named_class(of.in->t, of.n);
	if (ts_node_is_null(class) || node_len(class) > 200)
		return (struct origin){ 0 };
	char *name = arena_strn(a->a, of.in->t->text + node_start_byte(class), node_len(class));
	const char *last = strrchr(name, '\\');
	for (char *s = name; *s; s++)
		if (*s == '\\')
			*s = '.';
	name += *name == '.';
	struct origin o = origin_chain(a, of, arena_printf(a->a, "%s.%s", name, method));
	if (o.what != ORIGIN_DEFINITION && last)
		o = origin_chain(a, of, arena_printf(a->a, "%s.%s", last + 1, method));
	return o;
}

/*
 * The function that is called of an object or class: its method `method`, or the one that a pair
 * names: [Routes::class, "register"].
 */
static void add_invoked(struct dataflow_context *a, struct expression t, const char *method,
    struct framework_object_list *out)
{
	struct expression of = class_or_origin(a, t);
	struct buf name = { 0 };

	if (ts_node_is_null(of.n))
		return;
	if (node_type_is(of.n, "array_creation_expression") && ts_node_named_child_count(of.n) == 2) {
		url_text(a, (struct expression){ of.in, ts_node_named_child(of.n, 1), of.given }, &name);
		method = arena_strn(a->a, name.p, name.n);
		buf_free(&name);
		of.n = ts_node_named_child(ts_node_named_child(of.n, 0), 0);
		of = class_or_origin(a, of);
	}
	struct origin o = method_of_class(a, of, method);
	if (o.what == ORIGIN_DEFINITION)
		find_definition(&o, out);
}

static void find_bound(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct call_frame *given,
    struct framework_object_list *out)
{
	struct expression t = { in, p->node[ROLE_BIND], given };

	out->n = 0;
	a->budget = BUDGET;
	if (p->invokes)
		add_invoked(a, t, p->invokes, out);
	if (out->n)
		return;
	if (!p->module) {
		framework_objects_of(a, t, out);
		return;
	}
	bool pattern = strchr(p->module, '@') != NULL;
	struct contract_file *there;
	if (pattern)
		there = file_by_pattern(a, t, p->module);
	else
		there = module_of(a, t);
	if (!there && !pattern)	/* a list of this file, say */
		framework_objects_of(a, t, out);
	if (!there)
		return;
	if (pattern) {		/* the file itself, as a whole */
		TSNode root = there->t->root;
		framework_object_add(out, 
		    (struct framework_object){ .in = there, .at = node_start_byte(root) + 1, .node = root });
		return;
	}
	const struct binding *b = find_local_binding(there->t, p->module, strlen(p->module), 0, NULL);
	if (b)
		framework_objects_of(a, (struct expression){ there, b->value, NULL }, out);
	else		/* what gets no value is identified by its name: the file itself */
		framework_object_add(out,
		    (struct framework_object){ .in = there, .name = p->module, .node = there->t->root });
}

/*
 * What a match binds, which each site below a mount asks anew: the objects, and what looking for
 * them told about the context.
 */
struct remembered_objects {
	const struct framework_match *of;
	struct framework_object *v;
	size_t n;
	bool bound, unknown, own, owned;
	bool plain, plain_unknown;
};

enum { REMEMBERED = 1024 };

/* The place of a match, emptied if it was another one's; NULL: in this view, others may be bound. */
static struct remembered_objects *remembered_of(
    struct dataflow_context *a, const struct framework_match *p)
{
	struct remembered_objects *r;

	if (a->self.in || a->choice || a->loop.in || !ts_node_is_null(a->each))
		return NULL;
	if (!a->remembered)
		a->remembered = arena_many(a->a, REMEMBERED, struct remembered_objects);
	r = &a->remembered[(uintptr_t)p / sizeof *p % REMEMBERED];
	if (r->of != p)
		*r = (struct remembered_objects){ .of = p };
	return r;
}

bool has_plain_view(struct dataflow_context *a, const struct framework_match *p)
{
	const struct remembered_objects *r = remembered_of(a, p);

	if (!r || !r->plain)
		return false;
	a->unknown |= r->plain_unknown;
	return true;
}

void remember_plain_view(struct dataflow_context *a, const struct framework_match *p, bool unknown)
{
	struct remembered_objects *r = remembered_of(a, p);

	if (!r)
		return;
	r->plain = true;
	r->plain_unknown = unknown;
}

/* Find what a match binds, and keep it. */
static void find_and_keep(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, struct remembered_objects *r,
    struct framework_object_list *out)
{
	bool unknown = a->unknown, own = a->own, owned = a->owned;
	int choices = a->choices;

	a->unknown = a->own = a->owned = false;
	find_bound(a, in, p, NULL, out);
	if (a->choices == choices) {
		r->bound = true;
		r->n = out->n;
		r->v = arena_many(a->a, out->n, struct framework_object);
		memcpy(r->v, out->v, out->n * sizeof *r->v);
		r->unknown = a->unknown;
		r->own = a->own;
		r->owned = a->owned;
	}
	a->unknown |= unknown;
	a->own |= own;
	a->owned |= owned;
}

void framework_objects_bound_by(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct call_frame *given,
    struct framework_object_list *out)
{
	struct remembered_objects *r = NULL;

	if (!given)
		r = remembered_of(a, p);
	if (!r) {
		find_bound(a, in, p, given, out);
		return;
	}
	if (!r->bound) {
		find_and_keep(a, in, p, r, out);
		return;
	}
	memcpy(out->v, r->v, r->n * sizeof *r->v);
	out->n = r->n;
	a->budget = BUDGET;
	a->unknown |= r->unknown;
	a->own |= r->own;
	a->owned |= r->owned;
}

/* ---- what the framework's matches tell about an object ---- */

const struct framework *framework_in_file(
    const struct contract_file *in, const struct framework *fw)
{
	for (const struct framework *f = contracts_frameworks(in->frameworks, NULL); f; f = f->next)
		if (framework_is_same(f, fw))
			return f;
	return NULL;
}

struct framework_matches *framework_matches_in_file(
    struct contract_file *in, const struct framework *fw)
{
	const struct framework *f = framework_in_file(in, fw);

	if (f)
		return framework_find_matches(in, f);
	return NULL;
}

/* The objects that a declared name, which is not an expression, gets; false: it gets no value. */
static bool declared(struct dataflow_context *a, struct contract_file *in, TSNode n,
    struct framework_object_list *out)
{
	const char *name = own_name(a, (struct expression){ in, n, NULL });
	const struct binding *b = NULL;

	if (name)
		b = find_local_binding(in->t, name, strlen(name), node_start_byte(n), NULL);
	if (b)
		framework_objects_of(a, (struct expression){ in, b->value, NULL }, out);
	return b != NULL;
}

bool object_created_in_file(
    struct dataflow_context *a, struct contract_file *in, const struct framework_match *p)
{
	struct framework_object_list of = { 0 };
	struct expression t = { in, p->node[ROLE_BIND], NULL };

	if (has(p, ROLE_INSTANCE))
		return true;
	if (!has(p, ROLE_BIND))
		return false;
	const char *name = own_name(a, t);
	if (!name)
		return false;
	const struct binding *b = find_local_binding(
	    in->t, name, strlen(name), node_start_byte(t.n), NULL);
	if (b && origin_is_require(in, b->value))
		return false;
	if (b)
		t.n = b->value;
	framework_objects_of(a, t, &of);
	return of.n && of.v[0].at && of.v[0].in == in;
}

/*
 * Whether a name that a match binds is in scope at another node: parameters and locals only in
 * their function.
 */
static bool in_scope(const struct contract_file *in, TSNode bind, TSNode at)
{
	const char *s = in->t->text + node_start_byte(bind), *name = in->t->text + node_start_byte(at);

	if (ts_node_is_null(at) || *s == '@')
		return true;
	if (memchr(s, '.', node_len(bind)) || memchr(name, '.', node_len(at)))
		return true;
	TSNode function = function_of_parameter(in, at, name, node_len(at));
	TSNode its = function_of_parameter(in, bind, s, node_len(bind));
	if (!ts_node_is_null(function) && !ts_node_is_null(its))
		return ts_node_eq(function, its);
	if (!ts_node_is_null(function))
		return node_within(bind, function);
	if (names_field(in, bind))
		return true;
	function = enclosing_function(in, bind);
	return ts_node_is_null(function) || node_within(at, function);
}

bool framework_objects_contain(struct dataflow_context *a, const struct framework_object_list *of,
    const struct framework_object *x)
{
	for (size_t i = 0; i < of->n; i++) {
		const struct framework_object *o = &of->v[i];
		if (o->in != x->in || o->at != x->at)
			continue;
		if (!o->self.in || (x->self.in && derived_is(a, x->self, o->self)))
			return true;
	}
	return false;
}

struct framework_object framework_type_object(struct contract_file *in, TSNode n)
{
	int type = enclosing_type_index(in, n);

	if (type < 0)
		return (struct framework_object){ .in = in };
	const struct definition *d = &in->found->v[type].def;
	return (struct framework_object){ .in = in, .at = d->start_byte + 1, .name = d->name };
}

bool match_concerns_object(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct framework_object *x)
{
	struct framework_object_list of;
	TSNode bind = p->node[ROLE_BIND];

	if (p->typed)
		return x->in == in && x->at == framework_type_object(in, bind).at;
	if (has(p, ROLE_INSTANCE))
		return x->in == in && x->at == node_start_byte(p->node[ROLE_INSTANCE]) + 1;
	if (!has(p, ROLE_BIND))
		return false;
	const char *name = own_name(a, (struct expression){ in, bind, NULL });
	bool same = x->in == in && name && x->name && !strcmp(name, x->name);
	if (!x->at)
		return same && in_scope(in, bind, x->node);
	framework_objects_bound_by(a, in, p, NULL, &of);
	if (of.n == 1 && !of.v[0].at) {		/* known only by its name */
		if (name && !ts_node_is_null(function_of_parameter(in, bind, name, strlen(name))))
			return false;	/* a parameter: any object may have that name */
		if (!declared(a, in, bind, &of))
			return same;
	}
	return framework_objects_contain(a, &of, x);
}

bool is_framework_object(
    struct dataflow_context *a, const struct framework *fw, const struct framework_object *x)
{
	struct framework_matches *s = framework_matches_in_file(x->in, fw);

	for (size_t i = 0; s && i < s->n; i++)
		if (binds_object(&s->v[i]) && match_concerns_object(a, x->in, &s->v[i], x))
			return true;
	return false;
}

/* Whether the framework makes the object, or what it is made with is such an object. */
static bool holds_framework_object(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, int depth)
{
	struct framework_matches *s = framework_matches_in_file(x->in, fw);

	for (size_t i = 0; s && i < s->n && depth < DEEPEST; i++) {
		const struct framework_match *p = &s->v[i];
		struct framework_object_list of = { 0 };
		if (!binds_object(p) || !match_concerns_object(a, x->in, p, x))
			continue;
		if (!has(p, ROLE_OBJECT))
			return true;
		framework_objects_of(a, (struct expression){ x->in, p->node[ROLE_OBJECT], NULL }, &of);
		for (size_t k = 0; k < of.n; k++)
			if (holds_framework_object(a, fw, &of.v[k], depth + 1))
				return true;
	}
	return false;
}

bool serves_framework(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p)
{
	struct framework_object_list of = { 0 };

	if (!p->global || strcmp(p->global, "held"))
		return true;
	framework_objects_of(a, (struct expression){ in, p->node[ROLE_OBJECT], NULL }, &of);
	for (size_t i = 0; i < of.n; i++)
		if (holds_framework_object(a, fw, &of.v[i], 0))
			return true;
	return false;
}

void prefixes_add(struct prefixes *out, const char *s)
{
	for (size_t i = 0; i < out->n; i++)
		if (!strcmp(out->v[i], s))
			return;
	if (out->n < MAX_PREFIXES)
		out->v[out->n++] = s;
}

const char *path_join(struct arena *a, const char *before, const char *after)
{
	if (!*before)
		return after;
	if (!*after)
		return before;
	return arena_printf(a, "%s/%s", before, after);
}

