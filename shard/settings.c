#include "shard/settings.h"
#include "proto/base/yaml_start.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/flat.h"
#include "shard/helm.h"

enum { LONGEST_KEY = 200, LONGEST_VALUE = 400, MANY = 5000, DEEP = 32 };

struct reader {
	const char *path, *text, *end;
	struct arena *a;
	const char *service;
	bool whole;			/* everything is kept, for who knows what it means */
	struct setting *v;
	size_t n, cap;
};

/* ---- what is kept ---- */

static bool secret(const char *key)
{
	static const char *const words[] = { "password", "passwd", "secret", "token", "apikey", "accesskey", "privatekey", "credential" };

	for (size_t i = 0; i < LEN(words); i++)
		if (strstr(key, words[i]))
			return true;
	return false;
}

/* A URL, a path, a host, a port, a placeholder: one word of their letters. */
static bool urlish(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("-._~:/?#@!$&*+,;=%{}|[]", s[i]))
			return false;
	return n && n <= LONGEST_VALUE;
}

static bool ends(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/* Without the name and password before the host. */
static const char *without_login(struct arena *a, const char *s, size_t n)
{
	const char *scheme = memmem(s, n, "://", 3), *from = scheme ? scheme + 3 : s, *end = s + n, *at = NULL;

	for (const char *p = from; scheme && p < end && *p != '/'; p++)
		at = *p == '@' ? p : at;
	return at ? arena_printf(a, "%.*s%.*s", (int)(from - s), s, (int)(end - at - 1), at + 1) : arena_strn(a, s, n);
}

static void put(struct reader *r, const char *key, size_t nkey, const char *value, size_t n, size_t line)
{
	size_t longest = r->whole ? LONGEST_VALUE : LONGEST_KEY;

	if (!nkey || nkey > longest || r->n == MANY || (!r->whole && (memchr(key, '{', nkey) || !urlish(value, n))))
		return;
	key = arena_strn(r->a, key, nkey);
	if (!r->whole && secret(settings_key(key, r->a)))
		return;
	value = r->whole ? arena_strn(r->a, value, n) : without_login(r->a, value, n);
	r->v = grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = (struct setting){ key, value, r->service, (uint32_t)line };
}

const char *settings_key(const char *key, struct arena *a)
{
	char *s = arena_str(a, key), *to = s;

	for (const char *c = s; *c; c++)
		if (isalnum((unsigned char)*c))
			*to++ = (char)tolower((unsigned char)*c);
	*to = '\0';
	return s;
}

/* ---- files of lines ---- */

static bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *past_blanks(const char *s, const char *end)
{
	while (s < end && blank(*s))
		s++;
	return s;
}

static const char *line_end(const char *s, const char *end)
{
	const char *nl = memchr(s, '\n', (size_t)(end - s));

	return nl ? nl : end;
}

static size_t trimmed(const char *s, const char *end)
{
	while (end > s && blank(end[-1]))
		end--;
	return (size_t)(end - s);
}

/* `value`, "value" or 'value', up to a comment: its bytes, and where what follows begins. */
static const char *quoted(const char *s, const char *end, const char **value, size_t *n)
{
	const char *close = s < end && (*s == '"' || *s == '\'') ? memchr(s + 1, *s, (size_t)(end - s - 1)) : NULL;
	const char *stop = s;

	if (close) {
		*value = s + 1;
		*n = (size_t)(close - s - 1);
		return close + 1;
	}
	while (stop < end && !blank(*stop))
		stop++;
	*value = s;
	*n = (size_t)(stop - s);
	return stop;
}

static size_t name_length(const char *s, const char *end)
{
	size_t n = 0;

	while (s + n < end && (isalnum((unsigned char)s[n]) || strchr("_.-", s[n])))
		n++;
	return n;
}

/* [export ]NAME=VALUE */
static void read_env(struct reader *r)
{
	size_t line = 1, n;
	const char *value;

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *name = past_blanks(s, end);
		if (end - name > 7 && !strncmp(name, "export ", 7))
			name = past_blanks(name + 7, end);
		size_t length = name_length(name, end);
		const char *eq = past_blanks(name + length, end);
		if (eq == end || *eq != '=')
			continue;
		quoted(past_blanks(eq + 1, end), end, &value, &n);
		put(r, name, length, value, n, line);
	}
}

/* NAME=VALUE, NAME: VALUE, NAME VALUE; a value goes on after a line's last backslash and is then none of ours. */
static void read_properties(struct reader *r)
{
	size_t line = 1;

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *name = past_blanks(s, end), *value = name;
		if (value == end || *value == '#' || *value == '!')
			continue;
		while (value < end && !blank(*value) && *value != '=' && *value != ':')
			value++;
		size_t n = (size_t)(value - name);
		value = past_blanks(value, end);
		if (value < end && (*value == '=' || *value == ':'))
			value = past_blanks(value + 1, end);
		put(r, name, n, value, trimmed(value, end), line);
	}
}

