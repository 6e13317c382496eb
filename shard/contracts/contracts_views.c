#include "shard/contracts/contracts_internal.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/die.h"
#include "proto/base/minmax.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/* A site as its callers see it, and as the types derived from its type see it. */

enum { MAX_CALLERS = 2048, MAX_DERIVED = 64, MAX_OBJECTS = 64, STRUCTURE = 4, MAX_NESTED = 5 };

/* Of one file, whose functions may all call each other; with more, callers are not asked. */
enum { MOST_VIEWS = 16384 };

/* How much of a path is said in words, and whether the rest is. */
static bool has_hole(const char *s)
{
	return strchr(s, '{') != NULL;
}

/* How much of a path is literal, and whether its host is known. */
static int path_specificity(const struct fact *f)
{
	int n = 0;

	for (const char *s = f->path; s && *s; s++)
		if (*s == '/' && isalpha((unsigned char)s[1]))
			n += STRUCTURE;
	if (!f->reason)
		n++;
	if (f->host && !has_hole(f->host))
		n++;
	return n;
}

static int max_path_specificity(const struct site_fact_list *l)
{
	int best = -1;

	for (size_t i = 0; i < l->n; i++) {
		int n = 0;
		if (!l->v[i].vague)
			n = path_specificity(&l->v[i].fact);
		best = MAX(best, n);
	}
	return best;
}

/* Whether a part of the facts is unknown. */
static bool is_open(const struct site_fact_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct fact *f = &l->v[i].fact;
		if (f->reason || strstr(f->path, "{}"))
			return true;
		if (f->host && has_hole(f->host))
			return true;
	}
	return false;
}

/* Whether nothing is unknown any more in the facts of one view. */
static bool closes(const struct site_fact_list *own, const struct site_fact_list *by)
{
	return by->n && is_open(own) && !is_open(by);
}

static void site_fact_add(struct site_fact_list *l, const struct site_fact *f)
{
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = *f;
}

/* Replace the facts by others if these are better, else free the others; whether they are. */
static bool replace_facts(struct site_fact_list *own, struct site_fact_list *by, bool better)
{
	if (!better) {
		free(by->v);
		return false;
	}
	free(own->v);
	*own = *by;
	return true;
}

/* The facts of the site as one caller sees it, added to `all` if they tell more than `own`. */
static bool facts_by_caller(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, TSNode function, const struct expression *call,
    const struct site_fact_list *own, struct site_fact_list *all)
{
	struct site_context next = *w;
	struct site_fact_list l = { 0 };

	next.by[next.depth].in = w->at.in;
	next.by[next.depth].function = function;
	next.by[next.depth].call = *call;
	next.by[next.depth].own = derived_own_call(*call);
	next.at = *call;
	for (const struct call_frame *g = call->given; g && g->passes; g = g->call.given)
		next.at = g->call;
	c->ask.self = w->self;
	next.self = derived_receiver(&c->ask, *call);
	next.by[next.depth].self = next.self;
	if (!next.self.in)
		next.self = w->self;
	next.depth++;
	for (size_t i = 0; i < own->n; i++)
		next.stays |= own->v[i].based;
	c->ask.decided = false;
	site_facts_by_callers(c, s, &next, &l);
	bool decided = c->ask.decided;
	if (!l.n && site_is_unreachable(c, s, &next))
		return true;
	bool tells = max_path_specificity(&l) > max_path_specificity(own);
	tells |= decided && closes(own, &l);
	for (size_t k = 0; tells && k < l.n; k++)
		site_fact_add(all, &l.v[k]);
	free(l.v);
	return tells;
}

/* Whether the call is in a function through which the site is seen: it calls itself. */
static bool is_seen_through(
    const struct site_context *w, TSNode function, const struct expression *call)
{
	if (call->in == w->at.in && node_within(call->n, function))
		return true;
	for (int i = 0; i < w->depth; i++)
		if (call->in == w->by[i].in && node_within(call->n, w->by[i].function))
			return true;
	return false;
}

/* The definition whose function's node it is, or -1. */
static int definition_of_function(const struct contract_file *in, TSNode function)
{
	int d = enclosing_definition(in, node_start_byte(function), true);

	if (d >= 0 && ts_node_eq(definition_function_node(in, d), function))
		return d;
	return -1;
}

/* The name of a definition; NULL: it is none. */
static const char *name_of_definition(const struct contract_file *in, int definition)
{
	if (definition < 0)
		return NULL;
	return in->found->v[definition].def.name;
}

/*
 * Replace `own` by the facts as the callers of a function around the site see them; false: they
 * tell no more.
 */
