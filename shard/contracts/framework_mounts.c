#include "shard/contracts/framework_objects.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/*
 * Where objects of frameworks are mounted, and the prefixes that they have there.  A mount in a
 * function whose parameters are the parent, the prefix or the child is one mount for each call.
 */

enum { BUDGET = 4000, DEEPEST = 8, MAX_MOUNTS = 16, MAX_WALKS = 40, KNOWN_PREFIXES = 256 };

/* The objects that a walk came from, so that it ends in a cycle. */
struct visited_object {
	const struct framework_object *x;
	const struct visited_object *from;
	int depth;
};

static void walk(struct dataflow_context *, const struct framework *,
    const struct framework_object *, const struct visited_object *, struct prefixes *out);

/* The function that has the object, known by its name, as a parameter; or a null node. */
static TSNode function_of_object_parameter(const struct framework_object *x)
{
	return function_of_parameter(x->in, x->node, x->name, strlen(x->name));
}

static bool same_object(const struct framework_object *a, const struct framework_object *b)
{
	if (!framework_object_is(a, b))
		return false;
	if (a->at)
		return true;
	return !strcmp(a->name, b->name) &&
	    ts_node_eq(function_of_object_parameter(a), function_of_object_parameter(b));
}

static bool already_visited(const struct visited_object *t, const struct framework_object *x)
{
	for (; t; t = t->from)
		if (same_object(t->x, x))
			return true;
	return false;
}

/* Drop the empty prefix, which an object without a mount has, if another object has one. */
static void drop_empty(struct prefixes *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n; i++)
		if (*p->v[i])
			p->v[kept++] = p->v[i];
	if (kept)
		p->n = kept;
}

/*
 * The prefixes that a mount gives: each prefix of its parent, then its own, then `own`, the one
 * that the child was created with.
 */
static void link_prefixes(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p, const struct call_frame *given,
    const char *own, const struct visited_object *trail, struct prefixes *out)
{
	struct prefixes above = { 0 };
	struct framework_object_list parents = { 0 };
	const char *prefix = "";

	if (prefixed(p))
		prefix = framework_match_prefix(a, in, p, given);
	if (has(p, ROLE_OBJECT))
		framework_objects_of(a, (struct expression){ in, p->node[ROLE_OBJECT], given }, &parents);
	if (p->module && *p->module == '<')	/* a file that a file includes is below that */
		framework_object_add(&parents,
		    (struct framework_object){ .in = in, .name = p->module, .node = in->t->root });
	for (size_t i = 0; i < parents.n; i++)
		if (!already_visited(trail, &parents.v[i]))
			walk(a, fw, &parents.v[i], trail, &above);
	drop_empty(&above);
	if (!above.n)
		prefixes_add(&above, "");
	if (has(p, ROLE_BIND))
		scopes_around(a, in, framework_matches_in_file(in, fw), p, &above);
	if (p->replaces)
		own = "";
	for (size_t i = 0; i < above.n; i++)
		prefixes_add(out, path_join(a->a, path_join(a->a, above.v[i], prefix), own));
}

/* Whether the match gives the prefix that an object is created with: one without a parent. */
static bool gives_creation_prefix(const struct framework_match *p)
{
	if (!prefixed(p) || p->global)
		return false;
	return !has(p, ROLE_SITE) && !has(p, ROLE_SCOPE) && !has(p, ROLE_OBJECT);
}

/*
 * The prefix that an object was created with, or given later if that is none; NULL: it has none.
 */
static const char *creation_prefix(
    struct dataflow_context *a, struct framework_matches *s, const struct framework_object *x)
{
	const char *prefix = NULL;

	for (size_t i = 0; s && i < s->n && !(prefix && *prefix); i++) {
		const struct framework_match *p = &s->v[i];
		if (gives_creation_prefix(p) && match_concerns_object(a, x->in, p, x))
			prefix = framework_match_prefix(a, x->in, p, x->given);
	}
	return prefix;
}

void framework_objects_in_view(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct mount_view *view,
    struct framework_object_list *out)
{
	a->each = view->each;
	a->element = view->element;
	framework_objects_bound_by(a, in, p, view->given, out);
	a->each = (TSNode){ 0 };
	a->element = (struct expression){ 0 };
}

