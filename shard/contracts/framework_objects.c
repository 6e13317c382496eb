#include "shard/contracts/framework_objects.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/*
 * Objects of frameworks: a router may be made in one file, filled in a second, mounted in a third,
 * so it is known by the expression that makes it.  A spot without a site says what a name or
 * expression is made from, or mounted on, and the prefix that it has there.
 */

enum { BUDGET = 4000, DEEPEST = 8, MAX_CALLERS = 16, MAX_MOUNTS = 16, MAX_WALKS = 40 };

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

static void add(struct framework_object_list *out, struct framework_object x)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i].in == x.in && out->v[i].at == x.at &&
		    (x.at || !strcmp(out->v[i].name, x.name)))
			return;
	if (out->n < MAX_FRAMEWORK_OBJECTS)
		out->v[out->n++] = x;
}

/*
 * What a call that gives back its object is made on: Router() in Router().use(x); null: it is
 * none.
 */
static TSNode fluent_object(struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	const struct expr_rule *x = rules_expr(tree, t.n);
	TSNode f = x && x->op == EXPR_CALL && x->function.n ? node_path_get(&x->function, t.n) :
	                                                      (TSNode){ 0 },
	       name, none = { 0 };

	if (ts_node_is_null(f))
		x = NULL;
	else
		x = rules_expr(tree, f);
	if (!x || x->op != EXPR_MEMBER)
		return none;
	name = node_path_get(&x->name, f);
	const char *word = ts_node_is_null(name) ? NULL : tree->text + node_start_byte(name);
	const char *generic = NULL;
	if (word)
		generic = memchr(word, '<', node_len(name));
	if (!word ||
	    !word_set_has(
	        &tree->rules->fluent, word, generic ? (size_t)(generic - word) : node_len(name)))
		return none;
	return node_path_get(&x->object, f);
}

/*
 * Whether it is the first parameter of a function: what a plugin is given by those who register
 * it.
 */
static bool is_plugin_parameter(const struct origin *o)
{
	TSNode list = ts_node_child_by_field_name(o->function, "parameters", 10);
	TSNode first = ts_node_is_null(list) ?
	    ts_node_child_by_field_name(o->function, "parameter", 9) :
	    ts_node_named_child(list, 0);
	size_t n = 0;

	if (o->name)
		n = strlen(o->name);
	return n && !ts_node_is_null(first) && node_len(first) >= n &&
	    !memcmp(o->at.in->t->text + node_start_byte(first), o->name, n) &&
	    (node_len(first) == n ||
	        !isalnum((unsigned char)o->at.in->t->text[node_start_byte(first) + n]));
}

static void find(
    struct dataflow_context *a, struct expression t, struct framework_object_list *out, int depth)
{
	struct expression calls[MAX_CALLERS];
	struct origin o = origin_of(a, t);
	size_t before = out->n;
	TSNode object = o.what == ORIGIN_NODE && depth < DEEPEST ? fluent_object(o.at) : (TSNode){ 0 };

	if (!ts_node_is_null(object)) {
		find(a, (struct expression){ o.at.in, object, o.at.given }, out, depth + 1);
		return;
	}
	if (o.what == ORIGIN_NODE && !(ts_node_eq(o.at.n, t.n) && !ts_node_named_child_count(t.n))) {
		add(out,
		    (struct framework_object){
		        .in = o.at.in, .at = node_start_byte(o.at.n) + 1, .name = o.name });
	} else if (o.what == ORIGIN_PARAMETER && a->join && depth < DEEPEST) {
		int d = enclosing_definition(o.at.in, node_start_byte(o.function), true);
		bool its = d >= 0 && ts_node_eq(definition_function_node(o.at.in, d), o.function);
		size_t n = 0;
		if (its)
			n = other_files_callers(a->join, o.at.in, d, calls, MAX_CALLERS);
		for (size_t i = 0; i < n; i++) {
			struct call_frame g = { o.at.in, o.function, calls[i] };
			struct expression x = parameter_argument(a, &g, o.name, strlen(o.name));
			if (!ts_node_is_null(x.n))
				find(a, x, out, depth + 1);
		}
		if (out->n == before && is_plugin_parameter(&o))
			add(out,
			    (struct framework_object){
			        .in = o.at.in, .at = node_start_byte(o.function) + 1, .name = o.name });
	} else if (o.what == ORIGIN_DEFINITION) {
		const struct definition *d = &o.at.in->found->v[o.definition].def;
		TSNode function = kind_is_type(kind_of(d->kind)) ?
		    (TSNode){ 0 } :
		    definition_function_node(o.at.in, o.definition);
		if (!ts_node_is_null(function) || !strcmp(d->kind, "class") || !strcmp(d->kind, "module"))
			add(out,
			    (struct framework_object){ .in = o.at.in,
			        .at = (ts_node_is_null(function) ? d->start_byte : node_start_byte(function)) +
			            1,
			        .name = o.name });
	}
	const char *name = NULL;
	if (out->n == before)
		name = own_name(a, t);
	if (name)
		add(out, (struct framework_object){ t.in, 0, name, t.n });
}

