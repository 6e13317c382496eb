#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/value_origin_internal.h"
#include "shard/program/program.h"

void call_callee(const struct syntax_tree *t, TSNode call, TSNode arguments, char *out, size_t cap)
{
	uint32_t from = node_start_byte(call), to = node_end_byte(call);
	size_t n = 0;

	if (!ts_node_is_null(arguments))
		to = node_start_byte(arguments);
	if (to - from >= cap)
		from = to - (uint32_t)cap + 1;
	for (uint32_t i = from; i < to && n + 1 < cap; i++)
		if (!isspace((unsigned char)t->text[i]))
			out[n++] = t->text[i];
	out[n] = '\0';
}

/* Whether a rule is for the name: for the name itself, or for what ends with `.x` or `->x`. */
static bool rule_fits(const char *rule, const char *name)
{
	size_t n = strlen(name), len = strlen(rule);

	if (!strcmp(rule, name))
		return true;
	if (*rule != '.' && *rule != '-')
		return false;
	return n > len && !strcmp(name + n - len, rule);
}

const struct call_rule *call_rule_of(const struct rules *r, const char *name)
{
	for (size_t i = 0; i < r->calls.n; i++)
		if (rule_fits(r->calls.v[i].name, name))
			return &r->calls.v[i];
	return NULL;
}

TSNode called_object(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);

	if (!x)
		return (TSNode){ 0 };
	if (x->op == EXPR_INNER && x->of.n)	/* url.clone() means url */
		return node_path_get(&x->of, call);
	if (!x->function.n)
		return node_path_get(&x->object, call);
	TSNode f = node_path_get(&x->function, call);
	if (ts_node_is_null(f))
		return f;
	x = rules_expr(t, f);
	if (x && x->op == EXPR_MEMBER)
		return node_path_get(&x->object, f);
	return ts_node_named_child(f, 0);
}

const char *eval_string(struct eval *v, struct expression t)
{
	struct buf b = { 0 };

	eval_into(v, t, &b);
	const char *s = arena_strn(v->ask->a, b.p, b.n);
	buf_free(&b);
	return s;
}

/*
 * config("services.users.url"): the member users.url of what the file config/services.php returns.
 */
static struct expression config_file_value(
    struct eval *v, struct contract_file *in, const char *key)
{
	size_t n = strcspn(key, ".");
	struct source_file *f = other_files_by_path(
	    v->ask->join, in, arena_printf(v->ask->a, "config/%.*s.php", (int)n, key));
	struct contract_file *r = NULL;
	struct expression t = { 0 };
	TSNode returned;

	if (f)
		r = other_files_read(v->ask->join, f);
	v->ask->unknown = true;
	if (r && function_return_values(r, r->t->root, &returned, 1) == 1)
		t = (struct expression){ r, returned, NULL };
	while (key[n] == '.' && !ts_node_is_null(t.n)) {
		key += n + 1;
		n = strcspn(key, ".");
		t = origin_member(v->ask, t, arena_strn(v->ask->a, key, n));
	}
	return t;
}

static void eval_config(struct eval *v, const struct evaluated_call *m)
{
	const char *key = eval_string(v, evaluated_argument(m, 0));
	struct expression t = config_file_value(v, m->call.in, key);
	size_t before = v->out->n;

	if (!ts_node_is_null(t.n)) {
		url_add_step(
		    v->ask, t.in->file->path, node_line(t.n), arena_printf(v->ask->a, "config %s", key));
		eval(v, t);
	}
	if (eval_known(v->out, before))
		return;
	v->out->n = before;
	eval(v, evaluated_argument(m, 1));
}

/* getenv("KEY", "default").  `section`: of the configuration, or NULL. */
void eval_variable(
    struct eval *v, struct expression t, const char *section, const TSNode *arg, size_t n)
{
	struct buf key = { 0 }, fallback = { 0 };
	const char *otherwise = NULL;

	if (section)
		buf_printf(&key, "%s.", section);
	if (n)
		eval_into(v, expression_at(t, arg[0]), &key);
	if (n > 1)
		eval_into(v, expression_at(t, arg[1]), &fallback);
	if (eval_known(&fallback, 0))
		otherwise = arena_strn(v->ask->a, fallback.p, fallback.n);
	bool found = false;
	if (eval_known(&key, 0))
		found = eval_setting(v, t.in, arena_strn(v->ask->a, key.p, key.n), otherwise);
	if (!found) {
		eval_note_gap(v, t, "setting");
		eval_unknown(v);
	}
	buf_free(&key);
	buf_free(&fallback);
}

TSNode arguments_of(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);
	TSNode list = { 0 };

	if (x)
		list = node_path_get(&x->arguments, call);
	if (ts_node_is_null(list))
		list = ts_node_child_by_field_name(call, "arguments", 9);
	if (!ts_node_is_null(list))
		return list;
	list = ts_node_named_child(call, 1);
	if (ts_node_is_null(list) || strcmp(ts_node_type(list), "call_suffix"))
		return (TSNode){ 0 };
	return ts_node_named_child(list, 0);
}

static void eval_env(struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	const char *section = NULL;

	if (*rule->name == '.')
		section = config_section_path(v, evaluated_receiver(m));
	eval_variable(v, m->call, section, m->arg, m->n);
}

/* An argument, which may be a function behind the call: `lazy { value }`. */
static void eval_argument_of(struct eval *v, const struct evaluated_call *m, size_t i)
{
	struct expression t = evaluated_argument(m, i);

	if (!m->n)
		t.n = arguments_of(m->call.in->t, m->call.n);
	eval(v, t);
}

