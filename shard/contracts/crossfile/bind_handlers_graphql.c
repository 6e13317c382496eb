/*
 * GraphQL across files: the fields of root types are the routes, `GRAPHQL Query.users`.  Code
 * provides facts of the kind graphql, which are not contracts by themselves (`path` is Type.field):
 *   resolves   a function for a field, which a schema must have; the type `*` is any root
 *   defines    a field, if code makes its type a root; its place is where the file resolves it
 *   states     a field of a root
 *   roots      Query=Type: a schema is made with this type
 *   extends    Type<Base: the type has the fields of the base; =Query<Base: the base is part of it
 *   reaches    the address to which clients send their operations
 * Schemas and operations are in the form of graphql.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "proto/base/optional_text.h"
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

/* The text before a sign, with the text behind it in *behind; NULL: the sign is missing. */
static const char *before(struct arena *a, const char *text, char sign, const char **behind)
{
	const char *at = strchr(text, sign);

	*behind = NULL;
	if (!at)
		return NULL;
	*behind = at + 1;
	return arena_strn(a, text, (size_t)(at - text));
}

static const char none[] = "";

/* The root that code makes a schema with the type for, or NULL. */
static const char *root_of_schema(const struct handler_binder *x, const char *type)
{
	const char *behind;

	for (size_t i = 0; i < x->ncode; i++) {
		if (!is(&x->code[i].fact, "roots"))
			continue;
		const char *root = before(x->a, x->code[i].fact.path, '=', &behind);
		if (root && !strcmp(behind, type))
			return root;
	}
	return NULL;
}

/* The root that code makes of the type, or of a type that has its fields; or NULL. */
static const char *root_of_made_type(const struct handler_binder *x, const char *type, int depth)
{
	const char *behind, *root = root_of_schema(x, type);

	for (size_t i = 0; i < x->ncode && !root && depth < DEEP; i++) {
		if (!is(&x->code[i].fact, "extends"))
			continue;
		const char *derived = before(x->a, x->code[i].fact.path, '<', &behind);
		if (!derived || strcmp(behind, type) || !strcmp(derived, type))
			continue;
		if (*derived == '=')
			root = derived + 1;
		else
			root = root_of_made_type(x, derived, depth + 1);
	}
	return root;
}

/* The root that schemas make of the type, else the root with that name; or NULL. */
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

/* The root that a type is, or is a part of, or NULL.  `code`: code must make it one. */
static const char *root_of(struct graphql_binder *g, const char *type, bool code)
{
	void **at = map_at(g->roots, arena_printf(g->x->a, "%d %s", code, type));

	if (!*at) {
		const char *root = root_of_made_type(g->x, type, 0);
		if (!root && !code)
			root = schema_root(g->x, type);
		if (!root)
			root = none;
		*at = (void *)root;
	}
	if (*at == none)
		return NULL;
	return *at;
}

/* ---- fields of schemas ---- */

/* A field without case and underscores, which generators and frameworks change. */
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
		const char *type = NULL, *root = NULL;
		if (!strcmp(a->o.kind, "schema"))
			type = before(x->a, a->o.path, '.', &field);
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

/* ---- resolvers ---- */

static void *const yes = "";

/* The folder of a file's project; "" if it has none. */
static const char *project_of(const struct graphql_binder *g, const char *file)
{
	return text_or_empty(bind_handlers_project(g->x, file));
}

static const char *project_key(const struct graphql_binder *g, const char *file, const char *what)
{
	return arena_printf(g->x->a, "%s %s", project_of(g, file), what);
}

/* Append a step to those of a fact, whose list may be shared with other facts. */
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
	const char *field, *type = before(g->x->a, c->fact.path, '.', &field), *root = NULL;
	const struct bound_operation *a = NULL;

	if (!type)
		return;
	if (!strcmp(type, "*")) {
		for (size_t i = 0; i < LEN(roots) && !a; i++)
			a = field_named(g, roots[i], field, c->fact.file);
	} else {
		root = root_of(g, type, false);
	}
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
	const char *field, *root = before(g->x->a, c->fact.path, '.', &field);
	const struct code_fact *at = c;

	if (!root)
		return;
	if (!sure) {
		root = root_of(g, root, true);
		at = place_of(g, c);
	}
	if (!root)
		return;
	struct fact f = at->fact;
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
 * A field without a known resolver, if other fields of its project have one, or if the server
 * resolves all fields of its schema (Lighthouse).
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

