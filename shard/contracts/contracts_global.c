#include "shard/contracts/contracts_internal.h"

#include "proto/base/arena.h"
#include "shard/contracts/urls/other_files.h"
#include "shard/program/program.h"

/*
 * What a program says once for all routes of a framework: a prefix, but for some paths, and how
 * versions stand in paths.
 */

enum { MAX_GLOBALS = 16 };

/*
 * The client that a request is made with; null where that does not tell what is said once for all
 * clients.
 */
static struct expression client_of(struct fact_builder *c, const struct contract_site *s)
{
	struct expression none = { 0 };

	return s->anyone || c->provides ? none : (struct expression){ c->in, s->object, NULL };
}

/*
 * The spot that says it: in the site's file, or in the nearest that does, which is `*in`.  NULL:
 * none.
 */
static const struct framework_match *once(struct fact_builder *c, const struct contract_site *site,
    bool versions, struct contract_file **in)
{
	struct framework_matches *s = framework_matches_in_file(c->ask.home, c->fw);
	struct object_mount m = { 0 };

	if (!s || !s->global)
		return NULL;
	*in = c->ask.home;
	for (size_t i = 0; i < s->n; i++)
		if (!ts_node_is_null(framework_global_node(&s->v[i], versions)) &&
		    global_applies_to_client(&s->v[i], *in, client_of(c, site)))
			return &s->v[i];
	c->ask.unknown = true;
	if (!c->ask.join ||
	    !other_files_globals(c->ask.join, *in, c->fw, versions ? VERSIONS_NAME : "", &m, 1) ||
	    !(s = framework_matches_in_file(m.in, c->fw)))
		return NULL;
	*in = m.in;
	for (size_t i = 0; i < s->n; i++) {
		TSNode n = framework_global_node(&s->v[i], versions);
		if (!ts_node_is_null(n) && node_start_byte(n) == m.at &&
		    global_applies_to_client(&s->v[i], *in, client_of(c, site)))
			return &s->v[i];
	}
	return NULL;
}

/* ---- the prefix ---- */

/* The path that an element of the exceptions is: a string, or an object with a path. */
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
 * The folders between one of that name and the file, as a route: `_id` is a parameter.  NULL: the
 * file is not below it.
 */
static const char *folder_route(struct fact_builder *c, const char *dir, const char *path)
{
	const char *name = strrchr(dir, '/') ? strrchr(dir, '/') + 1 : dir, *out = "", *end;
	size_t n = strlen(name);
	bool below = false;

	for (; (end = strchr(path, '/')); path = end + 1) {
		size_t len = (size_t)(end - path);
		if (below) {
			if (*path == '_')
				out = arena_printf(c->a, "%s/{%.*s}", out, (int)len - 1, path + 1);
			else
				out = arena_printf(c->a, "%s/%.*s", out, (int)len, path);
		}
		below |= len == n && !memcmp(path, name, n);
	}
	return below && n ? out : NULL;
}

/*
 * The prefix that the spot gives a route of the site's file: by the folder where that stands, when
 * it says so.
 */
static const char *prefix_for_file(
    struct fact_builder *c, struct contract_file *in, const struct framework_match *p)
{
	const struct framework_matches *s = framework_matches_in_file(in, c->fw);
	const char *before = "";

	if (!p->style || strcmp(p->style, "folder"))
		return framework_match_prefix(&c->ask, in, p);
	for (size_t i = 0; i < s->n; i++)
		if (has(&s->v[i], ROLE_BASE) && ts_node_eq(s->v[i].node[ROLE_PREFIX], p->node[ROLE_PREFIX]))
			before = expression_text(
			    &c->ask, (struct expression){ in, s->v[i].node[ROLE_BASE], NULL });
	const char *dir = expression_text(
	    &c->ask, (struct expression){ in, p->node[ROLE_PREFIX], NULL });
	const char *route = NULL;
	if (c->ask.home->file)
		route = folder_route(c, dir, c->ask.home->file->path);
	if (route)
		return path_join(c->a, before, route + (*route == '/'));
	return NULL;
}

