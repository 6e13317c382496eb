#include "shard/contracts/crossfile/crossfile_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/syntax/node_rules.h"

/*
 * Functions that another function makes and returns, alone or in an object: they are called where
 * the result of that function is used.
 */

enum { MAX_MAKERS = 64, MAX_RETURNED = 4, MOST_NODES = 20000, DEEPEST = 3, LONGEST = 120 };

/* A function that another one returns. */
struct returned_function {
	struct crossfile *join;
	struct contract_file *in;
	TSNode function;
	const char *name; /* in the function that makes it; or NULL */
	const char *member; /* of the object that is returned; NULL: it is returned itself */
	struct expression *out;
	size_t *n, max;
};

/* Whether an expression means the function: its node, its name, or a choice of names. */
static bool means_function(const struct returned_function *f, TSNode n, int depth)
{
	if (ts_node_is_null(n) || depth > DEEPEST)
		return false;
	if (ts_node_eq(n, f->function) || (f->name && node_is(f->in->t, n, f->name)))
		return true;
	const struct node_rule *r = rules_of(f->in->t->rules, n);
	if (!r || (r->op != VALUE_CHOICE && r->op != VALUE_INNER && r->op != VALUE_EITHER))
		return false;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		if (means_function(f, ts_node_named_child(n, i), depth + 1))
			return true;
	return false;
}

static void find_member(void *arg, struct expression key, struct expression value)
{
	struct returned_function *f = arg;
	const char *s = key.in->t->text + node_start_byte(key.n);
	size_t n = node_len(key.n);

	if (f->member || value.in != f->in || n >= LONGEST)
		return;
	TSNode made = value.n;
	if (!ts_node_eq(made, f->function) && is_function_node(f->in->t, made) &&
	    node_within(f->function, made) && node_end_byte(f->function) == node_end_byte(made))
		made = f->function;
	if (!means_function(f, made, 0))
		return;
	if (n > 2 && strchr("\"'", *s)) {
		s++;
		n -= 2;
	}
	f->member = arena_strn(f->join->look.a, s, n);
}

/* Whether the function `maker` returns the function; sets `member`. */
static bool is_returned(struct returned_function *f, TSNode maker)
{
	struct dataflow_context a = {
		.join = f->join, .a = f->join->look.a, .budget = 400, .home = f->in
	};
	TSNode value[MAX_RETURNED];
	size_t n = function_return_values(f->in, maker, value, MAX_RETURNED);

	for (size_t i = 0; i < n; i++) {
		struct expression t = { f->in, value[i], NULL };
		if (means_function(f, value[i], 0))
			return true;
		literal_each_member(&a, t, find_member, f, 0);
		if (f->member)
			return true;
	}
	return false;
}

static void put_call(struct returned_function *f, struct contract_file *in, TSNode call,
    const struct call_frame *given)
{
	if (*f->n < f->max)
		f->out[(*f->n)++] = (struct expression){ in, call, given };
}

/* The calls, in a part of a file, of what has the dotted name there. */
static void calls_of_name(struct returned_function *f, struct contract_file *in, TSNode n,
    const char *name, const struct call_frame *given, int *budget)
{
	const struct expr_rule *x = rules_expr(in->t, n);

	if (--*budget < 0 || *f->n == f->max)
		return;
	if (x && x->op == EXPR_CALL) {
		const char *callee = node_dotted_name(in, n, f->join->look.a);
		size_t len = strlen(name);
		if (callee && !strncmp(callee, name, len) && !strcmp(callee + len, "()"))
			put_call(f, in, n, given);
	}
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		calls_of_name(f, in, ts_node_named_child(n, i), name, given, budget);
}

/* The name that a pattern, { get, post: send }, gives to the member; or a null node. */
static TSNode name_in_pattern(
    const struct returned_function *f, const struct contract_file *in, TSNode pattern)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(pattern); i < count && f->member; i++) {
		TSNode k = ts_node_named_child(pattern, i), name = node_field(k, "value"), key, fallback;
		if (ts_node_is_null(name))
			name = node_field(k, "left");
		if (ts_node_is_null(name))
			name = k;
		const char *text = in->t->text + node_start_byte(name);
		if (pattern_has_name(in, pattern, text, node_len(name), &key, &fallback) &&
		    !ts_node_is_null(key) && node_is(in->t, key, f->member))
			return name;
	}
	return (TSNode){ 0 };
}

/* The definition of a file that has the name and begins before the byte; or -1. */
static int global_named(const struct contract_file *in, TSNode name)
{
	for (size_t i = 0; i < in->found->n; i++) {
		const struct definition *d = &in->found->v[i].def;
		if (d->parent < 0 && node_is(in->t, name, d->name) &&
		    d->start_byte <= node_start_byte(name) && node_end_byte(name) <= d->end_byte)
			return (int)i;
	}
	return -1;
}

