/* The arguments that calls pass for parameters, by the field names that grammars have in common. */
#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/parameters_internal.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

/* What a parameter that is a member or an element of its argument has. */
static struct expression part_of_argument(struct dataflow_context *a,
    const struct contract_file *in, const struct parameter *p, struct expression argument)
{
	if (ts_node_is_null(argument.n))
		return argument;
	if (p->place)
		return list_element_at(a, argument, (size_t)p->place - 1);
	if (ts_node_is_null(p->key))
		return argument;
	return origin_member(
	    a, argument, arena_strn(a->a, in->t->text + node_start_byte(p->key), node_len(p->key)));
}

struct expression parameter_of_callback(struct dataflow_context *a, const struct contract_file *in,
    TSNode function, struct expression value, const char *name, size_t n)
{
	struct parameters p;
	const struct parameter *x;

	parameters_of(in, function, &p);
	x = parameter_find(&p, name, n);
	bool parts = p.next > 1 && strstr(ts_node_type(function), "block"); /* |verb, path| */
	if (x && parts)
		return list_element_at(a, value, (size_t)x->index);
	if (!x || x->index)
		return (struct expression){ 0 };
	return part_of_argument(a, in, x, value);
}

static TSNode argument_list(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);
	TSNode list = { 0 };

	if (x)
		list = node_path_get(&x->arguments, call);
	if (ts_node_is_null(list))
		list = node_field(call, "arguments");
	for (uint32_t i = 0, count = ts_node_named_child_count(call);
	     i < count && ts_node_is_null(list); i++) {
		TSNode k = ts_node_named_child(call, i);
		if (node_type_is(k, "argument_list") || node_type_is(k, "value_arguments") ||
		    node_type_is(k, "attribute_argument_list"))
			list = k;
	}
	return list;
}

size_t call_arguments(const struct syntax_tree *t, TSNode call, TSNode *out, size_t max)
{
	TSNode list = argument_list(t, call);
	size_t n = 0;

	if (ts_node_is_null(list))
		return 0;
	for (uint32_t i = 0, count = ts_node_named_child_count(list); i < count && n < max; i++)
		if (!parameters_comment(t, ts_node_named_child(list, i)))
			out[n++] = ts_node_named_child(list, i);
	return n;
}

/* The name and the value of a keyword argument, `name = value`; false: it is another one. */
static bool keyword(TSNode argument, TSNode *name, TSNode *value)
{
	uint32_t count = ts_node_named_child_count(argument);

	if (!strstr(ts_node_type(argument), "argument") && !node_type_is(argument, "pair"))
		return false;
	*name = parameters_first_field(argument, "name", "key", "label");
	*value = node_field(argument, "value");
	if (ts_node_is_null(*value) && count > 1)
		*value = ts_node_named_child(argument, count - 1);
	if (ts_node_is_null(*name) && count > 1 && node_type_is(argument, "value_argument"))
		*name = ts_node_named_child(argument, 0);
	return !ts_node_is_null(*name) && !ts_node_is_null(*value);
}

static TSNode argument_at(const struct syntax_tree *t, TSNode call, const struct parameters *all,
    const struct parameter *p, const char *text)
{
	TSNode v[MAX_ARGUMENTS], name, value, object = { 0 };
	size_t n = call_arguments(t, call, v, MAX_ARGUMENTS);

	if (all->extends)
		object = call_receiver(t, call);
	int at = !ts_node_is_null(object) && (int)n < all->next;
	if (at && !p->index)
		return object;
	for (size_t i = 0; i < n; i++) {
		if (keyword(v[i], &name, &value)) {
			if (node_is(t, name, text + (*text == '$')))
				return value;
			continue;
		}
		if (at++ != p->index)
			continue;
		if (node_type_is(v[i], "argument") || node_type_is(v[i], "value_argument") ||
		    node_type_is(v[i], "attribute_argument"))
			return ts_node_named_child(v[i], ts_node_named_child_count(v[i]) - 1);
		return v[i];
	}
	return (TSNode){ 0 };
}

/* Whether the parameter has all keyword arguments: **options. */
static bool takes_keywords(const struct parameter *p)
{
	TSNode around = node_parent(p->name);

	return node_type_is(around, "hash_splat_parameter") ||
	    node_type_is(around, "dictionary_splat_pattern");
}

/* Whether an argument names its parameter (Python), so that it is no part of an object. */
static bool has_keywords(TSNode list)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(list); i < count; i++)
		if (node_type_is(ts_node_named_child(list, i), "keyword_argument"))
			return true;
	return false;
}

/*
 * The object without braces that the last arguments are, if it is for the parameter; or a null
 * node.
 */
static TSNode braceless_argument(
    const struct syntax_tree *t, TSNode call, const struct parameter *p)
{
	TSNode list = argument_list(t, call), none = { 0 }, around = node_parent(p->name);
	int positional = 0;

	if (!ts_node_is_null(list) && takes_keywords(p))
		return list;
	if (ts_node_is_null(list) || !literal_is_object(list) ||
	    node_type_is(around, "keyword_parameter") || has_keywords(list))
		return none;
	for (uint32_t i = 0, count = ts_node_named_child_count(list); i < count; i++)
		positional += !node_type_is(ts_node_named_child(list, i), "pair");
	if (positional == p->index)
		return list;
	return none;
}

