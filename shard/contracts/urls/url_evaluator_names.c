#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"

#include "shard/base/kinds.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"

enum { SETTLED = 16, DEEPEST_SETTING = 4, MAX_AROUND = 60 };

/* The type that a constructor makes instances of, or the type itself, by index; -1: neither. */
static int type_of_maker(const struct contract_file *in, int definition)
{
	const struct definition *d = NULL;

	if (definition >= 0)
		d = &in->found->v[definition].def;
	if (!d)
		return -1;
	if (kind_is_type(kind_of(d->kind)))
		return definition;
	if (!strcmp(d->kind, "constructor"))
		return d->parent;
	return -1;
}

/* The type, derived from `type`, of the object that a value belongs to. */
static struct type_ref self_of(struct dataflow_context *a, const struct origin *o, int type)
{
	for (const struct call_frame *g = o->at.given; g; g = g->call.given)
		if (g->self.in && derived_is(a, g->self, (struct type_ref){ o->at.in, type }))
			return g->self;
	return a->self;
}

/*
 * The calls that give a parameter of `definition` its value: for a constructor, those that make
 * the type of the object at hand.
 */
static size_t agreeing_calls(
    struct dataflow_context *a, const struct origin *o, int definition, struct expression *out)
{
	int type = type_of_maker(o->at.in, definition);
	size_t n = 0;

	if (type >= 0)
		n = derived_constructor_calls(a, self_of(a, o, type), o->at.in, type, out, SETTLED);
	a->own |= type >= 0;
	if (n)
		return n;
	return other_files_callers(a->join, o->at.in, definition, out, SETTLED);
}

static bool same_text(const struct buf *a, const struct buf *b)
{
	return a->n == b->n && !memcmp(a->p, b->p, a->n);
}

/* The argument that each of the calls passes for the parameter; false: they differ. */
static bool agreed_argument(struct eval *v, const struct origin *o, const struct expression *calls,
    size_t n, struct buf *first)
{
	struct buf other = { 0 };
	bool agree = n > 0;

	for (size_t i = 0; i < n && agree; i++) {
		struct call_frame g = { .in = o->at.in, .function = o->function, .call = calls[i] };
		struct expression t = parameter_argument(v->ask, &g, o->name, strlen(o->name));
		struct buf *text = first;
		if (i)
			text = &other;
		text->n = 0;
		eval_into(v, t, text);
		agree = eval_known(text, 0) && same_text(text, first);
	}
	buf_free(&other);
	return agree;
}

/*
 * The argument for a parameter of a function that does not contain the site, if all callers pass
 * the same.
 */
static bool eval_agreed_argument(struct eval *v, const struct origin *o, int definition)
{
	struct expression calls[SETTLED];
	struct buf text = { 0 };

	if (definition < 0 || v->ask->agreement_depth > 2 || !v->ask->join)
		return false;
	size_t n = agreeing_calls(v->ask, o, definition, calls);
	v->ask->agreement_depth++;
	bool agree = agreed_argument(v, o, calls, n, &text);
	v->ask->agreement_depth--;
	bool several = n > 1 || !v->ask->calls;
	v->ask->by_object |= !agree && several && type_of_maker(o->at.in, definition) >= 0;
	if (agree)
		buf_put(v->out, text.p, text.n);
	buf_free(&text);
	return agree;
}

/* The type whose own parameter it is (Kotlin, C#), by index; -1: it is a function's. */
static int type_of_parameter(const struct origin *o)
{
	int type = enclosing_type_index(o->at.in, o->function);

	if (type >= 0 && ts_node_eq(definition_node(o->at.in, type), o->function))
		return type;
	return -1;
}

bool eval_around_site(struct dataflow_context *a, const struct origin *o)
{
	a->placed = true;
	a->placed_by_call |= o->at.in == a->home;
	if (o->at.in != a->home || ts_node_is_null(a->around) || type_of_parameter(o) >= 0)
		return false;
	return node_within(a->around, o->function);
}

