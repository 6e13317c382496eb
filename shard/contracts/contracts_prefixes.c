#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "proto/base/minmax.h"
#include "proto/base/optional_text.h"
#include "shard/contracts/urls/derived_types.h"
#include "shard/contracts/urls/dataflow.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

enum { MOST_NAMED = 16, MOST_DERIVATIONS = 6 };

/* ---- services ---- */

/* The address of a service: a URL, or else a name. */
struct service_address {
	const char *url, *name;
};

/* Read a URL or name into the field of `v` that is still empty. */
static void service_read(struct fact_builder *c, struct expression t, struct service_address *v)
{
	size_t steps = c->steps.n;
	const char *text = expression_text(&c->ask, t), **field = &v->name;

	if (strstr(text, "://") || *text == '/')
		field = &v->url;
	if (*text && strncmp(text, "{}", 2) && !*field)
		*field = text;
	else
		c->steps.n = steps;	/* they led nowhere */
}

/* Whether the match names a service for the whole file. */
static bool names_only_service(const struct framework_match *p)
{
	return has(p, ROLE_SERVICE) && !has(p, ROLE_SCOPE) && !has(p, ROLE_SITE) && !has(p, ROLE_CLASS);
}

/* The only service that the file creates a client for. */
static void only_service(struct fact_builder *c, struct service_address *v)
{
	const struct framework_match *only = NULL;

	for (size_t i = 0; i < c->spots->n; i++) {
		if (!names_only_service(&c->spots->v[i]))
			continue;
		if (only)
			return;
		only = &c->spots->v[i];
	}
	if (only)
		service_read(c, (struct expression){ c->in, only->node[ROLE_SERVICE], NULL }, v);
}

/* How many leading folders two paths have in common. */
static size_t same_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *a == *b; a++, b++)
		n += *a == '/';
	return n;
}

/*
 * Sort by nearness to the file: two programs of a repository may have clients of the same name.
 */
static void nearest_first(const struct contract_file *in, struct object_mount *m, size_t n)
{
	const char *path = in->file->path;

	for (size_t i = 1; i < n; i++) {
		struct object_mount x = m[i];
		size_t k = i, same = same_folders(x.in->file->path, path);
		for (; k && same > same_folders(m[k - 1].in->file->path, path); k--)
			m[k] = m[k - 1];
		m[k] = x;
	}
}

/* The service that another file registers at a mount; false: it does not. */
static bool service_at(
    struct fact_builder *c, const struct object_mount *m, struct service_address *v)
{
	const struct framework_matches *s = framework_matches_in_file(m->in, c->fw);

	for (size_t k = 0; s && k < s->n; k++) {
		const struct framework_match *p = &s->v[k];
		if (!names_service(p) || node_start_byte(p->node[ROLE_CLASS]) != m->at)
			continue;
		service_read(c, (struct expression){ m->in, p->node[ROLE_SERVICE], NULL }, v);
		return true;
	}
	return false;
}

/* The service that is registered under a name, in this file or another; false: there is none. */
static bool named_service(struct fact_builder *c, const char *name, struct service_address *v)
{
	struct object_mount m[MOST_NAMED];
	size_t n = 0;

	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (!names_service(p) || !node_is(c->in->t, p->node[ROLE_CLASS], name))
			continue;
		service_read(c, (struct expression){ c->in, p->node[ROLE_SERVICE], NULL }, v);
		return true;
	}
	if (c->ask.join)
		n = other_files_mounts_by_name(c->ask.join, name, c->fw, m, LEN(m));
	if (n)
		nearest_first(c->in, m, n);
	c->open = true;
	for (size_t i = 0; i < n; i++)
		if (service_at(c, &m[i], v))
			return true;
	return false;
}

/*
 * The name that a client was requested by: the only argument of the call that returns it; or NULL.
 */
static const char *requesting_client(struct fact_builder *c, TSNode client)
{
	struct url_steps *steps = c->ask.steps;
	const char *text = "";
	TSNode argument;

	c->ask.steps = NULL;	/* its steps are not part of the path */
	struct origin o = origin_of(&c->ask, (struct expression){ c->in, client, NULL });
	if (o.what == ORIGIN_NODE && call_arguments(o.at.in->t, o.at.n, &argument, 1) == 1)
		text = expression_text(&c->ask, (struct expression){ o.at.in, argument, NULL });
	c->ask.steps = steps;
	if (*text && !strpbrk(text, "/{}: "))
		return text;
	return NULL;
}

/* The name of the client's type, if it is of this repository; or NULL. */
static const char *type_of_client(struct fact_builder *c, TSNode client)
{
	struct contract_file *in = c->in;
	const char *chain = node_dotted_name(c->in, client, c->a);
	int type = -1;

	if (chain && c->ask.join)
		type = other_files_object_type(c->ask.join, c->in, client, chain, &in);
	if (type < 0)
		return NULL;
	return in->found->v[type].def.name;
}

