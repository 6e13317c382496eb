#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"
#include "shard/syntax/node_rules.h"

/*
 * What a program states once for all routes of a framework: a prefix, which may exclude some paths,
 * and how versions are written in paths.
 */

#define ANYWHERE UINT32_MAX

enum { MAX_GLOBALS = 16 };

/* The client that a request is made with; null if it does not tell which global matches apply. */
static struct expression client_of(struct fact_builder *c, const struct contract_site *s)
{
	if (s->anyone || c->provides)
		return (struct expression){ 0 };
	return (struct expression){ c->in, s->object, NULL };
}

/* The first global match of a file that applies to the site, at the byte `at` (or ANYWHERE). */
static const struct framework_match *global_in_file(struct fact_builder *c,
    const struct contract_site *site, struct contract_file *in, bool versions, uint32_t at)
{
	struct framework_matches *s = framework_matches_in_file(in, c->fw);

	for (size_t i = 0; s && i < s->n; i++) {
		TSNode n = framework_global_node(&s->v[i], versions);
		if (ts_node_is_null(n) || (at != ANYWHERE && node_start_byte(n) != at))
			continue;
		if (!serves_framework(&c->ask, c->fw, in, &s->v[i]))
			continue;
		if (global_applies_to_client(&s->v[i], in, client_of(c, site)))
			return &s->v[i];
	}
	return NULL;
}

/* Whether the code makes the client of the site itself, so that it is not the program's common one. */
static bool makes_client(struct fact_builder *c, const struct contract_site *site)
{
	TSNode client = site->object;
	struct origin o = { 0 };

	if (ts_node_is_null(client))
		client = site->service;
	if (!ts_node_is_null(client))
		o = origin_of(&c->ask, (struct expression){ c->in, client, NULL });
	return o.what == ORIGIN_NODE && rules_expr(o.at.in->t, o.at.n) != NULL;
}

/* Whether the match counts for the file: one of a package only for the files of its folder. */
static bool covers_file(const struct framework_match *p, const struct contract_file *in,
    const struct contract_file *home)
{
	if (!p || !p->style || strcmp(p->style, "package"))
		return p != NULL;
	const char *a = in->file->path, *b = home->file->path, *end = strrchr(a, '/');
	size_t n = 0;

	if (end)
		n = (size_t)(end - a) + 1;
	return !strncmp(a, b, n) && !strchr(b + n, '/');
}

/*
 * The global match that applies to the site: in the site's file, or in the nearest file that has
 * one, which is `*in`.  NULL if there is none.
 */
static const struct framework_match *once(struct fact_builder *c, const struct contract_site *site,
    bool versions, struct contract_file **in)
{
	struct framework_matches *s = framework_matches_in_file(c->ask.home, c->fw);
	const char *name = versions ? VERSIONS_NAME : "";
	struct object_mount m[2] = { 0 };

	if (!s || !s->global)
		return NULL;
	*in = c->ask.home;
	const struct framework_match *p = global_in_file(c, site, *in, versions, ANYWHERE);
	size_t others = 0;
	if (p && !p->only)
		return p;
	c->ask.unknown = true;
	if (c->ask.join)
		others = other_files_globals(c->ask.join, *in, c->fw, name, m, LEN(m));
	if (p && (others > 1 || makes_client(c, site)))
		return NULL;
	if (p || !others)
		return p;
	*in = m[0].in;
	p = global_in_file(c, site, *in, versions, m[0].at);
	if (p && p->only && (others > 1 || makes_client(c, site)))
		return NULL;
	if (covers_file(p, *in, c->ask.home))
		return p;
	return NULL;
}

/* ---- the prefix ---- */

/* The path of an exception from the prefix: a string, or an object with a path. */
static const char *excluded_path(struct fact_builder *c, struct contract_file *in, TSNode n)
{
	struct expression t = { in, n, NULL };

	if (url_is_object(in->t, n))
		t = expression_member(&c->ask, t, "path");
	if (ts_node_is_null(t.n))
		return "";
	return url_path(expression_text(&c->ask, t), true, c->a);
}

/*
 * The folders between `dir` and the file, as a route: `_id` is a parameter.  NULL: the file is not
 * below it.
 */
static const char *folder_route(struct fact_builder *c, const char *dir, const char *path)
{
	const char *slash = strrchr(dir, '/'), *name = dir, *out = "";
	bool below = false;

	if (slash)
		name = slash + 1;
	size_t n = strlen(name);
	for (;;) {
		const char *end = strchr(path, '/');
		if (!end)
			break;
		size_t len = (size_t)(end - path);
		if (below && *path == '_')
			out = arena_printf(c->a, "%s/{%.*s}", out, (int)len - 1, path + 1);
		else if (below)
			out = arena_printf(c->a, "%s/%.*s", out, (int)len, path);
		below |= len == n && !memcmp(path, name, n);
		path = end + 1;
	}
	if (!below || !n)
		return NULL;
	return out;
}

/* The path below which a mapping lies, without the star at its end; "" if it says only an ending. */
static const char *path_of_mapping(struct fact_builder *c, const char *mapping)
{
	size_t n = strcspn(mapping, "*");

	if (n && strlen(mapping) == n + 1 && mapping[n - 1] == '/')
		return arena_strn(c->a, mapping, n - 1);
	if (mapping[n])
		return "";
	return mapping;
}

/*
 * The prefix that the match gives a route: by the folder of the site's file, if its style says so.
 */
