/* What bindings and definitions hold; what was found for a definition is kept for the next search. */
#include "shard/contracts/urls/value_origin_internal.h"

#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/program/program.h"

enum { MAX_STEPS = 16, MAX_RAW = 160 };

/* ---- bindings ---- */

static bool has_step(const struct url_steps *steps, const char *path, uint32_t line)
{
	for (size_t i = 0; i < steps->n; i++)
		if (steps->v[i].file == path && steps->v[i].line == line)
			return true;
	return false;
}

static void add_step(struct url_steps *steps, const struct step *s)
{
	if (steps->n == MAX_STEPS || has_step(steps, s->file, (uint32_t)s->line))
		return;
	steps->v = grow(steps->v, &steps->cap, steps->n + 1, sizeof *steps->v);
	steps->v[steps->n++] = *s;
}

void url_steps_add(struct url_steps *to, const struct url_steps *steps)
{
	for (size_t i = 0; to && i < steps->n; i++)
		add_step(to, &steps->v[i]);
}

static void note_step(
    struct dataflow_context *a, const struct contract_file *r, const char *name, TSNode value)
{
	uint32_t len = node_len(value), line = node_line(value);
	struct url_steps *steps = a->steps;
	const char *path = NULL;

	if (r->file)
		path = r->file->path;
	if (!steps || steps->n == MAX_STEPS || has_step(steps, path, line))
		return;
	add_step(steps,
	    &(struct step){ .file = path,
	        .line = line,
	        .text = arena_printf(a->a, "%s = %.*s", name, (int)MIN(len, (uint32_t)MAX_RAW),
	            r->t->text + node_start_byte(value)) });
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

/* Whether the binding assigns to the field in a constructor of the field's type. */
static bool is_assigned_by_constructor(
    const struct contract_file *in, const struct binding *b, const struct definition *field)
{
	if (!b->from)
		return false;
	int maker = enclosing_definition(in, node_start_byte(b->value), true);
	if (maker < 0)
		return false;
	const struct definition *d = &in->found->v[maker].def;
	return d->parent == field->parent && !strcmp(d->kind, "constructor") &&
	    strstr(ts_node_type(node_parent(b->value)), "assignment");
}

const struct binding *constructed_binding(
    const struct contract_file *in, const struct definition *field)
{
	const struct binding *found = NULL;

	if (field->parent < 0)
		return NULL;
	for (const struct binding *b = NULL;
	     (b = binding_named(in->t, field->name, strlen(field->name), b));) {
		if (!is_assigned_by_constructor(in, b, field))
			continue;
		if (found)
			return NULL;
		found = b;
	}
	return found;
}

/*
 * The value that a field gets, once, on any object: `c.url = url` in the options of a client's
 * constructor.
 */
static const struct binding *binding_on_object(
    const struct contract_file *in, const struct definition *field)
{
	const struct binding *found = NULL;
	size_t len = strlen(field->name);

	for (size_t i = 0; i < in->t->bindings.n; i++) {
		const struct binding *b = &in->t->bindings.v[i];
		size_t have = strlen(b->name);
		if (have < len + 2 || b->name[have - len - 1] != '.' ||
		    strcmp(b->name + have - len, field->name))
			continue;
		if (found)
			return NULL;
		found = b;
	}
	return found;
}

/* What a field or variable is given: where it is declared, by a method, or by its constructor. */
static const struct binding *field_binding(
    struct dataflow_context *a, const struct contract_file *in, const struct definition *d)
{
	const char *member = arena_printf(a->a, ".%s", d->name);
	const struct binding *b = find_local_binding(
	    in->t, d->name, strlen(d->name), d->start_byte, NULL);

	if (!b)		/* a field that an instance is made with */
		b = find_local_binding(in->t, member, strlen(member), d->start_byte, NULL);
	if (!b)
		b = constructed_binding(in, d);
	if (!b)
		b = binding_on_object(in, d);
	return b;
}

/* The value that literals of its type give a field; unknown: there is none. */
static struct origin origin_constructed(
    struct dataflow_context *a, struct contract_file *in, int index)
{
	const char *name = in->found->v[index].def.name;
	struct expression made = constructed_field(a, in, index);

	if (ts_node_is_null(made.n))
		return origin_unknown;
	note_step(a, made.in, name, made.n);
	struct origin o = origin_follow(a, made, name);
	if (!o.what) /* a constant of a library */
		o = origin_at_node(made.in, made.n, made.given, name);
	return o;
}

/* The value of a constant that a call defines, define("API", "/api"); or a null node. */
static TSNode value_of_defining_call(const struct contract_file *in, int index)
{
	TSNode n = definition_node(in, index), argument[2];
	const struct expr_rule *x = rules_expr(in->t, n);

	if (x && x->op == EXPR_CALL && call_arguments(in->t, n, argument, 2) == 2)
		return argument[1];
	return (TSNode){ 0 };
}

static struct origin find_at_definition(
    struct dataflow_context *a, struct contract_file *in, int index)
{
	const struct definition *d = &in->found->v[index].def;
	enum kind k = kind_of(d->kind);
	const struct binding *b = NULL;

