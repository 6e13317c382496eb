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

/* The claim that applies to the node at `depth`, unless it is claimed itself. */
static enum claim inherited_claim(struct references *r, uint32_t depth)
{
	while (r->modes.n && r->modes.v[r->modes.n - 1].depth >= depth)
		r->modes.n--;
	if (r->modes.n)
		return r->modes.v[r->modes.n - 1].claim;
	return CLAIM_VALUE;
}

/* Drop the claims of nodes that the walk has passed. */
static void drop_passed_claims(struct references *r, TSNode n)
{
	uint32_t from = node_start_byte(n);

	while (r->pending.n) {
		const struct pending_claim *top = &r->pending.v[r->pending.n - 1];
		if (top->to > from || top->id == n.id)
			return;
		r->pending.n--;
	}
}

/* Apply the claim of the node itself, and to what is below it. */
static void apply_claim(struct references *r, enum claim claim, uint32_t depth)
{
	if (claim == CLAIM_RETURN) {
		r->returning = true;
		return;
	}
	if (r->claim == CLAIM_NONE)
		return;
	r->claim = claim;
	if (claim == CLAIM_REPORTED)
		claim = CLAIM_VALUE;
	references_claim_below(r, depth, claim);
}

void references_enter_node(struct references *r, TSNode n, uint32_t depth)
{
	r->claim = inherited_claim(r, depth);
	r->returning = false;
	scopes_close(r->scopes, depth);
	if (r->open.n && r->open.v[r->open.n - 1].depth >= depth)
		imports_close(r, depth);
	drop_passed_claims(r, n);
	if (r->pending.n && r->pending.v[r->pending.n - 1].id == n.id)
		apply_claim(r, r->pending.v[--r->pending.n].claim, depth);
	r->claims_from = r->pending.n;
}

/* Claims are sorted by place: the top of the stack is the claim that the walk reaches first. */
void references_claim(struct references *r, TSNode n, enum claim claim)
{
	size_t at = r->pending.n;

	if (ts_node_is_null(n))
		return;
	r->pending.v = grow(r->pending.v, &r->pending.cap, r->pending.n + 1, sizeof *r->pending.v);
	while (at > r->claims_from && r->pending.v[at - 1].from <= node_start_byte(n)) {
		at--;
		if (r->pending.v[at].id == n.id)
			return;
	}
	memmove(&r->pending.v[at + 1], &r->pending.v[at], (r->pending.n - at) * sizeof *r->pending.v);
	r->pending.v[at] = (struct pending_claim){
		.id = n.id,
		.from = node_start_byte(n),
		.to = node_end_byte(n),
		.claim = claim,
	};
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

/* The node of the name that an expression ends with: `c` in a.b.c(). */
static TSNode last_name_node(const struct references *r, TSNode n)
{
	enum { MAX_STEPS = 4 };

	for (int i = 0; i < MAX_STEPS; i++) {
		const struct expr_rule *x = rules_expr(r->t, n);
		TSNode next = { 0 };
		if (x && x->op == EXPR_CALL && x->function.n)
			next = node_path_get(&x->function, n);
		else if (x && (x->op == EXPR_CALL || x->op == EXPR_MEMBER))
			next = node_path_get(&x->name, n);
		if (ts_node_is_null(next))
			break;
		n = next;
	}
	return n;
}

/*
 * Whether the reference is recorded already: values and types are recorded once in a line of a
 * definition.  Members of anything but the object itself are not compared, because they may differ.
 */
static bool already_recorded(struct references *r, enum reference_kind kind,
    const struct normal_form *name, const struct normal_form *receiver, int definition,
    uint32_t line)
{
	bool type = kind == REF_TYPE;
	struct normal_form whole = *name;
	struct interned_name *e;

	if (kind != REF_VALUE && kind != REF_TYPE)
		return false;
	if (receiver->n && kind == REF_VALUE && strcmp(receiver->p, "self"))
		return false;
	if (receiver->n && receiver->n + name->n + 2 < NORMAL_FORM_MAX)
		whole.n = (size_t)snprintf(whole.p, sizeof whole.p, "%s.%s", receiver->p, name->p);
	e = scopes_name(r->scopes, whole.p, whole.n);
	if (e->recorded_in[type] == definition + 2 && e->recorded_at[type] == line)
		return true;
	e->recorded_in[type] = definition + 2;
	e->recorded_at[type] = line;
	return false;
}

static bool is_module(struct references *r, const struct normal_form *name)
{
	return scopes_name(r->scopes, name->p, name->n)->module;
}

/*
 * Whether the name refers to a local or to a module, not to a definition.  A receiver that is a
 * local of unknown origin becomes "?".
 */
static bool hidden_by_local(struct references *r, enum reference_kind kind,
    const struct normal_form *name, struct normal_form *receiver)
{
	enum local_visibility v = references_local_visibility(r, receiver->n ? receiver : name);

	if (v == NOT_LOCAL || *receiver->p == '?')
		return kind == REF_VALUE && !receiver->n && is_module(r, name);
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
	if (kind == REF_VALUE && *before.p == '?')
		return;
	uint32_t line = node_line(last_name_node(r, at));
	if (already_recorded(r, kind, name, &before, p->definition, line))
		return;
	r->found.v = grow(r->found.v, &r->found.cap, r->found.n + 1, sizeof *r->found.v);
	r->found.v[r->found.n].at = node_start_byte(at);
	f = &r->found.v[r->found.n++].ref;
	*f = (struct reference){
		.kind = kind,
		.definition = p->definition,
		.arguments = arguments,
		.line = line,
	};
	f->name = references_intern(r, name);
	if (before.n)
		f->receiver = references_intern(r, &before);
}

/* Whether the type is made of its parts, so that it has no name to refer to: `[]T`. */
static bool is_synthetic_type(const struct references *r, TSNode type)
{
	const struct node_rule *rule = rules_of(r->t->rules, type);

	return rule && rule->type && rule->type->op == TYPE_MAKE;
}

bool references_add_type(struct references *r, enum reference_kind kind, TSNode type, int arguments,
    TSNode at, const struct walk_position *p)
{
	struct normal_form whole, name, rest;

	if (ts_node_is_null(type) || is_synthetic_type(r, type))
		return false;
	if (!type_normalize(r->t, type, &whole))
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

/* By place, because the walk may reach a statement's names in another order. */
static int by_place(const void *a, const void *b)
{
	const struct placed_import *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static void *copy_to_arena(struct references *r, const void *v, size_t n, size_t size)
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
	out->bases.n = r->bases.n;
	out->bases.v = copy_to_arena(r, r->bases.v, r->bases.n, sizeof *r->bases.v);
	out->locals.n = r->locals.n;
	out->locals.v = copy_to_arena(r, r->locals.v, r->locals.n, sizeof *r->locals.v);
	out->references.n = r->found.n;
	out->references.v = arena_many(r->t->arena, r->found.n, struct reference);
	for (size_t i = 0; i < r->found.n; i++)
		out->references.v[i] = r->found.v[i].ref;
}
