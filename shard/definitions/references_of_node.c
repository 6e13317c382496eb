#include <ctype.h>
#include <stdio.h>

#include "proto/base/buf.h"
#include "shard/definitions/references_internal.h"
#include "shard/syntax/tree_nodes.h"

/* How many arguments there are; -1: unknown. */
static int count_arguments(const struct references *r, const struct node_path *p, TSNode n)
{
	enum { MANY = 64 };
	TSNode list = node_path_get(p, n), child[MANY];
	uint32_t count = 0;
	const struct node_rule *rule;
	int real = 0;

	if (!ts_node_is_null(list))
		count = nodes_named(list, child, MANY);
	if (ts_node_is_null(list) || count > MANY ||
	    ((rule = rules_of(r->t->rules, list)) && rule->marks & MARK_SPREAD))
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
	if (r->claim != CLAIM_VALUE && r->claim != CLAIM_REPORTED)
		references_claim(r, node_path_get(&x->arguments, n), CLAIM_VALUE);
	references_claim(r,
	    x->function.n ? expression_unwrap(r->t, node_path_get(&x->function, n)) :
	                    node_path_get(&x->name, n),
	    x->function.n ? CLAIM_REPORTED : CLAIM_SKIP);
}

/*
 * Whether a definition has claimed its own name: `def load(x)` looks like a call of load where all
 * is a call (Elixir).
 */
static bool own_name(const struct references *r, TSNode callee)
{
	for (size_t i = r->pending.n; i-- && r->pending.v[i].from <= node_start_byte(callee);)
		if (r->pending.v[i].id == callee.id)
			return r->pending.v[i].claim == CLAIM_SKIP;
	return false;
}

static void collect_call(
    struct references *r, const struct expr_rule *x, TSNode n, const struct walk_position *p)
{
	struct normal_form name, receiver;
	TSNode callee = n;

	if (x->function.n)
		callee = node_path_get(&x->function, n);
	if (ts_node_is_null(callee) || own_name(r, callee) ||
	    !expression_split(r->t, callee, &name, &receiver))
		return;
	call_claim(r, x, n);
	snprintf(name.p + name.n, sizeof name.p - name.n, "()");
	if (!receiver.n && word_set_has(&r->t->rules->super, name.p, name.n + 2))
		return;
	name.p[name.n] = '\0';
	references_add(r, REF_CALL, &name, &receiver, count_arguments(r, &x->arguments, n), n, p);
}

/* A name, or a member of something. */
static void collect_name(
    struct references *r, const struct expr_rule *x, TSNode n, const struct walk_position *p)
{
	struct normal_form name, receiver;
	enum reference_kind kind = r->claim == CLAIM_TYPE ? REF_TYPE : x->calls ? REF_CALL : REF_VALUE;

	if (x->op == EXPR_MEMBER && r->claim != CLAIM_SKIP)
		references_claim(r, node_path_get(&x->name, n), CLAIM_SKIP);
	if (x->op == EXPR_NAME && ts_node_named_child_count(n))	/* a::b is one name */
		references_claim_below(r, p->depth, CLAIM_SKIP);
	if (r->claim == CLAIM_UPPER && islower((unsigned char)r->t->text[node_start_byte(n)]) &&
	    x->op == EXPR_NAME)
		return;
	if (r->claim == CLAIM_SKIP || r->claim == CLAIM_REPORTED ||
	    !expression_split(r->t, n, &name, &receiver))
		return;
	if (!receiver.n && (!strcmp(name.p, "self") || (!strcmp(name.p, "super") && !x->calls)))
		return;
	/* a local, not a call */
	if (kind == REF_CALL && !receiver.n && references_local_visibility(r, &name))
		return;
	references_add(r, kind, &name, &receiver, kind == REF_CALL ? 0 : -1, n, p);
	if (kind == REF_TYPE)
		references_claim_below(r, p->depth, CLAIM_SKIP);
}

