#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

enum { BUDGET = 4000 };

/* ---- one view of a site ---- */

static const struct call_frame *call_frames_of(struct fact_builder *c, const struct site_context *w)
{
	const struct call_frame *outer = NULL;

	for (int i = w->depth; i-- > 0;) {
		struct call_frame *g = arena_one(c->a, struct call_frame);
		*g = (struct call_frame){ w->by[i].in, w->by[i].function, w->by[i].call };
		g->call.given = outer;
		outer = g;
	}
	return outer;
}

struct method {
	const char *verb;
	bool unknown, parameter;
};

/* What a call gives to the parameter that a name is, or a null node. */
static struct expression argument_for(struct fact_builder *c, struct expression t)
{
	const char *name = t.in->t->text + node_start_byte(t.n);
	TSNode function = function_of_parameter(t.in, t.n, name, node_len(t.n));

	for (const struct call_frame *g = t.given; g && !ts_node_is_null(function); g = g->call.given)
		if (g->in == t.in && ts_node_eq(g->function, function))
			return parameter_argument(&c->ask, g, name, node_len(t.n));
	return (struct expression){ 0 };
}

static struct method method_of(struct fact_builder *c, struct expression t)
{
	const char *text = node_raw(t.in->t, t.n, c->a), *found = verb_in(text);
	struct expression given = found ? (struct expression){ 0 } : argument_for(c, t);

	if (!ts_node_is_null(given.n))
		return method_of(c, given);
	if (found)
		return (struct method){ .verb = found };
	c->ask.steps = NULL;	/* they say nothing of the path */
	text = expression_text(&c->ask, t);
	c->ask.steps = &c->steps;
	if (*text)
		found = verb_in(text);
	else
		found = NULL;
	return (struct method){
		.verb = found ? found : "ANY", .unknown = !found, .parameter = strstr(text, URL_PARAMETER)
	};
}

/* Who answers GET answers HEAD: that is no route of its own. */
static int without_head(struct method *v, int n)
{
	bool get = false;
	int kept = 0;

	for (int i = 0; i < n; i++)
		get |= !strcmp(v[i].verb, "GET");
	for (int i = 0; i < n; i++)
		if (!get || strcmp(v[i].verb, "HEAD"))
			v[kept++] = v[i];
	return kept;
}

/*
 * Whether the options of a call are something that may hold a method, and nothing is known of it.
 */
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
	const struct node_rule *r = NULL;
	if (o.what == ORIGIN_NODE)
		r = rules_of(o.at.in->t->rules, o.at.n);
	*parameter = o.what == ORIGIN_PARAMETER;
	return *parameter || o.what == ORIGIN_UNKNOWN ||
	    (r && r->op == VALUE_CALL && !url_is_object(o.at.in->t, o.at.n));
}

/*
 * The methods of a site that stands in `in`; what cannot be known counts where nothing else is
 * said.
 */
static int methods_of(struct fact_builder *c, struct contract_file *in,
    const struct contract_site *s, const struct call_frame *given, struct method out[MAX_VERBS + 1])
{
	int n = 0;
	bool said = false, unknown = false, parameter = false;

	for (int i = 0; i < s->nmethods; i++) {
		struct method m = { .verb = s->method[i].verb };
		c->ask.steps = NULL;	/* they say nothing of the path */
		struct expression t = m.verb ?
		    (struct expression){ 0 } :
		    expression_member(
		        &c->ask, (struct expression){ in, s->method[i].node, given }, s->method[i].keys);
		bool open = !m.verb && ts_node_is_null(t.n) && s->open &&
		    options_unknown(c, (struct expression){ in, s->method[i].node, given }, &m.parameter);
		c->ask.steps = &c->steps;
		if (!m.verb && ts_node_is_null(t.n)) {	/* options without a method */
			said |= open;
			unknown |= open && s->nmethods == 1;
			parameter |= open && m.parameter;
			continue;
		}
		said |= !m.verb;
		if (!m.verb)
			m = method_of(c, t);
		unknown |= m.unknown;
		parameter |= m.parameter;
		for (int k = 0; k < n && !m.unknown; k++)
			m.unknown = !strcmp(out[k].verb, m.verb);
		if (!m.unknown)
			out[n++] = m;
	}
	if (!n && s->fallback && !said)
		out[n++] = (struct method){ .verb = s->fallback };
	else if (!n && unknown)
		out[n++] = (struct method){ .verb = "ANY" };
	n = without_head(out, n);
	for (int i = 0; i < n; i++) {
		out[i].unknown = unknown;
		out[i].parameter = parameter;
	}
	return n;
}

/* The text with ordinary holes. */
static const char *plain(const char *text, struct arena *a)
{
	char *s = strstr(text, URL_PARAMETER) ? arena_str(a, text) : NULL, *at = s;

	while (at && (at = strstr(at, URL_PARAMETER)))
		memmove(at + 1, at + 2, strlen(at + 2) + 1);
	return s ? s : text;
}

