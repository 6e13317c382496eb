#include "shard/contracts/contracts_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/method_value.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/urls/route_syntax.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

enum { BUDGET = 4000 };

/* ---- one view of a site ---- */

static const struct call_frame *call_frames_of(struct fact_builder *c, const struct site_context *w)
{
	const struct call_frame *outer = NULL;
	struct type_ref self = w->self;

	for (int i = w->depth; i-- > 0;) {
		struct call_frame *g = arena_one(c->a, struct call_frame);
		bool same = w->by[i].own && self.in && derived_is(&c->ask, self, w->by[i].self);
		if (!same)
			self = w->by[i].self;
		*g = (struct call_frame){ w->by[i].in, w->by[i].function, w->by[i].call, self, false };
		g->call.given = call_frames_within(c->a, g->call.given, outer);
		outer = g;
	}
	return outer;
}

bool site_is_unreachable(
    struct fact_builder *c, const struct contract_site *s, const struct site_context *w)
{
	const struct call_frame *g = NULL;

	if (!w->depth)
		return false;
	g = call_frames_of(c, w);
	if (is_unreachable(&c->ask, (struct expression){ c->in, s->node, g }))
		return true;
	for (; g; g = g->call.given)
		if (is_unreachable(&c->ask, g->call))
			return true;
	return false;
}

struct method {
	const char *verb;
	bool unknown, parameter;
};

/* The methods of a site: those that are known, and what is known of the others. */
struct methods {
	struct method v[MAX_VERBS + 1];
	int n;
	bool stated, unknown, parameter;
};

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

/*
 * The methods of a site in the file `in`.  An unknown method counts as ANY if there is no other.
 */
static void methods_of(struct fact_builder *c, struct contract_file *in,
    const struct contract_site *s, const struct call_frame *given, struct methods *l)
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

/* The text with ordinary holes in place of parameters. */
static const char *plain(const char *text, struct arena *a)
{
	if (!strstr(text, URL_PARAMETER))
		return text;
	char *s = arena_str(a, text);
	for (char *at = strstr(s, URL_PARAMETER); at; at = strstr(at, URL_PARAMETER))
		memmove(at + 1, at + 2, strlen(at + 2) + 1);
	return s;
}

/* Whether a caller's argument determines the structure of the path, not only a segment of it. */
static bool structural(const char *text)
{
	const char *at = strstr(text, URL_PARAMETER), *query = strchr(text, '?');

	if (!at || (query && query < at))
		return false;
	const char *scheme = strstr(text, "://"), *rest = text;
	if (scheme)
		rest = scheme + 3;
	if (!rest[strspn(rest, "{}\1/")]) /* below an unknown base */
		return true;
	return at == text || at[-1] != '/';
}

/* One path of a site, and what the class that handles it adds. */
struct site_path {
	const struct path_part *path;
	const char *below;		/* the path of the class's own site, or "" */
	struct contract_file *in;	/* the file of that site */
	const struct contract_site *answer;	/* that site; NULL: the site itself */
	struct value_gap gap, method_gap;	/* what is not known of the path and the method */
};

/* Set the path of a fact; false: there is none. */
static bool set_path(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const char *prefix, const char *text, struct fact *f)
{
	if (!strcmp(c->fw->kind, "topic"))
		return fact_topic(c, s, call_frames_of(c, w), prefix, text, f);
	if (!strcmp(c->fw->side, "forwards"))
		return fact_forwards(c, s, prefix, text, f);
	if (c->provides)
		return fact_provides(c, s, prefix, text, f);
	return fact_consumes(c, s, prefix, text, f);
}

/* The controller's method that the text of an expression means; NULL: it is not known. */
static const char *handler_of_text(
    struct fact_builder *c, const struct contract_site *s, struct expression handler)
{
	const char *text = expression_text(&c->ask, handler);

	if (!*text || strchr(text, '{'))
		return NULL;
	return rails_handler(text, s->action, c->a);
}

/* The function that the element of a table names as the handler, or NULL. */
static const char *handler_of_element(
    struct fact_builder *c, const struct contract_site *s, const struct site_context *w)
{
	if (!c->ask.loop.in || ts_node_is_null(s->handler))
		return NULL;
	struct expression handler = { c->in, s->handler, call_frames_of(c, w) };
	if (s->action)
		return handler_of_text(c, s, handler);
	struct origin o = origin_of(&c->ask, handler);
	if (o.what == ORIGIN_DEFINITION)
		return o.at.in->found->v[o.definition].def.qualified;
	if (o.what == ORIGIN_NODE)
		return node_dotted_name(o.at.in, o.at.n, c->a);
	return NULL;
}