/* ---- clients ---- */

/* Whether a fact is a request to a URL that ends as those of GraphQL do. */
static bool is_post(const struct fact *f)
{
	const char *last = strrchr(f->path, '/');

	if (!last || strcmp(f->kind, "http") || strcmp(f->side, "consumes"))
		return false;
	return !strcmp(last, "/graphql") || !strcmp(last, "/graph") || !strcmp(last, "/gql");
}

/*
 * The one address that clients of a file, else of its project, else of the repository have; NULL:
 * none, or several.
 */
enum scope { SCOPE_FILE, SCOPE_PROJECT, SCOPE_REPOSITORY, NSCOPES };

static bool in_scope(
    const struct graphql_binder *g, enum scope scope, const char *file, const char *other)
{
	if (scope == SCOPE_FILE)
		return !strcmp(file, other);
	if (scope == SCOPE_PROJECT)
		return !strcmp(project_of(g, file), project_of(g, other));
	return true;
}

/* The first client address in the scope; `*several`: there are different ones. */
static const struct fact *address_in(
    const struct graphql_binder *g, enum scope scope, const char *file, bool *several)
{
	const struct fact *one = NULL;

	*several = false;
	for (size_t i = 0; i < g->x->ncode; i++) {
		const struct fact *f = &g->x->code[i].fact;
		if (!f->host || !(is(f, "reaches") || is_post(f)) || !in_scope(g, scope, file, f->file))
			continue;
		*several |= one && strcmp(one->host, f->host);
		if (!one)
			one = f;
	}
	return one;
}

/*
 * The only address of clients in a file, else in its project, else in the repository; NULL if there
 * is none, or several.
 */
static const struct fact *address_of(const struct graphql_binder *g, const char *file)
{
	for (enum scope scope = 0; scope < NSCOPES; scope++) {
		bool several;
		const struct fact *one = address_in(g, scope, file, &several);
		if (several)
			return NULL;
		if (one)
			return one;
	}
	return NULL;
}

/* Whether the operation is in code, and not in a GraphQL file. */
static bool in_code(const struct bound_operation *a)
{
	const char *dot = strrchr(a->path, '.');

	return !dot || (strcmp(dot, ".graphql") && strcmp(dot, ".gql") && strcmp(dot, ".graphqls"));
}

static const char *consumer_key(
    const struct graphql_binder *g, const struct bound_operation *a, const char *path)
{
	const char *name = "";

	if (a->o.name)
		name = a->o.name;
	return project_key(g, a->path, arena_printf(g->x->a, "%s %s", name, path));
}

static void ask(struct graphql_binder *g, const struct bound_operation *a, const char *path)
{
	const struct fact *address = address_of(g, a->path);
	struct fact f = { .side = "consumes",
		.kind = "graphql",
		.method = "GRAPHQL",
		.path = path,
		.framework = "graphql",
		.file = a->path,
		.line = a->o.line,
		.end_line = a->o.line,
		.symbol = a->o.label,
		.raw = a->o.name };

	if (!f.symbol)
		f.symbol = a->o.name;
	if (!in_code(a))
		*map_at(g->asked, consumer_key(g, a, path)) = yes;
	else if (a->o.name && map_get(g->asked, consumer_key(g, a, path)))
		return;		/* generated from that file */
	if (address) {
		f.host = address->host;
		f.steps = address->steps;
		add_step(g->x, &f,
		    (struct step){ .file = address->file, .line = address->line, .text = address->raw });
	}
	bind_handlers_put_fact(g->x, a->file, a->file, &f);
}

/* The fields of a fragment that an operation spreads: one of its own file, else of another. */
static void put_fragment_fields(struct graphql_binder *g, const struct bound_operation *a)
{
	const struct handler_binder *x = g->x;
	const char *file = NULL;

	for (int other = 0; other < 2 && !file; other++)
		for (size_t i = 0; i < x->ngraphql; i++) {
			const struct bound_operation *part = &x->graphql[i];
			if (strcmp(part->o.kind, "part") || strcmp(part->o.resource, a->o.resource))
				continue;
			bool elsewhere = !other && strcmp(part->path, a->path);
			if (elsewhere || (file && strcmp(file, part->path)))
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
