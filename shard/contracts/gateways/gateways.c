#include "shard/contracts/gateways/gateways.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/map.h"
#include "shard/contracts/gateways/gateways_internal.h"
#include "shard/settings/hcl.h"

enum { LARGEST = 2 << 20, LONGEST_RAW = 200, LONGEST_HOST = 2000, MOST = 2000 };

/*
 * The forms of configuration, by the beginning and the end of a key.  A file is read if it contains
 * `needs` and its name matches one of `files`; of the forms that fit a key, the first counts.
 */
static const struct form {
	const char *name, *files, *needs, *begins, *ends;
	gateway_reader *read;
} forms[] = {
	{ "spring-gateway", "*.y*ml|*.properties", "predicates", "spring.cloud.gateway.", ".uri",
	    gateway_spring },
	{ "zuul", "*.y*ml|*.properties", "zuul", "zuul.routes.", ".path", gateway_zuul },
	{ "zuul", "*.y*ml|*.properties", "zuul", "zuul.routes.", "", gateway_zuul_short },
	{ "ingress", "*.y*ml", "Ingress", "spec.rules[", ".backend.service.name", gateway_ingress },
	{ "ingress", "*.y*ml", "Ingress", "spec.rules[", ".backend.serviceName", gateway_ingress },
	{ "gateway-api", "*.y*ml", "HTTPRoute", "spec.rules[", ".backendRefs[0].name",
	    gateway_http_route },
	{ "istio", "*.y*ml", "VirtualService", "spec.http[", ".route[0].destination.host",
	    gateway_istio },
	{ "traefik", "*.y*ml", "IngressRoute", "spec.routes[", ".match", gateway_traefik_route },
	{ "traefik", "*.y*ml", "rule", "http.routers.", ".rule", gateway_traefik },
	{ "traefik", "*.y*ml", "traefik.http", "services.", "", gateway_traefik_label },
	{ "envoy", "*.y*ml|*.json", "route", "", ".route.cluster", gateway_envoy },
	{ "kong", "*.y*ml|*.json", "paths", "services[", ".paths[0]", gateway_kong },
	{ "kong", "*.y*ml|*.json", "paths", "routes[", ".paths[0]", gateway_kong_flat },
	{ "ocelot", "*.json", "UpstreamPathTemplate", "", ".UpstreamPathTemplate", gateway_ocelot },
	{ "yarp", "*.json", "ReverseProxy", "ReverseProxy.Routes.", ".Match.Path", gateway_yarp },
	{ "dev-proxy", "*.json", "target", "/", ".target", gateway_proxy_json },
	{ "dev-proxy", "package.json", "\"proxy\"", "proxy./", ".target", gateway_proxy_json },
	{ "dev-proxy", "package.json", "\"proxy\"", "proxy", "", gateway_proxy_word },
	{ "symfony", "*.y*ml", "controller", "", ".path", routes_symfony },
	{ "cloudformation", "*.y*ml|*.json|*.template", "AWS::SNS::", "Resources.", ".Type",
	    topics_cloudformation },
	{ "cloudformation", "*.y*ml|*.json", "AWS::SNS::", "resources.Resources.", ".Type",
	    topics_cloudformation },
	{ "terraform", "*.tf", "\"aws_s", "resource.aws_sns_topic_subscription.", ".endpoint",
	    topics_subscription },
	{ "terraform", "*.tf", "\"google_pubsub_s", "resource.google_pubsub_subscription.", ".topic",
	    topics_google },
	{ "terraform", "*.tf", "\"aws_s", "resource.aws_", ".name", topics_resource },
};

/* ---- used by readers ---- */

static size_t setting_index(const struct gateway_config *g, const char *fmt, va_list ap)
{
	char key[1024];

	vsnprintf(key, sizeof key, fmt, ap);
	return (size_t)(uintptr_t)map_get(g->by_key, key);
}

const char *gateway_get(const struct gateway_config *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	size_t at = setting_index(g, fmt, ap);
	va_end(ap);
	if (at && *g->v[at - 1].value)
		return g->v[at - 1].value;
	return NULL;
}

