#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/url_evaluator_internal.h"

#include <strings.h>

#include "proto/base/buf.h"
#include "proto/base/minmax.h"

enum { MAX_RETURNED = 4, MAX_FUNCTIONS_DEEP = 12 };

static bool says_nothing(const char *text)
{
	return !text[strspn(text, "{}\1/")] && *text != '/';
}

/* The different known values among those that a function may return; how many. */
static size_t known_texts(
    struct eval *v, const struct expression *returned, size_t n, const char *out[MAX_RETURNED])
{
	size_t count = 0;
	bool empty = false;

	for (size_t i = 0; i < n; i++) {
		if (n > 1 && is_unreachable(v->ask, returned[i]))
			continue;
		const char *text = eval_string(v, returned[i]);
		bool skip = says_nothing(text);
		empty |= !*text;
		for (size_t k = 0; k < count; k++)
			skip |= !strcmp(out[k], text);
		if (!skip)
			out[count++] = text;
	}
	if (!count && empty) /* what is known is that there may be nothing */
		out[count++] = "";
	return count;
}

/*
 * One of the values that a function may return, some of which are unknown.  Of an environment
 * variable and its default, the one that is not this machine.  False: none is known.
 */
static bool eval_one_of(struct eval *v, const struct expression *returned, size_t n)
{
	const char *known[MAX_RETURNED];
	size_t count = known_texts(v, returned, n, known);

	for (size_t i = 0; i < count && count > 1; i++)
		if (url_is_local(known[i]))
			known[i--] = known[--count];
	if (!count)
		return false;
	if (count > 1)
		v->ask->choices = MAX(v->ask->choices, (int)count);
	buf_str(v->out, known[MIN((size_t)v->ask->choice, count - 1)]);
	return true;
}

static bool eval_returned(struct eval *v, struct expression t)
{
	struct expression returned[MAX_RETURNED];
	size_t n = origin_return_values(v->ask, t, returned, MAX_RETURNED);

	return eval_one_of(v, returned, n);
}

bool eval_function(struct eval *v, const struct origin *o)
{
	struct contract_file *in = o->at.in;
	struct expression returned[MAX_RETURNED];
	TSNode function = { 0 }, value[MAX_RETURNED];

	if (o->what == ORIGIN_DEFINITION)
		function = definition_function_node(in, o->definition);
	else if (o->what == ORIGIN_NODE && is_function_node(in->t, o->at.n))
		function = o->at.n;
	if (ts_node_is_null(function) || v->depth >= MAX_FUNCTIONS_DEEP)
		return false;
	size_t n = function_return_values(in, function, value, MAX_RETURNED);
	for (size_t i = 0; i < n; i++)
		returned[i] = (struct expression){ in, value[i], o->at.given };
	return eval_one_of(v, returned, n);
}

/* What a call returns, or the only argument of a constructor; false: unknown. */
static bool eval_own_result(struct eval *v, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	TSNode only[2];

	if (!x)
		return false;
	if (x->op == EXPR_CALL)
		return eval_returned(v, t);
	if (x->op != EXPR_NEW || call_arguments(t.in->t, t.n, only, 2) != 1)
		return false;
	eval(v, expression_at(t, only[0]));	/* an object made of one value is that value as text */
	return true;
}

/* The member of one of the objects that a call passes with the first of the names; or null. */
static struct expression member_of_arguments(
    struct eval *v, struct expression call, const char *const *names, size_t n)
{
	TSNode arg[MAX_ARGS];
	size_t count = call_arguments(call.in->t, call.n, arg, MAX_ARGS);
	struct expression m = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < n && ts_node_is_null(m.n); k++)
			m = origin_member(v->ask, expression_at(call, arg[i]), names[k]);
	return m;
}

/* Whether the function that is called has a name that says that it makes URLs. */
static bool names_url_maker(struct expression call)
{
	static const char *const ends[] = { "url", "uri", "endpoint" };
	const struct syntax_tree *t = call.in->t;
	char name[80];

	call_callee(t, call.n, arguments_of(t, call.n), name, sizeof name);
	for (size_t i = 0, n = strlen(name); i < LEN(ends); i++)
		if (n > strlen(ends[i]) && !strcasecmp(name + n - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

/*
 * A function outside the repository that makes a URL of objects with a path, and perhaps a base:
 * getUrl(config, options).  False: it is no such call.
 */
static bool eval_made_of_objects(struct eval *v, struct expression call)
{
	static const char *const paths[] = { "url", "path", "uri", "endpoint" };
	static const char *const bases[] = { "BASE", "baseURL", "baseUrl", "base_url", "basePath",
		"base" };
	struct expression path = { 0 }, base = { 0 };

	if (names_url_maker(call))
		path = member_of_arguments(v, call, paths, LEN(paths));
	if (ts_node_is_null(path.n))
		return false;
	base = member_of_arguments(v, call, bases, LEN(bases));
	if (!ts_node_is_null(base.n))
		eval(v, base);
	eval_next(v, path);
	return true;
}

/* What a call returns if that is a variable which statements change: its origin tells less. */
static bool eval_changed_result(struct eval *v, struct expression t)
{
	struct expression returned[2];

	if (v->depth >= MAX_FUNCTIONS_DEEP || origin_return_values(v->ask, t, returned, 2) != 1 ||
	    !eval_is_changed(returned[0]))
		return false;
	eval(v, returned[0]);
	return true;
}

void eval_result(struct eval *v, struct expression t)
{
	struct origin o = origin_of(v->ask, t);
	bool known;

	if (origin_is_elsewhere(&o, t)) {
		if (eval_changed_result(v, t))
			return;
		eval(v, o.at);
		return;
	}
	if (o.what == ORIGIN_NODE && eval_own_result(v, t))
		return;
	if (eval_parameter_of_site(v, &o))
		return;
	if (o.what == ORIGIN_PARAMETER)
		known = eval_setter_parameter(v, &o);
	else
		known = eval_from_context(v, &o);
	if (known || eval_made_of_objects(v, t))
		return;
	eval_note_gap(v, t, "call");
	eval_unknown(v);
}
