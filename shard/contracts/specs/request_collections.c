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
#include "shard/contracts/urls/route_syntax.h"
#include "shard/contracts/urls/url_evaluator.h"
#include "shard/facts/facts.h"
#include "shard/formats/yaml_tree.h"

/*
 * Requests that people and load tests make with tools: Postman collections, JMeter plans, .http
 * files.
 */

/* bytes of a URL as it is written, and filled */
enum { MOST = 2000, LONGEST = 2000, FILLED = 8000, NESTED = 16 };

struct request_collection {
	const char *framework;
	struct arena *a;
	struct map *variables;		/* name -> text */
	struct budget budget;		/* variables may stand for others, and these for others */
	struct fact_list found;
};

/* A text with what the collection says of its variables; others are holes. */
static const char *filled(struct request_collection *c, const char *text, int depth)
{
	struct buf b = { 0 };

	while (*text && b.n <= FILLED && budget_spend(&c->budget, 1, 0)) {
		const char *close = !strncmp(text, "{{", 2) ? strstr(text, "}}") : NULL, *from = text + 2;
		size_t n = 0;
		if (close)
			n = (size_t)(close - from);
		while (n && isspace((unsigned char)*from))
			from++, n--;
		while (n && isspace((unsigned char)from[n - 1]))
			n--;
		const char *value = NULL;
		if (close && depth)
			value = map_get(c->variables, arena_strn(c->a, from, n));
		if (!close)
			buf_byte(&b, *text);
		else
			buf_str(&b, value ? filled(c, value, depth - 1) : "{}");
		if (close)
			text = close + 2;
		else
			text = text + 1;
	}
	const char *out = arena_strn(c->a, b.p ? b.p : "", b.n);
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

/* `/users/:id`: the text behind the host with holes for what begins with a colon. */
static const char *without_names(struct request_collection *c, const char *url)
{
	struct buf b = { 0 };

	for (const char *s = url; *s; s++) {
		bool name = *s == '/' && s[1] == ':' && isalpha((unsigned char)s[2]);
		buf_byte(&b, *s);
		if (name) {
			buf_str(&b, "{}");
			s += 1 + strcspn(s + 1, "/?#");
			s--;
		}
	}
	const char *out = arena_strn(c->a, b.p ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

/* `localhost:8080/users` is a URL without its scheme. */
static bool begins_with_host(const char *url)
{
	size_t n = strcspn(url, "/?#"), name = strcspn(url, ":/?#");

	return name && !strstr(url, "://") && *url != '{' &&
	    (url[name] == ':' ? isdigit((unsigned char)url[name + 1]) :
	                        !strncmp(url, "localhost", n) && n == 9);
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

static void postman_item(struct request_collection *c, const struct yaml *item, int depth)
{
	if (!budget_spend(item->budget, 1, item->line))
		return;
	const struct yaml *request = yaml_get(item, "request"), *items = yaml_get(item, "item"),
	                  *url = yaml_get(request, "url");
	const char *method = yaml_get_text(request, "method"),
	           *raw = url && url->text ? url->text : yaml_get_text(url, "raw");

	if (request && request->text)
		put(c, "GET", request->text, yaml_get_text(item, "name"), request->line, request->line);
	else if (request && raw)
		put(c, method ? verb_of(method, strlen(method)) : "GET", raw, yaml_get_text(item, "name"),
		    request->line, url->end_line);
	for (const struct yaml *i = items && items->kind == YAML_LIST && depth ? items->first : NULL; i;
	     i = i->next)
		postman_item(c, i, depth - 1);
}

static void postman(struct request_collection *c, const char *text, size_t n)
{
	const struct yaml *root = yaml_read(text, n, c->a), *variables = yaml_get(root, "variable");
	const char *schema = yaml_get_text(yaml_get(root, "info"), "schema");

	if (!schema || !strstr(schema, "postman.com/json/collection"))
		return;
	for (const struct yaml *v = variables ? variables->first : NULL; v; v = v->next)
		if (yaml_get_text(v, "key") && yaml_get_text(v, "value") && *yaml_get_text(v, "value"))
			*map_at(c->variables, yaml_get_text(v, "key")) = (void *)yaml_get_text(v, "value");
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
	for (eq++; eq < end && isspace((unsigned char)*eq); eq++)
		;
	*map_at(c->variables, arena_strn(c->a, s, (size_t)(stop - s))) = arena_strn(c->a, eq, (size_t)(end - eq));
}

/* How long a URL is: up to a blank that is not in {{ braces }}. */
static size_t url_length(const char *url)
{
	size_t n = 0;

	while (url[n] &&
	    (!isspace((unsigned char)url[n]) ||
	        (n && url[n] == ' ' && (url[n - 1] == '{' || url[n + 1] == '}'))))
		n++;
	return n;
}

/* `GET URL HTTP/1.1`, or a URL alone; whether it is one. */
static bool http_request(struct request_collection *c, const char *line, uint32_t at)
{
	size_t n = strcspn(line, " \t");
	const char *method = line[n] ? verb_of(line, n) : NULL,
	           *url = method ? line + n + strspn(line + n, " \t") : line;

	if (!method && strncmp(url, "http://", 7) && strncmp(url, "https://", 8))
		return false;
	put(c, method ? method : "GET", arena_strn(c->a, url, url_length(url)), NULL, at, at);
	return true;
}

static void http_file(struct request_collection *c, const char *text, size_t n)
{
	const char *end = text + n;
	uint32_t line = 1;
	bool open = true;		/* a request may come; else we are in one */

	text += n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
	for (const char *s = text, *eol; s < end; s = eol + 1, line++) {
		if (memchr(s, '\n', (size_t)(end - s)))
			eol = memchr(s, '\n', (size_t)(end - s));
		else
			eol = end;
		const char *stop = eol, *begin = s;
		while (stop > s && isspace((unsigned char)stop[-1]))
			stop--;
		while (s < stop && isspace((unsigned char)*s))
			s++;
		if (stop - s >= 3 && !memcmp(s, "###", 3))
			open = true;
		else if (s < stop && *s == '@' && open)
			http_variable(c, s + 1, stop);
		else if (open && stop - s > 5 && !memcmp(s, "HTTP/", 5))
			open = false;	/* an answer */
		else if (s < stop && s == begin && open && *s != '#' && *s != '/' &&
		    *s != '<')	/* indented is an example in a text */
			open = !http_request(c, arena_strn(c->a, s, (size_t)(stop - s)), line);
	}
}

/* ---- JMeter ---- */

/* The text of <stringProp name="HTTPSampler.WHAT">. */
static const char *property(
    struct request_collection *c, const char *s, const char *end, const char *what)
{
	const char *name = arena_printf(c->a, "name=\"HTTPSampler.%s\">", what);
	const char *at = memmem(s, (size_t)(end - s), name, strlen(name));
	const char *from = at ? at + strlen(name) : NULL,
	           *to = at ? memchr(from, '<', (size_t)(end - from)) : NULL;

	if (to)
		return route_syntax_convert("holes", arena_strn(c->a, from, (size_t)(to - from)), c->a);
	return "";
}

/* One sampler, with what the defaults of the plan say where it says nothing. */
static void jmeter_sampler(
    struct request_collection *c, const char *s, const char *end, const char *domain, uint32_t line)
{
	const char *own = property(c, s, end, "domain"), *port = property(c, s, end, "port"),
	           *path = property(c, s, end, "path");
	const char *method = property(c, s, end, "method"), *host = *own ? own : domain;

	if (strstr(path, "://"))
		put(c, verb_of(method, strlen(method)), path, NULL, line, line);
	else if (*path)
		put(c, verb_of(method, strlen(method)),
		    arena_printf(c->a, "%s%s%s%s%s%s", *host ? "http://" : "", host,
		        *host && *port ? ":" : "", *host ? port : "", *path == '/' ? "" : "/", path),
		    NULL, line, line);
}

static void jmeter(struct request_collection *c, const char *text, size_t n)
{
	static const char open[] = "<HTTPSamplerProxy", close[] = "</HTTPSamplerProxy>",
	                  defaults[] = "HttpDefaultsGui";
	const char *end = text + n, *counted = text,
	           *at = memmem(text, n, defaults, sizeof defaults - 1);
	const char *stop = at ? memmem(at, (size_t)(end - at), "</ConfigTestElement>", 20) : NULL;
	const char *domain = stop ? property(c, at, stop, "domain") : "";
	uint32_t line = 1;

	for (const char *s = text; (s = memmem(s, (size_t)(end - s), open, sizeof open - 1));
	     s = stop) {
		const char *head = memchr(s, '>', (size_t)(end - s));
		if (!head || !(stop = memmem(s, (size_t)(end - s), close, sizeof close - 1)))
			return;
		for (; counted < s; counted++)
			line += *counted == '\n';
		if (!memmem(s, (size_t)(head - s), "enabled=\"false\"", 15))
			jmeter_sampler(c, s, stop, domain, line);
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
