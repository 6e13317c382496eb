/* Settings in YAML and JSON: nested keys, compose, Kubernetes, charts. */
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

/* Take `nodes` from the budget; false if it is exceeded.  `n` is the node to report. */
static bool take(struct settings_reader *r, const yaml_node_t *n, uint64_t nodes)
{
	return budget_spend(&r->budget, nodes, n->start_mark.line + 1);
}

static bool too_deep(struct settings_reader *r, const yaml_node_t *n, int depth)
{
	return !budget_check_depth(&r->budget, (size_t)depth, n->start_mark.line + 1);
}

/* The pairs of a map; none for any other node. */
struct pairs {
	const yaml_node_pair_t *v;
	size_t n;
};

static struct pairs pairs_of(const yaml_node_t *map)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return (struct pairs){ NULL, 0 };
	const yaml_node_pair_t *v = map->data.mapping.pairs.start;
	return (struct pairs){ v, (size_t)(map->data.mapping.pairs.top - v) };
}

/* The elements of a list; none for any other node. */
struct elements {
	const yaml_node_item_t *v;
	size_t n;
};

static struct elements elements_of(const yaml_node_t *list)
{
	if (!list || list->type != YAML_SEQUENCE_NODE)
		return (struct elements){ NULL, 0 };
	const yaml_node_item_t *v = list->data.sequence.items.start;
	return (struct elements){ v, (size_t)(list->data.sequence.items.top - v) };
}

/* The same, taken from the budget; none if it is exceeded. */
static struct pairs take_pairs(struct settings_reader *r, const yaml_node_t *map)
{
	struct pairs p = pairs_of(map);

	if (p.v && !take(r, map, p.n))
		return (struct pairs){ NULL, 0 };
	return p;
}

static struct elements take_elements(struct settings_reader *r, const yaml_node_t *list)
{
	struct elements e = elements_of(list);

	if (e.v && !take(r, list, e.n))
		return (struct elements){ NULL, 0 };
	return e;
}

/* The value of a key, or NULL. */
static const yaml_node_t *member(
    struct settings_reader *r, yaml_document_t *d, const yaml_node_t *map, const char *key)
{
	struct pairs p = take_pairs(r, map);

	for (size_t i = 0; i < p.n; i++) {
		const char *name = scalar(node_at(d, p.v[i].key));
		if (name && !strcmp(name, key))
			return node_at(d, p.v[i].value);
	}
	return NULL;
}

static void put_node(struct settings_reader *r, const char *key, const yaml_node_t *value)
{
	const char *s = scalar(value);

	if (key && s)
		settings_put(r, key, strlen(key), s, strlen(s), value->start_mark.line + 1);
}

/* Store every scalar below a node, keyed by its path from the root: a.b, a[0]. */
static void flatten(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *n,
    const char *path, int depth)
{
	if (!n || strlen(path) > SETTINGS_MAX_KEY || too_deep(r, n, depth) || !take(r, n, 1))
		return;
	struct pairs p = pairs_of(n);
	struct elements e = elements_of(n);
	const char *dot = *path ? "." : "";
	for (size_t i = 0; i < p.n; i++) {
		const char *key = scalar(node_at(d, p.v[i].key));
		if (key)
			flatten(r, d, node_at(d, p.v[i].value), arena_printf(r->a, "%s%s%s", path, dot, key),
			    depth + 1);
	}
	for (size_t i = 0; i < e.n; i++)
		flatten(r, d, node_at(d, e.v[i]), arena_printf(r->a, "%s[%zu]", path, i), depth + 1);
	put_node(r, path, n);
}

void settings_flat(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	flatten(r, d, root, "", 0);
}

/* NAME: VALUE, or a list of NAME=VALUE. */
static void read_environment(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *n)
{
	struct pairs p = take_pairs(r, n);
	struct elements e = take_elements(r, n);

	for (size_t i = 0; i < p.n; i++)
		put_node(r, scalar(node_at(d, p.v[i].key)), node_at(d, p.v[i].value));
	for (size_t i = 0; i < e.n; i++) {
		const yaml_node_t *item = node_at(d, e.v[i]);
		const char *s = scalar(item), *eq = NULL;
		if (s)
			eq = strchr(s, '=');
		if (eq)
			settings_put(r, s, (size_t)(eq - s), eq + 1, strlen(eq + 1), item->start_mark.line + 1);
	}
}

