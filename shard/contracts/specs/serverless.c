#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "proto/base/arena.h"
#include "proto/base/budget.h"
#include "proto/base/buf.h"
#include "proto/base/optional_text.h"
#include "shard/contracts/specs/operations.h"
#include "shard/contracts/paths/url_path.h"
#include "shard/formats/yaml_tree.h"

/* Functions and their events: AWS SAM and the Serverless Framework. */

enum { MOST = 2000 };

struct serverless_template {
	const char *form;
	const struct yaml *resources, *globals;	/* SAM */
	struct arena *a;
	struct operation *v;
	size_t n, cap;
};

/* One function, and where its code is. */
struct lambda_function {
	const char *name, *handler, *folder;
};

static void put(struct serverless_template *t, const struct lambda_function *f,
    const struct yaml *at, const char *kind, const char *method, const char *path)
{
	struct operation o = { .form = t->form, .kind = kind, .name = f->handler, .owner = f->folder,
	    .label = f->name, .line = at->line,
		.end_line = at->end_line };
	if (t->n == MOST && at->budget)
		budget_report_limit(at->budget, MOST, "functions and events", at->line);
	if (t->n == MOST || !path || !*path)
		return;
	char *verb = arena_str(t->a, method);
	for (char *c = verb; *c; c++) {
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	}
	if (!strcmp(verb, "*") || !strcmp(verb, "X-AMAZON-APIGATEWAY-ANY-METHOD"))
		o.method = "ANY";
	else
		o.method = verb;
	o.path = path;
	t->v = grow(t->v, &t->cap, t->n + 1, sizeof o);
	t->v[t->n++] = o;
}

/* The template of a path; {proxy+} matches the rest. */
static const char *path_of(struct serverless_template *t, const char *text)
{
	char *s = arena_str(t->a, text), *brace = strstr(s, "+}");

	while (brace && brace > s && *brace != '{')
		brace--;
	if (brace && *brace == '{')
		strcpy(brace, "{*}");
	return url_path(s, false, t->a);
}

/* ---- names of queues and topics ---- */

/* The text behind the last colon of an ARN or the last slash of a URL. */
static const char *tail(const char *text)
{
	const char *sign = NULL;

	if (!strncmp(text, "arn:", 4))
		sign = strrchr(text, ':');
	if (!sign && strstr(text, "://"))
		sign = strrchr(text, '/');
	if (sign)
		return sign + 1;
	return text;
}

/* The name of a template's queue or topic: its property, else its id. */
static const char *resource_name(const struct serverless_template *t, const char *id)
{
	static const char *const names[] = { "QueueName", "TopicName" };
	const struct yaml *properties = yaml_get(yaml_get(t->resources, id), "Properties");

	for (size_t i = 0; i < LEN(names); i++) {
		const char *name = yaml_get_text(properties, names[i]);
		if (name && !strchr(name, '$'))
			return name;
	}
	return id;
}

/*
 * !GetAtt Orders.Arn, { Fn::GetAtt: [Orders, Arn] }, !Ref Orders, !Sub …, an ARN: what it is
 * called.
 */
static const char *channel(struct serverless_template *t, const struct yaml *y);

/* The name in a map with an intrinsic function: { Fn::GetAtt: [Orders, Arn] }, { Ref: Orders }. */
static const char *channel_of_map(struct serverless_template *t, const struct yaml *y)
{
	static const char *const inner[] = { "Fn::GetAtt", "Ref", "Fn::Sub", "Fn::ImportValue", "arn",
		"topicName" };

	for (size_t i = 0; i < LEN(inner); i++) {
		const struct yaml *in = yaml_get(y, inner[i]);
		if (!in)
			continue;
		if (in->text && *inner[i] == 'F' && strchr(in->text, '.'))
			return resource_name(t, arena_strn(t->a, in->text, strcspn(in->text, ".")));
		if (in->text && !strcmp(inner[i], "Ref"))
			return resource_name(t, in->text);
		return channel(t, in);
	}
	return NULL;
}

