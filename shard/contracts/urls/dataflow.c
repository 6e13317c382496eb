#include "shard/contracts/urls/dataflow.h"

#include <assert.h>
#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

enum { DEEP = 24, LONGEST_CHAIN = 300, MANY = 400 };

/* ---- where a node is ---- */

int enclosing_definition(const struct contract_file *r, uint32_t at, bool callable)
{
	int i = found_around(r->found, at, at + 1, (int)r->found->n);

	while (i >= 0 && callable && !r->found->v[i].def.signature)
		i = found_around(r->found, at, at + 1, i);
	return i;
}

const struct def_rule *function_rule(const struct syntax_tree *t, TSNode n)
{
	if (ts_node_is_null(n))
		return NULL;
	const struct node_rule *r = rules_of(t->rules, n);
	if (!r)
		return NULL;
	for (const struct def_rule *d = r->defs; d; d = d->next)
		if (d->result.n && condition_holds(&d->when, t, n))
			return d;
	return NULL;
}

bool is_function_node(const struct syntax_tree *t, TSNode n)
{
	static const char *const without_parameters[] = { "function_declaration", "lambda_literal",
		"method", "singleton_method" };
	const struct rules *r = t->rules;

	if (strstr(ts_node_type(n), "type"))
		return false;
	if (function_rule(t, n) || !ts_node_is_null(nodes_field(n, r->parameters)))
		return true;
	if (!ts_node_is_null(nodes_field(n, r->parameter)) && !ts_node_is_null(nodes_field(n, r->body)))
		return true;
	for (size_t i = 0; i < LEN(without_parameters); i++)
		if (node_type_is(n, without_parameters[i]))
			return true;
	/* Scala's `def routes = ...`; in C++ a function has no name of its own */
	return node_type_is(n, "function_definition") && !ts_node_is_null(node_field(n, "name"));
}

/* Each thread remembers what it found for a node: many sites ask for the same, each in all its views. */
enum { FUNCTION_BITS = 9, RETURN_BITS = 7, MOST_RETURNS = 8 };

struct remembered_node {
	const void *id;
	const TSTree *tree;
	uint32_t since; /* node_parents_forgotten() when something was found for it */
};

static size_t slot_of(TSNode n, int bits)
{
	uint64_t hash = ((uint64_t)(uintptr_t)n.id >> 3) * 0x9e3779b97f4a7c15u;

	return (size_t)(hash >> (64 - bits));
}

/* Whether it is this node that is remembered; if not, it is now. */
static bool is_remembered(struct remembered_node *k, TSNode n)
{
	uint32_t now = node_parents_forgotten();

	if (k->id == n.id && k->tree == n.tree && k->since == now)
		return true;
	*k = (struct remembered_node){ n.id, n.tree, now };
	return false;
}

TSNode enclosing_function(const struct contract_file *r, TSNode n)
{
	static _Thread_local struct remembered_function {
		struct remembered_node of;
		TSNode function;
	} known[1 << FUNCTION_BITS];

	if (ts_node_is_null(n))
		return n;
	struct remembered_function *k = &known[slot_of(n, FUNCTION_BITS)];
	if (is_remembered(&k->of, n))
		return k->function;
	while (!ts_node_is_null(n) && !is_function_node(r->t, n))
		n = node_parent(n);
	k->function = n;
	return n;
}

/*
 * The first function at or below `n` that begins at or after `from`: attributes of a definition are
 * not part of its node (Rust).
 */
static TSNode first_function(const struct syntax_tree *t, TSNode n, uint32_t from, int *budget)
{
	if (node_start_byte(n) >= from && is_function_node(t, n))
		return n;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count && *budget > 0; i++) {
		TSNode k = ts_node_named_child(n, i);
		if (node_end_byte(k) <= from)
			continue;
		--*budget;
		k = first_function(t, k, from, budget);
		if (!ts_node_is_null(k))
			return k;
	}
	return (TSNode){ 0 };
}

TSNode definition_node(const struct contract_file *r, int definition)
{
	const struct definition *d = &r->found->v[definition].def;
	uint32_t last = 0;

	if (d->end_byte)
		last = d->end_byte - 1;
	return ts_node_descendant_for_byte_range(r->t->root, d->start_byte, last);
}

