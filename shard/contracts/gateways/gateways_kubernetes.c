/*
 * Gateways that Kubernetes has as objects: Ingress, Gateway API, Istio; and Traefik, which has
 * them in files and labels, too.
 */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_HOSTS = 8, MOST_MATCHES = 16, MOST_PARTS = 16, MOST_ROUTES = 200 };

static bool kind_is(const struct gateway_config *g, const char *kind)
{
	const char *k = gateway_get(g, "kind");

	return k && !strcmp(k, kind);
}

/* The elements of a list with blanks between; NULL: there are none. */
static const char *hosts_in(const struct gateway_config *g, const char *list)
{
	const char *all = NULL, *host;

	for (size_t i = 0; i < MOST_HOSTS && (host = gateway_get(g, "%s[%zu]", list, i)); i++)
		if (strcmp(host, "*"))
			all = arena_printf(g->a, "%s%s%s", all ? all : "", all ? " " : "", host);
	return all;
}

/* The key that a base of `a.b[0].c` has above its last step. */
static const char *above(const struct gateway_config *g, const char *base, const char *step)
{
	const char *at = strstr(base, step);

	if (at)
		return arena_strn(g->a, base, (size_t)(at - base));
	return base;
}

/* spec.rules[i].http.paths[j] */
void gateway_ingress(struct gateway_config *g, const char *base, const struct setting *s)
{
	static const char NGINX[] = "metadata.annotations.nginx.ingress.kubernetes.io";
	struct path_rewrites f = { 0 };
	const char *path = gateway_get(g, "%s.path", base), *type = gateway_get(g, "%s.pathType", base);
	const char *rewrite = gateway_get(g, "%s/rewrite-target", NGINX),
	           *regex = gateway_get(g, "%s/use-regex", NGINX);
	const char *host = gateway_get(g, "%s.host", above(g, base, ".http."));
	const char *version = gateway_get(g, "apiVersion");
	bool groups = rewrite && strchr(rewrite, '$'), beta = version && strstr(version, "v1beta1");

	if (!kind_is(g, "Ingress"))
		return;
	if (!path)
		path = "/";
	if (groups || (regex && !strcmp(regex, "true")) || strpbrk(path, "(*")) {
		path_rewrite_add(&f, PATH_REWRITE_REGEX, path, g->a);
		if (rewrite)
			path_rewrite_replace_regex(&f, path, rewrite, true, g->a);
	} else {
		path_rewrite_add(&f,
		    type && !strcmp(type, "Exact") ? PATH_REWRITE_EXACT : PATH_REWRITE_SEGMENT_PREFIX, path,
		    g->a);
		if (rewrite && beta) {	/* it was a beginning in place of another */
			path_rewrite_strip_prefix(&f, path, g->a);
			path_rewrite_add_prefix(&f, rewrite, g->a);
		} else if (rewrite) {
			path_rewrite_set(&f, rewrite, g->a);
		}
	}
	gateway_put(g, &f, s->value, NULL, host, s->line);
}

/* spec.rules[i] of the Gateway API */
void gateway_http_route(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *hosts = hosts_in(g, "spec.hostnames"), *value;

	if (!kind_is(g, "HTTPRoute"))
		return;
	for (size_t i = 0; i < MOST_MATCHES &&
	     ((value = gateway_get(g, "%s.matches[%zu].path.value", base, i)) || !i);
	     i++) {
		struct path_rewrites f = { 0 };
		const char *type = gateway_get(g, "%s.matches[%zu].path.type", base, i), *with;
		path_rewrite_add(&f,
		    type && !strcmp(type, "Exact")                 ? PATH_REWRITE_EXACT :
		        type && !strcmp(type, "RegularExpression") ? PATH_REWRITE_REGEX :
		                                                     PATH_REWRITE_SEGMENT_PREFIX,
		    value ? value : "/", g->a);
		for (size_t k = 0; k < MOST_MATCHES; k++) {
			if ((with = gateway_get(
			         g, "%s.filters[%zu].urlRewrite.path.replacePrefixMatch", base, k))) {
				path_rewrite_strip_prefix(&f, value ? value : "/", g->a);
				path_rewrite_add_prefix(&f, with, g->a);
			} else if ((with = gateway_get(
			                g, "%s.filters[%zu].urlRewrite.path.replaceFullPath", base, k))) {
				path_rewrite_set(&f, with, g->a);
			}
		}
		gateway_put(g, &f, s->value, NULL, hosts, s->line);
	}
}

