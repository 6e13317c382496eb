#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "shard/contracts/specs/operations.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/formats/yaml_tree.h"

/* OpenAPI 2 and 3. */

enum { MOST = 5000 };

struct openapi_reader {
	const struct yaml *root;
	const char *base;	/* comes before its paths */
	struct arena *a;
	struct operation *v;
	size_t n, cap;
};

/*
 * Whether there is room for the operation at `y`: what `$ref` and aliases name may be used many
 * times.
 */
static bool has_room(struct openapi_reader *d, const struct yaml *y)
{
	if (d->n == MOST)
		budget_report_limit(y->budget, MOST, "operations", y->line);
	return d->n < MOST && budget_spend(y->budget, 1, y->line);
}

static const char *verb_of(const char *key)
{
	static const char *const verbs[] = { "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD",
		"OPTIONS" };

	for (size_t i = 0; i < LEN(verbs); i++)
		if (!strcasecmp(verbs[i], key))
			return verbs[i];
	return NULL;
}

/* The default of a variable {NAME} in a server's URL, which ends at `close`; {} if it has none. */
static const char *variable_default(
    struct openapi_reader *d, const struct yaml *server, const char *open, const char *close)
{
	const char *name = arena_strn(d->a, open + 1, (size_t)(close - open - 1));
	const char *value = yaml_get_text(yaml_get(yaml_get(server, "variables"), name), "default");

	return text_or(value, "{}");
}

