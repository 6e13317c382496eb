/*
 * Members that statements give an object before it is used: `data["url"] = u`, `o.method = "GET"`,
 * `data.update(url=u)`, `Object.assign(o, { url })`, `m.put("path", p)`, `r.setPath(p)`; in the
 * function that uses the object, and where calls hand it over.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/contracts/urls/value_origin_internal.h"
#include "shard/definitions/expression.h"

enum {
	MOST_VALUES = 8,
	MOST_STEPS = 8,
	MOST_PLACES = 64,
	MOST_RETURNED = 4,
	FARTHEST = 1 << 15,
	MOST_ARGUMENTS = 8,
	LONGEST_METHOD = 40
};

/* What a method does with its arguments. */
enum change_how { CHANGE_NONE, CHANGE_PUT, CHANGE_PUT_ALL, CHANGE_SET };

/* A value that a statement gives the member. */
struct given_value {
	struct expression value;
	bool maybe; /* the statement need not run before the use */
};

struct given_values {
	struct given_value v[MOST_VALUES];
	size_t n;
};

/* Whether the node is a name without parts; PHP's has a sign. */
static bool is_plain_name(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);

	if (!x || x->op != EXPR_NAME || !node_len(n) || node_len(n) >= LONGEST_NAME)
		return false;
	return !ts_node_named_child_count(n) || t->text[node_start_byte(n)] == '$';
}

/* Whether the key of an element is that text, in quotes, as a symbol, or bare. */
static bool key_is(const struct syntax_tree *t, TSNode key, const char *name)
{
	const char *s = t->text + node_start_byte(key);
	size_t n = node_len(key);

	while (n && strchr("\"'`:[", *s)) {
		s++;
		n--;
	}
	while (n && strchr("\"'`]", s[n - 1]))
		n--;
	return n && n < node_len(key) && strlen(name) == n && !memcmp(s, name, n);
}

/* The only expression of a list of one. */
static TSNode only_one(TSNode n)
{
	if (!ts_node_is_null(n) && node_type_is(n, "expression_list") &&
	    ts_node_named_child_count(n) == 1)
		return ts_node_named_child(n, 0);
	return n;
}

/* What an assignment around the node gives it; a null node: it is not what is assigned. */
static TSNode assigned_value(const struct syntax_tree *t, TSNode target)
{
	TSNode around = node_parent(target), none = { 0 };

	if (ts_node_is_null(around))
		return none;
	if (node_type_is(around, "expression_list") ||
	    node_type_is(around, "directly_assignable_expression"))
		around = node_parent(around);
	TSNode left = node_field(around, "left"), right = node_field(around, "right");
	const struct node_rule *r = rules_of(t->rules, around);
	if (ts_node_is_null(left) || ts_node_is_null(right) || (r && r->op == VALUE_JOIN))
		return none;
	if (!ts_node_eq(only_one(left), target))
		return none;
	return only_one(right);
}

/* What a method of that name does. */
static enum change_how change_of(const char *method)
{
	static const struct {
		const char *name;
		enum change_how how;
	} known[] = {
		{ "put", CHANGE_PUT },
		{ "set", CHANGE_PUT },
		{ "store", CHANGE_PUT },
		{ "add", CHANGE_PUT },
		{ "Add", CHANGE_PUT },
		{ "TryAdd", CHANGE_PUT },
		{ "putIfAbsent", CHANGE_PUT },
		{ "setdefault", CHANGE_PUT },
		{ "update", CHANGE_PUT_ALL },
		{ "merge!", CHANGE_PUT_ALL },
		{ "update!", CHANGE_PUT_ALL },
		{ "deep_merge!", CHANGE_PUT_ALL },
		{ "reverse_merge!", CHANGE_PUT_ALL },
		{ "putAll", CHANGE_PUT_ALL },
	};

	for (size_t i = 0; i < LEN(known); i++)
		if (!strcmp(method, known[i].name))
			return known[i].how;
	if (!strncasecmp(method, "set", 3) && (isupper((unsigned char)method[3]) || method[3] == '_'))
		return CHANGE_SET;
	return CHANGE_NONE;
}

/* Whether a setter, setPath or SetPath or set_path, is for the member. */
static bool sets(const char *method, const char *member)
{
	method += 3;
	method += *method == '_';
	return tolower((unsigned char)*method) == tolower((unsigned char)*member) &&
	    !strcmp(method + 1, member + 1);
}

