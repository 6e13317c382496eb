/*
 * The places from which mounts are seen: calls of the function around one, and elements of the list
 * for which it happens.
 */
#include "shard/contracts/framework_objects.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/syntax/node_rules.h"

enum { BUDGET = 4000, MAX_MOUNTS = 16, CALLS_DEEP = 2, DEEPEST_NAME = 4 };

/* The call that a function without a definition is the first or a later argument of; or null. */
static TSNode call_around(const struct contract_file *in, TSNode function)
{
	TSNode none = { 0 };

	if (ts_node_is_null(function))
		return none;
	int d = enclosing_definition(in, node_start_byte(function), true);
	if (d >= 0 && ts_node_eq(definition_function_node(in, d), function))
		return none;
	TSNode arguments = node_parent(function);
	if (ts_node_is_null(arguments))
		return none;
	return node_parent(arguments);
}

/*
 * The list for whose elements the function around a node is called; null: there is none.
 * routes.forEach(r => app.use(r.path, r.router))
 */
static struct expression list_of_elements(struct contract_file *in, TSNode n, TSNode *function)
{
	*function = enclosing_function(in, n);
	TSNode callee = called_member(in->t, call_around(in, *function));
	if (ts_node_is_null(callee))
		return (struct expression){ 0 };
	TSNode list = node_path_get(&rules_expr(in->t, callee)->object, callee);
	return (struct expression){ in, list, NULL };
}

/* The name that a node begins with: item of item.router, pair[1]. */
static TSNode first_name(const struct syntax_tree *t, TSNode n)
{
	for (int i = 0; i < DEEPEST_NAME && !ts_node_is_null(n); i++) {
		const struct expr_rule *x = rules_expr(t, n);
		if (x && x->op == EXPR_MEMBER)
			n = node_path_get(&x->object, n);
		else if (x && x->op == EXPR_INDEX)
			n = node_path_get(&x->of, n);
		else
			break;
	}
	return n;
}

/* The same of a loop around it: for r in routers: app.include_router(r) */
static struct expression list_of_loop(struct contract_file *in, TSNode n, TSNode *loop)
{
	struct expression list = { 0 };

	if (ts_node_is_null(n))
		return list;
	TSNode name = first_name(in->t, n);
	if (!ts_node_is_null(name))
		list = list_of_name(in, name, loop);
	return list;
}

/* ---- the places from which a mount is seen ---- */

/* The parameter that the mounted object, its parent or its prefix is; unknown: none of them is. */
static struct origin parameter_of_mount(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct call_frame *given)
{
	static const enum role given_by[] = { ROLE_BIND, ROLE_OBJECT, ROLE_PREFIX };

	for (size_t i = 0; i < LEN(given_by); i++) {
		if (!has(p, given_by[i]))
			continue;
		struct expression t = { in, p->node[given_by[i]], given };
		struct origin o = origin_of(a, skip_fluent_calls(t));
		if (o.what == ORIGIN_PARAMETER)
			return o;
	}
	return (struct origin){ 0 };
}

/* The calls of the function that has the parameter; how many. */
static size_t calls_with_parameter(
    struct dataflow_context *a, const struct origin *o, struct expression *out, size_t max)
{
	int d;

	if (o->what != ORIGIN_PARAMETER || !a->join)
		return 0;
	d = enclosing_definition(o->at.in, node_start_byte(o->function), true);
	if (d < 0 || !ts_node_eq(definition_function_node(o->at.in, d), o->function))
		return 0;
	return other_files_callers(a->join, o->at.in, d, out, max);
}

/* A call through which the parameter has a value, below those that the view is seen through. */
static const struct call_frame *frame_of_call(struct dataflow_context *a, const struct origin *o,
    struct expression call, const struct call_frame *given)
{
	struct call_frame *g = arena_one(a->a, struct call_frame);

	*g = (struct call_frame){ o->at.in, o->function, call, derived_receiver(a, call), false, NULL };
	return call_frames_within(a->a, given, g);
}

static void add_views(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct call_frame *given, int depth,
    struct mount_view_list *out)
{
	struct expression calls[MAX_MOUNT_VIEWS];
	struct origin o = parameter_of_mount(a, in, p, given);
	size_t n = 0;

	if (depth < CALLS_DEEP)
		n = calls_with_parameter(a, &o, calls, MAX_MOUNT_VIEWS);
	for (size_t i = 0; i < n; i++)
		add_views(a, in, p, frame_of_call(a, &o, calls[i], given), depth + 1, out);
	if (!n && out->n < MAX_MOUNT_VIEWS)
		out->v[out->n++] = (struct mount_view){ .given = given };
}

