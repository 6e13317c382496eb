#include "coordinator/mcp/mcp_resources.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/calls/call_metrics.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/mcp/mcp_fixtures.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/mcp/mcp_session.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"
#include "proto/text/repo_uri.h"

enum resource_scope { ALL, GROUP, REPO };

/* The beginning of the URIs of each scope, and the variable that follows. */
static const struct {
	const char *head, *variable, *prefix;
} kinds[] = {
	[ALL] = { "atoll://", NULL, NULL },
	[GROUP] = { "atoll://group/", "{name}", "group" },
	[REPO] = { "atoll://repo/", "{repo_uri}", "repo" },
};

static const struct resource {
	enum resource_scope of;
	const char *leaf, *tool, *argument, *title, *doc;
} resources[] = {
#define RESOURCE(of, leaf, tool, argument, title, doc) { of, #leaf, #tool, argument, title, doc },
#include "coordinator/mcp/mcp_resources.def"
};

/* ---- URIs ---- */

/* Percent-encode as one segment, as a simple variable is expanded (RFC 6570, 3.2.2). */
static const char *encode(const char *s, struct arena *a)
{
	struct buf b = { 0 };

	for (; *s; s++) {
		if (isalnum((unsigned char)*s) || strchr("-._~", *s))
			buf_byte(&b, *s);
		else
			buf_printf(&b, "%%%02X", (unsigned char)*s);
	}
	const char *encoded = arena_str(a, text_or_empty(b.p));
	buf_free(&b);
	return encoded;
}

static const char *uri_of(const struct resource *r, const char *value, struct arena *a)
{
	if (r->of == ALL)
		return arena_printf(a, "%s%s", kinds[ALL].head, r->leaf);
	return arena_printf(a, "%s%s/%s", kinds[r->of].head, encode(value, a), r->leaf);
}

/* The resource that a URI names, and the value of its variable, whose slashes may be unencoded. */
static const struct resource *find(const char *uri, const char **value, struct arena *a)
{
	const char *slash = strrchr(uri, '/');

	for (size_t i = 0; slash && i < LEN(resources); i++) {
		const struct resource *r = &resources[i];
		size_t n = strlen(kinds[r->of].head);
		if (strncmp(uri, kinds[r->of].head, n) || strcmp(slash + 1, r->leaf))
			continue;
		if (r->of == ALL && slash + 1 == uri + n)
			return r;
		if (r->of != ALL && slash > uri + n) {
			*value = uri_decode(uri + n, (size_t)(slash - uri) - n, a);
			return r;
		}
	}
	return NULL;
}

bool resource_visible(struct mcp_request *t, const char *uri)
{
	const char *value = NULL;
	const struct resource *r = find(uri, &value, t->a);
	struct call c = mcp_request_call(t);
	struct group_row row;

	if (!r)
		return fixture_resource(t, uri);
	if (r->of == GROUP)
		return !view_group(&c, value, &row);
	if (r->of == REPO)
		return members_get(t->co->members, t->caller, value);
	return true;
}

/* ---- lists ---- */

/* An existing resource; `name` is the display name of its group or repository, or "". */
struct resource_entry {
	const struct resource *r;
	const char *uri, *name;
};

static size_t expand(enum resource_scope of, const char *value, const char *name,
    struct resource_entry *to, struct arena *a)
{
	size_t n = 0;

	for (size_t i = 0; i < LEN(resources); i++)
		if (resources[i].of == of)
			to[n++] = (struct resource_entry){ &resources[i], uri_of(&resources[i], value, a),
				name };
	return n;
}

static void put_entry(const struct resource_entry *e, struct buf *out, struct arena *a)
{
	const char *title = e->r->title;

	if (*e->name)
		title = arena_printf(a, "%s: %s", e->name, title);
	buf_str(out, "{\"uri\":");
	json_quote(out, e->uri);
	buf_printf(out, ",\"name\":\"%s\",\"title\":", e->r->leaf);
	json_quote(out, title);
	buf_str(out, ",\"description\":");
	json_quote(out, e->r->doc);
	buf_str(out, ",\"mimeType\":\"application/json\"}");
}