/* An argument without what holds it: `argument`, `value_argument`. */
static TSNode argument_value(TSNode n)
{
	bool holds = node_type_is(n, "argument") || node_type_is(n, "value_argument");

	if (holds && ts_node_named_child_count(n))
		return ts_node_named_child(n, ts_node_named_child_count(n) - 1);
	return n;
}

/* The member in the objects that a call is given from the argument `first` on; or a null node. */
static struct expression member_of_arguments(
    struct dataflow_context *a, struct expression call, size_t first, const char *name)
{
	TSNode v[MOST_ARGUMENTS];
	size_t n = call_arguments(call.in->t, call.n, v, MOST_ARGUMENTS);
	struct expression m = { 0 };

	if (n > first) { /* update(url=u), merge!(url: u) */
		TSNode list = node_parent(v[first]);
		if (literal_is_object(list))
			m = literal_member(a, (struct expression){ call.in, list, call.given }, name);
	}
	for (size_t i = n; i-- > first && ts_node_is_null(m.n) && --a->budget > 0;)
		if (!node_type_is(v[i], "pair") && !node_type_is(v[i], "keyword_argument"))
			m = origin_member(
			    a, (struct expression){ call.in, argument_value(v[i]), call.given }, name);
	return m;
}

/* The method that a call calls, into `out`; false: it is too long, or none. */
static bool method_called(const struct syntax_tree *t, TSNode call, char out[LONGEST_METHOD])
{
	const struct expr_rule *x = rules_expr(t, call);
	TSNode member = called_member(t, call), name = { 0 };

	if (!ts_node_is_null(member))
		name = node_path_get(&rules_expr(t, member)->name, member);
	else if (x && x->op == EXPR_CALL)
		name = node_path_get(&x->name, call);
	if (ts_node_is_null(name) || node_len(name) >= LONGEST_METHOD)
		return false;
	memcpy(out, t->text + node_start_byte(name), node_len(name));
	out[node_len(name)] = '\0';
	return true;
}

/* What a call of a method of the object gives the member; or a null node. */
static struct expression given_by_method(
    struct dataflow_context *a, struct expression call, const char *name)
{
	TSNode v[MOST_ARGUMENTS];
	char method[LONGEST_METHOD];
	struct expression none = { 0 };

	if (!method_called(call.in->t, call.n, method))
		return none;
	enum change_how how = change_of(method);
	if (how == CHANGE_NONE)
		return none;
	if (how == CHANGE_PUT_ALL)
		return member_of_arguments(a, call, 0, name);
	size_t n = call_arguments(call.in->t, call.n, v, MOST_ARGUMENTS);
	bool put = how == CHANGE_PUT && n == 2 && key_is(call.in->t, argument_value(v[0]), name);
	bool set = how == CHANGE_SET && n == 1 && sets(method, name);
	if (!put && !set)
		return none;
	return (struct expression){ call.in, argument_value(v[n - 1]), call.given };
}

/* The call of a method of the object that a node is, `o.put(k, v)`; or a null node. */
static TSNode method_call(const struct syntax_tree *t, TSNode object)
{
	TSNode n = node_parent(object), none = { 0 };
	const struct expr_rule *x = NULL;

	if (!ts_node_is_null(n))
		x = rules_expr(t, n);
	if (x && x->op == EXPR_MEMBER)
		n = node_parent(n);
	if (ts_node_is_null(n))
		return none;
	TSNode of = call_object(t, n);
	if (ts_node_is_null(of) || !ts_node_eq(of, object))
		return none;
	return n;
}

/* The call that merges others into the object, Object.assign(o, …); or a null node. */
static TSNode merging_call(const struct syntax_tree *t, TSNode object)
{
	TSNode list = node_parent(object), none = { 0 };

	if (ts_node_is_null(list) || !node_type_is(list, "arguments") ||
	    !ts_node_eq(ts_node_named_child(list, 0), object))
		return none;
	TSNode call = node_parent(list);
	if (ts_node_is_null(url_merge_arguments(t, call)))
		return none;
	return call;
}

/* What the code around one place where the object is named gives its member; or a null node. */
static struct expression given_at(
    struct dataflow_context *a, struct expression object, const char *name)
{
	const struct syntax_tree *t = object.in->t;
	TSNode around = node_parent(object.n), value = { 0 };
	struct expression none = { 0 };