/* `ENV NAME=VALUE NAME="VALUE"`, `ENV NAME VALUE`, `ARG NAME=VALUE`, the first of which may go on over lines. */
static void read_dockerfile(struct reader *r)
{
	size_t line = 1, n;
	bool on = false;

	for (const char *s = r->text, *end; s < r->end; s = end + 1, line++) {
		end = line_end(s, r->end);
		const char *stop = s + trimmed(s, end), *at = past_blanks(s, stop), *value;
		bool more = stop > at && stop[-1] == '\\';
		stop -= more;
		if (!on && stop - at > 4 && (!strncasecmp(at, "ENV ", 4) || !strncasecmp(at, "ARG ", 4))) {
			at = past_blanks(at + 4, stop);
			on = true;
		}
		while (on && at < stop) {
			size_t length = name_length(at, stop);
			const char *name = at;
			at += length;
			if (!length || at == stop)
				break;
			at = quoted(past_blanks(at + 1, stop), stop, &value, &n);
			put(r, name, length, value, n, line);
			at = past_blanks(at, stop);
		}
		on &= more;
	}
}

/* ---- YAML and JSON ---- */

static const yaml_node_t *node_at(yaml_document_t *d, int id)
{
	return yaml_document_get_node(d, id);
}

static const char *scalar(const yaml_node_t *n)
{
	return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

/* The value of a key, or NULL. */
static const yaml_node_t *member(yaml_document_t *d, const yaml_node_t *map, const char *key)
{
	if (!map || map->type != YAML_MAPPING_NODE)
		return NULL;
	for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
		const char *name = scalar(node_at(d, p->key));
		if (name && !strcmp(name, key))
			return node_at(d, p->value);
	}
	return NULL;
}

static void put_node(struct reader *r, const char *key, const yaml_node_t *value)
{
	const char *s = scalar(value);

	if (key && s)
		put(r, key, strlen(key), s, strlen(s), value->start_mark.line + 1);
}

/* Every scalar by its way from the root; elements by number: a.b, a[0]. */
static void flatten(struct reader *r, yaml_document_t *d, const yaml_node_t *n, const char *way, int depth)
{
	if (!n || depth == DEEP || strlen(way) > LONGEST_KEY)
		return;
	if (n->type == YAML_MAPPING_NODE) {
		for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
			const char *key = scalar(node_at(d, p->key));
			if (key)
				flatten(r, d, node_at(d, p->value), arena_printf(r->a, "%s%s%s", way, *way ? "." : "", key), depth + 1);
		}
	} else if (n->type == YAML_SEQUENCE_NODE) {
		size_t i = 0;
		for (const yaml_node_item_t *p = n->data.sequence.items.start; p < n->data.sequence.items.top; p++)
			flatten(r, d, node_at(d, *p), arena_printf(r->a, "%s[%zu]", way, i++), depth + 1);
	} else {
		put_node(r, way, n);
	}
}

static void read_flat(struct reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	flatten(r, d, root, "", 0);
}

/* NAME: VALUE, or a list of NAME=VALUE. */
static void read_environment(struct reader *r, yaml_document_t *d, const yaml_node_t *n)
{
	if (n && n->type == YAML_MAPPING_NODE)
		for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++)
			put_node(r, scalar(node_at(d, p->key)), node_at(d, p->value));
	if (!n || n->type != YAML_SEQUENCE_NODE)
		return;
	for (const yaml_node_item_t *p = n->data.sequence.items.start; p < n->data.sequence.items.top; p++) {
		const yaml_node_t *item = node_at(d, *p);
		const char *s = scalar(item), *eq = s ? strchr(s, '=') : NULL;
		if (eq)
			put(r, s, (size_t)(eq - s), eq + 1, strlen(eq + 1), item->start_mark.line + 1);
	}
}

/* Whether a service of compose is built out of this repository. */
static bool is_built(yaml_document_t *d, const yaml_node_t *service)
{
	const yaml_node_t *build = member(d, service, "build");
	const char *context = scalar(build) ? scalar(build) : scalar(member(d, build, "context"));

	return build && (!context || (strncmp(context, "..", 2) && !strstr(context, "://") && *context != '/'));
}

