#include "shard/definitions/references_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "shard/syntax/tree_nodes.h"

struct references *references_new(void)
{
	struct references *r = xcalloc(1, sizeof *r);

	r->scopes = scopes_new();
	return r;
}

void references_free(struct references *r)
{
	if (!r)
		return;
	scopes_free(r->scopes);
	free(r->modes.v);
	free(r->pending.v);
	free(r->open.v);
	free(r->imports.v);
	free(r->found.v);
	free(r->bases.v);
	free(r->locals.v);
	free(r);
}

void references_begin(struct references *r, struct syntax_tree *t)
{
	r->t = t;
	scopes_reset(r->scopes, t->arena);
	r->modes.n = r->pending.n = r->open.n = 0;
	r->imports.n = r->found.n = r->bases.n = r->locals.n = 0;
	r->package = NULL;
}

void references_claim_below(struct references *r, uint32_t depth, enum claim claim)
{
	if (r->modes.n && r->modes.v[r->modes.n - 1].depth == depth) {
		r->modes.v[r->modes.n - 1].claim = claim;
		return;
	}
	r->modes.v = grow(r->modes.v, &r->modes.cap, r->modes.n + 1, sizeof *r->modes.v);
	r->modes.v[r->modes.n].depth = depth;
	r->modes.v[r->modes.n++].claim = claim;
}

void references_enter_node(struct references *r, TSNode n, uint32_t depth)
{
	uint32_t from = node_start_byte(n);

	while (r->modes.n && r->modes.v[r->modes.n - 1].depth >= depth)
		r->modes.n--;
	scopes_close(r->scopes, depth);
	if (r->open.n && r->open.v[r->open.n - 1].depth >= depth)
		imports_close(r, depth);
	if (r->modes.n)
		r->claim = r->modes.v[r->modes.n - 1].claim;
	else
		r->claim = CLAIM_VALUE;
	while (r->pending.n && r->pending.v[r->pending.n - 1].to <= from &&
	    r->pending.v[r->pending.n - 1].id != n.id)
		r->pending.n--;
	r->returning = false;
	if (r->pending.n && r->pending.v[r->pending.n - 1].id == n.id) {
		if (r->pending.v[r->pending.n - 1].claim == CLAIM_RETURN) {
			r->returning = true;
		} else if (r->claim != CLAIM_NONE) {
			r->claim = r->pending.v[r->pending.n - 1].claim;
			references_claim_below(r, depth, r->claim == CLAIM_REPORTED ? CLAIM_VALUE : r->claim);
		}
		r->pending.n--;
	}
	r->claims_from = r->pending.n;
}

/* Claims are taken in order of place: the first that the walk comes to is the last of the stack. */
void references_claim(struct references *r, TSNode n, enum claim claim)
{
	size_t at;

	if (ts_node_is_null(n))
		return;
	r->pending.v = grow(r->pending.v, &r->pending.cap, r->pending.n + 1, sizeof *r->pending.v);
	for (at = r->pending.n; at > r->claims_from && r->pending.v[at - 1].from <= node_start_byte(n);
	     at--) {
		if (r->pending.v[at - 1].id == n.id)
			return;
	}
	memmove(&r->pending.v[at + 1], &r->pending.v[at], (r->pending.n - at) * sizeof *r->pending.v);
	r->pending.v[at].id = n.id;
	r->pending.v[at].from = node_start_byte(n);
	r->pending.v[at].to = node_end_byte(n);
	r->pending.v[at].claim = claim;
	r->pending.n++;
}

void references_open_scope(struct references *r, uint32_t depth)
{
	scopes_open(r->scopes, depth);
}

const char *references_intern(struct references *r, const struct normal_form *f)
{
	return scopes_name(r->scopes, f->p, f->n)->text;
}

enum local_visibility references_local_visibility(struct references *r, const struct normal_form *f)
{
	return scopes_name(r->scopes, f->p, strcspn(f->p, ".([!<"))->visible;
}

const char *references_normal_value(struct references *r, TSNode n, bool elsewhere)
{
	struct normal_form f;
	enum local_visibility v;

	if (ts_node_is_null(n) || !expression_normalize(r->t, n, &f))
		return NULL;
	v = references_local_visibility(r, &f);
	if (v == LOCAL_UNKNOWN || (v && elsewhere))
		return NULL;
	return references_intern(r, &f);
}

const char *references_normal_type(struct references *r, TSNode n)
{
	struct normal_form f;

	if (ts_node_is_null(n) || !type_normalize(r->t, n, &f))
		return NULL;
	return references_intern(r, &f);
}

/*
 * Whether the walk has told it: values and types are told once in a definition; members of
 * anything but the object itself may differ.
 */
static bool already_recorded(struct references *r, enum reference_kind kind,
    const struct normal_form *name, const struct normal_form *receiver, int definition)
{
	struct normal_form whole = *name;
	struct interned_name *e;

	if (kind != REF_VALUE && kind != REF_TYPE)
		return false;
	if (receiver->n && kind == REF_VALUE && strcmp(receiver->p, "self"))
		return false;
	if (receiver->n && receiver->n + name->n + 2 < NORMAL_FORM_MAX)
		whole.n = (size_t)snprintf(whole.p, sizeof whole.p, "%s.%s", receiver->p, name->p);
	e = scopes_name(r->scopes, whole.p, whole.n);
	if (e->recorded_in[kind == REF_TYPE] == definition + 2)
		return true;
	e->recorded_in[kind == REF_TYPE] = definition + 2;
	return false;
}

