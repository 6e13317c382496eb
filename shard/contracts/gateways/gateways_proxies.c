/* Envoy, Kong, Ocelot, YARP, and the proxies of development servers. */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"
#include "shard/contracts/gateways/path_rewrite_code.h"

enum { MOST = 32 };

static const char *with_port(const struct gateway_config *g, const char *host, const char *port)
{
	if (host && port)
		return arena_printf(g->a, "%s:%s", host, port);
	return host;
}

/* The text before the last `step` of a key. */
static const char *before(const struct gateway_config *g, const char *key, const char *step)
{
	const char *at = NULL;

	for (const char *s = key; (s = strstr(s, step)); s++)
		at = s;
	return arena_strn(g->a, key, at ? (size_t)(at - key) : strlen(key));
}

/* ---- Envoy ---- */

/* Where a cluster is: the address of its first endpoint, else its name. */
static const char *cluster(const struct gateway_config *g, const char *name)
{
	static const char *const addresses[] = {
		"load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address",
		"load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socketAddress",
		"hosts[0].socket_address", "hosts.socket_address"
	};
	static const char *const lists[] = { "static_resources.clusters", "clusters", "resources" };

	for (size_t k = 0; k < LEN(lists); k++)
		for (size_t i = 0; i < MOST * 4; i++) {
			const char *found = gateway_get(g, "%s[%zu].name", lists[k], i);
			if (!found)
				break;
			for (size_t j = 0; j < LEN(addresses) && !strcmp(found, name); j++) {
				const char *host = gateway_get(g, "%s[%zu].%s.address", lists[k], i, addresses[j]);
				const char *port = gateway_get(
				    g, "%s[%zu].%s.port_value", lists[k], i, addresses[j]);
				if (host)
					return with_port(g, host, port);
			}
		}
	return name;
}

/* ….virtual_hosts[i].routes[j] */
void gateway_envoy(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *prefix = gateway_get(g, "%s.match.prefix", base),
	           *exact = gateway_get(g, "%s.match.path", base);
	const char *below = gateway_get(g, "%s.match.path_separated_prefix", base),
	           *regex = gateway_get(g, "%s.match.safe_regex.regex", base);
	const char *with = gateway_get(g, "%s.route.prefix_rewrite", base),
	           *domains = before(g, base, ".routes["), *hosts = NULL;
	const char *from = gateway_get(g, "%s.route.regex_rewrite.pattern.regex", base),
	    *to = gateway_get(g, "%s.route.regex_rewrite.substitution", base);

	if (prefix)
		path_rewrite_add(&f, PATH_REWRITE_TEXT_PREFIX, prefix, g->a);
	else if (exact)
		path_rewrite_add(&f, PATH_REWRITE_EXACT, exact, g->a);
	else if (below)
		path_rewrite_add(&f, PATH_REWRITE_SEGMENT_PREFIX, below, g->a);
	else if (regex)
		path_rewrite_add(&f, PATH_REWRITE_REGEX, arena_printf(g->a, "%s$", regex), g->a);
	if (with && below) {
		path_rewrite_strip_prefix(&f, below, g->a);
		path_rewrite_add_prefix(&f, with, g->a);
	} else if (with) {
		path_rewrite_replace_prefix(&f, with, g->a);
	}
	if (from && to)
		path_rewrite_replace_regex(&f, from, to, false, g->a);
	for (size_t i = 0; i < MOST; i++) {
		const char *host = gateway_get(g, "%s.domains[%zu]", domains, i);
		if (!host)
			break;
		if (strcmp(host, "*"))
			hosts = arena_printf(g->a, "%s%s%.*s", hosts ? hosts : "", hosts ? " " : "",
			    (int)strcspn(host, ":"), host);
	}
	gateway_put(g, &f, cluster(g, s->value), NULL, hosts, s->line);
}

/* ---- Kong ---- */

/*
 * The paths of a route to a service: `~` before a regular expression; what they say goes, unless
 * strip_path is false.
 */
static void kong(struct gateway_config *g, const char *route, const char *service, uint32_t line)
{
	const char *url = gateway_get(g, "%s.url", service), *host = gateway_get(g, "%s.host", service),
	           *path = gateway_get(g, "%s.path", service);
	const char *strip = gateway_get(g, "%s.strip_path", route), *hosts = NULL, *value;

	if (url)
		host = url;
	else
		host = with_port(g, host, gateway_get(g, "%s.port", service));
	if (path)
		path = path;
	else if (url)
		path = gateway_url_path(url);
	else
		path = "";
	for (size_t i = 0; i < MOST && (value = gateway_get(g, "%s.hosts[%zu]", route, i)); i++)
		hosts = arena_printf(g->a, "%s%s%s", hosts ? hosts : "", hosts ? " " : "", value);
	for (size_t i = 0; i < MOST && (value = gateway_get(g, "%s.paths[%zu]", route, i)); i++) {
		struct path_rewrites f = { 0 };
		bool keep = strip && !strcmp(strip, "false");
		path_rewrite_add(&f, *value == '~' ? PATH_REWRITE_REGEX : PATH_REWRITE_TEXT_PREFIX,
		    value + (*value == '~'), g->a);
		if (!keep && *value == '~')
			path_rewrite_replace_regex(&f, value + 1, "", false, g->a);
		else if (!keep)
			path_rewrite_replace_prefix(&f, "/", g->a);
		path_rewrite_add_prefix(&f, path, g->a);
		gateway_put(g, &f, host, NULL, hosts, line);
	}
}

