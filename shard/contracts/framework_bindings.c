#include "shard/contracts/framework_objects.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/syntax/node_rules.h"

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
	if (x && x->op == EXPR_CALL && x->function.n) {	/* Routes(), as Kotlin and Python write it */
		TSNode type = node_path_get(&x->function, n);
		bool upper = !ts_node_is_null(type) &&
		    isupper((unsigned char)t->text[node_start_byte(type)]);
		if (upper && !ts_node_named_child_count(type))
			return type;
	}
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
		framework_object_of_definition(&o, out);
}

static void find_bound(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct call_frame *given,
    struct framework_object_list *out)
{
	struct expression t = { in, p->node[ROLE_BIND], given };

	out->n = 0;
	a->budget = OBJECT_BUDGET;
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
		    (struct framework_object){
		        .in = there, .at = node_start_byte(root) + 1, .node = root });
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
	struct url_steps *steps = a->steps;
	int choices = a->choices;

	a->unknown = a->own = a->owned = false;
	a->steps = NULL; /* what is bound is not part of a path */
	find_bound(a, in, p, NULL, out);
	a->steps = steps;
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
	struct url_steps *steps = a->steps;

	if (!given && !a->as_declared)
		r = remembered_of(a, p);
	if (!r) {
		a->steps = NULL; /* what is bound is not part of a path */
		find_bound(a, in, p, given, out);
		a->steps = steps;
		return;
	}
	if (!r->bound) {
		find_and_keep(a, in, p, r, out);
		return;
	}
	memcpy(out->v, r->v, r->n * sizeof *r->v);
	out->n = r->n;
	a->budget = OBJECT_BUDGET;
	a->unknown |= r->unknown;
	a->own |= r->own;
	a->owned |= r->owned;
}
