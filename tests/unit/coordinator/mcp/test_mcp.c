/* MCP messages without a network: which era a message belongs to and what is answered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "coordinator/base/page_cursor.h"
#include "coordinator/calls/call.h"
#include "coordinator/http/media_types.h"
#include "coordinator/mcp/mcp.h"
#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/record/json.h"

struct got {
	int count, status;
	struct buf body;
};

static bool event(void *ctx, const char *id, const char *message)
{
	(void)id;
	(void)ctx;
	fail_msg("a message before the answer: %s", message ? message : "");
	return false;
}

static void done(void *ctx, int status, const char *header, struct buf *body)
{
	struct got *g = ctx;

	assert_null(header);	/* without a coordinator there are no sessions */

	g->count++;
	g->status = status;
	g->body = *body;
	*body = (struct buf){ 0 };
}

static const struct mcp_transport transport = { event, done };

/* The headers of a message. */
struct headers {
	const char *version, *method, *name;
};

static const char *header(const void *from, const char *name)
{
	const struct headers *h = from;

	return !strcmp(name, "MCP-Protocol-Version") ? h->version : !strcmp(name, "Mcp-Method") ? h->method :
	    !strcmp(name, "Mcp-Name") ? h->name : NULL;
}

/* Hand over a message; the answer must have the status and hold `want` (NULL: be empty). */
static void expect(const char *version, const char *method, const char *name, const char *body, int status,
    const char *want)
{
	struct got g = { 0 };
	struct headers h = { version, method, name };
	struct mcp_input in = { body, strlen(body), header, &h };

	mcp_handle(NULL, NULL, &in, &transport, &g);
	assert_int_equal(g.count, 1);
	if (g.status != status || (want ? !g.body.p || !strstr(g.body.p, want) : g.body.n != 0))
		fail_msg("%s\nanswered: %d %s\nwant: %d %s", body, g.status, g.body.p ? g.body.p : "", status,
		    want ? want : "");
	if (want)
		assert_int_equal(json_is(g.body.p), JSON_IS_OBJECT);
	buf_free(&g.body);
}

#define RPC1(m, params) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" m "\"" params "}"
#define CLAIM(v) "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":" v ",\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define NOW "\"2026-07-28\""

static void the_body_decides_the_era(void **state)
{
	(void)state;
	expect(NULL, NULL, NULL, RPC1("ping", ""), 200, "\"id\":1,\"result\":{}}");
	expect("2025-11-25", NULL, NULL, RPC1("ping", ""), 200, "\"result\":{}}");
	expect("2026-07-28", NULL, NULL, RPC1("ping", ""), 400, "\"code\":-32602");
	expect("2027-01-01", NULL, NULL, RPC1("ping", ""), 400, "\"code\":-32602");
	expect("banana", NULL, NULL, RPC1("ping", ""), 400, "\"code\":-32600");
	expect("2026-07-28", "ping", NULL, RPC1("ping", ",\"params\":{" CLAIM(NOW) "}"), 404, "\"code\":-32601");
	expect("2026-07-28", "initialize", NULL, RPC1("initialize", ",\"params\":{" CLAIM(NOW) "}"), 404, "\"code\":-32601");
	expect(NULL, NULL, NULL, RPC1("server/discover", ""), 200, "\"code\":-32601");
	expect("2026-07-28", "server/discover", NULL, RPC1("server/discover", ",\"params\":{" CLAIM(NOW) "}"), 200,
	    "\"resultType\":\"complete\"");
}

static void modern_checks_come_in_order(void **state)
{
	(void)state;
	/* each message has this fault and all later ones */
	expect("x", "x", NULL, RPC1("y", ",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":1}}"), 400, "-32602");
	expect("x", "x", NULL, RPC1("y", ",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2030-01-01\"}}"), 400,
	    "clientCapabilities");
	expect("x", "x", NULL, RPC1("y", ",\"params\":{" CLAIM("\"2030-01-01\"") "}"), 400, "-32020");
	expect("2030-01-01", "x", NULL, RPC1("y", ",\"params\":{" CLAIM("\"2030-01-01\"") "}"), 400,
	    "\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2030-01-01\"}");
	expect("2026-07-28", "x", NULL, RPC1("y", ",\"params\":{" CLAIM(NOW) "}"), 400, "Mcp-Method");
	expect("2026-07-28", "resources/read", NULL, RPC1("resources/read", ",\"params\":{\"uri\":\"a:b\"," CLAIM(NOW) "}"), 400,
	    "Mcp-Name");
	expect("2026-07-28", "resources/read", "a:b", RPC1("resources/read", ",\"params\":{\"uri\":\"a:b\"," CLAIM(NOW) "}"), 200,
	    "\"code\":-32602,");
}

