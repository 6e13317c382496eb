#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

enum { MAX_RETURNED = 4 };

void call_callee(const struct syntax_tree *t, TSNode call, TSNode arguments, char *out, size_t cap)
{
	uint32_t from = node_start_byte(call),
	         to = ts_node_is_null(arguments) ? node_end_byte(call) : node_start_byte(arguments);
	size_t n = 0;

	if (to - from >= cap)
		from = to - (uint32_t)cap + 1;
	for (uint32_t i = from; i < to && n + 1 < cap; i++)
		if (!isspace((unsigned char)t->text[i]))
			out[n++] = t->text[i];
	out[n] = '\0';
}

const struct call_rule *call_rule_of(const struct rules *r, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < r->calls.n; i++) {
		const char *want = r->calls.v[i].name;
		size_t len = strlen(want);
		if (!strcmp(want, name) ||
		    ((*want == '.' || *want == '-') && n > len && !strcmp(name + n - len, want)))
			return &r->calls.v[i];
	}
	return NULL;
}

/* What a method is called on. */
static TSNode receiver(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);
	TSNode f;

	if (!x || !x->function.n)
		return x && x->object.n ? node_path_get(&x->object, call) : (TSNode){ 0 };
	f = node_path_get(&x->function, call);
	if (ts_node_is_null(f))
		x = NULL;
	else
		x = rules_expr(t, f);
	if (x && x->op == EXPR_MEMBER)
		return node_path_get(&x->object, f);
	if (ts_node_is_null(f))
		return f;
	return ts_node_named_child(f, 0);
}

const char *eval_string(struct eval *v, struct expression t)
{
	struct buf b = { 0 };

	eval_into(v, t, &b);
	const char *s = arena_strn(v->ask->a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return s;
}

/* A call that makes a string: itself, and its arguments. */
struct evaluated_call {
	struct expression call;
	TSNode arg[MAX_ARGS];
	size_t n;
	enum call_how how;
};

static struct expression argument(const struct evaluated_call *m, size_t i)
{
	return expression_at(m->call, i < m->n ? m->arg[i] : (TSNode){ 0 });
}

static struct expression receiver_of_call(const struct evaluated_call *m)
{
	return expression_at(m->call, receiver(m->call.in->t, m->call.n));
}

/* A builder's step: what it is called on, and what the arguments add. */
static void eval_step(struct eval *v, const struct evaluated_call *m)
{
	size_t count = m->how == CALL_SEGMENTS ? m->n : m->how != CALL_SAME && m->n;

	if (m->how == CALL_HOST)
		buf_str(v->out, "//");
	else
		eval(v, receiver_of_call(m));
	for (size_t i = 0; i < count; i++) {
		if (m->how == CALL_SEGMENTS)
			buf_byte(v->out, '/');
		eval(v, argument(m, i));
	}
}

/* The host alone of what it is called on. */
static void eval_bare(struct eval *v, const struct evaluated_call *m)
{
	const char *text = eval_string(v, receiver_of_call(m)),
	           *host = strstr(text, "//") ? strstr(text, "//") + 2 : text;

	buf_put(v->out, host, strcspn(host, "/:"));
}

/*
 * What it is called on, else the argument: env::var("X").unwrap_or(y). This machine says less than
 * another.
 */
static void eval_fallback(struct eval *v, const struct evaluated_call *m)
{
	const char *text = eval_string(v, receiver_of_call(m));
	bool known = strcmp(text, "{}") != 0;
	const char *other = "{}";

	if (m->n && (!known || url_is_local(text)))
		other = eval_string(v, argument(m, 0));
	buf_str(v->out, known && (!strcmp(other, "{}") || url_is_local(other)) ? text : other);
}

/* What is written as a type's constant and is not known: an option, as UriKind.Relative. */
static bool is_option(const struct evaluated_call *m, size_t i, const char *text)
{
	return m->how == CALL_PATHS && i && !strcmp(text, "{}") &&
	    isupper((unsigned char)m->call.in->t->text[node_start_byte(m->arg[i])]);
}

/* Arguments with slashes between them; an absolute one begins anew. */
static void eval_joined(struct eval *v, const struct evaluated_call *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const char *text = eval_string(v, argument(m, i));
		if (is_option(m, i, text))
			continue;
		if (i && v->out->n && v->out->p[v->out->n - 1] != '/')
			buf_byte(v->out, '/');
		buf_str(v->out, text);
	}
}

/* A filter and another: what says nothing of the path adds nothing. */
static void eval_and(struct eval *v, const struct evaluated_call *m)
{
	const char *first = eval_string(v, receiver_of_call(m)), *then = eval_string(v, argument(m, 0));

	buf_str(v->out, strcmp(first, "{}") ? first : "");
	buf_str(v->out, strcmp(then, "{}") ? then : "");
}

