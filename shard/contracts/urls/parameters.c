#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/dataflow.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

/*
 * Parameters of functions and the arguments that calls pass for them, by the field names that
 * grammars have in common.
 */

enum { MAX_ARGUMENTS = 32, MAX_NAMES = 32, DEEPEST = 6 };

/* One name that a parameter list gives. */
struct parameter {
	TSNode name;
	int index;		/* of the argument */
	TSNode key;		/* the name is a member of that argument; null: the argument itself */
	TSNode fallback;	/* its value when there is none; null */
	bool rest; /* it has all other arguments */
};

struct parameters {
	const struct contract_file *in;
	struct parameter v[MAX_NAMES];
	size_t n;
	int next;
	/* the first is what the function is called on, as if it were a method (C#) */
	bool extends;
	bool rest; /* the parameter that is being read has all other arguments */
	bool rest_next; /* a modifier says so of the next one (Kotlin) */
};

static TSNode first_field(TSNode n, const char *a, const char *b, const char *c)
{
	TSNode x = node_field(n, a);

	if (ts_node_is_null(x))
		x = node_field(n, b);
	if (ts_node_is_null(x))
		return node_field(n, c);
	return x;
}

static void add(struct parameters *p, TSNode name, TSNode key, TSNode fallback)
{
	if (p->n < MAX_NAMES)
		p->v[p->n++] = (struct parameter){ name, p->next, key, fallback, p->rest };
}

static void add_pattern(struct parameters *, TSNode n, TSNode key, TSNode fallback, int depth);

/* { a, b: c, d = 1 } */
static void add_members(struct parameters *p, TSNode pattern, int depth)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(pattern); i < count && i < MAX_NAMES;
	     i++) {
		TSNode k = ts_node_named_child(pattern, i), key = node_field(k, "key"),
		       left = node_field(k, "left");
		if (!ts_node_is_null(key))
			add_pattern(p, node_field(k, "value"), key, (TSNode){ 0 }, depth + 1);
		else if (!ts_node_is_null(left))
			add(p, left, left, node_field(k, "right"));
		else if (!ts_node_named_child_count(k))
			add(p, k, k, (TSNode){ 0 });
		else if (strstr(ts_node_type(k), "rest")) /* the others: as if it were the whole */
			add(p, ts_node_named_child(k, 0), (TSNode){ 0 }, (TSNode){ 0 });
	}
}

/* The name in a parameter of a class, behind `private val` (Kotlin); or a null node. */
static TSNode class_parameter_name(TSNode n)
{
	TSNode name = { 0 };

	if (!node_type_is(n, "class_parameter"))
		return name;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count && ts_node_is_null(name);
	     i++)
		if (node_type_is(ts_node_named_child(n, i), "simple_identifier"))
			name = ts_node_named_child(n, i);
	return name;
}

/* What stands behind the sign `=` in a parameter whose grammar has no field for it; or a null node. */
static TSNode default_behind_sign(TSNode n)
{
	TSNode none = { 0 };

	for (uint32_t i = 0, count = ts_node_child_count(n); i + 1 < count; i++)
		if (node_type_is(ts_node_child(n, i), "="))
			return ts_node_child(n, i + 1);
	return none;
}

static void add_pattern(struct parameters *p, TSNode n, TSNode key, TSNode fallback, int depth)
{
	if (ts_node_is_null(n) || depth > DEEPEST)
		return;
	const struct expr_rule *x = rules_expr(p->in->t, n);
	p->rest |= strstr(ts_node_type(n), "rest_") || strstr(ts_node_type(n), "splat");
	if (!ts_node_named_child_count(n) || (x && x->op == EXPR_NAME)) {
		add(p, n, key, fallback);
		return;
	}
	if (node_type_is(n, "object_pattern")) {
		add_members(p, n, depth);
		return;
	}
	TSNode inner = first_field(n, "pattern", "left", "name");
	if (ts_node_is_null(inner))
		inner = class_parameter_name(n);
	if (ts_node_is_null(inner) && node_type_is(n, "spread_parameter")) /* Java */
		inner = ts_node_named_child(n, ts_node_named_child_count(n) - 1);
	if (ts_node_is_null(inner))
		inner = ts_node_named_child(n, 0);
	TSNode value = first_field(n, "value", "right", "default_value");
	if (node_type_is(n, "class_parameter") || node_type_is(n, "parameter"))
		value = default_behind_sign(n);
	if (!ts_node_is_null(value))
		fallback = value;
	add_pattern(p, inner, key, fallback, depth + 1);
}

static bool comment(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	return r && r->marks & MARK_COMMENT;
}

/* Whether the parameter has all other arguments, by the names that grammars give to such nodes. */
static bool is_variadic(TSNode n)
{
	return strstr(ts_node_type(n), "variadic") || node_type_is(n, "spread_parameter");
}