static void malformed_messages_are_named(void **state)
{
	(void)state;
	expect(NULL, NULL, NULL, "", 400, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700");
	expect(NULL, NULL, NULL, " {x", 400, "-32700");
	expect(NULL, NULL, NULL, " [" RPC1("ping", "") "]", 400, "batches");
	expect(NULL, NULL, NULL, "[" RPC1("ping", ""), 400, "-32700");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", 400, "-32600");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}", 400, "-32600");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":-7,\"method\":\"ping\"}", 200, "\"id\":-7,");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0041\\\"\",\"method\":\"ping\"}", 200, "\"id\":\"A\\\"\",");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}", 400, "-32700");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1}", 400, "-32600");
	expect(NULL, NULL, NULL, RPC1("ping\\u0000x", ""), 400, "-32600");
	expect(NULL, NULL, NULL, RPC1("tools/call", ",\"params\":{\"name\":\"group_list\\u0000x\"}"), 200, "-32602");
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}", 202, NULL);
	expect(NULL, NULL, NULL, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 202, NULL);
}

static void tools_that_are_not_ours_are_protocol_errors(void **state)
{
	(void)state;
	expect(NULL, NULL, NULL, RPC1("tools/call", ",\"params\":{\"name\":\"nope\"}"), 200, "-32602");
	expect(NULL, NULL, NULL, RPC1("tools/call", ",\"params\":{\"name\":\"group_create\"}"), 200, "-32602");
	expect(NULL, NULL, NULL, RPC1("tools/call", ",\"params\":{\"name\":\"list_repos\",\"arguments\":[]}"), 200, "-32602");
	expect(NULL, NULL, NULL, RPC1("tools/list", ",\"params\":{\"cursor\":\"x\"}"), 200, "-32602");
}

/* The list names every tool of the table that is for MCP, in its order, and nothing else; it is what hosts can take. */
static void the_list_is_the_table(void **state)
{
	struct got g = { 0 };
	struct mcp_input in = { .body = RPC1("tools/list", ""), .n = strlen(RPC1("tools/list", "")) };
	struct arena *a = arena_new();
	size_t i = 0;

	(void)state;
	mcp_handle(NULL, NULL, &in, &transport, &g);
	const char *list = json_member(json_member(g.body.p, "result", a), "tools", a);
	for (const struct tool *t = tools; t->name; t++) {
		if (t->where != MCP)
			continue;
		const char *row = json_item(list, i++, a);
		assert_non_null(row);
		assert_string_equal(json_text(json_member(row, "name", a), a), t->name);
		assert_string_equal(json_text(json_member(row, "description", a), a), t->doc);
		assert_true(strlen(t->name) <= 40 && strlen(t->doc) < 2048);
		assert_string_equal(json_member(json_member(row, "inputSchema", a), "type", a), "\"object\"");
		assert_string_equal(json_member(json_member(row, "outputSchema", a), "type", a), "\"object\"");
		assert_string_equal(json_member(json_member(row, "annotations", a), "readOnlyHint", a),
		    t->hints & WRITES ? "false" : "true");
	}
	assert_null(json_item(list, i, a));
	assert_true(i <= 20);
	assert_true(g.body.n < 20000);	/* hosts read all of it before the first question */
	arena_free(a);
	buf_free(&g.body);
}

/* ---- what comes from strangers beside messages: headers and cursors ---- */