TSNode definition_function_node(const struct contract_file *r, int definition)
{
	const struct definition *d = &r->found->v[definition].def;
	int budget = MANY;

	if (!d->signature)
		return (TSNode){ 0 };
	return first_function(r->t, definition_node(r, definition), d->start_byte, &budget);
}

/* ---- what a function returns ---- */

enum { MOST_RESULTS = 4 };

struct return_collector {
	const struct syntax_tree *t;
	TSNode *out, function;
	size_t n, max;
	int budget;
};

static void put_return(struct return_collector *x, TSNode value)
{
	if (!ts_node_is_null(value))
		x->out[x->n++] = value;
}

static bool is_block(TSNode n)
{
	const char *type = ts_node_type(n);

	return strstr(type, "block") || strstr(type, "body") || !strcmp(type, "statements");
}

/* The name of the function's first result, func f() (path string, err error); or a null node. */
static TSNode named_result(TSNode function)
{
	TSNode list = node_field(function, "result"), first, none = { 0 };

	if (ts_node_is_null(list) || !ts_node_named_child_count(list))
		return none;
	first = node_field(ts_node_named_child(list, 0), "name");
	return first;
}

/* A return without a value gives what the function's named result was given before. */
static void put_result(struct return_collector *x, TSNode statement)
{
	const struct binding *v[MOST_RESULTS];
	TSNode name = named_result(x->function);

	if (ts_node_is_null(name))
		return;
	size_t n = reaching_values(
	    x->t, x->t->text + node_start_byte(name), node_len(name), statement, v, MOST_RESULTS);
	for (size_t i = 0; i < n && x->n < x->max; i++)
		put_return(x, v[i]->value);
}