static TSNode inner_node(const struct expr_rule *x, TSNode n)
{
	if (x->of.n)
		return node_path_get(&x->of, n);
	return nodes_first_named(n);
}

static void collect_expression(
    struct references *r, const struct expr_rule *x, TSNode n, const struct walk_position *p)
{
	TSNode type;
	bool told;

	switch (x->op) {
	case EXPR_NAME:
	case EXPR_MEMBER:
		collect_name(r, x, n, p);
		break;
	case EXPR_CALL:
		collect_call(r, x, n, p);
		break;
	case EXPR_NEW:
		type = node_path_get(&x->type, n);
		told = references_add_type(r, REF_NEW, type, count_arguments(r, &x->arguments, n), n, p);
		references_claim(r, type, told ? CLAIM_REPORTED : CLAIM_TYPE);
		references_claim(r, node_path_get(&x->function, n), CLAIM_SKIP);
		break;
	case EXPR_CAST:
		references_claim(r, node_path_get(&x->type, n), CLAIM_TYPE);
		break;
	case EXPR_INDEX:
		if (r->claim == CLAIM_REPORTED)
			references_claim(r, node_path_get(&x->of, n), CLAIM_REPORTED);
		break;
	case EXPR_INNER:
		if (r->claim == CLAIM_REPORTED)
			references_claim(r, inner_node(x, n), CLAIM_REPORTED);
		break;
	}
}

static void collect_type(
    struct references *r, const struct type_rule *x, TSNode n, const struct walk_position *p)
{
	bool told_already = r->claim == CLAIM_REPORTED;

	if (r->claim == CLAIM_SKIP)
		return;
	if ((x->op == TYPE_GENERIC || x->op == TYPE_INNER) && told_already)
		references_claim(
		    r, x->of.n ? node_path_get(&x->of, n) : nodes_first_named(n), CLAIM_REPORTED);
	if (x->op == TYPE_TEXT && r->claim != CLAIM_TYPE)
		return;
	if (x->op == TYPE_GENERIC)
		references_claim_below(r, p->depth, CLAIM_TYPE);
	if (x->op == TYPE_MEMBER) {
		if (!told_already)
			references_add_type(r, REF_TYPE, n, -1, n, p);
		references_claim(r, node_path_get(&x->object, n), CLAIM_SKIP);
		references_claim(r, node_path_get(&x->of, n), CLAIM_REPORTED);
	}
	if (x->op != TYPE_NAME && x->op != TYPE_TEXT)
		return;
	if (!told_already)
		references_add_type(r, REF_TYPE, n, -1, n, p);
	references_claim_below(r, p->depth, CLAIM_SKIP);
}

static void add_base(struct references *r, const struct base_rule *b, TSNode type,
    const char *owner, const struct walk_position *p)
{
	const char *text = references_normal_type(r, type);

	if (!text || r->bases.n == MAX_BASES || (!owner && p->type < 0))
		return;
	references_claim(r, type, CLAIM_REPORTED);
	r->bases.v = grow(r->bases.v, &r->bases.cap, r->bases.n + 1, sizeof *r->bases.v);
	r->bases.v[r->bases.n++] = (struct base_type){ .type = text,
		.owner = owner,
		.definition = owner ? -1 : p->type,
		.line = node_line(type),
		.relation = b->relation };
}

/* Whether the node is a type itself, not a list of them. */
static bool is_type_node(const struct references *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	return rule && (rule->type || rule->exprs);
}

static void collect_bases(
    struct references *r, const struct base_rule *b, TSNode n, const struct walk_position *p)
{
	for (; b; b = b->next) {
		TSNode at[MANY_NODES];
		const char *owner = b->owner.n ? references_normal_type(r, node_path_get(&b->owner, n)) :
		                                 NULL;
		if (!condition_holds(&b->when, r->t, n) || (b->owner.n && !owner))
			continue;
		size_t count = node_path_all(&b->at, n, at, MANY_NODES);
		for (size_t i = 0; i < count; i++) {
			uint32_t inside = 0;
			if (!is_type_node(r, at[i]))
				inside = ts_node_named_child_count(at[i]);
			if (!inside)
				add_base(r, b, at[i], owner, p);
			for (uint32_t k = 0; k < inside && k < MANY_NODES; k++)
				add_base(r, b, ts_node_named_child(at[i], k), owner, p);
		}
	}
}

