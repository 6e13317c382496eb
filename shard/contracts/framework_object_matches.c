#include "shard/contracts/framework_objects.h"

#include <string.h>

#include "shard/contracts/urls/derived_types.h"
#include "shard/syntax/node_rules.h"

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
	const char *name = framework_object_name(a, (struct expression){ in, n, NULL });
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
	const char *name = framework_object_name(a, t);
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
		if (o->in != x->in || o->at != x->at || made_apart(o, x))
			continue;
		if (!o->self.in || (x->self.in && derived_is(a, x->self, o->self)))
			return true;
	}
	return false;
}

/* Whether the value is what the node makes: await createClient(), or a chain of calls that begins there. */
static bool is_made_by(const struct syntax_tree *t, TSNode value, TSNode made)
{
	enum { DEEP = 8 };

	for (int i = 0; i < DEEP && !ts_node_is_null(value); i++) {
		if (ts_node_eq(value, made))
			return true;
		const struct expr_rule *x = rules_expr(t, value);
		if (!x || x->op != EXPR_INNER)
			return false;
		value = x->of.n ? node_path_get(&x->of, value) : ts_node_named_child(value, 0);
	}
	return false;
}

/* Whether the file gives an object that is known only by its name what the node makes. */
static bool names_made(const struct contract_file *in, const char *name, TSNode made)
{
	for (size_t i = 0; name && i < in->t->bindings.n; i++) {
		const struct binding *b = &in->t->bindings.v[i];
		if (!strcmp(b->name, name) && is_made_by(in->t, b->value, made))
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
	if (has(p, ROLE_INSTANCE) && x->in != in)
		return false;
	if (has(p, ROLE_INSTANCE) && x->at)
		return x->at == framework_object_place(in->t, p->node[ROLE_INSTANCE]);
	if (has(p, ROLE_INSTANCE))
		return names_made(in, x->name, p->node[ROLE_INSTANCE]);
	if (!has(p, ROLE_BIND))
		return false;
	const char *name = framework_object_name(a, (struct expression){ in, bind, NULL });
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

	for (size_t i = 0; s && i < s->n && depth < OBJECTS_DEEP; i++) {
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
