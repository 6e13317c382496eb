#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/buf.h"
#include "proto/base/map.h"
#include "shard/contracts/specs/operations.h"
#include "shard/contracts/paths/route_syntax.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/facts/facts.h"
#include "shard/formats/yaml_tree.h"

/*
 * Requests that people and load tests make with tools: Postman collections, JMeter plans, .http
 * files.
 */

/* LONGEST, FILLED: bytes of a URL as it is written, and with its variables replaced */
enum { MOST = 2000, LONGEST = 2000, FILLED = 8000, NESTED = 16 };

struct request_collection {
	const char *framework;
	struct arena *a;
	struct map *variables;		/* name -> text */
	struct budget budget;		/* variables may stand for others, and these for others */
	struct fact_list found;
};

/* A text with what the collection says of its variables; others are holes. */
static const char *filled(struct request_collection *, const char *text, int depth);

/* The value of a variable `{{ name }}`, whose name is `n` bytes; {} if it is unknown. */
static const char *variable_value(
    struct request_collection *c, const char *name, size_t n, int depth)
{
	const char *value = NULL;

	while (n && isspace((unsigned char)*name)) {
		name++;
		n--;
	}
	while (n && isspace((unsigned char)name[n - 1]))
		n--;
	if (depth)
		value = map_get(c->variables, arena_strn(c->a, name, n));
	if (!value)
		return "{}";
	return filled(c, value, depth - 1);
}

/* A text with the values of the collection's variables; unknown ones are holes. */
static const char *filled(struct request_collection *c, const char *text, int depth)
{
	struct buf b = { 0 };

	while (*text && b.n <= FILLED && budget_spend(&c->budget, 1, 0)) {
		const char *close = NULL;
		if (!strncmp(text, "{{", 2))
			close = strstr(text, "}}");
		if (!close) {
			buf_byte(&b, *text++);
			continue;
		}
		size_t n = 0;
		if (close > text + 2)
			n = (size_t)(close - text - 2);
		buf_str(&b, variable_value(c, text + 2, n, depth));
		text = close + 2;
	}
	const char *out = arena_strn(c->a, b.p, b.n);
	buf_free(&b);
	return out;
}

static const char *verb_of(const char *s, size_t n)
{
	static const char *const verbs[] = { "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD",
		"OPTIONS" };

	for (size_t i = 0; i < LEN(verbs); i++)
		if (strlen(verbs[i]) == n && !strncasecmp(verbs[i], s, n))
			return verbs[i];
	return NULL;
}

/* `/users/:id`: a URL with holes for the segments that begin with a colon. */
static const char *without_names(struct request_collection *c, const char *url)
{
	struct buf b = { 0 };

	for (const char *s = url; *s; s++) {
		bool name = *s == '/' && s[1] == ':' && isalpha((unsigned char)s[2]);
		buf_byte(&b, *s);
		if (name) {
			buf_str(&b, "{}");
			s += strcspn(s + 1, "/?#");
		}
	}
	const char *out = arena_strn(c->a, b.p, b.n);
	buf_free(&b);
	return out;
}

/* `localhost:8080/users` is a URL without its scheme. */
static bool begins_with_host(const char *url)
{
	size_t n = strcspn(url, "/?#"), name = strcspn(url, ":/?#");

	if (!name || *url == '{' || strstr(url, "://"))
		return false;
	if (url[name] == ':')
		return isdigit((unsigned char)url[name + 1]);
	return n == 9 && !strncmp(url, "localhost", n);
}

static void put(struct request_collection *c, const char *method, const char *url,
    const char *symbol, uint32_t line, uint32_t end_line)
{
	struct fact f = { .side = "consumes", .kind = "http", .framework = c->framework,
	    .method = method, .raw = url, .symbol = symbol,
		.scope = "devtool", .line = line, .end_line = end_line };

	if (!method || !url || !*url || strlen(url) > LONGEST || c->found.n == MOST)
		return;
	url = filled(c, url, 3);
	if (strlen(url) > FILLED) {
		budget_report_limit(&c->budget, FILLED, "bytes of a URL", line);
		return;
	}
	if (begins_with_host(url))
		url = arena_printf(c->a, "http://%s", url);
	if (!url_split(without_names(c, url), c->a, &f.host, &f.path))
		f.reason = "dynamic";
	c->found.v = grow(c->found.v, &c->found.cap, c->found.n + 1, sizeof f);
	c->found.v[c->found.n++] = f;
}

/* ---- Postman ---- */

