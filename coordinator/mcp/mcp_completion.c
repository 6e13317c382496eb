/* completion/complete: completes an argument of a prompt or of a resource template. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "coordinator/calls/call.h"
#include "coordinator/calls/context.h"
#include "coordinator/calls/shared_views.h"
#include "coordinator/mcp/mcp_fixtures.h"
#include "coordinator/mcp/mcp_request.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/optional_text.h"

enum { VALUES_MAX = 100 };	/* the specification's limit */

/* The values found so far: at most VALUES_MAX are kept, but all are counted. */
struct completion_values {
	const char *v[VALUES_MAX];
	size_t kept, n;
	struct err e;			/* e.code is set if the search failed */
};

static void add(struct completion_values *all, const char *value)
{
	for (size_t i = 0; i < all->kept; i++)
		if (!strcmp(all->v[i], value))
			return;
	all->n++;
	if (all->kept < VALUES_MAX)
		all->v[all->kept++] = value;
}

static bool begins(const char *s, const char *prefix)
{
	return !strncasecmp(s, prefix, strlen(prefix));
}

static void answer(struct mcp_request *t, const struct completion_values *all)
{
	struct buf b = { 0 };

	mcp_result_open(t, &b);
	buf_str(&b, "\"completion\":{\"values\":[");
	for (size_t i = 0; i < all->kept; i++) {
		buf_str(&b, i ? "," : "");
		json_quote(&b, all->v[i]);
	}
	buf_printf(
	    &b, "],\"total\":%zu,\"hasMore\":%s}", all->n, all->n > all->kept ? "true" : "false");
	mcp_result_send(t, &b);
}

/* Repositories whose name, last part of the name, or repo_uri begins with the prefix. */
static void add_repos(struct mcp_request *t, const char *prefix, struct completion_values *all)
{
	size_t n;
	struct member **v = members_all(t->co->members, t->caller, t->a, &n);

	for (size_t i = 0; i < n; i++) {
		const char *last = strrchr(v[i]->name, '/');
		if (begins(v[i]->name, prefix) || (last && begins(last + 1, prefix)))
			add(all, v[i]->name);
	}
	for (size_t i = 0; i < n; i++)
		if (begins(v[i]->repo_uri, prefix))
			add(all, v[i]->repo_uri);
}

static void add_uris(struct mcp_request *t, const char *prefix, struct completion_values *all)
{
	size_t n;
	struct member **v = members_all(t->co->members, t->caller, t->a, &n);

	for (size_t i = 0; i < n; i++)
		if (begins(v[i]->repo_uri, prefix))
			add(all, v[i]->repo_uri);
}

static void add_groups(struct mcp_request *t, const char *prefix, struct completion_values *all)
{
	struct call c = mcp_request_call(t);
	struct group_row *v;
	size_t n;

	if (view_groups(&c, &v, &n)) {
		all->e = c.e;
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (begins(v[i].name, prefix))
			add(all, v[i].name);
}

/* ---- symbols, from the repository's shard ---- */

static void symbols_done(struct call *c)
{
	struct mcp_request *t = c->ctx;
	const struct query_out *out = c->out;
	struct completion_values all = { 0 };
	struct err e = c->e;
	int64_t retry_ms = (int64_t)c->problem.retry_after_ms;

	for (size_t i = 0; !e.code && i < out->results.n; i++)
		if (out->results.v[i].name)
			add(&all, arena_str(t->a, out->results.v[i].name));
	call_free(c);
	if (e.code == ERR_RATE_LIMITED)
		mcp_request_retry_later(t, 200, &e, retry_ms);
	else if (e.code)
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
		    "name the repository of the symbols in `context.arguments.repo_uri` or `.repo`: %s",
		    e.msg);
	else
		answer(t, &all);
}

/* Another argument that the client has already filled in. */
static const char *other_argument(struct mcp_request *t, const char *name)
{
	if (!t->p.context || json_is(t->p.context) != JSON_IS_OBJECT)
		return NULL;
	return json_text_at(json_member(t->p.context, "arguments", t->a), name, t->a);
}

static void ask_symbols(struct mcp_request *t, const char *prefix)
{
	const char *key = "repo_uri", *repo = other_argument(t, key);
	struct buf b = { 0 };

	if (!repo) {
		key = "repo";
		repo = other_argument(t, key);
	}
	buf_printf(&b, "{\"limit\":%d,\"%s\":", 50, key);
	json_quote(&b, text_or_empty(repo));
	buf_str(&b, ",\"query\":");
	json_quote(&b, arena_printf(t->a, "%s*", prefix));
	buf_byte(&b, '}');
	call_start(t->co, tool_get("query"), t->caller, b.p,
	    &(struct call_client){
	        .done = symbols_done, .ctx = t, .key = t->ctx, .via = "completion" });
	buf_free(&b);
}

/* ---- the method ---- */

static const struct {
	const char *argument;
	void (*find)(struct mcp_request *, const char *prefix, struct completion_values *);
} finders[] = {
	{ "repo", add_repos }, { "repo_uri", add_uris }, { "group", add_groups }, { "name", add_groups }
};

static void run(void *arg)
{
	struct mcp_request *t = arg;
	const char *name = json_text_at(t->p.argument, "name", t->a);
	const char *value = json_text_at(t->p.argument, "value", t->a);
	struct completion_values all = { 0 };

	for (size_t i = 0; i < LEN(finders); i++)
		if (!strcmp(finders[i].argument, name))
			finders[i].find(t, value, &all);
	if (all.e.code)
		mcp_request_fail(t, 200, INTERNAL, NULL, "%s", all.e.msg);
	else
		answer(t, &all);
}

/* Whether `params.ref` names a prompt or a resource template. */
static bool is_valid_ref(const struct mcp_request *t)
{
	const char *type = text_or_empty(json_text_at(t->p.ref, "type", t->a));

	if (!strcmp(type, "ref/prompt"))
		return json_text_at(t->p.ref, "name", t->a);
	if (!strcmp(type, "ref/resource"))
		return json_text_at(t->p.ref, "uri", t->a);
	return false;
}

void mcp_complete(struct mcp_request *t)
{
	const char *name = json_text_at(t->p.argument, "name", t->a);
	const char *value = json_text_at(t->p.argument, "value", t->a);

	if (!is_valid_ref(t))
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
		    "`params.ref` must be {type: \"ref/prompt\", name} or {type: \"ref/resource\", uri}");
	else if (!name || !value)
		mcp_request_fail(
		    t, 200, INVALID_PARAMS, NULL, "`params.argument` has no `name` or no `value`");
	else if (t->co && !strcmp(name, "symbol") && *value)
		ask_symbols(t, value);
	else
		mcp_request_run_on_worker(t, run);
}