/* Whether a service of compose is built from a folder of this repository. */
static bool is_built(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *service)
{
	const yaml_node_t *build = member(r, d, service, "build");
	const char *context = scalar(build);

	if (!build)
		return false;
	if (!context)
		context = scalar(member(r, d, build, "context"));
	if (!context)
		return true;
	return strncmp(context, "..", 2) && !strstr(context, "://") && *context != '/';
}

/* The host port of "8080:80" or "127.0.0.1:8080:80": the digits before the last colon. */
static void put_port(struct settings_reader *r, const yaml_node_t *port)
{
	const char *s = scalar(port), *colon = NULL;

	if (s)
		colon = strrchr(s, ':');
	if (!colon)
		return;
	const char *from = colon;
	while (from > s && isdigit((unsigned char)from[-1]))
		from--;
	if (from < colon)
		settings_put(r, "compose.port", strlen("compose.port"), from, (size_t)(colon - from),
		    port->start_mark.line + 1);
}

/* The service's name for others, and its ports on this machine. */
static void read_built(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *service)
{
	const yaml_node_t *ports = member(r, d, service, "ports");
	const char *name = r->service;

	settings_put(r, "compose.service", strlen("compose.service"), name, strlen(name),
	    service->start_mark.line);
	struct elements e = take_elements(r, ports);
	for (size_t i = 0; i < e.n; i++)
		put_port(r, node_at(d, e.v[i]));
}

static void read_compose(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *services)
{
	struct pairs p = pairs_of(services);

	for (size_t i = 0; i < p.n; i++) {
		const yaml_node_t *service = node_at(d, p.v[i].value);
		r->service = arena_str(r->a, scalar(node_at(d, p.v[i].key)));
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
	if (!n || too_deep(r, n, depth) || !take(r, n, 1))
		return;
	struct elements e = elements_of(n);
	for (size_t i = 0; i < e.n; i++)
		read_containers(r, d, node_at(d, e.v[i]), depth + 1);
	if (n->type != YAML_MAPPING_NODE)
		return;
	struct elements env = take_elements(r, member(r, d, n, "env"));
	for (size_t i = 0; i < env.n; i++) {
		const yaml_node_t *variable = node_at(d, env.v[i]);
		const yaml_node_t *value = member(r, d, variable, "value");
		put_node(r, scalar(member(r, d, variable, "name")), value);
	}
	struct pairs p = pairs_of(n);
	for (size_t i = 0; i < p.n; i++)
		read_containers(r, d, node_at(d, p.v[i].value), depth + 1);
}

static bool ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* USERS_URL: a name of an environment variable. */
static bool is_variable(const char *s)
{
	size_t n = 0;

	if (s)
		n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return n > 2 && !s[n];
}

/* Whether two settings are `LIST[i].name` with a variable's name, and `LIST[i].value`. */
static bool is_name_and_value(const struct setting *name, const struct setting *value)
{
	static const char suffix[] = "].name";

	if (!ends(name->key, suffix) || !is_variable(name->value) || !ends(value->key, "].value"))
		return false;
	return !strncmp(value->key, name->key, strlen(name->key) - strlen(suffix));
}

void settings_values(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	size_t had = r->n;

	flatten(r, d, root, "Values", 0);
	for (size_t i = had, n = r->n; i < n; i++) {
		const struct setting s = r->v[i];
		const char *last = strrchr(s.key, '.');
		if (!last)		/* the root is a text or a list of texts: `Values`, `Values[0]` */
			continue;
		last++;
		if (is_variable(last)) {
			settings_put(r, last, strlen(last), s.value, strlen(s.value), s.line);
		} else if (i + 1 < n && is_name_and_value(&s, &r->v[i + 1])) {
			const struct setting next = r->v[i + 1];
			settings_put(
			    r, s.value, strlen(s.value), next.value, strlen(next.value), next.line);
		}
	}
}

void settings_kustomization(struct settings_reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	struct elements maps = elements_of(member(r, d, root, "configMapGenerator"));

	for (size_t i = 0; i < maps.n; i++)
		read_environment(r, d, member(r, d, node_at(d, maps.v[i]), "literals"));
}

/* The name of the file up to its first dot. */
static const char *stem(struct settings_reader *r)
{
	const char *name = r->path, *slash = strrchr(r->path, '/');

	if (slash)
		name = slash + 1;
	return arena_strn(r->a, name, strcspn(name, "."));
}

/* NULL if it has no name, or one that a template computes. */
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
	bool is_object = scalar(member(r, d, root, "kind")) && member(r, d, root, "apiVersion");

	if (is_object)
		settings_deployment(r, d, root);
	else
		settings_flat(r, d, root);
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
