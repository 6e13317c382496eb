/* Envoy, Kong, Ocelot, YARP, and the proxies of development servers. */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"
#include "shard/contracts/gateways/path_rewrite_code.h"

enum { MOST = 32 };

static const char *with_port(const struct gate *g, const char *host, const char *port)
{
	return host && port ? arena_printf(g->a, "%s:%s", host, port) : host;
}

/* The text before the last `step` of a key. */
static const char *before(const struct gate *g, const char *key, const char *step)
{
	const char *at = NULL;

	for (const char *s = key; (s = strstr(s, step)); s++)
		at = s;
	return arena_strn(g->a, key, at ? (size_t)(at - key) : strlen(key));
}

/* ---- Envoy ---- */

/* Where a cluster is: the address of its first endpoint, else its name. */
static const char *cluster(const struct gate *g, const char *name)
{
	static const char *const addresses[] = { "load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socket_address",
		"load_assignment.endpoints[0].lb_endpoints[0].endpoint.address.socketAddress", "hosts[0].socket_address", "hosts.socket_address" };
	static const char *const lists[] = { "static_resources.clusters", "clusters", "resources" };

	for (size_t k = 0; k < LEN(lists); k++)
		for (size_t i = 0; i < MOST * 4; i++) {
			const char *found = gate_get(g, "%s[%zu].name", lists[k], i);
			if (!found)
				break;
			for (size_t j = 0; j < LEN(addresses) && !strcmp(found, name); j++) {
				const char *host = gate_get(g, "%s[%zu].%s.address", lists[k], i, addresses[j]);
				const char *port = gate_get(g, "%s[%zu].%s.port_value", lists[k], i, addresses[j]);
				if (host)
					return with_port(g, host, port);
			}
		}
	return name;
}

/* ….virtual_hosts[i].routes[j] */
void gate_envoy(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };
	const char *prefix = gate_get(g, "%s.match.prefix", base), *exact = gate_get(g, "%s.match.path", base);
	const char *below = gate_get(g, "%s.match.path_separated_prefix", base), *regex = gate_get(g, "%s.match.safe_regex.regex", base);
	const char *with = gate_get(g, "%s.route.prefix_rewrite", base), *domains = before(g, base, ".routes["), *hosts = NULL;
	const char *from = gate_get(g, "%s.route.regex_rewrite.pattern.regex", base),
	    *to = gate_get(g, "%s.route.regex_rewrite.substitution", base);

	if (prefix)
		forward_add(&f, FORWARD_TEXT, prefix, g->a);
	else if (exact)
		forward_add(&f, FORWARD_EXACT, exact, g->a);
	else if (below)
		forward_add(&f, FORWARD_BELOW, below, g->a);
	else if (regex)
		forward_add(&f, FORWARD_REGEX, arena_printf(g->a, "%s$", regex), g->a);
	if (with && below) {
		forward_cut(&f, below, g->a);
		forward_prefix(&f, with, g->a);
	} else if (with) {
		forward_begin(&f, with, g->a);
	}
	if (from && to)
		forward_replace(&f, from, to, false, g->a);
	for (size_t i = 0; i < MOST; i++) {
		const char *host = gate_get(g, "%s.domains[%zu]", domains, i);
		if (!host)
			break;
		if (strcmp(host, "*"))
			hosts = arena_printf(g->a, "%s%s%.*s", hosts ? hosts : "", hosts ? " " : "", (int)strcspn(host, ":"), host);
	}
	gate_put(g, &f, cluster(g, s->value), NULL, hosts, s->line);
}

/* ---- Kong ---- */

/* The paths of a route to a service: `~` before a regular expression; what they say goes, unless strip_path is false. */
static void kong(struct gate *g, const char *route, const char *service, uint32_t line)
{
	const char *url = gate_get(g, "%s.url", service), *host = gate_get(g, "%s.host", service), *path = gate_get(g, "%s.path", service);
	const char *strip = gate_get(g, "%s.strip_path", route), *hosts = NULL, *value;

	host = url ? url : with_port(g, host, gate_get(g, "%s.port", service));
	path = path ? path : url ? gate_url_path(url) : "";
	for (size_t i = 0; i < MOST && (value = gate_get(g, "%s.hosts[%zu]", route, i)); i++)
		hosts = arena_printf(g->a, "%s%s%s", hosts ? hosts : "", hosts ? " " : "", value);
	for (size_t i = 0; i < MOST && (value = gate_get(g, "%s.paths[%zu]", route, i)); i++) {
		struct forwards f = { 0 };
		bool keep = strip && !strcmp(strip, "false");
		forward_add(&f, *value == '~' ? FORWARD_REGEX : FORWARD_TEXT, value + (*value == '~'), g->a);
		if (!keep && *value == '~')
			forward_replace(&f, value + 1, "", false, g->a);
		else if (!keep)
			forward_begin(&f, "/", g->a);
		forward_prefix(&f, path, g->a);
		gate_put(g, &f, host, NULL, hosts, line);
	}
}