static const char *symbol_at(struct fact_builder *c, const struct contract_file *in,
    const struct contract_site *s, const struct site_context *w, const struct site_path *way)
{
	const char *element = handler_of_element(c, s, w);

	if (element)
		return element;
	if (w->stays)
		in = c->in;
	else if (w->depth)
		return found_enclosing_name(in->found, node_start_byte(w->at.n));
	if (way->answer)
		return site_symbol(way->in, s, way->answer);
	return site_symbol(in, s, NULL);
}

/* Whether the text is a path behind what the function around the site is given. */
static bool is_below_parameter(const char *text)
{
	size_t n = strlen(URL_PARAMETER), verb = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

	if (verb && text[verb] == ' ') /* `GET /path` */
		text += verb + 1;
	return !strncmp(text, URL_PARAMETER, n) && text[n] == '/' &&
	    isalpha((unsigned char)text[n + 1]);
}

/* Whether an element of a table says only a name and is no key, so that the site tells more. */
static bool is_bare_name(const struct expression *element)
{
	const struct node_rule *r = rules_of(element->in->t->rules, element->n), *around = NULL;
	TSNode n = node_parent(element->n);

	while (!ts_node_is_null(n) && ts_node_named_child_count(n) == 1)
		n = node_parent(n);
	if (!ts_node_is_null(n))
		around = rules_of(element->in->t->rules, n);
	bool key = !ts_node_is_null(n) && ts_node_named_child_count(n) == 2 && (!around || !around->op);
	return r && r->op == VALUE_TEXT && !key;
}

/*
 * The place of a fact: the site or the call from which it is seen, or the row of a table that a
 * loop around it registers.
 */
static struct expression place_of(
    const struct fact_builder *c, const struct contract_site *s, const struct site_context *w)
{
	const struct expression *loop = &c->ask.loop, *element = &c->ask.loop_element;

	if (w->stays)
		return (struct expression){ c->in, s->node, NULL };
	if (loop->in != w->at.in || !node_within(w->at.n, loop->n))
		return w->at;
	if (!element->in->file && element->in != w->at.in)
		return w->at;
	if (is_bare_name(element))
		return w->at;
	return *element;
}

/* Say what could not be followed. */
static void set_gap(struct fact_builder *c, const struct value_gap *gap, struct fact *f)
{
	const struct contract_file *in = gap->at.in;

	if (!gap->why)
		return;
	f->why = gap->why;
	f->gap = node_raw(in->t, gap->at.n, c->a);
	f->gap_line = node_line(gap->at.n);
	if (in->file && f->file && strcmp(in->file->path, f->file))
		f->gap_file = in->file->path;
}

/* Place a fact at the type that it counts for. */
static void place_at_type(const struct fact_builder *c, struct fact *f)
{
	const struct definition *d = c->under->d;

	if (c->under->in->file)
		f->file = c->under->in->file->path;
	f->line = d->start_line;
	f->end_line = d->start_line;
	f->symbol = d->qualified;
}

