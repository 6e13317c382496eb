/*
 * GraphQL, when all files are known: the fields of root types are what is served, `GRAPHQL
 * Query.users`.  Code says (facts of the kind graphql that are no contracts by themselves; `path`
 * is Type.field):
 *   resolves   a function for a field of a schema, which must have it; of the type `*` it is any root
 *   defines    the field itself, if code says that its type is a root; it stands where the same file resolves it
 *   states     the field itself
 *   roots      Query=Type: a schema is made with this type
 *   extends    Type<Base: what the base has, the type has; =Query<Base: it is a part of that root
 *   reaches    where clients send their operations
 * and texts what graphql.h has.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "shard/contracts/crossfile/bind_handlers_internal.h"

enum { DEEP = 6 };

static const char *const roots[] = { "Query", "Mutation", "Subscription" };

/* The fields of schemas that are spelled alike but for case and underscores. */
struct schema_fields {
	const struct bound_operation **v;
	size_t n, cap;
};

struct graphql_binder {
	struct handler_binder *x;
	struct map *roots;	/* type -> its root, or `none` */
	struct map *fields;	/* struct schema_fields by squeezed `Query.users` */
	struct map *served;	/* project and field -> it is answered */
	struct map *asked;	/* project, operation and field that a file of GraphQL itself has */
};

static bool is(const struct fact *f, const char *side)
{
	return !strcmp(f->kind, "graphql") && !strcmp(f->side, side);
}

/* ---- roots ---- */

/* The part of a text before a sign, and what is behind it; NULL: the sign is not there. */
static const char *before(struct arena *a, const char *text, char sign, const char **behind)
{
	const char *at = strchr(text, sign);

	*behind = at ? at + 1 : NULL;
	if (at)
		return arena_strn(a, text, (size_t)(at - text));
	return NULL;
}

static const char none[] = "";

/*
 * What code says: a schema is made with it, or it is a part of such a type; NULL: it says nothing.
 */
static const char *root_of_made_type(const struct handler_binder *x, const char *type, int depth)
{
	const char *behind, *root = NULL;

	for (size_t i = 0; i < x->ncode && !root; i++) {
		const char *said = NULL;
		if (is(&x->code[i].fact, "roots"))
			said = before(x->a, x->code[i].fact.path, '=', &behind);
		if (said && !strcmp(behind, type))
			root = said;
	}
	for (size_t i = 0; i < x->ncode && !root && depth < DEEP; i++) {
		const char *derived = NULL;
		if (is(&x->code[i].fact, "extends"))
			derived = before(x->a, x->code[i].fact.path, '<', &behind);
		if (derived && !strcmp(behind, type) && strcmp(derived, type)) {
			if (*derived == '=')
				root = derived + 1;
			else
				root = root_of_made_type(x, derived, depth + 1);
		}
	}
	return root;
}

/* What schemas say, and else the names that roots have by themselves. */
static const char *schema_root(const struct handler_binder *x, const char *type)
{
	for (size_t i = 0; i < x->ngraphql; i++)
		if (!strcmp(x->graphql[i].o.kind, "root") && !strcmp(x->graphql[i].o.name, type))
			return x->graphql[i].o.path;
	for (size_t i = 0; i < LEN(roots); i++)
		if (!strcmp(roots[i], type))
			return roots[i];
	return NULL;
}

/* Which root a type is, or is a part of; NULL: none.  `code`: code must say so. */
static const char *root_of(struct graphql_binder *g, const char *type, bool code)
{
	void **at = map_at(g->roots, arena_printf(g->x->a, "%d %s", code, type));

	if (!*at) {
		const char *root = root_of_made_type(g->x, type, 0);
		if (!root && !code)
			root = schema_root(g->x, type);
		*at = (void *)(root ? root : none);
	}
	return *at == none ? NULL : *at;
}

/* ---- fields of schemas ---- */

