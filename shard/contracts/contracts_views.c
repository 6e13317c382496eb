#include "shard/contracts/contracts_internal.h"

#include <ctype.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/* A site as its callers see it, and as the types do that are derived from the one around it. */

enum { MAX_CALLERS = 256, MAX_DERIVED = 64, STRUCTURE = 4 };

/* How much of a path is said in words, and whether the rest is. */
static int path_specificity(const struct fact *f)
{
	int n = 0;

	for (const char *s = f->path; s && *s; s++)
		n += *s == '/' && isalpha((unsigned char)s[1]) ? STRUCTURE : 0;
	return n + (f->reason == NULL) + (f->host && !strchr(f->host, '{'));
}

static int max_path_specificity(const struct site_fact_list *l)
{
	int best = -1;

	for (size_t i = 0; i < l->n; i++) {
		if (path_specificity(&l->v[i].fact) > best)
			best = path_specificity(&l->v[i].fact);
	}
	return best;
}

/*
 * Of what type the object is that a method is called on, so that its own members count; that of
 * the view inside when nothing is known.
 */
static struct type_ref self_of_call(
    struct fact_builder *c, const struct expression *call, const struct type_ref *inside)
{
	const struct syntax_tree *t = call->in->t;
	const struct expr_rule *x = rules_expr(t, call->n);
	TSNode object = x && x->object.n ? node_path_get(&x->object, call->n) :
	                                   call_receiver(t, call->n);
	const char *s = NULL;
	struct type_ref self = { call->in, -1 };

	if (!ts_node_is_null(object))
		s = t->text + node_start_byte(object);
	if (!s || word_set_has(&t->rules->self, s, node_len(object)) ||
	    word_set_has(&t->rules->super, s, node_len(object))) {
		self.type = enclosing_type_index(call->in, call->n);
	} else {
		const char *chain = node_dotted_name(call->in, object, c->a);
		if (chain)
			self.type = other_files_object_type(c->ask.join, call->in, object, chain, &self.in);
		else
			self.type = -1;
	}
	if (self.type < 0)
		return *inside;
	return self;
}

/*
 * What the callers of the function around make of it, in place of `own`; false: no more than it
 * says itself.
 */
static bool facts_by_callers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *own)
{
	struct expression *calls = arena_many(c->a, MAX_CALLERS, struct expression);
	TSNode function = enclosing_function(w->at.in, ts_node_parent(w->at.n));
	int definition = enclosing_definition(w->at.in, node_start_byte(w->at.n), true);
	struct site_fact_list all = { 0 };
	bool structure = false;
	size_t more = 0;

	while (!ts_node_is_null(function) && definition >= 0 &&
	    !ts_node_eq(function, definition_function_node(w->at.in, definition)))
		function = enclosing_function(w->at.in, ts_node_parent(function));
	if (definition < 0 || ts_node_is_null(function) || w->depth == MAX_WRAPPERS || !c->ask.join)
		return false;
	for (size_t i = 0; i < own->n; i++)
		structure |= own->v[i].structure;
	size_t n = other_files_callers(c->ask.join, w->at.in, definition, calls, MAX_CALLERS);
	for (size_t i = 0; i < n; i++) {
		struct site_context next = *w;
		struct site_fact_list l = { 0 };
		next.by[next.depth].in = w->at.in;
		next.by[next.depth].function = function;
		next.by[next.depth++].call = next.at = calls[i];
		next.self = self_of_call(c, &calls[i], &w->self);
		site_facts_by_callers(c, s, &next, &l);
		bool tells = max_path_specificity(&l) > max_path_specificity(own);
		more += tells;
		for (size_t k = 0; tells && k < l.n; k++) {
			all.v = grow(all.v, &all.cap, all.n + 1, sizeof *all.v);
			all.v[all.n++] = l.v[k];
		}
		free(l.v);
	}
	bool better = structure ? more > 0 : n && more == n;
	if (better) {
		free(own->v);
		*own = all;
	} else {
		free(all.v);
	}
	return better;
}

/* Whether something of it is not known. */
static bool is_open(const struct site_fact_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].fact.reason || (l->v[i].fact.host && strchr(l->v[i].fact.host, '{')) ||
		    strstr(l->v[i].fact.path, "{}"))
			return true;
	return false;
}

/*
 * What types that are derived from `type` make of it, and those derived from them, at the end of
 * `all`.
 */
static void facts_of_derived_types(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, const struct type_ref *type, int depth, int least,
    struct site_fact_list *all)
{
	struct type_ref below[MAX_DERIVED];
	size_t n = 0;

	if (depth < MAX_BASES)
		n = other_files_derived_types(c->ask.join, type->in, type->type, below, MAX_DERIVED);
	for (size_t i = 0; i < n; i++) {
		struct site_context next = *w;
		struct site_fact_list l = { 0 };
		next.self = below[i];
		site_make_facts(c, s, &next, &l);
		bool abstract = type_abstract(below[i].in, &below[i].in->found->v[below[i].type].def);
		for (size_t k = 0; k < l.n && !abstract && max_path_specificity(&l) > least; k++) {
			all->v = grow(all->v, &all->cap, all->n + 1, sizeof *all->v);
			all->v[all->n++] = l.v[k];
		}
		free(l.v);
		facts_of_derived_types(c, s, w, &below[i], depth + 1, least, all);
	}
}

/*
 * A site that asks for members of its own object is one for each type that says them, in place of
 * `own`.
 */
static void facts_by_derived_types(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *own)
{
	struct type_ref type = w->self.in ?
	    w->self :
	    (struct type_ref){ w->at.in, enclosing_type_index(w->at.in, w->at.n) };
	struct site_fact_list all = { 0 };

	if (!c->ask.join || type.type < 0 || !is_open(own))
		return;
	facts_of_derived_types(c, s, w, &type, 0, max_path_specificity(own), &all);
	if (all.n) {
		free(own->v);
		*own = all;
	}
}

void site_facts_by_callers(struct fact_builder *c, const struct contract_site *s,
    const struct site_context *w, struct site_fact_list *out)
{
	bool parameter = false;
	size_t from = c->steps.n;

	c->ask.choice = c->ask.choices = 0;
	c->ask.defaulted = c->ask.own = false;
	site_make_facts(c, s, w, out);
	c->steps.n = from;
	/* once more, with another value of a condition */
	for (c->ask.choice = 1; c->ask.choice < c->ask.choices; c->ask.choice++) {
		site_make_facts(c, s, w, out);
		c->steps.n = from;
	}
	c->ask.choice = 0;
	for (size_t i = 0; i < out->n; i++)
		parameter |= out->v[i].parameter;
	c->steps.n = from;
	bool asked = c->ask.own;
	if (!parameter) {
		if (asked)
			facts_by_derived_types(c, s, w, out);
		c->steps.n = from;
		return;
	}
	c->ask.unknown = true;
	if (c->in->file && !w->depth)
		url_add_step(
		    &c->ask, c->in->file->path, node_line(s->node), node_raw(c->in->t, s->node, c->a));
	bool defaulted = c->ask.defaulted, better = facts_by_callers(c, s, w, out);
	c->steps.n = from;
	if (!better && asked)
		facts_by_derived_types(c, s, w, out);
	c->steps.n = from;
	if (better || !defaulted)
		return;
	out->n = 0;
	c->ask.defaults = true;	/* nobody gives another value */
	site_make_facts(c, s, w, out);
	c->ask.defaults = false;
	c->steps.n = from;
}
