#include "shard/contracts/contracts_internal.h"

#include "shard/contracts/urls/dataflow.h"
#include "shard/syntax/node_rules.h"

/* The argument for the parameter that a name means, or a null node. */
static struct expression argument_for(struct fact_builder *c, struct expression t)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	TSNode function = function_of_parameter(t.in, t.n, name, node_len(t.n));

	for (const struct call_frame *g = t.given; g && !ts_node_is_null(function); g = g->call.given)
		if (g->in == t.in && ts_node_eq(g->function, function))
			return parameter_argument(&c->ask, g, name, node_len(t.n));
	return (struct expression){ 0 };
}

/* Whether the text of an expression may be a verb: it does not choose from several values. */
static bool may_be_verb(struct expression t)
{
	const struct node_rule *r = rules_of(t.in->t->rules, t.n);

	return !r || (r->op != VALUE_JOIN && r->op != VALUE_EITHER && r->op != VALUE_CHOICE);
}

static struct method method_of(struct fact_builder *c, struct expression t);

/* The method that an element of a table has: {get: Net::HTTP::Get}[verb]; else that of its key. */
static struct method method_of_element(
    struct fact_builder *c, struct expression t, const struct expr_rule *x)
{
	uint32_t n = ts_node_named_child_count(t.n);
	struct expression key = { t.in, ts_node_named_child(t.n, n - 1), t.given };
	struct expression of = { t.in, node_path_get(&x->of, t.n), t.given };
	const char *text = expression_text(&c->ask, key);

	if (strstr(text, URL_PARAMETER))
		return (struct method){ .verb = "ANY", .unknown = true, .parameter = true };
	struct expression member = origin_member(&c->ask, of, text);
	if (ts_node_is_null(member.n))
		member = list_element(&c->ask, of, key.n);
	if (!ts_node_is_null(member.n))
		return method_of(c, member);
	return method_of(c, key);
}

/*
 * What a call converts that no code here defines: the only argument, or the object that it is
 * called on, of `Method(method)`, `strtoupper($method)`, `method.ToUpper()`.  Null: it does more.
 */
static TSNode converted(const struct syntax_tree *t, TSNode n)
{
	const struct expr_rule *x = rules_expr(t, n);
	TSNode argument[2] = { 0 };

	if (!x && ts_node_named_child_count(n) == 1)	/* an argument's own node */
		return converted(t, ts_node_named_child(n, 0));
	if (!x || (x->op != EXPR_CALL && x->op != EXPR_NEW))
		return (TSNode){ 0 };
	switch (call_arguments(t, n, argument, LEN(argument))) {
	case 0: return call_receiver(t, n);
	case 1: return argument[0];
	default: return (TSNode){ 0 };
	}
}

static struct method method_of(struct fact_builder *c, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	const char *verb = NULL;

	if (may_be_verb(t))
		verb = verb_in(node_raw(t.in->t, t.n, c->a));

	if (verb)
		return (struct method){ .verb = verb };
	struct expression given = argument_for(c, t);
	if (!ts_node_is_null(given.n))
		return method_of(c, given);
	if (x && x->op == EXPR_INDEX && ts_node_named_child_count(t.n) > 1)
		return method_of_element(c, t, x);
	c->ask.steps = NULL;	/* its steps are not part of the path */
	const char *text = expression_text(&c->ask, t);
	struct origin o = origin_of(&c->ask, t);
	c->ask.steps = &c->steps;
	struct method m = { .verb = "ANY", .unknown = true };
	m.parameter = strstr(text, URL_PARAMETER) != NULL;
	if (*text)
		verb = verb_in(text);
	if (verb) {
		m.verb = verb;
		m.unknown = false;
	} else if (!strcmp(text, "{}") && !ts_node_is_null(converted(t.in->t, t.n))) {
		return method_of(c, (struct expression){ t.in, converted(t.in->t, t.n), t.given });
	}
	bool elsewhere = o.what == ORIGIN_NODE && (o.at.in != t.in || !ts_node_eq(o.at.n, t.n));
	if (m.unknown && !m.parameter && elsewhere && --c->ask.budget > 0)
		return method_of(c, o.at);
	return m;
}

/* Remove HEAD next to GET: frameworks answer HEAD for each route of GET. */
static void remove_head(struct methods *l)
{
	bool get = false;
	int kept = 0;

	for (int i = 0; i < l->n; i++)
		get |= !strcmp(l->v[i].verb, "GET");
	for (int i = 0; i < l->n; i++)
		if (!get || strcmp(l->v[i].verb, "HEAD"))
			l->v[kept++] = l->v[i];
	l->n = kept;
}

static bool options_unknown(struct fact_builder *c, struct expression t, bool *parameter);