static void put_site_fact(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct method *m, const struct site_path *way,
    const char *prefix, const char *text, struct site_fact_list *out)
{
	struct expression place = place_of(c, s, w);
	struct contract_file *in = place.in;
	struct site_fact x = { .fact = { .side = c->fw->side,
		                       .kind = c->fw->kind,
		                       .framework = c->fw->name,
		                       .scope = c->fw->scope,
		                       .method = m->verb,
		                       .line = node_line(place.n),
		                       .end_line = node_end_row(place.n) + 1,
		                       .symbol = symbol_at(c, w->at.in, s, w, way) } };

	if (in->file)
		x.fact.file = in->file->path;
	if (c->under && c->at_type)
		place_at_type(c, &x.fact);
	if (m->unknown)
		x.fact.reason = "dynamic";
	bool by_object = c->ask.by_object && *text && strstr(text + 1, "{}");
	x.vague = c->provides && !strcmp(text + (*text == '/'), URL_PARAMETER);
	x.based = c->provides && is_below_parameter(text);
	x.structure = m->parameter || by_object || structural(text) || x.vague;
	x.hidden = way->path->keys && !strcmp(text, URL_PARAMETER);
	x.hidden |= s->passed && m->unknown;
	x.hidden |= s->sure && m->unknown;
	x.parameter = m->parameter || by_object || strstr(text, URL_PARAMETER) ||
	    strstr(prefix, URL_PARAMETER);
	if (w->depth)
		x.fact.raw = node_raw(w->at.in->t, w->at.n, c->a);
	else if (!ts_node_is_null(way->path->node))
		x.fact.raw = node_raw(in->t, way->path->node, c->a);
	if (c->provides && c->ask.unserved)
		return;
	text = plain(text, c->a);
	prefix = plain(prefix, c->a);
	if (!set_path(c, s, w, prefix, text, &x.fact)) {
		if (!c->provides || !x.structure)
			return;
		x.hidden = true; /* only callers know a path */
		x.fact.path = "{}";
		x.fact.reason = "dynamic";
	}
	x.fact.partial |= c->provides && c->ask.unmounted;
	if (x.fact.reason)
		set_gap(c, m->unknown ? &way->method_gap : &way->gap, &x.fact);
	x.fact.steps.n = c->steps.n;
	x.fact.steps.v = arena_many(c->a, c->steps.n, struct step);
	if (c->steps.n)
		memcpy(x.fact.steps.v, c->steps.v, c->steps.n * sizeof *c->steps.v);
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof x);
	out->v[out->n++] = x;
}

/* Whether the site is a page with a form: its path ends with the name of its action. */
static bool is_page(const struct contract_site *s)
{
	const char *append = NULL, *last = NULL;

	if (s->npaths)
		append = s->path[0].append;
	if (append)
		last = strrchr(append, '/');
	return last && s->action && *s->action && !strcmp(last + 1, s->action);
}

/*
 * Whether the site is a page that its controller lacks: Rails and Laravel route pages with forms
 * even to the controller of an API.
 */
static bool page_missing(struct fact_builder *c, const struct contract_site *s)
{
	const char *symbol, *dot = NULL;

	if (!is_page(s))
		return false;
	symbol = site_symbol(c->in, s, NULL);
	if (symbol)
		dot = strrchr(symbol, '.');
	c->ask.unknown = true;
	if (!dot)
		return false;
	const char *class = arena_strn(c->a, symbol, (size_t)(dot - symbol));
	return other_files_lack_method(c->ask.join, c->in, class, s->action);
}

/* The facts of one path: each method below each prefix. */
static void make_path_fact(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out)
{
	const struct call_frame *given = call_frames_of(c, w);
	struct methods methods = { 0 };
	const struct value_gap none = { 0 };

	c->ask.gap = none;
	const char *text = path_part_text(&c->ask, c->in, way->path, given);
	if (!text)
		return;
	way->gap = c->ask.gap;
	c->ask.gap = none;
	if (way->answer)
		methods_of(c, way->in, way->answer, NULL, &methods);
	else
		methods_of(c, c->in, s, given, &methods);
	way->method_gap = c->ask.gap;
	text = arena_printf(c->a, "%s%s", text, way->below);
	for (size_t k = 0; k < prefixes->n; k++)
		for (int m = 0; m < methods.n; m++)
			put_site_fact(c, s, w, &methods.v[m], way, prefixes->v[k], text, out);
}

/*
 * The file that defines the class of a handler of `in`, or `in` itself; `*name`: the class's name.
 */
static struct contract_file *class_of(
    struct fact_builder *c, struct contract_file *in, TSNode handler, const char **name)
{
	struct origin o = origin_of(&c->ask, (struct expression){ in, handler, NULL });
	const char *text = node_raw(in->t, handler, c->a), *dot = strrchr(text, '.');
	struct framework_type type;

	if (o.what == ORIGIN_DEFINITION) {
		*name = o.at.in->found->v[o.definition].def.name;
		return o.at.in;
	}
	*name = text;
	if (dot)
		*name = dot + 1;
	if (type_resolve(c, in, handler, "", &type))
		return type.in;
	return in;
}

/* Whether the last part of a dotted name is `name`. */
static bool class_is(const struct syntax_tree *t, TSNode n, const char *name)
{
	size_t len = strlen(name), have = node_len(n);
	const char *s = t->text + node_start_byte(n);

	return have >= len && !memcmp(s + have - len, name, len) &&
	    (have == len || s[have - len - 1] == '.');
}