/* The name that !GetAtt Orders.Arn, !Ref Orders, !Sub …, a map or an ARN means; or NULL. */
static const char *channel(struct serverless_template *t, const struct yaml *y)
{
	if (!y)
		return NULL;
	if (y->kind == YAML_LIST) {
		if (y->first && y->first->text)
			return resource_name(t, y->first->text);
		return NULL;
	}
	if (y->kind == YAML_MAP)
		return channel_of_map(t, y);
	if (!y->text)
		return NULL;
	if (y->tag && (!strcmp(y->tag, "!GetAtt") || !strcmp(y->tag, "!Ref")))
		return resource_name(t, arena_strn(t->a, y->text, strcspn(y->text, ".")));
	const char *name = tail(y->text);
	if (strpbrk(name, "${}"))
		return NULL;
	return name;
}

/* ---- SAM ---- */

/* A property of a function, else of the template's Globals. */
static const char *property(
    const struct serverless_template *t, const struct yaml *properties, const char *key)
{
	const char *own = yaml_get_text(properties, key);

	if (own)
		return own;
	return yaml_get_text(t->globals, key);
}

/* The text of a key, else the fallback. */
static const char *yaml_text_or(const struct yaml *map, const char *key, const char *fallback)
{
	return text_or(yaml_get_text(map, key), fallback);
}

static void sam_request(struct serverless_template *t, const struct lambda_function *f,
    const struct yaml *event, bool http_api)
{
	const struct yaml *properties = yaml_get(event, "Properties");
	const char *path = yaml_get_text(properties, "Path");

	if (path)
		path = path_of(t, path);
	else if (http_api)
		path = "/{*}";
	put(t, f, event, "http", yaml_text_or(properties, "Method", "ANY"), path);
}

static void sam_event(
    struct serverless_template *t, const struct lambda_function *f, const struct yaml *event)
{
	static const struct {
		const char *type, *property;
	} channels[] = { { "SQS", "Queue" }, { "SNS", "Topic" } };
	const char *type = yaml_get_text(event, "Type");

	if (!type)
		return;
	if (!strcmp(type, "Api") || !strcmp(type, "HttpApi"))
		sam_request(t, f, event, !strcmp(type, "HttpApi"));
	for (size_t i = 0; i < LEN(channels); i++)
		if (!strcmp(type, channels[i].type))
			put(t, f, event, "topic", "SUBSCRIBE",
			    channel(t, yaml_get(yaml_get(event, "Properties"), channels[i].property)));
}

static struct lambda_function sam_function(
    const struct serverless_template *t, const struct yaml *resource)
{
	const struct yaml *properties = yaml_get(resource, "Properties");

	return (struct lambda_function){ resource->key, property(t, properties, "Handler"),
		property(t, properties, "CodeUri") };
}

/* The functions that an OpenAPI document within the template names. */
static void sam_document(struct serverless_template *t, const struct yaml *body)
{
	struct operation *v = NULL;
	size_t n = 0;

	if (body)
		n = openapi_find(body, t->a, &v);
	for (size_t i = 0; i < n; i++) {
		const struct yaml *at = NULL;
		if (v[i].resource)
			at = yaml_get(t->resources, v[i].resource);
		if (!at)
			continue;
		struct lambda_function f = sam_function(t, at);
		put(t, &f, &(struct yaml){ .line = v[i].line, .end_line = v[i].end_line }, "http",
		    v[i].method, v[i].path);
	}
}

static void sam_resource(struct serverless_template *t, const struct yaml *r)
{
	const char *type = yaml_get_text(r, "Type");
	const struct yaml *properties = yaml_get(r, "Properties"),
	                  *events = yaml_get(properties, "Events");
	struct lambda_function f = sam_function(t, r);

	if (!r->key || !type)
		return;
	if (!strcmp(type, "AWS::Serverless::Api") || !strcmp(type, "AWS::Serverless::HttpApi"))
		sam_document(t, yaml_get(properties, "DefinitionBody"));
	if (strcmp(type, "AWS::Serverless::Function"))
		return;
	if (f.handler)
		put(t, &f, r, "function", "ANY", "/");
	if (!events || events->kind != YAML_MAP)
		return;
	for (const struct yaml *e = events->first; e && budget_spend(e->budget, 1, e->line);
	     e = e->next)
		sam_event(t, &f, e);
}

