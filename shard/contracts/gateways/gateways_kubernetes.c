/* Gateways that Kubernetes has as objects: Ingress, Gateway API, Istio; and Traefik, which has them in files and labels, too. */
#include <string.h>

#include "shard/contracts/gateways/gateways_internal.h"

enum { MOST_HOSTS = 8, MOST_MATCHES = 16, MOST_PARTS = 16, MOST_ROUTES = 200 };

static bool kind_is(const struct gate *g, const char *kind)
{
	const char *k = gate_get(g, "kind");

	return k && !strcmp(k, kind);
}

/* The elements of a list with blanks between; NULL: there are none. */
static const char *hosts_in(const struct gate *g, const char *list)
{
	const char *all = NULL, *host;

	for (size_t i = 0; i < MOST_HOSTS && (host = gate_get(g, "%s[%zu]", list, i)); i++)
		if (strcmp(host, "*"))
			all = arena_printf(g->a, "%s%s%s", all ? all : "", all ? " " : "", host);
	return all;
}

/* The key that a base of `a.b[0].c` has above its last step. */
static const char *above(const struct gate *g, const char *base, const char *step)
{
	const char *at = strstr(base, step);

	return at ? arena_strn(g->a, base, (size_t)(at - base)) : base;
}

/* spec.rules[i].http.paths[j] */
void gate_ingress(struct gate *g, const char *base, const struct setting *s)
{
	static const char NGINX[] = "metadata.annotations.nginx.ingress.kubernetes.io";
	struct forwards f = { 0 };
	const char *path = gate_get(g, "%s.path", base), *type = gate_get(g, "%s.pathType", base);
	const char *rewrite = gate_get(g, "%s/rewrite-target", NGINX), *regex = gate_get(g, "%s/use-regex", NGINX);
	const char *host = gate_get(g, "%s.host", above(g, base, ".http."));
	const char *version = gate_get(g, "apiVersion");
	bool groups = rewrite && strchr(rewrite, '$'), beta = version && strstr(version, "v1beta1");

	if (!kind_is(g, "Ingress"))
		return;
	path = path ? path : "/";
	if (groups || (regex && !strcmp(regex, "true")) || strpbrk(path, "(*")) {
		forward_add(&f, FORWARD_REGEX, path, g->a);
		if (rewrite)
			forward_replace(&f, path, rewrite, true, g->a);
	} else {
		forward_add(&f, type && !strcmp(type, "Exact") ? FORWARD_EXACT : FORWARD_BELOW, path, g->a);
		if (rewrite && beta) {	/* it was a beginning in place of another */
			forward_cut(&f, path, g->a);
			forward_prefix(&f, rewrite, g->a);
		} else if (rewrite) {
			forward_set(&f, rewrite, g->a);
		}
	}
	gate_put(g, &f, s->value, NULL, host, s->line);
}

/* spec.rules[i] of the Gateway API */
void gate_http_route(struct gate *g, const char *base, const struct setting *s)
{
	const char *hosts = hosts_in(g, "spec.hostnames"), *value;

	if (!kind_is(g, "HTTPRoute"))
		return;
	for (size_t i = 0; i < MOST_MATCHES && ((value = gate_get(g, "%s.matches[%zu].path.value", base, i)) || !i); i++) {
		struct forwards f = { 0 };
		const char *type = gate_get(g, "%s.matches[%zu].path.type", base, i), *with;
		forward_add(&f, type && !strcmp(type, "Exact") ? FORWARD_EXACT : type && !strcmp(type, "RegularExpression") ? FORWARD_REGEX :
		    FORWARD_BELOW, value ? value : "/", g->a);
		for (size_t k = 0; k < MOST_MATCHES; k++) {
			if ((with = gate_get(g, "%s.filters[%zu].urlRewrite.path.replacePrefixMatch", base, k))) {
				forward_cut(&f, value ? value : "/", g->a);
				forward_prefix(&f, with, g->a);
			} else if ((with = gate_get(g, "%s.filters[%zu].urlRewrite.path.replaceFullPath", base, k))) {
				forward_set(&f, with, g->a);
			}
		}
		gate_put(g, &f, s->value, NULL, hosts, s->line);
	}
}