/* A URL of this machine tells less than another one. */
bool url_is_local(const char *url)
{
	static const char *const hosts[] = { "localhost", "127.0.0.1", "0.0.0.0",
		"host.docker.internal", "{}" };
	const char *host = strstr(url, "://");

	for (size_t i = 0; host && i < LEN(hosts); i++)
		if (!strncmp(host + 3, hosts[i], strlen(hosts[i])))
			return true;
	return false;
}

/* The value of a setting, or its default; NULL if there is neither. */
static const char *setting(struct dataflow_context *a, const struct contract_file *in,
    const char *key, const char *fallback, int depth)
{
	const char *path, *value = NULL;
	uint32_t line;

	if (a->join)
		value = other_files_setting(a->join, in, key, false, &path, &line);
	a->unknown = true;
	if (value && fallback && url_is_local(value) && !url_is_local(fallback))
		value = NULL;
	if (value)
		url_add_step(a, path, line, arena_printf(a->a, "%s = %s", key, value));
	else
		value = fallback;
	if (!value)
		return NULL;
	return eval_placeholders(a, in, value, depth + 1);
}

/* The closing bracket of the placeholder at `from`, which may contain another one; or NULL. */
static const char *placeholder_end(const char *from)
{
	const char *end = strchr(from, '}'), *nested = strstr(from + 2, "${");

	if (end && nested && nested < end)
		return strchr(end + 1, '}');
	return end;
}

const char *eval_placeholders(
    struct dataflow_context *a, const struct contract_file *in, const char *text, int depth)
{
	const char *from = strstr(text, "${"), *end = NULL;

	if (from)
		end = placeholder_end(from);
	if (!end || depth > DEEPEST_SETTING)
		return text;
	char *key = arena_strn(a->a, from + 2, (size_t)(end - from - 2)), *fallback = strchr(key, ':');
	if (fallback) {
		*fallback++ = 0;
		if (*fallback && strchr("-?=", *fallback))
			fallback++;
	}
	const char *value = setting(a, in, key, fallback, depth);
	if (!value)
		value = "{}";
	return arena_printf(a->a, "%.*s%s%s", (int)(from - text), text, value,
	    eval_placeholders(a, in, end + 1, depth + 1));
}

const char *url_setting(struct dataflow_context *a, const struct contract_file *in, const char *key)
{
	const char *path, *value = NULL;
	uint32_t line;

	if (a->join)
		value = other_files_setting(a->join, in, key, true, &path, &line);
	a->unknown = true;
	if (!value)
		return NULL;
	url_add_step(a, path, line, arena_printf(a->a, "%s = %s", key, value));
	return eval_placeholders(a, in, value, 0);
}

bool eval_setting(
    struct eval *v, const struct contract_file *in, const char *key, const char *fallback)
{
	const char *value = setting(v->ask, in, key, fallback, 0);

	if (value && v->out->n + strlen(value) <= LONGEST)
		buf_str(v->out, value);
	return value != NULL;
}

/* The X of `process.env.X`, or NULL. */
static const char *variable(const struct contract_file *in, const char *chain)
{
	const struct word_set *w = &in->t->rules->env;

	for (size_t i = 0; chain && i < w->n; i++) {
		size_t n = strlen(w->v[i]);
		if (!strncmp(chain, w->v[i], n) && chain[n] == '.' && !strchr(chain + n + 1, '.'))
			return chain + n + 1;
	}
	return NULL;
}

/*
 * A field that settings fill: @Value("${key:default}"), or a field of a class with
 * @ConfigurationProperties("prefix").
 */
static bool eval_injected(struct eval *v, const struct origin *o)
{
	const struct contract_file *in = o->at.in;
	const struct definition *d = &in->found->v[o->definition].def;
	const char *text = in->t->text, *start = text + d->start_byte;

	if (!kind_holds_value(kind_of(d->kind)))
		return false;
	const char *key = quoted_string_after(v, start, text + d->end_byte, "@Value(");
	if (key) {
		buf_str(v->out, eval_placeholders(v->ask, in, key, 0));
		return true;
	}
	if (d->parent < 0)
		return false;
	key = quoted_string_after(
	    v, text + in->found->v[d->parent].def.start_byte, start, "@ConfigurationProperties(");
	if (!key)
		return false;
	return eval_setting(v, in, arena_printf(v->ask->a, "%s.%s", key, d->name), NULL);
}

