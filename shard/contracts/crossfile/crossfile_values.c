#include "shard/contracts/crossfile/crossfile_internal.h"

#include <string.h>

#include "proto/base/arena.h"
#include "shard/syntax/node_rules.h"

/*
 * Functions that are passed to a call as values: the callee may call them with other arguments of
 * its call (fetch hooks: `apply` of nodes.tab), or is a function of this repository that calls its
 * parameter.
 */

enum { MOST_NODES = 20000, MAX_ARGUMENTS = 8, LONGEST = 120 };

/* A function whose name is looked for among the arguments of calls. */
struct passed_function {
	struct crossfile *join;
	const char *name;
	struct expression *out;
	size_t *n, max;
	int budget;
	int depth; /* how many functions pass it on */
};

static void find_uses(struct passed_function *, struct contract_file *, TSNode within,
    const struct call_frame *given);

static TSNode callee_of(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);

	if (!x || x->op != EXPR_CALL)
		return (TSNode){ 0 };
	return node_path_get(&x->function, call);
}

static void put_call(struct passed_function *f, struct contract_file *in, TSNode call,
    const struct call_frame *given)
{
	if (*f->n < f->max)
		f->out[(*f->n)++] = (struct expression){ in, call, given };
}

/* The length of a callee without type arguments. */
static size_t bare_length(const struct syntax_tree *t, TSNode callee)
{
	const char *s = t->text + node_start_byte(callee), *open = memchr(s, '<', node_len(callee));

	if (open)
		return (size_t)(open - s);
	return node_len(callee);
}

/* What a function of this repository does with its parameter of that number. */
static void follow_into_callee(struct passed_function *f, struct contract_file *in, TSNode call,
    TSNode callee, int number, const struct call_frame *given)
{
	struct dataflow_context a = {
		.join = f->join, .a = f->join->look.a, .budget = 400, .home = in
	};
	struct origin o = origin_of(&a, (struct expression){ in, callee, given });
	struct passed_function inner = *f;
	TSNode function = { 0 };

	if (o.what == ORIGIN_DEFINITION)
		function = definition_function_node(o.at.in, o.definition);
	else if (o.what == ORIGIN_NODE && is_function_node(o.at.in->t, o.at.n))
		function = o.at.n;
	if (ts_node_is_null(function) || f->depth > 1)
		return;
	inner.name = parameter_name(o.at.in, function, number, f->join->look.a);
	if (!inner.name)
		return;
	struct call_frame *g = arena_one(f->join->look.a, struct call_frame);
	*g = (struct call_frame){
		.in = o.at.in, .function = function, .call = { in, call, given }, .passes = true
	};
	inner.depth++;
	find_uses(&inner, o.at.in, function, g);
	f->budget = inner.budget;
}

/* Whether an argument is the function: its name, which no parameter around it has. */
static bool is_function_argument(
    const struct passed_function *f, const struct contract_file *in, TSNode argument)
{
	if (!node_is(in->t, argument, f->name))
		return false;
	return f->depth ||
	    ts_node_is_null(function_of_parameter(in, argument, f->name, strlen(f->name)));
}

/* A call that has the function among its arguments, or calls it by the name of a parameter. */
static void use_in_call(struct passed_function *f, struct contract_file *in, TSNode call,
    TSNode callee, const struct call_frame *given)
{
	const struct syntax_tree *t = in->t;
	TSNode argument[MAX_ARGUMENTS];
	size_t n = call_arguments(t, call, argument, MAX_ARGUMENTS);

	if (f->depth && node_is(t, callee, f->name))
		put_call(f, in, call, given);
	for (size_t i = 0; i < n; i++) {
		if (!is_function_argument(f, in, argument[i]))
			continue;
		const char *s = t->text + node_start_byte(callee);
		if (word_set_has(&t->rules->apply, s, bare_length(t, callee))) {
			if (i == 1)
				put_call(f, in, call, given);
		} else {
			follow_into_callee(f, in, call, callee, (int)i, given);
		}
	}
}

static void find_uses(struct passed_function *f, struct contract_file *in, TSNode within,
    const struct call_frame *given)
{
	TSNode callee = callee_of(in->t, within);

	if (--f->budget < 0 || *f->n == f->max)
		return;
	if (!ts_node_is_null(callee))
		use_in_call(f, in, within, callee, given);
	for (uint32_t i = 0, count = ts_node_named_child_count(within); i < count; i++)
		find_uses(f, in, ts_node_named_child(within, i), given);
}

void crossfile_calls_of_value(struct crossfile *j, struct contract_file *r, int definition,
    struct expression *out, size_t *n, size_t max)
{
	const struct definition *d = &r->found->v[definition].def;
	struct passed_function f = {
		.join = j, .name = d->name, .out = out, .n = n, .max = max, .budget = MOST_NODES
	};
	size_t nfiles = 0;

	if (!r->t->rules->apply.n || strlen(d->name) > LONGEST)
		return;
	find_uses(&f, r, r->t->root, NULL);
	if (d->parent >= 0 || !d->exported)
		return;
	struct source_file **files = crossfile_referring_files(j, r->file, j->look.a, &nfiles);
	for (size_t i = 0; i < nfiles && *n < max; i++) {
		struct contract_file *user = other_files_read(j, files[i]);
		if (!user || user == r || !memmem(user->t->text, user->t->n, d->name, strlen(d->name)))
			continue;
		f.budget = MOST_NODES;
		find_uses(&f, user, user->t->root, NULL);
	}
}