/* Whether one of the objects that a call merges may contain a method of which nothing is known. */
static bool merged_unknown(struct fact_builder *c, struct expression call, bool *parameter)
{
	TSNode part[MAX_VERBS];
	size_t n = call_arguments(call.in->t, call.n, part, MAX_VERBS - 1);
	bool unknown = false;

	part[n] = call_object(call.in->t, call.n);
	n += !ts_node_is_null(part[n]);
	for (size_t i = 0; i < n && !unknown && --c->ask.budget > 0; i++)
		if (!node_type_is(part[i], "pair"))
			unknown = options_unknown(
			    c, (struct expression){ call.in, part[i], call.given }, parameter);
	return unknown;
}

/* Whether the options of a call may contain a method of which nothing is known. */
static bool options_unknown(struct fact_builder *c, struct expression t, bool *parameter)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	TSNode function = function_of_parameter(t.in, t.n, name, node_len(t.n));

	for (const struct call_frame *g = t.given; g && !ts_node_is_null(function); g = g->call.given)
		if (g->in == t.in && ts_node_eq(g->function, function)) {
			struct expression given = parameter_argument(&c->ask, g, name, node_len(t.n));
			return !ts_node_is_null(given.n) && options_unknown(c, given, parameter);
		}
	struct origin o = origin_of(&c->ask, t);
	*parameter = o.what == ORIGIN_PARAMETER;
	if (*parameter || o.what == ORIGIN_UNKNOWN)
		return true;
	if (o.what != ORIGIN_NODE)
		return false;
	*parameter = literal_is_open(&c->ask, t);
	if (*parameter)
		return true;
	const struct node_rule *r = rules_of(o.at.in->t->rules, o.at.n);
	if (!r || r->op != VALUE_CALL)
		return false;
	if (ts_node_is_null(url_merge_arguments(o.at.in->t, o.at.n)))
		return true;
	return merged_unknown(c, o.at, parameter);
}

static void add_method(struct methods *l, struct method m)
{
	l->unknown |= m.unknown;
	l->parameter |= m.parameter;
	for (int k = 0; k < l->n; k++)
		if (!strcmp(l->v[k].verb, m.verb))
			return;
	if (!m.unknown)
		l->v[l->n++] = m;
}

/* The method that an expression gives, or those in a list. */
static void add_methods_of_value(struct fact_builder *c, struct expression t, struct methods *l)
{
	struct expression element[MAX_VERBS];

	c->ask.steps = NULL;	/* its steps are not part of the path */
	size_t n = list_values(&c->ask, t, element, MAX_VERBS);
	c->ask.steps = &c->steps;
	if (!n)
		add_method(l, method_of(c, t));
	for (size_t i = 0; i < n; i++)
		add_method(l, method_of(c, element[i]));
}

/* The method that an expression, or the member `keys` of its object, gives. */
static void add_method_of_node(struct fact_builder *c, const struct contract_site *s,
    struct expression t, const char *keys, struct methods *l)
{
	bool parameter = false;

	c->ask.steps = NULL;	/* its steps are not part of the path */
	struct expression m = expression_member(&c->ask, t, keys);
	bool absent = !ts_node_is_null(m.n) && parameter_is_absent(&c->ask, m);
	bool given = !ts_node_is_null(m.n) && !absent;
	bool open = !given && !absent && s->open && options_unknown(c, t, &parameter);
	c->ask.steps = &c->steps;
	if (given) {
		l->stated = true;
		add_methods_of_value(c, m, l);
	} else if (open) {	/* options that may contain a method */
		l->stated = true;
		l->unknown |= s->nmethods == 1;
		l->parameter |= parameter;
	}
}

/* The method of a site that calls a function value. */
static void add_method_of_value(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct methods *l)
{
	struct method_value m;

	if (!site_method_value(c, s, given, &m))
		add_method(l, (struct method){ .unknown = true, .parameter = m.parameter });
	else if (!*s->passed)
		add_method(l, method_of(c, m.name));
}

void site_methods(struct fact_builder *c, struct contract_file *in, const struct contract_site *s,
    const struct call_frame *given, struct methods *l)
{
	if (s->passed)
		add_method_of_value(c, s, given, l);
	for (int i = 0; i < s->nmethods; i++) {
		struct expression t = { in, s->method[i].node, given };
		if (s->method[i].verb)
			add_method(l, (struct method){ .verb = s->method[i].verb });
		else
			add_method_of_node(c, s, t, s->method[i].keys, l);
	}
	if (!l->n && s->fallback && !l->stated)
		l->v[l->n++] = (struct method){ .verb = s->fallback };
	else if (!l->n && l->unknown)
		l->v[l->n++] = (struct method){ .verb = "ANY" };
	remove_head(l);
	for (int i = 0; i < l->n; i++) {
		l->v[i].unknown = l->unknown;
		l->v[i].parameter = l->parameter;
	}
}
