/*
 * Gateways that are Kubernetes objects: Ingress, Gateway API, Istio; and Traefik, which is also
 * configured by files and labels.
 */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_HOSTS = 8, MOST_MATCHES = 16, MOST_PARTS = 16, MOST_ROUTES = 200 };

static bool kind_is(const struct gateway_config *g, const char *kind)
{
	const char *k = gateway_get(g, "kind");

	return k && !strcmp(k, kind);
}

/* The elements of a list with blanks between, without `*`; NULL if there are none. */
static const char *hosts_in(const struct gateway_config *g, const char *list)
{
	const char *all = NULL;

	for (size_t i = 0; i < MOST_HOSTS; i++) {
		const char *host = gateway_get(g, "%s[%zu]", list, i);
		if (!host)
			break;
		if (strcmp(host, "*"))
			all = gateway_add_word(g->a, all, host);
	}
	return all;
}

/* The service's name as a target, with its port if it has one. */
static const char *service_target(
    const struct gateway_config *g, const char *service, const char *port)
{
	if (port)
		return arena_printf(g->a, "%s:%s", service, port);
	return service;
}

/* The part of a key before `step`; the key itself if it has no such step. */
static const char *above(const struct gateway_config *g, const char *base, const char *step)
{
	const char *at = strstr(base, step);

	if (at)
		return arena_strn(g->a, base, (size_t)(at - base));
	return base;
}

/* A path without a regular expression.  `beta`: of the old API, where a rewrite was a prefix. */
static void ingress_path(const struct gateway_config *g, const char *path, const char *type,
    const char *rewrite, bool beta, struct path_rewrites *f)
{
	enum path_rewrite_style style = PATH_REWRITE_SEGMENT_PREFIX;

	if (type && !strcmp(type, "Exact"))
		style = PATH_REWRITE_EXACT;
	path_rewrite_add(f, style, path, g->a);
	if (!rewrite)
		return;
	if (beta) {
		path_rewrite_strip_prefix(f, path, g->a);
		path_rewrite_add_prefix(f, rewrite, g->a);
	} else {
		path_rewrite_set(f, rewrite, g->a);
	}
}

/* spec.rules[i].http.paths[j] */
void gateway_ingress(struct gateway_config *g, const char *base, const struct setting *s)
{
	static const char NGINX[] = "metadata.annotations.nginx.ingress.kubernetes.io";
	struct path_rewrites f = { 0 };
	const char *path = gateway_get(g, "%s.path", base), *type = gateway_get(g, "%s.pathType", base);
	const char *rewrite = gateway_get(g, "%s/rewrite-target", NGINX),
	           *use_regex = gateway_get(g, "%s/use-regex", NGINX);
	const char *host = gateway_get(g, "%s.host", above(g, base, ".http."));
	const char *version = gateway_get(g, "apiVersion");
	bool beta = version && strstr(version, "v1beta1");

	if (!kind_is(g, "Ingress"))
		return;
	if (!path)
		path = "/";
	bool regex = (rewrite && strchr(rewrite, '$')) || (use_regex && !strcmp(use_regex, "true"));
	if (regex || strpbrk(path, "(*")) {
		path_rewrite_add(&f, PATH_REWRITE_REGEX, path, g->a);
		if (rewrite)
			path_rewrite_replace_regex(&f, path, rewrite, true, g->a);
	} else {
		ingress_path(g, path, type, rewrite, beta, &f);
	}
	gateway_put(g, &f, s->value, NULL, host, s->line);
}

/* spec.rules[i] of the Gateway API */
static enum path_rewrite_style style_of_match(const char *type)
{
	if (type && !strcmp(type, "Exact"))
		return PATH_REWRITE_EXACT;
	if (type && !strcmp(type, "RegularExpression"))
		return PATH_REWRITE_REGEX;
	return PATH_REWRITE_SEGMENT_PREFIX;
}