/* Without case and underscores: what generators and frameworks make of a name. */
static const char *squeezed(struct arena *a, const char *root, const char *field)
{
	char *s = arena_printf(a, "%s.%s", root, field), *out = s;

	for (const char *c = s; *c; c++)
		if (*c != '_')
			*out++ = (char)tolower((unsigned char)*c);
	*out = 0;
	return s;
}

static void fields_read(struct graphql_binder *g)
{
	struct handler_binder *x = g->x;
	const char *field;

	for (size_t i = 0; i < x->ngraphql; i++) {
		struct bound_operation *a = &x->graphql[i];
		const char *type = !strcmp(a->o.kind, "schema") ? before(x->a, a->o.path, '.', &field) :
		                                                  NULL;
		const char *root = NULL;
		if (type)
			root = root_of(g, type, false);
		if (!root)
			continue;
		a->o.path = arena_printf(x->a, "%s.%s", root, field);
		a->documented = true;	/* it is one of a root */
		struct schema_fields **at = (struct schema_fields **)map_at(
		    g->fields, squeezed(x->a, root, field));
		if (!*at)
			*at = arena_one(x->a, struct schema_fields);
		(*at)->v = grow((*at)->v, &(*at)->cap, (*at)->n + 1, sizeof *(*at)->v);
		(*at)->v[(*at)->n++] = a;
	}
}

/* How many folders two paths have in common. */
static size_t shared_folder_count(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *a == *b; a++, b++)
		n += *a == '/';
	return n;
}

/* The field of the schema nearest to a file; NULL: no schema has it. */
static const struct bound_operation *field_near(
    const struct graphql_binder *g, const char *root, const char *field, const char *file)
{
	const struct schema_fields *l = map_get(g->fields, squeezed(g->x->a, root, field));
	const struct bound_operation *best = NULL;

	for (size_t i = 0; l && i < l->n; i++)
		if (!best ||
		    shared_folder_count(l->v[i]->path, file) > shared_folder_count(best->path, file))
			best = l->v[i];
	return best;
}

/* `getUsers` is users, too. */
static const struct bound_operation *field_named(
    const struct graphql_binder *g, const char *root, const char *field, const char *file)
{
	static const char *const before_name[] = { "", "get", "is", "resolve_", "resolve" };
	const struct bound_operation *found = NULL;

	for (size_t i = 0; i < LEN(before_name) && !found; i++) {
		size_t n = strlen(before_name[i]);
		if (!strncmp(field, before_name[i], n) && field[n])
			found = field_near(g, root, field + n, file);
	}
	return found;
}

/* ---- who answers ---- */

static void *const yes = "";

static const char *project_key(const struct graphql_binder *g, const char *file, const char *what)
{
	const char *project = bind_handlers_project(g->x, file);

	return arena_printf(g->x->a, "%s %s", project ? project : "", what);
}

/* A further step behind those of a fact, of which other facts may have the list. */
static void add_step(struct handler_binder *x, struct fact *f, struct step more)
{
	struct step *v = arena_many(x->a, f->steps.n + 1, struct step);

	if (f->steps.n)
		memcpy(v, f->steps.v, f->steps.n * sizeof *v);
	v[f->steps.n] = more;
	f->steps.v = v;
	f->steps.n++;
}

static void put_resolver_fact(
    struct graphql_binder *g, const struct code_fact *c, const struct bound_operation *a)
{
	struct fact f = c->fact;

	f.side = "provides";
	f.path = a->o.path;
	add_step(g->x, &f,
	    (struct step){ .file = a->path,
	        .line = a->o.line,
	        .text = arena_printf(g->x->a, "the schema has %s", a->o.path) });
	*map_at(g->served, project_key(g, f.file, f.path)) = yes;
	*map_at(g->served, project_key(g, a->path, "")) = yes;
	bind_handlers_put_fact(g->x, a->file, c->file, &f);
}

