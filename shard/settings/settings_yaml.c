/* Settings of YAML and JSON: keys in keys, compose, Kubernetes, charts. */
#include "shard/settings/settings_internal.h"

#include <ctype.h>
#include <string.h>

#include "proto/base/arena.h"

static const yaml_node_t *node_at(yaml_document_t *d, int id)
{
	return yaml_document_get_node(d, id);
}

static const char *scalar(const yaml_node_t *n)
{
	if (n && n->type == YAML_SCALAR_NODE)
		return (const char *)n->data.scalar.value;
	return NULL;
}

/* Whether as many more may be looked at, those of a node. */
static bool take(struct settings_reader *r, const yaml_node_t *n, uint64_t nodes)
{
	return budget_spend(&r->budget, nodes, n->start_mark.line + 1);
}

static bool deep(struct settings_reader *r, const yaml_node_t *n, int depth)
{
	return !budget_check_depth(&r->budget, (size_t)depth, n->start_mark.line + 1);
}

static uint64_t pairs(const yaml_node_t *map)
{
	return (uint64_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start);
}

static uint64_t elements(const yaml_node_t *list)
{
	return (uint64_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

/* The value of a key, or NULL. */
static const yaml_node_t *member(
    struct settings_reader *r, yaml_document_t *d, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE || !take(r, map, pairs(map)))
		return NULL;
	for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
	     p++) {
		const char *name = scalar(node_at(d, p->key));
		if (name && !strcmp(name, key))
			return node_at(d, p->value);
	}
	return NULL;
}

static void put_node(struct settings_reader *r, const char *key, const yaml_node_t *value)
{
	const char *s = scalar(value);

	if (key && s)
		settings_put(r, key, strlen(key), s, strlen(s), value->start_mark.line + 1);
}

/* Every scalar by its way from the root; elements by number: a.b, a[0]. */
static void flatten(
    struct settings_reader *r, yaml_document_t *d, const yaml_node_t *n, const char *way, int depth)
{
	if (!n || strlen(way) > SETTINGS_MAX_KEY || deep(r, n, depth) || !take(r, n, 1))
		return;
	if (n->type == YAML_MAPPING_NODE) {
		for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
		     p++) {
			const char *key = scalar(node_at(d, p->key));
			if (key)
				flatten(r, d, node_at(d, p->value),
				    arena_printf(r->a, "%s%s%s", way, *way ? "." : "", key), depth + 1);
		}
	} else if (n->type == YAML_SEQUENCE_NODE) {
		size_t i = 0;
		for (const yaml_node_item_t *p = n->data.sequence.items.start;
		     p < n->data.sequence.items.top; p++)
			flatten(r, d, node_at(d, *p), arena_printf(r->a, "%s[%zu]", way, i++), depth + 1);
	} else {
		put_node(r, way, n);
	}
}

void settings_flat(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	flatten(r, d, root, "", 0);
}

/* NAME: VALUE, or a list of NAME=VALUE. */
static void read_environment(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *n)
{
	if (n && n->type == YAML_MAPPING_NODE && take(r, n, pairs(n)))
		for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
		     p++)
			put_node(r, scalar(node_at(d, p->key)), node_at(d, p->value));
	if (!n || n->type != YAML_SEQUENCE_NODE || !take(r, n, elements(n)))
		return;
	for (const yaml_node_item_t *p = n->data.sequence.items.start; p < n->data.sequence.items.top;
	     p++) {
		const yaml_node_t *item = node_at(d, *p);
		const char *s = scalar(item), *eq = s ? strchr(s, '=') : NULL;
		if (eq)
			settings_put(r, s, (size_t)(eq - s), eq + 1, strlen(eq + 1), item->start_mark.line + 1);
	}
}

/* Whether a service of compose is built out of this repository. */
static bool is_built(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *service)
{
	const yaml_node_t *build = member(r, d, service, "build");
	const char *context = scalar(build) ? scalar(build) : scalar(member(r, d, build, "context"));

	return build &&
	    (!context || (strncmp(context, "..", 2) && !strstr(context, "://") && *context != '/'));
}

/* What others call it, and its ports on this machine, "8080:80". */
static void read_built(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *service)
{
	const yaml_node_t *ports = member(r, d, service, "ports");
	const char *name = r->service;

	settings_put(r, "compose.service", strlen("compose.service"), name, strlen(name),
	    service->start_mark.line);
	if (!ports || ports->type != YAML_SEQUENCE_NODE || !take(r, ports, elements(ports)))
		return;
	for (const yaml_node_item_t *p = ports->data.sequence.items.start;
	     p < ports->data.sequence.items.top; p++) {
		const char *s = scalar(node_at(d, *p)), *colon = s ? strrchr(s, ':') : NULL;
		size_t n = 0;
		while (colon && colon - n > s && isdigit((unsigned char)colon[-1 - (long)n]))
			n++;
		if (n)
			settings_put(r, "compose.port", strlen("compose.port"), colon - n, n,
			    node_at(d, *p)->start_mark.line + 1);
	}
}

