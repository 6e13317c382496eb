#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

enum { MOST_NAMED = 16 };

/* ---- services ---- */

/* What services are called: a URL, else a name. */
struct service_address {
	const char *url, *name;
};

static void service_read(struct fact_builder *c, struct expression t, struct service_address *v)
{
	size_t steps = c->steps.n;
	const char *text = expression_text(&c->ask, t);
	bool url = strstr(text, "://") || *text == '/';

	if (*text && strncmp(text, "{}", 2) && !(url ? v->url : v->name))
		*(url ? &v->url : &v->name) = text;
	else
		c->steps.n = steps;	/* they led nowhere */
}

/* The one service that the file makes a client for. */
static void only_service(struct fact_builder *c, struct service_address *v)
{
	const struct framework_match *only = NULL;

	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (!has(p, ROLE_SERVICE) || has(p, ROLE_SCOPE) || has(p, ROLE_SITE) || has(p, ROLE_CLASS))
			continue;
		if (only)
			return;
		only = p;
	}
	if (only)
		service_read(c, (struct expression){ c->in, only->node[ROLE_SERVICE], NULL }, v);
}

/* How much of the way to both files is the same, in folders. */
static size_t same_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *a == *b; a++, b++)
		n += *a == '/';
	return n;
}

/*
 * Put those first that stand nearest to the file: two programs of a repository may have clients of
 * one name.
 */
static void nearest_first(const struct contract_file *in, struct object_mount *m, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t k = i; k &&
		     same_folders(m[k].in->file->path, in->file->path) >
		         same_folders(m[k - 1].in->file->path, in->file->path);
		     k--) {
			struct object_mount swap = m[k];
			m[k] = m[k - 1];
			m[k - 1] = swap;
		}
}

/* The service that is registered under a name, in this file or in another; false: none. */
static bool named_service(struct fact_builder *c, const char *name, struct service_address *v)
{
	struct object_mount m[MOST_NAMED];
	size_t n = 0;

	for (size_t i = 0; i < c->spots->n; i++)
		if (names_service(&c->spots->v[i]) &&
		    node_is(c->in->t, c->spots->v[i].node[ROLE_CLASS], name)) {
			service_read(
			    c, (struct expression){ c->in, c->spots->v[i].node[ROLE_SERVICE], NULL }, v);
			return true;
		}
	if (c->ask.join)
		n = other_files_mounts_by_name(c->ask.join, name, c->fw, m, LEN(m));
	nearest_first(c->in, m, n);
	c->open = true;
	for (size_t i = 0; i < n; i++) {
		const struct framework *fw = framework_in_file(m[i].in, c->fw);
		struct framework_matches *s = NULL;
		if (fw)
			s = framework_find_matches(m[i].in, fw);
		for (size_t k = 0; s && k < s->n; k++)
			if (names_service(&s->v[k]) && node_start_byte(s->v[k].node[ROLE_CLASS]) == m[i].at) {
				service_read(
				    c, (struct expression){ m[i].in, s->v[k].node[ROLE_SERVICE], NULL }, v);
				return true;
			}
	}
	return false;
}

/*
 * What a client was asked for by: the word that the call that gives it is called with; NULL: none.
 */
static const char *requesting_client(struct fact_builder *c, TSNode client)
{
	struct url_steps *steps = c->ask.steps;
	const char *text = "";
	TSNode argument;

	c->ask.steps = NULL;	/* they say nothing of the path */
	struct origin o = origin_of(&c->ask, (struct expression){ c->in, client, NULL });
	if (o.what == ORIGIN_NODE && call_arguments(o.at.in->t, o.at.n, &argument, 1) == 1)
		text = expression_text(&c->ask, (struct expression){ o.at.in, argument, NULL });
	c->ask.steps = steps;
	if (*text && !strpbrk(text, "/{}: "))
		return text;
	return NULL;
}

/* A service by the names that the site has to offer: of its type, of its client. */
static void service_by_name(
    struct fact_builder *c, const struct contract_site *s, struct service_address *v)
{
	const struct definition *d = enclosing_type(c->in, s->node);
	TSNode client = ts_node_is_null(s->object) ? s->service : s->object;
	const char *name, *dot;

	if (d && named_service(c, d->name, v))
		return;
	if (ts_node_is_null(client) || node_len(client) > MAX_RAW)
		return;
	name = node_raw(c->in->t, client, c->a);
	dot = strrchr(name, '.');
	if (!named_service(c, dot ? dot + 1 : name, v) && (name = requesting_client(c, client)))
		named_service(c, name, v);
}

/* The service of the site itself, else that of the scopes around, as what comes before its path. */
static const char *service_text(
    struct fact_builder *c, const struct contract_site *s, const struct call_frame *given)
{
	struct service_address v = { 0 };

