/*
 * Names that stand for each element of a list: `for _, r := range routes`, `routes.forEach(r =>
 * …)`.  The elements are alternatives (dataflow_context.choice), so that a route in such a loop is
 * one for each element of a table.
 */
#include <stdlib.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/url_evaluator_internal.h"
#include "shard/contracts/urls/value_origin_internal.h"
#include "shard/syntax/tree_nodes.h"

enum { MOST_ELEMENTS = 512, MOST_AROUND = 60, FIRST_CHILDREN = 3, MOST_CONVERSIONS = 4 };

/* What of a map is the list. */
enum map_view { VIEW_ENTRIES, VIEW_VALUES, VIEW_KEYS };

/* What a name is of the element. */
struct loop_name {
	TSNode list;		/* null: the name is of no loop */
	TSNode around;		/* the statement or call */
	enum map_view view;
	TSNode key; /* the name is this member of the element: { path }; or null */
	int part;		/* the number of the part that the name stands for; WHOLE or KEY */
};

enum { WHOLE = -1, KEY = -2 };

static bool is_text(const struct syntax_tree *t, TSNode n, const char *name, size_t len)
{
	return node_len(n) == len && !memcmp(t->text + node_start_byte(n), name, len);
}

/* Which part of a pattern has the name: `k, v`, `[method, path]`; false: none. */
static bool find_part(const struct syntax_tree *t, const struct local_rule *rule, TSNode pattern,
    const char *name, size_t len, int *part)
{
	TSNode around = node_parent(pattern);

	/* several parameters of a block are the parts of one element (Ruby) */
	bool several = ts_node_named_child_count(around) > 1;
	if (node_type_is(around, "block_parameters") && several)
		pattern = around;
	uint32_t count = ts_node_named_child_count(pattern);

	*part = WHOLE;
	if (rule->element < 2 && is_text(t, pattern, name, len))
		return true;
	for (uint32_t i = 0; i < count; i++) {
		if (!is_text(t, ts_node_named_child(pattern, i), name, len))
			continue;
		*part = (int)i;
		if (rule->element >= 2)
			*part = KEY;
		if (rule->element >= 2 && (int)i + 1 == rule->element)
			*part = WHOLE;
		return true;
	}
	return false;
}

/* Whether the pattern of a loop gives the name the member of an object, { path: p }. */
static bool find_key(const struct contract_file *in, TSNode pattern, const char *name, size_t len,
    struct loop_name *out)
{
	TSNode fallback;

	if (!node_type_is(pattern, "object_pattern"))
		return false;
	out->part = WHOLE;
	return pattern_has_name(in, pattern, name, len, &out->key, &fallback) &&
	    !ts_node_is_null(out->key);
}

/* The name in the loop that a node is as a rule reads it; false: it has no such name. */
static bool loop_by_rule(const struct contract_file *in, const struct local_rule *l, TSNode n,
    const char *name, size_t len, struct loop_name *out)
{
	TSNode pattern = node_path_get(&l->name, n);

	*out = (struct loop_name){ 0 };
	if (ts_node_is_null(pattern))
		return false;
	if (!find_key(in, pattern, name, len, out) &&
	    !find_part(in->t, l, pattern, name, len, &out->part))
		return false;
	out->list = node_path_get(&l->value, n);
	return true;
}

/* The same of the clauses of a comprehension. */
static bool loop_by_clause(const struct contract_file *in, const struct local_rule *l, TSNode n,
    const char *name, size_t len, struct loop_name *out)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++) {
		TSNode clause = ts_node_named_child(n, i);
		if (node_type_is(clause, l->per.step[0].type) &&
		    loop_by_rule(in, l, clause, name, len, out))
			return true;
	}
	return false;
}

/* The loop that a node begins and that has the name. */
static struct loop_name loop_of_node(
    const struct contract_file *in, TSNode n, const char *name, size_t len)
{
	const struct node_rule *r = rules_of(in->t->rules, n);
	struct loop_name out = { 0 };

	for (const struct local_rule *l = r ? r->locals : NULL; l; l = l->next) {
		if (!l->element || !condition_holds(&l->when, in->t, n))
			continue;
		if (l->per.n ? loop_by_clause(in, l, n, name, len, &out) :
		               loop_by_rule(in, l, n, name, len, &out))
			return out;
	}
	return (struct loop_name){ 0 };
}

/* Whether the node defines a function, whose names no loop around it gives. */
static bool defines_function(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (node_type_is(n, "function_expression") && ts_node_is_null(node_field(n, "name")))
		return false;
	return r && r->defs && is_function_node(t, n);
}

