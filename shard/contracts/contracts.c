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

void compose_put(struct compose *c, const struct fact *f)
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

/* Whether what the site calls is a method of this repository, which has a body: a cache's Get is no route. */
static bool calls_own(struct compose *c, const struct site *s)
{
	const char *chain = reading_chain(c->in, s->node, c->a);
	size_t n = chain ? strlen(chain) : 0;
	const struct sym *sym;
	struct file *f;

	c->open = true;
	if (n < 3 || !c->ask.join || !c->in->file || join_name(c->ask.join, c->in, s->node, arena_strn(c->a, chain, n - 2), &sym, &f) != 1)
		return false;
	return kind_callable(sym->kind) && sym->owner != KIND_interface && sym->owner != KIND_trait;
}

static void compose_site(struct compose *c, const struct site *s)
{
	struct view w = { .at = { c->in, s->node, NULL } };
	struct made_list l = { 0 };

	if (s->foreign && calls_own(c, s))
		return;
	c->ask.unknown = false;
	c->steps.n = 0;
	site_view(c, s, &w, &l);
	for (size_t i = 0; i < l.n; i++)
		if (!l.v[i].hollow)
			compose_put(c, &l.v[i].fact);
	c->open |= c->ask.unknown || (c->provides && !ts_node_is_null(s->object));
	free(l.v);
}

/* Whether the type says something by itself, though it be an interface. */
static bool type_counts(const struct compose *c, const struct definition *d)
{
	for (size_t i = 0; i < c->spots->n; i++)
		if (c->spots->v[i].counts && !strcmp(d->kind, "interface") && scope_is(c->in, &c->spots->v[i], d))
			return true;
	return false;
}

static void compose_all(struct compose *c)
{
	for (size_t i = 0; i < c->spots->n; i++) {
		struct site s = { .node = c->spots->v[i].node[ROLE_SITE] };
		if (!has(&c->spots->v[i], ROLE_SITE) || has(&c->spots->v[i], ROLE_CLASS) || site_composed(c->spots, i))
			continue;
		site_read(c->in, c->spots, i, &s);
		const struct definition *d = s.derived ? type_around(c->in, s.node) : NULL;
		if (!d || !type_abstract(c->in, d) || type_counts(c, d))
			compose_site(c, &s);
	}
}

/*
 * Whether the type says something of its own of the method that a base's site stands at.  Languages whose types have routes of
 * others have overloads.
 */
static bool is_overridden(const struct kin *t, const struct kin *base, TSNode site)
{
	int method = reading_definition(base->in, node_from(site), true);
	const char *name = method < 0 ? NULL : base->in->found->v[method].def.name;
	int takes = name ? parameter_count(base->in, reading_node(base->in, method)) : 0;

	for (size_t i = 0; name && i < t->spots->n; i++) {
		const struct spot *p = &t->spots->v[i];
		int own = has(p, ROLE_SITE) && type_around(t->in, p->node[ROLE_SITE]) == t->d ?
		    reading_definition(t->in, node_from(p->node[ROLE_SITE]), true) : -1;
		if (own >= 0 && !strcmp(t->in->found->v[own].def.name, name) && parameter_count(t->in, reading_node(t->in, own)) == takes)
			return true;
	}
	return false;
}

/* A type, and those below it that are derived from it, down to the one that it counts for. */
struct line {
	const struct kin *type;
	const struct line *below;
};

static bool overridden_below(const struct line *l, const struct kin *base, TSNode site)
{
	for (; l; l = l->below)
		if (is_overridden(l->type, base, site))
			return true;
	return false;
}