static void resolve(struct graphql_binder *g, const struct code_fact *c)
{
	const char *field, *type = before(g->x->a, c->fact.path, '.', &field);
	bool any = type && !strcmp(type, "*");
	const struct bound_operation *a = NULL;

	for (size_t i = 0; any && i < LEN(roots) && !a; i++)
		a = field_named(g, roots[i], field, c->fact.file);
	const char *root = NULL;
	if (!any && type)
		root = root_of(g, type, false);
	if (root)
		a = field_named(g, root, field, c->fact.file);
	if (a)
		put_resolver_fact(g, c, a);
}

/* Where the same file has a function for the field, else the field itself. */
static const struct code_fact *place_of(const struct graphql_binder *g, const struct code_fact *c)
{
	for (size_t i = 0; i < g->x->ncode; i++)
		if (g->x->code[i].file == c->file && is(&g->x->code[i].fact, "resolves") &&
		    !strcmp(g->x->code[i].fact.path, c->fact.path))
			return &g->x->code[i];
	return c;
}

static void define(struct graphql_binder *g, const struct code_fact *c)
{
	bool sure = is(&c->fact, "states");
	const char *field, *type = before(g->x->a, c->fact.path, '.', &field),
	                   *root = sure || !type ? type : root_of(g, type, true);
	const struct code_fact *at = sure ? c : place_of(g, c);
	struct fact f = at->fact;

	if (!root)
		return;
	const struct bound_operation *a = field_near(g, root, field, f.file);
	f.side = "provides";
	f.framework = c->fact.framework;
	f.path = arena_printf(g->x->a, "%s.%s", root, field);
	if (a)
		add_step(g->x, &f,
		    (struct step){ .file = a->path,
		        .line = a->o.line,
		        .text = arena_printf(g->x->a, "the schema has %s", f.path) });
	*map_at(g->served, project_key(g, f.file, f.path)) = yes;
	bind_handlers_put_fact(g->x, c->file, at->file, &f);
}

/*
 * A field that nobody is seen to answer, of a schema of whose project others are: something does;
 * or the schema says all (Lighthouse).
 */
static void put_documented_fact(struct graphql_binder *g, const struct bound_operation *a)
{
	struct fact f = { .side = "provides", .kind = "graphql", .method = "GRAPHQL", .path = a->o.path,
	    .framework = "graphql", .file = a->path,
		.line = a->o.line, .end_line = a->o.line, .symbol = a->o.label };

	if (!bind_handlers_is_graphql_server(g->x, bind_handlers_project(g->x, a->path)))
		f.reason = "documented";
	if ((f.reason && !map_get(g->served, project_key(g, a->path, ""))) ||
	    map_get(g->served, project_key(g, a->path, f.path)))
		return;
	*map_at(g->served, project_key(g, a->path, f.path)) = yes;
	bind_handlers_put_fact(g->x, a->file, a->file, &f);
}

/* ---- who asks ---- */

/* A request whose URL ends as those of GraphQL do. */
static bool is_post(const struct fact *f)
{
	const char *last = strrchr(f->path, '/');

	return !strcmp(f->kind, "http") && !strcmp(f->side, "consumes") && last &&
	    (!strcmp(last, "/graphql") || !strcmp(last, "/graph") || !strcmp(last, "/gql"));
}

/*
 * The one address that clients of a file, else of its project, else of the repository have; NULL:
 * none, or several.
 */
static const struct fact *address_of(const struct graphql_binder *g, const char *file)
{
	const char *project = bind_handlers_project(g->x, file);

	for (int wide = 0; wide < 3; wide++) {
		const struct fact *one = NULL;
		bool several = false;
		for (size_t i = 0; i < g->x->ncode; i++) {
			const struct fact *f = &g->x->code[i].fact;
			if (!f->host || !(is(f, "reaches") || is_post(f)))
				continue;
			const char *other = NULL;
			if (wide == 1)
				other = bind_handlers_project(g->x, f->file);
			if ((wide == 0 && strcmp(f->file, file)) ||
			    (wide == 1 && strcmp(other ? other : "", project ? project : "")))
				continue;
			several |= one && strcmp(one->host, f->host);
			if (!one)
				one = f;
		}
		if (one)
			return several ? NULL : one;
	}
	return NULL;
}

