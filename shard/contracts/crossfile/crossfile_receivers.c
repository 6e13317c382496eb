/* Whose method a call on an object may be, judged by the object's type. */
#include "shard/contracts/crossfile/crossfile_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/syntax/node_rules.h"

enum { BUDGET = 400 };

/* The type of the object that a call is of; in: NULL: it is not known. */
static struct type_ref receiver_type(struct dataflow_context *a, struct expression call)
{
	struct type_ref around = { call.in, enclosing_type_index(call.in, call.n) };

	if (!derived_own_call(call))
		return derived_receiver(a, call);
	if (around.type < 0)
		return (struct type_ref){ 0 };
	return around;
}

/* Whether the call is of a method of the base: super.get(), super().get(). */
static bool is_of_base(struct expression call)
{
	const struct syntax_tree *t = call.in->t;
	TSNode object = call_object(t, call.n);

	return !ts_node_is_null(object) &&
	    word_set_has(&t->rules->super, t->text + node_start_byte(object), node_len(object));
}

/* Whether calls of the type's methods are never of a type that is derived from it: it is embedded. */
static bool is_embedded(const struct definition *type)
{
	return kind_of(type->kind) == KIND_struct;
}

/* The type that a method is of, by index; -1: it is not in the file. */
static int owner_of(const struct contract_file *in, int definition)
{
	const struct definition *d = &in->found->v[definition].def;

	for (size_t i = 0; d->parent < 0 && i < in->found->n; i++)
		if (kind_is_type(kind_of(in->found->v[i].def.kind)) &&
		    derived_is_outside_member(in, d, (int)i))
			return (int)i;
	return d->parent;
}

bool crossfile_call_may_reach(struct crossfile *j, struct expression call,
    const struct contract_file *above, int overridden, const struct contract_file *of,
    int definition)
{
	struct dataflow_context a = { .join = j, .a = j->look.a, .budget = BUDGET, .home = call.in };
	struct type_ref own = { (struct contract_file *)of, owner_of(of, definition) };
	int owner = owner_of(above, overridden);

	if (own.type < 0 || owner < 0)
		return true;
	const struct definition *base = &above->found->v[owner].def;
	if (kind_of(base->kind) == KIND_interface || kind_of(base->kind) == KIND_trait)
		return true;
	if (is_embedded(base)) /* the resolver finds the outer type's method if it is called */
		return false;
	struct type_ref type = receiver_type(&a, call);
	if (type.in && is_of_base(call))
		return (type.in != own.in || type.type != own.type) && derived_is(&a, type, own);
	return !type.in || derived_is(&a, type, own) || derived_is(&a, own, type);
}