/* The dotted name by which the function is called where a name or member holds the result; or NULL. */
static const char *called_name(
    const struct returned_function *f, const struct contract_file *in, TSNode name)
{
	const char *holder = node_dotted_name(in, name, f->join->look.a);

	if (!holder || !f->member)
		return holder;
	return arena_printf(f->join->look.a, "%s.%s", holder, f->member);
}

/* The part of the file where the name of a result is seen: of a member, the type around. */
static TSNode scope_of_name(const struct contract_file *in, TSNode name)
{
	int type = enclosing_type_index(in, name);
	TSNode scope = { 0 };

	if (!ts_node_named_child_count(name))
		scope = enclosing_function(in, name);
	else if (type >= 0)
		return definition_node(in, type);
	if (ts_node_is_null(scope))
		return in->t->root;
	return scope;
}

/* The calls in the part of the file where a local name that holds the result is seen. */
static void calls_by_name(struct returned_function *f, struct contract_file *in, TSNode name,
    const char *dotted, const struct call_frame *given)
{
	int budget = MOST_NODES;

	calls_of_name(f, in, scope_of_name(in, name), dotted, given, &budget);
	int global = global_named(in, name);
	if (global < 0 || !in->file)
		return;
	size_t nfiles;
	struct source_file **files = crossfile_referring_files(
	    f->join, in->file, f->join->look.a, &nfiles);
	for (size_t i = 0; i < nfiles && *f->n < f->max; i++) {
		struct contract_file *r = other_files_read(f->join, files[i]);
		if (!r || r == in)
			continue;
		budget = MOST_NODES;
		calls_of_name(f, r, r->t->root, dotted, given, &budget);
	}
}

/* The node to which the result of a call is given, behind `await` and the like. */
static TSNode around_value(const struct contract_file *in, TSNode n)
{
	for (TSNode p = node_parent(n); !ts_node_is_null(p); p = node_parent(p)) {
		const struct node_rule *r = rules_of(in->t->rules, p);
		if (!r || r->op != VALUE_INNER)
			return p;
	}
	return (TSNode){ 0 };
}

/* The calls of the function where one call of its maker is used. */
static void calls_of_result(struct returned_function *f, struct expression made, TSNode maker)
{
	struct contract_file *in = made.in;
	TSNode around = around_value(in, made.n), name;
	struct call_frame *g = arena_one(f->join->look.a, struct call_frame);

	*g = (struct call_frame){ .in = f->in, .function = maker, .call = made };
	if (ts_node_is_null(around))
		return;
	const struct expr_rule *x = rules_expr(in->t, around);
	TSNode call = node_parent(around);
	if (x && x->op == EXPR_MEMBER && f->member && !ts_node_is_null(call) &&
	    node_is(in->t, node_path_get(&x->name, around), f->member)) {
		x = rules_expr(in->t, call);
		if (x && x->op == EXPR_CALL)
			put_call(f, in, call, g);
		return;
	}
	if (x && x->op == EXPR_CALL && !f->member &&
	    node_start_byte(around) == node_start_byte(made.n)) {
		put_call(f, in, around, g);
		return;
	}
	name = node_field(around, "name");
	if (ts_node_is_null(name))
		name = node_field(around, "left");
	if (ts_node_is_null(name) || node_len(name) > 4 * LONGEST)
		return;
	TSNode inner = name_in_pattern(f, in, name);
	const char *dotted = called_name(f, in, name);
	if (!ts_node_is_null(inner))
		calls_by_name(f, in, inner,
		    arena_strn(f->join->look.a, in->t->text + node_start_byte(inner), node_len(inner)), g);
	else if (dotted && node_len(name) < LONGEST)
		calls_by_name(f, in, name, dotted, g);
}

void crossfile_calls_of_returned(struct crossfile *j, struct contract_file *r, TSNode function,
    int maker, const char *name, struct expression *out, size_t *n, size_t max)
{
	struct returned_function f = {
		.join = j, .in = r, .function = function, .name = name, .out = out, .n = n, .max = max
	};
	struct expression made[MAX_MAKERS];
	TSNode makes = { 0 };

	if (maker >= 0 && r->found->v[maker].def.signature)
		makes = definition_function_node(r, maker);
	if (ts_node_is_null(function) || ts_node_is_null(makes) || !is_returned(&f, makes))
		return;
	size_t makers = crossfile_callers(j, r, maker, made, MAX_MAKERS);
	for (size_t i = 0; i < makers; i++)
		calls_of_result(&f, made[i], makes);
}

size_t crossfile_calls_of_anonymous(struct crossfile *j, struct contract_file *r, TSNode function,
    struct expression *out, size_t max)
{
	int maker = enclosing_definition(r, node_start_byte(function), true);
	size_t n = 0;

	if (r->file)
		crossfile_calls_of_returned(j, r, function, maker, NULL, out, &n, max);
	return n;
}
