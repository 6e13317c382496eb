#include "shard/contracts/contracts_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "shard/base/kinds.h"
#include "shard/contracts/graphql/graphql.h"
#include "shard/contracts/grpc_sites.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"
#include "shard/syntax/parse_budget.h"

enum { MAX_FACTS = 5000, MAX_TWINS = 64, CALL_ABOVE = 4 };

/* ---- all of a file ---- */

static bool same_fact(const struct fact *a, const struct fact *b)
{
	if (a->line != b->line || !texts_equal(a->file, b->file) || !texts_equal(a->host, b->host))
		return false;
	return !strcmp(a->side, b->side) && !strcmp(a->method, b->method) && !strcmp(a->path, b->path);
}

void fact_builder_put(struct fact_builder *c, const struct fact *f)
{
	struct fact_list *l = c->out;
	size_t first = 0;

	if (l->n >= MAX_FACTS)
		return;
	if (l->n > MAX_TWINS)
		first = l->n - MAX_TWINS;
	for (size_t i = first; i < l->n; i++)
		if (same_fact(&l->v[i], f))
			return;
	l->v = grow(l->v, &l->cap, l->n + 1, sizeof *f);
	l->v[l->n++] = *f;
}

/* The call that a node is, or of which it is an argument or in a list that is one. */
static TSNode call_at(const struct contract_file *in, TSNode n)
{
	for (int depth = 0; depth < CALL_ABOVE && !ts_node_is_null(n); depth++) {
		const struct expr_rule *x = rules_expr(in->t, n);
		if (x && x->op == EXPR_CALL)
			break;
		n = node_parent(n);
	}
	return n;
}

/*
 * Whether the site is or is given to a call of a method of this repository that has a body: a
 * cache's Get is no route.
 */
static bool calls_own_method(struct fact_builder *c, const struct contract_site *s)
{
	TSNode call = call_at(c->in, s->node);
	const char *chain = NULL;
	const struct sym *sym;
	struct source_file *f;

	c->open = true;
	if (!ts_node_is_null(call))
		chain = node_dotted_name(c->in, call, c->a);
	if (!chain || strlen(chain) < 3 || !c->ask.join || !c->in->file)
		return false;
	const char *name = arena_strn(c->a, chain, strlen(chain) - 2);	/* without () */
	if (other_files_resolve_name(c->ask.join, c->in, call, name, &sym, &f) != 1)
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
		if (!l.v[i].hidden)
			fact_builder_put(c, &l.v[i].fact);
	c->open |= c->ask.unknown || (c->provides && !ts_node_is_null(s->object));
	free(l.v);
}

/* Whether an interface has facts of its own, without a class that implements it. */
static bool type_has_own_facts(const struct fact_builder *c, const struct definition *d)
{
	for (size_t i = 0; i < c->spots->n; i++)
		if (c->spots->v[i].counts && !strcmp(d->kind, "interface") &&
		    scope_is_type(c->in, &c->spots->v[i], d))
			return true;
	return false;
}

/* Whether the site has no facts of its own, because types that are derived from its type do. */
static bool is_only_for_derived(struct fact_builder *c, const struct contract_site *s)
{
	struct framework_type t = { c->in, c->spots, NULL };

	if (s->derived)
		t.d = enclosing_type(c->in, s->node);
	if (!t.d)
		return false;
	if (type_abstract(c->in, t.d))
		return !type_has_own_facts(c, t.d);
	if (s->prefixed)
		return !type_prefixes(c, &t, 0, &(struct prefixes){ 0 });
	return type_is_only_base(c, &t);
}

/*
 * Drop paths that count only if the type has no prefix; whether any way to the site is left.
 */