static void collect_claims(
    struct references *r, const struct claim_rule *c, TSNode n, const struct walk_position *p)
{
	for (; c; c = c->next) {
		TSNode at[MANY_NODES], holder;
		size_t count = node_path_all(&c->at, n, at, MANY_NODES);
		for (size_t i = 0; i < count; i++)
			if (!ts_node_eq(at[i], n))
				references_claim(r, node_path_follow(&c->at, at[i], &holder), c->claim);
			else if (r->claim == CLAIM_VALUE)
				references_claim_below(r, p->depth, r->claim = c->claim);
	}
}

static void collect_package(struct references *r, const struct node_path *path, TSNode n)
{
	TSNode at = node_path_get(path, n);
	struct normal_form f;

	references_claim(r, at, CLAIM_NONE);
	if (!r->package && name_normalize(r->t, at, &f))
		r->package = references_intern(r, &f);
}

/* Append a name, joined to what is before it when a `.` or `::` stands there. */
static bool tokens_name(struct references *r, struct normal_form *f, TSNode n, bool joined)
{
	struct normal_form name;

	if (ts_node_named_child_count(n) || !name_normalize(r->t, n, &name))
		return false;
	if (!joined || !f->n)
		*f = name;
	else if (f->n + name.n + 1 <= NORMAL_FORM_MAX)
		f->n += (size_t)snprintf(f->p + f->n, sizeof f->p - f->n, ".%s", name.p);
	else
		return false;
	return true;
}

/* Calls among tokens: names joined by `.` and `::` before parentheses. */
static void collect_tokens(struct references *r, TSNode n, const struct walk_position *p)
{
	enum { MANY = 2000 };
	struct normal_form f = { .n = 0 }, name, rest;
	bool joined = false;
	TSTreeCursor c = ts_tree_cursor_new(n);
	bool more = ts_tree_cursor_goto_first_child(&c);

	for (int i = 0; more && i < MANY; i++, more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		const struct node_rule *rule = rules_of(r->t->rules, k);
		bool list = rule && rule->marks & MARK_TOKENS && r->t->text[node_start_byte(k)] == '(';
		if (list && f.n && f.p[f.n - 1] != ')') {
			normal_form_split(&f, &name, &rest);
			references_add(r, REF_CALL, &name, &rest, -1, k, p);
			if (f.n + 2 <= NORMAL_FORM_MAX)
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

void references_collect(struct references *r, TSNode n, const struct node_rule *rule,
    const struct walk_position *p, const char **returns)
{
	const struct expr_rule *x;

	if (rule->package)
		collect_package(r, rule->package, n);
	if (r->open.n && rule->parts)
		imports_collect(r, n, rule, p);
	if (r->claim == CLAIM_NONE)
		return;
	if (rule->bases)
		collect_bases(r, rule->bases, n, p);
	if (rule->locals)
		locals_collect(r, n, rule->locals, p);
	if (rule->claims)
		collect_claims(r, rule->claims, n, p);
	if (r->returning && returns && !*returns)
		*returns = references_normal_value(r, n, false);
	if (rule->returns)
		references_claim(r, node_path_get(rule->returns, n), CLAIM_RETURN);
	if (rule->marks & MARK_TOKENS)
		collect_tokens(r, n, p);
	if (rule->exprs)
		x = rules_expr(r->t, n);
	else
		x = NULL;
	if (rule->type && (!x || r->claim == CLAIM_TYPE))
		collect_type(r, rule->type, n, p);
	else if (x)
		collect_expression(r, x, n, p);
}
