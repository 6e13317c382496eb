#include "shard/references_own.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/nodes.h"

struct references *references_new(void)
{
	struct references *r = calloc(1, sizeof *r);

	if (!r)
		abort();
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

void references_begin(struct references *r, struct tree *t)
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

void references_move(struct references *r, TSNode n, uint32_t depth)
{
	uint32_t from = node_from(n);

	while (r->modes.n && r->modes.v[r->modes.n - 1].depth >= depth)
		r->modes.n--;
	scopes_close(r->scopes, depth);
	if (r->open.n && r->open.v[r->open.n - 1].depth >= depth)
		imports_close(r, depth);
	r->claim = r->modes.n ? r->modes.v[r->modes.n - 1].claim : CLAIM_VALUE;
	while (r->pending.n && r->pending.v[r->pending.n - 1].to <= from && r->pending.v[r->pending.n - 1].id != n.id)
		r->pending.n--;
	r->returning = false;
	if (r->pending.n && r->pending.v[r->pending.n - 1].id == n.id) {
		if (r->pending.v[r->pending.n - 1].claim == CLAIM_RETURN) {
			r->returning = true;
		} else if (r->claim != CLAIM_NONE) {
			r->claim = r->pending.v[r->pending.n - 1].claim;
			references_claim_below(r, depth, r->claim == CLAIM_TOLD ? CLAIM_VALUE : r->claim);
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
	for (at = r->pending.n; at > r->claims_from && r->pending.v[at - 1].from <= node_from(n); at--) {
		if (r->pending.v[at - 1].id == n.id)
			return;
	}
	memmove(&r->pending.v[at + 1], &r->pending.v[at], (r->pending.n - at) * sizeof *r->pending.v);
	r->pending.v[at].id = n.id;
	r->pending.v[at].from = node_from(n);
	r->pending.v[at].to = node_to(n);
	r->pending.v[at].claim = claim;
	r->pending.n++;
}

void references_open(struct references *r, uint32_t depth)
{
	scopes_open(r->scopes, depth);
}

const char *references_text(struct references *r, const struct form *f)
{
	return scopes_name(r->scopes, f->p, f->n)->text;
}

/* What the first name of an expression is here. */
static enum visible primary_visible(struct references *r, const struct form *f)
{
	return scopes_name(r->scopes, f->p, strcspn(f->p, ".([!<"))->visible;
}

const char *references_value(struct references *r, TSNode n, bool elsewhere)
{
	struct form f;
	enum visible v;

	if (ts_node_is_null(n) || !expression_form(r->t, n, &f))
		return NULL;
	v = primary_visible(r, &f);
	return v == LOCAL_UNKNOWN || (v && elsewhere) ? NULL : references_text(r, &f);
}

const char *references_type(struct references *r, TSNode n)
{
	struct form f;

	return ts_node_is_null(n) || !type_form(r->t, n, &f) ? NULL : references_text(r, &f);
}

/* Whether the walk has told it: values and types are told once in a definition; members of anything but the object itself may differ. */
static bool is_told(struct references *r, enum reference_kind kind, const struct form *name, const struct form *receiver,
    int definition)
{
	struct form whole = *name;
	struct name *e;

	if (kind != REF_VALUE && kind != REF_TYPE)
		return false;
	if (receiver->n && kind == REF_VALUE && strcmp(receiver->p, "self"))
		return false;
	if (receiver->n && receiver->n + name->n + 2 < FORM_MAX)
		whole.n = (size_t)snprintf(whole.p, sizeof whole.p, "%s.%s", receiver->p, name->p);
	e = scopes_name(r->scopes, whole.p, whole.n);
	if (e->told[kind == REF_TYPE] == definition + 2)
		return true;
	e->told[kind == REF_TYPE] = definition + 2;
	return false;
}

/* Whether a local stands in the way, or a module: what is called or a member of it is not known by its name. */
static bool hidden_by_local(struct references *r, enum reference_kind kind, const struct form *name, struct form *receiver)
{
	enum visible v = primary_visible(r, receiver->n ? receiver : name);

	if (v == NOT_LOCAL || *receiver->p == '?')
		return kind == REF_VALUE && !receiver->n && scopes_name(r->scopes, name->p, name->n)->module;
	if (kind == REF_TYPE || kind == REF_NEW)	/* a type parameter */
		return v == LOCAL_UNKNOWN && !receiver->n;
	if (!receiver->n)
		return v == LOCAL_UNKNOWN || kind == REF_VALUE;
	if (v == LOCAL_UNKNOWN)
		receiver->n = (size_t)snprintf(receiver->p, sizeof receiver->p, "?");
	return false;
}

void references_add(struct references *r, enum reference_kind kind, const struct form *name, const struct form *receiver,
    int arguments, TSNode at, const struct place *p)
{
	struct form before = *receiver;
	struct reference *f;

	if (!name->n || r->found.n == MAX_REFERENCES || hidden_by_local(r, kind, name, &before))
		return;
	if ((kind == REF_VALUE && *before.p == '?') || is_told(r, kind, name, &before, p->definition))
		return;
	r->found.v = grow(r->found.v, &r->found.cap, r->found.n + 1, sizeof *r->found.v);
	r->found.v[r->found.n].at = node_from(at);
	f = &r->found.v[r->found.n++].ref;
	*f = (struct reference){ .kind = kind, .definition = p->definition, .arguments = arguments, .line = node_line(at) };
	f->name = references_text(r, name);
	f->receiver = before.n ? references_text(r, &before) : NULL;
}

bool references_add_type(struct references *r, enum reference_kind kind, TSNode type, int arguments, TSNode at,
    const struct place *p)
{
	struct form whole, name, rest;

	const struct node_rule *rule = ts_node_is_null(type) ? NULL : rules_of(r->t->rules, type);

	if (ts_node_is_null(type) || (rule && rule->type && rule->type->op == TYPE_MAKE) || !type_form(r->t, type, &whole))
		return false;
	form_split(&whole, &name, &rest);
	references_add(r, kind, &name, &rest, arguments, at, p);
	return name.n > 0;
}

void references_adopt(struct references *r, uint32_t from, int definition)
{
	for (size_t i = r->found.n; i-- && r->found.v[i].at >= from;)
		r->found.v[i].ref.definition = definition;
}

bool references_defined(struct references *r, const char *qualified)
{
	struct name *e = scopes_name(r->scopes, qualified, strlen(qualified));
	bool before = e->defined;

	e->defined = true;
	return before;
}

/* How many arguments there are; -1: unknown. */
static int count_arguments(const struct references *r, const struct path *p, TSNode n)
{
	enum { MANY = 64 };
	TSNode list = path_get(p, n), child[MANY];
	uint32_t count = ts_node_is_null(list) ? 0 : nodes_named(list, child, MANY);
	const struct node_rule *rule;
	int real = 0;

	if (ts_node_is_null(list) || count > MANY || ((rule = rules_of(r->t->rules, list)) && rule->marks & MARK_SPREAD))
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		rule = rules_of(r->t->rules, child[i]);
		if (rule && rule->marks & MARK_SPREAD)
			return -1;
		real += !ts_node_is_extra(child[i]);
	}
	return real;
}

/* Names in what a call holds are values, also where names around it are not. */
static void call_claim(struct references *r, const struct expr_rule *x, TSNode n)
{
	if (r->claim != CLAIM_VALUE && r->claim != CLAIM_TOLD)
		references_claim(r, path_get(&x->arguments, n), CLAIM_VALUE);
	references_claim(r, x->function.n ? expression_inside(r->t, path_get(&x->function, n)) : path_get(&x->name, n),
	    x->function.n ? CLAIM_TOLD : CLAIM_SKIP);
}

/* Whether a definition has claimed its own name: `def load(x)` looks like a call of load where all is a call (Elixir). */
static bool own_name(const struct references *r, TSNode callee)
{
	for (size_t i = r->pending.n; i-- && r->pending.v[i].from <= node_from(callee);)
		if (r->pending.v[i].id == callee.id)
			return r->pending.v[i].claim == CLAIM_SKIP;
	return false;
}

static void see_call(struct references *r, const struct expr_rule *x, TSNode n, const struct place *p)
{
	struct form name, receiver;
	TSNode callee = x->function.n ? path_get(&x->function, n) : n;

	if (ts_node_is_null(callee) || own_name(r, callee) || !expression_split(r->t, callee, &name, &receiver))
		return;
	call_claim(r, x, n);
	snprintf(name.p + name.n, sizeof name.p - name.n, "()");
	if (!receiver.n && words_have(&r->t->rules->super, name.p, name.n + 2))
		return;
	name.p[name.n] = '\0';
	references_add(r, REF_CALL, &name, &receiver, count_arguments(r, &x->arguments, n), n, p);
}

/* A name, or a member of something. */
static void see_name(struct references *r, const struct expr_rule *x, TSNode n, const struct place *p)
{
	struct form name, receiver;
	enum reference_kind kind = r->claim == CLAIM_TYPE ? REF_TYPE : x->calls ? REF_CALL : REF_VALUE;

	if (x->op == EXPR_MEMBER && r->claim != CLAIM_SKIP)
		references_claim(r, path_get(&x->name, n), CLAIM_SKIP);
	if (x->op == EXPR_NAME && ts_node_named_child_count(n))	/* a::b is one name */
		references_claim_below(r, p->depth, CLAIM_SKIP);
	if (r->claim == CLAIM_UPPER && islower((unsigned char)r->t->text[node_from(n)]) && x->op == EXPR_NAME)
		return;
	if (r->claim == CLAIM_SKIP || r->claim == CLAIM_TOLD || !expression_split(r->t, n, &name, &receiver))
		return;
	if (!receiver.n && (!strcmp(name.p, "self") || (!strcmp(name.p, "super") && !x->calls)))
		return;
	if (kind == REF_CALL && !receiver.n && primary_visible(r, &name))	/* a local, not a call */
		return;
	references_add(r, kind, &name, &receiver, kind == REF_CALL ? 0 : -1, n, p);
	if (kind == REF_TYPE)
		references_claim_below(r, p->depth, CLAIM_SKIP);
}

static TSNode inner_node(const struct expr_rule *x, TSNode n)
{
	return x->of.n ? path_get(&x->of, n) : ts_node_named_child(n, 0);
}

static void see_expression(struct references *r, const struct expr_rule *x, TSNode n, const struct place *p)
{
	TSNode type;
	bool told;

	switch (x->op) {
	case EXPR_NAME:
	case EXPR_MEMBER:
		see_name(r, x, n, p);
		break;
	case EXPR_CALL:
		see_call(r, x, n, p);
		break;
	case EXPR_NEW:
		type = path_get(&x->type, n);
		told = references_add_type(r, REF_NEW, type, count_arguments(r, &x->arguments, n), n, p);
		references_claim(r, type, told ? CLAIM_TOLD : CLAIM_TYPE);
		references_claim(r, path_get(&x->function, n), CLAIM_SKIP);
		break;
	case EXPR_CAST:
		references_claim(r, path_get(&x->type, n), CLAIM_TYPE);
		break;
	case EXPR_INDEX:
		if (r->claim == CLAIM_TOLD)
			references_claim(r, path_get(&x->of, n), CLAIM_TOLD);
		break;
	case EXPR_INNER:
		if (r->claim == CLAIM_TOLD)
			references_claim(r, inner_node(x, n), CLAIM_TOLD);
		break;
	}
}

static void see_type(struct references *r, const struct type_rule *x, TSNode n, const struct place *p)
{
	bool told_already = r->claim == CLAIM_TOLD;

	if (r->claim == CLAIM_SKIP)
		return;
	if ((x->op == TYPE_GENERIC || x->op == TYPE_INNER) && told_already)
		references_claim(r, x->of.n ? path_get(&x->of, n) : ts_node_named_child(n, 0), CLAIM_TOLD);
	if (x->op == TYPE_TEXT && r->claim != CLAIM_TYPE)
		return;
	if (x->op == TYPE_GENERIC)
		references_claim_below(r, p->depth, CLAIM_TYPE);
	if (x->op == TYPE_MEMBER) {
		if (!told_already)
			references_add_type(r, REF_TYPE, n, -1, n, p);
		references_claim(r, path_get(&x->object, n), CLAIM_SKIP);
		references_claim(r, path_get(&x->of, n), CLAIM_TOLD);
	}
	if (x->op != TYPE_NAME && x->op != TYPE_TEXT)
		return;
	if (!told_already)
		references_add_type(r, REF_TYPE, n, -1, n, p);
	references_claim_below(r, p->depth, CLAIM_SKIP);
}

static void add_base(struct references *r, const struct base_rule *b, TSNode type, const char *owner, const struct place *p)
{
	const char *text = references_type(r, type);

	if (!text || r->bases.n == MAX_BASES || (!owner && p->type < 0))
		return;
	references_claim(r, type, CLAIM_TOLD);
	r->bases.v = grow(r->bases.v, &r->bases.cap, r->bases.n + 1, sizeof *r->bases.v);
	r->bases.v[r->bases.n++] = (struct base){ .type = text, .owner = owner, .definition = owner ? -1 : p->type,
		.line = node_line(type), .relation = b->relation };
}

/* Whether the node is a type itself, not a list of them. */
static bool is_type_node(const struct references *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	return rule && (rule->type || rule->exprs);
}

static void see_bases(struct references *r, const struct base_rule *b, TSNode n, const struct place *p)
{
	for (; b; b = b->next) {
		TSNode at[MANY_NODES];
		const char *owner = b->owner.n ? references_type(r, path_get(&b->owner, n)) : NULL;
		if (!condition_holds(&b->when, r->t, n) || (b->owner.n && !owner))
			continue;
		size_t count = path_all(&b->at, n, at, MANY_NODES);
		for (size_t i = 0; i < count; i++) {
			uint32_t inside = is_type_node(r, at[i]) ? 0 : ts_node_named_child_count(at[i]);
			if (!inside)
				add_base(r, b, at[i], owner, p);
			for (uint32_t k = 0; k < inside && k < MANY_NODES; k++)
				add_base(r, b, ts_node_named_child(at[i], k), owner, p);
		}
	}
}

static void see_claims(struct references *r, const struct claim_rule *c, TSNode n, const struct place *p)
{
	for (; c; c = c->next) {
		TSNode at[MANY_NODES], holder;
		size_t count = path_all(&c->at, n, at, MANY_NODES);
		for (size_t i = 0; i < count; i++)
			if (!ts_node_eq(at[i], n))
				references_claim(r, path_follow(&c->at, at[i], &holder), c->claim);
			else if (r->claim == CLAIM_VALUE)
				references_claim_below(r, p->depth, r->claim = c->claim);
	}
}

static void see_package(struct references *r, const struct path *path, TSNode n)
{
	TSNode at = path_get(path, n);
	struct form f;

	references_claim(r, at, CLAIM_NONE);
	if (!r->package && name_form(r->t, at, &f))
		r->package = references_text(r, &f);
}

/* Append a name, joined to what is before it when a `.` or `::` stands there. */
static bool tokens_name(struct references *r, struct form *f, TSNode n, bool joined)
{
	struct form name;

	if (ts_node_named_child_count(n) || !name_form(r->t, n, &name))
		return false;
	if (!joined || !f->n)
		*f = name;
	else if (f->n + name.n + 1 <= FORM_MAX)
		f->n += (size_t)snprintf(f->p + f->n, sizeof f->p - f->n, ".%s", name.p);
	else
		return false;
	return true;
}

/* Calls among tokens: names joined by `.` and `::` before parentheses. */
static void see_tokens(struct references *r, TSNode n, const struct place *p)
{
	enum { MANY = 2000 };
	struct form f = { .n = 0 }, name, rest;
	bool joined = false;
	TSTreeCursor c = ts_tree_cursor_new(n);
	bool more = ts_tree_cursor_goto_first_child(&c);

	for (int i = 0; more && i < MANY; i++, more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		const struct node_rule *rule = rules_of(r->t->rules, k);
		bool list = rule && rule->marks & MARK_TOKENS && r->t->text[node_from(k)] == '(';
		if (list && f.n && f.p[f.n - 1] != ')') {
			form_split(&f, &name, &rest);
			references_add(r, REF_CALL, &name, &rest, -1, k, p);
			if (f.n + 2 <= FORM_MAX)
				f.n += (size_t)snprintf(f.p + f.n, sizeof f.p - f.n, "()");
		} else if (node_is(r->t, k, ".") || node_is(r->t, k, "::")) {
			joined = true;
			continue;
		} else if (!ts_node_is_named(k) || !tokens_name(r, &f, k, joined)) {
			f.n = 0;
		}
		joined = false;
	}
	ts_tree_cursor_delete(&c);
	references_claim_below(r, p->depth, CLAIM_SKIP);
}

void references_see(struct references *r, TSNode n, const struct node_rule *rule, const struct place *p, const char **returns)
{
	const struct expr_rule *x;

	if (rule->package)
		see_package(r, rule->package, n);
	if (r->open.n && rule->parts)
		imports_see(r, n, rule, p);
	if (r->claim == CLAIM_NONE)
		return;
	if (rule->bases)
		see_bases(r, rule->bases, n, p);
	if (rule->locals)
		locals_see(r, n, rule->locals, p);
	if (rule->claims)
		see_claims(r, rule->claims, n, p);
	if (r->returning && returns && !*returns)
		*returns = references_value(r, n, false);
	if (rule->returns)
		references_claim(r, path_get(rule->returns, n), CLAIM_RETURN);
	if (rule->marks & MARK_TOKENS)
		see_tokens(r, n, p);
	x = rule->exprs ? rules_expr(r->t, n) : NULL;
	if (rule->type && (!x || r->claim == CLAIM_TYPE))
		see_type(r, rule->type, n, p);
	else if (x)
		see_expression(r, x, n, p);
}

/* The definition of that name, or -1. */
static int find_definition(const struct facts *f, const char *qualified)
{
	size_t n = strcspn(qualified, "<");

	for (size_t i = 0; i < f->definitions.n; i++)
		if (!strncmp(f->definitions.v[i].qualified, qualified, n) && !f->definitions.v[i].qualified[n])
			return (int)i;
	return -1;
}

static void settle_owners(struct references *r, const struct facts *f)
{
	for (size_t i = 0; i < r->bases.n; i++) {
		struct base *b = &r->bases.v[i];
		if (!b->owner)
			continue;
		b->definition = find_definition(f, b->owner);
		b->owner = b->definition < 0 ? arena_strn(r->t->arena, b->owner, strcspn(b->owner, "<")) : NULL;
	}
}

/* A statement's names may be seen after what it names otherwise. */
static int by_place(const void *a, const void *b)
{
	const struct placed_import *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
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
	settle_owners(r, out);
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
