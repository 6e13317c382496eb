#include "shard/contracts/contracts_internal.h"

#include <ctype.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/known_conditions.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/contracts/paths/route_syntax.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

enum { BUDGET = 4000 };

const struct call_frame *call_frames_of(struct fact_builder *c, const struct site_context *w)
{
	const struct call_frame *outer = w->object;
	struct type_ref self = w->self;

	for (int i = w->depth; i-- > 0;) {
		struct call_frame *g = arena_one(c->a, struct call_frame);
		bool same = w->by[i].own && self.in && derived_is(&c->ask, self, w->by[i].self);
		if (!same)
			self = w->by[i].self;
		*g = (struct call_frame){ w->by[i].in, w->by[i].function, w->by[i].call, self, false,
			NULL };
		g->call.given = call_frames_within(c->a, g->call.given, outer);
		outer = g;
	}
	return outer;
}

bool site_is_unreachable(
    struct fact_builder *c, const struct contract_site *s, const struct site_context *w)
{
	const struct call_frame *g = NULL;

	if (!w->depth && !w->object)
		return false;
	g = call_frames_of(c, w);
	if (is_unreachable(&c->ask, (struct expression){ c->in, s->node, g }))
		return true;
	for (; g; g = g->call.given)
		if (is_unreachable(&c->ask, g->call))
			return true;
	return false;
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
	while (element->given && element->given->element)
		element = element->given->element; /* what a list was made of */
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
	/* a hole that a call begins with is its base */
	bool by_object = c->ask.by_object && *text && strstr(text + !c->provides, "{}");
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
		x.fact.raw = node_raw(c->in->t, way->path->node, c->a);
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

const char *site_path_text(struct fact_builder *c, const struct path_part *path,
    const struct call_frame *given, struct value_gap *gap)
{
	if (c->path.of != path) {
		c->ask.gap = (struct value_gap){ 0 };
		c->path.text = path_part_text(&c->ask, c->in, path, given);
		c->path.of = path;
		c->path.gap = c->ask.gap;
		c->path.loop = c->ask.loop;
		c->path.element = c->ask.loop_element;
	} else if (c->path.loop.in) {
		c->ask.loop = c->path.loop;
		c->ask.loop_element = c->path.element;
	}
	if (gap)
		*gap = c->path.gap;
	return c->path.text;
}

/* Whether the segment is a parameter that may be missing: `{id?}`, `{page=1}`, `:id?`. */
static bool is_optional_parameter(const char *s, size_t n)
{
	if (n > 3 && *s == '{' && s[n - 1] == '}' && s[1] != '*')
		return s[n - 2] == '?' || memchr(s, '=', n);
	for (size_t i = 1; i + 1 < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 2 && *s == ':' && s[n - 1] == '?';
}

/* The path of a route without its last parameter, if that may be missing; or NULL. */
static const char *without_optional(const struct fact_builder *c, const char *text)
{
	const char *slash = strrchr(text, '/'), *last = text;

	if (slash)
		last = slash + 1;
	if (!c->provides || strcmp(c->fw->kind, "http") || !is_optional_parameter(last, strlen(last)))
		return NULL;
	if (slash == text)
		return "/";
	if (!slash)
		return "";
	return arena_strn(c->a, text, (size_t)(slash - text));
}

void site_path_facts(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out)
{
	const struct call_frame *given = call_frames_of(c, w);
	struct methods methods = { 0 };
	const char *text = site_path_text(c, way->path, given, &way->gap);

	if (!text)
		return;
	c->ask.gap = (struct value_gap){ 0 };
	if (way->answer)
		site_methods(c, way->in, way->answer, NULL, &methods);
	else
		site_methods(c, c->in, s, given, &methods);
	way->method_gap = c->ask.gap;
	text = arena_printf(c->a, "%s%s", text, way->below);
	for (; text; text = without_optional(c, text))
		for (size_t k = 0; k < prefixes->n; k++)
			for (int m = 0; m < methods.n; m++)
				put_site_fact(c, s, w, &methods.v[m], way, prefixes->v[k], text, out);
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
	c->ask.gap = (struct value_gap){ 0 };
	if (page_missing(c, s))
		return;
	if (site_is_unreachable(c, s, w))
		return;
	c->ask.unmounted = c->ask.unserved = false;
	c->path.of = NULL;
	site_prefixes(c, s, call_frames_of(c, w), &prefixes);
	if (!npaths && s->bare)
		npaths = 1;
	size_t before = c->steps.n;
	for (int i = 0; prefixes.n && i < npaths; i++) {
		struct site_path way = { .path = &s->path[i], .below = "" };
		c->steps.n = before;
		if (!s->answers || !site_answers(c, s, w, &prefixes, &way, out))
			site_path_facts(c, s, w, &prefixes, &way, out);
	}
}