/* The path of the call whose function argument is `n`: app.get("/users", function); "" if none. */
static const char *handled_path(struct eval *v, struct contract_file *in, TSNode n, TSNode around)
{
	TSNode first = ts_node_named_child(around, 0);
	const struct node_rule *r = rules_of(in->t->rules, first);
	bool handler = !strcmp(ts_node_type(around), "arguments") &&
	    !ts_node_is_null(ts_node_child_by_field_name(n, "body", 4));

	if (!handler || !r || r->op != VALUE_TEXT)
		return "";
	return eval_string(v, (struct expression){ in, first, NULL });
}

/*
 * The URL that a handler was requested with, when the handler is a function in the call that
 * registers the route.
 */
static bool eval_lookup_call(struct eval *v, struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode n = t.n;

	if (!word_set_has(&tree->rules->asked, tree->text + node_start_byte(n), node_len(n)))
		return false;
	for (int depth = 0; depth < MAX_AROUND; depth++) {
		TSNode around = node_parent(n);
		if (ts_node_is_null(around))
			return false;
		const char *path = handled_path(v, t.in, n, around);
		if (*path == '/') {
			buf_str(v->out, url_path(path, true, v->ask->a));
			return true;
		}
		n = around;
	}
	return false;
}

/* Whether the text before the next comma or bracket is a declaration of the name. */
static bool declares(const char *s, const char *end, const char *name)
{
	size_t n = strlen(name);
	const char *last = s;

	while (last < end && *last != ',' && *last != ')')
		last++;
	while (last > s && isspace((unsigned char)last[-1]))
		last--;
	return (size_t)(last - s) > n && !memcmp(last - n, name, n) &&
	    isspace((unsigned char)last[-(ptrdiff_t)n - 1]);
}

/* A parameter that settings fill: @Value("${key:default}") String name. */
static bool eval_argument_value(struct eval *v, const struct origin *o)
{
	static const char word[] = "@Value(";
	const char *text = o->at.in->t->text, *end = text + node_end_byte(o->function),
	           *at = text + node_start_byte(o->function);

	for (;; at += sizeof word - 1) {
		at = memmem(at, (size_t)(end - at), word, sizeof word - 1);
		if (!at)
			return false;
		const char *from = memchr(at, '"', (size_t)(end - at)), *to = NULL;
		if (from)
			to = memchr(from + 1, '"', (size_t)(end - from - 1));
		if (!to || to[1] != ')' || !declares(to + 2, end, o->name))
			continue;
		const char *value = arena_strn(v->ask->a, from + 1, (size_t)(to - from - 1));
		buf_str(v->out, eval_placeholders(v->ask, o->at.in, value, 0));
		return true;
	}
}

bool eval_setter_parameter(struct eval *v, const struct origin *o)
{
	const struct found_definitions *found = o->at.in->found;

	for (size_t i = 0; i < found->n; i++) {
		const struct definition *d = &found->v[i].def;
		if (d->parent < 0 || strcmp(d->name, o->name))
			continue;
		const struct definition *type = &found->v[d->parent].def;
		bool inside = type->start_byte <= node_start_byte(o->function) &&
		    node_end_byte(o->function) <= type->end_byte;
		struct origin field = { .what = ORIGIN_DEFINITION, .at = o->at, .definition = (int)i };
		if (inside && eval_injected(v, &field))
			return true;
	}
	return false;
}

