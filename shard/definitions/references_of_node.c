/* What a node uses, by its rules. */
#include <ctype.h>
#include <stdio.h>

#include "proto/base/buf.h"
#include "shard/definitions/references_internal.h"
#include "shard/syntax/tree_nodes.h"

static bool is_spread(const struct references *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	return rule && rule->marks & MARK_SPREAD;
}

/* The number of arguments; -1 if it is unknown. */
static int count_arguments(const struct references *r, const struct node_path *p, TSNode n)
{
	enum { MANY = 64 };
	TSNode list = node_path_get(p, n), child[MANY];
	int real = 0;

	if (ts_node_is_null(list))
		return -1;
	uint32_t count = nodes_named(list, child, MANY);
	if (count > MANY || is_spread(r, list))
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		if (is_spread(r, child[i]))
			return -1;
		real += !ts_node_is_extra(child[i]);
	}
	return real;
}

/* Names in the arguments of a call are values, even where the names around it are not. */
static void call_claim(struct references *r, const struct expr_rule *x, TSNode n)
{
	if (r->claim != CLAIM_VALUE && r->claim != CLAIM_REPORTED)
		references_claim(r, node_path_get(&x->arguments, n), CLAIM_VALUE);
	if (x->function.n)
		references_claim(
		    r, expression_unwrap(r->t, node_path_get(&x->function, n)), CLAIM_REPORTED);
	else
		references_claim(r, node_path_get(&x->name, n), CLAIM_SKIP);
}

/*
 * Whether a definition has claimed its own name: in a language where everything is a call
 * (Elixir), `def load(x)` looks like a call of load.
 */
static bool own_name(const struct references *r, TSNode callee)
{
	for (size_t i = r->pending.n; i-- && r->pending.v[i].from <= node_start_byte(callee);)
		if (r->pending.v[i].id == callee.id)
			return r->pending.v[i].claim == CLAIM_SKIP;
	return false;
}

/* What a function literal around a node is called on, by one of the rules; false if by none. */
static bool object_of_literal(
    const struct references *r, TSNode around, TSNode n, struct normal_form *object)
{
	const struct node_rule *rule = rules_of(r->t->rules, around);
	const struct within_rule *w = NULL;

	if (rule)
		w = rule->within;
	for (; w; w = w->next) {
		TSNode inside = node_path_get(&w->inside, around);
		bool within = !ts_node_is_null(inside) &&
		    ts_node_start_byte(n) >= ts_node_start_byte(inside) &&
		    ts_node_end_byte(n) <= ts_node_end_byte(inside);
		if (!within || !condition_holds(&w->when, r->t, around))
			continue;
		TSNode of = node_path_get(&w->of, around);
		if (ts_node_is_null(of) || !expression_normalize(r->t, of, object))
			return false;
		return !w->block || normal_form_append(object, "." BLOCK_LOCAL);
	}
	return false;
}

/* Whether an expression begins with a call without an object: make().name */
static bool begins_with_call(const struct normal_form *f)
{
	size_t n = strcspn(f->p, ".([");

	return n && f->p[n] == '(';
}

/*
 * A call without an object may be of a method of what a function literal around it is called on:
 * with(orders) { routes() }
 */
static void collect_within(struct references *r, const struct normal_form *name,
    const struct normal_form *receiver, int arguments, TSNode n, const struct walk_position *p)
{
	enum { MOST_AROUND = 24 };
	struct normal_form object;
	TSNode around = node_parent(n);

	if (receiver->n && !begins_with_call(receiver))
		return;
	for (int i = 0; i < MOST_AROUND && !ts_node_is_null(around); i++) {
		bool found = object_of_literal(r, around, n, &object);
		if (found && receiver->n)
			found = normal_form_append(&object, ".") && normal_form_append(&object, receiver->p);
		if (found)
			references_add(r, REF_CALL, name, &object, arguments, n, p);
		around = node_parent(around);
	}
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
	int arguments = count_arguments(r, &x->arguments, n);
	references_add(r, REF_CALL, &name, &receiver, arguments, n, p);
	if (r->t->rules->withins)
		collect_within(r, &name, &receiver, arguments, n, p);
}

static enum reference_kind name_kind(const struct references *r, const struct expr_rule *x)
{
	if (r->claim == CLAIM_TYPE)
		return REF_TYPE;
	if (x->calls)
		return REF_CALL;
	return REF_VALUE;
}

/* Whether the claim leaves out the name at `n`. */
static bool is_left_out(const struct references *r, const struct expr_rule *x, TSNode n)
{
	if (r->claim == CLAIM_SKIP || r->claim == CLAIM_REPORTED)
		return true;
	if (r->claim != CLAIM_UPPER || x->op != EXPR_NAME)
		return false;
	return islower((unsigned char)r->t->text[node_start_byte(n)]);
}

/* Whether the name alone is the object itself or its base, not a definition. */
static bool is_self(const struct expr_rule *x, const char *name)
{
	return !strcmp(name, "self") || (!strcmp(name, "super") && !x->calls);
}

