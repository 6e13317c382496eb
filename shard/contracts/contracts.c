#include "shard/contracts/contracts_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "shard/base/kinds.h"
#include "shard/contracts/graphql/graphql.h"
#include "shard/contracts/grpc_sites.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/parse_budget.h"

enum { MAX_FACTS = 5000, MAX_TWINS = 64, MAX_ELEMENTS = 64 };

/* ---- all of a file ---- */

void fact_builder_put(struct fact_builder *c, const struct fact *f)
{
	struct fact_list *l = c->out;

	if (l->n >= MAX_FACTS)
		return;
	for (size_t i = l->n, seen = 0; i-- && seen++ < MAX_TWINS;) {
		const struct fact *o = &l->v[i];
		bool same_file = o->file == f->file || (o->file && f->file && !strcmp(o->file, f->file));
		bool same_host = o->host == f->host || (o->host && f->host && !strcmp(o->host, f->host));
		if (same_file && same_host && o->line == f->line && !strcmp(o->side, f->side) &&
		    !strcmp(o->method, f->method) && !strcmp(o->path, f->path))
			return;
	}
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *f);
	l->v[l->n++] = *f;
}

/*
 * Whether what the site calls is a method of this repository, which has a body: a cache's Get is
 * no route.
 */
static bool calls_own_method(struct fact_builder *c, const struct contract_site *s)
{
	const char *chain = node_dotted_name(c->in, s->node, c->a);
	size_t n = 0;
	const struct sym *sym;
	struct source_file *f;

	if (chain)
		n = strlen(chain);
	c->open = true;
	if (n < 3 || !c->ask.join || !c->in->file ||
	    other_files_resolve_name(
	        c->ask.join, c->in, s->node, arena_strn(c->a, chain, n - 2), &sym, &f) != 1)
		return false;
	return kind_is_callable(sym->kind) && sym->owner != KIND_interface && sym->owner != KIND_trait;
}

static void compose_site(struct fact_builder *c, const struct contract_site *s)
{
	struct site_context w = { .at = { c->in, s->node, NULL } };
	struct site_fact_list l = { 0 };

	if (s->foreign && calls_own_method(c, s))
		return;
	c->ask.unknown = false;
	c->steps.n = 0;
	site_facts_by_callers(c, s, &w, &l);
	for (size_t i = 0; i < l.n; i++)
		if (!l.v[i].options_unknown)
			fact_builder_put(c, &l.v[i].fact);
	c->open |= c->ask.unknown || (c->provides && !ts_node_is_null(s->object));
	free(l.v);
}

/* Whether the type says something by itself, though it be an interface. */
static bool type_has_own_facts(const struct fact_builder *c, const struct definition *d)
{
	for (size_t i = 0; i < c->spots->n; i++)
		if (c->spots->v[i].counts && !strcmp(d->kind, "interface") &&
		    scope_is_type(c->in, &c->spots->v[i], d))
			return true;
	return false;
}

static void compose_all(struct fact_builder *c)
{
	for (size_t i = 0; i < c->spots->n; i++) {
		struct contract_site s = { .node = c->spots->v[i].node[ROLE_SITE] };
		if (!has(&c->spots->v[i], ROLE_SITE) || has(&c->spots->v[i], ROLE_CLASS) ||
		    site_composed(c->spots, i))
			continue;
		site_read(c->in, c->spots, i, &s);
		const struct definition *d = NULL;
		if (s.derived)
			d = enclosing_type(c->in, s.node);
		if (!d || !type_abstract(c->in, d) || type_has_own_facts(c, d))
			compose_site(c, &s);
	}
}

/*
 * Whether the type says something of its own of the method that a base's site stands at.
 * Languages whose types have routes of others have overloads.
 */
static bool is_overridden(
    const struct framework_type *t, const struct framework_type *base, TSNode site)
{
	int method = enclosing_definition(base->in, node_start_byte(site), true);
	const char *name = method < 0 ? NULL : base->in->found->v[method].def.name;
	int takes = 0;

	if (name)
		takes = parameter_count(base->in, definition_function_node(base->in, method));
	for (size_t i = 0; name && i < t->spots->n; i++) {
		const struct framework_match *p = &t->spots->v[i];
		int own = -1;
		if (has(p, ROLE_SITE) && enclosing_type(t->in, p->node[ROLE_SITE]) == t->d)
			own = enclosing_definition(t->in, node_start_byte(p->node[ROLE_SITE]), true);
		if (own >= 0 && !strcmp(t->in->found->v[own].def.name, name) &&
		    parameter_count(t->in, definition_function_node(t->in, own)) == takes)
			return true;
	}
	return false;
}

/* A type, and those below it that are derived from it, down to the one that it counts for. */
struct type_chain {
	const struct framework_type *type;
	const struct type_chain *below;
};

static bool overridden_below(
    const struct type_chain *l, const struct framework_type *base, TSNode site)
{
	for (; l; l = l->below)
		if (is_overridden(l->type, base, site))
			return true;
	return false;
}

