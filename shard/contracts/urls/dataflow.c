#include "shard/contracts/urls/dataflow.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

enum { DEEP = 24, LONGEST_CHAIN = 300, MANY = 400 };

/* ---- where a node is ---- */

int enclosing_definition(const struct contract_file *r, uint32_t at, bool callable)
{
	int best = -1;

	for (size_t i = 0; i < r->found->n; i++) {
		const struct definition *d = &r->found->v[i].def;
		if (d->start_byte > at)
			break;
		if (at < d->end_byte && (!callable || d->signature))
			best = (int)i;
	}
	return best;
}

const struct def_rule *function_rule(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = ts_node_is_null(n) ? NULL : rules_of(t->rules, n);
	const struct def_rule *d = NULL;

	if (r)
		d = r->defs;
	while (d && !(d->result.n && condition_holds(&d->when, t, n)))
		d = d->next;
	return d;
}

bool is_function_node(const struct syntax_tree *t, TSNode n)
{
	const struct rules *r = t->rules;

	if (strstr(ts_node_type(n), "type"))
		return false;
	return function_rule(t, n) || !ts_node_is_null(nodes_field(n, r->parameters)) ||
	    (!ts_node_is_null(nodes_field(n, r->parameter)) &&
	        !ts_node_is_null(nodes_field(n, r->body))) ||
	    node_type_is(n, "function_declaration") || node_type_is(n, "lambda_literal");
}

TSNode enclosing_function(const struct contract_file *r, TSNode n)
{
	while (!ts_node_is_null(n) && !is_function_node(r->t, n))
		n = ts_node_parent(n);
	return n;
}

/*
 * The first node from `n` on that is a function and begins behind `from`: attributes of a
 * definition are no part of its node (Rust).
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

TSNode definition_function_node(const struct contract_file *r, int definition)
{
	const struct definition *d = &r->found->v[definition].def;
	int budget = MANY;

	if (!d->signature)
		return (TSNode){ 0 };
	return first_function(r->t,
	    ts_node_descendant_for_byte_range(
	        r->t->root, d->start_byte, d->end_byte ? d->end_byte - 1 : 0),
	    d->start_byte, &budget);
}

/* ---- what a function returns ---- */

struct return_collector {
	const struct syntax_tree *t;
	TSNode *out, function;
	size_t n, max;
	int budget;
};

static void gather_returns(struct return_collector *x, TSNode n)
{
	const struct node_rule *r = rules_of(x->t->rules, n);

	if (x->n == x->max || --x->budget < 0)
		return;
	if (!ts_node_eq(n, x->function) && is_function_node(x->t, n))
		return;
	const struct def_rule *d = function_rule(x->t, n);
	if (d) {
		TSNode v = node_path_get(&d->result, n);
		if (!ts_node_is_null(v))
			x->out[x->n++] = v;
		return;
	}
	if (r && r->returns) {
		TSNode v = node_path_get(r->returns, n);
		if (!ts_node_is_null(v) && !strstr(ts_node_type(v), "block") &&
		    !strstr(ts_node_type(v), "body"))
			x->out[x->n++] = v;
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		gather_returns(x, ts_node_named_child(n, i));
}

size_t function_return_values(
    const struct contract_file *r, TSNode function, TSNode *out, size_t max)
{
	struct return_collector x = {
		.t = r->t, .out = out, .function = function, .max = max, .budget = MANY * 4
	};

	gather_returns(&x, function);
	return x.n;
}

/* ---- chains ---- */

static bool chain_put(const struct contract_file *r, TSNode n, struct buf *b, int depth)
{
	const struct expr_rule *x = NULL;

	if (!ts_node_is_null(n) && depth <= DEEP && b->n <= LONGEST_CHAIN)
		x = rules_expr(r->t, n);
	if (!x)
		return false;
	switch (x->op) {
	case EXPR_NAME:
		if (word_set_has(&r->t->rules->self, r->t->text + node_start_byte(n), node_len(n)))
			buf_str(b, "self");
		else
			buf_put(b, r->t->text + node_start_byte(n), node_len(n));
		return true;
	case EXPR_MEMBER:
		if (!chain_put(r, node_path_get(&x->object, n), b, depth + 1))
			return false;
		n = node_path_get(&x->name, n);
		buf_byte(b, '.');
		buf_put(b, r->t->text + node_start_byte(n), ts_node_is_null(n) ? 0 : node_len(n));
		return true;
	case EXPR_CALL:
		if (x->function.n) {
			if (!chain_put(r, node_path_get(&x->function, n), b, depth + 1))
				return false;
		} else {
			TSNode object = node_path_get(&x->object, n), name = node_path_get(&x->name, n);
			if (!ts_node_is_null(object) && !chain_put(r, object, b, depth + 1))
				return false;
			if (!ts_node_is_null(object))
				buf_byte(b, '.');
			buf_put(
			    b, r->t->text + node_start_byte(name), ts_node_is_null(name) ? 0 : node_len(name));
		}
		buf_str(b, "()");
		return true;
	case EXPR_NEW:
		n = node_path_get(&x->type, n);
		buf_put(b, r->t->text + node_start_byte(n), ts_node_is_null(n) ? 0 : node_len(n));
		buf_byte(b, '!');
		return true;
	case EXPR_INNER:
	case EXPR_CAST:
		return chain_put(
		    r, x->of.n ? node_path_get(&x->of, n) : ts_node_named_child(n, 0), b, depth + 1);
	case EXPR_INDEX:
		break;
	}
	return false;
}

const char *node_dotted_name(const struct contract_file *r, TSNode n, struct arena *a)
{
	struct buf b = { 0 };
	bool is = chain_put(r, n, &b, 0) && b.n < LONGEST_CHAIN;
	const char *s = NULL;

	if (is)
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
	const struct node_rule *around = rules_of(t->rules, ts_node_parent(n));
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

/* ---- bindings ---- */

/*
 * What a name is given in the innermost function around `at`, if it is once; `range`: bytes of
 * which it must be a part.
 */
const struct binding *find_local_binding(const struct syntax_tree *t, const char *name, size_t n,
    uint32_t at, const struct definition *range)
{
	const struct binding *best = NULL;
	bool twice = false;

	for (size_t i = 0; i < t->bindings.n; i++) {
		const struct binding *b = &t->bindings.v[i];
		if (at < b->from || at >= b->to || strlen(b->name) != n || memcmp(b->name, name, n))
			continue;
		if (range &&
		    (node_start_byte(b->value) < range->start_byte ||
		        node_end_byte(b->value) > range->end_byte))
			continue;
		if (best && b->from == best->from && b->to == best->to) {
			twice = true;
		} else if (!best || b->to - b->from < best->to - best->from) {
			best = b;
			twice = false;
		}
	}
	return twice ? NULL : best;
}