/* Whether a caller gives more than one segment or its end: what the path is. */
static bool structural(const char *text)
{
	const char *at = strstr(text, URL_PARAMETER), *query = strchr(text, '?');

	if (!at || (query && query < at))
		return false;
	return at == text || at[-1] != '/';
}

/* One path of a site, and what the class that answers adds. */
struct site_path {
	const struct path_part *path;
	const char *below;		/* a path of what its class answers; "" */
	const struct contract_file *in;	/* where that stands */
	const struct contract_site *answer;	/* NULL: the site itself */
};

static void put_site_fact(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct method *m, const struct site_path *way,
    const char *prefix, const char *text, struct site_fact_list *out)
{
	struct contract_file *in = w->at.in;
	struct site_fact x = { .fact = { .side = c->fw->side,
		                       .kind = c->fw->kind,
		                       .framework = c->fw->name,
		                       .scope = c->fw->scope,
		                       .method = m->verb,
		                       .file = in->file ? in->file->path : NULL,
		                       .line = node_line(w->at.n),
		                       .end_line = ts_node_end_point(w->at.n).row + 1,
		                       .symbol = w->depth ?
		                           found_enclosing_name(in->found, node_start_byte(w->at.n)) :
		                           site_symbol(way->answer ? way->in : in, s, way->answer),
		                       .reason = m->unknown ? "dynamic" : NULL } };

	x.structure = m->parameter || structural(text);
	x.options_unknown = way->path->keys && !strcmp(text, URL_PARAMETER);
	x.parameter = m->parameter || strstr(text, URL_PARAMETER) || strstr(prefix, URL_PARAMETER);
	if (w->depth)
		x.fact.raw = node_raw(in->t, w->at.n, c->a);
	else if (!ts_node_is_null(way->path->node))
		x.fact.raw = node_raw(in->t, way->path->node, c->a);
	text = plain(text, c->a);
	prefix = plain(prefix, c->a);
	if (!(!strcmp(c->fw->kind, "topic") ?
	            fact_topic(c, s, call_frames_of(c, w), prefix, text, &x.fact) :
	            !strcmp(c->fw->side, "forwards") ? fact_forwards(c, s, prefix, text, &x.fact) :
	            c->provides                      ? fact_provides(c, s, prefix, text, &x.fact) :
	                                               fact_consumes(c, s, prefix, text, &x.fact)))
		return;
	x.fact.steps.n = c->steps.n;
	x.fact.steps.v = arena_many(c->a, c->steps.n, struct step);
	if (c->steps.n)
		memcpy(x.fact.steps.v, c->steps.v, c->steps.n * sizeof *c->steps.v);
	out->v = grow(out->v, &out->cap, out->n + 1, sizeof x);
	out->v[out->n++] = x;
}

/* Whether the site is a page with a form: one that is called like its action. */
static bool is_page(const struct contract_site *s)
{
	const char *append = s->npaths ? s->path[0].append : NULL,
	           *last = append ? strrchr(append, '/') : NULL;

	return s->action && *s->action && last && !strcmp(last + 1, s->action);
}

/*
 * Pages with forms, which a controller for programs does not have: Rails and Laravel route them
 * all the same.
 */
static bool page_missing(struct fact_builder *c, const struct contract_site *s)
{
	if (!is_page(s))
		return false;
	const char *symbol = site_symbol(c->in, s, NULL), *dot = symbol ? strrchr(symbol, '.') : NULL;
	c->ask.unknown = true;
	return dot &&
	    other_files_lack_method(
	        c->ask.join, c->in, arena_strn(c->a, symbol, (size_t)(dot - symbol)), s->action);
}

/* Every method at one path below every prefix. */
static void make_path_fact(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, const struct site_path *way,
    struct site_fact_list *out)
{
	const struct call_frame *given = call_frames_of(c, w);
	struct method method[MAX_VERBS + 1];
	const char *text = path_part_text(&c->ask, c->in, way->path, given);
	int n = !text   ? 0 :
	    way->answer ? methods_of(c, (struct contract_file *)way->in, way->answer, NULL, method) :
	                  methods_of(c, c->in, s, given, method);

	if (n)
		text = arena_printf(c->a, "%s%s", text, way->below);
	for (size_t k = 0; k < prefixes->n; k++)
		for (int m = 0; m < n; m++)
			put_site_fact(c, s, w, &method[m], way, prefixes->v[k], text, out);
}

/*
 * The file in which the class of a handler of `in` stands, and its name; NULL: it is no class of
 * this repository.
 */
static struct contract_file *class_of(
    struct fact_builder *c, struct contract_file *in, TSNode handler, const char **name)
{
	struct origin o = origin_of(&c->ask, (struct expression){ in, handler, NULL });
	const char *text = node_raw(in->t, handler, c->a), *dot = strrchr(text, '.');
	struct framework_type type;