/* The sites of what `below` is derived from, as those of the type that it counts for. */
static void compose_bases(struct fact_builder *c, const struct framework_type *root,
    const struct type_chain *below, int depth)
{
	const struct framework_type *t = below->type;

	for (size_t i = 0; i < t->spots->n && depth < MAX_BASES; i++) {
		const struct framework_match *p = &t->spots->v[i];
		struct framework_type base;
		if (!has(p, ROLE_CLASS) || has(p, ROLE_SITE) || !scope_is_type(t->in, p, t->d) ||
		    !type_base(c, t->in, p, &base))
			continue;
		struct fact_builder of = *c;
		of.in = base.in;
		of.spots = (struct framework_matches *)base.spots;
		of.under = root;
		of.ask.steps = &of.steps;
		for (size_t k = 0; k < base.spots->n; k++) {
			struct contract_site s = { .node = base.spots->v[k].node[ROLE_SITE] };
			if (!has(&base.spots->v[k], ROLE_SITE) || site_composed(base.spots, k) ||
			    enclosing_type(base.in, s.node) != base.d)
				continue;
			site_read(base.in, base.spots, k, &s);
			if (s.derived && !overridden_below(below, &base, s.node))
				compose_site(&of, &s);
		}
		c->open |= of.open;
		c->steps = of.steps;
		compose_bases(c, root, &(struct type_chain){ &base, below }, depth + 1);
	}
}

static void compose_derived(struct fact_builder *c)
{
	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		const struct definition *d = p->counts && has(p, ROLE_SCOPE) ?
		    enclosing_type(c->in, p->node[ROLE_SCOPE]) :
		    NULL;
		struct framework_type root = { c->in, c->spots, d };
		if (d && scope_is_type(c->in, p, d))
			compose_bases(c, &root, &(struct type_chain){ &root, NULL }, 0);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int file = x->file && y->file ? strcmp(x->file, y->file) : 0,
	    path = x->line == y->line ? strcmp(x->path, y->path) : 0;

	if (file)
		return file;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (path)
		return path;
	return strcmp(x->method, y->method);
}

static bool is_needed(struct contracts *k, const struct framework *f, const char *also)
{
	char name[100];

	if (f->again || k->all.needed[f->number] || !also)
		return !f->again && k->all.needed[f->number];
	snprintf(name, sizeof name, " %s.%s ", f->name, f->side);
	return strstr(also, name) != NULL;
}

/* Those are read by resolve (grpc.h). */
static bool is_grpc(const struct framework *f)
{
	return !strcmp(f->kind, "grpc");
}

/*
 * Whether its facts are of what is answered: by itself, by functions of other files, by where a
 * file stands.
 */
static bool answers_requests(const char *side)
{
	return !strcmp(side, "provides") || !strcmp(side, "declares") || !strcmp(side, "files");
}

/* Compose what each framework finds; whether others have a part in it. */
static bool compose_file(
    struct contract_file *in, struct crossfile *join, const char *also, struct fact_list *out)
{
	struct arena *a = in->t->arena;
	bool open = false;

	for (struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next) {
		if (!is_needed(in->frameworks, f, also) || is_grpc(f))
			continue;
		struct fact_builder c = {
			.fw = f, .in = in, .a = a, .out = out, .provides = answers_requests(f->side)
		};
		c.ask = (struct dataflow_context){ .join = join, .a = a, .steps = &c.steps };
		c.spots = framework_find_matches(in, f);
		if (framework_is_graphql(f)) {
			graphql_make_facts(&c);
		} else {
			compose_all(&c);
			compose_derived(&c);
		}
		free(c.steps.v);
		open |= c.open;
	}
	return open;
}

/*
 * The frameworks whose objects the file makes, and whether it says something of objects that it
 * may have from others.
 */
static const char *frameworks_of_made_objects(struct contract_file *in, bool *links)
{
	struct dataflow_context a = { .a = in->t->arena, .home = in };
	struct buf b = { 0 };

	for (struct framework_matches *s = in->spots; s; s = s->next) {
		bool makes = false;
		for (size_t i = 0; i < s->n; i++) {
			const struct framework_match *p = &s->v[i];
			if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE))
				continue;
			*links |= links_objects(p) || p->global || names_service(p);
			makes = makes || (!intercepts(p) && object_created_in_file(&a, in, p));
		}
		if (makes)
			buf_printf(&b, "%s%s.%s ", b.n ? "" : " ", s->fw->name, s->fw->side);
	}
	const char *made = NULL;
	if (b.n)
		made = arena_strn(in->t->arena, b.p, b.n);
	buf_free(&b);
	return made;
}

static const struct framework_matches *matches_of_framework(
    const struct contract_file *in, const struct framework *fw)
{
	const struct framework_matches *s = in->spots;

	while (s && !framework_is_same(s->fw, fw))
		s = s->next;
	return s;
}