static void eval_call_rule(struct eval *v, const struct call_rule *rule, struct evaluated_call *m)
{
	bool format = rule->how == CALL_PRINTF || rule->how == CALL_BRACE;

	m->how = rule->how;
	switch (rule->how) {
	case CALL_RESOLVE: eval_resolved(v, rule, m); return;
	case CALL_LIST: case CALL_ELEMENTS: eval_list(v, rule, m); return;
	case CALL_RESOLVE_ALL: eval_resolved_all(v, m); return;
	case CALL_URL: eval_url_of_parts(v, m); return;
	case CALL_PATH: eval_other_path(v, m); return;
	case CALL_BLOCK: eval_block(v, m->call); return;
	case CALL_SEPARATED: case CALL_LISTED: eval_separated(v, m); return;
	case CALL_JOIN: case CALL_PATHS: eval_joined(v, m); return;
	case CALL_BASE: eval_with_base_url(v, m); return;
	case CALL_REPLACE: case CALL_SWAP: eval_replaced(v, rule, m); return;
	case CALL_CONCAT: eval_concatenated(v, m); return;
	case CALL_COLLECT: eval_collected(v, m); return;
	case CALL_EITHER: eval_fallback(v, m); return;
	case CALL_AND: eval_and(v, m); return;
	case CALL_CONFIG: eval_config(v, m); return;
	case CALL_SEGMENT: eval_segment(v, m); return;
	case CALL_ENV: eval_env(v, rule, m); return;
	case CALL_BARE: eval_bare(v, m); return;
	case CALL_SAME:
	case CALL_APPEND:
	case CALL_SEGMENTS:
	case CALL_BELOW:
	case CALL_HOST: eval_step(v, m); return;
	default: break;
	}
	if (format && *rule->name == '.')
		eval_format(v, evaluated_receiver(m), m->call, m->arg, m->n, rule->how == CALL_BRACE);
	else if (format && m->n)
		eval_format(v, evaluated_argument(m, 0), m->call, m->arg + 1, m->n - 1, rule->how == CALL_BRACE);
	else
		eval_argument_of(v, m, rule->how == CALL_DEFAULT);
}

/*
 * Leave out the namespace of a type that an instance is made of, newSystem.Uri is newUri, and that
 * of a function of all code: \sprintf is sprintf.
 */
static void drop_namespace(char *name)
{
	char *last = strrchr(name, '.'), *other = strrchr(name, '\\');

	if (other == name) {
		memmove(name, name + 1, strlen(name));
		return;
	}
	if (other && (!last || other > last))
		last = other;
	if (last && !strncmp(name, "new", 3) && strcspn(name, "<(") == strlen(name))
		memmove(name + 3, last + 1, strlen(last));
}

/* Whether the rule adds its arguments to what the call is of. */
static bool is_step(const struct call_rule *rule)
{
	return rule->how == CALL_APPEND || rule->how == CALL_SEGMENTS || rule->how == CALL_BELOW ||
	    rule->how == CALL_HOST;
}

/*
 * Whether a method that the rule describes is one of this repository: the path of an own request is
 * not that of a URL.
 */
static bool is_own_method(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	struct expression receiver = { 0 };

	if (*rule->name == '.' && !m->n && rule->how == CALL_SAME)
		receiver = evaluated_receiver(m);
	if (ts_node_is_null(receiver.n))
		return false;
	struct origin o = origin_of(v->ask, receiver);
	if (o.what != ORIGIN_NODE)
		return false;
	o = origin_instance_member(v->ask, &o, receiver, rule->name + 1);
	return o.what == ORIGIN_DEFINITION;
}

/*
 * The rule for a call that joins paths; where it joins only a slash, path.join("/"), the one for a
 * method of a list that is called like the module.
 */
static const struct call_rule *rule_of_join(
    struct eval *v, const struct call_rule *rule, const struct evaluated_call *m)
{
	const char *member = strrchr(rule->name, '.');
	const struct call_rule *other;

	if (rule->how != CALL_JOIN || !member || m->n != 1)
		return rule;
	other = call_rule_of(m->call.in->t->rules, arena_printf(v->ask->a, "x%s", member));
	if (other && other->how == CALL_ELEMENTS &&
	    !strcmp(eval_string(v, evaluated_argument(m, 0)), "/"))
		return other;
	return rule;
}

void eval_call(struct eval *v, struct expression t)
{
	TSNode list = arguments_of(t.in->t, t.n);
	struct evaluated_call m = { .call = t };
	const struct call_rule *rule;
	size_t before = v->out->n;
	char name[80];

	if (ts_node_is_null(list) && t.in->t->rules->tokens && eval_macro(v, t))
		return;
	call_callee(t.in->t, t.n, list, name, sizeof name);
	drop_namespace(name);
	rule = call_rule_of(t.in->t->rules, name);
	char *type_argument = strstr(name, "::<");	/* param::<u32>() */
	if (!rule && type_argument) {
		*type_argument = '\0';
		rule = call_rule_of(t.in->t->rules, name);
	}
	m.n = call_arguments(t.in->t, t.n, m.arg, MAX_ARGS);
	if (rule && !m.n && is_step(rule))	/* an accessor: request.path() */
		rule = NULL;
	if (rule)
		rule = rule_of_join(v, rule, &m);
	if (rule && is_own_method(v, rule, &m))
		rule = NULL;
	if (rule && m.n && takes_element(rule)) {
		if (eval_element_call(v, &m))
			return;
		if (rule->how == CALL_DEFAULT && m.n < 2) /* get(key) of something else */
			rule = NULL;
	}
	if (!rule)
		eval_result(v, t);
	else if (rule->how == CALL_MERGE || (ts_node_is_null(list) && rule->how != CALL_SAME))
		eval_unknown(v);
	else
		eval_call_rule(v, rule, &m);
	eval_initial_path(v, t, before);
}
