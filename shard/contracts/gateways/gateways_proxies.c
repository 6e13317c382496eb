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

/* The part of a key before the last `step`; the key itself if it has no such step. */
static const char *before(const struct gateway_config *g, const char *key, const char *step)
{
	const char *at = NULL;

	for (const char *s = strstr(key, step); s; s = strstr(s + 1, step))
		at = s;
	if (!at)
		return arena_str(g->a, key);
	return arena_strn(g->a, key, (size_t)(at - key));
}

/* ---- Envoy ---- */

/* The address of the first endpoint of the cluster at a key, or NULL. */
static const char *cluster_address(const struct gateway_config *g, const char *key)
{
	static const char *const addresses[] = {
		"load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address",
		"load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socketAddress",
		"hosts[0].socket_address", "hosts.socket_address"
	};

	for (size_t i = 0; i < LEN(addresses); i++) {
		const char *host = gateway_get(g, "%s.%s.address", key, addresses[i]);
		if (host)
			return with_port(g, host, gateway_get(g, "%s.%s.port_value", key, addresses[i]));
	}
	return NULL;
}

/* The address of a cluster's first endpoint, else the cluster's name. */
static const char *cluster(const struct gateway_config *g, const char *name)
{
	static const char *const lists[] = { "static_resources.clusters", "clusters", "resources" };

	for (size_t k = 0; k < LEN(lists); k++)
		for (size_t i = 0; i < MOST * 4; i++) {
			const char *key = arena_printf(g->a, "%s[%zu]", lists[k], i), *address = NULL;
			const char *found = gateway_get(g, "%s.name", key);
			if (!found)
				break;
			if (!strcmp(found, name))
				address = cluster_address(g, key);
			if (address)
				return address;
		}
	return name;
}

/* The domains of a virtual host, without ports and `*`; NULL if there are none. */
static const char *envoy_hosts(const struct gateway_config *g, const char *virtual_host)
{
	const char *hosts = NULL;

	for (size_t i = 0; i < MOST; i++) {
		const char *host = gateway_get(g, "%s.domains[%zu]", virtual_host, i);
		if (!host)
			break;
		if (strcmp(host, "*"))
			hosts = gateway_add_word(g->a, hosts, arena_strn(g->a, host, strcspn(host, ":")));
	}
	return hosts;
}

/* ….virtual_hosts[i].routes[j] */
void gateway_envoy(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *prefix = gateway_get(g, "%s.match.prefix", base),
	           *exact = gateway_get(g, "%s.match.path", base);
	const char *below = gateway_get(g, "%s.match.path_separated_prefix", base),
	           *regex = gateway_get(g, "%s.match.safe_regex.regex", base);
	const char *with = gateway_get(g, "%s.route.prefix_rewrite", base);
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
	const char *hosts = envoy_hosts(g, before(g, base, ".routes["));
	gateway_put(g, &f, cluster(g, s->value), NULL, hosts, s->line);
}

/* ---- Kong ---- */

/* One path of a route: `~` before a regular expression.  `strip`: what it matches is removed. */
static void kong_path(
    const struct gateway_config *g, const char *path, bool strip, struct path_rewrites *f)
{
	if (*path == '~') {
		path_rewrite_add(f, PATH_REWRITE_REGEX, path + 1, g->a);
		if (strip)
			path_rewrite_replace_regex(f, path + 1, "", false, g->a);
	} else {
		path_rewrite_add(f, PATH_REWRITE_TEXT_PREFIX, path, g->a);
		if (strip)
			path_rewrite_replace_prefix(f, "/", g->a);
	}
}