/* A server's URL with the defaults of its variables. */
static const char *server_url(struct openapi_reader *d, const struct yaml *server)
{
	const char *url = yaml_get_text(server, "url");
	struct buf b = { 0 };

	for (; url && *url; url++) {
		const char *close = NULL;
		if (*url == '{')
			close = strchr(url, '}');
		if (close) {
			buf_str(&b, variable_default(d, server, url, close));
			url = close;
		} else {
			buf_byte(&b, *url);
		}
	}
	const char *out = arena_strn(d->a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* The path of the first server, which comes before all paths; "" if there is none. */
static const char *base_of(struct openapi_reader *d, const struct yaml *at)
{
	const struct yaml *servers = yaml_get(at, "servers");
	const char *base = yaml_get_text(at, "basePath"), *host, *path;

	if (servers && servers->kind == YAML_LIST && servers->first) {
		if (url_split(server_url(d, servers->first), d->a, &host, &path) && strcmp(path, "/"))
			return path;
		return "";
	}
	if (base && strcmp(base, "/"))
		return base;
	return "";
}

/* The first text of a value that is one, or a list of them. */
static const char *first_text(const struct yaml *y)
{
	if (!y)
		return NULL;
	if (y->text)
		return y->text;
	if (y->kind == YAML_LIST && y->first)
		return y->first->text;
	return NULL;
}

/* The text of the first extension of the operation, else of its path, else of the document. */
static const char *extension(const struct openapi_reader *d, const struct yaml *operation,
    const struct yaml *path, const char *const *names, size_t n)
{
	const struct yaml *at[] = { operation, path, d->root };

	for (size_t k = 0; k < LEN(at); k++)
		for (size_t i = 0; i < n; i++) {
			const char *text = yaml_get_text(at[k], names[i]);
			if (text)
				return text;
		}
	return NULL;
}

/* The function of the template that `${GetUser.Arn}` in the URI of Amazon's integration names. */
static const char *aws_integration_function(struct openapi_reader *d, const struct yaml *operation)
{
	const struct yaml *uri = yaml_get_path(operation, "x-amazon-apigateway-integration/uri");
	const char *text = NULL, *end = NULL;

	if (uri)
		text = uri->text;
	if (uri && !text)
		text = first_text(yaml_get(uri, "Fn::Sub"));
	if (text)
		end = strstr(text, ".Arn}");
	if (!end)
		return NULL;
	const char *from = end;
	while (from > text && from[-1] != '{')
		from--;
	return arena_strn(d->a, from, (size_t)(end - from));
}

static void add(struct openapi_reader *d, const struct operation *o)
{
	d->v = grow(d->v, &d->cap, d->n + 1, sizeof *o);
	d->v[d->n++] = *o;
}

/* Read an operation and the names of its handler; false: it is no operation. */
static bool read_operation(struct openapi_reader *d, const struct yaml *path,
    const struct yaml *operation, struct operation *o)
{
	static const char *const owners[] = { "x-openapi-router-controller",
		"x-swagger-router-controller", "x-eov-operation-handler", "x-exegesis-controller",
		"x-router-controller", "x-controller" };
	static const char *const names[] = { "x-eov-operation-id", "x-exegesis-operationId",
		"operationId" };

	*o = (struct operation){ 
		.form = "openapi", .kind = "http", .line = operation->line, .end_line = operation->end_line
	};
	if (operation->key)
		o->method = verb_of(operation->key);
	if (!o->method || operation->kind != YAML_MAP)
		return false;
	for (size_t i = 0; i < LEN(names) && !o->name; i++)
		o->name = yaml_get_text(operation, names[i]);
	o->owner = extension(d, operation, path, owners, LEN(owners));
	o->resource = aws_integration_function(d, operation);
	o->label = o->name;
	return true;
}

static const char *full_path(struct openapi_reader *d, const char *base, const char *path)
{
	if (*base)
		return url_path(arena_printf(d->a, "%s/%s", base, path), false, d->a);
	return url_path(path, false, d->a);
}

/* The item that `#/components/pathItems/x` names; NULL if it is in another document. */
static const struct yaml *resolve_path_item(const struct openapi_reader *d, const char *ref)
{
	if (strncmp(ref, "#/", 2))
		return NULL;
	return yaml_get_path(d->root, ref + 2);
}

/* A path whose operations are in another file. */
static void put_reference(
    struct openapi_reader *d, const struct yaml *path, const char *base, const char *ref)
{
	struct operation o = { .form = "openapi",
		.kind = "reference",
		.method = "ANY",
		.path = full_path(d, base, path->key),
		.bare = full_path(d, "", path->key),
		.name = ref,
		.line = path->line,
		.end_line = path->line };

	add(d, &o);
}

/* The operations of a path, or the reference to the file that has them. */
static void put_path(struct openapi_reader *d, const struct yaml *path, const char *base)
{
	const char *ref = yaml_get_text(path, "$ref");
	const struct yaml *item = path;
	struct operation o;

	if (ref)
		item = resolve_path_item(d, ref);
	if (!item) {
		if (*ref != '#')
			put_reference(d, path, base, ref);
		return;
	}
	for (const struct yaml *y = item->first; y && has_room(d, y); y = y->next) {
		if (!read_operation(d, item, y, &o))
			continue;
		if (!o.label)
			o.label = arena_printf(d->a, "%s %s", o.method, path->key);
		o.bare = full_path(d, "", path->key);
		o.path = full_path(d, base, path->key);
		add(d, &o);
	}
}

static size_t take(struct openapi_reader *d, struct operation **out)
{
	*out = arena_many(d->a, d->n, struct operation);
	if (d->n)
		memcpy(*out, d->v, d->n * sizeof *d->v);
	free(d->v);
	return d->n;
}

size_t openapi_find(const struct yaml *root, struct arena *a, struct operation **out)
{
	struct openapi_reader d = { .root = root, .a = a };
	const char *version = yaml_get_text(root, "openapi");
	const struct yaml *paths = yaml_get(root, "paths");

	if (!version)
		version = yaml_get_text(root, "swagger");
	if (!version || !isdigit((unsigned char)*version) || !paths || paths->kind != YAML_MAP)
		return 0;
	d.base = base_of(&d, root);
	for (const struct yaml *p = paths->first; p && has_room(&d, p); p = p->next) {
		if (!p->key || *p->key != '/' || p->kind != YAML_MAP)
			continue;
		const char *base = d.base;
		if (yaml_get(p, "servers"))
			base = base_of(&d, p);
		put_path(&d, p, base);
	}
	return take(&d, out);
}

/* The entries of a map, or NULL. */
static const struct yaml *entries(const struct yaml *y)
{
	if (y->kind == YAML_MAP)
		return y->first;
	return NULL;
}

/* The operations of one item, by the name that it has in its file. */
static void put_item(struct openapi_reader *d, const struct yaml *item, const char *name)
{
	struct operation o;

	for (const struct yaml *y = entries(item); y && has_room(d, y); y = y->next)
		if (yaml_get(y, "responses") && read_operation(d, item, y, &o)) {
			o.kind = "item";
			o.path = name;
			add(d, &o);
		}
}

size_t openapi_items(const struct yaml *root, struct arena *a, struct operation **out)
{
	struct openapi_reader d = { .root = root, .a = a };

	put_item(&d, root, ".");
	if (d.n)
		return take(&d, out);
	for (const struct yaml *y = entries(root); y && has_room(&d, y); y = y->next)
		if (y->key)
			put_item(&d, y, y->key);
	return take(&d, out);
}