/* The prefixes of a mount where the mounted object is this one; whether it is anywhere. */
static bool mount_prefixes_in_views(struct dataflow_context *a, const struct framework *fw,
    struct contract_file *in, const struct framework_match *p, const char *own,
    const struct visited_object *trail, struct prefixes *out)
{
	struct mount_view_list *views = xmalloc(sizeof *views);
	bool found = false;

	framework_mount_views(a, in, p, views);
	for (size_t i = 0; i < views->n; i++) {
		struct framework_object_list of = { 0 };
		const struct mount_view *view = &views->v[i];
		framework_objects_in_view(a, in, p, view, &of);
		if (!framework_objects_contain(a, &of, trail->x))
			continue;
		found = true;
		a->each = view->each;
		a->element = view->element;
		link_prefixes(a, fw, in, p, view->given, own, trail, out);
		a->each = (TSNode){ 0 };
		a->element = (struct expression){ 0 };
	}
	bool several = views->n > 1;
	free(views);
	return found || several;
}

/* Whether the match mounts one object on another. */
static bool is_mount(const struct framework_match *p)
{
	if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE) || !has(p, ROLE_OBJECT))
		return false;
	return has(p, ROLE_BIND) || has(p, ROLE_INSTANCE);
}

/* Whether a match mounts the same field of other objects of the type only. */
static bool mounts_another(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct framework_object *x)
{
	struct framework_object_list of = { 0 };
	bool another = false;

	if (!x->maker.in)
		return false;
	framework_objects_bound_by(a, in, p, NULL, &of);
	for (size_t i = 0; i < of.n; i++) {
		if (of.v[i].in != x->in || of.v[i].at != x->at)
			continue;
		if (!made_apart(&of.v[i], x))
			return false;
		another = true;
	}
	return another;
}

/* The prefixes of mounts in other files. */
static void mount_prefixes(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, const char *own, const struct visited_object *trail,
    struct prefixes *out)
{
	struct object_mount m[MAX_MOUNTS];
	size_t n = 0;

	if (a->join)
		n = other_files_mounts(a->join, x, fw, m, MAX_MOUNTS);
	for (size_t i = 0; i < n; i++) {
		struct framework_matches *there = framework_matches_in_file(m[i].in, fw);
		for (size_t k = 0; there && k < there->n; k++) {
			const struct framework_match *p = &there->v[k];
			if (has(p, ROLE_SITE) || !has(p, ROLE_BIND) || !has(p, ROLE_OBJECT))
				continue;
			if (node_start_byte(p->node[ROLE_BIND]) != m[i].at)
				continue;
			if (!mount_prefixes_in_views(a, fw, m[i].in, p, own, trail, out) &&
			    !mounts_another(a, m[i].in, p, x))
				link_prefixes(a, fw, m[i].in, p, NULL, own, trail, out);
		}
	}
}

/*
 * Whether the match binds no parameter, or one that stands for the object, of a function that the
 * repository uses without giving it a known one.  A function that nothing calls is for others.
 */
static bool is_not_given(
    struct dataflow_context *a, const struct framework_match *p, const struct framework_object *x)
{
	TSNode bind = p->node[ROLE_BIND];
	struct expression call;

	if (ts_node_is_null(bind) || !x->at)
		return true;
	const char *name = x->in->t->text + node_start_byte(bind);
	TSNode function = function_of_parameter(x->in, bind, name, node_len(bind));
	if (ts_node_is_null(function))
		return true;
	int d = enclosing_definition(x->in, node_start_byte(function), true);
	if (d < 0 || x->at != node_start_byte(function) + 1)
		return false;
	return !strcmp(x->in->found->v[d].def.kind, "method") ||
	    other_files_callers(a->join, x->in, d, &call, 1);
}

/* Note that the object answers only where another one mounts it: a router, not an application. */
static void note_unmounted(
    struct dataflow_context *a, const struct framework_matches *s, const struct framework_object *x)
{
	for (size_t i = 0; a->join && s && i < s->n && !a->unserved; i++) {
		if (!s->v[i].mounted || !is_not_given(a, &s->v[i], x) ||
		    !match_concerns_object(a, x->in, &s->v[i], x))
			continue;
		a->unmounted = true;
		a->unserved = *s->v[i].mounted != '\0';
	}
}

static void walk(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, const struct visited_object *from, struct prefixes *out)
{
	struct visited_object trail = { x, from, 0 };
	size_t before = out->n;

	if (from)
		trail.depth = from->depth + 1;
	if (trail.depth > DEEPEST || --a->walks <= 0) {
		prefixes_add(out, "");
		return;
	}
	struct framework_matches *s = framework_matches_in_file(x->in, fw);
	const char *own = apply_interceptors(a, fw, x, creation_prefix(a, s, x));
	if (!own)
		own = "";
	for (size_t i = 0; s && i < s->n; i++) {
		const struct framework_match *p = &s->v[i];
		if (!is_mount(p))
			continue;
		bool seen = x->at && has(p, ROLE_BIND) &&
		    mount_prefixes_in_views(a, fw, x->in, p, own, &trail, out);
		if (!seen && match_concerns_object(a, x->in, p, x))
			link_prefixes(a, fw, x->in, p, NULL, own, &trail, out);
	}
	mount_prefixes(a, fw, x, own, &trail, out);
	if (out->n > before)
		return;
	prefixes_add(out, own);
	note_unmounted(a, s, x);
}

