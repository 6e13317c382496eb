#include "coordinator/mcp.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/coordinator.h"
#include "coordinator/http.h"
#include "coordinator/metrics.h"
#include "coordinator/tool.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/version.h"
#include "proto/json.h"

#define RECORD(r)               struct r {
#define FIELD(r, t, f, rule, d) t_##t f;
#define END(r)                  }; static const struct record rec_##r;
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "coordinator/mcp.def"
#define RECORD(r)               static const struct field r##_fields[] = {
#define FIELD(r, t, f, rule, d) { #f, d, T_##t, offsetof(struct r, f), NULL, rule },
#define END(r)                  }; static const struct record rec_##r = { #r, r##_fields, LEN(r##_fields), sizeof(struct r) };
#define SUB(r, t, f, rule, d)
#define LIST(r, t, f, rule, d)
#include "coordinator/mcp.def"

enum {
	PARSE_ERROR = -32700, INVALID_REQUEST = -32600, NO_METHOD = -32601, INVALID_PARAMS = -32602,
	HEADER_MISMATCH = -32020, UNSUPPORTED_VERSION = -32022
};

#define MODERN "2026-07-28"
#define META "io.modelcontextprotocol/"

/* The handshake revisions, newest first. */
static const char *const legacy[] = { "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05" };

static const char instructions[] =
    "Atoll answers questions about code in many git repositories at once. Call list_repos or group_list first when you "
    "do not know what exists. Every result names its repository by repo_uri: pass it back as repo_uri to the "
    "tools of one repository; without it several repositories give AMBIGUOUS_REPO with the choices. query finds definitions; "
    "context tells all about one, impact who is affected by changing it, also in other repositories, signature its "
    "outline, route_map what a repository serves and who calls it, api_impact whom a change of a route reaches, detect_changes what a "
    "commit or diff touches: where `epistemic` is lower-bound there may be more than is shown. The group_* tools "
    "answer over all repositories of a group: where `complete` is false some members could not answer and `coverage` "
    "names them, so the answer is partial and you should say so. group_contracts tells who serves and who calls each "
    "HTTP route, gRPC method and topic; group_cross_repo_links who depends on whom; run group_sync after a re-index. "
    "Lists end with next_cursor when there is more.";

/* One message on its way to its answer; lives in its own arena. */
struct talk {
	struct coordinator *co;
	const struct caller *caller;
	struct arena *a;
	void (*done)(void *ctx, int status, struct buf *body);
	void *ctx;
	const char *id;			/* JSON; NULL: none */
	const char *method;		/* NULL: a response */
	struct mcp_params p;
	bool modern;
};

/* ---- answering ---- */

static void finish(struct talk *t, int status, struct buf *body)
{
	void (*done)(void *, int, struct buf *) = t->done;
	void *ctx = t->ctx;

	arena_free(t->a);	/* and with it `t` */
	done(ctx, status, body);
	buf_free(body);
}

/* Answer with a JSON-RPC error; `data` is JSON or NULL.  Always -1. */
__attribute__((format(printf, 5, 6)))
static int refuse(struct talk *t, int status, int code, const char *data, const char *fmt, ...)
{
	struct buf b = { 0 };
	char msg[300];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof msg, fmt, ap);
	va_end(ap);
	buf_printf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":", t->id ? t->id : "null", code);
	json_quote(&b, msg);
	if (data)
		buf_printf(&b, ",\"data\":%s", data);
	buf_str(&b, "}}");
	finish(t, status, &b);
	return -1;
}