/* services[i].routes[j] */
void gate_kong(struct gate *g, const char *base, const struct setting *s)
{
	kong(g, base, before(g, base, ".routes["), s->line);
}

/* routes[j] with the name of a service */
void gate_kong_flat(struct gate *g, const char *base, const struct setting *s)
{
	const char *name = gate_get(g, "%s.service.name", base), *found;

	name = name ? name : gate_get(g, "%s.service", base);
	for (size_t i = 0; name && i < MOST * 4 && (found = gate_get(g, "services[%zu].name", i)); i++)
		if (!strcmp(found, name))
			kong(g, base, arena_printf(g->a, "services[%zu]", i), s->line);
}

/* ---- ASP.NET ---- */

/* Routes[i] */
void gate_ocelot(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };
	const char *to = gate_get(g, "%s.DownstreamPathTemplate", base), *from = s->value;
	const char *host = gate_get(g, "%s.ServiceName", base), *port = NULL;

	if (!host) {
		host = gate_get(g, "%s.DownstreamHostAndPorts[0].Host", base);
		port = gate_get(g, "%s.DownstreamHostAndPorts[0].Port", base);
	}
	if (!to || !host || !forward_named(&f, from, to, g->a))
		return;
	gate_put(g, &f, with_port(g, host, port), NULL, NULL, s->line);
}

/* ReverseProxy.Routes.NAME */
void gate_yarp(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };
	const char *id = gate_get(g, "%s.ClusterId", base), *url = NULL, *x;
	const char *path = arena_printf(g->a, "%s%s", *s->value == '/' ? "" : "/", s->value);
	const char *clusters = id ? arena_printf(g->a, "ReverseProxy.Clusters.%s.Destinations.", id) : NULL;

	for (size_t i = 0; clusters && i < g->n && !url; i++) {
		size_t n = strlen(g->v[i].key);
		if (!strncmp(g->v[i].key, clusters, strlen(clusters)) && n > 8 && !strcmp(g->v[i].key + n - 8, ".Address"))
			url = g->v[i].value;
	}
	if (!url || !forward_add(&f, FORWARD_ANT, path, g->a))
		return;
	for (size_t i = 0; i < MOST && gate_has(g, "%s.Transforms[%zu]", base, i); i++) {
		if ((x = gate_get(g, "%s.Transforms[%zu].PathRemovePrefix", base, i))) {
			forward_cut(&f, x, g->a);
		} else if ((x = gate_get(g, "%s.Transforms[%zu].PathPrefix", base, i))) {
			forward_prefix(&f, x, g->a);
		} else if ((x = gate_get(g, "%s.Transforms[%zu].PathPattern", base, i))) {
			f.n = 0;
			forward_named(&f, path, x, g->a);
		} else if ((x = gate_get(g, "%s.Transforms[%zu].PathSet", base, i))) {
			forward_set(&f, x, g->a);
		}
	}
	if (strlen(gate_url_path(url)) > 1)
		forward_prefix(&f, gate_url_path(url), g->a);
	gate_put(g, &f, url, NULL, NULL, s->line);
}

/* ---- development servers ---- */

/* Angular's proxy.conf.json, and older package.json: "/api": { "target": URL, "pathRewrite": { "^/api": "" } } */
void gate_proxy_json(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };
	const char *rewrites = arena_printf(g->a, "%s.pathRewrite.", base), *path = strchr(base, '/');

	if (!strstr(s->value, "://") || !path || !forward_add(&f, strchr(path, '*') ? FORWARD_ANT : FORWARD_TEXT, path, g->a))
		return;
	for (size_t i = 0; i < g->n; i++)
		if (!strncmp(g->v[i].key, rewrites, strlen(rewrites)))
			forward_replace(&f, g->v[i].key + strlen(rewrites), g->v[i].value, false, g->a);
	if (strlen(gate_url_path(s->value)) > 1)
		forward_prefix(&f, gate_url_path(s->value), g->a);
	gate_put(g, &f, s->value, NULL, NULL, s->line);
}

/* package.json: "proxy": URL is for all that the development server does not know. */
void gate_proxy_word(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };

	if (strcmp(base, "proxy") || strncmp(s->value, "http", 4) || !forward_add(&f, FORWARD_TEXT, "/", g->a))
		return;
	if (strlen(gate_url_path(s->value)) > 1)
		forward_prefix(&f, gate_url_path(s->value), g->a);
	gate_put(g, &f, s->value, NULL, NULL, s->line);
}
