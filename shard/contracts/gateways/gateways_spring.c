/* Gateways whose routes are settings of Spring: Spring Cloud Gateway, Zuul. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_FILTERS = 16, MOST_PATTERNS = 8 };

/* A predicate or filter: `Path=PATTERN,PATTERN`, or name and args. */
struct spring_clause {
	const char *name, *short_args;	/* what is behind the `=`; NULL: args are keys of their own */
	const char *base;
};

static bool clause_at(
    const struct gateway_config *g, const char *list, size_t i, struct spring_clause *c)
{
	const char *text = gateway_get(g, "%s[%zu]", list, i), *eq = text ? strchr(text, '=') : NULL;

	c->base = arena_printf(g->a, "%s[%zu]", list, i);
	if (text) {
		c->name = arena_strn(g->a, text, eq ? (size_t)(eq - text) : strlen(text));
		c->short_args = eq ? eq + 1 : "";
		return true;
	}
	c->short_args = NULL;
	return (c->name = gateway_get(g, "%s.name", c->base)) != NULL;
}

/* Argument `i`, by its name when it has one. */
static const char *argument(
    const struct gateway_config *g, const struct spring_clause *c, size_t i, const char *name)
{
	const char *word[MOST_PATTERNS];

	if (c->short_args) {
		size_t n = gateway_split_list(g->a, c->short_args, ",", word, MOST_PATTERNS);
		return i < n ? word[i] : NULL;
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

static bool paths_of(
    const struct gateway_config *g, const char *route, struct path_rewrites *f, const char **hosts)
{
	struct spring_clause c;
	bool any = false;

	for (size_t i = 0;
	     i < MOST_FILTERS && clause_at(g, arena_printf(g->a, "%s.predicates", route), i, &c); i++)
		for (size_t k = 0; k < MOST_PATTERNS; k++) {
			const char *text = argument(g, &c, k, "pattern");
			if (!text || (k && !strcmp(text, argument(g, &c, 0, "pattern"))))
				break;
			if (!strcmp(c.name, "Path"))
				any |= path_rewrite_add(f, PATH_REWRITE_ANT, text, g->a);
			else if (!strcmp(c.name, "Host"))
				*hosts = arena_printf(g->a, "%s%s%s", *hosts ? *hosts : "", *hosts ? " " : "", text + 2 * !strncmp(text, "**.", 3));
		}
	return any;
}

static void filter(
    const struct gateway_config *g, const struct spring_clause *c, struct path_rewrites *f)
{
	const char *x = argument(g, c, 0,
	    !strcmp(c->name, "StripPrefix")     ? "parts" :
	        !strcmp(c->name, "PrefixPath")  ? "prefix" :
	        !strcmp(c->name, "RewritePath") ? "regexp" :
	                                          "template");

	if (!strcmp(c->name, "StripPrefix"))
		path_rewrite_strip_segments(
		    f, x && isdigit((unsigned char)*x) ? strtoul(x, NULL, 10) % MOST_PATTERNS : 1, g->a);
	else if (!strcmp(c->name, "PrefixPath") && x)
		path_rewrite_add_prefix(f, x, g->a);
	else if (!strcmp(c->name, "SetPath") && x && !strchr(x, '{'))
		path_rewrite_set(f, x, g->a);
	else if (!strcmp(c->name, "RewritePath") && x && argument(g, c, 1, "replacement"))
		path_rewrite_replace_regex(f, x, argument(g, c, 1, "replacement"), false, g->a);
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
 * What is in front of the stars goes, unless the route says otherwise; so does what is in front of
 * all routes.
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
	const char *path = gateway_url_path(target);
	if (strstr(target, "://") && strlen(path) > 1)
		path_rewrite_add_prefix(&f, path, g->a);
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
	zuul(g, base, s->value, target ? target : strrchr(base, '.') + 1, s->line);
}

/* `zuul.routes.NAME: PATTERN` */
void gateway_zuul_short(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *name = base + strlen("zuul.routes.");

	if (!strpbrk(name, ".[") && strchr(s->value, '/'))
		zuul(g, base, s->value, name, s->line);
}