static const char *prefix_for_file(
    struct fact_builder *c, struct contract_file *in, const struct framework_match *p)
{
	const struct framework_matches *s = framework_matches_in_file(in, c->fw);
	const char *before = "", *route = NULL;

	if (!strcmp(p->global, "held"))
		return path_of_mapping(c, framework_match_prefix(&c->ask, in, p, NULL));
	if (!p->style || strcmp(p->style, "folder"))
		return framework_match_prefix(&c->ask, in, p, NULL);
	for (size_t i = 0; i < s->n; i++)
		if (has(&s->v[i], ROLE_BASE) && ts_node_eq(s->v[i].node[ROLE_PREFIX], p->node[ROLE_PREFIX]))
			before = expression_text(
			    &c->ask, (struct expression){ in, s->v[i].node[ROLE_BASE], NULL });
	const char *dir = expression_text(
	    &c->ask, (struct expression){ in, p->node[ROLE_PREFIX], NULL });
	if (c->ask.home->file)
		route = folder_route(c, dir, c->ask.home->file->path);
	if (!route)
		return NULL;
	if (*route == '/')
		route++;
	return path_join(c->a, before, route);
}

/* Whether the path is an exception from the prefix of the match. */
static bool is_excluded(struct fact_builder *c, struct contract_file *in,
    const struct framework_match *p, const char *path)
{
	struct framework_matches *s = framework_matches_in_file(in, c->fw);
	TSNode element[MAX_GLOBALS];

	for (size_t i = 0; i < s->n; i++) {
		const struct framework_match *e = &s->v[i];
		if (!has(e, ROLE_EXCEPT) || !ts_node_eq(e->node[ROLE_PREFIX], p->node[ROLE_PREFIX]))
			continue;
		size_t n = url_elements(in->t, e->node[ROLE_EXCEPT], element, MAX_GLOBALS);
		for (size_t k = 0; k < n; k++)
			if (!strcmp(excluded_path(c, in, element[k]), path))
				return true;
	}
	return false;
}

const char *global_prefix(struct fact_builder *c, const struct contract_site *s,
    const struct call_frame *given, const struct prefixes *below)
{
	struct contract_file *in = NULL;
	const struct framework_matches *all = framework_matches_in_file(c->ask.home, c->fw);
	const char *text = "", *prefix = NULL;

	if (all && all->global && s->npaths)
		text = site_path_text(c, &s->path[0], given, NULL);
	if (!c->provides && (!text || strstr(text, "://") || !strncmp(text, "//", 2)))
		return NULL;	/* the path contains its host */
	const struct framework_match *p = once(c, s, false, &in);
	for (size_t i = 0; p && text && i < below->n; i++) {
		const char *path = arena_printf(c->a, "%s/%s", below->v[i], text);
		if (is_excluded(c, in, p, url_path(path, true, c->a)))
			return NULL;
	}
	if (p)
		prefix = prefix_for_file(c, in, p);
	if (c->provides)
		return prefix;
	return apply_global_interceptors(&c->ask, c->fw, client_of(c, s), prefix);
}

/* ---- versions ---- */

/* The versions that a match gives: its own node, or a member of its options. */
static struct expression version_node(
    struct fact_builder *c, struct contract_file *in, const struct framework_match *p)
{
	if (has(p, ROLE_VERSION))
		return (struct expression){ in, p->node[ROLE_VERSION], NULL };
	return expression_member(
	    &c->ask, (struct expression){ in, p->node[ROLE_OPTIONS], NULL }, p->keys[ROLE_VERSION]);
}

/* Whether the match gives versions to the sites of a scope around the node. */
static bool gives_version(const struct framework_match *p, TSNode site)
{
	return versioned(p) && has(p, ROLE_SCOPE) && node_within(site, p->node[ROLE_SCOPE]);
}

/* The versions that the site itself, else the innermost scope around it, gives. */
static struct expression version_in_options(struct fact_builder *c, const struct contract_site *s)
{
	const struct framework_match *best = NULL;

	if (!ts_node_is_null(s->version))
		return (struct expression){ c->in, s->version, NULL };
	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (!gives_version(p, s->node))
			continue;
		if (!best || node_within(p->node[ROLE_SCOPE], best->node[ROLE_SCOPE]))
			best = p;
	}
	if (best)
		return version_node(c, c->in, best);
	return (struct expression){ 0 };
}

void global_versions(struct fact_builder *c, const struct contract_site *s, struct prefixes *out)
{
	struct contract_file *in = NULL;
	const struct framework_match *p = once(c, s, true, &in);
	TSNode each[MAX_GLOBALS];

	if (!p)
		return;
	struct expression t = version_in_options(c, s);
	const char *before = p->fallback;
	if (has(p, ROLE_PREFIX))
		before = framework_match_prefix(&c->ask, in, p, NULL);
	if (!before || strchr(before, '{'))
		before = "";
	if (ts_node_is_null(t.n))
		t = version_node(c, in, p);
	if (ts_node_is_null(t.n))
		return;
	size_t n = url_elements(t.in->t, t.n, each, MAX_GLOBALS);
	if (!n)
		each[n++] = t.n;
	for (size_t i = 0; i < n; i++) {
		const char *text = expression_text(&c->ask, (struct expression){ t.in, each[i], t.given });
		if (*text && !strchr(text, '{'))	/* else it is neutral */
			prefixes_add(out, arena_printf(c->a, "%s%s", before, text));
	}
}