/* What others call it, and its ports on this machine, "8080:80". */
static void read_built(struct reader *r, yaml_document_t *d, const yaml_node_t *service)
{
	const yaml_node_t *ports = member(d, service, "ports");
	const char *name = r->service;

	put(r, "compose.service", strlen("compose.service"), name, strlen(name), service->start_mark.line);
	if (!ports || ports->type != YAML_SEQUENCE_NODE)
		return;
	for (const yaml_node_item_t *p = ports->data.sequence.items.start; p < ports->data.sequence.items.top; p++) {
		const char *s = scalar(node_at(d, *p)), *colon = s ? strrchr(s, ':') : NULL;
		size_t n = 0;
		while (colon && colon - n > s && isdigit((unsigned char)colon[-1 - (long)n]))
			n++;
		if (n)
			put(r, "compose.port", strlen("compose.port"), colon - n, n, node_at(d, *p)->start_mark.line + 1);
	}
}

static void read_compose(struct reader *r, yaml_document_t *d, const yaml_node_t *services)
{
	if (services->type != YAML_MAPPING_NODE)
		return;
	for (const yaml_node_pair_t *p = services->data.mapping.pairs.start; p < services->data.mapping.pairs.top; p++) {
		const yaml_node_t *service = node_at(d, p->value);
		r->service = arena_str(r->a, scalar(node_at(d, p->key)));
		read_environment(r, d, member(d, service, "environment"));
		read_environment(r, d, member(d, member(d, service, "build"), "args"));
		if (r->service && service && is_built(d, service))
			read_built(r, d, service);
	}
}

/* Each `env: [{name:, value:}]` below a node. */
static void read_containers(struct reader *r, yaml_document_t *d, const yaml_node_t *n, int depth)
{
	if (!n || depth == DEEP)
		return;
	if (n->type == YAML_SEQUENCE_NODE)
		for (const yaml_node_item_t *p = n->data.sequence.items.start; p < n->data.sequence.items.top; p++)
			read_containers(r, d, node_at(d, *p), depth + 1);
	if (n->type != YAML_MAPPING_NODE)
		return;
	const yaml_node_t *env = member(d, n, "env");
	if (env && env->type == YAML_SEQUENCE_NODE)
		for (const yaml_node_item_t *p = env->data.sequence.items.start; p < env->data.sequence.items.top; p++)
			put_node(r, scalar(member(d, node_at(d, *p), "name")), member(d, node_at(d, *p), "value"));
	for (const yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++)
		read_containers(r, d, node_at(d, p->value), depth + 1);
}

/* USERS_URL, as variables of an environment are called. */
static bool is_variable(const char *s)
{
	size_t n = s ? strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") : 0;

	return n > 2 && !s[n];
}

/* What a chart gives to its templates, `Values.users.url`, and variables of an environment among it: keys, or {name:, value:} in lists. */
static void read_values(struct reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	size_t had = r->n;

	flatten(r, d, root, "Values", 0);
	for (size_t i = had, n = r->n; i < n; i++) {
		const struct setting s = r->v[i];
		const char *dot = strrchr(s.key, '.'), *list = s.key + strlen(s.key) - strlen("].name");
		if (is_variable(dot + 1))
			put(r, dot + 1, strlen(dot + 1), s.value, strlen(s.value), s.line);
		else if (list > s.key && !strcmp(list, "].name") && is_variable(s.value) && i + 1 < n && ends(r->v[i + 1].key, "].value") &&
		    !strncmp(r->v[i + 1].key, s.key, (size_t)(list - s.key)))
			put(r, s.value, strlen(s.value), r->v[i + 1].value, strlen(r->v[i + 1].value), r->v[i + 1].line);
	}
}

/* Literals of which Kustomize makes a ConfigMap, NAME=VALUE. */
static void read_kustomization(struct reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	const yaml_node_t *maps = member(d, root, "configMapGenerator");

	if (!maps || maps->type != YAML_SEQUENCE_NODE)
		return;
	for (const yaml_node_item_t *p = maps->data.sequence.items.start; p < maps->data.sequence.items.top; p++)
		read_environment(r, d, member(d, node_at(d, *p), "literals"));
}

/* What a file is called, without the ends of its name. */
static const char *stem(struct reader *r)
{
	const char *slash = strrchr(r->path, '/'), *name = slash ? slash + 1 : r->path;

	return arena_strn(r->a, name, strcspn(name, "."));
}

/* NULL: it has none, or one that only a template knows. */
static const char *object_name(struct reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	const char *name = scalar(member(d, member(d, root, "metadata"), "name"));

	return name && !strchr(name, '{') ? arena_str(r->a, name) : NULL;
}

/* What a file of YAML deploys or configures, by its keys: services of compose, an object of Kubernetes, a program of Spring for which a
 * configuration server has the file. */