	*name = dot ? dot + 1 : text;
	if (o.what == ORIGIN_DEFINITION)
		*name = o.at.in->found->v[o.definition].def.name;
	else if (type_resolve(c, in, handler, &type))
		return type.in;
	if (o.what == ORIGIN_DEFINITION)
		return o.at.in;
	return in;
}

/* Whether what is behind the node's last dot is the name. */
static bool class_is(const struct syntax_tree *t, TSNode n, const char *name)
{
	size_t len = strlen(name), have = node_len(n);
	const char *s = t->text + node_start_byte(n);

	return have >= len && !memcmp(s + have - len, name, len) &&
	    (have == len || s[have - len - 1] == '.');
}

/* A class that answers, and those on whose behalf it does. */
struct visited_class {
	struct contract_file *in;
	const char *name;
	const struct visited_class *from;	/* NULL: the site's own */
	int depth;
};

static bool class_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct visited_class *of, struct site_fact_list *out);

/* Whether the class is on the way already: resources may give themselves. */
static bool class_visited(
    const struct visited_class *of, const struct contract_file *in, const char *name)
{
	for (; of; of = of->from)
		if (of->in == in && !strcmp(of->name, name))
			return true;
	return false;
}

/* One thing that a class answers, or that what it gives for it answers. */
static void make_answer(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct contract_site *answer, const struct visited_class *of, struct site_fact_list *out)
{
	const char *above = way->below, *name;

	for (int k = 0; k < (answer->npaths ? answer->npaths : 1); k++) {
		const char *own = "";
		if (answer->npaths)
			own = path_part_text(&c->ask, of->in, &answer->path[k], NULL);
		way->below = path_join(c->a, above, own ? own : "");
		way->answer = answer;
		way->in = of->in;
		struct contract_file *in = answer->answers && !ts_node_is_null(answer->handler) ?
		    class_of(c, of->in, answer->handler, &name) :
		    NULL;
		struct visited_class next = { in, in ? name : NULL, of, of->depth + 1 };
		if (!in)
			make_path_fact(c, s, w, prefixes, way, out);
		else if (!class_visited(of, in, name))
			class_answers(c, s, w, prefixes, way, &next, out);
	}
	way->answer = NULL;
	way->below = above;
}

/*
 * For each thing that a class, or what it is derived from, answers; false: nothing is known of it.
 */
static bool class_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    const struct visited_class *of, struct site_fact_list *out)
{
	struct contract_file *in = of->in;
	const struct framework *fw = framework_in_file(in, c->fw);
	struct framework_matches *spots = fw && of->depth < MAX_BASES ? framework_find_matches(in, fw) :
	                                                                NULL;
	const struct definition *d = type_named(in, of->name);
	bool found = false;

	for (size_t i = 0; spots && i < spots->n; i++) {
		const struct framework_match *p = &spots->v[i];
		struct contract_site a = { .node = p->node[ROLE_SITE] };
		struct framework_type base;
		if (has(p, ROLE_CLASS) && !has(p, ROLE_SITE) && d && scope_is_type(in, p, d) &&
		    type_base(c, in, p, &base)) {
			struct visited_class above = { base.in, base.d->name, of, of->depth + 1 };
			found |= class_answers(c, s, w, prefixes, way, &above, out);
		}
		if (!has(p, ROLE_CLASS) || !has(p, ROLE_SITE) || site_composed(spots, i) ||
		    !class_is(in->t, p->node[ROLE_CLASS], of->name))
			continue;
		site_read(in, spots, i, &a);
		make_answer(c, s, w, prefixes, way, &a, of, out);
		found = true;
	}
	return found;
}

static bool make_answers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct prefixes *prefixes, struct site_path *way,
    struct site_fact_list *out)
{
	struct visited_class of = { 0 };

	if (ts_node_is_null(s->handler))
		of.in = NULL;
	else
		of.in = class_of(c, c->in, s->handler, &of.name);
	return of.in && class_answers(c, s, w, prefixes, way, &of, out);
}

void site_make_facts(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out)
{
	struct prefixes prefixes = { 0 };

	c->ask.home = w->at.in;
	c->ask.around = w->at.n;
	c->ask.self = w->self;
	c->ask.budget = BUDGET;
	c->ask.depth = 0;
	if (page_missing(c, s))
		return;
	site_prefixes(c, s, call_frames_of(c, w), &prefixes);
	size_t before = c->steps.n;
	for (int i = 0; prefixes.n && i < (s->npaths ? s->npaths : s->bare); i++) {
		struct site_path way = { .path = &s->path[i], .below = "" };
		c->steps.n = before;
		if (!s->answers || !make_answers(c, s, w, &prefixes, &way, out))
			make_path_fact(c, s, w, &prefixes, &way, out);
	}
}