	if (!ts_node_is_null(s->service))
		service_read(c, (struct expression){ c->in, s->service, given }, &v);
	for (size_t i = 0; i < c->spots->n && !v.url; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (has(p, ROLE_SERVICE) && has(p, ROLE_SCOPE) && node_within(s->node, p->node[ROLE_SCOPE]))
			service_read(c, (struct expression){ c->in, p->node[ROLE_SERVICE], NULL }, &v);
	}
	for (size_t i = 0; c->under && i < c->under->spots->n && !v.url; i++) {
		const struct framework_match *p = &c->under->spots->v[i];
		if (has(p, ROLE_SERVICE) && scope_is_type(c->under->in, p, c->under->d))
			service_read(c, (struct expression){ c->under->in, p->node[ROLE_SERVICE], NULL }, &v);
	}
	if (!v.url && !v.name)
		only_service(c, &v);
	if (!v.url && !v.name && !c->provides && !c->under)
		service_by_name(c, s, &v);
	if (v.name && !v.url && !strcmp(c->fw->side, "forwards"))	/* a cluster's */
		named_service(c, v.name, &v);
	if (v.name && (!v.url || url_is_local(v.url))) {
		const char *path = v.url && strstr(v.url, "://") ? strstr(v.url, "://") + 3 : v.url;
		return arena_printf(c->a, "http://%s%s", v.name, path ? path + strcspn(path, "/") : "");
	}
	return v.url ? v.url : "";
}

/* ---- what the object is, and below which prefixes ---- */

void prefixes_join(struct prefixes *to, const struct prefixes *with, struct arena *a)
{
	struct prefixes out = { 0 };

	for (size_t i = 0; i < to->n; i++)
		for (size_t k = 0; k < with->n; k++)
			prefixes_add(&out, path_join(a, to->v[i], with->v[k]));
	*to = out;
}

bool object_find(
    struct fact_builder *c, TSNode object, const struct call_frame *given, struct site_object *out)
{
	bool bound = false;

	framework_objects_of(&c->ask, (struct expression){ c->in, object, given }, &out->of);
	for (size_t i = 0; i < out->of.n; i++)
		bound |= out->is[i] = is_framework_object(&c->ask, c->fw, &out->of.v[i]);
	return bound;
}

void object_prefixes(
    struct fact_builder *c, const struct site_object *x, bool inside, struct prefixes *out)
{
	for (size_t i = 0; i < x->of.n; i++)
		if ((x->is[i] && !(inside && !x->of.v[i].at)) || x->of.v[i].at)
			framework_object_prefixes(&c->ask, c->fw, &x->of.v[i], out);
}

/*
 * The path below which settings put the whole program: of keys with `|` between them the first
 * that is set.
 */
static const char *context_path(struct fact_builder *c)
{
	const char *out = "", *key = c->provides && c->fw->settings ? c->fw->settings : "";

	for (bool said = false; *key; key += strspn(key, " |")) {
		size_t n = strcspn(key, " |");
		const char *value = NULL;
		if (!said)
			value = url_setting(&c->ask, c->in, arena_strn(c->a, key, n));
		if (value && *value == '/' && value[1])
			out = path_join(c->a, out, value);
		key += n;
		said = *key == '|' && (said || value);
	}
	return out;
}

/*
 * Whether what a site is called on may be the framework's: not where no file, nor this one, speaks
 * of such objects.
 */
static bool may_be_bound(const struct fact_builder *c)
{
	return !c->ask.join || c->spots->binds || other_files_use_framework(c->ask.join, c->fw);
}

void site_prefixes(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, struct prefixes *out)
{
	struct prefixes made = { 0 }, service = { 0 }, versions = { 0 };
	const char *global = NULL;
	struct site_object object = { 0 };

	/*
	 * First what costs least: most of what looks like a call of the framework's objects is called
	 * on something else.
	 */
	if (!ts_node_is_null(s->object) && !s->anyone && !may_be_bound(c))
		return;
	if (!ts_node_is_null(s->object) && !object_find(c, s->object, given, &object) && !s->anyone)
		return;
	prefixes_add(&service, service_text(c, s, given));
	prefixes_add(out, "");
	object_prefixes(c, &object, scope_prefixes(c, s, out), &made);
	if (made.n)
		prefixes_join(out, &made, c->a);
	if (!*service.v[0] && (!made.n || (made.n == 1 && !*made.v[0])) &&
	    (global = global_prefix(c, s, given, out)))
		service.v[0] = global;
	global_versions(c, s, &versions);
	if (versions.n)
		prefixes_join(&service, &versions, c->a);
	prefixes_join(&service, out, c->a);
	*out = (struct prefixes){ 0 };
	prefixes_add(out, context_path(c));
	prefixes_join(out, &service, c->a);
}
