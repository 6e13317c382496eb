#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/parameters_internal.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/tree_nodes.h"

/* Parameters of functions, by the field names that grammars have in common. */

enum { DEEPEST = 6 };

TSNode parameters_first_field(TSNode n, const char *a, const char *b, const char *c)
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
		p->v[p->n++] = (struct parameter){ name, p->next, key, fallback, p->rest, 0 };
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

/* [a, b = 1] */
static void add_elements(struct parameters *p, TSNode pattern, int depth)
{
	TSNode none = { 0 };

	for (uint32_t i = 0, count = ts_node_named_child_count(pattern); i < count && i < MAX_NAMES;
	     i++) {
		size_t before = p->n;
		add_pattern(p, ts_node_named_child(pattern, i), none, none, depth + 1);
		if (p->n == before + 1 && ts_node_is_null(p->v[before].key))
			p->v[before].place = (int)i + 1;
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
	if (node_type_is(n, "array_pattern") || node_type_is(n, "tuple_pattern")) {
		add_elements(p, n, depth);
		return;
	}
	TSNode inner = parameters_first_field(n, "pattern", "left", "name");
	if (ts_node_is_null(inner))
		inner = class_parameter_name(n);
	if (ts_node_is_null(inner) && node_type_is(n, "spread_parameter")) /* Java */
		inner = ts_node_named_child(n, ts_node_named_child_count(n) - 1);
	if (ts_node_is_null(inner))
		inner = ts_node_named_child(n, 0);
	TSNode value = parameters_first_field(n, "value", "right", "default_value");
	if (node_type_is(n, "class_parameter") || node_type_is(n, "parameter"))
		value = default_behind_sign(n);
	if (!ts_node_is_null(value))
		fallback = value;
	add_pattern(p, inner, key, fallback, depth + 1);
}

bool parameters_comment(const struct syntax_tree *t, TSNode n)
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
	if (p->n && !parameters_comment(p->in->t, n) && !node_type_is(n, "parameter_modifiers"))
		p->v[p->n - 1].fallback = n;
}

void parameters_of(const struct contract_file *in, TSNode function, struct parameters *p)
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
		else if (!parameters_comment(in->t, k))
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

const struct parameter *parameter_find(const struct parameters *p, const char *name, size_t n)
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