/* A class that handles requests, and the classes that refer to it. */
struct visited_class {
	struct contract_file *in;
	const char *name;
	const struct visited_class *from;	/* NULL: the site's own class */
	int depth;
};

static bool class_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct visited_class *of, struct site_fact_list *out);

/* Whether the class was visited already: resources may return themselves. */
static bool class_visited(
    const struct visited_class *of, const struct contract_file *in, const char *name)
{
	for (; of; of = of->from)
		if (of->in == in && !strcmp(of->name, name))
			return true;
	return false;
}

/* The facts of one site of a class, or of the class that handles the site. */
static void make_answer(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct contract_site *answer, const struct visited_class *of, struct site_fact_list *out)
{
	const char *above = way->below;
	bool has_class = answer->answers && !ts_node_is_null(answer->handler);

	for (int k = 0; k < MAX(answer->npaths, 1); k++) {
		const char *own = "", *name = NULL;
		struct contract_file *in = NULL;
		if (answer->npaths)
			own = path_part_text(&c->ask, of->in, &answer->path[k], NULL);
		if (!own)
			own = "";
		way->below = path_join(c->a, above, own);
		way->answer = answer;
		way->in = of->in;
		if (has_class)
			in = class_of(c, of->in, answer->handler, &name);
		struct visited_class next = { in, name, of, of->depth + 1 };
		if (!in)
			make_path_fact(c, s, w, prefixes, way, out);
		else if (!class_visited(of, in, name))
			class_answers(c, s, w, prefixes, way, &next, out);
	}
	way->answer = NULL;
	way->below = above;
}

/* What the framework's queries find in the file of a class, or NULL. */
static struct framework_matches *class_matches(
    struct fact_builder *c, const struct visited_class *of)
{
	const struct framework *fw = framework_in_file(of->in, c->fw);

	if (!fw || of->depth >= MAX_BASES)
		return NULL;
	return framework_find_matches(of->in, fw);
}

/* The facts of each site of a class or of its bases; false: it has none. */
static bool class_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct visited_class *of, struct site_fact_list *out)
{
	struct contract_file *in = of->in;
	struct framework_matches *spots = class_matches(c, of);
	const struct definition *d = type_named(in, of->name);
	bool found = false;

	for (size_t i = 0; spots && i < spots->n; i++) {
		const struct framework_match *p = &spots->v[i];
		struct contract_site a = { .node = p->node[ROLE_SITE] };
		struct framework_type base;
		if (!has(p, ROLE_CLASS))
			continue;
		if (!has(p, ROLE_SITE)) {
			if (!d || !scope_is_type(in, p, d) || !type_base(c, in, p, &base))
				continue;
			struct visited_class above = { base.in, base.d->name, of, of->depth + 1 };
			found |= class_answers(c, s, w, prefixes, way, &above, out);
			continue;
		}
		if (site_composed(spots, i) || !class_is(in->t, p->node[ROLE_CLASS], of->name))
			continue;
		site_read(in, spots, i, &a);
		make_answer(c, s, w, prefixes, way, &a, of, out);
		found = true;
	}
	return found;
}

/* The facts of the class that handles a site; false: it has none. */
static bool make_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out)
{
	struct visited_class of = { 0 };

	if (ts_node_is_null(s->handler))
		return false;
	of.in = class_of(c, c->in, s->handler, &of.name);
	return class_answers(c, s, w, prefixes, way, &of, out);
}

void site_make_facts(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out)
{
	struct prefixes prefixes = { 0 };
	int npaths = s->npaths;

	c->ask.calls = !c->provides && !strcmp(c->fw->kind, "http");
	c->ask.home = w->at.in;
	c->ask.around = w->at.n;
	c->ask.self = w->self;
	c->ask.budget = BUDGET;
	c->ask.depth = 0;
	if (page_missing(c, s))
		return;
	if (site_is_unreachable(c, s, w))
		return;
	c->ask.unmounted = c->ask.unserved = false;
	site_prefixes(c, s, call_frames_of(c, w), &prefixes);
	if (!npaths && s->bare)
		npaths = 1;
	size_t before = c->steps.n;
	for (int i = 0; prefixes.n && i < npaths; i++) {
		struct site_path way = { .path = &s->path[i], .below = "" };
		c->steps.n = before;
		if (!s->answers || !make_answers(c, s, w, &prefixes, &way, out))
			make_path_fact(c, s, w, &prefixes, &way, out);
	}
}