/* The default of a parameter of a type or its constructor; false: it has none, or that is unknown. */
static bool eval_default(struct eval *v, const struct origin *o)
{
	TSNode value = parameter_default_value(o->at.in, o->function, o->name, strlen(o->name));
	size_t before = v->out->n;

	if (ts_node_is_null(value))
		return false;
	eval(v, (struct expression){ o->at.in, value, NULL });
	if (eval_known(v->out, before))
		return true;
	v->out->n = before;
	return false;
}

/*
 * A field that is a parameter of its class (Kotlin, C#), if all who make instances pass the same.
 */
static bool eval_primary(struct eval *v, const struct origin *o)
{
	const struct definition *d = &o->at.in->found->v[o->definition].def;
	struct origin parameter = *o;
	int maker = d->parent;

	parameter.name = d->name;
	parameter.function = derived_primary_constructor(o->at.in, d->parent, d->name, strlen(d->name));
	if (ts_node_is_null(parameter.function)) {	/* or of its constructor (TypeScript) */
		maker = enclosing_definition(o->at.in, d->start_byte, true);
		if (type_of_maker(o->at.in, maker) != d->parent || maker == d->parent)
			return false;
		parameter.function = definition_function_node(o->at.in, maker);
	}
	if (ts_node_is_null(parameter.function))
		return false;
	return eval_agreed_argument(v, &parameter, maker) || eval_default(v, &parameter);
}

/* Whether the parameter's function is another one inside a function. */
static bool is_inside(const struct origin *o, TSNode function)
{
	return !ts_node_is_null(function) && !ts_node_eq(function, o->function) &&
	    is_function_node(o->at.in->t, o->function) && node_within(o->function, function);
}

bool eval_from_context(struct eval *v, const struct origin *o)
{
	if (o->what == ORIGIN_DEFINITION)
		return eval_injected(v, o) || eval_primary(v, o);
	if (o->what != ORIGIN_PARAMETER)
		return false;
	if (eval_argument_value(v, o))
		return true;
	int function = enclosing_definition(o->at.in, node_start_byte(o->function), true);
	if (function >= 0 && is_inside(o, definition_function_node(o->at.in, function)))
		return false;		/* of a function without a name */
	int type = type_of_parameter(o);
	if (type >= 0)
		return eval_agreed_argument(v, o, type) || eval_default(v, o);
	if (eval_agreed_argument(v, o, function) || eval_setter_parameter(v, o))
		return true;
	return function >= 0 && type_of_maker(o->at.in, function) >= 0 && eval_default(v, o);
}

bool eval_parameter_of_site(struct eval *v, const struct origin *o)
{
	if (o->what != ORIGIN_PARAMETER || !eval_around_site(v->ask, o))
		return false;
	buf_str(v->out, URL_PARAMETER);
	return true;
}

/* Why nothing is known of a name with that origin. */
static const char *gap_of(const struct origin *o)
{
	static const char *const why[] = { [ORIGIN_UNKNOWN] = "name",
		[ORIGIN_NODE] = "expression",
		[ORIGIN_PARAMETER] = "argument",
		[ORIGIN_DEFINITION] = "value",
		[ORIGIN_MODULE] = "value" };

	return why[o->what];
}

/* What the name's origin holds; `steps`: how many steps there were before it was followed. */
static void eval_value(struct eval *v, struct expression t, const struct origin *o, size_t steps)
{
	if (eval_function(v, o))
		return;
	if (origin_is_elsewhere(o, t)) {
		eval(v, o->at);
		return;
	}
	if (eval_parameter_of_site(v, o)) {
		eval_note_gap(v, t, "caller");
		return;
	}
	if (eval_from_context(v, o))
		return;
	eval_note_gap(v, t, gap_of(o));
	if (v->ask->steps)
		v->ask->steps->n = steps;	/* they led nowhere */
	eval_unknown(v);
}

static void eval_origin(struct eval *v, struct expression t, const struct origin *o, size_t steps)
{
	size_t before = v->out->n;

	eval_value(v, t, o, steps);
	if (o->slashed && v->out->n > before && v->out->p[v->out->n - 1] != '/')
		buf_byte(v->out, '/');
}