/* A view for each element of the list for which the function is called, in each call that gives it. */
static void add_element_views(struct dataflow_context *a, struct expression list, TSNode function,
    int depth, struct mount_view_list *out)
{
	struct expression calls[MAX_MOUNT_VIEWS], element[MAX_MOUNTS];
	struct origin o = origin_of(a, list);
	size_t n = 0;

	if (depth < CALLS_DEEP)
		n = calls_with_parameter(a, &o, calls, MAX_MOUNT_VIEWS);
	for (size_t i = 0; i < n; i++) {
		struct expression given = list;
		given.given = frame_of_call(a, &o, calls[i], list.given);
		add_element_views(a, given, function, depth + 1, out);
	}
	if (n || o.what != ORIGIN_NODE)
		return;
	n = elements_of_list(a, list, element, MAX_MOUNTS);
	for (size_t i = 0; i < n && out->n < MAX_MOUNT_VIEWS; i++)
		out->v[out->n++] = (struct mount_view){ list.given, function, element[i] };
}

static void find_views(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, struct mount_view_list *out)
{
	struct url_steps *steps = a->steps;
	bool unknown = a->unknown;
	TSNode function;

	out->n = 0;
	a->budget = BUDGET;
	a->depth = 0;
	if (has_plain_view(a, p)) {
		out->v[out->n++] = (struct mount_view){ 0 };
		return;
	}
	a->unknown = false;
	a->steps = NULL; /* who mounts the object is not part of a path */
	struct expression list = list_of_elements(in, p->node[ROLE_BIND], &function);
	if (ts_node_is_null(list.n))
		list = list_of_loop(in, p->node[ROLE_BIND], &function);
	if (!ts_node_is_null(list.n))
		add_element_views(a, list, function, 0, out);
	bool elements = out->n > 0;
	if (!elements)
		add_views(a, in, p, NULL, 0, out);
	a->steps = steps;
	if (!elements && out->n == 1 && !out->v[0].given)
		remember_plain_view(a, p, a->unknown);
	a->unknown |= unknown;
}

/* The views of a mount, and what the search for them noted; many sites ask for the same. */
struct known_views {
	const struct framework_match *p;
	struct type_ref self;
	int choice, choices, budget;
	bool defaults, objects, unknown, defaulted, own, owned, by_object;
	struct mount_view *v;
	size_t n;
	struct known_views *next;
};

enum { KNOWN_VIEWS = 256 };

static struct known_views **views_place(struct dataflow_context *a, const struct framework_match *p)
{
	uint64_t hash = (uint64_t)(uintptr_t)p + (uint64_t)(uintptr_t)a->self.in +
	    (uint64_t)(unsigned)a->self.type;

	if (!a->views) {
		a->views = arena_many(a->a, KNOWN_VIEWS, struct known_views *);
		memset(a->views, 0, KNOWN_VIEWS * sizeof *a->views);
	}
	return &a->views[hash * 0x9e3779b97f4a7c15u >> 56];
}

static bool are_views_of(
    const struct known_views *k, const struct dataflow_context *a, const struct framework_match *p)
{
	return k->p == p && k->self.in == a->self.in && k->self.type == a->self.type &&
	    k->choice == a->choice && k->defaults == a->defaults && k->objects == a->objects;
}

/* Note in the context what the search noted. */
static void views_note(struct dataflow_context *a, const struct known_views *k)
{
	a->unknown |= k->unknown;
	a->defaulted |= k->defaulted;
	a->own |= k->own;
	a->owned |= k->owned;
	a->by_object |= k->by_object;
	a->choices = MAX(a->choices, k->choices);
	a->budget = k->budget;
	a->depth = 0;
}

/* Whether the search changed nothing else in the context. */
static bool may_be_known(const struct dataflow_context *was, const struct dataflow_context *is)
{
	return same_expression(&was->loop, &is->loop) && same_expression(&was->table, &is->table) &&
	    same_expression(&was->loop_element, &is->loop_element) && was->gap.why == is->gap.why &&
	    was->unmounted == is->unmounted && was->unserved == is->unserved &&
	    was->walks == is->walks && was->decided == is->decided;
}

void framework_mount_views(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, struct mount_view_list *out)
{
	struct dataflow_context was = *a;
	struct known_views **place = views_place(a, p), *k = *place;
	bool plain = ts_node_is_null(a->each) && !a->loop.in;

	while (k && !are_views_of(k, a, p))
		k = k->next;
	if (k && plain) {
		out->n = k->n;
		if (k->n)
			memcpy(out->v, k->v, k->n * sizeof *k->v);
		views_note(a, k);
		return;
	}
	a->unknown = a->placed = a->defaulted = a->own = a->owned = a->by_object = false;
	a->choices = 0;
	find_views(a, in, p, out);
	k = arena_one(a->a, struct known_views);
	*k = (struct known_views){ p, was.self, was.choice, a->choices, a->budget, was.defaults,
		was.objects, a->unknown, a->defaulted, a->own, a->owned, a->by_object,
		arena_many(a->a, out->n, struct mount_view), out->n, *place };
	if (k->n)
		memcpy(k->v, out->v, k->n * sizeof *k->v);
	if (plain && !a->placed && may_be_known(&was, a))
		*place = k;
	a->placed |= was.placed;
	views_note(a,
	    &(struct known_views){ .unknown = was.unknown,
	        .defaulted = was.defaulted,
	        .own = was.own,
	        .owned = was.owned,
	        .by_object = was.by_object,
	        .choices = was.choices,
	        .budget = a->budget });
}