/* The sites of what `below` is derived from, as those of the type that it counts for. */
static void compose_bases(struct compose *c, const struct kin *root, const struct line *below, int depth)
{
	const struct kin *t = below->type;

	for (size_t i = 0; i < t->spots->n && depth < MAX_BASES; i++) {
		const struct spot *p = &t->spots->v[i];
		struct kin base;
		if (!has(p, ROLE_CLASS) || has(p, ROLE_SITE) || !scope_is(t->in, p, t->d) || !type_base(c, t->in, p, &base))
			continue;
		struct compose of = *c;
		of.in = base.in;
		of.spots = (struct spots *)base.spots;
		of.under = root;
		of.ask.steps = &of.steps;
		for (size_t k = 0; k < base.spots->n; k++) {
			struct site s = { .node = base.spots->v[k].node[ROLE_SITE] };
			if (!has(&base.spots->v[k], ROLE_SITE) || site_composed(base.spots, k) || type_around(base.in, s.node) != base.d)
				continue;
			site_read(base.in, base.spots, k, &s);
			if (s.derived && !overridden_below(below, &base, s.node))
				compose_site(&of, &s);
		}
		c->open |= of.open;
		c->steps = of.steps;
		compose_bases(c, root, &(struct line){ &base, below }, depth + 1);
	}
}

static void compose_derived(struct compose *c)
{
	for (size_t i = 0; i < c->spots->n; i++) {
		const struct spot *p = &c->spots->v[i];
		const struct definition *d = p->counts && has(p, ROLE_SCOPE) ? type_around(c->in, p->node[ROLE_SCOPE]) : NULL;
		struct kin root = { c->in, c->spots, d };
		if (d && scope_is(c->in, p, d))
			compose_bases(c, &root, &(struct line){ &root, NULL }, 0);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int file = x->file && y->file ? strcmp(x->file, y->file) : 0, path = x->line == y->line ? strcmp(x->path, y->path) : 0;

	if (file)
		return file;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return path ? path : strcmp(x->method, y->method);
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

/* Whether its facts are of what is answered: by itself, by functions of other files, by where a file stands. */
static bool answers_requests(const char *side)
{
	return !strcmp(side, "provides") || !strcmp(side, "declares") || !strcmp(side, "files");
}

/* Compose what each framework finds; whether others have a part in it. */
static bool compose_file(struct reading *in, struct join *join, const char *also, struct fact_list *out)
{
	struct arena *a = in->t->arena;
	bool open = false;

	for (struct framework *f = contracts_first(in->frameworks, in->t); f; f = f->next) {
		if (!is_needed(in->frameworks, f, also) || is_grpc(f))
			continue;
		struct compose c = { .fw = f, .in = in, .a = a, .out = out, .provides = answers_requests(f->side) };
		c.ask = (struct asking){ .join = join, .a = a, .steps = &c.steps };
		c.spots = reading_spots(in, f);
		if (graphql_is(f)) {
			graphql_make(&c);
		} else {
			compose_all(&c);
			compose_derived(&c);
		}
		free(c.steps.v);
		open |= c.open;
	}
	return open;
}

/* The frameworks whose objects the file makes, and whether it says something of objects that it may have from others. */
static const char *objects_made(struct reading *in, bool *links)
{
	struct asking a = { .a = in->t->arena, .home = in };
	struct buf b = { 0 };

	for (struct spots *s = in->spots; s; s = s->next) {
		bool makes = false;
		for (size_t i = 0; i < s->n; i++) {
			const struct spot *p = &s->v[i];
			if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE))
				continue;
			*links |= links_objects(p) || p->global || names_service(p);
			makes = makes || (!intercepts(p) && made_here(&a, in, p));
		}
		if (makes)
			buf_printf(&b, "%s%s.%s ", b.n ? "" : " ", s->fw->name, s->fw->side);
	}
	const char *made = b.n ? arena_strn(in->t->arena, b.p, b.n) : NULL;
	buf_free(&b);
	return made;
}

static const struct spots *spots_known(const struct reading *in, const struct framework *fw)
{
	const struct spots *s = in->spots;

	while (s && !framework_twins(s->fw, fw))
		s = s->next;
	return s;
}

