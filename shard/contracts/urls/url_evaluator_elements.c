#include "shard/contracts/urls/url_evaluator_internal.h"

#include "proto/base/buf.h"
#include "shard/contracts/urls/other_files.h"

/* Whether a binding's name is `.HOLDER["KEY"]`, or ends so; `n`: the length of the holder. */
static bool binds_element(const char *name, const char *holder, size_t n, const char *key)
{
	const char *open = NULL;
	size_t len = strlen(key);

	if (*name == '.')
		open = strchr(name, '[');
	if (!open || (size_t)(open - name) < n + 1)
		return false;
	if (memcmp(open - n, holder, n) || open[-(long)n - 1] != '.')
		return false;
	return strlen(open) == len + 4 && strchr("\"'", open[1]) && !memcmp(open + 2, key, len);
}

/* The binding `config["KEY"] = value` of the file, whatever object has `config`; or NULL. */
static const struct binding *element_binding(
    const struct syntax_tree *t, const char *holder, const char *key)
{
	const char *dot = strrchr(holder, '.');

	if (dot)
		holder = dot + 1;
	size_t n = strlen(holder);
	for (size_t i = 0; i < t->bindings.n; i++)
		if (binds_element(t->bindings.v[i].name, holder, n, key))
			return &t->bindings.v[i];
	return NULL;
}

/* Whether a name is a parameter, or a variable of a function: other functions give it no elements. */
static bool is_local(const struct contract_file *in, TSNode n)
{
	const char *name = in->t->text + node_start_byte(n);
	size_t len = node_len(n);

	for (const struct binding *b = NULL; (b = binding_named(in->t, name, len, b));)
		if (b->from && b->from <= node_start_byte(n) && node_start_byte(n) < b->to)
			return true;
	return !ts_node_is_null(function_of_parameter(in, n, name, len));
}

/* Whether the name ends with "config". */
static bool is_config(const char *name)
{
	size_t n = strlen(name);

	return n >= 6 && !strcmp(name + n - 6, "config");
}

/*
 * An element by its key: of a dictionary literal, of an assignment by that key, or a constant of
 * the configuration.
 */
static bool eval_element(struct eval *v, struct expression t, TSNode of, TSNode key)
{
	const char *name = eval_string(v, expression_at(t, key)),
	           *holder = node_dotted_name(t.in, of, v->ask->a);
	const struct binding *b = NULL;
	struct expression m = { 0 };

	if (*name && !strchr(name, '{'))
		m = origin_member(v->ask, expression_at(t, of), name);
	if (ts_node_is_null(m.n))
		m = list_element(v->ask, expression_at(t, of), key);
	if (ts_node_is_null(m.n) && *name && holder && !is_local(t.in, of))
		b = element_binding(t.in->t, holder, name);
	if (b && !node_within(t.n, b->value))
		m = (struct expression){ t.in, b->value, NULL };
	if (ts_node_is_null(m.n) && holder && is_config(holder)) {
		v->ask->unknown = true;
		m = other_files_constant(v->ask->join, t.in, name);
	}
	if (ts_node_is_null(m.n))
		return false;
	eval(v, m);
	return true;
}

bool takes_element(const struct call_rule *rule)
{
	static const char *const names[] = { ".get", ".getOrDefault", ".getValue", ".pop" };

	for (size_t i = 0; i < LEN(names); i++)
		if (!strcmp(rule->name, names[i]))
			return true;
	return false;
}

/*
 * Whether an object is a parameter of a function around the site, or holds what is one, so that
 * callers know it.
 */
static bool is_of_parameter(struct eval *v, struct expression object)
{
	struct origin o = origin_of(v->ask, object);

	if (o.what == ORIGIN_NODE)
		o = literal_open_part(v->ask, o.at);
	return o.what == ORIGIN_PARAMETER && eval_around_site(v->ask, &o);
}

static bool eval_parameter(struct eval *v)
{
	buf_str(v->out, URL_PARAMETER);
	return true;
}

bool eval_element_call(struct eval *v, const struct evaluated_call *m)
{
	struct expression of = evaluated_receiver(m), key = evaluated_argument(m, 0);

	if (ts_node_is_null(of.n) || !node_dotted_name(of.in, of.n, v->ask->a))
		return false;
	if (eval_element(v, m->call, of.n, key.n))
		return true;
	return is_of_parameter(v, of) && eval_parameter(v);
}

bool eval_index(struct eval *v, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	uint32_t n = ts_node_named_child_count(t.n);
	TSNode of = { 0 };
	const char *chain = NULL;

	if (x && x->op == EXPR_INDEX)
		of = node_path_get(&x->of, t.n);
	if (!ts_node_is_null(of))
		chain = node_dotted_name(t.in, of, v->ask->a);
	if (ts_node_is_null(of) || n < 2)
		return false;
	TSNode key = ts_node_named_child(t.n, n - 1);
	if (node_type_is(key, "slice") || node_type_is(key, "range")) {	/* base[:-1] */
		eval(v, expression_at(t, of));
		return true;
	}
	if (eval_element(v, t, of, key))
		return true;
	struct origin o = origin_of(v->ask, t);
	if (origin_is_elsewhere(&o, t)) {
		eval(v, o.at);
		return true;
	}
	const char *section = config_section_path(v, expression_at(t, of));
	if (!section && (!chain || !word_set_has(&t.in->t->rules->env, chain, strlen(chain))))
		return is_of_parameter(v, expression_at(t, of)) && eval_parameter(v);
	eval_variable(v, t, section, &key, 1);
	return true;
}