static bool drop_paths_by_convention(struct fact_builder *c, struct contract_site *s)
{
	struct framework_type t = { c->in, c->spots, enclosing_type(c->in, s->node) };
	int kept = 0;
	bool any = false;

	for (int i = 0; i < s->npaths; i++)
		any |= s->path[i].only;
	if (!any || !t.d || !type_prefixes(c, &t, 0, &(struct prefixes){ 0 }))
		return true;
	for (int i = 0; i < s->npaths; i++)
		if (!s->path[i].only)
			s->path[kept++] = s->path[i];
	for (int i = kept; i < s->npaths; i++)
		s->path[i] = (struct path_part){ 0 };
	s->npaths = kept;
	return kept || s->bare;
}

/* Read the site of a match with what its annotation says; false: it is no site. */
static bool read_site(struct fact_builder *c, size_t i, struct contract_site *s)
{
	const struct framework_match *p = &c->spots->v[i];

	*s = (struct contract_site){ .node = p->node[ROLE_SITE] };
	if (!has(p, ROLE_SITE) || (has(p, ROLE_CLASS) && !p->composed) || site_composed(c->spots, i))
		return false;
	site_read(c->in, c->spots, i, s);
	if (!drop_paths_by_convention(c, s))
		return false;
	return !p->composed || annotation_add(c, p, s);
}

static void compose_all(struct fact_builder *c)
{
	struct contract_site s;

	for (size_t i = 0; i < c->spots->n; i++)
		if (read_site(c, i, &s) && !is_only_for_derived(c, &s))
			compose_site(c, &s);
}

/* How many parameters a definition has. */
static int arity(const struct contract_file *in, int definition)
{
	return parameter_count(in, definition_function_node(in, definition));
}

/* The method that a match is at: a decorator may stand before it. */
static int method_of_match(const struct contract_file *in, const struct framework_match *p)
{
	TSNode at = p->node[ROLE_SITE];

	if (has(p, ROLE_HANDLER))
		at = p->node[ROLE_HANDLER];
	return enclosing_definition(in, node_start_byte(at), true);
}

/*
 * Whether the type has a site of its own at a method that overrides the one of a base's site: of
 * the same name and number of parameters, because languages with such types have overloads.
 */
static bool is_overridden(struct fact_builder *c, const struct framework_type *t,
    const struct framework_type *base, const struct framework_match *site)
{
	int method = method_of_match(base->in, site);

	if (method < 0)
		return false;
	const char *name = base->in->found->v[method].def.name;
	int takes = arity(base->in, method);
	for (size_t i = 0; i < t->spots->n; i++) {
		const struct framework_match *p = &t->spots->v[i];
		if (!has(p, ROLE_SITE) || enclosing_type(t->in, p->node[ROLE_SITE]) != t->d)
			continue;
		int own = method_of_match(t->in, p);
		if (own < 0 || strcmp(t->in->found->v[own].def.name, name) || arity(t->in, own) != takes)
			continue;
		if (!p->composed || annotation_is_route(c, t->in, p))
			return true;
	}
	return false;
}

/* A type, and the types derived from it, down to the one that its sites count for. */
struct type_chain {
	const struct framework_type *type;
	const struct type_chain *below;
};

static bool overridden_below(struct fact_builder *c, const struct type_chain *l,
    const struct framework_type *base, const struct framework_match *site)
{
	for (; l; l = l->below)
		if (is_overridden(c, l->type, base, site))
			return true;
	return false;
}

/* The sites of a base, as sites of `root`. */
static void compose_base(struct fact_builder *c, const struct framework_type *root,
    const struct type_chain *below, const struct framework_type *base)
{
	struct fact_builder of = *c;

	of.in = base->in;
	of.spots = (struct framework_matches *)base->spots;
	of.under = root;
	of.ask.steps = &of.steps;
	for (size_t k = 0; k < base->spots->n; k++) {
		TSNode site = base->spots->v[k].node[ROLE_SITE];
		struct contract_site s;
		if (ts_node_is_null(site) || enclosing_type(base->in, site) != base->d)
			continue;
		if (!read_site(&of, k, &s) || !s.derived ||
		    overridden_below(&of, below, base, &base->spots->v[k]))
			continue;
		if (!s.prefixed || type_prefixes(c, root, 0, &(struct prefixes){ 0 }))
			compose_site(&of, &s);
	}
	c->open |= of.open;
	c->steps = of.steps;
}