/*
 * The loop whose block without parameters a node is, if the name is what stands for its element:
 * `paths.forEach { get(it) }` (Kotlin).
 */
static struct loop_name loop_of_it(
    const struct syntax_tree *t, TSNode n, const char *name, size_t len)
{
	static const char *const methods[] = { "forEach", "map", "onEach", "flatMap", "filter",
		"mapNotNull" };
	struct loop_name none = { 0 }, out = { .part = WHOLE, .around = n };

	if (len != 2 || memcmp(name, "it", 2) || !node_type_is(n, "lambda_literal") ||
	    node_type_is(ts_node_named_child(n, 0), "lambda_parameters"))
		return none;
	TSNode call = n;
	for (int i = 0; i < FIRST_CHILDREN && !node_type_is(call, "call_expression"); i++)
		call = node_parent(call);
	TSNode member = called_member(t, call);
	if (ts_node_is_null(member))
		return none;
	const struct expr_rule *x = rules_expr(t, member);
	for (size_t i = 0; i < LEN(methods); i++)
		if (node_is(t, node_path_get(&x->name, member), methods[i]))
			out.list = node_path_get(&x->object, member);
	return out;
}

/* The innermost loop around a node that has the name. */
static struct loop_name loop_around(
    const struct contract_file *in, TSNode at, const char *name, size_t len)
{
	const struct syntax_tree *t = in->t;
	struct loop_name found = { 0 };
	TSNode n = node_parent(at);

	for (int depth = 0; depth < MOST_AROUND && !ts_node_is_null(n); depth++) {
		found = loop_of_node(in, n, name, len);
		TSNode first[FIRST_CHILDREN];
		uint32_t count = MIN(nodes_named(n, first, FIRST_CHILDREN), (uint32_t)FIRST_CHILDREN);
		for (uint32_t i = 0; i < count && ts_node_is_null(found.list); i++)
			found = loop_of_node(in, first[i], name, len);
		if (ts_node_is_null(found.list))
			found = loop_of_it(t, n, name, len);
		found.around = n;
		if (!ts_node_is_null(found.list) || defines_function(t, n))
			break;
		n = node_parent(n);
	}
	return found;
}

/* The node whose children are the elements of a list; or a null node. */
static TSNode list_body(const struct syntax_tree *t, TSNode n)
{
	const struct node_rule *r = rules_of(t->rules, n);

	if (node_type_is(n, "composite_literal"))
		return node_field(n, "body");
	if (!ts_node_is_null(node_field(n, "initializer")))	/* new List<T> { a, b } */
		return node_field(n, "initializer");
	if (r && (r->op == VALUE_LIST || r->op == VALUE_FIELDS))
		return n;
	return (TSNode){ 0 };
}

/* The elements of a list or map that a call makes; how many. */
static size_t made_elements(struct dataflow_context *a, struct expression list,
    const struct loop_name *name, struct expression out[MOST_ELEMENTS])
{
	size_t n = collection_elements(list, out, MOST_ELEMENTS);

	if (!n)
		n = enumeration_elements(a, list, out, MOST_ELEMENTS);
	if (n)
		return n;
	struct expression *other = xmalloc(MOST_ELEMENTS * sizeof *other);
	if (name->part == KEY)
		n = collection_pairs(list, out, other, MOST_ELEMENTS);
	else
		n = collection_pairs(list, other, out, MOST_ELEMENTS);
	free(other);
	return n;
}

static struct origin origin_of_list(struct dataflow_context *, struct expression);

static size_t elements_of(struct dataflow_context *, struct expression list,
    const struct loop_name *, struct expression out[MOST_ELEMENTS]);

/* What is made of each element of another list; how many. */
static size_t mapped_elements(
    struct dataflow_context *a, const struct mapping *by, struct expression out[MOST_ELEMENTS])
{
	struct origin list = origin_of_list(a, by->list);
	size_t n = 0;

	if (list.what == ORIGIN_NODE && --a->budget > 0)
		n = elements_of(a, list.at, &(struct loop_name){ .part = WHOLE }, out);
	for (size_t i = 0; i < n; i++)
		out[i] = mapped_element(a, by, out[i]);
	return n;
}