/* Apply the rewrites of a rule to one of its paths. */
static void route_filters(
    const struct gateway_config *g, const char *base, const char *path, struct path_rewrites *f)
{
	for (size_t k = 0; k < MOST_MATCHES; k++) {
		const char *rewrite = arena_printf(g->a, "%s.filters[%zu].urlRewrite.path", base, k);
		const char *prefix = gateway_get(g, "%s.replacePrefixMatch", rewrite);
		const char *full = gateway_get(g, "%s.replaceFullPath", rewrite);
		if (prefix) {
			path_rewrite_strip_prefix(f, path, g->a);
			path_rewrite_add_prefix(f, prefix, g->a);
		} else if (full) {
			path_rewrite_set(f, full, g->a);
		}
	}
}

/* spec.rules[i] of the Gateway API */
void gateway_http_route(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *hosts = hosts_in(g, "spec.hostnames");

	if (!kind_is(g, "HTTPRoute"))
		return;
	for (size_t i = 0; i < MOST_MATCHES; i++) {
		struct path_rewrites f = { 0 };
		const char *path = gateway_get(g, "%s.matches[%zu].path.value", base, i);
		if (!path && i)
			break;
		if (!path)
			path = "/";
		const char *type = gateway_get(g, "%s.matches[%zu].path.type", base, i);
		path_rewrite_add(&f, style_of_match(type), path, g->a);
		route_filters(g, base, path, &f);
		gateway_put(g, &f, s->value, NULL, hosts, s->line);
	}
}

/* spec.http[i] of a VirtualService */
void gateway_istio(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *hosts = hosts_in(g, "spec.hosts"),
	           *rewrite = gateway_get(g, "%s.rewrite.uri", base);

	if (!kind_is(g, "VirtualService") || !gateway_has(g, "%s.match", base))
		return;		/* without a match, the requests of a service go to the service itself */
	for (size_t i = 0; i < MOST_MATCHES; i++) {
		struct path_rewrites f = { 0 };
		const char *prefix = gateway_get(g, "%s.match[%zu].uri.prefix", base, i),
		           *exact = gateway_get(g, "%s.match[%zu].uri.exact", base, i);
		const char *regex = gateway_get(g, "%s.match[%zu].uri.regex", base, i);
		if (prefix)
			path_rewrite_add(&f, PATH_REWRITE_TEXT_PREFIX, prefix, g->a);
		else if (exact)
			path_rewrite_add(&f, PATH_REWRITE_EXACT, exact, g->a);
		else if (regex)
			path_rewrite_add(&f, PATH_REWRITE_REGEX, regex, g->a);
		if (rewrite && prefix)
			path_rewrite_replace_prefix(&f, rewrite, g->a);
		else if (rewrite && exact)
			path_rewrite_set(&f, rewrite, g->a);
		gateway_put(g, &f, s->value, NULL, hosts, s->line);
	}
}

/* ---- Traefik ---- */

/* Add the paths of one matcher, whose arguments are `part`; `s`: where it begins. */
static void rule_matcher(const struct gateway_config *g, const char *s, const char *const *part,
    size_t n, struct path_rewrites *f)
{
	static const struct {
		const char *name;
		enum path_rewrite_style style;
		bool strip;
	} matchers[] = {
		{ "PathPrefix(", PATH_REWRITE_TEXT_PREFIX, false },
		{ "Path(", PATH_REWRITE_EXACT, false },
		{ "PathRegexp(", PATH_REWRITE_REGEX, false },
		{ "PathPrefixStrip(", PATH_REWRITE_TEXT_PREFIX, true },
	};

	for (size_t i = 0; i < LEN(matchers); i++) {
		if (strncmp(s, matchers[i].name, strlen(matchers[i].name)))
			continue;
		for (size_t k = 0; k < n; k++) {
			enum path_rewrite_style style = matchers[i].style;
			if (strchr(part[k], '{') && style != PATH_REWRITE_REGEX)
				style = PATH_REWRITE_ANT;
			path_rewrite_add(f, style, part[k], g->a);
			if (matchers[i].strip)
				path_rewrite_strip_prefix(f, part[k], g->a);
		}
	}
}

/*
 * Read the paths of a rule: Host(`a`) && (PathPrefix(`/x`) || Path(`/y`, `/z`)).  Paths are taken
 * as alternatives.  Returns the hosts, or NULL.
 */