/* A segment of a path; without an argument it is a parameter. */
static void eval_segment(struct eval *v, const struct evaluated_call *m)
{
	buf_byte(v->out, '/');
	if (m->n)
		eval(v, argument(m, 0));
	else
		eval_unknown(v);
}

/*
 * config("services.users.url"): of what the file config/services gives back, the member users, of
 * that url.
 */
static struct expression config_file_value(
    struct eval *v, struct contract_file *in, const char *key)
{
	size_t n = strcspn(key, ".");
	struct source_file *f = other_files_by_path(
	    v->ask->join, in, arena_printf(v->ask->a, "config/%.*s.php", (int)n, key));
	struct contract_file *r = NULL;
	struct expression t = { 0 };
	TSNode given;

	if (f)
		r = other_files_read(v->ask->join, f);
	v->ask->unknown = true;
	if (r && function_return_values(r, r->t->root, &given, 1) == 1)
		t = (struct expression){ r, given, NULL };
	while (key[n] == '.' && !ts_node_is_null(t.n)) {
		key += n + 1;
		n = strcspn(key, ".");
		t = origin_member(v->ask, t, arena_strn(v->ask->a, key, n));
	}
	return t;
}

static void eval_config(struct eval *v, const struct evaluated_call *m)
{
	const char *key = eval_string(v, argument(m, 0));
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
	eval(v, argument(m, 1));
}

/* A path and what it is below, which comes second. */
static void eval_with_base_url(struct eval *v, const struct evaluated_call *m)
{
	const char *path = eval_string(v, argument(m, 0)), *base;

	if (m->n > 1 && !strstr(path, "://")) {
		base = eval_string(v, argument(m, 1));
		bool slash = *base && base[strlen(base) - 1] == '/';
		buf_str(v->out, base);
		if (*base && !slash && *path != '/')
			buf_byte(v->out, '/');
		path += slash && *path == '/';	/* two would begin a host */
	}
	buf_str(v->out, path);
}

/* What it is called on, with the second argument in the place of the first. */
static void eval_replaced(struct eval *v, const struct evaluated_call *m)
{
	const char *text = eval_string(v, receiver_of_call(m)), *what = eval_string(v, argument(m, 0));
	const char *found = NULL;

	if (*what && strcmp(what, "{}"))
		found = strstr(text, what);
	if (!found) {
		buf_str(v->out, text);
		return;
	}
	buf_put(v->out, text, (size_t)(found - text));
	eval(v, argument(m, 1));
	buf_str(v->out, found + strlen(what));
}

/*
 * A reference seen from a base: it replaces what is behind the base's last slash, or the whole
 * path.
 */
static void eval_resolved(struct eval *v, const struct evaluated_call *m)
{
	const char *base = eval_string(v, argument(m, 0)), *reference = eval_string(v, argument(m, 1));
	const char *scheme = strstr(base, "://"), *path = strchr(scheme ? scheme + 3 : base, '/');

	if (!strstr(reference, "://")) {
		const char *end = !path ? base + strlen(base) :
		    *reference == '/'   ? path :
		                          strrchr(base, '/');
		buf_put(v->out, base, (size_t)(end - base));
		buf_str(v->out, *reference == '/' ? "" : "/");
	}
	buf_str(v->out, reference);
}

/* `"/".join([a, b])` */
static void eval_list(struct eval *v, const struct evaluated_call *m)
{
	struct expression list = argument(m, 0);

	for (uint32_t i = 0, count = ts_node_is_null(list.n) ? 0 : ts_node_named_child_count(list.n);
	     i < count && i < MAX_ARGS; i++) {
		if (i)
			eval(v, receiver_of_call(m));
		eval(v, expression_at(list, ts_node_named_child(list.n, i)));
	}
}

/* The value of a key in a composite literal, or NULL. */
static const char *literal_key_text(struct eval *v, struct expression body, const char *key)
{
	for (uint32_t i = 0, count = ts_node_named_child_count(body.n); i < count && i < MAX_ARGS;
	     i++) {
		TSNode pair = ts_node_named_child(body.n, i);
		if (ts_node_named_child_count(pair) > 1 &&
		    node_is(body.in->t, ts_node_named_child(pair, 0), key))
			return eval_string(
			    v, expression_at(body, ts_node_named_child(ts_node_named_child(pair, 1), 0)));
	}
	return NULL;
}