/* All resources that the caller may see: those of groups, then those of repositories, by name. */
static struct resource_entry *entries(struct mcp_request *t, size_t *n, struct err *e)
{
	struct call c = mcp_request_call(t);
	struct group_row *groups;
	size_t ngroups, nrepos;

	if (view_groups(&c, &groups, &ngroups)) {
		*e = c.e;
		return NULL;
	}
	struct member **repos = members_all(t->co->members, t->caller, t->a, &nrepos);
	struct resource_entry *v = arena_many(
	    t->a, (1 + ngroups + nrepos) * LEN(resources), struct resource_entry);
	*n = expand(ALL, NULL, "", v, t->a);
	for (size_t i = 0; i < ngroups; i++)
		*n += expand(GROUP, groups[i].name, groups[i].name, v + *n, t->a);
	for (size_t i = 0; i < nrepos; i++)
		*n += expand(REPO, repos[i]->repo_uri, repos[i]->name, v + *n, t->a);
	return v;
}

/* Runs on a worker thread, since it reads the registry. */
static void list(void *arg)
{
	struct mcp_request *t = arg;
	struct err e = { 0 };
	struct buf b = { 0 };
	size_t n, from;
	struct resource_entry *v = entries(t, &n, &e);

	if (!v) {
		mcp_request_fail(t, 200, INTERNAL, NULL, "%s", e.msg);
		return;
	}
	if (mcp_page_begin(t, n, &from))
		return;
	mcp_result_open(t, &b);
	buf_str(&b, "\"resources\":[");
	for (size_t i = from; i < n && i < from + PAGE; i++) {
		buf_str(&b, i > from ? "," : "");
		put_entry(&v[i], &b, t->a);
	}
	if (n <= from + PAGE)
		fixture_resources(t, &b);
	buf_byte(&b, ']');
	mcp_page_put_next(from, n, &b);
	mcp_result_put_cache(t, &b);
	mcp_result_send(t, &b);
}

void mcp_list_resources(struct mcp_request *t)
{
	mcp_request_run_on_worker(t, list);
}

void mcp_list_templates(struct mcp_request *t)
{
	struct buf b = { 0 };
	const char *sep = "";
	size_t from;

	if (mcp_page_begin(t, 0, &from))
		return;
	mcp_result_open(t, &b);
	buf_str(&b, "\"resourceTemplates\":[");
	for (size_t i = 0; i < LEN(resources); i++) {
		const struct resource *r = &resources[i];
		if (r->of == ALL)
			continue;
		buf_printf(&b, "%s{\"uriTemplate\":\"%s%s/%s\",\"name\":\"%s_%s\",", sep,
		    kinds[r->of].head, kinds[r->of].variable, r->leaf, kinds[r->of].prefix, r->leaf);
		buf_printf(&b, "\"title\":\"%s\",\"description\":", r->title);
		json_quote(&b, r->doc);
		buf_str(&b, ",\"mimeType\":\"application/json\"}");
		sep = ",";
	}
	fixture_templates(t, &b);
	buf_byte(&b, ']');
	mcp_result_put_cache(t, &b);
	mcp_result_send(t, &b);
}

/* ---- reading ---- */

static void not_found(struct mcp_request *t, const char *uri)
{
	struct buf b = { 0 };

	buf_str(&b, "{\"uri\":");
	json_quote(&b, uri);
	buf_byte(&b, '}');
	const char *data = arena_str(t->a, b.p);
	buf_free(&b);
	mcp_request_fail(t, 200, t->modern ? INVALID_PARAMS : NO_RESOURCE, data,
	    "unknown resource `%.200s`; resources/list and resources/templates/list list all of them",
	    uri);
}

static void read_failed(
    struct mcp_request *t, const char *uri, const struct err *e, int64_t retry_ms)
{
	if (e->code == ERR_NOT_FOUND)
		not_found(t, uri);
	else if (e->code == ERR_RATE_LIMITED)
		mcp_request_retry_later(t, 200, e, retry_ms);
	else
		mcp_request_fail(t, 200, INTERNAL, NULL, "%s: %s", err_name(e->code), e->msg);
}