	if (ts_node_is_null(around))
		return none;
	const struct expr_rule *x = rules_expr(t, around);
	uint32_t count = ts_node_named_child_count(around);
	if (x && x->op == EXPR_INDEX && count > 1 &&
	    ts_node_eq(node_path_get(&x->of, around), object.n) &&
	    key_is(t, ts_node_named_child(around, count - 1), name))
		value = assigned_value(t, around);
	if (x && x->op == EXPR_MEMBER && ts_node_eq(node_path_get(&x->object, around), object.n) &&
	    node_is(t, node_path_get(&x->name, around), name))
		value = assigned_value(t, around);
	if (!ts_node_is_null(value))
		return (struct expression){ object.in, value, object.given };
	TSNode call = method_call(t, object.n);
	if (!ts_node_is_null(call))
		return given_by_method(a, (struct expression){ object.in, call, object.given }, name);
	call = merging_call(t, object.n);
	if (!ts_node_is_null(call))
		return member_of_arguments(
		    a, (struct expression){ object.in, call, object.given }, 1, name);
	return none;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the text at `s` is the name as a word of its own, not a member. */
static bool is_named_at(const char *text, const char *s, size_t len)
{
	if (s > text && (is_word(s[-1]) || s[-1] == '.' || (s[-1] == '$' && *s != '$')))
		return false;
	return !is_word(s[len]);
}

/* Where what can change the object begins: behind its last certain value, else its function. */
static uint32_t changes_from(struct expression object)
{
	const struct syntax_tree *t = object.in->t;
	const char *name = t->text + node_start_byte(object.n);
	const struct binding *b[1];
	size_t len = node_len(object.n);
	TSNode function = enclosing_function(object.in, object.n);
	uint32_t from = 0;

	if (!ts_node_is_null(function))
		from = node_start_byte(function);
	if (reaching_values(t, name, len, object.n, b, 1) && !node_within(object.n, b[0]->value))
		from = MAX(from, node_end_byte(b[0]->value));
	return from;
}

/* Add a value; one that is certain replaces those before it. */
static void add_value(struct given_values *l, struct expression value, bool maybe)
{
	if (!maybe)
		l->n = 0;
	if (l->n < MOST_VALUES)
		l->v[l->n++] = (struct given_value){ value, maybe };
}

/*
 * Whether a text may give a member: it has the member's name, whose first letter a setter writes
 * otherwise, or it puts all members of another object into one.
 */
static bool may_give(const char *from, const char *end, const char *name)
{
	static const char *const all[] = { "update", "assign", "extend", "merge", "putAll" };
	size_t n = (size_t)(end - from), len = strlen(name);

	if (len && memmem(from, n, name + 1, len - 1))
		return true;
	for (size_t i = 0; i < LEN(all); i++)
		if (memmem(from, n, all[i], strlen(all[i])))
			return true;
	return false;
}

/* The values that statements before the use give the member of the object that a name means. */
static void gather_given(
    struct dataflow_context *a, struct expression use, const char *name, struct given_values *l)
{
	const struct syntax_tree *t = use.in->t;
	const char *word = t->text + node_start_byte(use.n), *end = word;
	size_t len = node_len(use.n);
	const char *from = t->text + changes_from(use);
	int places = 0;

