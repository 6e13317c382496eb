/*
 * The plain JSON API: a POST per tool, for the command line and scripts, and what supervisors ask.
 */
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
	char retry[48] = "";

	call_json(c, &body);
	metrics_count(c);
	if (code == ERR_RATE_LIMITED)
		http_retry_after((int64_t)c->problem.retry_after_ms, retry, sizeof retry);
	call_free(c);
	http_answer(x, err_http(code), "application/json", &body, *retry ? retry : NULL);
}

void api_call(struct exchange *x)
{
	const struct tool *tool = tool_get(x->rest);
	struct err e = { 0 };

	if (!tool) {
		err_set(&e, ERR_NOT_FOUND, "no tool `%.80s`%s", x->rest, tool_suggest(x->rest, NULL, x->a));
		err_hint(&e, "`atoll call --help` or GET /api/v1/tools lists them.");
		http_fail(x, 0, &e, NULL);
	} else if (strlen(x->body) != x->n) {
		err_set(&e, ERR_INVALID_INPUT, "the body is not JSON: it holds a NUL byte");
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

	buf_str(&args, "{\"group\":");
	json_quote(&args, group ? group : "default");
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

/* On a thread of the HTTP server, so that it answers when all workers wait. */
void api_healthz(struct exchange *x)
{
	struct buf body = { 0 };

	buf_str(&body, "{\"status\":\"ok\"}");
	http_answer(x, 200, "application/json", &body, NULL);
}

/*
 * Ready: there is a repository, and each has an index that can be asked or has failed to get one.
 * A shard that is down does not count (answers without it are partial but true), unless that
 * leaves fewer than --ready-share.  Those who have not said who they are hear whether, not why.
 */
void api_readyz(struct exchange *x)
{
	size_t n, answering = 0;
	struct member **all = members_all(
	    x->co->members, x->caller == &caller_nobody ? &caller_local : x->caller, x->a, &n);
	struct err e = { 0 };
	struct buf body = { 0 };

	if (!n) {
		err_set(&e, ERR_UNAVAILABLE, "no repository is known yet");
		err_hint(&e, "Start a shard, or run `atoll repo add PATH`.");
	}
	for (size_t i = 0; i < n && !e.code; i++) {
		struct member_view v;
		members_view(x->co->members, all[i], &v, x->a);
		answering += v.health != DOWN;
		if (!v.stamp && strcmp(v.status, "failed") != 0) {
			bool seen = caller_sees(x->caller, all[i]->repo_uri);
			err_set(&e, ERR_UNAVAILABLE, "%.120s has no index yet%s%s",
			    seen ? all[i]->repo_uri : "a repository", seen ? ": " : "", seen ? v.status : "");
			err_hint(&e, "`atoll status` shows the progress.");
		}
	}
	if (!e.code && answering * 100 < (size_t)x->co->o.ready_share * n) {
		if (x->caller == &caller_nobody)
			err_set(&e, ERR_UNAVAILABLE, "too few repositories have a shard that answers");
		else
			err_set(&e, ERR_UNAVAILABLE,
			    "%zu of %zu repositories have a shard that answers, --ready-share is %lld",
			    answering, n, (long long)x->co->o.ready_share);
		err_hint(&e, "`atoll status` says why each is down, and since when.");
	}
	if (e.code) {
		http_fail(x, 503, &e, NULL);
		return;
	}
	buf_str(&body, "{\"status\":\"ready\"");
	if (x->caller != &caller_nobody)
		buf_printf(&body, ",\"repositories\":%zu", n);
	buf_byte(&body, '}');
	http_answer(x, 200, "application/json", &body, NULL);
}