static void postman_request(
    struct request_collection *c, const struct yaml *request, const char *name)
{
	const struct yaml *url = yaml_get(request, "url");
	const char *method = yaml_get_text(request, "method"), *raw = NULL, *verb = "GET";

	if (request->text) {
		put(c, "GET", request->text, name, request->line, request->line);
		return;
	}
	if (url)
		raw = url->text;
	if (!raw)
		raw = yaml_get_text(url, "raw");
	if (!raw)
		return;
	if (method)
		verb = verb_of(method, strlen(method));
	put(c, verb, raw, name, request->line, url->end_line);
}

/* The elements of a list, or NULL. */
static const struct yaml *elements(const struct yaml *y)
{
	if (y && y->kind == YAML_LIST)
		return y->first;
	return NULL;
}

static void postman_item(struct request_collection *c, const struct yaml *item, int depth)
{
	if (!budget_spend(item->budget, 1, item->line))
		return;
	const struct yaml *request = yaml_get(item, "request");
	if (request)
		postman_request(c, request, yaml_get_text(item, "name"));
	if (!depth)
		return;
	for (const struct yaml *i = elements(yaml_get(item, "item")); i; i = i->next)
		postman_item(c, i, depth - 1);
}

static void postman_variable(struct request_collection *c, const struct yaml *v)
{
	const char *key = yaml_get_text(v, "key"), *value = yaml_get_text(v, "value");

	if (key && value && *value)
		*map_at(c->variables, key) = (void *)value;
}

static void postman(struct request_collection *c, const char *text, size_t n)
{
	const struct yaml *root = yaml_read(text, n, c->a), *variables = yaml_get(root, "variable");
	const char *schema = yaml_get_text(yaml_get(root, "info"), "schema");

	if (!schema || !strstr(schema, "postman.com/json/collection"))
		return;
	if (variables)
		for (const struct yaml *v = variables->first; v; v = v->next)
			postman_variable(c, v);
	postman_item(c, root, NESTED);
}

/* ---- .http, .rest ---- */

/* `@name = value` */
static void http_variable(struct request_collection *c, const char *s, const char *end)
{
	const char *eq = memchr(s, '=', (size_t)(end - s)), *stop = eq;

	if (!eq)
		return;
	while (stop > s && isspace((unsigned char)stop[-1]))
		stop--;
	const char *value = eq + 1;
	while (value < end && isspace((unsigned char)*value))
		value++;
	const char *name = arena_strn(c->a, s, (size_t)(stop - s));
	*map_at(c->variables, name) = arena_strn(c->a, value, (size_t)(end - value));
}

/* Whether a space in a URL is inside {{ braces }}. */
static bool is_space_in_braces(const char *url, size_t at)
{
	return at && url[at] == ' ' && (url[at - 1] == '{' || url[at + 1] == '}');
}

/* The length of a URL: up to white space that is not in {{ braces }}. */
static size_t url_length(const char *url)
{
	size_t n = 0;

	while (url[n] && (!isspace((unsigned char)url[n]) || is_space_in_braces(url, n)))
		n++;
	return n;
}

/* `GET URL HTTP/1.1`, or a URL alone; false: the line is something else. */
static bool http_request(struct request_collection *c, const char *line, uint32_t at)
{
	size_t n = strcspn(line, " \t");
	const char *method = NULL, *url = line;

	if (line[n])
		method = verb_of(line, n);
	if (method)
		url = line + n + strspn(line + n, " \t");
	else if (!strncmp(url, "http://", 7) || !strncmp(url, "https://", 8))
		method = "GET";
	else
		return false;
	put(c, method, arena_strn(c->a, url, url_length(url)), NULL, at, at);
	return true;
}

/*
 * Read one line, without the white space around it.  `*open`: whether a request may come; it is
 * false inside a request or a response.
 */
static void http_line(struct request_collection *c, const char *s, const char *stop, bool indented,
    uint32_t line, bool *open)
{
	if (stop - s >= 3 && !memcmp(s, "###", 3)) {
		*open = true;
		return;
	}
	if (s == stop || !*open)
		return;
	if (*s == '@')
		http_variable(c, s + 1, stop);
	else if (stop - s > 5 && !memcmp(s, "HTTP/", 5))
		*open = false;		/* a response */
	else if (!indented && *s != '#' && *s != '/' && *s != '<')	/* indented: an example in a text */
		*open = !http_request(c, arena_strn(c->a, s, (size_t)(stop - s)), line);
}