/* The names of a parameter that may have several, or only a type (Go); whether it has any. */
static bool add_names(struct parameters *p, TSNode n)
{
	TSTreeCursor c = ts_tree_cursor_new(n);
	int names = 0;

	for (bool more = ts_tree_cursor_goto_first_child(&c); more;
	     more = ts_tree_cursor_goto_next_sibling(&c)) {
		const char *f = ts_tree_cursor_current_field_name(&c);
		if (f && !strcmp(f, "name") && ++names) {
			add(p, ts_tree_cursor_current_node(&c), (TSNode){ 0 }, (TSNode){ 0 });
			p->next++;
		}
	}
	ts_tree_cursor_delete(&c);
	return names > 0;
}

/* One child of a parameter list. */
static void add_parameter(struct parameters *p, TSNode n)
{
	const struct syntax_tree *t = p->in->t;
	bool rest = p->rest_next || is_variadic(n);

	p->rest_next = false;
	if (node_type_is(n, "parameter_declaration") && add_names(p, n))
		return;
	size_t before = p->n;
	p->rest = rest;
	add_pattern(p, n, (TSNode){ 0 }, (TSNode){ 0 }, 0);
	bool self = !p->next && p->n == before + 1 &&
	    word_set_has(&t->rules->self, t->text + node_start_byte(p->v[before].name),
	        node_len(p->v[before].name));
	if (self)
		p->n = before;
	else
		p->next++;
}

/* Parameter lists that are not fields of functions, and those of classes (Kotlin, C#). */
static bool is_parameter_list(TSNode n)
{
	static const char *const types[] = { "function_value_parameters", "lambda_parameters",
		"primary_constructor", "parameter_list" };

	for (size_t i = 0; i < LEN(types); i++)
		if (node_type_is(n, types[i]))
			return true;
	return false;
}

static TSNode parameter_list(const struct syntax_tree *t, TSNode function)
{
	const struct def_rule *d = function_rule(t, function);

	if (d)
		return node_path_get(&d->given, function);
	TSNode list = node_field(function, "parameters");
	if (ts_node_is_null(list))
		list = node_field(function, "parameter");
	for (uint32_t i = 0, n = ts_node_named_child_count(function);
	     ts_node_is_null(list) && i < n && i < 12; i++)
		if (is_parameter_list(ts_node_named_child(function, i)))
			list = ts_node_named_child(function, i);
	return list;
}

bool is_extension_method(const struct contract_file *in, TSNode function)
{
	static const char word[] = "this ";
	TSNode list = parameter_list(in->t, function);

	if (ts_node_is_null(list))
		return false;
	TSNode first = ts_node_named_child(list, 0);
	return !ts_node_is_null(first) && node_len(first) > sizeof word &&
	    !memcmp(in->t->text + node_start_byte(first), word, sizeof word - 1);
}

/* A default that stands beside its parameter (Kotlin), as modifiers do. */
static void add_default(struct parameters *p, TSNode n)
{
	static const char word[] = "vararg";
	const char *text = p->in->t->text + node_start_byte(n);

	if (node_type_is(n, "parameter_modifiers"))
		p->rest_next = memmem(text, node_len(n), word, sizeof word - 1) != NULL;
	if (p->n && !comment(p->in->t, n) && !node_type_is(n, "parameter_modifiers"))
		p->v[p->n - 1].fallback = n;
}

static void parameters_of(const struct contract_file *in, TSNode function, struct parameters *p)
{
	TSNode list = parameter_list(in->t, function);

	p->in = in;
	p->n = 0;
	p->next = 0;
	p->extends = p->rest = false;
	if (ts_node_is_null(list))
		return;
	if (!ts_node_named_child_count(list) && node_len(list) &&
	    in->t->text[node_start_byte(list)] != '(')
		add(p, list, (TSNode){ 0 }, (TSNode){ 0 });	/* x => … */
	bool apart = node_type_is(list, "function_value_parameters");
	TSNode last = node_field(list, "name"), type = node_field(list, "type"); /* params (C#) */
	for (uint32_t i = 0, n = ts_node_named_child_count(list); i < n && i < MAX_ARGUMENTS; i++) {
		TSNode k = ts_node_named_child(list, i);
		if (!ts_node_is_null(last) && ts_node_eq(k, type))
			continue;
		p->rest_next |= !ts_node_is_null(last) && ts_node_eq(k, last);
		if (apart && !node_type_is(k, "parameter"))
			add_default(p, k);
		else if (!comment(in->t, k))
			add_parameter(p, k);
	}
	p->extends = is_extension_method(in, function);
}

int parameter_count(const struct contract_file *in, TSNode function)
{
	struct parameters p = { 0 };

	if (!ts_node_is_null(function))
		parameters_of(in, function, &p);
	return p.next;
}