/* The sites of all bases of `below`, as sites of `root`. */
static void compose_bases(struct fact_builder *c, const struct framework_type *root,
    const struct type_chain *below, int depth)
{
	const struct framework_type *t = below->type;

	for (size_t i = 0; i < t->spots->n && depth < MAX_BASES; i++) {
		const struct framework_match *p = &t->spots->v[i];
		struct framework_type base;
		if (!has(p, ROLE_CLASS) || has(p, ROLE_SITE) || p->composed ||
		    !scope_is_type(t->in, p, t->d))
			continue;
		if (!type_base(c, t->in, p, &base))
			continue;
		compose_base(c, root, below, &base);
		compose_bases(c, root, &(struct type_chain){ &base, below }, depth + 1);
	}
}

static void compose_derived(struct fact_builder *c)
{
	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (!p->counts || !has(p, ROLE_SCOPE))
			continue;
		const struct definition *d = enclosing_type(c->in, p->node[ROLE_SCOPE]);
		struct framework_type root = { c->in, c->spots, d };
		c->at_type = !strcmp(p->counts, "here");
		if (d && scope_is_type(c->in, p, d))
			compose_bases(c, &root, &(struct type_chain){ &root, NULL }, 0);
	}
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int order = 0;

	if (x->file && y->file)
		order = strcmp(x->file, y->file);
	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	order = strcmp(x->path, y->path);
	if (order)
		return order;
	return strcmp(x->method, y->method);
}

/* Whether the file needs the framework, by its own text or by the names in `also`. */
static bool is_needed(struct contracts *k, const struct framework *f, const char *also)
{
	char name[100];

	if (f->again)
		return false;
	for (const struct framework *part = f; part; part = part->next)
		if (k->all.needed[part->number] && framework_is_same(part, f))
			return true;
	if (!also)
		return false;
	snprintf(name, sizeof name, " %s.%s ", f->name, f->side);
	return strstr(also, name) != NULL;
}

/* gRPC is read once all files are known (grpc.h). */
static bool is_grpc(const struct framework *f)
{
	return !strcmp(f->kind, "grpc");
}

/*
 * Whether facts of a side are about requests that are handled: by the site itself, by functions of
 * other files, or because of the file's path.
 */
static bool answers_requests(const char *side)
{
	return !strcmp(side, "provides") || !strcmp(side, "declares") || !strcmp(side, "files");
}