/* The elements of the list, by name of the loop; how many. */
static size_t elements_of(struct dataflow_context *a, struct expression list,
    const struct loop_name *name, struct expression out[MOST_ELEMENTS])
{
	TSNode body = list_body(list.in->t, list.n);
	uint32_t count = 0;
	struct mapping by;

	if (mapping_of(list, &by))
		return mapped_elements(a, &by, out);
	size_t n = made_elements(a, list, name, out);
	if (n)
		return n;
	if (!ts_node_is_null(body))
		count = ts_node_named_child_count(body);
	for (uint32_t i = 0; i < count && n < MOST_ELEMENTS; i++) {
		TSNode k = ts_node_named_child(body, i);
		bool php = node_type_is(k, "array_element_initializer");
		bool keyed = node_type_is(k, "keyed_element") || (php && ts_node_named_child_count(k) == 2);
		if (keyed)
			k = ts_node_named_child(k, name->part != KEY);
		else if (name->part == KEY || node_type_is(k, "comment"))
			continue;
		if (!ts_node_is_null(k) &&
		    (node_type_is(k, "literal_element") || node_type_is(k, "array_element_initializer")))
			k = ts_node_named_child(k, 0);
		if (!ts_node_is_null(k))
			out[n++] = (struct expression){ list.in, k, list.given };
	}
	return n;
}

/* The part of an element that is a list itself. */
static struct origin part_of_element(
    struct dataflow_context *a, struct expression element, int part)
{
	struct origin o = origin_follow(a, element, NULL);

	if (node_type_is(element.n, "pair"))	/* of a map, which is no expression */
		o = origin_at_node(element.in, element.n, element.given, NULL);
	if (o.what != ORIGIN_NODE || (uint32_t)part >= ts_node_named_child_count(o.at.n))
		return origin_unknown;
	TSNode pair[2];
	if (part < 2 && collection_pair(o.at.in->t, o.at.n, pair))
		o.at.n = pair[part];
	else
		o.at.n = ts_node_named_child(o.at.n, (uint32_t)part);
	if (node_type_is(o.at.n, "array_element_initializer"))
		o.at.n = ts_node_named_child(o.at.n, 0);
	return origin_follow(a, o.at, NULL);
}

/* The element whose turn it is, in `a->loop_element`, and the loop; false: there is none. */
static bool take_element(struct dataflow_context *a, struct expression list,
    const struct loop_name *of, struct contract_file *in)
{
	struct expression *element = xmalloc(MOST_ELEMENTS * sizeof *element);
	size_t count = elements_of(a, list, of, element);
	bool other = a->loop.in && !ts_node_eq(a->loop.n, of->around);
	bool taken = count && !other;	/* elements of two loops have no common number */

	if (taken) {
		a->choices = MAX(a->choices, (int)count);
		a->loop = (struct expression){ in, of->around, NULL };
		a->loop_element = element[MIN((size_t)a->choice, count - 1)];
	}
	free(element);
	return taken;
}

/* Where the elements of a list are written: ROUTES of sorted(ROUTES.items()). */
static struct origin origin_of_list(struct dataflow_context *a, struct expression t)
{
	struct origin o = origin_follow(a, t, NULL);

	for (int i = 0; i < MOST_CONVERSIONS && o.what == ORIGIN_NODE; i++) {
		struct mapping by;
		TSNode of = list_converted(o.at.in->t, o.at.n);
		if (ts_node_is_null(of) || mapping_of(o.at, &by))
			break;
		o = origin_follow(a, (struct expression){ o.at.in, of, o.at.given }, NULL);
	}
	return o;
}

/* What of a map the call of its method gives: m.values(), Object.keys(m). */
static enum map_view view_of_map(struct expression list)
{
	const struct expr_rule *x = rules_expr(list.in->t, list.n);
	char name[LONGEST_NAME];

	if (!x || x->op != EXPR_CALL || !called_name(list, name))
		return VIEW_ENTRIES;
	if (!strcasecmp(name, "values"))
		return VIEW_VALUES;
	if (!strcasecmp(name, "keys") || !strcmp(name, "keySet"))
		return VIEW_KEYS;
	return VIEW_ENTRIES;
}

/* Whether a call makes a map of the keys and values that it is given. */
static bool is_map(struct expression t)
{
	struct expression key, value;

	return collection_pairs(t, &key, &value, 1) > 0;
}

/* The element that a call at hand is for, of a comprehension; or NULL. */
static const struct expression *given_element(struct expression t, TSNode around)
{
	for (const struct call_frame *g = t.given; g; g = g->call.given)
		if (g->element && g->in == t.in && ts_node_eq(g->function, around))
			return g->element;
	return NULL;
}

/* What the name is of an element. */
static struct origin of_element(struct dataflow_context *a, struct expression element,
    const struct loop_name *of, const struct contract_file *in)
{
	if (of->view && node_type_is(element.n, "pair"))
		element.n = ts_node_named_child(element.n, of->view == VIEW_VALUES);
	if (of->part >= 0)
		return part_of_element(a, element, of->part);
	if (!ts_node_is_null(of->key)) {
		const char *key = arena_strn(
		    a->a, in->t->text + node_start_byte(of->key), node_len(of->key));
		element = origin_member(a, element, key);
		if (ts_node_is_null(element.n))
			return origin_unknown;
	}
	struct origin o = origin_follow(a, element, NULL);
	if (!o.what) /* the name of something that is not of this repository */
		o = origin_at_node(element.in, element.n, element.given, NULL);
	return o;
}