/* The first argument that a caller passes on with others: send(...rest); or a null node. */
static struct expression spread_argument(struct expression spread)
{
	struct expression first = { 0 };

	spread.n = ts_node_named_child(spread.n, 0);
	if (!ts_node_is_null(spread.n))
		rest_arguments(spread.given, spread, &first, 1);
	return first;
}

struct expression parameter_object(
    struct dataflow_context *a, const struct call_frame *g, const char *name, size_t n)
{
	struct parameters p;

	parameters_of(g->in, g->function, &p);
	const struct parameter *x = parameter_find(&p, name, n);
	if (!x || ts_node_is_null(x->key))
		return (struct expression){ 0 };
	TSNode argument = argument_at(g->call.in->t, g->call.n, &p, x, arena_strn(a->a, name, n));
	struct expression out = { g->call.in, argument, g->call.given };
	if (!ts_node_is_null(argument) && strstr(ts_node_type(argument), "spread"))
		return spread_argument(out);
	return out;
}

struct expression parameter_argument(
    struct dataflow_context *a, const struct call_frame *g, const char *name, size_t n)
{
	struct parameters p;

	if (g->element)
		return parameter_of_callback(a, g->in, g->function, *g->element, name, n);
	parameters_of(g->in, g->function, &p);
	const struct parameter *x = parameter_find(&p, name, n);
	if (!x)
		return (struct expression){ 0 };
	const char *text = arena_strn(a->a, name, n);
	TSNode argument = { 0 };
	if (!takes_keywords(x))
		argument = argument_at(g->call.in->t, g->call.n, &p, x, text);
	if (ts_node_is_null(argument))
		argument = braceless_argument(g->call.in->t, g->call.n, x);
	struct expression out = { g->call.in, argument, g->call.given };
	if (!ts_node_is_null(argument) && strstr(ts_node_type(argument), "spread"))
		out = spread_argument(out);
	if (ts_node_is_null(out.n) || ts_node_eq(out.n, argument)) {
		struct expression element = element_of_spread(a, g, x->index);
		if (!ts_node_is_null(element.n))
			out = element;
	}
	out = part_of_argument(a, g->in, x, out);
	if (ts_node_is_null(out.n) && !ts_node_is_null(x->fallback))
		return (struct expression){ g->in, x->fallback, NULL };
	return out;
}

const struct call_frame *call_frames_within(
    struct arena *a, const struct call_frame *inner, const struct call_frame *outer)
{
	struct call_frame *g;

	if (!inner)
		return outer;
	if (!outer)
		return inner;
	g = arena_one(a, struct call_frame);
	*g = *inner;
	g->call.given = call_frames_within(a, inner->call.given, outer);
	return g;
}

/* The call that gives a parameter with all other arguments its value, and its place; or NULL. */
static const struct call_frame *rest_frame(
    const struct call_frame *given, struct expression t, int *index)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	TSNode function = function_of_parameter(t.in, t.n, name, node_len(t.n));
	struct parameters p;

	if (ts_node_is_null(function))
		return NULL;
	parameters_of(t.in, function, &p);
	const struct parameter *x = parameter_find(&p, name, node_len(t.n));
	if (!x || !x->rest)
		return NULL;
	*index = x->index;
	while (given && (given->in != t.in || !ts_node_eq(given->function, function)))
		given = given->call.given;
	return given;
}

bool rest_is_given(const struct call_frame *given, struct expression t)
{
	int index;

	return rest_frame(given, t, &index) != NULL;
}

size_t rest_arguments(
    const struct call_frame *given, struct expression t, struct expression *out, size_t max)
{
	TSNode v[MAX_ARGUMENTS];
	int index = 0;
	size_t n = 0;

	given = rest_frame(given, t, &index);
	if (!given)
		return 0;
	size_t count = call_arguments(given->call.in->t, given->call.n, v, MAX_ARGUMENTS);
	for (size_t i = (size_t)index; i < count && n < max; i++)
		if (!node_type_is(v[i], "pair") && !node_type_is(v[i], "keyword_argument"))
			out[n++] = (struct expression){ given->call.in, v[i], given->call.given };
	return n;
}

bool parameter_is_absent(struct dataflow_context *a, struct expression t)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	size_t n = node_len(t.n);
	TSNode function = function_of_parameter(t.in, t.n, name, n);

	for (const struct call_frame *g = t.given; g && !ts_node_is_null(function); g = g->call.given) {
		if (g->in != t.in || !ts_node_eq(g->function, function))
			continue;
		if (!ts_node_is_null(parameter_argument(a, g, name, n).n))
			return false;
		struct expression object = parameter_object(a, g, name, n);
		if (ts_node_is_null(object.n))
			return false;
		struct origin o = origin_of(a, object);
		return o.what == ORIGIN_NODE && literal_is_object(o.at.n) && !literal_is_open(a, object);
	}
	return false;
}