static const struct parameter *parameter_find(
    const struct parameters *p, const char *name, size_t n)
{
	for (size_t i = 0; i < p->n; i++)
		if (node_len(p->v[i].name) == n &&
		    !memcmp(p->in->t->text + node_start_byte(p->v[i].name), name, n))
			return &p->v[i];
	return NULL;
}

bool is_parameter_default(const struct contract_file *in, TSNode function, TSNode value)
{
	TSNode list = parameter_list(in->t, function);

	return !ts_node_is_null(list) && node_within(value, list);
}

const char *parameter_name(
    const struct contract_file *in, TSNode function, int index, struct arena *a)
{
	struct parameters p;

	parameters_of(in, function, &p);
	for (size_t i = 0; i < p.n; i++)
		if (p.v[i].index == index && ts_node_is_null(p.v[i].key))
			return arena_strn(a, in->t->text + node_start_byte(p.v[i].name), node_len(p.v[i].name));
	return NULL;
}

bool function_has_parameter(
    const struct contract_file *in, TSNode function, const char *name, size_t n)
{
	TSNode list = parameter_list(in->t, function);
	struct parameters p;

	if (ts_node_is_null(list) ||
	    !memmem(in->t->text + node_start_byte(list), node_len(list), name, n))
		return false;
	parameters_of(in, function, &p);
	return parameter_find(&p, name, n) != NULL;
}

struct expression parameter_of_callback(struct dataflow_context *a, const struct contract_file *in,
    TSNode function, struct expression value, const char *name, size_t n)
{
	struct parameters p;
	const struct parameter *x;

	parameters_of(in, function, &p);
	x = parameter_find(&p, name, n);
	if (!x || x->index)
		return (struct expression){ 0 };
	if (ts_node_is_null(x->key))
		return value;
	return origin_member(
	    a, value, arena_strn(a->a, in->t->text + node_start_byte(x->key), node_len(x->key)));
}

TSNode parameter_default_value(
    const struct contract_file *in, TSNode function, const char *name, size_t n)
{
	struct parameters p;
	const struct parameter *x;

	parameters_of(in, function, &p);
	x = parameter_find(&p, name, n);
	if (x)
		return x->fallback;
	return (TSNode){ 0 };
}

/* Whether the text of a parameter says that it may have no value. */
static bool says_optional(const struct syntax_tree *t, TSNode n)
{
	static const char *const words[] = { "?", "*", "...", "None", "null", "nil", "undefined",
		"Option" };
	const char *text = t->text + node_start_byte(n);

	for (size_t i = 0; i < LEN(words); i++)
		if (memmem(text, node_len(n), words[i], strlen(words[i])))
			return true;
	return false;
}

bool parameter_is_required(
    const struct contract_file *in, TSNode function, const char *name, size_t n)
{
	struct parameters p;
	const struct parameter *x;

	if (ts_node_is_null(function))
		return false;
	TSNode list = parameter_list(in->t, function);
	parameters_of(in, function, &p);
	x = parameter_find(&p, name, n);
	if (!x || !ts_node_is_null(x->fallback) || !ts_node_is_null(x->key))
		return false;
	TSNode whole = x->name;
	for (TSNode k = whole; !ts_node_is_null(k) && !ts_node_eq(k, list); k = node_parent(k))
		whole = k;
	return !says_optional(in->t, whole);
}

TSNode function_of_parameter(const struct contract_file *in, TSNode n, const char *name, size_t len)
{
	for (n = enclosing_function(in, n); !ts_node_is_null(n);
	     n = enclosing_function(in, node_parent(n)))
		if (function_has_parameter(in, n, name, len))
			break;
	return n;
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
		if (!comment(t, ts_node_named_child(list, i)))
			out[n++] = ts_node_named_child(list, i);
	return n;
}

/* The name and the value of a keyword argument, `name = value`; false: it is another one. */
static bool keyword(TSNode argument, TSNode *name, TSNode *value)
{
	uint32_t count = ts_node_named_child_count(argument);

	if (!strstr(ts_node_type(argument), "argument") && !node_type_is(argument, "pair"))
		return false;
	*name = first_field(argument, "name", "key", "label");
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
	if (!ts_node_is_null(out.n) && !ts_node_is_null(x->key)) {
		const char *key = arena_strn(
		    a->a, g->in->t->text + node_start_byte(x->key), node_len(x->key));
		out = origin_member(a, out, key);
	}
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

bool pattern_has_name(const struct contract_file *in, TSNode pattern, const char *name, size_t n,
    TSNode *key, TSNode *fallback)
{
	struct parameters p;

	p.in = in;
	p.n = 0;
	p.next = 0;
	p.extends = p.rest = false;
	add_pattern(&p, pattern, (TSNode){ 0 }, (TSNode){ 0 }, 0);
	const struct parameter *x = parameter_find(&p, name, n);
	if (!x)
		return false;
	*key = x->key;
	*fallback = x->fallback;
	return true;
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