/* A name, or a member of something. */
static void collect_name(
    struct references *r, const struct expr_rule *x, TSNode n, const struct walk_position *p)
{
	struct normal_form name, receiver;
	enum reference_kind kind = name_kind(r, x);
	int arguments = -1;

	if (x->op == EXPR_MEMBER && r->claim != CLAIM_SKIP)
		references_claim(r, node_path_get(&x->name, n), CLAIM_SKIP);
	if (x->op == EXPR_NAME && ts_node_named_child_count(n))	/* a::b is one name */
		references_claim_below(r, p->depth, CLAIM_SKIP);
	if (is_left_out(r, x, n) || !expression_split(r->t, n, &name, &receiver))
		return;
	if (!receiver.n && is_self(x, name.p))
		return;
	if (kind == REF_CALL) {
		if (!receiver.n && references_local_visibility(r, &name))
			return;		/* a local, not a call */
		arguments = 0;
	}
	references_add(r, kind, &name, &receiver, arguments, n, p);
	if (kind == REF_TYPE)
		references_claim_below(r, p->depth, CLAIM_SKIP);
}

static TSNode inner_node(const struct node_path *of, TSNode n)
{
	if (of->n)
		return node_path_get(of, n);
	return nodes_first_named(n);
}

static void collect_new(
    struct references *r, const struct expr_rule *x, TSNode n, const struct walk_position *p)
{
	TSNode type = node_path_get(&x->type, n);
	int arguments = count_arguments(r, &x->arguments, n);
	enum claim claim = CLAIM_TYPE;

	if (references_add_type(r, REF_NEW, type, arguments, n, p))
		claim = CLAIM_REPORTED;
	references_claim(r, type, claim);
	references_claim(r, node_path_get(&x->function, n), CLAIM_SKIP);
}

static void collect_expression(
    struct references *r, const struct expr_rule *x, TSNode n, const struct walk_position *p)
{
	switch (x->op) {
	case EXPR_NAME:
	case EXPR_MEMBER:
		collect_name(r, x, n, p);
		break;
	case EXPR_CALL:
		collect_call(r, x, n, p);
		break;
	case EXPR_NEW:
		collect_new(r, x, n, p);
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
			references_claim(r, inner_node(&x->of, n), CLAIM_REPORTED);
		break;
	case EXPR_SUM: break;
	}
}

static void collect_type(
    struct references *r, const struct type_rule *x, TSNode n, const struct walk_position *p)
{
	bool reported = r->claim == CLAIM_REPORTED;

	if (r->claim == CLAIM_SKIP)
		return;
	if ((x->op == TYPE_GENERIC || x->op == TYPE_INNER) && reported)
		references_claim(r, inner_node(&x->of, n), CLAIM_REPORTED);
	if (x->op == TYPE_TEXT && r->claim != CLAIM_TYPE)
		return;
	if (x->op == TYPE_ABSENT)
		references_claim_below(r, p->depth, CLAIM_SKIP);
	if (x->op == TYPE_GENERIC)
		references_claim_below(r, p->depth, CLAIM_TYPE);
	if (x->op == TYPE_MEMBER) {
		if (!reported)
			references_add_type(r, REF_TYPE, n, -1, n, p);
		references_claim(r, node_path_get(&x->object, n), CLAIM_SKIP);
		references_claim(r, node_path_get(&x->of, n), CLAIM_REPORTED);
	}
	if (x->op != TYPE_NAME && x->op != TYPE_TEXT)
		return;
	if (!reported)
		references_add_type(r, REF_TYPE, n, -1, n, p);
	references_claim_below(r, p->depth, CLAIM_SKIP);
}

static void add_base(struct references *r, const struct base_rule *b, TSNode type,
    const char *owner, const struct walk_position *p)
{
	const char *text = references_normal_type(r, type);
	int definition = p->type;

	if (owner)
		definition = -1;
	if (!text || r->bases.n == MAX_BASES || (!owner && definition < 0))
		return;
	references_claim(r, type, CLAIM_REPORTED);
	r->bases.v = grow(r->bases.v, &r->bases.cap, r->bases.n + 1, sizeof *r->bases.v);
	r->bases.v[r->bases.n++] = (struct base_type){
		.type = text,
		.owner = owner,
		.definition = definition,
		.line = node_line(type),
		.relation = b->relation,
	};
}

/* Whether the node is a type, not a list of types. */
static bool is_type_node(const struct references *r, TSNode n)
{
	const struct node_rule *rule = rules_of(r->t->rules, n);

	return rule && (rule->type || rule->exprs);
}

/* Add the type at `n`, or each type of the list at `n`. */
static void add_bases(struct references *r, const struct base_rule *b, TSNode n, const char *owner,
    const struct walk_position *p)
{
	uint32_t count = 0;

	if (!is_type_node(r, n))
		count = ts_node_named_child_count(n);
	if (!count)
		add_base(r, b, n, owner, p);
	for (uint32_t i = 0; i < count && i < MANY_NODES; i++)
		add_base(r, b, ts_node_named_child(n, i), owner, p);
}