/* spec.http[i] of a VirtualService */
void gate_istio(struct gate *g, const char *base, const struct setting *s)
{
	const char *hosts = hosts_in(g, "spec.hosts"), *rewrite = gate_get(g, "%s.rewrite.uri", base);

	if (!kind_is(g, "VirtualService") || !gate_has(g, "%s.match", base))
		return;		/* all that a service gets goes to itself */
	for (size_t i = 0; i < MOST_MATCHES; i++) {
		struct forwards f = { 0 };
		const char *prefix = gate_get(g, "%s.match[%zu].uri.prefix", base, i), *exact = gate_get(g, "%s.match[%zu].uri.exact", base, i);
		const char *regex = gate_get(g, "%s.match[%zu].uri.regex", base, i);
		if (prefix)
			forward_add(&f, FORWARD_TEXT, prefix, g->a);
		else if (exact)
			forward_add(&f, FORWARD_EXACT, exact, g->a);
		else if (regex)
			forward_add(&f, FORWARD_REGEX, regex, g->a);
		if (rewrite && prefix)
			forward_begin(&f, rewrite, g->a);
		else if (rewrite && exact)
			forward_set(&f, rewrite, g->a);
		gate_put(g, &f, s->value, NULL, hosts, s->line);
	}
}

/* ---- Traefik ---- */

/* What a rule matches: Host(`a`) && (PathPrefix(`/x`) || Path(`/y`, `/z`)); alternatives of paths are all it may be. */
static const char *rule_read(const struct gate *g, const char *rule, struct forwards *f)
{
	static const struct { const char *name; enum forward_style style; } matchers[] = {
		{ "PathPrefix(", FORWARD_TEXT }, { "Path(", FORWARD_EXACT }, { "PathRegexp(", FORWARD_REGEX },
		{ "PathPrefixStrip(", FORWARD_TEXT },
	};
	const char *hosts = NULL, *part[MOST_PARTS];

	for (const char *s = rule; *s; s++) {
		bool begins = s == rule || !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!", s[-1]);
		const char *open = strchr(s, '('), *end = open ? strchr(open, ')') : NULL;
		if (!begins || !end)
			continue;
		size_t n = gate_words(g->a, arena_strn(g->a, open + 1, (size_t)(end - open - 1)), ",", part, MOST_PARTS);
		for (size_t i = 0; i < LEN(matchers); i++)
			for (size_t k = 0; k < n && !strncmp(s, matchers[i].name, strlen(matchers[i].name)); k++) {
				const char *colon = strstr(part[k], "{");
				forward_add(f, colon && matchers[i].style != FORWARD_REGEX ? FORWARD_ANT : matchers[i].style, part[k], g->a);
				if (matchers[i].style == FORWARD_TEXT && matchers[i].name[10] == 'S')
					forward_cut(f, part[k], g->a);
			}
		if (!strncmp(s, "Host(", 5))
			for (size_t k = 0; k < n; k++)
				hosts = arena_printf(g->a, "%s%s%s", hosts ? hosts : "", hosts ? " " : "", part[k]);
	}
	if (!f->n && hosts)
		forward_add(f, FORWARD_TEXT, "/", g->a);
	return hosts;
}

/* What a middleware does; `base`: where its settings are, label keys or a file's. */
static void middleware(const struct gate *g, const char *base, struct forwards *f)
{
	const char *part[MOST_PARTS], *value;

	if ((value = gate_get(g, "%s.stripprefix.prefixes", base))) {
		size_t n = gate_words(g->a, value, ",", part, MOST_PARTS);
		for (size_t i = 0; i < n; i++)
			forward_cut(f, part[i], g->a);
	}
	for (size_t i = 0; i < MOST_PARTS && (value = gate_get(g, "%s.stripPrefix.prefixes[%zu]", base, i)); i++)
		forward_cut(f, value, g->a);
	if ((value = gate_get(g, "%s.addPrefix.prefix", base)) || (value = gate_get(g, "%s.addprefix.prefix", base)))
		forward_prefix(f, value, g->a);
	if ((value = gate_get(g, "%s.replacePath.path", base)) || (value = gate_get(g, "%s.replacepath.path", base)))
		forward_set(f, value, g->a);
	const char *regex = gate_get(g, "%s.replacePathRegex.regex", base), *with = gate_get(g, "%s.replacePathRegex.replacement", base);
	regex = regex ? regex : gate_get(g, "%s.replacepathregex.regex", base);
	with = with ? with : gate_get(g, "%s.replacepathregex.replacement", base);
	if (regex && with)
		forward_replace(f, regex, with, false, g->a);
}

/* http.routers.NAME of a file */
void gate_traefik(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };
	const char *hosts = rule_read(g, s->value, &f), *service = gate_get(g, "%s.service", base), *name;

	for (size_t i = 0; i < MOST_PARTS && (name = gate_get(g, "%s.middlewares[%zu]", base, i)); i++)
		middleware(g, arena_printf(g->a, "http.middlewares.%.*s", (int)strcspn(name, "@"), name), &f);
	if (!service)
		return;
	const char *url = gate_get(g, "http.services.%.*s.loadBalancer.servers[0].url", (int)strcspn(service, "@"), service);
	const char *path = url ? gate_url_path(url) : "";
	if (strlen(path) > 1)
		forward_prefix(&f, path, g->a);
	gate_put(g, &f, url ? url : service, NULL, hosts, s->line);
}

