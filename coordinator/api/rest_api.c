/* The JSON API: a POST per tool, for the command line and scripts; health and readiness. */
#include <string.h>

#include "coordinator/api/http_routes.h"
#include "coordinator/auth/caller.h"
#include "coordinator/calls/call.h"
#include "coordinator/calls/call_metrics.h"
#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp.h"
#include "coordinator/members/members.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/json.h"

static void done(struct call *c)
{
	struct exchange *x = c->ctx;
	struct buf body = { 0 };
	enum err_code code = c->e.code;
	char retry[48];
	const char *header = NULL;

	call_json(c, &body);
	metrics_count(c);
	if (code == ERR_RATE_LIMITED) {
		http_retry_after((int64_t)c->problem.retry_after_ms, retry, sizeof retry);
		header = retry;
	}
	call_free(c);
	http_answer(x, err_http(code), "application/json", &body, header);
}

void api_call(struct exchange *x)
{
	const struct tool *tool = tool_get(x->rest);
	struct err e = { 0 };

	if (!tool) {
		err_set(&e, ERR_NOT_FOUND, "no tool `%.80s`%s", x->rest, tool_suggest(x->rest, NULL, x->a));
		err_hint(&e, "`atoll call --help` and GET /api/v1/tools list the tools.");
		http_fail(x, 0, &e, NULL);
	} else if (strlen(x->body) != x->n) {
		err_set(&e, ERR_INVALID_INPUT, "the body is not JSON: it contains a NUL byte");
		http_fail(x, 0, &e, NULL);
	} else if (http_require_json(x) == 0) {
		call_start(x->co, tool, x->caller, x->body,
		    &(struct call_client){ .done = done, .ctx = x, .key = x, .via = "api" });
	}
}

void api_graph(struct exchange *x)
{
	const char *group = http_query(x, "group");
	struct buf args = { 0 };

	if (!group)
		group = "default";
	buf_str(&args, "{\"group\":");
	json_quote(&args, group);
	buf_byte(&args, '}');
	call_start(x->co, tool_get("repo_graph"), x->caller, arena_str(x->a, args.p),
	    &(struct call_client){ .done = done, .ctx = x, .key = x, .via = "api" });
	buf_free(&args);
}

void api_tools(struct exchange *x)
{
	struct buf body = { 0 };

	buf_str(&body, "{\"tools\":[");
	for (const struct tool *t = tools; t->name; t++) {
		buf_str(&body, t == tools ? "{" : ",{");
		mcp_put_tool(t, &body);
		buf_printf(&body, ",\"mcp\":%s}", tool_offered(t, x->co->o.tools) ? "true" : "false");
	}
	buf_str(&body, "]}");
	http_answer(x, 200, "application/json", &body, NULL);
}

/* Runs on a thread of the HTTP server, so it answers even if all workers are busy. */
void api_healthz(struct exchange *x)
{
	struct buf body = { 0 };

	buf_str(&body, "{\"status\":\"ok\"}");
	http_answer(x, 200, "application/json", &body, NULL);
}

static int err_no_index(
    const struct caller *caller, const struct member *m, const struct member_view *v, struct err *e)
{
	if (caller_sees(caller, m->repo_uri))
		err_set(e, ERR_UNAVAILABLE, "%.120s has no index yet: %s", m->repo_uri, v->status);
	else
		err_set(e, ERR_UNAVAILABLE, "a repository has no index yet");
	return err_hint(e, "`atoll status` shows the progress.");
}

static int err_few_answer(const struct exchange *x, size_t answering, size_t n, struct err *e)
{
	if (x->caller == &caller_nobody)
		err_set(e, ERR_UNAVAILABLE, "too few repositories have a shard that answers");
	else
		err_set(e, ERR_UNAVAILABLE,
		    "%zu of %zu repositories have a shard that answers, --ready-share is %lld", answering,
		    n, (long long)x->co->o.ready_share);
	return err_hint(e, "`atoll status` shows why each is down, and since when.");
}

/*
 * Ready: there is a repository, and each has an index or has failed to get one.  Shards may be down
 * (answers without them are partial but correct), as long as --ready-share is met.  Unauthenticated
 * clients learn whether it is ready, but not why.
 */
static int check_ready(struct exchange *x, size_t *n, struct err *e)
{
	const struct caller *caller = x->caller;
	size_t answering = 0;

	if (caller == &caller_nobody)
		caller = &caller_local;
	struct member **all = members_all(x->co->members, caller, x->a, n);
	if (!*n) {
		err_set(e, ERR_UNAVAILABLE, "no repository is known yet");
		return err_hint(e, "Start a shard, or run `atoll repo add PATH`.");
	}
	for (size_t i = 0; i < *n; i++) {
		struct member_view v;
		members_view(x->co->members, all[i], &v, x->a);
		if (v.health != DOWN)
			answering++;
		if (!v.stamp && strcmp(v.status, "failed") != 0)
			return err_no_index(x->caller, all[i], &v, e);
	}
	if (answering * 100 < (size_t)x->co->o.ready_share * *n)
		return err_few_answer(x, answering, *n, e);
	return 0;
}

void api_readyz(struct exchange *x)
{
	struct err e = { 0 };
	struct buf body = { 0 };
	size_t n;

	if (check_ready(x, &n, &e)) {
		http_fail(x, 503, &e, NULL);
		return;
	}
	buf_str(&body, "{\"status\":\"ready\"");
	if (x->caller != &caller_nobody)
		buf_printf(&body, ",\"repositories\":%zu", n);
	buf_byte(&body, '}');
	http_answer(x, 200, "application/json", &body, NULL);
}