static void http_file(struct request_collection *c, const char *text, size_t n)
{
	const char *end = text + n;
	uint32_t line = 1;
	bool open = true;

	if (n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		text += 3;
	while (text < end) {
		const char *eol = memchr(text, '\n', (size_t)(end - text)), *s = text;
		if (!eol)
			eol = end;
		const char *stop = eol;
		while (stop > s && isspace((unsigned char)stop[-1]))
			stop--;
		while (s < stop && isspace((unsigned char)*s))
			s++;
		http_line(c, s, stop, s > text, line, &open);
		text = eol + 1;
		line++;
	}
}

/* ---- JMeter ---- */

/* The text of <stringProp name="HTTPSampler.WHAT">; "" if there is none. */
static const char *property(
    struct request_collection *c, const char *s, const char *end, const char *what)
{
	const char *name = arena_printf(c->a, "name=\"HTTPSampler.%s\">", what);
	const char *from = memmem(s, (size_t)(end - s), name, strlen(name));

	if (!from)
		return "";
	from += strlen(name);
	const char *to = memchr(from, '<', (size_t)(end - from));
	if (!to)
		return "";
	return route_syntax_convert("holes", arena_strn(c->a, from, (size_t)(to - from)), c->a);
}

/* The URL of a sampler from its parts; `host` may be "". */
static const char *sampler_url(
    struct request_collection *c, const char *host, const char *port, const char *path)
{
	const char *slash = *path == '/' ? "" : "/";

	if (!*host)
		return arena_printf(c->a, "%s%s", slash, path);
	if (!*port)
		return arena_printf(c->a, "http://%s%s%s", host, slash, path);
	return arena_printf(c->a, "http://%s:%s%s%s", host, port, slash, path);
}

/* One sampler, with the domain of the plan's defaults if it has none. */
static void jmeter_sampler(
    struct request_collection *c, const char *s, const char *end, const char *domain, uint32_t line)
{
	const char *host = property(c, s, end, "domain"), *port = property(c, s, end, "port"),
	           *path = property(c, s, end, "path");
	const char *method = property(c, s, end, "method");

	if (!*path)
		return;
	if (!*host)
		host = domain;
	if (!strstr(path, "://"))
		path = sampler_url(c, host, port, path);
	put(c, verb_of(method, strlen(method)), path, NULL, line, line);
}

/* The domain in the defaults of a plan; "" if there is none. */
static const char *jmeter_domain(struct request_collection *c, const char *text, const char *end)
{
	static const char defaults[] = "HttpDefaultsGui", close[] = "</ConfigTestElement>";
	const char *at = memmem(text, (size_t)(end - text), defaults, sizeof defaults - 1);

	if (!at)
		return "";
	const char *stop = memmem(at, (size_t)(end - at), close, sizeof close - 1);
	if (!stop)
		return "";
	return property(c, at, stop, "domain");
}

static void jmeter(struct request_collection *c, const char *text, size_t n)
{
	static const char open[] = "<HTTPSamplerProxy", close[] = "</HTTPSamplerProxy>";
	const char *end = text + n, *counted = text, *domain = jmeter_domain(c, text, end);
	uint32_t line = 1;

	for (const char *s = text;;) {
		s = memmem(s, (size_t)(end - s), open, sizeof open - 1);
		if (!s)
			return;
		const char *head = memchr(s, '>', (size_t)(end - s));
		const char *stop = memmem(s, (size_t)(end - s), close, sizeof close - 1);
		if (!head || !stop)
			return;
		for (; counted < s; counted++)
			line += *counted == '\n';
		if (!memmem(s, (size_t)(head - s), "enabled=\"false\"", 15))
			jmeter_sampler(c, s, stop, domain, line);
		s = stop;
	}
}

void collections_find(
    const char *language, const char *text, size_t n, struct arena *a, struct facts *out)
{
	static const struct {
		const char *language, *framework, *word;
		void (*read)(struct request_collection *, const char *, size_t);
	} forms[] = {
		{ "json", "postman", "postman.com/json/collection", postman },
		{ "http", "http-file", "", http_file },
		{ "xml", "jmeter", "<jmeterTestPlan", jmeter },
	};
	struct request_collection c = { .a = a };

	budget_begin(&c.budget, BUDGET_COLLECTION, n, a);
	for (size_t i = 0; i < LEN(forms); i++) {
		if (strcmp(forms[i].language, language) ||
		    !memmem(text, n, forms[i].word, strlen(forms[i].word)))
			continue;
		c.framework = forms[i].framework;
		c.variables = map_new();
		forms[i].read(&c, text, n);
		map_free(c.variables);
		facts_merge_contracts(out, c.found.v, c.found.n, a);
		free(c.found.v);
		return;
	}
}