static void read_done(struct call *c)
{
	struct mcp_request *t = c->ctx;
	const char *uri = json_text(t->p.uri, t->a);
	struct buf json = { 0 }, b = { 0 };

	metrics_count(c);
	if (c->e.code) {
		struct err e = c->e;
		int64_t retry_ms = (int64_t)c->problem.retry_after_ms;
		call_free(c);
		read_failed(t, uri, &e, retry_ms);
		return;
	}
	call_json(c, &json);
	call_free(c);
	mcp_result_open(t, &b);
	buf_str(&b, "\"contents\":[{\"uri\":");
	json_quote(&b, uri);
	buf_str(&b, ",\"mimeType\":\"application/json\",\"text\":");
	json_quote(&b, json.p);
	buf_str(&b, "}]");
	buf_free(&json);
	mcp_result_put_cache(t, &b);
	mcp_result_send(t, &b);
}

static void no_uri(struct mcp_request *t)
{
	mcp_request_fail(t, 200, INVALID_PARAMS, NULL, "`params.uri` is missing or not a string");
}

void mcp_read_resource(struct mcp_request *t)
{
	const char *uri = json_text(t->p.uri, t->a), *value = NULL;
	struct buf args = { 0 };

	if (!uri) {
		no_uri(t);
		return;
	}
	if (fixture_read(t, uri))
		return;
	const struct resource *r = find(uri, &value, t->a);
	if (!r) {
		not_found(t, uri);
		return;
	}
	buf_byte(&args, '{');
	if (*r->argument) {
		buf_printf(&args, "\"%s\":", r->argument);
		json_quote(&args, value);
	}
	buf_byte(&args, '}');
	call_start(t->co, tool_get(r->tool), t->caller, args.p,
	    &(struct call_client){ .done = read_done, .ctx = t, .key = t->ctx, .via = "resource" });
	buf_free(&args);
}

/* ---- subscriptions of sessions ---- */

static void set_subscription(struct mcp_request *t, bool wanted)
{
	const char *uri = json_text(t->p.uri, t->a);

	if (!uri)
		no_uri(t);
	else if (!t->session)
		mcp_request_fail(t, 400, INVALID_REQUEST, NULL,
		    "a subscription needs a session: send the Mcp-Session-Id that initialize returned");
	else if (wanted && !resource_visible(t, uri))
		not_found(t, uri);
	else if (session_subscribe(t->session, uri, wanted))
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
		    "a session can subscribe to at most %d resources; unsubscribe from another one",
		    SESSION_URIS_MAX);
	else
		mcp_ping(t);
}

static void subscribe(void *arg)
{
	set_subscription(arg, true);
}

void mcp_subscribe(struct mcp_request *t)
{
	mcp_request_run_on_worker(t, subscribe);
}

void mcp_unsubscribe(struct mcp_request *t)
{
	set_subscription(t, false);
}

/* ---- notifications ---- */

static void notify_all(struct coordinator *co, enum resource_scope of, const char *value,
    const struct mcp_audience *to)
{
	struct arena *a = arena_new();

	for (size_t i = 0; co->mcp && i < LEN(resources); i++)
		if (resources[i].of == of)
			mcp_notify(co->mcp, MCP_RESOURCE_UPDATED, uri_of(&resources[i], value, a), to);
	arena_free(a);
}

void resource_repo_changed(struct coordinator *co, const char *repo_uri)
{
	notify_all(co, REPO, repo_uri, &(struct mcp_audience){ .repos = &repo_uri, .nrepos = 1 });
}

void resource_group_changed(
    struct coordinator *co, const char *group, const struct mcp_audience *to)
{
	notify_all(co, GROUP, group, to);
}

void resource_list_changed(struct coordinator *co, const struct mcp_audience *to)
{
	if (!co->mcp)
		return;
	notify_all(co, ALL, NULL, to);
	mcp_notify(co->mcp, MCP_RESOURCES_CHANGED, NULL, to);
}