void eval_parts(struct eval *v, struct expression t)
{
	TSNode type = ts_node_child_by_field_name(t.n, "type", 4),
	       body = ts_node_child_by_field_name(t.n, "body", 4);

	if (ts_node_is_null(type) || ts_node_is_null(body) || !node_is(t.in->t, type, "url.URL")) {
		eval_unknown(v);
		return;
	}
	struct expression b = expression_at(t, body);
	const char *scheme = literal_key_text(v, b, "Scheme"), *host = literal_key_text(v, b, "Host"),
	           *path = literal_key_text(v, b, "Path");
	buf_str(v->out, scheme && strcmp(scheme, "{}") ? scheme : "http");
	buf_str(v->out, "://");
	buf_str(v->out, host ? host : "{}");
	buf_str(v->out, path && *path != '/' ? "/" : "");
	buf_str(v->out, path ? path : "");
}

/* getenv("KEY", "default"); `way`: of a section of the configuration, or NULL */
static void eval_variable(
    struct eval *v, struct expression t, const char *way, const TSNode *arg, size_t n)
{
	struct buf key = { 0 }, fallback = { 0 };

	if (way)
		buf_printf(&key, "%s.", way);
	if (n)
		eval_into(v, expression_at(t, arg[0]), &key);
	if (n > 1)
		eval_into(v, expression_at(t, arg[1]), &fallback);
	buf_str(&key, "");
	if (!eval_known(&key, 0) || !eval_setting(v, t.in, arena_str(v->ask->a, key.p),
	    eval_known(&fallback, 0) ? arena_strn(v->ask->a, fallback.p, fallback.n) : NULL))
		eval_unknown(v);
	buf_free(&key);
	buf_free(&fallback);
}

/*
 * One of the values that a function may give back, of which some are not known: of a variable of
 * the environment and what is for it when it is not set the one that says more.  False: none is
 * known.
 */
static bool eval_returned(struct eval *v, struct expression t)
{
	struct expression given[MAX_RETURNED];
	const char *known[MAX_RETURNED], *text;
	size_t n = origin_return_values(v->ask, t, given, MAX_RETURNED), count = 0;

	for (size_t i = 0; i < n; i++) {
		bool again = !*(text = eval_string(v, given[i])) || !strcmp(text, "{}") ||
		    strstr(text, URL_PARAMETER);
		for (size_t k = 0; k < count; k++)
			again |= !strcmp(known[k], text);
		if (!again)
			known[count++] = text;
	}
	for (size_t i = 0; i < count && count > 1; i++)
		if (url_is_local(known[i]))
			known[i--] = known[--count];
	if (count > 1 && v->ask->choices < (int)count)
		v->ask->choices = (int)count;
	if (count)
		buf_str(v->out, known[(size_t)v->ask->choice < count ? (size_t)v->ask->choice : count - 1]);
	return count > 0;
}

/* A call of a function that is not known to make strings: what it returns. */
static void eval_result(struct eval *v, struct expression t)
{
	struct origin o = origin_of(v->ask, t);
	const struct expr_rule *x = NULL;
	TSNode only[2];

	if (o.what == ORIGIN_NODE)
		x = rules_expr(o.at.in->t, o.at.n);
	if (o.what == ORIGIN_NODE && !(o.at.in == t.in && ts_node_eq(o.at.n, t.n)))
		eval(v, o.at);
	else if (x && x->op == EXPR_CALL && eval_returned(v, t))
		;
	else if (x && x->op == EXPR_NEW && call_arguments(t.in->t, t.n, only, 2) == 1)
		eval(v, expression_at(t, only[0]));	/* an object made of one value is that value as text */
	else if (o.what == ORIGIN_PARAMETER ? !eval_setter_parameter(v, &o) : !eval_from_context(v, &o))
		eval_unknown(v);
}

TSNode arguments_of(const struct syntax_tree *t, TSNode call)
{
	const struct expr_rule *x = rules_expr(t, call);
	TSNode list = x && x->arguments.n ? node_path_get(&x->arguments, call) : (TSNode){ 0 };

	if (ts_node_is_null(list))
		list = ts_node_child_by_field_name(call, "arguments", 9);
	if (!ts_node_is_null(list))
		return list;
	list = ts_node_named_child(call, 1);
	return ts_node_is_null(list) || strcmp(ts_node_type(list), "call_suffix") ?
	    (TSNode){ 0 } :
	    ts_node_named_child(list, 0);
}