/* The service with the name of the site's type, or of its client. */
static void service_by_name(
    struct fact_builder *c, const struct contract_site *s, struct service_address *v)
{
	const struct definition *d = enclosing_type(c->in, s->node);
	TSNode client = s->object;

	if (ts_node_is_null(client))
		client = s->service;
	if (d && named_service(c, d->name, v))
		return;
	if (ts_node_is_null(client) || node_len(client) > MAX_RAW)
		return;
	const char *name = node_raw(c->in->t, client, c->a), *dot = strrchr(name, '.');
	if (dot)
		name = dot + 1;
	if (named_service(c, name, v))
		return;
	name = requesting_client(c, client);
	if (!name)
		name = type_of_client(c, client);
	if (name)
		named_service(c, name, v);
}

/* The services of the scopes around the site, and of the type that the site counts for. */
static void service_of_scopes(
    struct fact_builder *c, const struct contract_site *s, struct service_address *v)
{
	for (size_t i = 0; i < c->spots->n && !v->url; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (has(p, ROLE_SERVICE) && has(p, ROLE_SCOPE) && node_within(s->node, p->node[ROLE_SCOPE]))
			service_read(c, (struct expression){ c->in, p->node[ROLE_SERVICE], NULL }, v);
	}
	for (size_t i = 0; c->under && i < c->under->spots->n && !v->url; i++) {
		const struct framework_match *p = &c->under->spots->v[i];
		if (has(p, ROLE_SERVICE) && scope_is_type(c->under->in, p, c->under->d))
			service_read(c, (struct expression){ c->under->in, p->node[ROLE_SERVICE], NULL }, v);
	}
}

/* The address as a prefix: a name stands for a URL of this machine, whose path it keeps. */
static const char *service_prefix(struct fact_builder *c, const struct service_address *v)
{
	const char *path = v->url;

	if (v->name && (!v->url || url_is_local(v->url))) {
		if (path && strstr(path, "://"))
			path = strstr(path, "://") + 3;
		if (!path)
			return arena_printf(c->a, "http://%s", v->name);
		return arena_printf(c->a, "http://%s%s", v->name, path + strcspn(path, "/"));
	}
	return text_or_empty(v->url);
}

/* The service of the site itself, else of the scopes around it, as a prefix of its path. */
static const char *service_text(
    struct fact_builder *c, const struct contract_site *s, const struct call_frame *given)
{
	struct service_address v = { 0 };

	if (!ts_node_is_null(s->service))
		service_read(c, (struct expression){ c->in, s->service, given }, &v);
	service_of_scopes(c, s, &v);
	if (!v.url && !v.name)
		only_service(c, &v);
	if (!v.url && !v.name && !c->provides && !c->under)
		service_by_name(c, s, &v);
	if (v.name && !v.url && !strcmp(c->fw->side, "forwards"))	/* the name of a cluster */
		named_service(c, v.name, &v);
	return service_prefix(c, &v);
}

/* ---- the object of a site, and its prefixes ---- */

void prefixes_join(struct prefixes *to, const struct prefixes *with, struct arena *a)
{
	struct prefixes out = { 0 };

	for (size_t i = 0; i < to->n; i++)
		for (size_t k = 0; k < with->n; k++)
			prefixes_add(&out, path_join(a, to->v[i], with->v[k]));
	*to = out;
}

/* Find which of the objects are the framework's; whether one is. */
static bool find_bound(struct fact_builder *c, struct site_object *x)
{
	bool bound = false;

	for (size_t i = 0; i < x->of.n; i++) {
		x->is[i] = is_framework_object(&c->ask, c->fw, &x->of.v[i]);
		bound |= x->is[i];
	}
	return bound;
}

/* Whether nothing is known of the objects but names. */
static bool only_names(const struct framework_object_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].at)
			return false;
	return true;
}

/*
 * A client's parameter is what its type says, where callers give names of which nothing is known:
 * create(self.client).
 */
static bool find_as_declared(
    struct fact_builder *c, struct expression object, struct site_object *out)
{
	struct site_object x = { 0 };

	if (!c->ask.join || c->provides || !only_names(&out->of))
		return false;
	c->ask.as_declared = true;
	framework_objects_of(&c->ask, object, &x.of);
	bool bound = !only_names(&x.of) && find_bound(c, &x);
	c->ask.as_declared = false;
	if (!bound)
		return false;
	*out = x;
	return true;
}

bool object_find(struct fact_builder *c, struct expression object, struct site_object *out)
{
	framework_objects_of(&c->ask, object, &out->of);
	return find_bound(c, out) || find_as_declared(c, object, out);
}

void object_prefixes(
    struct fact_builder *c, const struct site_object *x, bool inside, struct prefixes *out)
{
	for (size_t i = 0; i < x->of.n; i++) {
		bool named = x->is[i] && !inside;
		if (x->of.v[i].at || named)
			framework_object_prefixes(&c->ask, c->fw, &x->of.v[i], out);
	}
}

/*
 * The path at which settings mount the whole program.  Of several keys with `|` between them, the
 * first one that is set counts.
 */