/* spec.http[i] of a VirtualService */
void gateway_istio(struct gateway_config *g, const char *base, const struct setting *s)
{
	const char *hosts = hosts_in(g, "spec.hosts"),
	           *rewrite = gateway_get(g, "%s.rewrite.uri", base);

	if (!kind_is(g, "VirtualService") || !gateway_has(g, "%s.match", base))
		return;		/* all that a service gets goes to itself */
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

/*
 * What a rule matches: Host(`a`) && (PathPrefix(`/x`) || Path(`/y`, `/z`)); alternatives of paths
 * are all it may be.
 */
static const char *rule_read(
    const struct gateway_config *g, const char *rule, struct path_rewrites *f)
{
	static const struct { const char *name; enum path_rewrite_style style;
	} matchers[] = {
		{ "PathPrefix(", PATH_REWRITE_TEXT_PREFIX },
		{ "Path(", PATH_REWRITE_EXACT },
		{ "PathRegexp(", PATH_REWRITE_REGEX },
		{ "PathPrefixStrip(", PATH_REWRITE_TEXT_PREFIX },
	};
	const char *hosts = NULL, *part[MOST_PARTS];

	for (const char *s = rule; *s; s++) {
		bool begins = s == rule ||
		    !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!", s[-1]);
		const char *open = strchr(s, '('), *end = open ? strchr(open, ')') : NULL;
		if (!begins || !end)
			continue;
		size_t n = gateway_split_list(
		    g->a, arena_strn(g->a, open + 1, (size_t)(end - open - 1)), ",", part, MOST_PARTS);
		for (size_t i = 0; i < LEN(matchers); i++)
			for (size_t k = 0; k < n && !strncmp(s, matchers[i].name, strlen(matchers[i].name));
			     k++) {
				const char *colon = strstr(part[k], "{");
				path_rewrite_add(f,
				    colon && matchers[i].style != PATH_REWRITE_REGEX ? PATH_REWRITE_ANT :
				                                                       matchers[i].style,
				    part[k], g->a);
				if (matchers[i].style == PATH_REWRITE_TEXT_PREFIX && matchers[i].name[10] == 'S')
					path_rewrite_strip_prefix(f, part[k], g->a);
			}
		if (!strncmp(s, "Host(", 5))
			for (size_t k = 0; k < n; k++)
				hosts = arena_printf(g->a, "%s%s%s", hosts ? hosts : "", hosts ? " " : "", part[k]);
	}
	if (!f->n && hosts)
		path_rewrite_add(f, PATH_REWRITE_TEXT_PREFIX, "/", g->a);
	return hosts;
}

/* What a middleware does; `base`: where its settings are, label keys or a file's. */
static void middleware(const struct gateway_config *g, const char *base, struct path_rewrites *f)
{
	const char *part[MOST_PARTS], *value;

	if ((value = gateway_get(g, "%s.stripprefix.prefixes", base))) {
		size_t n = gateway_split_list(g->a, value, ",", part, MOST_PARTS);
		for (size_t i = 0; i < n; i++)
			path_rewrite_strip_prefix(f, part[i], g->a);
	}
	for (size_t i = 0;
	     i < MOST_PARTS && (value = gateway_get(g, "%s.stripPrefix.prefixes[%zu]", base, i)); i++)
		path_rewrite_strip_prefix(f, value, g->a);
	if ((value = gateway_get(g, "%s.addPrefix.prefix", base)) ||
	    (value = gateway_get(g, "%s.addprefix.prefix", base)))
		path_rewrite_add_prefix(f, value, g->a);
	if ((value = gateway_get(g, "%s.replacePath.path", base)) ||
	    (value = gateway_get(g, "%s.replacepath.path", base)))
		path_rewrite_set(f, value, g->a);
	const char *regex = gateway_get(g, "%s.replacePathRegex.regex", base),
	           *with = gateway_get(g, "%s.replacePathRegex.replacement", base);
	if (!regex)
		regex = gateway_get(g, "%s.replacepathregex.regex", base);
	if (!with)
		with = gateway_get(g, "%s.replacepathregex.replacement", base);
	if (regex && with)
		path_rewrite_replace_regex(f, regex, with, false, g->a);
}

/* http.routers.NAME of a file */
void gateway_traefik(struct gateway_config *g, const char *base, const struct setting *s)
{
	struct path_rewrites f = { 0 };
	const char *hosts = rule_read(g, s->value, &f), *service = gateway_get(g, "%s.service", base),
	           *name;

	for (size_t i = 0; i < MOST_PARTS && (name = gateway_get(g, "%s.middlewares[%zu]", base, i));
	     i++)
		middleware(
		    g, arena_printf(g->a, "http.middlewares.%.*s", (int)strcspn(name, "@"), name), &f);
	if (!service)
		return;
	const char *url = gateway_get(
	    g, "http.services.%.*s.loadBalancer.servers[0].url", (int)strcspn(service, "@"), service);
	const char *path = "";
	if (url)
		path = gateway_url_path(url);
	if (strlen(path) > 1)
		path_rewrite_add_prefix(&f, path, g->a);
	gateway_put(g, &f, url ? url : service, NULL, hosts, s->line);
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
	/* objects of their own, most often in other files: what is in front goes */
	if (gateway_has(g, "%s.middlewares", base))
		for (size_t i = 0; i < MOST_PARTS; i++) {
			const char *name = gateway_get(g, "%s.middlewares[%zu].name", base, i);
			if (name && strstr(name, "strip"))
				for (size_t k = 0; k < f.n; k++)
					path_rewrite_strip_prefix(
					    &f, arena_strn(g->a, f.v[k].path, strcspn(f.v[k].path, "{")), g->a);
		}
	gateway_put(
	    g, &f, port ? arena_printf(g->a, "%s:%s", service, port) : service, NULL, hosts, s->line);
}

/* The value of a label of a compose service, in a list or as keys. */
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

/* services.NAME.labels: `traefik.http.routers.R.rule=…`, in a list or as keys */
void gateway_traefik_label(struct gateway_config *g, const char *base, const struct setting *s)
{
	static const char ROUTERS[] = "traefik.http.routers.";
	const char *labels = strstr(base, "labels"),
	           *router = strstr(labels && labels[6] == '[' ? s->value : base, ROUTERS);
	const char *end = router ? strstr(router, ".rule") : NULL, *part[MOST_PARTS];
	struct path_rewrites f = { 0 };

	if (!labels || !end || (end[5] != '=' && end[5]))
		return;
	const char *service = arena_strn(g->a, base + 9, strcspn(base + 9, "."));
	const char *name = arena_strn(g->a, router, (size_t)(end - router));
	const char *hosts = rule_read(g, end[5] == '=' ? end + 6 : s->value, &f);
	const char *chain = label(g, service, arena_printf(g->a, "%s.middlewares", name));
	size_t n = 0;
	if (chain)
		n = gateway_split_list(g->a, chain, ",", part, MOST_PARTS);
	for (size_t i = 0; i < n; i++)
		label_middleware(g, service, part[i], &f);
	const char *port = NULL, *to = label(g, service, arena_printf(g->a, "%s.service", name));
	if (!to)
		to = name + strlen(ROUTERS);
	port = label(
	    g, service, arena_printf(g->a, "traefik.http.services.%s.loadbalancer.server.port", to));
	gateway_put(
	    g, &f, port ? arena_printf(g->a, "%s:%s", service, port) : service, NULL, hosts, s->line);
}