static void sam(struct serverless_template *t, const struct yaml *root)
{
	t->form = "sam";
	t->resources = yaml_get(root, "Resources");
	t->globals = yaml_get_path(root, "Globals/Function");
	for (const struct yaml *r = t->resources->first; r && budget_spend(r->budget, 1, r->line);
	     r = r->next)
		sam_resource(t, r);
}

/* ---- the Serverless Framework ---- */

/* `http: GET users/{id}`, `http: {method, path}`, httpApi: '*'. */
static void framework_http(
    struct serverless_template *t, const struct lambda_function *f, const struct yaml *event)
{
	const char *text = event->text, *blank = NULL, *path = yaml_get_text(event, "path");

	if (text)
		blank = strchr(text, ' ');
	if (text && !strcmp(text, "*"))
		put(t, f, event, "http", "ANY", "/{*}");
	else if (blank)
		put(t, f, event, "http", arena_strn(t->a, text, (size_t)(blank - text)),
		    path_of(t, blank + strspn(blank, " ")));
	else if (path)
		put(t, f, event, "http", yaml_text_or(event, "method", "ANY"), path_of(t, path));
}

static void framework_event(
    struct serverless_template *t, const struct lambda_function *f, const struct yaml *event)
{
	static const char *const http[] = { "http", "httpApi" }, *const channels[] = { "sqs", "sns" };

	for (size_t i = 0; i < LEN(http); i++)
		if (yaml_get(event, http[i]))
			framework_http(t, f, yaml_get(event, http[i]));
	for (size_t i = 0; i < LEN(channels); i++)
		if (yaml_get(event, channels[i]))
			put(t, f, yaml_get(event, channels[i]), "topic", "SUBSCRIBE",
			    channel(t, yaml_get(event, channels[i])));
}

/* The elements of a list, or NULL. */
static const struct yaml *elements(const struct yaml *y)
{
	if (y && y->kind == YAML_LIST)
		return y->first;
	return NULL;
}

static void framework_functions(struct serverless_template *, const struct yaml *functions);

static void framework_function(struct serverless_template *t, const struct yaml *f)
{
	struct lambda_function x = { f->key, yaml_get_text(f, "handler"), NULL };

	if (!f->key && f->kind == YAML_MAP)
		framework_functions(t, f);
	if (!x.handler)
		return;
	for (const struct yaml *e = elements(yaml_get(f, "events"));
	     e && budget_spend(e->budget, 1, e->line); e = e->next)
		framework_event(t, &x, e);
}

/* Functions are a map, or a list of maps. */
static void framework_functions(struct serverless_template *t, const struct yaml *functions)
{
	if (!functions)
		return;
	for (const struct yaml *f = functions->first; f && budget_spend(f->budget, 1, f->line);
	     f = f->next)
		framework_function(t, f);
}

/*
 * The file of a service, or one of its functions in a file of its own, which the service includes.
 */
static void framework(struct serverless_template *t, const struct yaml *root)
{
	const struct yaml *functions = yaml_get(root, "functions");

	t->form = "serverless";
	t->resources = yaml_get_path(root, "resources/Resources");
	if (yaml_get(root, "provider") || yaml_get(root, "service"))
		framework_functions(t, functions);
	else if (!functions)
		framework_functions(t, root);
}

size_t serverless_find(const struct yaml *root, struct arena *a, struct operation **out)
{
	struct serverless_template t = { .a = a };
	const struct yaml *resources = yaml_get(root, "Resources");

	if (resources && resources->kind == YAML_MAP)
		sam(&t, root);
	else
		framework(&t, root);
	*out = arena_many(a, t.n, struct operation);
	if (t.n)
		memcpy(*out, t.v, t.n * sizeof *t.v);
	free(t.v);
	return t.n;
}