/* Compose the facts of each framework; whether other files may contribute to them. */
static bool compose_file(
    struct contract_file *in, struct crossfile *join, const char *also, struct fact_list *out)
{
	struct arena *a = other_files_arena(join, in);
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

static void put_framework(struct buf *b, const struct framework *fw, const char *what)
{
	if (!b->n)
		buf_byte(b, ' ');
	buf_printf(b, "%s.%s%s ", fw->name, fw->side, what);
}

/* The text of a buffer, which is freed, in the arena; NULL if it is empty. */
static const char *take_text(struct buf *b, struct arena *a)
{
	const char *s = NULL;

	if (b->n)
		s = arena_strn(a, b->p, b->n);
	buf_free(b);
	return s;
}

/* Whether the match is of a type, and counts for what other files derive from it. */
static bool counts_for_derived(const struct contract_file *in, const struct framework_match *p)
{
	if (has(p, ROLE_SITE))
		return p->derived != NULL;
	return has(p, ROLE_SCOPE) && prefixed(p) && enclosing_type(in, p->node[ROLE_SCOPE]);
}

/* Whether the match says that a field of a type holds an object of the framework. */
static bool types_field(const struct contract_file *in, const struct framework_match *p)
{
	if (!has(p, ROLE_BIND) || has(p, ROLE_OBJECT) || has(p, ROLE_INSTANCE) || intercepts(p))
		return false;
	return names_field(in, p->node[ROLE_BIND]);
}

/*
 * The frameworks whose objects the file creates or has in fields, which other files may use, or
 * whose sites they may inherit from it;
 * `*links`: whether it mounts or changes objects that may come from other files.
 */
static const char *frameworks_of_made_objects(struct contract_file *in, bool *links)
{
	struct dataflow_context a = { .a = in->t->arena, .home = in };
	struct buf b = { 0 };

	for (struct framework_matches *s = in->spots; s; s = s->next) {
		bool makes = false;
		for (size_t i = 0; i < s->n; i++) {
			const struct framework_match *p = &s->v[i];
			makes = makes || p->typed || counts_for_derived(in, p);
			if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE))
				continue;
			*links |= links_objects(p) || p->global || names_service(p);
			makes = makes || types_field(in, p) ||
			    (!intercepts(p) && object_created_in_file(&a, in, p));
		}
		if (makes)
			put_framework(&b, s->fw, "");
	}
	return take_text(&b, in->t->arena);
}

static const struct framework_matches *matches_of_framework(
    const struct contract_file *in, const struct framework *fw)
{
	const struct framework_matches *s = in->spots;

	while (s && !framework_is_same(s->fw, fw))
		s = s->next;
	return s;
}

/*
 * The frameworks whose objects the file binds, or might bind if it did not contain a text that
 * excludes the framework.
 */
static const char *frameworks_of_bound_objects(const struct contract_file *in)
{
	const struct frameworks *all = &in->frameworks->all;
	struct buf b = { 0 };

	for (const struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next) {
		const struct framework_matches *s = NULL;
		if (f->again)
			continue;
		if (all->needed[f->number])
			s = matches_of_framework(in, f);
		if ((s && s->binds) || all->refused[f->number])
			put_framework(&b, f, "");
		if (s && s->types)
			put_framework(&b, f, TYPES_NAME);
	}
	return take_text(&b, in->t->arena);
}

static void find_grpc_sites(
    struct contract_file *in, const struct found_definitions *found, struct facts *out)
{
	for (struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next)
		if (in->frameworks->all.needed[f->number] && is_grpc(f) &&
		    framework_compile_once(f, in->t->effort))
			grpc_sites(f, in->t, found, out);
}

/*
 * Copy the facts into the arena.  The framework's own strings end with this thread's queries, which
 * may be before the facts are written.
 */
static void copy_facts(const struct fact_list *l, struct arena *a, struct facts *out)
{
	out->contracts.v = arena_many(a, l->n, struct fact);
	out->contracts.n = l->n;
	if (!l->n)
		return;
	memcpy(out->contracts.v, l->v, l->n * sizeof *l->v);
	for (size_t i = 0; i < out->contracts.n; i++) {
		struct fact *f = &out->contracts.v[i];
		f->side = arena_str(a, f->side);
		f->kind = arena_str(a, f->kind);
		f->framework = arena_str(a, f->framework);
		f->method = arena_str(a, f->method);
	}
	qsort(out->contracts.v, out->contracts.n, sizeof *l->v, by_line);
}

void contracts_find(struct contracts *k, struct syntax_tree *t,
    const struct found_definitions *found, struct facts *out, struct framework_matches **keep)
{
	struct contract_file in = { .t = t, .found = found, .facts = out, .frameworks = k };
	struct fact_list l = { 0 };

	out->open.sites = compose_file(&in, NULL, NULL, &l);
	find_grpc_sites(&in, found, out);
	out->open.makes = frameworks_of_made_objects(&in, &out->open.links);
	out->open.binds = frameworks_of_bound_objects(&in);
	graphql_embedded(t, found, k->all.needed + k->all.graphql, out);
	prefixes_drop_unknown(&l);
	copy_facts(&l, t->arena, out);
	free(l.v);
	bool open = out->open.sites || out->open.links || out->open.makes;
	if (keep && open && !t->effort->limit)	/* beyond the limit there may be more */
		*keep = in.spots;
	else
		framework_matches_free(in.spots);
}