static const char *context_path(struct fact_builder *c)
{
	const char *out = "", *key = c->fw->settings;
	bool found = false;

	if (!c->provides || !key)
		return out;
	while (*key) {
		size_t n = strcspn(key, " |");
		const char *value = NULL;
		if (!found)
			value = url_setting(&c->ask, c->in, arena_strn(c->a, key, n));
		if (value && *value == '/' && value[1])
			out = path_join(c->a, out, value);
		key += n;
		found = *key == '|' && (found || value);
		key += strspn(key, " |");
	}
	return out;
}

/* Whether the object of a site may be the framework's: not if no file binds such objects. */
static bool may_be_bound(const struct fact_builder *c)
{
	return !c->ask.join || c->spots->binds || other_files_use_framework(c->ask.join, c->fw, "");
}

/* Whether there is a prefix other than the empty one. */
static bool has_prefix(const struct prefixes *p)
{
	if (p->n == 1)
		return *p->v[0] != '\0';
	return p->n > 0;
}

/* Find the match that the objects of a type, or of one of its bases, are the framework's. */
static bool find_typed(
    struct fact_builder *c, struct type_ref type, int depth, struct site_object *out)
{
	struct framework_matches *s = framework_matches_in_file(type.in, c->fw);
	struct type_ref base = { 0 };

	for (size_t i = 0; s && s->types && i < s->n; i++) {
		TSNode bind = s->v[i].node[ROLE_BIND];
		if (!s->v[i].typed || enclosing_type_index(type.in, bind) != type.type)
			continue;
		*out = (struct site_object){ .of = { { framework_type_object(type.in, bind) }, 1 },
			.is = { true } };
		return true;
	}
	for (size_t i = 0; depth < MOST_DERIVATIONS; i++) {
		if (!other_files_base_type(c->ask.join, type.in, type.type, i, &base.in, &base.type))
			return false;
		if (base.type >= 0 && find_typed(c, base, depth + 1, out))
			return true;
	}
	return false;
}

/* Whether the object of a site is of a type that is derived from the framework's. */
static bool object_is_typed(
    struct fact_builder *c, struct expression object, struct site_object *out)
{
	bool any = c->spots->types || other_files_use_framework(c->ask.join, c->fw, TYPES_NAME);

	if (!any)
		return false;
	struct type_ref type = derived_object_type(&c->ask, object, object.n);
	return type.in && find_typed(c, type, 0, out);
}

/* The objects of a site; false: they are not the framework's. */
static bool site_object_find(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct site_object *out)
{
	struct expression object = { c->in, s->object, given };
	struct method_value m;

	/* the cheapest check first: most calls that look like the framework's are not */
	if (!s->anyone && !may_be_bound(c))
		return false;
	if (s->passed) {
		if (!site_method_value(c, s, given, &m))
			return m.parameter;
		object = m.object;
	}
	c->bound = object_find(c, object, out) || object_is_typed(c, object, out);
	return c->bound || s->anyone;
}

void site_prefixes(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct prefixes *out)
{
	struct prefixes made = { 0 }, service = { 0 }, versions = { 0 };
	struct site_object object = { 0 };

	c->bound = false;
	if (!ts_node_is_null(s->object) && !site_object_find(c, s, given, &object))
		return;
	prefixes_add(&service, service_text(c, s, given));
	prefixes_add(out, "");
	object_prefixes(c, &object, scope_prefixes(c, s, given, out), &made);
	if (made.n)
		prefixes_join(out, &made, c->a);
	if (!*service.v[0] && (c->provides || !has_prefix(&made))) {
		const char *global = global_prefix(c, s, given, out);
		if (global)
			service.v[0] = global;
	}
	global_versions(c, s, &versions);
	if (versions.n)
		prefixes_join(&service, &versions, c->a);
	prefixes_join(&service, out, c->a);
	*out = (struct prefixes){ 0 };
	prefixes_add(out, context_path(c));
	prefixes_join(out, &service, c->a);
}

/* ---- alternatives ---- */

/* Whether both are routes, and `a` is `b` below a prefix of which nothing is known. */
static bool is_below_unknown(const struct fact *a, const struct fact *b)
{
	static const char unknown[] = "/{}";
	size_t n = sizeof unknown - 1;

	if (a->line != b->line || !texts_equal(a->file, b->file) || !texts_equal(a->host, b->host))
		return false;
	if (strcmp(a->side, "provides") || strcmp(b->side, a->side) || strcmp(a->method, b->method))
		return false;
	if (strncmp(a->path, unknown, n))
		return false;
	return a->path[n] == '/' && !strcmp(a->path + n, b->path);
}

void prefixes_drop_unknown(struct fact_list *l)
{
	enum { NEAR = 64 };	/* facts of one place stand together */
	size_t kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		size_t k = i - MIN(i, NEAR), last = MIN(i + NEAR, l->n);
		while (k < last && !is_below_unknown(&l->v[i], &l->v[k]))
			k++;
		if (k == last)
			l->v[kept++] = l->v[i];
	}
	l->n = kept;
}