static void read_compose(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *services)
{
	if (services->type != YAML_MAPPING_NODE)
		return;
	for (const yaml_node_pair_t *p = services->data.mapping.pairs.start;
	     p < services->data.mapping.pairs.top; p++) {
		const yaml_node_t *service = node_at(d, p->value);
		r->service = arena_str(r->a, scalar(node_at(d, p->key)));
		read_environment(r, d, member(r, d, service, "environment"));
		read_environment(r, d, member(r, d, member(r, d, service, "build"), "args"));
		if (r->service && service && is_built(r, d, service))
			read_built(r, d, service);
	}
}

/* Each `env: [{name:, value:}]` below a node. */
static void read_containers(
    struct settings_reader *r, yaml_document_t *d, const yaml_node_t *n, int depth)
{
	if (!n || deep(r, n, depth) || !take(r, n, 1))
		return;
	if (n->type == YAML_SEQUENCE_NODE)
		for (const yaml_node_item_t *p = n->data.sequence.items.start;
		     p < n->data.sequence.items.top; p++)
			read_containers(r, d, node_at(d, *p), depth + 1);
	if (n->type != YAML_MAPPING_NODE)
		return;
	const yaml_node_t *env = member(r, d, n, "env");
	if (env && env->type == YAML_SEQUENCE_NODE && take(r, env, elements(env)))
		for (const yaml_node_item_t *p = env->data.sequence.items.start;
		     p < env->data.sequence.items.top; p++)
			put_node(r, scalar(member(r, d, node_at(d, *p), "name")),
			    member(r, d, node_at(d, *p), "value"));
	for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top;
	     p++)
		read_containers(r, d, node_at(d, p->value), depth + 1);
}

static bool ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* USERS_URL, as variables of an environment are called. */
static bool is_variable(const char *s)
{
	size_t n = 0;

	if (s)
		n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return n > 2 && !s[n];
}

void settings_values(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	size_t had = r->n;

	flatten(r, d, root, "Values", 0);
	for (size_t i = had, n = r->n; i < n; i++) {
		const struct setting s = r->v[i];
		const char *dot = strrchr(s.key, '.'), *list = s.key + strlen(s.key) - strlen("].name");
		if (is_variable(dot + 1))
			settings_put(r, dot + 1, strlen(dot + 1), s.value, strlen(s.value), s.line);
		else if (list > s.key && !strcmp(list, "].name") && is_variable(s.value) && i + 1 < n &&
		    ends(r->v[i + 1].key, "].value") &&
		    !strncmp(r->v[i + 1].key, s.key, (size_t)(list - s.key)))
			settings_put(r, s.value, strlen(s.value), r->v[i + 1].value, strlen(r->v[i + 1].value),
			    r->v[i + 1].line);
	}
}

void settings_kustomization(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	const yaml_node_t *maps = member(r, d, root, "configMapGenerator");

	if (!maps || maps->type != YAML_SEQUENCE_NODE)
		return;
	for (const yaml_node_item_t *p = maps->data.sequence.items.start;
	     p < maps->data.sequence.items.top; p++)
		read_environment(r, d, member(r, d, node_at(d, *p), "literals"));
}

/* What a file is called, without the ends of its name. */
static const char *stem(struct settings_reader *r)
{
	const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;

	return arena_strn(r->a, name, strcspn(name, "."));
}

/* NULL: it has none, or one that only a template knows. */
static const char *object_name(
    struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	const char *name = scalar(member(r, d, member(r, d, root, "metadata"), "name"));

	if (name && !strchr(name, '{'))
		return arena_str(r->a, name);
	return NULL;
}

void settings_deployment(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	const yaml_node_t *services = member(r, d, root, "services");
	const char *kind = scalar(member(r, d, root, "kind"));

	if (services) {
		read_compose(r, d, services);
	} else if (kind && member(r, d, root, "apiVersion")) {
		r->service = object_name(r, d, root);
		if (!strcmp(kind, "ConfigMap"))
			read_environment(r, d, member(r, d, root, "data"));
		else if (strcmp(kind, "Secret"))
			read_containers(r, d, member(r, d, root, "spec"), 0);
		if (!strcmp(kind, "Service") && r->service)
			settings_put(r, "kubernetes.service", strlen("kubernetes.service"), r->service,
			    strlen(r->service), root->start_mark.line + 1);
	} else if (member(r, d, root, "spring") || member(r, d, root, "server")) {
		r->service = stem(r);
		settings_flat(r, d, root);
	}
	r->service = NULL;
}

void settings_config(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	bool object = scalar(member(r, d, root, "kind")) && member(r, d, root, "apiVersion");

	(object ? settings_deployment : settings_flat)(r, d, root);
}

void settings_yaml(struct settings_reader *r,
    void (*each)(struct settings_reader *, yaml_document_t *, const yaml_node_t *))
{
	yaml_parser_t parser;
	yaml_document_t d;

	yaml_open_text(&parser, r->text, (size_t)(r->end - r->text));
	budget_begin(&r->budget, BUDGET_SETTINGS, (size_t)(r->end - r->text), r->a);
	while (!r->budget.exceeded && yaml_parser_load(&parser, &d)) {
		const yaml_node_t *root = yaml_document_get_root_node(&d);
		if (root)
			each(r, &d, root);
		yaml_document_delete(&d);
		if (!root)
			break;
	}
	yaml_parser_delete(&parser);
}
