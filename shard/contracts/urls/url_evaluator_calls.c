#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

enum { MAX_RETURNED = 4, MAX_FUNCTIONS_DEEP = 12 };

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

void eval_segment_text(struct eval *v, const char *text)
{
	if (*text == '/')
		text++;
	if (!v->out->n || v->out->p[v->out->n - 1] != '/')
		buf_byte(v->out, '/');
	buf_str(v->out, text);
}

void eval_added(struct eval *v, enum call_how how, const char *text)
{
	bool whole = how == CALL_BELOW && (!strcmp(text, "{}") || !strcmp(text, URL_PARAMETER));

	if (how == CALL_SEGMENTS || (how == CALL_BELOW && !whole))
		eval_segment_text(v, text);
	else
		buf_str(v->out, text);
}

/* A step of a builder: the object it is called on, then what the arguments add. */
static void eval_step(struct eval *v, const struct evaluated_call *m)
{
	size_t count = m->n;

	if (m->how == CALL_SAME)
		count = 0;
	else if (m->how != CALL_SEGMENTS)
		count = MIN(m->n, 1);
	if (m->how == CALL_HOST)
		buf_str(v->out, "//");
	else
		eval(v, evaluated_receiver(m));
	for (size_t i = 0; i < count; i++)
		eval_added(v, m->how, eval_string(v, evaluated_argument(m, i)));
}

/* The URL that the method is called on, with another path. */
static void eval_other_path(struct eval *v, const struct evaluated_call *m)
{
	struct expression list = expression_at(m->call, arguments_of(m->call.in->t, m->call.n)),
	                  path = literal_member(v->ask, list, "path");
	size_t before = v->out->n;

	if (ts_node_is_null(path.n))
		path = evaluated_argument(m, 0);
	eval(v, evaluated_receiver(m));
	eval_put_path(v, before, eval_string(v, path));
}

/* Only the host of the URL that the method is called on. */
static void eval_bare(struct eval *v, const struct evaluated_call *m)
{
	const char *host = eval_string(v, evaluated_receiver(m)), *slashes = strstr(host, "//");

	if (slashes)
		host = slashes + 2;
	buf_put(v->out, host, strcspn(host, "/:"));
}

/*
 * The object the method is called on, else the argument: env::var("X").unwrap_or(y).  A URL of
 * another machine is preferred to one of this machine.
 */
static void eval_fallback(struct eval *v, const struct evaluated_call *m)
{
	const char *text = eval_string(v, evaluated_receiver(m)), *other = "{}";
	bool known = strcmp(text, "{}") != 0;

	if (m->n && (!known || url_is_local(text)))
		other = eval_string(v, evaluated_argument(m, 0));
	bool better = strcmp(other, "{}") && !url_is_local(other);
	if (known && !better)
		buf_str(v->out, text);
	else
		buf_str(v->out, other);
}

static void put_known(struct eval *v, const char *text)
{
	if (strcmp(text, "{}"))
		buf_str(v->out, text);
}

/* Two filters in sequence; one of which nothing is known adds nothing to the path. */
static void eval_and(struct eval *v, const struct evaluated_call *m)
{
	const char *first = eval_string(v, evaluated_receiver(m));
	const char *second = eval_string(v, evaluated_argument(m, 0));

	put_known(v, first);
	put_known(v, second);
}