static void collect_bases(
    struct references *r, const struct base_rule *b, TSNode n, const struct walk_position *p)
{
	for (; b; b = b->next) {
		TSNode at[MANY_NODES];
		const char *owner = NULL;
		TSNode owned = { 0 };
		if (b->owner.n) {
			owned = node_path_get(&b->owner, n);
			owner = references_normal_type(r, owned);
			if (!owner)
				continue;
		}
		if (!condition_holds(&b->when, r->t, n))
			continue;
		size_t count = node_path_all(&b->at, n, at, MANY_NODES);
		if (owner && count)
			references_add_type(r, REF_TYPE, owned, -1, owned, p);
		for (size_t i = 0; i < count; i++)
			add_bases(r, b, at[i], owner, p);
	}
}

static void collect_claims(
    struct references *r, const struct claim_rule *c, TSNode n, const struct walk_position *p)
{
	for (; c; c = c->next) {
		TSNode at[MANY_NODES], holder;
		size_t count = node_path_all(&c->at, n, at, MANY_NODES);
		for (size_t i = 0; i < count; i++) {
			if (!ts_node_eq(at[i], n)) {
				references_claim(r, node_path_follow(&c->at, at[i], &holder), c->claim);
			} else if (r->claim == CLAIM_VALUE) {
				r->claim = c->claim;
				references_claim_below(r, p->depth, c->claim);
			}
		}
	}
}

/* A key in a literal is a member of the literal's type. */
static void collect_keys(
    struct references *r, const struct literal_key_rule *k, TSNode n, const struct walk_position *p)
{
	struct normal_form name, receiver;

	for (; k; k = k->next) {
		if (!condition_holds(&k->when, r->t, n))
			continue;
		TSNode at = node_path_get(&k->name, n);
		const char *type = references_normal_type(r, node_path_get(&k->of, n));
		if (!type || ts_node_is_null(at) || ts_node_named_child_count(at) ||
		    !name_normalize(r->t, at, &name))
			continue;
		int length = snprintf(receiver.p, sizeof receiver.p, "%s!%s", type, k->element ? "[]" : "");
		if (length > NORMAL_FORM_MAX)
			continue;
		receiver.n = (size_t)length;
		references_add(r, REF_VALUE, &name, &receiver, -1, at, p);
		references_claim(r, at, CLAIM_SKIP);
		return;
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

/* Append a name to the names before it, if a `.` or `::` joins them; otherwise start anew. */
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

/* Names among tokens, joined by `.` and `::`. */
struct token_names {
	struct normal_form f;
	TSNode last;		/* the last name */
	bool scoped;		/* joined by `::` */
};

/* What a path among tokens names, Kind::Two, unless it is called. */
static void end_token_names(
    struct references *r, struct token_names *t, const struct walk_position *p)
{
	struct normal_form name, rest;

	if (t->scoped && t->f.n && t->f.p[t->f.n - 1] != ')') {
		normal_form_split(&t->f, &name, &rest);
		if (rest.n)
			references_add(r, REF_VALUE, &name, &rest, -1, t->last, p);
	}
	t->f.n = 0;
	t->scoped = false;
}

/* Calls among tokens, names before parentheses, and paths. */
static void collect_tokens(struct references *r, TSNode n, const struct walk_position *p)
{
	enum { MANY = 2000 };
	struct token_names t = { .scoped = false };
	struct normal_form name, rest;
	bool joined = false;
	TSTreeCursor c = ts_tree_cursor_new(n);
	bool more = ts_tree_cursor_goto_first_child(&c);

	for (int i = 0; more && i < MANY; i++, more = ts_tree_cursor_goto_next_sibling(&c)) {
		TSNode k = ts_tree_cursor_current_node(&c);
		const struct node_rule *rule = rules_of(r->t->rules, k);
		bool list = rule && rule->marks & MARK_TOKENS && r->t->text[node_start_byte(k)] == '(';
		if (list && t.f.n && t.f.p[t.f.n - 1] != ')') {
			normal_form_split(&t.f, &name, &rest);
			references_add(r, REF_CALL, &name, &rest, -1, k, p);
			if (t.f.n + 2 <= NORMAL_FORM_MAX)
				t.f.n += (size_t)snprintf(t.f.p + t.f.n, sizeof t.f.p - t.f.n, "()");
		} else if (node_is(r->t, k, ".") || node_is(r->t, k, "::")) {
			t.scoped |= node_is(r->t, k, "::");
			joined = true;
			continue;
		} else if (!joined) {
			end_token_names(r, &t, p);
		}
		t.last = k;
		if (!list && (!ts_node_is_named(k) || !tokens_name(r, &t.f, k, joined)))
			end_token_names(r, &t, p);
		joined = false;
	}
	end_token_names(r, &t, p);
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
	if (rule->keys)
		collect_keys(r, rule->keys, n, p);
	if (r->returning && returns && !*returns)
		*returns = references_normal_value(r, n, false);
	if (rule->returns)
		references_claim(r, node_returned(rule, n), CLAIM_RETURN);
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