void framework_objects_of(
    struct dataflow_context *a, struct expression t, struct framework_object_list *out)
{
	struct url_steps *steps = a->steps;

	out->n = 0;
	a->budget = BUDGET;
	a->depth = 0;
	a->steps = NULL;	/* what it is made from is no part of a path */
	find(a, t, out, 0);
	a->steps = steps;
}

/* The file that an expression is: a module's name, or a string that holds it; NULL: it is none. */
static struct contract_file *module_of(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_of(a, t);
	struct buf name = { 0 };
	struct source_file *f;

	if (o.what == ORIGIN_MODULE)
		return o.at.in;
	if (o.what != ORIGIN_NODE || !a->join || !t.in->file)
		return NULL;
	url_text(a, t, &name);
	buf_str(&name, "");
	f = other_files_module(a->join, t.in, name.p);
	if (f)
		f = f;
	else if (strchr(name.p, '/'))
		f = other_files_by_path(a->join, t.in, name.p);
	else
		f = NULL;
	buf_free(&name);
	if (f)
		return other_files_read(a->join, f);
	return NULL;
}

void framework_objects_bound_by(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, struct framework_object_list *out)
{
	struct expression t = { in, p->node[ROLE_BIND], NULL };

	out->n = 0;
	a->budget = BUDGET;
	struct contract_file *there = p->module ? module_of(a, t) : NULL;
	const struct binding *b = NULL;
	if (there)
		b = find_local_binding(there->t, p->module, strlen(p->module), 0, NULL);
	if (b)
		framework_objects_of(a, (struct expression){ there, b->value, NULL }, out);
	else if (there)		/* what nothing is given to is known by its name: the file itself */
		add(out, (struct framework_object){ there, 0, p->module, there->t->root });
	else if (!p->module)
		framework_objects_of(a, t, out);
}

/* ---- what the framework says of it ---- */

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

/* What the name of a declaration, which is no expression, is given. */
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
	const char *name = has(p, ROLE_BIND) ?
	    own_name(a, (struct expression){ in, p->node[ROLE_BIND], NULL }) :
	    NULL;
	const struct binding *b = NULL;

	if (name)
		b = find_local_binding(
		    in->t, name, strlen(name), node_start_byte(p->node[ROLE_BIND]), NULL);
	if (has(p, ROLE_INSTANCE))
		return true;
	if (!name || (b && origin_is_require(in, b->value)))
		return false;
	framework_objects_of(a,
	    b ? (struct expression){ in, b->value, NULL } :
	        (struct expression){ in, p->node[ROLE_BIND], NULL },
	    &of);
	return of.n && of.v[0].at && of.v[0].in == in;
}

/*
 * Whether a name, which a spot binds, is seen where another stands: parameters and locals only in
 * their function.
 */
static bool seen(const struct contract_file *in, TSNode bind, TSNode at)
{
	const char *s = in->t->text + node_start_byte(bind), *name = in->t->text + node_start_byte(at);
	TSNode function;

	if (ts_node_is_null(at) || *s == '@' || memchr(s, '.', node_len(bind)) ||
	    memchr(name, '.', node_len(at)))
		return true;
	function = function_of_parameter(in, at, name, node_len(at));
	TSNode its = function_of_parameter(in, bind, s, node_len(bind));
	if (!ts_node_is_null(function) && !ts_node_is_null(its))
		return ts_node_eq(function, its);
	if (!ts_node_is_null(function))
		return node_start_byte(function) <= node_start_byte(bind) &&
		    node_end_byte(bind) <= node_end_byte(function);
	function = names_field(in, bind) ? (TSNode){ 0 } : enclosing_function(in, bind);
	return ts_node_is_null(function) ||
	    (node_start_byte(function) <= node_start_byte(at) &&
	        node_end_byte(at) <= node_end_byte(function));
}

