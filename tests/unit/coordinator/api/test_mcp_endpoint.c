/* MCP over HTTP: which requests are refused and how, and what goes over the wire for answers and events. */
#include "tests/http_answers.h"

#include "coordinator/mcp/mcp.h"

static struct buf wire; /* the events of a stream, "[" at its beginning, "]" at its end */
static bool streaming, hears = true;
static const char *accepted;

static inline void start_stream(struct exchange *x, const char *header)
{
	(void)x;
	if (!streaming)
		buf_printf(&wire, "[%s|", header ? header : "");
	streaming = true;
}

static inline bool send_part(struct exchange *x, const char *p, size_t n)
{
	(void)x;
	buf_put(&wire, p, n);
	return hears;
}

static inline void end_stream(struct exchange *x)
{
	(void)x;
	buf_str(&wire, "]");
}

static inline bool is_stream(struct exchange *x)
{
	(void)x;
	return streaming;
}

static inline bool accepts(const struct exchange *x, const char *type)
{
	(void)x;
	return !accepted || strstr(accepted, type);
}

static void handle(struct coordinator *, const struct caller *, const struct mcp_input *,
    const struct mcp_transport *, void *ctx);
static int open_stream(struct coordinator *, const struct caller *, const char *session,
    const char *last, const struct mcp_transport *, void *ctx, int64_t *retry_ms, struct err *);
static int end_session(
    struct coordinator *, const struct caller *, const char *session, struct err *);

#define http_stream start_stream
#define http_send send_part
#define http_end end_stream
#define http_is_stream is_stream
#define http_accepts accepts
#define mcp_handle handle
#define mcp_open_stream open_stream
#define mcp_end_session end_session
#include "coordinator/api/mcp_endpoint.c"
#undef http_header

#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"

static struct exchange x;
static const struct mcp_input *given;
static const struct mcp_transport *by;
static const char *session_seen, *last_seen;
static int open_fails; /* 1: without, 2: with a time to retry */

static void handle(struct coordinator *co, const struct caller *c, const struct mcp_input *in,
    const struct mcp_transport *t, void *ctx)
{
	static struct mcp_input copy;

	(void)co, (void)c;
	assert_ptr_equal(ctx, &x);
	copy = *in;
	given = &copy;
	by = t;
}

static int open_stream(struct coordinator *co, const struct caller *c, const char *session,
    const char *last, const struct mcp_transport *t, void *ctx, int64_t *retry_ms, struct err *e)
{
	(void)co, (void)c, (void)t;
	assert_ptr_equal(ctx, &x);
	session_seen = session;
	last_seen = last;
	if (!open_fails)
		return 0;
	if (open_fails == 2)
		*retry_ms = 1500;
	return err_set(e, open_fails == 2 ? ERR_RATE_LIMITED : ERR_NOT_FOUND, "no stream");
}

static int end_session(
    struct coordinator *co, const struct caller *c, const char *session, struct err *e)
{
	(void)co, (void)c;
	if (!strcmp(session, "good"))
		return 0;
	return err_set(e, ERR_NOT_FOUND, "no session");
}