static void eval_call_rule(struct eval *v, const struct call_rule *rule, struct evaluated_call *m)
{
	bool format = rule->how == CALL_PRINTF || rule->how == CALL_BRACE;

	m->how = rule->how;
	switch (rule->how) {
	case CALL_RESOLVE: eval_resolved(v, m); return;
	case CALL_LIST: eval_list(v, m); return;
	case CALL_JOIN: case CALL_PATHS: eval_joined(v, m); return;
	case CALL_BASE: eval_with_base_url(v, m); return;
	case CALL_REPLACE: eval_replaced(v, m); return;
	case CALL_EITHER: eval_fallback(v, m); return;
	case CALL_AND: eval_and(v, m); return;
	case CALL_CONFIG: eval_config(v, m); return;
	case CALL_SEGMENT: eval_segment(v, m); return;
	case CALL_ENV:
		eval_variable(v, m->call,
		    *rule->name == '.' ? config_section_path(v, receiver_of_call(m)) : NULL, m->arg, m->n);
		return;
	case CALL_BARE: eval_bare(v, m); return;
	case CALL_SAME: case CALL_APPEND: case CALL_SEGMENTS: case CALL_HOST: eval_step(v, m); return;
	default: break;
	}
	if (format && *rule->name == '.')
		eval_format(v, receiver_of_call(m), m->call, m->arg, m->n, rule->how == CALL_BRACE);
	else if (format && m->n)
		eval_format(v, argument(m, 0), m->call, m->arg + 1, m->n - 1, rule->how == CALL_BRACE);
	else
		eval(v, argument(m, rule->how == CALL_DEFAULT));
}

void eval_call(struct eval *v, struct expression t)
{
	TSNode list = arguments_of(t.in->t, t.n);
	struct evaluated_call m = { .call = t };
	const struct call_rule *rule;
	char name[80];

	if (ts_node_is_null(list) && t.in->t->rules->tokens && eval_macro(v, t))
		return;
	call_callee(t.in->t, t.n, list, name, sizeof name);
	rule = call_rule_of(t.in->t->rules, name);
	if (!rule && strstr(name, "::<")) {	/* with its type: param::<u32>() */
		*strstr(name, "::<") = '\0';
		rule = call_rule_of(t.in->t->rules, name);
	}
	m.n = call_arguments(t.in->t, t.n, m.arg, MAX_ARGS);
	if (!rule)
		eval_result(v, t);
	else if (rule->how == CALL_MERGE || (ts_node_is_null(list) && rule->how != CALL_SAME))
		eval_unknown(v);
	else
		eval_call_rule(v, rule, &m);
}

/* The value that `config["KEY"] = value` gives in the file, whatever holds `config`; NULL: none. */
static const struct binding *element_binding(
    const struct syntax_tree *t, const char *holder, const char *key)
{
	const char *last = strrchr(holder, '.') ? strrchr(holder, '.') + 1 : holder;
	size_t n = strlen(last), len = strlen(key);

	for (size_t i = 0; i < t->bindings.n; i++) {
		const char *name = t->bindings.v[i].name, *open = *name == '.' ? strchr(name, '[') : NULL;
		if (!open || (size_t)(open - name) < n + 1 || memcmp(open - n, last, n) ||
		    (open[-(long)n - 1] != '.'))
			continue;
		if (strlen(open) == len + 4 && strchr("\"'", open[1]) && !memcmp(open + 2, key, len))
			return &t->bindings.v[i];
	}
	return NULL;
}

/*
 * An element by its key: of a dictionary that is written out, or a setting that is given by its
 * key or is a constant somewhere.
 */
static bool eval_element(struct eval *v, struct expression t, TSNode of, TSNode key)
{
	const char *name = eval_string(v, expression_at(t, key)),
	           *holder = node_dotted_name(t.in, of, v->ask->a);
	struct expression m = *name && !strchr(name, '{') ?
	    origin_member(v->ask, expression_at(t, of), name) :
	    (struct expression){ 0 };
	const struct binding *b = ts_node_is_null(m.n) && *name ?
	    element_binding(t.in->t, holder, name) :
	    NULL;
	size_t n = strlen(holder);

	if (b &&
	    (node_start_byte(t.n) < node_start_byte(b->value) ||
	        node_end_byte(t.n) > node_end_byte(b->value)))
		m = (struct expression){ t.in, b->value, NULL };
	if (ts_node_is_null(m.n) && n >= 6 && !strcmp(holder + n - 6, "config")) {
		v->ask->unknown = true;
		m = other_files_constant(v->ask->join, t.in, name);
	}
	if (ts_node_is_null(m.n))
		return false;
	eval(v, m);
	return true;
}

bool eval_index(struct eval *v, struct expression t)
{
	const struct expr_rule *x = rules_expr(t.in->t, t.n);
	TSNode of = x && x->op == EXPR_INDEX ? node_path_get(&x->of, t.n) : (TSNode){ 0 };
	const char *chain = ts_node_is_null(of) ? NULL : node_dotted_name(t.in, of, v->ask->a);
	uint32_t n = ts_node_named_child_count(t.n);

	if (!chain || n < 2)
		return false;
	TSNode key = ts_node_named_child(t.n, n - 1);
	if (eval_element(v, t, of, key))
		return true;
	const char *way = config_section_path(v, expression_at(t, of));
	if (!way && !word_set_has(&t.in->t->rules->env, chain, strlen(chain)))
		return false;
	eval_variable(v, t, way, &key, 1);
	return true;
}