bool match_concerns_object(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct framework_object *x)
{
	struct framework_object_list of;

	if (has(p, ROLE_INSTANCE))
		return x->in == in && x->at == node_start_byte(p->node[ROLE_INSTANCE]) + 1;
	if (!has(p, ROLE_BIND))
		return false;
	const char *name = own_name(a, (struct expression){ in, p->node[ROLE_BIND], NULL });
	bool same = x->in == in && name && x->name && !strcmp(name, x->name);
	if (!x->at)
		return same && seen(in, p->node[ROLE_BIND], x->node);
	framework_objects_bound_by(a, in, p, &of);
	if (of.n == 1 && !of.v[0].at && name &&
	    !ts_node_is_null(function_of_parameter(in, p->node[ROLE_BIND], name, strlen(name))))
		return false;	/* whatever has that name around */
	if (of.n == 1 && !of.v[0].at && !declared(a, in, p->node[ROLE_BIND], &of))
		return same;
	for (size_t i = 0; i < of.n; i++)
		if (of.v[i].in == x->in && of.v[i].at == x->at)
			return true;
	return false;
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

/* What a walk is on its way from, so that it goes round no circle. */
struct visited_object {
	const struct framework_object *x;
	const struct visited_object *from;
	int depth;
};

static void walk(struct dataflow_context *, const struct framework *,
    const struct framework_object *, const struct visited_object *, struct prefixes *out);

/* The function of which the thing, known by its name, is a parameter; null: none. */
static TSNode function_of_object_parameter(const struct framework_object *x)
{
	return function_of_parameter(x->in, x->node, x->name, strlen(x->name));
}

static bool same_thing(const struct framework_object *a, const struct framework_object *b)
{
	if (a->in != b->in || a->at != b->at)
		return false;
	return a->at ||
	    (!strcmp(a->name, b->name) &&
	        ts_node_eq(function_of_object_parameter(a), function_of_object_parameter(b)));
}

static bool already_visited(const struct visited_object *t, const struct framework_object *x)
{
	for (; t; t = t->from)
		if (same_thing(t->x, x))
			return true;
	return false;
}

/*
 * The prefixes that a link gives: each of its parent with its own, and `own`, which the child was
 * made with, behind it.
 */
static void link_prefixes(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p, const char *own,
    const struct visited_object *trail, struct prefixes *out)
{
	struct prefixes above = { 0 };
	struct framework_object_list parents = { 0 };
	const char *prefix = "";

	if (prefixed(p))
		prefix = framework_match_prefix(a, in, p);
	if (has(p, ROLE_OBJECT))
		framework_objects_of(a, (struct expression){ in, p->node[ROLE_OBJECT], NULL }, &parents);
	for (size_t i = 0; i < parents.n; i++)
		if (!already_visited(trail, &parents.v[i]))
			walk(a, fw, &parents.v[i], trail, &above);
	if (!above.n)
		prefixes_add(&above, "");
	if (has(p, ROLE_BIND))
		scopes_around(a, in, framework_matches_in_file(in, fw), p, &above);
	for (size_t i = 0; i < above.n; i++)
		prefixes_add(
		    out, path_join(a->a, path_join(a->a, above.v[i], prefix), p->replaces ? "" : own));
}

/* What it was made with: a prefix without an object. */
static const char *creation_prefix(
    struct dataflow_context *a, struct framework_matches *s, const struct framework_object *x)
{
	for (size_t i = 0; s && i < s->n; i++) {
		const struct framework_match *p = &s->v[i];
		if (prefixed(p) && !has(p, ROLE_SITE) && !has(p, ROLE_SCOPE) && !has(p, ROLE_OBJECT) &&
		    !p->global && match_concerns_object(a, x->in, p, x))
			return framework_match_prefix(a, x->in, p);
	}
	return NULL;
}

size_t list_elements(struct dataflow_context *a, struct contract_file *in, TSNode n,
    TSNode *function, struct expression *out, size_t max)
{
	const struct syntax_tree *t = in->t;
	TSNode call, callee;
	size_t found = 0;

	*function = enclosing_function(in, n);
	if (ts_node_is_null(*function) ||
	    enclosing_definition(in, node_start_byte(*function), false) >= 0)
		return 0;
	call = ts_node_parent(*function);
	if (!ts_node_is_null(call))
		call = ts_node_parent(call);
	const struct expr_rule *x = NULL;
	if (!ts_node_is_null(call))
		x = rules_expr(t, call);
	callee = x && x->op == EXPR_CALL && x->function.n ? node_path_get(&x->function, call) :
	                                                    (TSNode){ 0 };
	if (ts_node_is_null(callee))
		x = NULL;
	else
		x = rules_expr(t, callee);
	if (!x || x->op != EXPR_MEMBER)
		return 0;
	struct origin o = origin_of(
	    a, (struct expression){ in, node_path_get(&x->object, callee), NULL });
	const struct node_rule *r = NULL;
	if (o.what == ORIGIN_NODE)
		r = rules_of(o.at.in->t->rules, o.at.n);
	for (uint32_t i = 0, count = r && r->op == VALUE_LIST ? ts_node_named_child_count(o.at.n) : 0;
	     i < count && found < max; i++)
		out[found++] = (struct expression){ o.at.in, ts_node_named_child(o.at.n, i), o.at.given };
	return found;
}

/* The prefixes of a mount that a list's elements make, for those that are this thing. */
static void each_prefixes(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p, const char *own,
    const struct visited_object *trail, struct prefixes *out)
{
	struct expression element[MAX_MOUNTS];
	TSNode function;
	size_t n;

	a->budget = BUDGET;
	n = list_elements(a, in, p->node[ROLE_BIND], &function, element, MAX_MOUNTS);
	for (size_t i = 0; i < n; i++) {
		struct framework_object_list of = { 0 };
		bool is = false;
		a->each = function;
		a->element = element[i];
		framework_objects_bound_by(a, in, p, &of);
		for (size_t k = 0; k < of.n; k++)
			is |= of.v[k].in == trail->x->in && of.v[k].at == trail->x->at;
		if (is)
			link_prefixes(a, fw, in, p, own, trail, out);
		a->each = (TSNode){ 0 };
	}
	if (!n)
		link_prefixes(a, fw, in, p, own, trail, out);
}

static void walk(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, const struct visited_object *from, struct prefixes *out)
{
	const struct visited_object trail = { x, from, from ? from->depth + 1 : 0 };
	bool more = trail.depth <= DEEPEST && --a->walks > 0;
	struct framework_matches *s = more ? framework_matches_in_file(x->in, fw) : NULL;
	const char *own = NULL;
	size_t before = out->n;

	if (more)
		own = apply_interceptors(a, fw, x, creation_prefix(a, s, x));
	for (size_t i = 0; s && i < s->n; i++) {
		const struct framework_match *p = &s->v[i];
		if (!has(p, ROLE_SITE) && !has(p, ROLE_SCOPE) && has(p, ROLE_OBJECT) &&
		    (has(p, ROLE_BIND) || has(p, ROLE_INSTANCE)) && match_concerns_object(a, x->in, p, x))
			link_prefixes(a, fw, x->in, p, own ? own : "", &trail, out);
	}
	struct object_mount m[MAX_MOUNTS];
	size_t n = 0;
	if (a->join && more)
		n = other_files_mounts(a->join, x, fw, m, MAX_MOUNTS);
	for (size_t i = 0; i < n; i++) {
		struct framework_matches *there = framework_matches_in_file(m[i].in, fw);
		for (size_t k = 0; there && k < there->n; k++)
			if (!has(&there->v[k], ROLE_SITE) && has(&there->v[k], ROLE_BIND) &&
			    has(&there->v[k], ROLE_OBJECT) &&
			    node_start_byte(there->v[k].node[ROLE_BIND]) == m[i].at)
				each_prefixes(a, fw, m[i].in, &there->v[k], own ? own : "", &trail, out);
	}
	if (out->n == before)
		prefixes_add(out, own ? own : "");
}

void framework_object_prefixes(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, struct prefixes *out)
{
	a->walks = MAX_WALKS;
	walk(a, fw, x, NULL, out);
}