/* Whether it stands in a program, and not in a file of GraphQL. */
static bool in_code(const struct bound_operation *a)
{
	const char *dot = strrchr(a->path, '.');

	return !dot || (strcmp(dot, ".graphql") && strcmp(dot, ".gql") && strcmp(dot, ".graphqls"));
}

static const char *consumer_key(
    const struct graphql_binder *g, const struct bound_operation *a, const char *path)
{
	return project_key(
	    g, a->path, arena_printf(g->x->a, "%s %s", a->o.name ? a->o.name : "", path));
}

static void ask(struct graphql_binder *g, const struct bound_operation *a, const char *path)
{
	const struct fact *address = address_of(g, a->path);
	struct fact f = { .side = "consumes", .kind = "graphql", .method = "GRAPHQL", .path = path,
	    .framework = "graphql", .file = a->path,
		.line = a->o.line, .end_line = a->o.line, .symbol = a->o.label ? a->o.label : a->o.name,
		    .raw = a->o.name };

	if (!in_code(a))
		*map_at(g->asked, consumer_key(g, a, path)) = yes;
	else if (a->o.name && map_get(g->asked, consumer_key(g, a, path)))
		return;		/* made of that file */
	if (address) {
		f.host = address->host;
		f.steps = address->steps;
		add_step(g->x, &f,
		    (struct step){ .file = address->file, .line = address->line, .text = address->raw });
	}
	bind_handlers_put_fact(g->x, a->file, a->file, &f);
}

/* The fields of a fragment that an operation asks with: one of its own file, else of another. */
static void put_fragment_fields(struct graphql_binder *g, const struct bound_operation *a)
{
	const struct handler_binder *x = g->x;
	const char *file = NULL;

	for (int other = 0; other < 2 && !file; other++)
		for (size_t i = 0; i < x->ngraphql; i++) {
			const struct bound_operation *part = &x->graphql[i];
			if (strcmp(part->o.kind, "part") || strcmp(part->o.resource, a->o.resource) ||
			    (!other && strcmp(part->path, a->path)) || (file && strcmp(file, part->path)))
				continue;
			file = part->path;
			ask(g, a, arena_printf(x->a, "%s.%s", a->o.path, part->o.path));
		}
}

static void put_consumers(struct graphql_binder *g, bool code)
{
	for (size_t i = 0; i < g->x->ngraphql; i++) {
		const struct bound_operation *a = &g->x->graphql[i];
		if (in_code(a) != code)
			continue;
		if (!strcmp(a->o.kind, "select"))
			ask(g, a, a->o.path);
		else if (!strcmp(a->o.kind, "spread"))
			put_fragment_fields(g, a);
	}
}

void bind_handlers_graphql(struct handler_binder *x)
{
	struct graphql_binder g = { x, map_new(), map_new(), map_new(), map_new() };

	fields_read(&g);
	for (size_t i = 0; i < x->ncode; i++)
		if (is(&x->code[i].fact, "defines") || is(&x->code[i].fact, "states"))
			define(&g, &x->code[i]);
		else if (is(&x->code[i].fact, "resolves"))
			resolve(&g, &x->code[i]);
	for (size_t i = 0; i < x->ngraphql; i++)
		if (x->graphql[i].documented)
			put_documented_fact(&g, &x->graphql[i]);
	put_consumers(&g, false);
	put_consumers(&g, true);
	for (size_t i = 0; i < map_len(g.fields); i++)
		free(((struct schema_fields *)map_val(g.fields, i))->v);
	map_free(g.roots);
	map_free(g.fields);
	map_free(g.served);
	map_free(g.asked);
}