	if (end - from > FARTHEST)
		from = end - FARTHEST;
	if (!may_give(from, end, name))
		return;
	for (const char *s = from; places < MOST_PLACES; s += len) {
		if (s < end)
			s = memmem(s, (size_t)(end - s), word, len);
		if (!s || s >= end)
			break;
		if (!is_named_at(t->text, s, len))
			continue;
		places++;
		uint32_t at = (uint32_t)(s - t->text);
		struct expression place = use;
		place.n = ts_node_named_descendant_for_byte_range(t->root, at, at + (uint32_t)len);
		if (node_len(place.n) != len)
			continue;
		if (*word == '$' && !node_type_is(place.n, ts_node_type(use.n)))
			place.n = node_parent(place.n);
		struct expression value = given_at(a, place, name);
		if (ts_node_is_null(value.n) || node_within(use.n, value.n) || is_unreachable(a, place))
			continue;
		bool maybe = runs_conditionally(place.n, use.n) && !is_certain(a, place, use.n);
		add_value(l, value, maybe);
	}
}

/* The same where assignments have no fields (Kotlin): what the names `o.path` are given. */
static void gather_bound(struct expression use, const char *name, struct given_values *l)
{
	const struct syntax_tree *t = use.in->t;
	const struct binding *v[MOST_VALUES];
	char text[2 * LONGEST_NAME];
	int len = snprintf(
	    text, sizeof text, "%.*s.%s", (int)node_len(use.n), t->text + node_start_byte(use.n), name);
	if (len < 0 || (size_t)len >= sizeof text)
		return;
	size_t n = reaching_values(t, text, strlen(text), use.n, v, MOST_VALUES);

	for (size_t i = 0; i < n; i++)
		if (!node_within(use.n, v[i]->value))
			add_value(l, (struct expression){ use.in, v[i]->value, use.given },
			    runs_conditionally(v[i]->value, use.n));
}

/* Whether one of the values is there whatever branches run. */
static bool is_always_given(const struct given_values *l)
{
	size_t n = l->n;

	if (!n || !l->v[0].maybe)
		return n > 0;
	return n > 1 && are_opposite(l->v[n - 2].value.n, l->v[n - 1].value.n);
}

/* What a name or call means one step back: an argument, what it is given or returns; else null. */
static struct expression step_back(struct dataflow_context *a, struct expression object)
{
	struct expression returned[MOST_RETURNED];
	bool parameter = false;

	if (!is_plain_name(object.in->t, object.n)) {
		size_t n = origin_return_values(a, object, returned, MOST_RETURNED);
		return n ? returned[n - 1] : (struct expression){ 0 };
	}
	struct expression next = origin_step(a, object, &parameter);
	if (!ts_node_is_null(next.n))
		next.n = expression_unwrap(next.in->t, next.n);
	return next;
}

/*
 * The values that statements give a member of the object, of the last function or call that does
 * so; false: none does.  `*before`: what the object is before that, else a null node.
 */
static bool find_given(struct dataflow_context *a, struct expression object, const char *name,
    struct given_values *l, struct expression *before)
{
	for (int i = 0; i < MOST_STEPS && !ts_node_is_null(object.n) && --a->budget > 0; i++) {
		if (is_plain_name(object.in->t, object.n)) {
			gather_given(a, object, name, l);
			if (!l->n)
				gather_bound(object, name, l);
		}
		struct expression next = step_back(a, object);
		if (l->n) {
			*before = next;
			return true;
		}
		object = next;
	}
	return false;
}

struct expression changed_member(
    struct dataflow_context *a, struct expression object, const char *name)
{
	struct given_values l = { 0 };
	struct expression before = { 0 }, none = { 0 };

	if (ts_node_is_null(object.n) || !is_plain_name(object.in->t, object.n))
		return none;
	if (a->depth >= ORIGIN_DEEP || !find_given(a, object, name, &l, &before))
		return none;
	a->depth++;
	bool always = is_always_given(&l);
	if (!always && !ts_node_is_null(before.n))
		before = origin_member(a, before, name);
	a->depth--;
	bool had = !always && !ts_node_is_null(before.n);
	size_t count = l.n + had;
	if (count > 1)
		a->choices = MAX(a->choices, (int)count);
	size_t at = MIN((size_t)a->choice, count - 1);
	if (had && !at)
		return before;
	return l.v[at - had].value;
}

/* Whether the code at a name may change what it means: `o.x`, `o[k]`, `o->x`, `f(o, …)`. */
static bool may_change(const char *text, const char *s, size_t len)
{
	const char *next = s + len;

	return strchr(".[", *next) || !strncmp(next, "->", 2) || (s > text && s[-1] == '(');
}

bool object_is_changed(const struct syntax_tree *t, TSNode n)
{
	const char *name = t->text + node_start_byte(n), *end = name;
	const struct binding *b[1];
	size_t len = node_len(n);

	if (!is_plain_name(t, n) || !reaching_values(t, name, len, n, b, 1))
		return false;
	for (const char *s = t->text + node_end_byte(b[0]->value); s < end; s += len) {
		s = memmem(s, (size_t)(end - s), name, len);
		if (!s)
			return false;
		if (is_named_at(t->text, s, len) && may_change(t->text, s, len))
			return true;
	}
	return false;
}
