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
size_t position_of_field(const struct contract_file *in, int definition)
{
	const struct definition *field = &in->found->v[definition].def;
	size_t n = 0;

	for (int i = field->parent; i < definition; i++) {
		const struct definition *d = &in->found->v[i].def;
		n += d->parent == field->parent && kind_of(d->kind) == KIND_field;
	}
	return n;
}

/* The type of the elements of a slice, array or map; or the node itself. */
static TSNode element_type(TSNode type)
{
	TSNode element = node_field(type, "element");

	if (ts_node_is_null(element))
		element = node_field(type, "value");
	if (ts_node_is_null(element))
		return type;
	return element;
}

/* The node of the type of a literal, which elements of a list leave out: `[]T{{…}, {…}}`. */
static TSNode literal_type(TSNode n)
{
	TSNode type = node_field(n, "type");
	bool element = false;

	for (int depth = 0; depth < 4 && ts_node_is_null(type); depth++) {
		n = node_parent(n);
		if (ts_node_is_null(n))
			return n;
		element = true;
		type = node_field(n, "type");
	}
	if (element && !ts_node_is_null(type))
		type = element_type(type);
	if (!ts_node_is_null(type) && node_type_is(type, "pointer_type"))
		type = ts_node_named_child(type, 0);
	return type;
}

/* The number of the field in a type that is written where it is used; -1: it has none. */
static int position_in_struct(const struct syntax_tree *t, TSNode type, const char *name)
{
	TSNode list = ts_node_named_child(type, 0);
	uint32_t count = 0;
	int n = 0;

	if (!ts_node_is_null(list))
		count = ts_node_named_child_count(list);
	for (uint32_t i = 0; i < count; i++) {
		TSNode field = ts_node_named_child(list, i);
		for (uint32_t k = 0; k < ts_node_named_child_count(field); k++) {
			TSNode own = ts_node_named_child(field, k);
			if (!node_type_is(own, "field_identifier"))
				continue;
			if (node_is(t, own, name))
				return n;
			n++;
		}
	}
	return -1;
}

/* The number of the field in a type that has a definition; -1: it has none. */
static int position_in_type(
    struct dataflow_context *a, struct expression literal, TSNode type, const char *name)
{
	struct contract_file *in = literal.in;
	int d = named_type(a, (struct expression){ literal.in, type, NULL }, &in);

	for (size_t i = 0; d >= 0 && i < in->found->n; i++)
		if (in->found->v[i].def.parent == d && !strcmp(in->found->v[i].def.name, name))
			return (int)position_of_field(in, (int)i);
	return -1;
}

struct expression positional_member(
    struct dataflow_context *a, struct expression literal, const char *name)
{
	struct expression none = { 0 };
	TSNode type;
	int at;

	if (!node_type_is(literal.n, "composite_literal") && !node_type_is(literal.n, "literal_value"))
		return none;
	type = literal_type(literal.n);
	if (ts_node_is_null(type))
		return none;
	if (node_type_is(type, "struct_type"))
		at = position_in_struct(literal.in->t, type, name);
	else
		at = position_in_type(a, literal, type, name);
	if (at < 0)
		return none;
	return literal_member_at(literal, (size_t)at);
}

struct expression literal_member_at(struct expression object, size_t position)
{
	TSNode body = object.n;

	if (node_type_is(body, "composite_literal"))
		body = node_field(body, "body");
	if (ts_node_is_null(body) || !node_type_is(body, "literal_value"))
		return (struct expression){ 0 };
	TSNode n = ts_node_named_child(body, (uint32_t)position);
	if (ts_node_is_null(n) || !node_type_is(n, "literal_element"))
		return (struct expression){ 0 };
	return (struct expression){ object.in, ts_node_named_child(n, 0), object.given };
}

/* The value of the field in one literal, or a null node. */
static struct expression value_in(
    struct dataflow_context *a, struct expression literal, struct contract_file *in, int field)
{
	struct expression none = { 0 };

	if (!node_type_is(literal.n, "composite_literal"))
		return none;
	struct expression m = literal_member(a, literal, in->found->v[field].def.name);
	if (ts_node_is_null(m.n) && !ts_node_is_null(literal_member_at(literal, 0).n))
		m = literal_member_at(literal, position_of_field(in, field));
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
	for (size_t i = 0; i < n; i++) {
		struct expression m = value_in(a, made[i], in, definition);
		if (!ts_node_is_null(m.n))
			value[count++] = m;
	}
	if (!count)
		return none;
	if (count > 1)
		a->choices = MAX(a->choices, (int)count);
	return value[MIN((size_t)a->choice, count - 1)];
}