/* spec.routes[i] of an IngressRoute */
void gate_traefik_route(struct gate *g, const char *base, const struct setting *s)
{
	struct forwards f = { 0 };
	const char *service = gate_get(g, "%s.services[0].name", base), *port = gate_get(g, "%s.services[0].port", base);

	if (!kind_is(g, "IngressRoute") || !service)
		return;
	const char *hosts = rule_read(g, s->value, &f);
	if (gate_has(g, "%s.middlewares", base))	/* objects of their own, most often in other files: what is in front goes */
		for (size_t i = 0; i < MOST_PARTS; i++) {
			const char *name = gate_get(g, "%s.middlewares[%zu].name", base, i);
			if (name && strstr(name, "strip"))
				for (size_t k = 0; k < f.n; k++)
					forward_cut(&f, arena_strn(g->a, f.v[k].path, strcspn(f.v[k].path, "{")), g->a);
		}
	gate_put(g, &f, port ? arena_printf(g->a, "%s:%s", service, port) : service, NULL, hosts, s->line);
}

/* The value of a label of a compose service, in a list or as keys. */
static const char *label(const struct gate *g, const char *service, const char *name)
{
	static const char *const lists[] = { "labels", "deploy.labels" };
	size_t n = strlen(name);

	for (size_t k = 0; k < LEN(lists); k++) {
		const char *value = gate_get(g, "services.%s.%s.%s", service, lists[k], name);
		for (size_t i = 0; i < MOST_ROUTES && !value; i++) {
			const char *text = gate_get(g, "services.%s.%s[%zu]", service, lists[k], i);
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

static void label_middleware(const struct gate *g, const char *service, const char *name, struct forwards *f)
{
	static const char *const kinds[] = { "stripprefix.prefixes", "addprefix.prefix", "replacepath.path" };
	const char *base = arena_printf(g->a, "traefik.http.middlewares.%.*s", (int)strcspn(name, "@"), name), *part[MOST_PARTS];

	for (size_t i = 0; i < LEN(kinds); i++) {
		const char *value = label(g, service, arena_printf(g->a, "%s.%s", base, kinds[i]));
		size_t n = value ? gate_words(g->a, value, ",", part, MOST_PARTS) : 0;
		for (size_t k = 0; k < n; k++) {
			if (i == 0)
				forward_cut(f, part[k], g->a);
			else if (i == 1)
				forward_prefix(f, part[k], g->a);
			else
				forward_set(f, part[k], g->a);
		}
	}
	const char *regex = label(g, service, arena_printf(g->a, "%s.replacepathregex.regex", base));
	const char *with = label(g, service, arena_printf(g->a, "%s.replacepathregex.replacement", base));
	if (regex && with)
		forward_replace(f, regex, with, false, g->a);
}

/* services.NAME.labels: `traefik.http.routers.R.rule=…`, in a list or as keys */
void gate_traefik_label(struct gate *g, const char *base, const struct setting *s)
{
	static const char ROUTERS[] = "traefik.http.routers.";
	const char *labels = strstr(base, "labels"), *router = strstr(labels && labels[6] == '[' ? s->value : base, ROUTERS);
	const char *end = router ? strstr(router, ".rule") : NULL, *part[MOST_PARTS];
	struct forwards f = { 0 };

	if (!labels || !end || (end[5] != '=' && end[5]))
		return;
	const char *service = arena_strn(g->a, base + 9, strcspn(base + 9, "."));
	const char *name = arena_strn(g->a, router, (size_t)(end - router));
	const char *hosts = rule_read(g, end[5] == '=' ? end + 6 : s->value, &f);
	const char *chain = label(g, service, arena_printf(g->a, "%s.middlewares", name));
	size_t n = chain ? gate_words(g->a, chain, ",", part, MOST_PARTS) : 0;
	for (size_t i = 0; i < n; i++)
		label_middleware(g, service, part[i], &f);
	const char *port = NULL, *to = label(g, service, arena_printf(g->a, "%s.service", name));
	to = to ? to : name + strlen(ROUTERS);
	port = label(g, service, arena_printf(g->a, "traefik.http.services.%s.loadbalancer.server.port", to));
	gate_put(g, &f, port ? arena_printf(g->a, "%s:%s", service, port) : service, NULL, hosts, s->line);
}