static const char *rule_read(
    const struct gateway_config *g, const char *rule, struct path_rewrites *f)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!";
	const char *hosts = NULL, *part[MOST_PARTS];

	for (const char *s = rule; *s; s++) {
		const char *open = strchr(s, '('), *end = NULL;
		if (s > rule && strchr(letters, s[-1]))
			continue;
		if (open)
			end = strchr(open, ')');
		if (!end)
			continue;
		const char *arguments = arena_strn(g->a, open + 1, (size_t)(end - open - 1));
		size_t n = gateway_split_list(g->a, arguments, ",", part, MOST_PARTS);
		rule_matcher(g, s, part, n, f);
		if (!strncmp(s, "Host(", 5))
			for (size_t k = 0; k < n; k++)
				hosts = gateway_add_word(g->a, hosts, part[k]);
	}
	if (!f->n && hosts)
		path_rewrite_add(f, PATH_REWRITE_TEXT_PREFIX, "/", g->a);
	return hosts;
}

/* The value of a key below `base`, which files and labels write differently; or NULL. */
static const char *either(
    const struct gateway_config *g, const char *base, const char *in_file, const char *in_label)
{
	const char *value = gateway_get(g, "%s.%s", base, in_file);

	if (value)
		return value;
	return gateway_get(g, "%s.%s", base, in_label);
}

/* Apply a middleware; `base`: the key of its settings, in labels or a file. */
static void middleware(const struct gateway_config *g, const char *base, struct path_rewrites *f)
{
	const char *part[MOST_PARTS], *value = gateway_get(g, "%s.stripprefix.prefixes", base);

	if (value) {
		size_t n = gateway_split_list(g->a, value, ",", part, MOST_PARTS);
		for (size_t i = 0; i < n; i++)
			path_rewrite_strip_prefix(f, part[i], g->a);
	}
	for (size_t i = 0; i < MOST_PARTS; i++) {
		value = gateway_get(g, "%s.stripPrefix.prefixes[%zu]", base, i);
		if (!value)
			break;
		path_rewrite_strip_prefix(f, value, g->a);
	}
	value = either(g, base, "addPrefix.prefix", "addprefix.prefix");
	if (value)
		path_rewrite_add_prefix(f, value, g->a);
	value = either(g, base, "replacePath.path", "replacepath.path");
	if (value)
		path_rewrite_set(f, value, g->a);
	const char *regex = either(g, base, "replacePathRegex.regex", "replacepathregex.regex"),
	           *with = either(
	               g, base, "replacePathRegex.replacement", "replacepathregex.replacement");
	if (regex && with)
		path_rewrite_replace_regex(f, regex, with, false, g->a);
}

/* http.routers.NAME of a file */
void gateway_traefik(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *hosts = rule_read(g, s->value, &f), *service = gateway_get(g, "%s.service", base);

	for (size_t i = 0; i < MOST_PARTS; i++) {
		const char *name = gateway_get(g, "%s.middlewares[%zu]", base, i);
		if (!name)
			break;
		middleware(
		    g, arena_printf(g->a, "http.middlewares.%.*s", (int)strcspn(name, "@"), name), &f);
	}
	if (!service)
		return;
	const char *url = gateway_get(
	    g, "http.services.%.*s.loadBalancer.servers[0].url", (int)strcspn(service, "@"), service);
	if (url)
		gateway_add_url_path(&f, url, g->a);
	else
		url = service;
	gateway_put(g, &f, url, NULL, hosts, s->line);
}

/* Strip the fixed part of each path. */
static void strip_fixed_parts(const struct gateway_config *g, struct path_rewrites *f)
{
	for (size_t k = 0; k < f->n; k++) {
		const char *path = f->v[k].path;
		path_rewrite_strip_prefix(f, arena_strn(g->a, path, strcspn(path, "{")), g->a);
	}
}