/* Whether the path is among those that are not below the prefix of the spot. */
static bool is_excluded(struct fact_builder *c, struct contract_file *in,
    const struct framework_match *p, const char *path)
{
	struct framework_matches *s = framework_matches_in_file(in, c->fw);
	TSNode element[MAX_GLOBALS];

	for (size_t i = 0; i < s->n; i++) {
		const struct framework_match *e = &s->v[i];
		if (!has(e, ROLE_EXCEPT) || !ts_node_eq(e->node[ROLE_PREFIX], p->node[ROLE_PREFIX]))
			continue;
		for (size_t k = 0, n = url_elements(in->t, e->node[ROLE_EXCEPT], element, MAX_GLOBALS);
		     k < n; k++)
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
	bool said = all && all->global && s->npaths;
	const char *text = "";
	const struct framework_match *p;

	if (said)
		text = path_part_text(&c->ask, c->in, &s->path[0], given);
	if (!c->provides && (!text || strstr(text, "://")))
		return NULL;	/* it says its host */
	p = once(c, s, false, &in);
	for (size_t i = 0; p && text && i < below->n; i++)
		if (is_excluded(
		        c, in, p, url_path(arena_printf(c->a, "%s/%s", below->v[i], text), true, c->a)))
			return NULL;
	const char *prefix = NULL;
	if (p)
		prefix = prefix_for_file(c, in, p);
	if (c->provides)
		return prefix;
	return apply_global_interceptors(&c->ask, c->fw, client_of(c, s), prefix);
}

/* ---- versions ---- */

/* The node that says versions, in a spot: itself, or a member of its options. */
static struct expression version_node(
    struct fact_builder *c, struct contract_file *in, const struct framework_match *p)
{
	if (has(p, ROLE_VERSION))
		return (struct expression){ in, p->node[ROLE_VERSION], NULL };
	return expression_member(
	    &c->ask, (struct expression){ in, p->node[ROLE_OPTIONS], NULL }, p->keys[ROLE_VERSION]);
}

/* What the site itself, else the innermost scope around it, says. */
static struct expression version_in_options(struct fact_builder *c, const struct contract_site *s)
{
	const struct framework_match *best = NULL;

	if (!ts_node_is_null(s->version))
		return (struct expression){ c->in, s->version, NULL };
	for (size_t i = 0; i < c->spots->n; i++) {
		const struct framework_match *p = &c->spots->v[i];
		if (versioned(p) && has(p, ROLE_SCOPE) && node_within(s->node, p->node[ROLE_SCOPE]) &&
		    (!best || node_within(p->node[ROLE_SCOPE], best->node[ROLE_SCOPE])))
			best = p;
	}
	return best ? version_node(c, c->in, best) : (struct expression){ 0 };
}

void global_versions(struct fact_builder *c, const struct contract_site *s, struct prefixes *out)
{
	struct contract_file *in = NULL;
	const struct framework_match *p = once(c, s, true, &in);
	struct expression t = p ? version_in_options(c, s) : (struct expression){ 0 };
	TSNode each[MAX_GLOBALS];

	if (!p)
		return;
	const char *before = has(p, ROLE_PREFIX) ? framework_match_prefix(&c->ask, in, p) : p->fallback;
	if (ts_node_is_null(t.n))
		t = version_node(c, in, p);
	if (ts_node_is_null(t.n))
		return;
	size_t n = url_elements(t.in->t, t.n, each, MAX_GLOBALS);
	for (size_t i = 0; i < (n ? n : 1); i++) {
		const char *text = expression_text(
		    &c->ask, (struct expression){ t.in, n ? each[i] : t.n, t.given });
		if (*text && !strchr(text, '{'))	/* else it is neutral */
			prefixes_add(out,
			    arena_printf(c->a, "%s%s", before && !strchr(before, '{') ? before : "", text));
	}
}
