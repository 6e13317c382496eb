/* tools/list and tools/call. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/calls/call.h"
#include "coordinator/calls/call_metrics.h"
#include "coordinator/calls/context.h"
#include "coordinator/mcp/mcp_fixtures.h"
#include "coordinator/mcp/mcp_request.h"
#include "proto/base/arena.h"
#include "proto/base/optional_text.h"

enum {
#define TOOL(name, in, out, where, hints, title, doc) TOOL_##name,
#include "coordinator/records/tools.def"
	NTOOLS
};

static const char *bool_text(bool b)
{
	return b ? "true" : "false";
}

/*
 * Append the members that describe a tool.  `brief` shortens the schema of its result, since every
 * host reads the whole list of tools.
 */
static void describe(const struct tool *tool, bool brief, struct buf *out)
{
	buf_printf(out, "\"name\":\"%s\",\"title\":", tool->name);
	json_quote(out, tool->title);
	buf_str(out, ",\"description\":");
	json_quote(out, tool->doc);
	buf_str(out, ",\"inputSchema\":");
	json_schema(tool->in, true, out);
	buf_str(out, ",\"outputSchema\":");
	if (brief)
		json_schema_brief(tool->out, out);
	else
		/* clients check the result of a failed call against it too */
		json_schema_either(tool->out, &rec_problem_answer, out);
	buf_str(out, ",\"annotations\":{\"openWorldHint\":false,");
	if (tool->hints & WRITES)
		buf_printf(out, "\"readOnlyHint\":false,\"destructiveHint\":%s,\"idempotentHint\":%s}",
		    bool_text(tool->hints & DESTROYS), bool_text(tool->hints & IDEMPOTENT));
	else
		buf_str(out, "\"readOnlyHint\":true}");
}

void mcp_put_tool(const struct tool *tool, struct buf *out)
{
	describe(tool, false, out);
}

/* The tools to offer, as --tools names them; NULL means the default ones. */
static const char *offered_tools(const struct mcp_request *t)
{
	if (t->co)
		return t->co->o.tools;
	return NULL;
}

/* The entry of each tool in tools/list, which never changes. */
static struct buf briefs[NTOOLS];

static void make_briefs(void)
{
	for (size_t i = 0; i < NTOOLS; i++)
		describe(&tools[i], true, &briefs[i]);
}

static void put_tools(const struct mcp_request *t, struct buf *out)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const char *sep = "{";

	pthread_once(&once, make_briefs);
	buf_str(out, "\"tools\":[");
	for (const struct tool *tool = tools; tool->name; tool++) {
		if (!tool_offered(tool, offered_tools(t)))
			continue;
		buf_str(out, sep);
		buf_put(out, briefs[tool - tools].p, briefs[tool - tools].n);
		buf_byte(out, '}');
		sep = ",{";
	}
	fixture_tools(t, out);
	buf_byte(out, ']');
}

/* All tools are on one page, so no cursor is ever valid. */
void mcp_list_tools(struct mcp_request *t)
{
	struct buf b = { 0 };
	size_t from;

	if (mcp_page_begin(t, 0, &from))
		return;
	mcp_result_open(t, &b);
	put_tools(t, &b);
	mcp_result_put_cache(t, &b);
	mcp_result_send(t, &b);
}

static void tool_done(struct call *c)
{
	struct mcp_request *t = c->ctx;
	struct buf text = { 0 }, b = { 0 };

	metrics_count(c);
	call_text(c, &text);
	mcp_result_open(t, &b);
	buf_str(&b, "\"content\":[{\"type\":\"text\",\"text\":");
	json_quote(&b, text_or_empty(text.p));
	buf_str(&b, "}],\"structuredContent\":");
	call_json(c, &b);
	buf_printf(&b, ",\"isError\":%s", bool_text(c->e.code));
	buf_free(&text);
	call_free(c);
	mcp_result_send(t, &b);
}

/* Notify a client that sent a progressToken of a step of its call. */
static void tool_step(struct call *c, unsigned steps, const char *what)
{
	struct mcp_request *t = c->ctx;
	struct buf b = { 0 };

	buf_printf(&b, "{\"progressToken\":%s,\"progress\":%u,\"message\":", t->progress, steps);
	json_quote(&b, what);
	buf_byte(&b, '}');
	mcp_request_notify(t, "notifications/progress", b.p);
	buf_free(&b);
}

static void unknown_tool(struct mcp_request *t, const char *name)
{
	const char *offered = offered_tools(t);

	if (!offered)
		offered = "default";
	mcp_request_fail(t, 200, INVALID_PARAMS, NULL,
	    "unknown tool `%.100s`%s; tools/list lists all of them", name,
	    tool_suggest(name, offered, t->a));
}

/* Call an offered tool; `args` is a JSON object or NULL. */
static void call_tool(struct mcp_request *t, const char *name, const char *args)
{
	const struct tool *tool = tool_get(name);
	struct call_client asker = { .done = tool_done, .ctx = t, .key = t->ctx, .via = "mcp" };

	if (t->progress)
		asker.step = tool_step;
	if (!tool || !tool_offered(tool, offered_tools(t)))
		unknown_tool(t, name);
	else
		call_start(t->co, tool, t->caller, args, &asker);
}

void mcp_call_tool(struct mcp_request *t)
{
	const char *name = json_text(t->p.name, t->a);
	const char *args = NULL;

	if (t->p.arguments && strcmp(t->p.arguments, "null") != 0)
		args = t->p.arguments;
	if (!name)
		mcp_request_fail(
		    t, 200, INVALID_PARAMS, NULL, "`params.name` is missing or not a string");
	else if (args && *args != '{')
		mcp_request_fail(t, 200, INVALID_PARAMS, NULL, "`params.arguments` is not an object");
	else if (!fixture_call(t, name, args ? args : "{}"))
		call_tool(t, name, args);
}