/* The paths of a route to a service. */
static void kong(struct gateway_config *g, const char *route, const char *service, uint32_t line)
{
	const char *host = gateway_get(g, "%s.url", service);
	const char *path = gateway_get(g, "%s.path", service);
	const char *strip = gateway_get(g, "%s.strip_path", route), *hosts = NULL;

	if (host && !path)
		path = gateway_url_path(host);
	if (!host)
		host = with_port(g, gateway_get(g, "%s.host", service), gateway_get(g, "%s.port", service));
	if (!path)
		path = "";
	for (size_t i = 0; i < MOST; i++) {
		const char *value = gateway_get(g, "%s.hosts[%zu]", route, i);
		if (!value)
			break;
		hosts = gateway_add_word(g->a, hosts, value);
	}
	for (size_t i = 0; i < MOST; i++) {
		struct path_rewrites f = { 0 };
		const char *value = gateway_get(g, "%s.paths[%zu]", route, i);
		if (!value)
			break;
		kong_path(g, value, !strip || strcmp(strip, "false"), &f);
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
	const char *name = gateway_get(g, "%s.service.name", base);

	if (!name)
		name = gateway_get(g, "%s.service", base);
	for (size_t i = 0; name && i < MOST * 4; i++) {
		const char *found = gateway_get(g, "services[%zu].name", i);
		if (!found)
			break;
		if (!strcmp(found, name))
			kong(g, base, arena_printf(g->a, "services[%zu]", i), s->line);
	}
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

/* The address of the first destination of a cluster, or NULL. */
static const char *yarp_destination(const struct gateway_config *g, const char *cluster)
{
	const char *begin = arena_printf(g->a, "ReverseProxy.Clusters.%s.Destinations.", cluster);

	for (size_t i = 0; i < g->n; i++) {
		const char *key = g->v[i].key;
		size_t n = strlen(key);
		if (!strncmp(key, begin, strlen(begin)) && n > 8 && !strcmp(key + n - 8, ".Address"))
			return g->v[i].value;
	}
	return NULL;
}

/* Apply one transform of a route, whose keys begin with `base`. */
static void yarp_transform(
    const struct gateway_config *g, const char *base, const char *path, struct path_rewrites *f)
{
	const char *strip = gateway_get(g, "%s.PathRemovePrefix", base),
	           *prefix = gateway_get(g, "%s.PathPrefix", base);
	const char *pattern = gateway_get(g, "%s.PathPattern", base),
	           *set = gateway_get(g, "%s.PathSet", base);

	if (strip) {
		path_rewrite_strip_prefix(f, strip, g->a);
	} else if (prefix) {
		path_rewrite_add_prefix(f, prefix, g->a);
	} else if (pattern) {
		f->n = 0;
		path_rewrite_add_named(f, path, pattern, g->a);
	} else if (set) {
		path_rewrite_set(f, set, g->a);
	}
}

/* ReverseProxy.Routes.NAME */
void gateway_yarp(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *id = gateway_get(g, "%s.ClusterId", base), *url = NULL;
	const char *path = arena_printf(g->a, "%s%s", *s->value == '/' ? "" : "/", s->value);

	if (id)
		url = yarp_destination(g, id);
	if (!url || !path_rewrite_add(&f, PATH_REWRITE_ANT, path, g->a))
		return;
	for (size_t i = 0; i < MOST && gateway_has(g, "%s.Transforms[%zu]", base, i); i++)
		yarp_transform(g, arena_printf(g->a, "%s.Transforms[%zu]", base, i), path, &f);
	gateway_add_url_path(&f, url, g->a);
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
	enum path_rewrite_style style = PATH_REWRITE_TEXT_PREFIX;
	size_t n = strlen(rewrites);

	if (!strstr(s->value, "://") || !path)
		return;
	if (strchr(path, '*'))
		style = PATH_REWRITE_ANT;
	if (!path_rewrite_add(&f, style, path, g->a))
		return;
	for (size_t i = 0; i < g->n; i++)
		if (!strncmp(g->v[i].key, rewrites, n))
			path_rewrite_replace_regex(&f, g->v[i].key + n, g->v[i].value, false, g->a);
	gateway_add_url_path(&f, s->value, g->a);
	gateway_put(g, &f, s->value, NULL, NULL, s->line);
}

/* package.json: "proxy": URL gets all requests that the development server does not handle. */
void gateway_proxy_word(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };

	if (strcmp(base, "proxy") || strncmp(s->value, "http", 4) ||
	    !path_rewrite_add(&f, PATH_REWRITE_TEXT_PREFIX, "/", g->a))
		return;
	gateway_add_url_path(&f, s->value, g->a);
	gateway_put(g, &f, s->value, NULL, NULL, s->line);
}
