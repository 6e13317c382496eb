/*
 * URLs that statements build: a path that is assigned to an object, and texts that are added to one
 * (`b.Append("/users")`), before it is used.
 */
#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>
#include <stdio.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum { LONGEST_MEMBER = 60, CHAIN_DEEP = 16 };

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

const struct call_rule *method_rule(const struct syntax_tree *t, TSNode call)
{
	return member_rule(t, method_name(t, call));
}

/* Whether the rule is for a method that adds something to its object. */
static bool is_step(const struct call_rule *rule)
{
	static const enum call_how steps[] = { CALL_APPEND, CALL_SEGMENTS, CALL_BELOW, CALL_CONCAT };
	size_t i = 0;

	while (rule && i < LEN(steps) && rule->how != steps[i])
		i++;
	return rule && i < LEN(steps);
}

TSNode chain_object(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);

	if (!x || (x->op != EXPR_CALL && x->op != EXPR_INNER))
		return (TSNode){ 0 };
	if (x->op == EXPR_INNER && !x->of.n)
		return ts_node_named_child(n, 0);
	return called_object(t, n);
}

/* ---- what statements do to a local variable ---- */

/* Whether what is inside the node stands for itself, as its value is not used. */
static bool holds_statements(TSNode n)
{
	static const char *const words[] = { "statement", "block", "body", "program", "source_file" };

	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(ts_node_type(n), words[i]))
			return true;
	return false;
}

