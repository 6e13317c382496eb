#include "shard/contracts/urls/url_evaluator_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "shard/base/kinds.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"

enum { SETTLED = 16, DEEPEST_SETTING = 4, MAX_AROUND = 60 };

/* Whether a definition makes instances of the type around it, or is that type. */
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

/*
 * The calls that a parameter of `definition` has its value from: of a constructor those of the
 * type that the object is of.
 */
static size_t agreeing_calls(
    struct dataflow_context *a, const struct origin *o, int definition, struct expression *out)
{
	int type = type_of_maker(o->at.in, definition);
	size_t n = 0;

	if (type >= 0)
		n = derived_constructor_calls(a, o->at.in, type, out, SETTLED);
	a->own |= type >= 0;
	if (n)
		return n;
	return other_files_callers(a->join, o->at.in, definition, out, SETTLED);
}

/*
 * What a parameter of a function that the site does not stand in is given: when all callers agree.
 */
static bool eval_agreed_argument(struct eval *v, const struct origin *o, int definition)
{
	struct expression calls[SETTLED];
	struct buf first = { 0 }, other = { 0 };
	size_t n = definition < 0 || v->ask->agreement_depth > 2 || !v->ask->join ?
	    0 :
	    agreeing_calls(v->ask, o, definition, calls);
	bool agree = n > 0;

	v->ask->agreement_depth++;
	for (size_t i = 0; i < n && agree; i++) {
		struct call_frame g = { o->at.in, o->function, calls[i] };
		struct expression t = parameter_argument(v->ask, &g, o->name, strlen(o->name));
		other.n = 0;
		eval_into(v, t, i ? &other : &first);
		agree = eval_known(i ? &other : &first, 0) &&
		    (!i || (other.n == first.n && !memcmp(other.p, first.p, first.n)));
	}
	v->ask->agreement_depth--;
	if (agree)
		buf_put(v->out, first.p, first.n);
	buf_free(&first);
	buf_free(&other);
	return agree;
}

/* Whether the function is around the site, so that each of its callers makes a call of its own. */
static bool around_site(const struct dataflow_context *a, const struct origin *o)
{
	return o->at.in == a->home && !ts_node_is_null(a->around) &&
	    node_start_byte(o->function) <= node_start_byte(a->around) &&
	    node_end_byte(a->around) <= node_end_byte(o->function);
}

/* A URL of this machine says less than another one does. */
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

/* A setting by its key, or its default; NULL: neither is there. */
static const char *setting(struct dataflow_context *a, const struct contract_file *in,
    const char *key, const char *fallback, int depth)
{
	const char *path;
	uint32_t line;
	const char *value = NULL;

	if (a->join)
		value = other_files_setting(a->join, in, key, false, &path, &line);
	a->unknown = true;
	if (value && fallback && url_is_local(value) && !url_is_local(fallback))
		value = NULL;
	if (value)
		url_add_step(a, path, line, arena_printf(a->a, "%s = %s", key, value));
	if (!value)
		value = fallback;
	if (value)
		return eval_placeholders(a, in, value, depth + 1);
	return NULL;
}

const char *eval_placeholders(
    struct dataflow_context *a, const struct contract_file *in, const char *text, int depth)
{
	const char *from = strstr(text, "${"), *end = from ? strchr(from, '}') : NULL;
	const char *nested = NULL;

	if (from)
		nested = strstr(from + 2, "${");
	if (end && nested && nested < end)
		end = strchr(end + 1, '}');
	if (!end || depth > DEEPEST_SETTING)
		return text;
	char *key = arena_strn(a->a, from + 2, (size_t)(end - from - 2)), *fallback = strchr(key, ':');
	if (fallback) {
		*fallback++ = 0;
		fallback += strchr("-?=", *fallback) && *fallback;
	}
	const char *value = setting(a, in, key, fallback, depth);
	return arena_printf(a->a, "%.*s%s%s", (int)(from - text), text, value ? value : "{}",
	    eval_placeholders(a, in, end + 1, depth + 1));
}

const char *url_setting(struct dataflow_context *a, const struct contract_file *in, const char *key)
{
	const char *path;
	uint32_t line;
	const char *value = NULL;

	if (a->join)
		value = other_files_setting(a->join, in, key, true, &path, &line);
	a->unknown = true;
	if (value)
		url_add_step(a, path, line, arena_printf(a->a, "%s = %s", key, value));
	if (value)
		return eval_placeholders(a, in, value, 0);
	return NULL;
}

bool eval_setting(
    struct eval *v, const struct contract_file *in, const char *key, const char *fallback)
{
	const char *value = setting(v->ask, in, key, fallback, 0);

	if (value && v->out->n + strlen(value) <= LONGEST)
		buf_str(v->out, value);
	return value != NULL;
}

/* `process.env.X`: the X, or NULL. */
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

/* The first string behind `word` in a text, without quotes; NULL: there is none. */
static char *quoted_string_after(
    struct dataflow_context *a, const char *text, size_t n, const char *word)
{
	const char *at = memmem(text, n, word, strlen(word)), *end = text + n;
	const char *from = at ? memchr(at, '"', (size_t)(end - at)) : NULL,
	           *to = from ? memchr(from + 1, '"', (size_t)(end - from - 1)) : NULL;

	if (to)
		return arena_strn(a->a, from + 1, (size_t)(to - from - 1));
	return NULL;
}