/*
 * The prefixes of an object, and what the search for them noted; all sites of an object, and all
 * views of a site, ask for the same.
 */
struct known_prefixes {
	const struct framework *fw;
	struct framework_object x;
	struct dataflow_context was, is;
	struct prefixes found;
	struct url_steps steps;
	struct known_prefixes *next;
};

static struct known_prefixes **prefixes_place(
    struct dataflow_context *a, const struct framework_object *x)
{
	uint64_t hash = (uint64_t)(uintptr_t)x->in + x->at + (uint64_t)(uintptr_t)a->self.in +
	    (uint64_t)(unsigned)a->self.type;

	if (!a->prefixes) {
		a->prefixes = arena_many(a->a, KNOWN_PREFIXES, struct known_prefixes *);
		memset(a->prefixes, 0, KNOWN_PREFIXES * sizeof *a->prefixes);
	}
	return &a->prefixes[hash * 0x9e3779b97f4a7c15u >> 56];
}

/* Whether the prefixes of the object would be the same, asked in this context. */
static bool are_prefixes_of(const struct known_prefixes *k, const struct dataflow_context *a,
    const struct framework *fw, const struct framework_object *x)
{
	const struct dataflow_context *w = &k->was;

	if (k->fw != fw || !framework_object_is(&k->x, x) || k->x.node.id != x->node.id ||
	    !k->x.maker.in != !x->maker.in)
		return false;
	if (!x->at && strcmp(k->x.name, x->name))
		return false;
	return w->self.in == a->self.in && w->self.type == a->self.type && w->home == a->home &&
	    w->choice == a->choice && w->defaults == a->defaults && w->deciding == a->deciding &&
	    w->agreement_depth == a->agreement_depth && !w->steps == !a->steps;
}

/* Note in the context what the search noted, and add what it found. */
static void prefixes_note(
    struct dataflow_context *a, const struct known_prefixes *k, struct prefixes *out)
{
	dataflow_note(a, &k->is);
	a->placed_by_call |= k->is.placed_by_call;
	a->unmounted |= k->is.unmounted;
	a->unserved |= k->is.unserved;
	a->budget = k->is.budget;
	url_steps_add(a->steps, &k->steps);
	for (size_t i = 0; i < k->found.n; i++)
		prefixes_add(out, k->found.v[i]);
}

/* Search in a context that has noted nothing, which is then as it was. */
static void prefixes_find(struct dataflow_context *a, struct known_prefixes *k)
{
	a->unknown = a->placed = a->placed_by_call = a->unmounted = a->unserved = false;
	a->defaulted = a->decided = a->own = a->owned = a->by_object = false;
	a->choices = 0;
	if (a->steps)
		a->steps = &k->steps;
	a->walks = MAX_WALKS;
	walk(a, k->fw, &k->x, NULL, &k->found);
	k->is = *a;
	*a = k->was;
	a->remembered = k->is.remembered;
	a->views = k->is.views;
	a->known = k->is.known;
	a->loop = k->is.loop;
	a->loop_element = k->is.loop_element;
	a->table = k->is.table;
	a->gap = k->is.gap;
}

void framework_object_prefixes(struct dataflow_context *a, const struct framework *fw,
    const struct framework_object *x, struct prefixes *out)
{
	struct known_prefixes **place = prefixes_place(a, x), *k = *place;
	bool plain = ts_node_is_null(a->each) && !a->loop.in;

	while (k && !are_prefixes_of(k, a, fw, x))
		k = k->next;
	if (k && plain) {
		prefixes_note(a, k, out);
		return;
	}
	k = arena_one(a->a, struct known_prefixes);
	*k = (struct known_prefixes){ .fw = fw, .x = *x, .was = *a, .next = *place };
	prefixes_find(a, k);
	prefixes_note(a, k, out);
	struct step *steps = k->steps.v;
	k->steps.v = arena_many(a->a, k->steps.n, struct step);
	if (k->steps.n)
		memcpy(k->steps.v, steps, k->steps.n * sizeof *steps);
	free(steps);
	bool same_table = same_expression(&k->was.table, &k->is.table);
	if (plain && same_table && !k->is.loop.in && !k->is.placed_by_call)
		*place = k;
}
