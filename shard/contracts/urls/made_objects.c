/* The expressions that make the objects of a type, and the one that made the object at hand. */
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/value_origin_internal.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/die.h"

/* Whether the function is the constructor of a type, or none: the type has no own one. */
static bool may_construct(const struct contract_file *in, TSNode function)
{
	if (ts_node_is_null(function))
		return true;
	int d = enclosing_definition(in, node_start_byte(function), true);
	return d >= 0 && !strcmp(in->found->v[d].def.kind, "constructor");
}

static bool makes(struct dataflow_context *a, struct expression made, struct type_ref of)
{
	const struct expr_rule *x = rules_expr(made.in->t, made.n);
	struct contract_file *in = NULL;

	if (!x || (x->op != EXPR_NEW && x->op != EXPR_CALL))
		return false;
	return instantiated_type(a, made, &in) == of.type && in == of.in;
}

const struct call_frame *frame_of_maker(struct dataflow_context *a, const struct call_frame *given)
{
	for (const struct call_frame *g = given; g; g = g->call.given)
		if (g->self.in && g->call.in && !ts_node_is_null(g->call.n) &&
		    may_construct(g->in, g->function) && makes(a, g->call, g->self))
			return g;
	return NULL;
}

/* The constructor of a type, else the type itself, by index. */
static int maker_of(struct type_ref of)
{
	for (size_t i = 0; i < of.in->found->n; i++) {
		const struct definition *d = &of.in->found->v[i].def;
		if (d->parent == of.type && !strcmp(d->kind, "constructor"))
			return (int)i;
	}
	return of.type;
}

size_t objects_of_type(
    struct dataflow_context *a, struct type_ref of, struct expression *out, size_t max)
{
	struct expression *calls = xmalloc(max * sizeof *calls);
	size_t n = 0, count = other_files_callers(a->join, of.in, maker_of(of), calls, max);

	for (size_t i = 0; i < count; i++)
		if (makes(a, calls[i], of))
			out[n++] = calls[i];
	free(calls);
	return n;
}

/* ---- objects that make others and pass themselves ---- */

enum { MOST_PASSING = 12, MOST_DERIVED = 12 };

/* Whether a name is a word for the object that the code belongs to. */
static bool is_self(struct expression t)
{
	return word_set_has(&t.in->t->rules->self, t.in->t->text + node_start_byte(t.n), node_len(t.n));
}

/*
 * The first `this` that calls which make objects of the type pass for the parameter, if all are of
 * one type; false: there are several.
 */
static bool find_passed_self(struct dataflow_context *a, const struct origin *parameter,
    struct type_ref of, struct expression *found)
{
	struct expression made[MOST_PASSING];
	size_t n = objects_of_type(a, of, made, MOST_PASSING);

	for (size_t i = 0; i < n; i++) {
		struct call_frame g = {
			.in = parameter->at.in, .function = parameter->function, .call = made[i]
		};
		struct expression t = parameter_argument(a, &g, parameter->name, strlen(parameter->name));
		if (ts_node_is_null(t.n) || !is_self(t))
			continue;
		if (found->in &&
		    (found->in != t.in ||
		        enclosing_type_index(t.in, t.n) != enclosing_type_index(found->in, found->n)))
			return false;
		if (!found->in)
			*found = (struct expression){ t.in, t.n, NULL };
	}
	return true;
}

struct expression passed_self(struct dataflow_context *a, const struct origin *parameter)
{
	struct expression found = { 0 }, none = { 0 };
	struct type_ref below[MOST_DERIVED];
	int d = enclosing_definition(parameter->at.in, node_start_byte(parameter->function), true);

	if (!a->join || d < 0 || !parameter->name ||
	    strcmp(parameter->at.in->found->v[d].def.kind, "constructor"))
		return none;
	struct type_ref of = { parameter->at.in, parameter->at.in->found->v[d].def.parent };
	if (of.type < 0 || !find_passed_self(a, parameter, of, &found))
		return none;
	size_t n = other_files_derived_types(a->join, of.in, of.type, below, MOST_DERIVED);
	for (size_t i = 0; i < n; i++)
		if (!find_passed_self(a, parameter, below[i], &found))
			return none;
	return found;
}
