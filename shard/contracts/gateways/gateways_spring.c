/* Gateways whose routes are settings of Spring: Spring Cloud Gateway, Zuul. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_FILTERS = 16, MOST_PATTERNS = 8 };

/* A predicate or filter: `Path=PATTERN,PATTERN`, or name and args. */
struct spring_clause {
	const char *name, *short_args;	/* the text behind the `=`; NULL: args are keys */
	const char *base;
};

static bool clause_at(
    const struct gateway_config *g, const char *list, size_t i, struct spring_clause *c)
{
	const char *text = gateway_get(g, "%s[%zu]", list, i);

	c->base = arena_printf(g->a, "%s[%zu]", list, i);
	c->short_args = NULL;
	if (!text) {
		c->name = gateway_get(g, "%s.name", c->base);
		return c->name != NULL;
	}
	size_t n = strcspn(text, "=");
	c->name = arena_strn(g->a, text, n);
	c->short_args = text + n + (text[n] == '=');
	return true;
}

/* Argument `i` of a clause, by its position or its name; or NULL. */
static const char *argument(
    const struct gateway_config *g, const struct spring_clause *c, size_t i, const char *name)
{
	const char *word[MOST_PATTERNS];

	if (c->short_args) {
		size_t n = gateway_split_list(g->a, c->short_args, ",", word, MOST_PATTERNS);
		if (i < n)
			return word[i];
		return NULL;
	}
	const char *value = gateway_get(g, "%s.args.%s", c->base, name);
	if (!value)
		value = gateway_get(g, "%s.args.%ss[%zu]", c->base, name, i);
	if (!value)
		value = gateway_get(g, "%s.args.%s[%zu]", c->base, name, i);
	if (value)
		return value;
	return gateway_get(g, "%s.args._genkey_%zu", c->base, i);
}

/* Add the paths or hosts of one predicate; whether it has paths. */
static bool predicate(const struct gateway_config *g, const struct spring_clause *c,
    struct path_rewrites *f, const char **hosts)
{
	const char *first = argument(g, c, 0, "pattern");
	bool any = false;

	for (size_t k = 0; k < MOST_PATTERNS; k++) {
		const char *text = argument(g, c, k, "pattern");
		if (!text || (k && !strcmp(text, first)))
			break;
		if (!strcmp(c->name, "Path")) {
			any |= path_rewrite_add(f, PATH_REWRITE_ANT, text, g->a);
		} else if (!strcmp(c->name, "Host")) {
			if (!strncmp(text, "**.", 3))
				text += 2;
			*hosts = gateway_add_word(g->a, *hosts, text);
		}
	}
	return any;
}

static bool paths_of(
    const struct gateway_config *g, const char *route, struct path_rewrites *f, const char **hosts)
{
	const char *predicates = arena_printf(g->a, "%s.predicates", route);
	struct spring_clause c;
	bool any = false;

	for (size_t i = 0; i < MOST_FILTERS && clause_at(g, predicates, i, &c); i++)
		any |= predicate(g, &c, f, hosts);
	return any;
}

static void strip_parts(
    const struct gateway_config *g, const struct spring_clause *c, struct path_rewrites *f)
{
	const char *parts = argument(g, c, 0, "parts");
	size_t n = 1;

	if (parts && isdigit((unsigned char)*parts))
		n = strtoul(parts, NULL, 10) % MOST_PATTERNS;
	path_rewrite_strip_segments(f, n, g->a);
}

static void filter(
    const struct gateway_config *g, const struct spring_clause *c, struct path_rewrites *f)
{
	if (!strcmp(c->name, "StripPrefix")) {
		strip_parts(g, c, f);
	} else if (!strcmp(c->name, "PrefixPath")) {
		const char *prefix = argument(g, c, 0, "prefix");
		if (prefix)
			path_rewrite_add_prefix(f, prefix, g->a);
	} else if (!strcmp(c->name, "SetPath")) {
		const char *path = argument(g, c, 0, "template");
		if (path && !strchr(path, '{'))
			path_rewrite_set(f, path, g->a);
	} else if (!strcmp(c->name, "RewritePath")) {
		const char *regex = argument(g, c, 0, "regexp"), *with = argument(g, c, 1, "replacement");
		if (regex && with)
			path_rewrite_replace_regex(f, regex, with, false, g->a);
	}
}

static void filters(const struct gateway_config *g, const char *list, struct path_rewrites *f)
{
	struct spring_clause c;

	for (size_t i = 0; i < MOST_FILTERS && clause_at(g, list, i, &c); i++)
		filter(g, &c, f);
}

/* `spring.cloud.gateway.[….]routes[i].uri` */
void gateway_spring(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *routes = strstr(base, "routes["), *hosts = NULL;

	if (!routes || strchr(routes, '.') || !paths_of(g, base, &f, &hosts))
		return;
	filters(g, arena_printf(g->a, "%.*sdefault-filters", (int)(routes - base), base), &f);
	filters(g, arena_printf(g->a, "%s.filters", base), &f);
	gateway_put(g, &f, s->value, NULL, hosts, s->line);
}

static bool is_false(const char *s)
{
	return s && !strcmp(s, "false");
}

/*
 * The part before the stars is stripped, unless the route disables that; so is the prefix of all
 * routes.
 */
static void zuul(struct gateway_config *g, const char *route, const char *pattern,
    const char *target, uint32_t line)
{
	struct path_rewrites f = { 0 };
	const char *prefix = gateway_get(g, "zuul.prefix"),
	           *strip = gateway_get(g, "%s.stripPrefix", route);
	const char *all = gateway_get(g, "zuul.stripPrefix");

	if (!strip)
		strip = gateway_get(g, "%s.strip-prefix", route);
	if (!all)
		all = gateway_get(g, "zuul.strip-prefix");
	pattern = arena_printf(g->a, "%s%s", *pattern == '/' ? "" : "/", pattern);
	if (!prefix)
		prefix = "";
	if (!path_rewrite_add(&f, PATH_REWRITE_ANT, arena_printf(g->a, "%s%s", prefix, pattern), g->a))
		return;
	size_t stars = strcspn(pattern, "*");
	if (!is_false(all) && *prefix)
		path_rewrite_strip_prefix(&f, prefix, g->a);
	if (!is_false(strip)) {
		const char *front = arena_strn(g->a, pattern, stars);
		if (is_false(all) && *prefix) {
			path_rewrite_strip_prefix(&f, arena_printf(g->a, "%s%s", prefix, front), g->a);
			path_rewrite_add_prefix(&f, prefix, g->a);
		} else {
			path_rewrite_strip_prefix(&f, front, g->a);
		}
	}
	if (strstr(target, "://"))
		gateway_add_url_path(&f, target, g->a);
	gateway_put(g, &f, target, NULL, NULL, line);
}

/* `zuul.routes.NAME.path`: to its url, its serviceId, or the service of that name */
void gateway_zuul(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *target = gateway_get(g, "%s.url", base);

	if (!target)
		target = gateway_get(g, "%s.serviceId", base);
	if (!target)
		target = gateway_get(g, "%s.service-id", base);
	if (!target)
		target = strrchr(base, '.') + 1;
	zuul(g, base, s->value, target, s->line);
}

/* `zuul.routes.NAME: PATTERN` */
void gateway_zuul_short(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *name = base + strlen("zuul.routes.");

	if (!strpbrk(name, ".[") && strchr(s->value, '/'))
		zuul(g, base, s->value, name, s->line);
}