/* The statement that is a chain of calls beginning with the name at a byte; a null node: none. */
static TSNode chain_statement(const struct syntax_tree *t, uint32_t at, size_t len)
{
	uint32_t end = at + (uint32_t)len;
	TSNode n = ts_node_named_descendant_for_byte_range(t->root, at, end), top = { 0 };

	if (node_start_byte(n) != at || node_len(n) != len)
		return top;
	for (n = node_parent(n); !ts_node_is_null(n) && node_start_byte(n) == at; n = node_parent(n)) {
		const struct expr_rule *x = rules_expr(t, n);
		if (!x || (x->op != EXPR_CALL && x->op != EXPR_INNER && x->op != EXPR_MEMBER))
			break;
		if (x->op != EXPR_MEMBER)
			top = n;
	}
	if (!ts_node_is_null(n) && !ts_node_is_null(top) && holds_statements(n))
		return top;
	return (TSNode){ 0 };
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether the name stands there as a word, and something of it is called. */
static bool is_called_there(const char *text, const char *s, size_t len)
{
	const char *next = s + len;

	if (s > text && (is_word(s[-1]) || s[-1] == '.' || s[-1] == '$'))
		return false;
	next += strspn(next, " \t\r\n?!");
	return *next == '.' || (next[0] == '-' && next[1] == '>');
}

/* The additions to a variable of the file; how many. */
static size_t add_of_file(
    const struct contract_file *in, TSNode use, struct variable_change out[MOST_CHANGES])
{
	const struct binding *more[MOST_CHANGES];
	size_t n = file_additions(in, use, more, MOST_CHANGES);

	for (size_t i = 0; i < n; i++)
		out[i] = (struct variable_change){ more[i]->value, false,
			runs_conditionally(more[i]->value, use) };
	return n;
}

size_t variable_changes(
    const struct contract_file *in, TSNode use, struct variable_change out[MOST_CHANGES])
{
	const struct syntax_tree *t = in->t;
	const char *name = t->text + node_start_byte(use), *end = name;
	const struct binding *more[MOST_CHANGES];
	size_t len = node_len(use), n = 0, k = 0;
	uint32_t from;

	if (ts_node_named_child_count(use) || !len)
		return 0;
	size_t nmore = reaching_additions(t, name, len, use, more, MOST_CHANGES, &from);
	if (!from)
		nmore = parameter_additions(in, use, more, MOST_CHANGES, &from);
	if (!from)
		n = add_of_file(in, use, out);
	if (!from && in->file) {
		TSNode function = enclosing_function(in, use);
		if (!ts_node_is_null(function))
			from = node_start_byte(function);
	}
	for (const char *s = t->text + from; from && n < MOST_CHANGES; s += len) {
		s = memmem(s, (size_t)(end - s), name, len);
		uint32_t at = s ? (uint32_t)(s - t->text) : UINT32_MAX;
		for (; k < nmore && n < MOST_CHANGES && node_start_byte(more[k]->value) < at; k++)
			out[n++] = (struct variable_change){ more[k]->value, false,
				runs_conditionally(more[k]->value, use) };
		if (!s)
			break;
		if (!is_called_there(t->text, s, len) || n == MOST_CHANGES)
			continue;
		TSNode chain = chain_statement(t, at, len);
		if (!ts_node_is_null(chain) && is_step(method_rule(t, chain)))
			out[n++] = (struct variable_change){ chain, true, runs_conditionally(chain, use) };
	}
	return n;
}

/* Append what the calls of a chain add to the object; false: it is a chain of another object. */
static bool append_chain(struct eval *v, struct expression use, TSNode chain, int depth)
{
	const struct syntax_tree *t = use.in->t;
	TSNode object = chain_object(t, chain), argument[MAX_ARGS];

	if (!ts_node_named_child_count(chain))
		return true;
	if (ts_node_is_null(object) || depth == CHAIN_DEEP || !append_chain(v, use, object, depth + 1))
		return false;
	const struct call_rule *rule = method_rule(t, chain);
	size_t n = call_arguments(t, chain, argument, MAX_ARGS);
	if (!is_step(rule) || rule->how == CALL_CONCAT)
		return true;
	for (size_t i = 0; i < n && (!i || rule->how == CALL_SEGMENTS); i++)
		eval_added(v, rule->how, eval_string(v, expression_at(use, argument[i])));
	return true;
}

/* Whether a name is declared without a value: `var b strings.Builder`. */
static bool is_declared_empty(struct expression name)
{
	const char *text = name.in->t->text + node_start_byte(name.n);
	size_t len = node_len(name.n);

	return !binding_named(name.in->t, text, len, NULL) &&
	    ts_node_is_null(function_of_parameter(name.in, name.n, text, len));
}

/* Whether the text from `from` on is a number, which grows. */
static bool is_number(const struct buf *b, size_t from)
{
	size_t i = from;

	while (i < b->n && isdigit((unsigned char)b->p[i]))
		i++;
	return b->n > from && i == b->n;
}

/* The changes of branches that lengthen the path, by number. */
struct branch_texts {
	size_t v[MOST_CHANGES];
	size_t n;
	bool paired; /* some are of an `if` and its `else` */
};

/* Whether a text begins a segment behind what there is from `from` on; a query does not. */
static bool begins_segment(const struct eval *v, size_t from, const char *text)
{
	bool behind_slash = v->out->n > from && v->out->p[v->out->n - 1] == '/';

	return *text == '/' || (behind_slash && isalnum((unsigned char)*text));
}

/* Note a text that a branch may add, if it is reached and lengthens the path. */
static void add_branch_text(struct eval *v, struct expression added, size_t from,
    const struct variable_change *change, size_t i, struct branch_texts *l)
{
	if (is_unreachable(v->ask, added) || !begins_segment(v, from, eval_string(v, added)))
		return;
	if (l->n)
		l->paired |= are_opposite(change[l->v[l->n - 1]].n, change[i].n);
	l->v[l->n++] = i;
}

/*
 * Whether the text that a branch adds is there in the view at hand: of an `if` and its `else`, each
 * has a view; else the first view is without all, and the second one with all.
 */
static bool is_in_view(struct dataflow_context *a, const struct branch_texts *l, size_t i)
{
	for (size_t k = 0; k < l->n; k++) {
		if (l->v[k] != i)
			continue;
		if (l->paired)
			return k == MIN((size_t)a->choice, l->n - 1);
		return a->choice > 0;
	}
	return false;
}

void eval_changes(struct eval *v, struct expression name, size_t from)
{
	struct variable_change change[MOST_CHANGES];
	struct branch_texts branches = { 0 };
	bool certain[MOST_CHANGES];
	size_t n = variable_changes(name.in, name.n, change);

	if (n && !eval_known(v->out, from) && is_declared_empty(name))
		v->out->n = from;
	if (n && is_number(v->out, from)) {
		v->out->n = from;
		eval_unknown(v);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct expression added = expression_at(name, change[i].n);
		certain[i] = !change[i].maybe || is_certain(v->ask, added, name.n);
		if (!certain[i] && !change[i].chain)
			add_branch_text(v, added, from, change, i, &branches);
	}
	if (branches.n)
		v->ask->choices = MAX(v->ask->choices, branches.paired ? (int)branches.n : 2);
	for (size_t i = 0; i < n; i++) {
		struct expression added = expression_at(name, change[i].n);
		if (!certain[i] && change[i].chain && eval_known(v->out, from))
			continue; /* only a base that need not be there */
		if (!certain[i] && !change[i].chain && !is_in_view(v->ask, &branches, i))
			continue;
		if (change[i].chain)
			append_chain(v, name, change[i].n, 0);
		else
			eval_next(v, added);
	}
}