/* The head of an answer, up to where the result's own members follow. */
static void open_result(const struct talk *t, struct buf *b)
{
	buf_printf(b, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{", t->id);
	if (t->modern)
		buf_str(b, "\"resultType\":\"complete\",\"_meta\":{\"" META "serverInfo\":{\"name\":\"atoll\",\"version\":\""
		    ATOLL_VERSION "\"}},");
}

static void close_result(struct talk *t, struct buf *b)
{
	buf_str(b, "}}");
	finish(t, 200, b);
}

/* ---- what a message is ---- */

static bool is_integer(const char *json)
{
	json += *json == '-';
	return *json && !json[strspn(json, "0123456789")];
}

/* The envelope, and which era it belongs to. */
static int parse(struct talk *t, const struct mcp_input *in)
{
	struct mcp_message m = { 0 };
	struct err e = { 0 };

	if (in->body[strspn(in->body, " \t\r\n")] != '{') {
		enum json_is is = json_is(in->body);
		if (is == JSON_IS_BAD)
			return refuse(t, 400, PARSE_ERROR, NULL, "not JSON");
		return refuse(t, 400, INVALID_REQUEST, NULL, is == JSON_IS_ARRAY ? "batches are not supported; send one "
		    "message" : "a message is an object");
	}
	if (strlen(in->body) != in->n || json_get_lax(&rec_mcp_message, &m, in->body, t->a, &e))
		return refuse(t, 400, PARSE_ERROR, NULL, "%s", e.code ? e.msg : "not JSON: it holds a NUL byte");
	if (m.id && *m.id != '"' && !is_integer(m.id))
		return refuse(t, 400, INVALID_REQUEST, NULL, "`id` is neither a string nor an integer");
	t->id = m.id;
	if (!m.jsonrpc || strcmp(m.jsonrpc, "\"2.0\"") != 0)
		return refuse(t, 400, INVALID_REQUEST, NULL, "`jsonrpc` is not \"2.0\"");
	t->method = m.method ? json_text(m.method, t->a) : NULL;
	if (!t->method && (m.method || (!m.result && !m.error)))
		return refuse(t, 400, INVALID_REQUEST, NULL, "`method` is missing or no string");
	if (m.params && strcmp(m.params, "null") != 0 && json_get_lax(&rec_mcp_params, &t->p, m.params, t->a, &e))
		return refuse(t, 400, INVALID_PARAMS, NULL, "`params` is not an object");
	t->modern = json_member(t->p._meta, META "protocolVersion", t->a);
	return 0;
}

static bool is_legacy(const char *version)
{
	for (size_t i = 0; i < LEN(legacy); i++)
		if (!strcmp(legacy[i], version))
			return true;
	return false;
}

/* A header of a message that does not say of itself that it is modern must not say so either. */
static int check_legacy(struct talk *t, const struct mcp_input *in)
{
	if (!in->version || is_legacy(in->version))
		return 0;
	if (strlen(in->version) == strlen(MODERN) && strcmp(in->version, legacy[0]) > 0)
		return refuse(t, 400, INVALID_PARAMS, NULL, "`params._meta[\"" META "protocolVersion\"]` is missing, "
		    "which MCP-Protocol-Version %.20s requires", in->version);
	return refuse(t, 400, INVALID_REQUEST, NULL, "MCP-Protocol-Version `%.40s` is not supported; use %s or %s",
	    in->version, MODERN, legacy[0]);
}

/* Whether a header has the value that the body has; it may be wrapped as =?base64?…?=. */
static bool is_same(const char *header, const char *value, struct arena *a)
{
	static const char head[] = "=?base64?", tail[] = "?=";

	if (!header || !value)
		return header == value;
	header += strspn(header, " \t");
	size_t n = strlen(header);
	while (n && strchr(" \t", header[n - 1]))
		n--;
	if (n >= sizeof head + sizeof tail - 2 && !strncmp(header, head, sizeof head - 1) &&
	    !strncmp(header + n - 2, tail, 2)) {
		struct buf b = { 0 };
		bool good = !buf_unbase64(&b, header + sizeof head - 1, n - (sizeof head - 1) - (sizeof tail - 1)) &&
		    b.p && !strcmp(b.p, value);
		buf_free(&b);
		return good;
	}
	return !strcmp(arena_strn(a, header, n), value);
}

/* In the order in which the official suite asserts it. */
static int check_modern(struct talk *t, const struct mcp_input *in)
{
	const char *claim = json_member(t->p._meta, META "protocolVersion", t->a);
	const char *version = json_text(claim, t->a);
	const char *capabilities = json_member(t->p._meta, META "clientCapabilities", t->a);

	if (!version)
		return refuse(t, 400, INVALID_PARAMS, NULL, "`_meta[\"" META "protocolVersion\"]` is not a string");
	if (!capabilities || *capabilities != '{')
		return refuse(t, 400, INVALID_PARAMS, NULL, "`_meta[\"" META "clientCapabilities\"]` is missing or no object");
	if (!is_same(in->version, version, t->a))
		return refuse(t, 400, HEADER_MISMATCH, NULL, "header MCP-Protocol-Version is `%.40s`, the body says `%.40s`",
		    in->version ? in->version : "", version);
	if (strcmp(version, MODERN) != 0)
		return refuse(t, 400, UNSUPPORTED_VERSION, arena_printf(t->a, "{\"supported\":[\"" MODERN "\"],\"requested\":%s}",
		    claim), "protocol version `%.40s` is not supported; use %s, or initialize with %s", version, MODERN, legacy[0]);
	if (t->method && !is_same(in->method, t->method, t->a))
		return refuse(t, 400, HEADER_MISMATCH, NULL, "header Mcp-Method is `%.80s`, the body says `%.80s`",
		    in->method ? in->method : "", t->method);
	bool named = t->method && (!strcmp(t->method, "tools/call") || !strcmp(t->method, "prompts/get"));
	if (named || (t->method && !strcmp(t->method, "resources/read"))) {
		const char *name = json_text(named ? t->p.name : t->p.uri, t->a);
		if (!is_same(in->name, name, t->a))
			return refuse(t, 400, HEADER_MISMATCH, NULL, "header Mcp-Name is `%.80s`, the body says `%.80s`",
			    in->name ? in->name : "", name ? name : "");
	}
	return 0;
}

/* ---- methods ---- */

static void initialize(struct talk *t)
{
	const char *asked = json_text(t->p.protocolVersion, t->a);
	struct buf b = { 0 };

	if (!asked) {
		refuse(t, 200, INVALID_PARAMS, NULL, "`params.protocolVersion` is missing or no string");
		return;
	}
	open_result(t, &b);
	buf_printf(&b, "\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"atoll\","
	    "\"title\":\"Atoll\",\"version\":\"%s\"},\"instructions\":", is_legacy(asked) ? asked : legacy[0],
	    ATOLL_VERSION);
	json_quote(&b, instructions);
	close_result(t, &b);
}

static void ping(struct talk *t)
{
	struct buf b = { 0 };

	open_result(t, &b);
	close_result(t, &b);
}

/* What lists are good for: they change only with the program. */
#define CACHE "\"ttlMs\":300000,\"cacheScope\":\"private\""

static void discover(struct talk *t)
{
	struct buf b = { 0 };

	open_result(t, &b);
	buf_str(&b, "\"supportedVersions\":[\"" MODERN "\"],\"capabilities\":{\"tools\":{}}," CACHE ",\"instructions\":");
	json_quote(&b, instructions);
	close_result(t, &b);
}

/* What is in the answers of several tools: schemas cannot share it. */
static const struct record *const told[] = {
	&rec_problem, &rec_coverage, &rec_freshness, &rec_symbol, &rec_related, &rec_route_row, &rec_cross_end, &rec_owner, NULL
};

static void describe(const struct tool *tool, bool *said, struct buf *out)
{
	bool writes = tool->hints & WRITES;

	buf_printf(out, "\"name\":\"%s\",\"title\":", tool->name);
	json_quote(out, tool->title);
	buf_str(out, ",\"description\":");
	json_quote(out, tool->doc);
	buf_str(out, ",\"inputSchema\":");
	json_schema(tool->in, true, out);
	buf_str(out, ",\"outputSchema\":");
	json_schema_either(tool->out, &rec_problem_answer, told, said, out);	/* a failed call is checked against it too */
	buf_printf(out, ",\"annotations\":{\"readOnlyHint\":%s,\"destructiveHint\":%s,\"idempotentHint\":%s,"
	    "\"openWorldHint\":false}", writes ? "false" : "true", tool->hints & DESTROYS ? "true" : "false",
	    !writes || tool->hints & IDEMPOTENT ? "true" : "false");
}

void mcp_describe(const struct tool *tool, struct buf *out)
{
	describe(tool, NULL, out);
}

/* What --tools says. */
static const char *wanted(const struct talk *t)
{
	return t->co ? t->co->o.tools : NULL;
}

static void put_tools(const struct talk *t, struct buf *out)
{
	const char *sep = "{";
	bool said[LEN(told)] = { false };

	buf_str(out, "\"tools\":[");
	for (const struct tool *tool = tools; tool->name; tool++) {
		if (!tool_offered(tool, wanted(t)))
			continue;
		buf_str(out, sep);
		describe(tool, said, out);
		buf_byte(out, '}');
		sep = ",{";
	}
	buf_byte(out, ']');
}

/* All tools are one page; so no cursor was ever given out. */
static void list_tools(struct talk *t)
{
	struct buf b = { 0 };

	if (t->p.cursor && strcmp(t->p.cursor, "null") != 0 && strcmp(t->p.cursor, "\"\"") != 0) {
		refuse(t, 200, INVALID_PARAMS, NULL, "`cursor` is not one that this server gave out");
		return;
	}
	open_result(t, &b);
	put_tools(t, &b);
	if (t->modern)
		buf_str(&b, "," CACHE);
	close_result(t, &b);
}

static void tool_done(struct call *c)
{
	struct talk *t = c->ctx;
	struct buf text = { 0 }, b = { 0 };

	metrics_count(c);
	call_text(c, &text);
	open_result(t, &b);
	buf_str(&b, "\"content\":[{\"type\":\"text\",\"text\":");
	json_quote(&b, text.p ? text.p : "");
	buf_str(&b, "}],\"structuredContent\":");
	call_json(c, &b);
	buf_printf(&b, ",\"isError\":%s", c->e.code ? "true" : "false");
	buf_free(&text);
	call_free(c);
	close_result(t, &b);
}

static void call_tool(struct talk *t)
{
	const char *name = json_text(t->p.name, t->a);
	const struct tool *tool = name ? tool_get(name) : NULL;
	const char *args = t->p.arguments && strcmp(t->p.arguments, "null") != 0 ? t->p.arguments : NULL;

	if (!name)
		refuse(t, 200, INVALID_PARAMS, NULL, "`params.name` is missing or no string");
	else if (!tool || !tool_offered(tool, wanted(t)))
		refuse(t, 200, INVALID_PARAMS, NULL, "unknown tool `%.100s`; tools/list has all of them", name);
	else if (args && *args != '{')
		refuse(t, 200, INVALID_PARAMS, NULL, "`params.arguments` is not an object");
	else
		call_start(t->co, tool, t->caller, args, tool_done, t, t->ctx);
}

/* ---- the entry ---- */

static const struct {
	const char *name;
	bool legacy, modern;
	void (*run)(struct talk *);
} methods[] = {
#define METHOD(name, legacy, modern, run) { name, legacy, modern, run },
#include "coordinator/mcp.def"
};

static void dispatch(struct talk *t)
{
	if (!t->method || !t->id) {	/* a response to nobody's request, or a notification */
		finish(t, 202, &(struct buf){ 0 });
		return;
	}
	for (size_t i = 0; i < LEN(methods); i++)
		if ((t->modern ? methods[i].modern : methods[i].legacy) && !strcmp(methods[i].name, t->method)) {
			methods[i].run(t);
			return;
		}
	refuse(t, t->modern ? 404 : 200, NO_METHOD, NULL, "no method `%.100s`", t->method);
}

void mcp_handle(struct coordinator *co, const struct caller *caller, const struct mcp_input *in,
    void (*done)(void *ctx, int status, struct buf *body), void *ctx)
{
	struct arena *a = arena_new();
	struct talk *t = arena_one(a, struct talk);

	*t = (struct talk){ .co = co, .caller = caller, .a = a, .done = done, .ctx = ctx };
	if (parse(t, in) == 0 && (t->modern ? check_modern(t, in) : check_legacy(t, in)) == 0)
		dispatch(t);
}

/* ---- over HTTP ---- */

static void answer(void *ctx, int status, struct buf *body)
{
	http_answer(ctx, status, body->n ? "application/json" : NULL, body, NULL);
}

void mcp_post(struct exchange *x)
{
	const char *accept = http_header(x, "Accept");
	struct mcp_input in = { .body = x->body, .n = x->n, .version = http_header(x, "MCP-Protocol-Version"),
		.method = http_header(x, "Mcp-Method"), .name = http_header(x, "Mcp-Name") };

	if (accept && !strstr(accept, "application/json") && !strstr(accept, "application/*") && !strstr(accept, "*/*")) {
		struct err e = { 0 };
		err_set(&e, ERR_INVALID_INPUT, "Accept `%.80s` leaves out application/json", accept);
		err_hint(&e, "Send Accept: application/json, text/event-stream.");
		http_fail(x, 406, &e, NULL);
	} else if (http_need_json(x) == 0) {
		mcp_handle(x->co, x->caller, &in, answer, x);
	}
}