static void read_deployment(struct reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	const yaml_node_t *services = member(d, root, "services");
	const char *kind = scalar(member(d, root, "kind"));

	if (services) {
		read_compose(r, d, services);
	} else if (kind && member(d, root, "apiVersion")) {
		r->service = object_name(r, d, root);
		if (!strcmp(kind, "ConfigMap"))
			read_environment(r, d, member(d, root, "data"));
		else if (strcmp(kind, "Secret"))
			read_containers(r, d, member(d, root, "spec"), 0);
		if (!strcmp(kind, "Service") && r->service)
			put(r, "kubernetes.service", strlen("kubernetes.service"), r->service, strlen(r->service), root->start_mark.line + 1);
	} else if (member(d, root, "spring") || member(d, root, "server")) {
		r->service = stem(r);
		read_flat(r, d, root);
	}
	r->service = NULL;
}

/* Settings, or what deploys them: config.yaml is a ConfigMap's file, too. */
static void read_config(struct reader *r, yaml_document_t *d, const yaml_node_t *root)
{
	bool object = scalar(member(d, root, "kind")) && member(d, root, "apiVersion");

	(object ? read_deployment : read_flat)(r, d, root);
}

static void read_yaml(struct reader *r, void (*each)(struct reader *, yaml_document_t *, const yaml_node_t *))
{
	yaml_parser_t parser;
	yaml_document_t d;

	yaml_start(&parser, r->text, (size_t)(r->end - r->text));
	while (yaml_parser_load(&parser, &d)) {
		const yaml_node_t *root = yaml_document_get_root_node(&d);
		if (root)
			each(r, &d, root);
		yaml_document_delete(&d);
		if (!root)
			break;
	}
	yaml_parser_delete(&parser);
}

/* ---- by the file's name ---- */

/* The first that fits counts. */
static const struct form {
	const char *pattern;
	void (*lines)(struct reader *);
	void (*documents)(struct reader *, yaml_document_t *, const yaml_node_t *);
} forms[] = {
	{ ".env", read_env, NULL },
	{ ".env.*", read_env, NULL },
	{ "*.env", read_env, NULL },
	{ "*.properties", read_properties, NULL },
	{ "Dockerfile*", read_dockerfile, NULL },
	{ "*.[Dd]ockerfile", read_dockerfile, NULL },
	{ "application*.y*ml", NULL, read_flat },
	{ "bootstrap*.y*ml", NULL, read_flat },
	{ "config*.y*ml", NULL, read_config },
	{ "settings*.y*ml", NULL, read_config },
	{ "appsettings*.json", NULL, read_flat },
	{ "values*.y*ml", NULL, read_values },
	{ "kustomization.y*ml", NULL, read_kustomization },
	{ "*.y*ml", NULL, read_deployment },
};

static const struct form *form_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < LEN(forms); i++)
		if (!fnmatch(forms[i].pattern, slash ? slash + 1 : path, 0))
			return &forms[i];
	return NULL;
}

bool settings_file(const char *path)
{
	return form_of(path) != NULL;
}

size_t settings_read(const char *path, const char *text, size_t n, struct arena *a, struct setting **out)
{
	const struct form *f = form_of(path);

	if (f && f->documents && helm_template(path, text, n))
		text = helm_plain(text, n, a, &n);
	struct reader r = { .path = path, .text = text, .end = text + n, .a = a };
	if (f && f->lines)
		f->lines(&r);
	else if (f)
		read_yaml(&r, f->documents);
	*out = arena_many(a, r.n, struct setting);
	if (r.n)
		memcpy(*out, r.v, r.n * sizeof *r.v);
	free(r.v);
	return r.n;
}

struct telling {
	struct arena *a;
	void (*each)(void *, const struct setting *, size_t n);
	void *arg;
};

static void tell(void *arg, const struct flat *v, size_t n)
{
	const struct telling *t = arg;
	struct setting *s = arena_many(t->a, n, struct setting);

	for (size_t i = 0; i < n; i++)
		s[i] = (struct setting){ v[i].key, v[i].value, NULL, v[i].line };
	t->each(t->arg, s, n);
}

void settings_documents(const char *path, const char *text, size_t n, struct arena *a,
    void (*each)(void *, const struct setting *, size_t n), void *arg)
{
	struct reader r = { .path = path, .text = text, .end = text + n, .a = a, .whole = true };
	struct telling t = { a, each, arg };
	const struct form *f = form_of(path);
	struct err fault = { 0 };	/* what is before it counts */

	if (f && f->lines == read_properties) {
		read_properties(&r);
		each(arg, r.v, r.n);
	} else {
		flat_read(text, n, a, tell, &t, &fault);
	}
	free(r.v);
}