static void gather_returns(struct return_collector *x, TSNode n)
{
	const struct node_rule *r = rules_of(x->t->rules, n);

	if (x->n == x->max || --x->budget < 0)
		return;
	if (!ts_node_eq(n, x->function) && is_function_node(x->t, n))
		return;
	const struct def_rule *d = function_rule(x->t, n);
	if (d) {
		put_return(x, node_path_get(&d->result, n));
		return;
	}
	if (r && r->returns) {
		TSNode value = node_returned(r, n);
		if (!ts_node_is_null(value) && !is_block(value))
			put_return(x, value);
		if (ts_node_is_null(value))
			put_result(x, n);
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		gather_returns(x, ts_node_named_child(n, i));
}

size_t function_return_values(
    const struct contract_file *r, TSNode function, TSNode *out, size_t max)
{
	static _Thread_local struct remembered_returns {
		struct remembered_node of;
		size_t n;
		TSNode v[MOST_RETURNS];
	} known[1 << RETURN_BITS];
	struct remembered_returns *k = &known[slot_of(function, RETURN_BITS)];

	assert(max <= MOST_RETURNS);
	if (!is_remembered(&k->of, function)) {
		struct return_collector x = {
			.t = r->t, .out = k->v, .function = function, .max = MOST_RETURNS, .budget = MANY * 4
		};
		gather_returns(&x, function);
		k->n = x.n;
	}
	size_t n = MIN(max, k->n);
	memcpy(out, k->v, n * sizeof *out);
	return n;
}

/* ---- chains ---- */

static void put_node(const struct contract_file *r, TSNode n, struct buf *b)
{
	if (!ts_node_is_null(n))
		buf_put(b, r->t->text + node_start_byte(n), node_len(n));
}

static bool chain_put(const struct contract_file *, TSNode, struct buf *, int depth);

/* The callee of a call, without its brackets. */
static bool chain_put_callee(
    const struct contract_file *r, const struct expr_rule *x, TSNode n, struct buf *b, int depth)
{
	if (x->function.n)
		return chain_put(r, node_path_get(&x->function, n), b, depth);
	TSNode object = node_path_get(&x->object, n);
	if (!ts_node_is_null(object)) {
		if (!chain_put(r, object, b, depth))
			return false;
		buf_byte(b, '.');
	}
	put_node(r, node_path_get(&x->name, n), b);
	return true;
}

static bool chain_put(const struct contract_file *r, TSNode n, struct buf *b, int depth)
{
	if (ts_node_is_null(n) || depth > DEEP || b->n > LONGEST_CHAIN)
		return false;
	const struct expr_rule *x = rules_expr(r->t, n);
	if (!x)
		return false;
	switch (x->op) {
	case EXPR_NAME:
		if (word_set_has(&r->t->rules->self, r->t->text + node_start_byte(n), node_len(n)))
			buf_str(b, "self");
		else
			put_node(r, n, b);
		return true;
	case EXPR_MEMBER:
		if (!chain_put(r, node_path_get(&x->object, n), b, depth + 1))
			return false;
		buf_byte(b, '.');
		put_node(r, node_path_get(&x->name, n), b);
		return true;
	case EXPR_CALL:
		if (!chain_put_callee(r, x, n, b, depth + 1))
			return false;
		buf_str(b, "()");
		return true;
	case EXPR_NEW:
		put_node(r, node_path_get(&x->type, n), b);
		buf_byte(b, '!');
		return true;
	case EXPR_INNER:
	case EXPR_CAST:
		if (x->of.n)
			return chain_put(r, node_path_get(&x->of, n), b, depth + 1);
		return chain_put(r, ts_node_named_child(n, 0), b, depth + 1);
	case EXPR_INDEX:
	case EXPR_SUM: break;
	}
	return false;
}

const char *node_dotted_name(const struct contract_file *r, TSNode n, struct arena *a)
{
	struct buf b = { 0 };
	const char *s = NULL;

	if (chain_put(r, n, &b, 0) && b.n < LONGEST_CHAIN)
		s = arena_strn(a, b.p, b.n);
	buf_free(&b);
	for (const char *c = s; c && *c; c++)
		if (isspace((unsigned char)*c))
			return NULL;
	return s;
}

const char *token_dotted_name(const struct contract_file *in, TSNode n, struct arena *a)
{
	const struct syntax_tree *t = in->t;
	const struct node_rule *around = rules_of(t->rules, node_parent(n));
	const char *name = arena_strn(a, t->text + node_start_byte(n), node_len(n));

	if (!around || !(around->marks & MARK_TOKENS))
		return NULL;
	for (TSNode sign = ts_node_prev_sibling(n); !ts_node_is_null(sign) && node_is(t, sign, "::");
	     sign = ts_node_prev_sibling(n)) {
		n = ts_node_prev_sibling(sign);
		if (ts_node_is_null(n) || strlen(name) > LONGEST_CHAIN)
			break;
		name = arena_printf(a, "%.*s.%s", (int)node_len(n), t->text + node_start_byte(n), name);
	}
	if (strchr(name, '.'))
		return name;
	return NULL;
}

void dataflow_note(struct dataflow_context *a, const struct dataflow_context *searched)
{
	a->unknown |= searched->unknown;
	a->placed |= searched->placed;
	a->defaulted |= searched->defaulted;
	a->decided |= searched->decided;
	a->own |= searched->own;
	a->owned |= searched->owned;
	a->by_object |= searched->by_object;
	a->choices = MAX(a->choices, searched->choices);
	a->depth = searched->depth;
}

/* ---- bindings ---- */

static bool binding_within(const struct binding *b, const struct definition *range)
{
	return node_start_byte(b->value) >= range->start_byte &&
	    node_end_byte(b->value) <= range->end_byte;
}

const struct binding *find_local_binding(const struct syntax_tree *t, const char *name, size_t n,
    uint32_t at, const struct definition *range)
{
	const struct binding *best = NULL;
	bool twice = false;

	for (const struct binding *b = NULL; (b = binding_named(t, name, n, b));) {
		if (at < b->from || at >= b->to)
			continue;
		if (range && !binding_within(b, range))
			continue;
		if (best && b->from == best->from && b->to == best->to) {
			twice = true;
		} else if (!best || b->to - b->from < best->to - best->from) {
			best = b;
			twice = false;
		}
	}
	if (twice)
		return NULL;
	return best;
}
