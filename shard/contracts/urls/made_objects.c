/* The expressions that make the objects of a type, and the one that made the object at hand. */
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/value_origin_internal.h"

#include <stdlib.h>

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
