/*
 * URLs that statements build: a path that is assigned to an object, and texts that are added to one
 * (`b.Append("/users")`), before it is used.
 */
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

enum { LONGEST_MEMBER = 60, MOST_NODES = 2000, CHAIN_DEEP = 16 };

void eval_put_path(struct eval *v, size_t from, const char *path)
{
	const char *url = arena_strn(v->ask->a, v->out->p + from, v->out->n - from),
	           *host = strstr(url, "://");
	bool below = !strncmp(path, "{}", 2);

	v->out->n = from;
	if (host)
		host += 3;
	else
		host = url;
	if (below)
		path += 2;
	else
		url = arena_strn(v->ask->a, url, (size_t)(host - url) + strcspn(host, "/?"));
	buf_str(v->out, url);
	if (*path && *path != '/')
		buf_byte(v->out, '/');
	buf_str(v->out, path);
}

void eval_initial_path(struct eval *v, struct expression made, size_t from)
{
	const struct word_set *members = &made.in->t->rules->path_of;
	TSNode initializer = { 0 };

	if (members->n)
		initializer = node_field(made.n, "initializer");
	for (size_t i = 0; i < members->n && !ts_node_is_null(initializer); i++) {
		struct expression path = literal_member(
		    v->ask, expression_at(made, initializer), members->v[i]);
		if (ts_node_is_null(path.n))
			continue;
		eval_put_path(v, from, eval_string(v, path));
		return;
	}
}

/* The rule for a member of that name, or NULL. */
static const struct call_rule *member_rule(const struct syntax_tree *t, TSNode name)
{
	char text[LONGEST_MEMBER];

	if (ts_node_is_null(name) || node_len(name) + 4 > sizeof text)
		return NULL;
	snprintf(text, sizeof text, "x.%.*s", (int)node_len(name), t->text + node_start_byte(name));
	const struct call_rule *rule = call_rule_of(t->rules, text);
	if (rule)
		return rule;
	snprintf(text, sizeof text, "x->%.*s", (int)node_len(name), t->text + node_start_byte(name));
	return call_rule_of(t->rules, text);
}

bool eval_same_member(struct eval *v, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	size_t before = v->out->n;

	if (!x || x->op != EXPR_MEMBER)
		return false;
	const struct call_rule *rule = member_rule(t.in->t, node_path_get(&x->name, t.n));
	if (!rule || rule->how != CALL_SAME)
		return false;
	eval(v, expression_at(t, node_path_get(&x->object, t.n)));
	if (eval_known(v->out, before))
		return true;
	v->out->n = before;
	return false;
}

/* The walk through the statements between the creation of an object and its use. */
struct appends {
	struct eval *v;
	struct expression use;	/* the name */
	uint32_t from;
	int budget;
};

static TSNode method_name(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);
	TSNode f = call;

	if (x && x->function.n) {
		f = node_path_get(&x->function, call);
		if (ts_node_is_null(f))
			return f;
		x = rules_expr(t, f);
	}
	if (!x)
		return (TSNode){ 0 };
	return node_path_get(&x->name, f);
}

static bool is_name(const struct syntax_tree *t, TSNode a, TSNode b)
{
	return node_len(a) == node_len(b) &&
	    !memcmp(t->text + node_start_byte(a), t->text + node_start_byte(b), node_len(a));
}

/* Append what the calls of a chain add to the object; false: it is a chain of another object. */
static bool append_chain(struct appends *x, TSNode call, int depth)
{
	const struct syntax_tree *t = x->use.in->t;
	const struct expr_rule *rule = rules_expr(t, call);
	TSNode argument;

	if (is_name(t, call, x->use.n))
		return true;
	if (!rule || rule->op != EXPR_CALL || depth == CHAIN_DEEP)
		return false;
	TSNode object = called_object(t, call);
	if (ts_node_is_null(object) || !append_chain(x, object, depth + 1))
		return false;
	const struct call_rule *how = member_rule(t, method_name(t, call));
	if (how && how->how == CALL_APPEND && call_arguments(t, call, &argument, 1))
		eval(x->v, expression_at(x->use, argument));
	return true;
}

static void append_statements(struct appends *x, TSNode n)
{
	const struct expr_rule *rule = rules_expr(x->use.in->t, n);

	if (--x->budget < 0 || node_end_byte(n) <= x->from ||
	    node_start_byte(n) >= node_start_byte(x->use.n))
		return;
	bool call = rule && rule->op == EXPR_CALL && node_start_byte(n) >= x->from;
	if (call && node_end_byte(n) <= node_start_byte(x->use.n) && append_chain(x, n, 0))
		return;
	for (uint32_t i = 0, count = ts_node_named_child_count(n); i < count; i++)
		append_statements(x, ts_node_named_child(n, i));
}

/* Whether the node makes an object that collects what is appended to it. */
static bool makes_collector(const struct syntax_tree *t, TSNode n)
{
	char name[LONGEST_MEMBER];

	call_callee(t, n, arguments_of(t, n), name, sizeof name);
	char *last = strrchr(name, '.');
	if (last && !strncmp(name, "new", 3))
		memmove(name + 3, last + 1, strlen(last));
	const struct call_rule *rule = call_rule_of(t->rules, name);
	return rule && rule->how == CALL_COLLECT;
}

void eval_appended(struct eval *v, struct expression name)
{
	const struct syntax_tree *t = name.in->t;
	const char *text = t->text + node_start_byte(name.n);

	if (!t->rules->collects || ts_node_named_child_count(name.n))
		return;
	const struct binding *b = find_local_binding(
	    t, text, node_len(name.n), node_start_byte(name.n), NULL);
	TSNode function = enclosing_function(name.in, name.n);
	if (!b || ts_node_is_null(function) || !node_within(b->value, function) ||
	    !makes_collector(t, b->value))
		return;
	struct appends x = { v, name, node_end_byte(b->value), MOST_NODES };
	append_statements(&x, function);
}