/*
 * Whether a local stands in the way, or a module: what is called or a member of it is not known by
 * its name.
 */
static bool hidden_by_local(struct references *r, enum reference_kind kind,
    const struct normal_form *name, struct normal_form *receiver)
{
	enum local_visibility v = references_local_visibility(r, receiver->n ? receiver : name);

	if (v == NOT_LOCAL || *receiver->p == '?')
		return kind == REF_VALUE && !receiver->n &&
		    scopes_name(r->scopes, name->p, name->n)->module;
	if (kind == REF_TYPE || kind == REF_NEW)	/* a type parameter */
		return v == LOCAL_UNKNOWN && !receiver->n;
	if (!receiver->n)
		return v == LOCAL_UNKNOWN || kind == REF_VALUE;
	if (v == LOCAL_UNKNOWN)
		receiver->n = (size_t)snprintf(receiver->p, sizeof receiver->p, "?");
	return false;
}

void references_add(struct references *r, enum reference_kind kind, const struct normal_form *name,
    const struct normal_form *receiver, int arguments, TSNode at, const struct walk_position *p)
{
	struct normal_form before = *receiver;
	struct reference *f;

	if (!name->n || r->found.n == MAX_REFERENCES || hidden_by_local(r, kind, name, &before))
		return;
	if ((kind == REF_VALUE && *before.p == '?') ||
	    already_recorded(r, kind, name, &before, p->definition))
		return;
	r->found.v = grow(r->found.v, &r->found.cap, r->found.n + 1, sizeof *r->found.v);
	r->found.v[r->found.n].at = node_start_byte(at);
	f = &r->found.v[r->found.n++].ref;
	*f = (struct reference){ .kind = kind, .definition = p->definition, .arguments = arguments, .line = node_line(at) };
	f->name = references_intern(r, name);
	if (before.n)
		f->receiver = references_intern(r, &before);
	else
		f->receiver = NULL;
}

bool references_add_type(struct references *r, enum reference_kind kind, TSNode type, int arguments,
    TSNode at, const struct walk_position *p)
{
	struct normal_form whole, name, rest;

	const struct node_rule *rule = NULL;

	if (!ts_node_is_null(type))
		rule = rules_of(r->t->rules, type);
	if (ts_node_is_null(type) || (rule && rule->type && rule->type->op == TYPE_MAKE) ||
	    !type_normalize(r->t, type, &whole))
		return false;
	normal_form_split(&whole, &name, &rest);
	references_add(r, kind, &name, &rest, arguments, at, p);
	return name.n > 0;
}

void references_set_owner(struct references *r, uint32_t from, int definition)
{
	for (size_t i = r->found.n; i-- && r->found.v[i].at >= from;)
		r->found.v[i].ref.definition = definition;
}

bool references_mark_defined(struct references *r, const char *qualified)
{
	struct interned_name *e = scopes_name(r->scopes, qualified, strlen(qualified));
	bool before = e->defined;

	e->defined = true;
	return before;
}

/* The definition of that name, or -1. */
static int find_definition(const struct facts *f, const char *qualified)
{
	size_t n = strcspn(qualified, "<");

	for (size_t i = 0; i < f->definitions.n; i++)
		if (!strncmp(f->definitions.v[i].qualified, qualified, n) &&
		    !f->definitions.v[i].qualified[n])
			return (int)i;
	return -1;
}

static void resolve_base_owners(struct references *r, const struct facts *f)
{
	for (size_t i = 0; i < r->bases.n; i++) {
		struct base_type *b = &r->bases.v[i];
		if (!b->owner)
			continue;
		b->definition = find_definition(f, b->owner);
		if (b->definition < 0)
			b->owner = arena_strn(r->t->arena, b->owner, strcspn(b->owner, "<"));
		else
			b->owner = NULL;
	}
}

/* A statement's names may be seen after what it names otherwise. */
static int by_place(const void *a, const void *b)
{
	const struct placed_import *x = a, *y = b;

	if (x->at < y->at)
		return -1;
	return x->at > y->at;
}

static void *keep(struct references *r, const void *v, size_t n, size_t size)
{
	void *to = arena_get(r->t->arena, n, size);

	if (n)
		memcpy(to, v, n * size);
	return to;
}

void references_end(struct references *r, struct facts *out)
{
	imports_close(r, 0);
	resolve_base_owners(r, out);
	out->package = r->package;
	if (r->imports.n)
		qsort(r->imports.v, r->imports.n, sizeof *r->imports.v, by_place);
	out->imports.n = r->imports.n;
	out->imports.v = arena_many(r->t->arena, r->imports.n, struct import);
	for (size_t i = 0; i < r->imports.n; i++)
		out->imports.v[i] = r->imports.v[i].import;
	out->bases.v = keep(r, r->bases.v, out->bases.n = r->bases.n, sizeof *r->bases.v);
	out->locals.v = keep(r, r->locals.v, out->locals.n = r->locals.n, sizeof *r->locals.v);
	out->references.n = r->found.n;
	out->references.v = arena_many(r->t->arena, r->found.n, struct reference);
	for (size_t i = 0; i < r->found.n; i++)
		out->references.v[i] = r->found.v[i].ref;
}