/* spec.routes[i] of an IngressRoute */
void gateway_traefik_route(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *service = gateway_get(g, "%s.services[0].name", base),
	           *port = gateway_get(g, "%s.services[0].port", base);

	if (!kind_is(g, "IngressRoute") || !service)
		return;
	const char *hosts = rule_read(g, s->value, &f);
	/* middlewares are objects of their own, usually in other files: only the name tells */
	bool any = gateway_has(g, "%s.middlewares", base);
	for (size_t i = 0; any && i < MOST_PARTS; i++) {
		const char *name = gateway_get(g, "%s.middlewares[%zu].name", base, i);
		if (name && strstr(name, "strip"))
			strip_fixed_parts(g, &f);
	}
	gateway_put(g, &f, service_target(g, service, port), NULL, hosts, s->line);
}

/* The value of a label of a compose service, whose labels are a list or a map; or NULL. */
static const char *label(const struct gateway_config *g, const char *service, const char *name)
{
	static const char *const lists[] = { "labels", "deploy.labels" };
	size_t n = strlen(name);

	for (size_t k = 0; k < LEN(lists); k++) {
		const char *value = gateway_get(g, "services.%s.%s.%s", service, lists[k], name);
		for (size_t i = 0; i < MOST_ROUTES && !value; i++) {
			const char *text = gateway_get(g, "services.%s.%s[%zu]", service, lists[k], i);
			if (!text)
				break;
			if (!strncmp(text, name, n) && text[n] == '=')
				value = text + n + 1;
		}
		if (value)
			return value;
	}
	return NULL;
}

static void label_middleware(
    const struct gateway_config *g, const char *service, const char *name, struct path_rewrites *f)
{
	static const char *const kinds[] = { "stripprefix.prefixes", "addprefix.prefix",
		"replacepath.path" };
	const char *base = arena_printf(
	               g->a, "traefik.http.middlewares.%.*s", (int)strcspn(name, "@"), name),
	           *part[MOST_PARTS];

	for (size_t i = 0; i < LEN(kinds); i++) {
		const char *value = label(g, service, arena_printf(g->a, "%s.%s", base, kinds[i]));
		size_t n = 0;
		if (value)
			n = gateway_split_list(g->a, value, ",", part, MOST_PARTS);
		for (size_t k = 0; k < n; k++) {
			if (i == 0)
				path_rewrite_strip_prefix(f, part[k], g->a);
			else if (i == 1)
				path_rewrite_add_prefix(f, part[k], g->a);
			else
				path_rewrite_set(f, part[k], g->a);
		}
	}
	const char *regex = label(g, service, arena_printf(g->a, "%s.replacepathregex.regex", base));
	const char *with = label(
	    g, service, arena_printf(g->a, "%s.replacepathregex.replacement", base));
	if (regex && with)
		path_rewrite_replace_regex(f, regex, with, false, g->a);
}

/* services.NAME.labels: `traefik.http.routers.R.rule=…`, in a list or a map */
void gateway_traefik_label(struct gateway_config *g, const char *base, const struct setting *s)
{
	static const char ROUTERS[] = "traefik.http.routers.";
	const char *labels = strstr(base, "labels"), *text = base, *end = NULL, *part[MOST_PARTS];
	struct path_rewrites f = { 0 };

	if (!labels)
		return;
	if (labels[6] == '[')
		text = s->value;
	const char *router = strstr(text, ROUTERS), *rule = s->value;
	if (router)
		end = strstr(router, ".rule");
	if (!end || (end[5] && end[5] != '='))
		return;
	if (end[5])
		rule = end + 6;
	const char *service = arena_strn(g->a, base + 9, strcspn(base + 9, "."));
	const char *name = arena_strn(g->a, router, (size_t)(end - router));
	const char *hosts = rule_read(g, rule, &f);
	const char *chain = label(g, service, arena_printf(g->a, "%s.middlewares", name));
	size_t n = 0;
	if (chain)
		n = gateway_split_list(g->a, chain, ",", part, MOST_PARTS);
	for (size_t i = 0; i < n; i++)
		label_middleware(g, service, part[i], &f);
	const char *to = label(g, service, arena_printf(g->a, "%s.service", name));
	if (!to)
		to = name + strlen(ROUTERS);
	const char *port = label(
	    g, service, arena_printf(g->a, "traefik.http.services.%s.loadbalancer.server.port", to));
	gateway_put(g, &f, service_target(g, service, port), NULL, hosts, s->line);
}