/* The frameworks of whose objects the file speaks, or would if its other words were not there. */
static const char *frameworks_of_bound_objects(const struct contract_file *in)
{
	const struct frameworks *all = &in->frameworks->all;
	struct buf b = { 0 };

	for (const struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next) {
		const struct framework_matches *s = NULL;
		if (all->needed[f->number] && !f->again)
			s = matches_of_framework(in, f);
		if ((s && s->binds) || (all->refused[f->number] && !f->again))
			buf_printf(&b, "%s%s.%s ", b.n ? "" : " ", f->name, f->side);
	}
	const char *bound = NULL;
	if (b.n)
		bound = arena_strn(in->t->arena, b.p, b.n);
	buf_free(&b);
	return bound;
}

void contracts_find(struct contracts *k, struct syntax_tree *t,
    const struct found_definitions *found, struct facts *out, struct framework_matches **keep)
{
	struct contract_file in = { .t = t, .found = found, .facts = out, .frameworks = k };
	struct fact_list l = { 0 };

	out->open.sites = compose_file(&in, NULL, NULL, &l);
	for (struct framework *f = t->depth > TREE_MAX_DEPTH ? NULL : k->all.first; f; f = f->next)
		if (k->all.needed[f->number] && is_grpc(f) && framework_compile_once(f, t->effort))
			grpc_sites(f, t, found, out);
	out->open.makes = frameworks_of_made_objects(&in, &out->open.links);
	out->open.binds = frameworks_of_bound_objects(&in);
	graphql_embedded(t, found, k->all.needed + k->all.graphql, out);
	out->contracts.v = arena_many(t->arena, l.n, struct fact);
	out->contracts.n = l.n;
	if (l.n)
		memcpy(out->contracts.v, l.v, l.n * sizeof *l.v);
	free(l.v);
	/* with another effort there may be more */
	if (keep && (out->open.sites || out->open.links || out->open.makes) && !t->effort->limit)
		*keep = in.spots;
	else
		framework_matches_free(in.spots);
	/*
	 * The framework's own strings end with this thread's queries, perhaps before the facts are
	 * written.
	 */
	for (size_t i = 0; i < out->contracts.n; i++) {
		struct fact *f = &out->contracts.v[i];
		f->side = arena_str(t->arena, f->side);
		f->kind = arena_str(t->arena, f->kind);
		f->framework = arena_str(t->arena, f->framework);
		f->method = arena_str(t->arena, f->method);
	}
	if (out->contracts.n)
		qsort(out->contracts.v, out->contracts.n, sizeof *l.v, by_line);
}

void contracts_find_crossfile(
    struct contract_file *in, struct crossfile *join, const char *also, struct fact_list *out)
{
	contracts_detect(in->frameworks, in->t);
	compose_file(in, join, also, out);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_line);
}

void contracts_find_links(struct contract_file *in, struct crossfile *join, const char *also,
    void (*each)(void *, const char *, const struct framework_object *, uint32_t), void *arg)
{
	struct dataflow_context a = { .join = join, .a = in->t->arena, .home = in };

	contracts_detect(in->frameworks, in->t);
	for (struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next) {
		struct framework_matches *s = is_needed(in->frameworks, f, also) ?
		    framework_find_matches(in, f) :
		    NULL;
		const char *name = arena_printf(in->t->arena, "%s.%s", f->name, f->side);
		for (size_t i = 0; s && i < s->n; i++) {
			const struct framework_match *p = &s->v[i];
			struct framework_object_list of = { 0 };
			if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE))
				continue;
			if (names_service(p)) {
				struct framework_object x = { .name = arena_strn(in->t->arena,
					                              in->t->text +
					                                  node_start_byte(p->node[ROLE_CLASS]),
					                              node_len(p->node[ROLE_CLASS])) };
				each(arg, name, &x, node_start_byte(p->node[ROLE_CLASS]));
			}
			if (!ts_node_is_null(framework_global_node(p, false)))
				each(arg, name, NULL, node_start_byte(framework_global_node(p, false)));
			if (!ts_node_is_null(framework_global_node(p, true)))
				each(arg, name, &(struct framework_object){ .name = VERSIONS_NAME },
				    node_start_byte(framework_global_node(p, true)));
			if (p->global && has(p, ROLE_INTERCEPT))
				each(arg, name, &(struct framework_object){ .name = INTERCEPTS_NAME },
				    node_start_byte(p->node[ROLE_INTERCEPT]));
			if (links_objects(p))
				framework_objects_bound_by(&a, in, p, &of);
			struct expression element[MAX_ELEMENTS];
			size_t n = 0;
			if (of.n)
				n = list_elements(&a, in, p->node[ROLE_BIND], &a.each, element, MAX_ELEMENTS);
			for (size_t e = 0; e < (n ? n : 1); e++) {
				a.element = n ? element[e] : (struct expression){ 0 };
				if (n)
					framework_objects_bound_by(&a, in, p, &of);
				for (size_t k = 0; k < of.n; k++)
					if (of.v[k].in != in)
						each(arg, name, &of.v[k], node_start_byte(p->node[ROLE_BIND]));
			}
			a.each = (TSNode){ 0 };
		}
	}
}