bool gateway_has(const struct gateway_config *g, const char *fmt, ...)
{
	char key[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(key, sizeof key, fmt, ap);
	va_end(ap);
	size_t n = strlen(key);
	for (size_t i = 0; i < g->n && budget_spend(g->budget, 1, g->v[i].line); i++)
		if (!strncmp(g->v[i].key, key, n) && strchr(".[", g->v[i].key[n]))	/* or its end */
			return true;
	return false;
}

const char *gateway_url_path(const char *url)
{
	const char *scheme = strstr(url, "://");

	if (scheme)
		url = scheme + 3;
	return url + strcspn(url, "/");
}

void gateway_add_url_path(struct path_rewrites *f, const char *url, struct arena *a)
{
	const char *path = gateway_url_path(url);

	if (strlen(path) > 1)
		path_rewrite_add_prefix(f, path, a);
}

const char *gateway_add_word(struct arena *a, const char *list, const char *word)
{
	if (list)
		return arena_printf(a, "%s %s", list, word);
	return arena_str(a, word);
}

/* The length of a list's first word; `ends` count only outside braces. */
static size_t word_length(const char *list, const char *ends)
{
	size_t n = 0;

	for (int depth = 0; list[n] && (depth || !strchr(ends, list[n])); n++)
		depth += (list[n] == '{') - (list[n] == '}');
	return n;
}

size_t gateway_split_list(
    struct arena *a, const char *list, const char *ends, const char **out, size_t max)
{
	size_t n = 0;

	while (*list && n < max) {
		size_t len = word_length(list, ends);
		const char *from = list, *to = list + len;
		while (from < to && strchr(" \t\n\"'`", *from))
			from++;
		while (to > from && strchr(" \t\n\"'`", to[-1]))
			to--;
		if (to > from)
			out[n++] = arena_strn(a, from, (size_t)(to - from));
		list += len + (list[len] != 0);
	}
	return n;
}

/* A target that begins with ${NAME:value} or ${NAME:-value}, with the value in its place. */
static const char *with_default(const char *target, struct arena *a)
{
	const char *end = NULL, *colon = NULL;

	if (!strncmp(target, "${", 2))
		end = strchr(target, '}');
	if (end)
		colon = memchr(target, ':', (size_t)(end - target));
	if (!colon || end - colon < 3)
		return target;
	colon++;
	if (*colon == '-')
		colon++;
	return arena_printf(a, "%.*s%s", (int)(end - colon), colon, end + 1);
}

/* The length of a variable at `s`, $NAME, ${NAME} or {{ name }}; 0 if there is none. */
static size_t variable_length(const char *s)
{
	const char *close = NULL;
	size_t n = 1;

	if (*s != '$' && strncmp(s, "{{", 2))
		return 0;
	if (s[*s == '$'] == '{')
		close = strchr(s, '}');
	if (close)
		return (size_t)(close - s) + 1 + (close[1] == '}');
	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* The start of the host in a target: behind the scheme and the user; NULL: a local socket. */
static const char *host_start(const char *target)
{
	const char *scheme = strstr(target, "://"), *s = target;

	if (scheme)
		s = scheme + 3;
	if (!strncmp(target, "unix:", 5) || !strncmp(s, "unix:", 5))
		return NULL;
	const char *at = memchr(s, '@', strcspn(s, "/"));
	if (at)
		return at + 1;
	return s;
}

/* host[:port] of a target, with {} for variables without a default; NULL if it is no host. */
static const char *host_of(const char *target, struct arena *a)
{
	struct buf b = { 0 };
	const char *s = host_start(with_default(target, a));

	if (!s)
		return NULL;
	while (*s && *s != '/' && *s != ' ') {
		size_t n = variable_length(s);
		if (!n) {
			buf_byte(&b, *s++);
			continue;
		}
		const char *value = with_default(arena_strn(a, s, n), a);
		if (*value == '$' || *value == '{')
			value = "{}";
		buf_str(&b, value);
		s += n;
	}
	const char *host = NULL;
	if (b.n)
		host = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return host;
}

void gateway_put(struct gateway_config *g, const struct path_rewrites *f, const char *target,
    const char *raw, const char *at, uint32_t line)
{
	const char *host = NULL;

	if (target)
		host = host_of(target, g->a);
	if (!raw)
		raw = target;
	if (raw && strlen(raw) > LONGEST_RAW)
		raw = NULL;
	if (at && !*at)
		at = NULL;
	if (g->out->n >= MOST)
		budget_report_limit(g->budget, MOST, "routes", line);
	if (host && (strlen(host) > LONGEST_HOST || (at && strlen(at) > LONGEST_HOST))) {
		budget_report_limit(g->budget, LONGEST_HOST, "bytes of a host", line);
		return;
	}
	for (size_t i = 0; host && i < f->n && g->out->n < MOST && budget_spend(g->budget, 1, line);
	     i++) {
		g->out->v = grow(g->out->v, &g->out->cap, g->out->n + 1, sizeof *g->out->v);
		g->out->v[g->out->n++] = (struct fact){ .side = "forwards",
			.kind = "http",
			.method = "ANY",
			.path = f->v[i].path,
			.host = host,
			.raw = raw,
			.framework = g->form,
			.line = line,
			.end_line = line,
			.to = path_rewrite_target(&f->v[i], g->a),
			.at = at };
	}
}

/* ---- files ---- */

static bool called(const char *path, const char *files)
{
	const char *slash = strrchr(path, '/'), *name = path;

	if (slash)
		name = slash + 1;
	for (size_t n; *files; files += n + (files[n] == '|')) {
		char pattern[32];
		n = strcspn(files, "|");
		memcpy(pattern, files, n);
		pattern[n] = '\0';
		if (!fnmatch(pattern, name, 0))
			return true;
	}
	return false;
}

/* Whether a key is one that the form looks for; its base is what comes before the end. */
static bool is_key(const struct form *f, const char *key, size_t *base)
{
	size_t n = strlen(key), b = strlen(f->begins), e = strlen(f->ends);
	size_t shared = e > 1;		/* beginning and end may share a character */

	if (n < e || n < b + e - shared)
		return false;
	*base = n - e;
	return !strncmp(key, f->begins, b) && !strcmp(key + n - e, f->ends);
}

struct gateway_file {
	struct gateway_config g;
	bool may[LEN(forms)];
};

/* Read the setting by the first form that it fits. */
static void read_setting(struct gateway_file *x, const struct setting *s)
{
	size_t base;

	for (size_t k = 0; k < LEN(forms); k++)
		if (x->may[k] && is_key(&forms[k], s->key, &base)) {
			x->g.form = forms[k].name;
			forms[k].read(&x->g, arena_strn(x->g.a, s->key, base), s);
			return;
		}
}

static void read_document(void *arg, const struct setting *v, size_t n)
{
	struct gateway_file *x = arg;

	x->g.v = v;
	x->g.n = n;
	x->g.by_key = map_new();
	for (size_t i = 0; i < n; i++)
		*map_at(x->g.by_key, v[i].key) = (void *)(uintptr_t)(i + 1);
	for (size_t i = 0; i < n && budget_spend(x->g.budget, LEN(forms), v[i].line); i++) {
		read_setting(x, &v[i]);
		/* a ConfigMap that contains a file */
		if (strstr(v[i].value, "proxy_pass") && strchr(v[i].value, '\n')) {
			x->g.form = "nginx";
			gateway_nginx(&x->g, v[i].value, strlen(v[i].value), v[i].line + 1);
		}
	}
	map_free(x->g.by_key);
}

static int by_line(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	int c = (x->line > y->line) - (x->line < y->line);

	if (c)
		return c;
	return strcmp(x->path, y->path);
}

/* Set x->may for each form that the file may have; whether there are any. */
static bool find_forms(struct gateway_file *x, const char *path, const char *text, size_t n)
{
	bool any = false;

	for (size_t k = 0; k < LEN(forms); k++) {
		x->may[k] = called(path, forms[k].files) &&
		    memmem(text, n, forms[k].needs, strlen(forms[k].needs));
		any |= x->may[k];
	}
	return any;
}

static void read_file(struct gateway_file *x, const char *path, const char *text, size_t n)
{
	bool yaml = called(path, "*.y*ml"),
	     conf = called(path, "*.conf|*.conf.*|*.nginx|*.template|*.tmpl|*.vhost|nginx*");
	bool nginx = (yaml || conf) && memmem(text, n, "_pass", 5);
	bool any = find_forms(x, path, text, n) || (yaml && nginx);

	if (any && called(path, "*.tf")) {
		struct setting *v;
		size_t count = hcl_read(text, n, x->g.a, &v);
		read_document(x, v, count);
	} else if (any) {
		settings_each_document(path, text, n, x->g.a, read_document, x);
	} else if (nginx) {
		x->g.form = "nginx";
		gateway_nginx(&x->g, text, n, 1);
	}
}

void gateways_read(const char *path, const char *text, size_t n, struct arena *a, struct facts *out)
{
	struct fact_list found = { 0 };
	struct budget budget;
	struct gateway_file x = { .g = { .path = path, .a = a, .out = &found, .budget = &budget } };

	budget_begin(&budget, BUDGET_GATEWAY, n, a);
	if (n < LARGEST)
		read_file(&x, path, text, n);
	if (found.n) {
		qsort(found.v, found.n, sizeof *found.v, by_line);
		facts_merge_contracts(out, found.v, found.n, a);
	}
	free(found.v);
}