static int begin(void **state)
{
	(void)state;
	x = (struct exchange){ .method = "GET", .body = "{}", .n = 2, .a = arena_new() };
	memset(http_in.headers, 0, sizeof http_in.headers);
	http_out.answers = 0;
	streaming = false;
	hears = true;
	accepted = NULL;
	given = NULL;
	open_fails = 0;
	session_seen = last_seen = "none";
	wire.n = 0;
	buf_str(&wire, "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(x.a);
	return 0;
}

static void with(const char *name, const char *value)
{
	size_t n = 0;

	while (http_in.headers[n].name)
		n++;
	http_in.headers[n] = (struct http_header){ name, value };
}

static void failed_with(int status, const char *header, const char *msg, const char *hint)
{
	assert_int_equal(http_out.answers, 1);
	http_out.answers = 0;
	assert_int_equal(http_out.status, status);
	assert_string_equal(http_out.header, header);
	assert_string_equal(http_out.e.msg, msg);
	if (hint)
		assert_string_equal(http_out.e.hint, hint);
}

/* ---- requests ---- */

static void a_post_is_handled(void **state)
{
	(void)state;
	with("X-Some", "value");
	mcp_post(&x);
	assert_int_equal(http_out.answers, 0);
	assert_string_equal(given->body, "{}");
	assert_int_equal(given->n, 2);
	assert_string_equal(given->header(given->from, "X-Some"), "value");
	assert_null(given->header(given->from, "X-Other"));
}

static void a_post_that_is_refused(void **state)
{
	(void)state;
	accepted = "text/html";
	with("Accept", "text/html");
	mcp_post(&x);
	assert_null(given);
	failed_with(406, "", "Accept `text/html` does not include application/json",
	    "Send Accept: application/json, text/event-stream.");
	accepted = NULL;
	with("Not-Json", "");
	mcp_post(&x);
	assert_null(given);
	failed_with(415, "", "not JSON", NULL);
}

static void a_get_opens_a_stream(void **state)
{
	(void)state;
	with("Mcp-Session-Id", "s1");
	with("Last-Event-ID", "7");
	with("MCP-Protocol-Version", "2025-06-18");
	mcp_get(&x);
	assert_int_equal(http_out.answers, 0);
	assert_string_equal(session_seen, "s1");
	assert_string_equal(last_seen, "7");
	open_fails = 1;
	mcp_get(&x);
	failed_with(404, "", "no stream", NULL);
	open_fails = 2;
	mcp_get(&x);
	failed_with(429, "Retry-After: 2", "no stream", NULL);
}

static void a_get_that_is_refused(void **state)
{
	(void)state;
	mcp_get(&x);
	failed_with(405, "Allow: POST", "GET needs the header Mcp-Session-Id",
	    "Use POST; the answer to `initialize` has a session id.");
	with("MCP-Protocol-Version", "1999-01-01");
	mcp_get(&x);
	failed_with(405, "Allow: POST", "GET needs the header Mcp-Session-Id", NULL);
	with("Mcp-Session-Id", "s1");
	mcp_get(&x);
	failed_with(400, "", "MCP-Protocol-Version `1999-01-01` has no sessions, or is not supported",
	    "Send the version that `initialize` has negotiated.");
	http_in.headers[0] = (struct http_header){ "Accept", "application/json" };
	accepted = "application/json";
	mcp_get(&x);
	failed_with(
	    406, "", "Accept does not include text/event-stream", "Send Accept: text/event-stream.");
	assert_string_equal(session_seen, "none");
}

static void a_session_is_ended(void **state)
{
	(void)state;
	x.method = "DELETE";
	mcp_delete(&x);
	failed_with(405, "Allow: POST", "DELETE needs the header Mcp-Session-Id", NULL);
	with("Mcp-Session-Id", "good");
	mcp_delete(&x);
	assert_int_equal(http_out.status, 204);
	assert_int_equal(http_out.e.code, 0);
	assert_string_equal(http_out.type, "");
	http_out.answers = 0;
	http_in.headers[0].value = "bad";
	mcp_delete(&x);
	failed_with(404, "", "no session", NULL);
}

/* ---- answers ---- */

static void answer(int status, const char *header_line, const char *text)
{
	struct buf body = { 0 };

	if (text)
		buf_str(&body, text);
	done(&x, status, header_line, &body);
	if (streaming)
		buf_free(&body);
}

static void one_answer(void **state)
{
	(void)state;
	answer(200, "Mcp-Session-Id: s", "{\"x\":1}");
	assert_int_equal(http_out.status, 200);
	assert_string_equal(http_out.type, "application/json");
	assert_string_equal(http_out.header, "Mcp-Session-Id: s");
	assert_string_equal(http_out.body.p, "{\"x\":1}");
	assert_string_equal(wire.p, "");
	answer(202, NULL, NULL);
	assert_int_equal(http_out.status, 202);
	assert_string_equal(http_out.type, "");
	assert_string_equal(http_out.body.p, "");
}

static void an_answer_at_the_end_of_a_stream(void **state)
{
	(void)state;
	assert_true(event(&x, NULL, "{\"progress\":1}"));
	assert_true(event(&x, "5", "{\"progress\":2}"));
	assert_true(event(&x, "6", NULL));
	assert_true(event(&x, NULL, NULL));
	hears = false;
	assert_false(event(&x, NULL, "{}"));
	assert_false(event(&x, NULL, NULL));
	answer(200, NULL, "{\"x\":1}");
	assert_int_equal(http_out.answers, 0);
	char retry[60];
	snprintf(retry, sizeof retry, "id: 6\nretry: %d\ndata: \n\n", STREAM_RETRY_MS);
	const char *want = arena_printf(x.a,
	    "[|event: message\ndata: {\"progress\":1}\n\nid: 5\nevent: message\ndata: {\"progress\":2}\n\n%s:\n\n"
	    "event: message\ndata: {}\n\n:\n\nevent: message\ndata: {\"x\":1}\n\n]",
	    retry);
	assert_string_equal(wire.p, want);
}

/* Without a body, 200 is a stream of nothing. */
static void an_empty_stream(void **state)
{
	(void)state;
	answer(200, "H: v", NULL);
	assert_string_equal(wire.p, "[H: v|]");
	assert_int_equal(http_out.answers, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_post_is_handled),
		TEST(a_post_that_is_refused),
		TEST(a_get_opens_a_stream),
		TEST(a_get_that_is_refused),
		TEST(a_session_is_ended),
		TEST(one_answer),
		TEST(an_answer_at_the_end_of_a_stream),
		TEST(an_empty_stream),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	buf_free(&wire);
	buf_free(&http_out.body);
	return rc;
}