/* A segment of a path; without an argument, it is a parameter. */
static void eval_segment(struct eval *v, const struct evaluated_call *m)
{
	buf_byte(v->out, '/');
	if (m->n)
		eval(v, evaluated_argument(m, 0));
	else
		eval_unknown(v);
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

/* A path, and the base URL that comes as the second argument. */
static void eval_with_base_url(struct eval *v, const struct evaluated_call *m)
{
	const char *path = eval_string(v, evaluated_argument(m, 0));

	if (!strncmp(path, "./", 2))
		path += 2;
	if (m->n > 1 && !strstr(path, "://")) {
		const char *base = eval_string(v, evaluated_argument(m, 1));
		bool slash = *base && base[strlen(base) - 1] == '/';
		buf_str(v->out, base);
		if (*base && !slash && *path != '/')
			buf_byte(v->out, '/');
		if (slash && *path == '/')	/* two slashes would begin a host */
			path++;
	}
	buf_str(v->out, path);
}

/* getenv("KEY", "default").  `section`: of the configuration, or NULL. */
static void eval_variable(
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

static bool says_nothing(const char *text)
{
	return !text[strspn(text, "{}")] || strstr(text, URL_PARAMETER);
}

/* The different known values among those that a function may return; how many. */
static size_t known_texts(
    struct eval *v, const struct expression *returned, size_t n, const char *out[MAX_RETURNED])
{
	size_t count = 0;
	bool empty = false;

	for (size_t i = 0; i < n; i++) {
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

/* A call of a function that is not known to make strings: what it returns. */
static void eval_result(struct eval *v, struct expression t)
{
	struct origin o = origin_of(v->ask, t);
	bool known;

	if (origin_is_elsewhere(&o, t)) {
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

/* Leave out the namespace of a type that an instance is made of: newSystem.Uri is newUri. */
static void drop_namespace(char *name)
{
	char *last = strrchr(name, '.'), *other = strrchr(name, '\\');

	if (other && (!last || other > last))
		last = other;
	if (last && !strncmp(name, "new", 3) && strcspn(name, "<(") == strlen(name))
		memmove(name + 3, last + 1, strlen(last));
}

static bool eval_element(struct eval *v, struct expression t, TSNode of, TSNode key);

/* Whether the rule adds its arguments to what the call is of. */
static bool is_step(const struct call_rule *rule)
{
	return rule->how == CALL_APPEND || rule->how == CALL_SEGMENTS || rule->how == CALL_BELOW ||
	    rule->how == CALL_HOST;
}

/* Whether the rule is for a call that may take an element of a map: map.get(key). */
static bool takes_element(const struct call_rule *rule)
{
	static const char *const names[] = { ".get", ".getOrDefault", ".getValue" };

	for (size_t i = 0; i < LEN(names); i++)
		if (!strcmp(rule->name, names[i]))
			return true;
	return false;
}

/* The element of a map that a call takes by its key; false: it is unknown. */
static bool eval_element_call(struct eval *v, const struct evaluated_call *m)
{
	struct expression of = evaluated_receiver(m), key = evaluated_argument(m, 0);

	if (ts_node_is_null(of.n) || !node_dotted_name(of.in, of.n, v->ask->a))
		return false;
	return eval_element(v, m->call, of.n, key.n);
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
	if (rule && m.n && takes_element(rule) && eval_element_call(v, &m))
		return;
	if (!rule)
		eval_result(v, t);
	else if (rule->how == CALL_MERGE || (ts_node_is_null(list) && rule->how != CALL_SAME))
		eval_unknown(v);
	else
		eval_call_rule(v, rule, &m);
	eval_initial_path(v, t, before);
}

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
	if (ts_node_is_null(m.n) && *name)
		b = element_binding(t.in->t, holder, name);
	if (b && !node_within(t.n, b->value))
		m = (struct expression){ t.in, b->value, NULL };
	if (ts_node_is_null(m.n) && is_config(holder)) {
		v->ask->unknown = true;
		m = other_files_constant(v->ask->join, t.in, name);
	}
	if (ts_node_is_null(m.n))
		return false;
	eval(v, m);
	return true;
}

/* Whether an object is a parameter of a function around the site, so that callers know it. */
static bool is_of_parameter(struct eval *v, struct expression object)
{
	struct origin o = origin_of(v->ask, object);

	return o.what == ORIGIN_PARAMETER && eval_around_site(v->ask, &o);
}

static bool eval_parameter(struct eval *v)
{
	buf_str(v->out, URL_PARAMETER);
	return true;
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
	if (!chain || n < 2)
		return false;
	TSNode key = ts_node_named_child(t.n, n - 1);
	if (eval_element(v, t, of, key))
		return true;
	const char *section = config_section_path(v, expression_at(t, of));
	if (!section && !word_set_has(&t.in->t->rules->env, chain, strlen(chain)))
		return is_of_parameter(v, expression_at(t, of)) && eval_parameter(v);
	eval_variable(v, t, section, &key, 1);
	return true;
}
