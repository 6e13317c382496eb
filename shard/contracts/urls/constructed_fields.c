/*
 * Fields whose values stand in literals of their type: `&service[Order]{path: "orders"}`,
 * `Orders{Base{"/orders"}}`, `Order { path }`.
 */
#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/value_origin_internal.h"

enum { MOST_LITERALS = 32 };

/* Which of the fields of its type the definition is, from 0. */
static size_t position_of_field(const struct contract_file *in, int definition)
{
	const struct definition *field = &in->found->v[definition].def;
	size_t n = 0;

	for (int i = 0; i < definition; i++) {
		const struct definition *d = &in->found->v[i].def;
		n += d->parent == field->parent && kind_of(d->kind) == KIND_field;
	}
	return n;
}

struct expression literal_member_at(struct expression object, size_t position)
{
	TSNode body = node_field(object.n, "body"), none = { 0 };

	if (!node_type_is(object.n, "composite_literal") || ts_node_is_null(body))
		return (struct expression){ object.in, none, NULL };
	TSNode n = ts_node_named_child(body, (uint32_t)position);
	if (ts_node_is_null(n) || !node_type_is(n, "literal_element"))
		return (struct expression){ object.in, none, NULL };
	return (struct expression){ object.in, ts_node_named_child(n, 0), object.given };
}

/* The value of the field in one literal, or a null node. */
static struct expression value_in(
    struct dataflow_context *a, struct expression literal, const char *name, size_t position)
{
	struct expression none = { 0 };

	if (!literal_is_object(literal.n))
		return none;
	struct expression m = literal_member(a, literal, name);
	if (ts_node_is_null(m.n))
		m = literal_member_at(literal, position);
	return m;
}

struct expression constructed_field(
    struct dataflow_context *a, struct contract_file *in, int definition)
{
	const struct definition *d = &in->found->v[definition].def;
	struct expression made[MOST_LITERALS], value[MOST_LITERALS], none = { 0 };
	size_t count = 0;

	if (d->parent < 0 || kind_of(d->kind) != KIND_field)
		return none;
	a->unknown = true;
	size_t n = other_files_callers(a->join, in, d->parent, made, MOST_LITERALS);
	size_t position = position_of_field(in, definition);
	for (size_t i = 0; i < n; i++) {
		struct expression m = value_in(a, made[i], d->name, position);
		if (!ts_node_is_null(m.n))
			value[count++] = m;
	}
	if (!count)
		return none;
	if (count > 1)
		a->choices = MAX(a->choices, (int)count);
	return value[MIN((size_t)a->choice, count - 1)];
}