static bool facts_by_callers_of(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, TSNode function, struct site_fact_list *own)
{
	struct expression *calls = xmalloc(MAX_CALLERS * sizeof *calls);
	int definition = definition_of_function(w->at.in, function);
	struct site_fact_list all = { 0 };
	bool structure = false;
	size_t more = 0, others = 0, n;

	for (size_t i = 0; i < own->n; i++)
		structure |= own->v[i].structure;
	if (definition >= 0)
		n = other_files_callers(c->ask.join, w->at.in, definition, calls, MAX_CALLERS);
	else
		n = calls_of_local_function(w->at.in, function, calls, MAX_CALLERS);
	if (!n && definition < 0)
		n = other_files_anonymous_callers(c->ask.join, w->at.in, function, calls, MAX_CALLERS);
	if (!n)
		n = calls_of_given_function(&c->ask, w->at.in, function,
		    name_of_definition(w->at.in, definition), calls, MAX_CALLERS);
	/* without structure all must tell more, so that one that does not is the last to be asked */
	for (size_t i = 0; i < n && c->views < MOST_VIEWS && (structure || more == others); i++) {
		if (is_seen_through(w, function, &calls[i]))
			continue;
		others++;
		c->views++;
		more += facts_by_caller(c, s, w, function, &calls[i], own, &all);
	}
	free(calls);
	bool all_tell = others && more == others && c->views < MOST_VIEWS;
	return replace_facts(own, &all, all_tell || (structure && more));
}

/*
 * The same for the innermost function around the site whose callers tell more: a function that is
 * made by another one may use the other one's parameters.
 */
static bool facts_by_callers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *own)
{
	const struct contract_file *in = w->at.in;
	TSNode function = enclosing_function(in, node_parent(w->at.n));

	if (w->depth == MAX_WRAPPERS || !c->ask.join)
		return false;
	for (int depth = 0; depth < MAX_NESTED && !ts_node_is_null(function); depth++) {
		if (facts_by_callers_of(c, s, w, function, own))
			return true;
		function = enclosing_function(in, node_parent(function));
	}
	return false;
}

/* A path that stands in a table of a derived type is called there. */
static void place_at_entry(const struct expression *entry, struct site_fact_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct fact *f = &l->v[i].fact;
		f->file = entry->in->file->path;
		f->line = node_line(entry->n);
		f->end_line = f->line;
		f->symbol = found_enclosing_name(entry->in->found, node_start_byte(entry->n));
	}
}

/* The facts of the site for one derived type, added to `all` if they tell more than `least`. */
static void facts_of_derived_type(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct type_ref type, int least, struct site_fact_list *all)
{
	struct site_context next = *w;
	struct site_fact_list l = { 0 };

	next.self = type;
	c->ask.table = (struct expression){ 0 };
	site_make_facts(c, s, &next, &l);
	if (c->ask.table.in == type.in)
		place_at_entry(&c->ask.table, &l);
	bool abstract = type_abstract(type.in, &type.in->found->v[type.type].def);
	bool tells = !abstract && max_path_specificity(&l) > least;
	for (size_t k = 0; tells && k < l.n; k++)
		site_fact_add(all, &l.v[k]);
	free(l.v);
}

/* The same for each type derived from `type`, directly or not. */
static void facts_of_derived_types(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct type_ref *type, int depth, int least,
    struct site_fact_list *all)
{
	struct type_ref below[MAX_DERIVED];
	size_t n = 0;

	if (depth < MAX_BASES)
		n = other_files_derived_types(c->ask.join, type->in, type->type, below, MAX_DERIVED);
	for (size_t i = 0; i < n; i++) {
		facts_of_derived_type(c, s, w, below[i], least, all);
		facts_of_derived_types(c, s, w, &below[i], depth + 1, least, all);
	}
}

/*
 * A site that uses members of its own object is one site for each derived type that defines them:
 * replace `own` by the facts of these.
 */
static void facts_by_derived_types(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, bool owned, struct site_fact_list *own)
{
	struct type_ref around = { w->at.in, enclosing_type_index(w->at.in, w->at.n) }, type = w->self;
	struct site_fact_list all = { 0 };

	/* else it is the object that the call is of: this.client.get(this.path) */
	if (!type.in || (around.type >= 0 && !derived_is(&c->ask, type, around)))
		type = around;
	if (type.type < 0)
		return;
	bool abstract = type_abstract(type.in, &type.in->found->v[type.type].def);
	c->ask.unknown |= abstract; /* another file may derive from it, with other members */
	if (!c->ask.join)
		return;
	if (!owned && !is_open(own) && !abstract)
		return;
	facts_of_derived_types(c, s, w, &type, 0, max_path_specificity(own), &all);
	replace_facts(own, &all, all.n > 0);
}

/* Whether a call says the same as another one below one more unknown segment of an unknown base. */
static bool has_longer_base(const struct fact *f, const struct fact *other)
{
	return f->host && other->host && !strcmp(f->host, "{}") && !strcmp(other->host, "{}") &&
	    !strncmp(f->path, "/{}/", 4) && !strcmp(f->path + 3, other->path) &&
	    !strcmp(f->method, other->method);
}