/* Remove facts that several sites of a wrapper make of one call; they are sorted. */
static void remove_twins(struct fact_list *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!kept || !same_fact(&l->v[kept - 1], &l->v[i]))
			l->v[kept++] = l->v[i];
	l->n = kept;
}

void contracts_find_crossfile(
    struct contract_file *in, struct crossfile *join, const char *also, struct fact_list *out)
{
	contracts_detect(in->frameworks, in->t);
	compose_file(in, join, also, out);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_line);
	remove_twins(out);
	prefixes_drop_unknown(out);
}

/* The receiver of links: see contracts_find_links. */
struct link_sink {
	void (*each)(void *, const char *, const struct framework_object *, uint32_t);
	void *arg;
	const char *framework;
};

static void put_link(const struct link_sink *to, const struct framework_object *x, TSNode at)
{
	to->each(to->arg, to->framework, x, node_start_byte(at));
}

/* What a match states for all of a framework, or registers under a name. */
static void put_named_links(
    const struct contract_file *in, const struct framework_match *p, const struct link_sink *to)
{
	TSNode prefix = framework_global_node(p, false), versions = framework_global_node(p, true);
	struct framework_object x = { 0 };

	if (names_service(p)) {
		TSNode name = p->node[ROLE_CLASS];
		x.name = arena_strn(in->t->arena, in->t->text + node_start_byte(name), node_len(name));
		put_link(to, &x, name);
	}
	if (!ts_node_is_null(prefix))
		put_link(to, NULL, prefix);
	x.name = VERSIONS_NAME;
	if (!ts_node_is_null(versions))
		put_link(to, &x, versions);
	x.name = INTERCEPTS_NAME;
	if (p->global && has(p, ROLE_INTERCEPT))
		put_link(to, &x, p->node[ROLE_INTERCEPT]);
}

/* The objects of other files that a match mounts or changes. */
static void put_object_links(struct dataflow_context *a, struct contract_file *in,
    const struct framework_match *p, const struct link_sink *to)
{
	struct mount_view_list *views = arena_one(a->a, struct mount_view_list);
	struct framework_object_list of = { 0 };

	framework_mount_views(a, in, p, views);
	for (size_t i = 0; i < views->n; i++) {
		framework_objects_in_view(a, in, p, &views->v[i], &of);
		for (size_t k = 0; k < of.n; k++)
			if (of.v[k].in != in)
				put_link(to, &of.v[k], p->node[ROLE_BIND]);
	}
}

void contracts_find_links(struct contract_file *in, struct crossfile *join, const char *also,
    void (*each)(void *, const char *, const struct framework_object *, uint32_t), void *arg)
{
	struct dataflow_context a = { .join = join, .a = other_files_arena(join, in), .home = in };

	contracts_detect(in->frameworks, in->t);
	for (struct framework *f = contracts_frameworks(in->frameworks, in->t); f; f = f->next) {
		if (!is_needed(in->frameworks, f, also))
			continue;
		struct framework_matches *s = framework_find_matches(in, f);
		struct link_sink to = { each, arg, arena_printf(a.a, "%s.%s", f->name, f->side) };
		for (size_t i = 0; i < s->n; i++) {
			const struct framework_match *p = &s->v[i];
			if (has(p, ROLE_SITE) || has(p, ROLE_SCOPE))
				continue;
			if (serves_framework(&a, f, in, p))
				put_named_links(in, p, &to);
			if (links_objects(p))
				put_object_links(&a, in, p, &to);
		}
	}
}