static size_t step_count(const struct eval *v)
{
	if (v->ask->steps)
		return v->ask->steps->n;
	return 0;
}

void eval_chain(struct eval *v, struct expression t, const char *chain)
{
	size_t steps = step_count(v);
	struct origin o = origin_chain(v->ask, t, chain);

	eval_origin(v, t, &o, steps);
}

/* Whether the text ends with one of the words that name the methods of requests. */
static bool names_verbs(const char *owner, size_t n)
{
	static const char *const words[] = { "Method", "Verb", "METHOD" };

	for (size_t i = 0; i < LEN(words); i++) {
		size_t len = strlen(words[i]);
		if (n >= len && !memcmp(owner + n - len, words[i], len))
			return true;
	}
	return false;
}

const char *verb_constant(const char *chain)
{
	static const char *const verbs[] = { "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
		"TRACE" };
	static const char *const before[] = { "Method", "METHOD_", "METH_", "HTTP_METHOD_", "HTTP_" };
	const char *dot = NULL, *name = chain;
	size_t n = 0;

	if (!chain)
		return NULL;
	dot = strrchr(chain, '.');
	if (dot)
		name = dot + 1;
	for (size_t i = 0; i < LEN(before) && !n; i++)
		if (!strncmp(name, before[i], strlen(before[i])))
			n = strlen(before[i]);
	if (!n && (!dot || !names_verbs(chain, (size_t)(dot - chain))))
		return NULL;
	name += n;
	for (size_t i = 0; i < LEN(verbs); i++)
		if (!strcasecmp(name, verbs[i]))
			return verbs[i];
	return NULL;
}

/* The assignment to the path of the URL that a name means, `u.Path = p`; or NULL. */
static const struct binding *assigned_path(struct eval *v, struct expression t)
{
	const struct word_set *members = &t.in->t->rules->path_of;

	for (size_t i = 0; i < members->n && !ts_node_named_child_count(t.n); i++) {
		const char *name = arena_printf(v->ask->a, "%.*s.%s", (int)node_len(t.n),
		    t.in->t->text + node_start_byte(t.n), members->v[i]);
		const struct binding *b = find_local_binding(
		    t.in->t, name, strlen(name), node_start_byte(t.n), NULL);
		if (b && b->from && node_end_byte(b->value) <= node_start_byte(t.n))
			return b;
	}
	return NULL;
}

static void eval_plain_name(struct eval *v, struct expression t)
{
	const char *chain = node_dotted_name(t.in, t.n, v->ask->a), *key = variable(t.in, chain),
	           *verb = verb_constant(chain);
	size_t steps = step_count(v);

	if (verb) {
		buf_str(v->out, verb);
		return;
	}

	if (key) {
		if (eval_setting(v, t.in, key, NULL))
			return;
		eval_note_gap(v, t, "setting");
		eval_unknown(v);
		return;
	}
	if (eval_lookup_call(v, t))
		return;
	struct origin o = origin_of(v->ask, t);
	eval_origin(v, t, &o, steps);
}

/* The new path of a URL; segments in a list are appended to the old one. */
static const char *path_text(struct eval *v, struct expression t)
{
	struct expression segment[MAX_ARGS];
	size_t n = list_values(v->ask, t, segment, MAX_ARGS);
	const char *path = "{}";

	if (!n)
		return eval_string(v, t);
	for (size_t i = 0; i < n; i++)
		path = arena_printf(v->ask->a, "%s/%s", path, eval_string(v, segment[i]));
	return path;
}

void eval_name(struct eval *v, struct expression t)
{
	const struct binding *path = assigned_path(v, t);
	size_t before = v->out->n;

	eval_plain_name(v, t);
	eval_changes(v, t, before);
	if (v->out->n == before + 2 && !eval_known(v->out, before)) {
		v->out->n = before;
		if (!eval_same_member(v, t))
			eval_unknown(v);
	}
	if (!path)
		return;
	eval_put_path(v, before, path_text(v, (struct expression){ t.in, path->value, t.given }));
}