static void media_types(void **state)
{
	static const struct { const char *accept, *type; bool want; } rows[] = {
		{ NULL, "text/html", true }, { "", "text/html", false }, { "*/*", "text/html", true }, { "text/*", "text/html", true },
		{ "text/*", "application/json", false }, { "TEXT/HTML", "text/html", true }, { "text/htmlx", "text/html", false },
		{ "text/htm", "text/html", false }, { "application/json, text/event-stream", "text/event-stream", true },
		{ "text/html;q=0", "text/html", false }, { "text/html;q=0.0 , */*", "text/html", false },
		{ "*/*, text/html; q=0.000", "text/html", false },
		{ "text/html;q=0.001", "text/html", true }, { "text/*;q=0, text/html", "text/html", true }, { "*/*;q=0", "text/html", false },
		{ "text/html;charset=\"q=0\";q=1", "text/html", true }, { ",,;;,", "text/html", false }, { "text/html;", "text/html", true },
		{ ";q=0", "text/html", false }, { "text/html;q=", "text/html", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (media_accepts_type(rows[i].accept, rows[i].type) != rows[i].want)
			fail_msg("Accept: %s for %s", rows[i].accept ? rows[i].accept : "-", rows[i].type);
	assert_true(media_is_json("application/json") && media_is_json(" Application/JSON; charset=utf-8") && media_is_json("application/a+json"));
	assert_false(media_is_json(NULL) || media_is_json("") || media_is_json("+json") ||
	    media_is_json("application/jsonp") || media_is_json("text/plain"));
	assert_true(media_accepts_encoding("gzip", "gzip") && media_accepts_encoding("br, GZIP;q=0.5", "gzip"));
	assert_false(media_accepts_encoding(NULL, "gzip") || media_accepts_encoding("gzip;q=0", "gzip") || media_accepts_encoding("gzipped", "gzip") ||
	    media_accepts_encoding("identity", "gzip"));
}

static const char *base64(struct arena *a, const char *text)
{
	struct buf b = { 0 };

	buf_base64(&b, text, strlen(text));
	const char *out = arena_strn(a, b.p, b.n);
	buf_free(&b);
	return out;
}

static void cursors(void **state)
{
	static const char list[] = "0123456789abcdef", other[] = "0123456789abcdee";
	static const char *const bad[] = { "x", "0123456789abcdef", "0123456789abcdef:1", "0123456789abcdef:1:2:", "0123456789abcdef:1:2:x.1",
		"0123456789abcdef:1:2 ", "0123456789abcde:1:2", "0123456789ABCDEF:1:2", ":1:2" };
	uint32_t numbers[100], got[100];
	struct arena *a = arena_new();
	struct err e = { 0 };
	size_t offset = 7;

	(void)state;
	assert_int_equal(cursor_read(NULL, list, &offset, &e), 0);
	assert_int_equal(offset, 0);
	const char *c = cursor_make(list, 20, 100, a);
	assert_int_equal(cursor_read(c, list, &offset, &e), 0);
	assert_int_equal(offset, 20);
	assert_int_equal(cursor_depth(c), 100);
	assert_int_equal(cursor_read(c, other, &offset, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	for (size_t i = 0; i < 100; i++)
		numbers[i] = i % 3 ? UINT32_MAX - (uint32_t)i : 0;
	c = cursor_make_with_numbers(list, 1, 2, numbers, 100, a);
	cursor_numbers(c, got, 100);
	for (size_t i = 0, kept = 0; i < 100; i++)	/* so many, the first ones */
		assert_int_equal(got[i], numbers[i] && kept++ < CURSOR_NUMBERS ? numbers[i] : 0);
	cursor_numbers(c, got, 2);		/* a list that has become shorter */
	assert_int_equal(got[1], numbers[1]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		c = base64(a, bad[i]);
		if (!cursor_read(c, list, &offset, &e) || !cursor_read(bad[i], list, &offset, &e))
			fail_msg("a cursor: %s", bad[i]);
		assert_int_equal(cursor_depth(c), 0);
		cursor_numbers(c, got, 100);
		for (size_t k = 0; k < 100; k++)
			assert_int_equal(got[k], 0);
	}
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_body_decides_the_era),
		cmocka_unit_test(modern_checks_come_in_order),
		cmocka_unit_test(malformed_messages_are_named),
		cmocka_unit_test(tools_that_are_not_ours_are_protocol_errors),
		cmocka_unit_test(the_list_is_the_table),
		cmocka_unit_test(media_types),
		cmocka_unit_test(cursors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