/* The frameworks of whose objects the file speaks, or would if its other words were not there. */
static const char *objects_bound(const struct reading *in)
{
	const struct frameworks *all = &in->frameworks->all;
	struct buf b = { 0 };

	for (const struct framework *f = contracts_first(in->frameworks, in->t); f; f = f->next) {
		const struct spots *s = all->needed[f->number] && !f->again ? spots_known(in, f) : NULL;
		if ((s && s->binds) || (all->refused[f->number] && !f->again))
			buf_printf(&b, "%s%s.%s ", b.n ? "" : " ", f->name, f->side);
	}
	const char *bound = b.n ? arena_strn(in->t->arena, b.p, b.n) : NULL;
	buf_free(&b);
	return bound;
}

void contracts_find(struct contracts *k, struct tree *t, const struct found_list *found, struct facts *out, struct spots **keep)
{
	struct reading in = { .t = t, .found = found, .facts = out, .frameworks = k };
	struct fact_list l = { 0 };

	out->open.sites = compose_file(&in, NULL, NULL, &l);
	for (struct framework *f = t->depth > TREE_DEEP ? NULL : k->all.first; f; f = f->next)
		if (k->all.needed[f->number] && is_grpc(f) && spots_compiled(f, t->effort))
			grpc_sites(f, t, found, out);
	out->open.makes = objects_made(&in, &out->open.links);
	out->open.binds = objects_bound(&in);
	graphql_embedded(t, found, k->all.needed + k->all.graphql, out);
	out->contracts.v = arena_many(t->arena, l.n, struct fact);
	out->contracts.n = l.n;
	if (l.n)
		memcpy(out->contracts.v, l.v, l.n * sizeof *l.v);
	free(l.v);
	if (keep && (out->open.sites || out->open.links || out->open.makes) && !t->effort->limit)	/* with another effort there may be more */
		*keep = in.spots;
	else
		spots_free(in.spots);
	/* The framework's own strings end with this thread's queries, perhaps before the facts are written. */
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

void contracts_read(struct reading *in, struct join *join, const char *also, struct fact_list *out)
{
	contracts_look(in->frameworks, in->t);
	compose_file(in, join, also, out);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_line);
}

void contracts_links(struct reading *in, struct join *join, const char *also,
    void (*each)(void *, const char *, const struct identity *, uint32_t), void *arg)
{
	struct asking a = { .join = join, .a = in->t->arena, .home = in };

	contracts_look(in->frameworks, in->t);
	for (struct framework *f = contracts_first(in->frameworks, in->t); f; f = f->next) {
		struct spots *s = is_needed(in->frameworks, f, also) ? reading_spots(in, f) : NULL;
		const char *name = arena_printf(in->t->arena, "%s.%s", f->name, f->side);
		for (size_t i = 0; s && i < s->n; i++) {
			const struct spot *p = &s->v[i];
			struct identities of = { 0 };
			if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE))
				continue;
			if (names_service(p)) {
				struct identity x = { .name = arena_strn(in->t->arena, in->t->text + node_from(p->node[ROLE_CLASS]), node_len(p->node[ROLE_CLASS])) };
				each(arg, name, &x, node_from(p->node[ROLE_CLASS]));
			}
			if (!ts_node_is_null(said_once(p, false)))
				each(arg, name, NULL, node_from(said_once(p, false)));
			if (!ts_node_is_null(said_once(p, true)))
				each(arg, name, &(struct identity){ .name = VERSIONS_NAME }, node_from(said_once(p, true)));
			if (p->global && has(p, ROLE_INTERCEPT))
				each(arg, name, &(struct identity){ .name = INTERCEPTS_NAME }, node_from(p->node[ROLE_INTERCEPT]));
			if (links_objects(p))
				identities_bound(&a, in, p, &of);
			struct term element[MAX_ELEMENTS];
			size_t n = of.n ? list_elements(&a, in, p->node[ROLE_BIND], &a.each, element, MAX_ELEMENTS) : 0;
			for (size_t e = 0; e < (n ? n : 1); e++) {
				a.element = n ? element[e] : (struct term){ 0 };
				if (n)
					identities_bound(&a, in, p, &of);
				for (size_t k = 0; k < of.n; k++)
					if (of.v[k].in != in)
						each(arg, name, &of.v[k], node_from(p->node[ROLE_BIND]));
			}
			a.each = (TSNode){ 0 };
		}
	}
}