struct origin origin_loop_element(
    struct dataflow_context *a, struct expression t, const char *name, size_t n)
{
	struct loop_name of = loop_around(t.in, t.n, name, n);

	if (ts_node_is_null(of.list) || node_within(t.n, of.list))
		return origin_unknown;
	const struct expression *given = given_element(t, of.around);
	if (!ts_node_is_null(a->each) && ts_node_eq(a->each, of.around))
		given = &a->element;
	if (given)
		return of_element(a, *given, &of, t.in);
	struct origin list = origin_of_list(a, (struct expression){ t.in, of.list, t.given });
	if (list.what == ORIGIN_PARAMETER)
		return list;
	if (list.what != ORIGIN_NODE)
		return origin_unknown;
	of.view = view_of_map((struct expression){ t.in, of.list, t.given });
	if (of.part >= 0 && is_map(list.at))
		of.part = of.part ? WHOLE : KEY;
	else if (of.view == VIEW_KEYS && is_map(list.at))
		of.part = KEY;
	if (!take_element(a, list.at, &of, t.in))
		return origin_unknown;
	return of_element(a, a->loop_element, &of, t.in);
}

struct expression list_of_name(struct contract_file *in, TSNode name, TSNode *loop)
{
	struct loop_name of = loop_around(
	    in, name, in->t->text + node_start_byte(name), node_len(name));

	*loop = of.around;
	return (struct expression){ in, of.list, NULL };
}

size_t elements_of_list(
    struct dataflow_context *a, struct expression list, struct expression *out, size_t max)
{
	struct origin o = origin_of_list(a, list);
	size_t n = 0;

	if (o.what != ORIGIN_NODE)
		return 0;
	struct expression *element = xmalloc(MOST_ELEMENTS * sizeof *element);
	n = MIN(elements_of(a, o.at, &(struct loop_name){ .part = WHOLE }, element), max);
	memcpy(out, element, n * sizeof *element);
	free(element);
	return n;
}

/* ---- elements by the counter of a loop ---- */

/* Whether the text from `from` to `to` has the name as a word. */
static bool has_word(const char *text, uint32_t from, uint32_t to, const char *name, size_t len)
{
	static const char letters[] = IDENTIFIER "$";

	for (const char *s = text + from; (s = memmem(s, (size_t)(text + to - s), name, len)); s++)
		if ((s == text || !strchr(letters, s[-1])) && !strchr(letters, s[len]))
			return true;
	return false;
}

/* The loop that counts by the name, `for i := range routes`; or a null node. */
static TSNode counting_loop(const struct syntax_tree *t, TSNode name)
{
	const char *text = t->text + node_start_byte(name);
	TSNode n = node_parent(name), none = { 0 };

	for (int i = 0; i < MOST_AROUND && !ts_node_is_null(n); i++, n = node_parent(n)) {
		TSNode body = node_field(n, "body");
		if (strncmp(ts_node_type(n), "for", 3) || ts_node_is_null(body))
			continue;
		if (node_within(name, body) &&
		    has_word(t->text, node_start_byte(n), node_start_byte(body), text, node_len(name)))
			return n;
	}
	return none;
}

struct origin origin_counted_element(
    struct dataflow_context *a, struct expression t, const struct expr_rule *x)
{
	struct expression of = { t.in, node_path_get(&x->of, t.n), t.given };
	uint32_t count = ts_node_named_child_count(t.n);
	struct loop_name name = { .part = WHOLE };

	if (ts_node_is_null(of.n) || count < 2)
		return origin_unknown;
	TSNode key = ts_node_named_child(t.n, count - 1);
	while (ts_node_named_child_count(key) == 1 && !strchr("$", t.in->t->text[node_start_byte(key)]))
		key = ts_node_named_child(key, 0);
	const struct expr_rule *k = rules_expr(t.in->t, key);
	if (!k || k->op != EXPR_NAME)
		return origin_unknown;
	name.around = counting_loop(t.in->t, key);
	if (ts_node_is_null(name.around))
		return origin_unknown;
	struct origin list = origin_of_list(a, of);
	if (list.what != ORIGIN_NODE || !take_element(a, list.at, &name, t.in))
		return origin_unknown;
	return of_element(a, a->loop_element, &name, t.in);
}