/* Drop calls whose base is one of several unknown ones, and tells less than another. */
static void drop_longer_bases(struct site_fact_list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		bool drop = false;
		for (size_t k = 0; k < l->n && !drop; k++)
			drop = k != i && has_longer_base(&l->v[i].fact, &l->v[k].fact);
		if (!drop)
			l->v[kept++] = l->v[i];
	}
	l->n = kept;
}

/* The facts of the site in one view, once for each value of its conditions. */
static void facts_of_view(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out)
{
	size_t steps = c->steps.n;

	c->ask.choice = 0;
	c->ask.choices = 0;
	c->ask.defaulted = false;
	c->ask.own = c->ask.owned = false;
	c->ask.by_object = false;
	do {
		c->ask.loop = (struct expression){ 0 };
		site_make_facts(c, s, w, out);
		c->steps.n = steps;
		c->ask.choice++;
	} while (c->ask.choice < c->ask.choices);
	if (c->ask.choices > 1 && c->ask.calls)
		drop_longer_bases(out);
	c->ask.choice = 0;
}

/* ---- a site as the objects of its type see it ---- */

struct object_views {
	struct fact_builder *c;
	const struct contract_site *s;
	const struct site_context *w;
	struct type_ref type; /* of the site */
	struct site_fact_list all;
	size_t objects;
	bool unknown; /* the objects tell no more */
};

/* The facts of the site for the object that an expression makes, `new Users("/users")`. */
static void facts_of_object(
    struct object_views *v, struct type_ref self, const struct expression *made)
{
	struct site_context next = *v->w;
	struct site_fact_list l = { 0 };

	next.object = constructor_frames(&v->c->ask, v->type, self, *made, 0);
	next.self = self;
	v->objects++;
	v->c->views++;
	facts_of_view(v->c, v->s, &next, &l);
	for (size_t i = 0; i < l.n; i++) {
		v->unknown |= l.v[i].parameter && v->c->provides;
		if (!l.v[i].parameter)
			site_fact_add(&v->all, &l.v[i]);
	}
	free(l.v);
}

/* The same for all objects of a type and of those derived from it. */
static void facts_of_objects(struct object_views *v, struct type_ref self, int depth)
{
	struct expression made[MAX_OBJECTS];
	struct type_ref below[MAX_DERIVED];
	size_t n = objects_of_type(&v->c->ask, self, made, MAX_OBJECTS), nbelow = 0;

	for (size_t i = 0; i < n && !v->unknown && v->c->views < MOST_VIEWS; i++)
		facts_of_object(v, self, &made[i]);
	if (depth < MAX_BASES)
		nbelow = other_files_derived_types(v->c->ask.join, self.in, self.type, below, MAX_DERIVED);
	for (size_t i = 0; i < nbelow && !v->unknown; i++)
		facts_of_objects(v, below[i], depth + 1);
}

/* Drop the routes of objects that nothing mounts, if others are mounted. */
static void drop_unmounted(struct site_fact_list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!l->v[i].fact.partial)
			l->v[kept++] = l->v[i];
	if (kept)
		l->n = kept;
}

/*
 * Replace the facts of a site that depends on what the constructor of its type is given by those
 * for each object of the type; false: these tell no more.
 */
static bool facts_by_objects(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *own)
{
	struct object_views v = {
		.c = c, .s = s, .w = w, .type = { w->at.in, enclosing_type_index(w->at.in, w->at.n) }
	};

	if (!c->ask.join || w->object || v.type.type < 0)
		return false;
	facts_of_objects(&v, v.type, 0);
	drop_unmounted(&v.all);
	int more = max_path_specificity(&v.all) - max_path_specificity(own);
	return replace_facts(own, &v.all, v.all.n && !v.unknown && more >= !c->provides);
}

static bool depends_on_callers(const struct site_fact_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].parameter)
			return true;
	return false;
}

void site_facts_by_callers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out)
{
	size_t steps = c->steps.n;
	bool better = false;

	facts_of_view(c, s, w, out);
	bool own = c->ask.own, owned = c->ask.owned, defaulted = c->ask.defaulted,
	     parameter = depends_on_callers(out), several = c->ask.choices > 1,
	     by_object = c->ask.by_object;
	if ((parameter || several) && c->provides)
		better = facts_by_objects(c, s, w, out);
	if (parameter && !better) {
		c->ask.unknown = true;
		if (c->in->file && !w->depth)
			url_add_step(
			    &c->ask, c->in->file->path, node_line(s->node), node_raw(c->in->t, s->node, c->a));
		better = facts_by_callers(c, s, w, out);
		c->steps.n = steps;
	}
	if (by_object && !c->provides && !better)
		better = facts_by_objects(c, s, w, out);
	if (!better && own)
		facts_by_derived_types(c, s, w, owned, out);
	c->steps.n = steps;
	if (!parameter || better || !defaulted)
		return;
	out->n = 0;
	c->ask.defaults = true;		/* no caller passes another value */
	facts_of_view(c, s, w, out);
	c->ask.defaults = false;
	c->steps.n = steps;
}