/* services[i].routes[j] */
void gateway_kong(struct gateway_config *g, const char *base, const struct setting *s)
{
	kong(g, base, before(g, base, ".routes["), s->line);
}

/* routes[j] with the name of a service */
void gateway_kong_flat(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *name = gateway_get(g, "%s.service.name", base), *found;

	if (!name)
		name = gateway_get(g, "%s.service", base);
	for (size_t i = 0; name && i < MOST * 4 && (found = gateway_get(g, "services[%zu].name", i));
	     i++)
		if (!strcmp(found, name))
			kong(g, base, arena_printf(g->a, "services[%zu]", i), s->line);
}

/* ---- ASP.NET ---- */

/* Routes[i] */
void gateway_ocelot(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *to = gateway_get(g, "%s.DownstreamPathTemplate", base), *from = s->value;
	const char *host = gateway_get(g, "%s.ServiceName", base), *port = NULL;

	if (!host) {
		host = gateway_get(g, "%s.DownstreamHostAndPorts[0].Host", base);
		port = gateway_get(g, "%s.DownstreamHostAndPorts[0].Port", base);
	}
	if (!to || !host || !path_rewrite_add_named(&f, from, to, g->a))
		return;
	gateway_put(g, &f, with_port(g, host, port), NULL, NULL, s->line);
}

/* ReverseProxy.Routes.NAME */
void gateway_yarp(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *id = gateway_get(g, "%s.ClusterId", base), *url = NULL, *x;
	const char *path = arena_printf(g->a, "%s%s", *s->value == '/' ? "" : "/", s->value);
	const char *clusters = NULL;

	if (id)
		clusters = arena_printf(g->a, "ReverseProxy.Clusters.%s.Destinations.", id);
	for (size_t i = 0; clusters && i < g->n && !url; i++) {
		size_t n = strlen(g->v[i].key);
		if (!strncmp(g->v[i].key, clusters, strlen(clusters)) && n > 8 &&
		    !strcmp(g->v[i].key + n - 8, ".Address"))
			url = g->v[i].value;
	}
	if (!url || !path_rewrite_add(&f, PATH_REWRITE_ANT, path, g->a))
		return;
	for (size_t i = 0; i < MOST && gateway_has(g, "%s.Transforms[%zu]", base, i); i++) {
		if ((x = gateway_get(g, "%s.Transforms[%zu].PathRemovePrefix", base, i))) {
			path_rewrite_strip_prefix(&f, x, g->a);
		} else if ((x = gateway_get(g, "%s.Transforms[%zu].PathPrefix", base, i))) {
			path_rewrite_add_prefix(&f, x, g->a);
		} else if ((x = gateway_get(g, "%s.Transforms[%zu].PathPattern", base, i))) {
			f.n = 0;
			path_rewrite_add_named(&f, path, x, g->a);
		} else if ((x = gateway_get(g, "%s.Transforms[%zu].PathSet", base, i))) {
			path_rewrite_set(&f, x, g->a);
		}
	}
	if (strlen(gateway_url_path(url)) > 1)
		path_rewrite_add_prefix(&f, gateway_url_path(url), g->a);
	gateway_put(g, &f, url, NULL, NULL, s->line);
}

/* ---- development servers ---- */

/*
 * Angular's proxy.conf.json, and older package.json: "/api": { "target": URL, "pathRewrite": {
 * "^/api": "" } }
 */
void gateway_proxy_json(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *rewrites = arena_printf(g->a, "%s.pathRewrite.", base), *path = strchr(base, '/');

	if (!strstr(s->value, "://") || !path ||
	    !path_rewrite_add(
	        &f, strchr(path, '*') ? PATH_REWRITE_ANT : PATH_REWRITE_TEXT_PREFIX, path, g->a))
		return;
	for (size_t i = 0; i < g->n; i++)
		if (!strncmp(g->v[i].key, rewrites, strlen(rewrites)))
			path_rewrite_replace_regex(
			    &f, g->v[i].key + strlen(rewrites), g->v[i].value, false, g->a);
	if (strlen(gateway_url_path(s->value)) > 1)
		path_rewrite_add_prefix(&f, gateway_url_path(s->value), g->a);
	gateway_put(g, &f, s->value, NULL, NULL, s->line);
}

/* package.json: "proxy": URL is for all that the development server does not know. */
void gateway_proxy_word(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };

	if (strcmp(base, "proxy") || strncmp(s->value, "http", 4) ||
	    !path_rewrite_add(&f, PATH_REWRITE_TEXT_PREFIX, "/", g->a))
		return;
	if (strlen(gateway_url_path(s->value)) > 1)
		path_rewrite_add_prefix(&f, gateway_url_path(s->value), g->a);
	gateway_put(g, &f, s->value, NULL, NULL, s->line);
}