/*
 * A field that settings fill: @Value("${key:default}"), or of a class of
 * @ConfigurationProperties("prefix").
 */
static bool eval_injected(struct eval *v, const struct origin *o)
{
	const struct contract_file *in = o->at.in;
	const struct definition *d = &in->found->v[o->definition].def,
	                        *type = d->parent < 0 ? NULL : &in->found->v[d->parent].def;
	const char *text = in->t->text, *key;

	if (!kind_holds_value(kind_of(d->kind)))
		return false;
	key = quoted_string_after(v->ask, text + d->start_byte, d->end_byte - d->start_byte, "@Value(");
	if (key) {
		buf_str(v->out, eval_placeholders(v->ask, in, key, 0));
		return true;
	}
	if (type)
		key = quoted_string_after(v->ask, text + type->start_byte, d->start_byte - type->start_byte,
		    "@ConfigurationProperties(");
	else
		key = NULL;
	return key && eval_setting(v, in, arena_printf(v->ask->a, "%s.%s", key, d->name), NULL);
}

/*
 * The URL that a handler is asked for, when it is written where its route is: a call with a path
 * and the function around.
 */
static bool eval_lookup_call(struct eval *v, struct expression t)
{
	const struct syntax_tree *tree = t.in->t;
	TSNode n = t.n, around;

	if (!word_set_has(&tree->rules->asked, tree->text + node_start_byte(n), node_len(n)))
		return false;
	for (int depth = 0; depth < MAX_AROUND && !ts_node_is_null(around = ts_node_parent(n));
	     depth++, n = around) {
		TSNode first = ts_node_named_child(around, 0);
		const struct node_rule *r = rules_of(tree->rules, first);
		bool handler = !strcmp(ts_node_type(around), "arguments") &&
		    !ts_node_is_null(ts_node_child_by_field_name(n, "body", 4));
		const char *path = "";
		if (handler && r && r->op == VALUE_TEXT)
			path = eval_string(v, (struct expression){ t.in, first, NULL });
		if (*path == '/') {
			buf_str(v->out, url_path(path, true, v->ask->a));
			return true;
		}
	}
	return false;
}

/* Whether what stands before the next comma or bracket is a declaration of the name. */
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

	for (; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)); at += sizeof word - 1) {
		const char *from = memchr(at, '"', (size_t)(end - at));
		const char *to = NULL;
		if (from)
			to = memchr(from + 1, '"', (size_t)(end - from - 1));
		if (!to || to[1] != ')' || !declares(to + 2, end, o->name))
			continue;
		buf_str(v->out,
		    eval_placeholders(
		        v->ask, o->at.in, arena_strn(v->ask->a, from + 1, (size_t)(to - from - 1)), 0));
		return true;
	}
	return false;
}

bool eval_setter_parameter(struct eval *v, const struct origin *o)
{
	const struct found_definitions *found = o->at.in->found;

	for (size_t i = 0; i < found->n; i++) {
		const struct definition *d = &found->v[i].def,
		                        *type = d->parent < 0 ? NULL : &found->v[d->parent].def;
		struct origin field = { .what = ORIGIN_DEFINITION, .at = o->at, .definition = (int)i };
		if (type && !strcmp(d->name, o->name) && type->start_byte <= node_start_byte(o->function) &&
		    node_end_byte(o->function) <= type->end_byte && eval_injected(v, &field))
			return true;
	}
	return false;
}

/* A field that is a parameter of its class (Kotlin, C#): when all who make instances agree. */
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
	return !ts_node_is_null(parameter.function) && eval_agreed_argument(v, &parameter, maker);
}

bool eval_from_context(struct eval *v, const struct origin *o)
{
	if (o->what == ORIGIN_PARAMETER)
		return eval_argument_value(v, o) ||
		    eval_agreed_argument(
		        v, o, enclosing_definition(o->at.in, node_start_byte(o->function), true)) ||
		    eval_setter_parameter(v, o);
	return o->what == ORIGIN_DEFINITION && (eval_injected(v, o) || eval_primary(v, o));
}

/* What is at the origin of a name. */
static void eval_origin(struct eval *v, struct expression t, const struct origin *o, size_t steps)
{
	if (o->what == ORIGIN_NODE && !(o->at.in == t.in && ts_node_eq(o->at.n, t.n)))
		eval(v, o->at);
	else if (o->what == ORIGIN_PARAMETER && around_site(v->ask, o))
		buf_str(v->out, URL_PARAMETER);
	else if (!eval_from_context(v, o)) {
		if (v->ask->steps)
			v->ask->steps->n = steps;	/* they led nowhere */
		eval_unknown(v);
	}
}

void eval_chain(struct eval *v, struct expression t, const char *chain)
{
	size_t steps = v->ask->steps ? v->ask->steps->n : 0;
	struct origin o = origin_chain(v->ask, t, chain);

	eval_origin(v, t, &o, steps);
}

void eval_name(struct eval *v, struct expression t)
{
	const char *key = variable(t.in, node_dotted_name(t.in, t.n, v->ask->a));
	size_t steps = v->ask->steps ? v->ask->steps->n : 0;
	struct origin o;

	if (key) {
		if (!eval_setting(v, t.in, key, NULL))
			eval_unknown(v);
		return;
	}
	if (eval_lookup_call(v, t))
		return;
	o = origin_of(v->ask, t);
	eval_origin(v, t, &o, steps);
}