	if (!kind_is_callable(k) && !kind_is_type(k))
		b = find_local_binding(in->t, d->name, strlen(d->name), d->start_byte, d);
	if (!b) {
		struct origin o = origin_constructed(a, in, index);
		if (o.what)
			return o;
	}
	if (!b && kind_holds_value(k))
		b = field_binding(a, in, d);
	if (b)
		return origin_at_binding(a, in, b, NULL);
	if (k == KIND_constant && !ts_node_is_null(value_of_defining_call(in, index)))
		return origin_follow(
		    a, (struct expression){ in, value_of_defining_call(in, index), NULL }, d->name);
	return (struct origin){
		.what = ORIGIN_DEFINITION, .at = { .in = in }, .definition = index, .name = d->name
	};
}

/* The origin of a definition, and what the search for it noted; many callers lead to the same. */
struct known_origin {
	struct contract_file *in;
	int index;
	struct dataflow_context was, is;
	struct url_steps steps;
	struct origin o;
	struct known_origin *next;
};

enum { KNOWN_BITS = 8, WORTH_KNOWING = 4 };

static struct known_origin **known_place(
    struct dataflow_context *a, const struct contract_file *in, int index)
{
	uint64_t hash = (uint64_t)(uintptr_t)in + (uint64_t)(unsigned)index + (uint64_t)a->depth;

	if (!a->known) {
		a->known = arena_many(a->a, 1 << KNOWN_BITS, struct known_origin *);
		memset(a->known, 0, sizeof *a->known << KNOWN_BITS);
	}
	return &a->known[hash * 0x9e3779b97f4a7c15u >> (64 - KNOWN_BITS)];
}

/* Whether a search in this context would have the same outcome. */
static bool is_known(const struct known_origin *k, const struct dataflow_context *a,
    const struct contract_file *in, int index)
{
	const struct dataflow_context *w = &k->was;

	return k->in == in && k->index == index && w->depth == a->depth && w->choice == a->choice &&
	    w->objects == a->objects && w->defaults == a->defaults && w->deciding == a->deciding &&
	    w->self.in == a->self.in &&
	    w->self.type == a->self.type && w->budget - k->is.budget < a->budget &&
	    w->agreement_depth == a->agreement_depth && w->walks == a->walks && !w->steps == !a->steps;
}

/* Whether the search neither depended on other parts of the context nor changed them. */
static bool is_plain(const struct dataflow_context *was, const struct dataflow_context *is)
{
	return !was->loop.in && !is->loop.in && ts_node_is_null(was->each) &&
	    was->table.n.id == is->table.n.id && was->unmounted == is->unmounted &&
	    was->unserved == is->unserved && was->walks == is->walks && !is->placed && is->budget > 0 &&
	    was->budget - is->budget >= WORTH_KNOWING;
}

/* Note what a search noted. */
static void note_known(struct dataflow_context *a, const struct known_origin *k)
{
	a->budget -= k->was.budget - k->is.budget;
	dataflow_note(a, &k->is);
	if (!a->gap.why)
		a->gap = k->is.gap;
	url_steps_add(a->steps, &k->steps);
}

static void remember(struct arena *a, struct known_origin **place, const struct known_origin *made)
{
	struct known_origin *k = arena_one(a, struct known_origin);

	*k = *made;
	k->steps.v = arena_many(a, made->steps.n, struct step);
	if (made->steps.n)
		memcpy(k->steps.v, made->steps.v, made->steps.n * sizeof *made->steps.v);
	k->next = *place;
	*place = k;
}

struct origin origin_at_definition(struct dataflow_context *a, struct contract_file *in, int index)
{
	struct known_origin **place = known_place(a, in, index), *k = *place;
	struct dataflow_context was = *a;

	while (k && !is_known(k, a, in, index))
		k = k->next;
	if (k && !a->loop.in && ts_node_is_null(a->each)) {
		note_known(a, k);
		return k->o;
	}
	struct known_origin made = { .in = in, .index = index, .was = was };
	k = &made;
	a->unknown = a->placed = a->defaulted = a->decided = false;
	a->own = a->owned = a->by_object = false;
	a->choices = 0;
	a->gap = (struct value_gap){ 0 };
	if (was.steps)
		a->steps = &k->steps;
	k->o = find_at_definition(a, in, index);
	k->is = *a;
	if (is_plain(&was, a))
		remember(a->a, place, k);
	a->unknown = was.unknown;
	a->placed = was.placed;
	a->defaulted = was.defaulted;
	a->decided = was.decided;
	a->own = was.own;
	a->owned = was.owned;
	a->by_object = was.by_object;
	a->choices = was.choices;
	a->budget = was.budget;
	a->steps = was.steps;
	a->gap = was.gap;
	note_known(a, k);
	free(made.steps.v);
	return k->o;
}
