/*
 * `atoll mcp` between a host, which is this test, and a coordinator, which is a small server in it: what each message of the
 * host asks of the coordinator, headers included, and which lines the host gets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <poll.h>
#include <sys/wait.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/cli/base/cli.h"
#include "coordinator/cli/commands/commands.h"
#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "tests/fake_http.h"

enum { WAIT_MS = 60000, QUIET_MS = 150 };

static struct arena *arena;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf asked; /* requests, a line each */
static atomic_int lost_session, released;
static pid_t bridge_pid;
static int to_bridge, from_bridge;
static char read_so_far[1 << 16];

/* ---- the coordinator ---- */

#define HEAD "HTTP/1.1 200 x\r\nConnection: close\r\n"
#define EVENTS HEAD "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

/* Replies by what the body contains; * is one with status, blank and body. */
static const struct {
	const char *in_body, *reply;
} replies[] = {
	{ "\"method\":\"initialize\"",
	    HEAD "Content-Type: application/json\r\nMcp-Session-Id: s%d\r\n\r\n"
	         "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"}}" },
	{ "\"plain\"", "*200 {\"jsonrpc\":\"2.0\",\n\"id\":2,\r\n\"result\":{}}" },
	{ "\"refused\"", "*401 {\"error\":{\"message\":\"no\"}}" },
	{ "\"forbidden\"", "*403 x" },
	{ "\"html\"", "*500 <html>" },
	{ "\"envelope\"", "*503 {\"error\":{\"message\":\"too busy\"}}" },
	{ "\"other\"", "*200 {\"a\":1}" },
	{ "\"accepted\"", "*202 " },
	{ "\"empty\"", "*200 " },
	{ "\"events\"", EVENTS "1f\r\nid: 7\ndata: {\"a\":\r\ndata: 1}\r\n\r\n\r\n0\r\n\r\n" },
	{ "\"broken\"", EVENTS "16\r\nid: e1\ndata: {\"b\":1}\n\n\r\n" },
	{ "notifications/", "*202 " },
	{ "resources/", "*200 {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}" },
	{ "\"id\":9,\"result\"", "*202 " },
	{ "\"id\":9,\"error\"",
	    "*400 {\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"unknown answer\"}}" },
};

static void note(const struct fake_request *r)
{
	static const char *const names[] = { "MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Method",
		"Mcp-Name", "Last-Event-ID", "Authorization" };

	pthread_mutex_lock(&lock);
	buf_str(&asked, r->line);
	for (size_t i = 0; i < LEN(names); i++) {
		const char *value = fake_header(r, names[i]);
		if (*value)
			buf_printf(&asked, " %s=%s", names[i], value);
	}
	buf_printf(&asked, " %.*s\n", (int)strcspn(r->body, "\n"), r->body);
	pthread_mutex_unlock(&lock);
}

/* The stream of a session: one event, which the next connection continues after. */
static void stream(const struct fake_request *r, struct buf *reply)
{
	if (lost_session && !strcmp(fake_header(r, "Mcp-Session-Id"), "s0")) {
		buf_str(reply, "HTTP/1.1 404 x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
		return;
	}
	if (!strcmp(fake_header(r, "Last-Event-ID"), "e1"))
		buf_str(reply, EVENTS "16\r\nid: e2\ndata: {\"b\":2}\n\n\r\n0\r\n\r\n");
	else if (!*fake_header(r, "Last-Event-ID") && !released)
		buf_str(reply, EVENTS "16\r\nid: n1\ndata: {\"n\":1}\n\n\r\n0\r\n\r\n");
	else
		while (!released)
			clock_sleep(2);
}

static void coordinator(const struct fake_request *r, struct buf *reply)
{
	const char *body = r->body;

	note(r);
	if (!strncmp(r->line, "GET", 3)) {
		stream(r, reply);
		return;
	}
	if (lost_session && !strcmp(fake_header(r, "Mcp-Session-Id"), "s0") &&
	    !strstr(body, replies[0].in_body)) {
		fake_json(
		    reply, 404, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"no session\"}}");
		return;
	}
	if (strstr(body, "\"hangs\""))
		while (!released)
			clock_sleep(2);
	for (size_t i = 0; i < LEN(replies); i++) {
		if (!strstr(body, replies[i].in_body))
			continue;
		const char *text = replies[i].reply;
		if (*text == '*')
			fake_json(reply, atoi(text + 1), text + 5);
		else if (!i)
			buf_str(reply,
			    arena_printf(arena, "%.*s%d%s", (int)(strstr(text, "%d") - text), text,
			        (int)lost_session, strstr(text, "%d") + 2));
		else
			buf_str(reply, text);
		return;
	}
}

/* ---- the host ---- */

static void begin(void)
{
	int in[2], out[2];

	lost_session = released = 0;
	asked.n = 0;
	*read_so_far = 0;
	fflush(stdout);
	assert_false(pipe(in) || pipe(out));
	bridge_pid = fork();
	if (!bridge_pid) {
		struct cli cli = { .a = arena };
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		close(in[1]);
		close(out[0]);
		cli.o.url = arena_printf(arena, "http://127.0.0.1:%d/", fake.port);
		cli.o.token = "t0ken";
		cli.o.ca = "";
		_exit(cmd_mcp(&cli) + 100);
	}
	close(in[0]);
	close(out[1]);
	to_bridge = in[1];
	from_bridge = out[0];
}

static void say_to_bridge(const char *line, size_t n)
{
	assert_int_equal(write(to_bridge, line, n), n);
}

/* The next `n` lines of the bridge; or fewer, when none came for `wait_ms`. */
static const char *lines(int n, int wait_ms)
{
	struct buf b = { 0 };
	struct pollfd p = { .fd = from_bridge, .events = POLLIN };
	char c;

	buf_str(&b, "");
	while (n && poll(&p, 1, wait_ms) > 0 && read(from_bridge, &c, 1) == 1) {
		buf_byte(&b, c);
		n -= c == '\n';
	}
	const char *text = arena_str(arena, b.p);
	buf_free(&b);
	return text;
}

/* Waits until the coordinator was asked `part`, which is then all that is compared. */
static void assert_asked(const char *part)
{
	bool found = false;

	for (int64_t end = clock_ms() + WAIT_MS; !found && clock_ms() < end; clock_sleep(2)) {
		pthread_mutex_lock(&lock);
		found = asked.n && strstr(asked.p, part);
		pthread_mutex_unlock(&lock);
	}
	if (!found)
		fail_msg("`%s` was not asked, but:\n%s", part, asked.n ? asked.p : "nothing");
}

static size_t times_asked(const char *part)
{
	size_t n = 0;

	pthread_mutex_lock(&lock);
	for (const char *p = asked.n ? asked.p : ""; (p = strstr(p, part)); p++)
		n++;
	pthread_mutex_unlock(&lock);
	return n;
}

static const char *all_asked(void)
{
	pthread_mutex_lock(&lock);
	const char *text = arena_strn(arena, asked.p, asked.n);
	pthread_mutex_unlock(&lock);
	return text;
}

/* Sends one message; the lines that come of it. */
static const char *tell(const char *message, int n)
{
	say_to_bridge(arena_printf(arena, "%s\n", message), strlen(message) + 1);
	return lines(n ? n : 1, n ? WAIT_MS : QUIET_MS);
}

static void end(void)
{
	int status;

	close(to_bridge);
	released = 1;
	assert_int_equal(waitpid(bridge_pid, &status, 0), bridge_pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_string_equal(lines(1, QUIET_MS), "");
	close(from_bridge);
}

static void initialize(void)
{
	assert_string_equal(tell("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}", 1),
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"}}\n");
	assert_string_equal(lines(1, WAIT_MS), "{\"n\":1}\n"); /* of the stream that is opened now */
	assert_asked("GET /mcp Mcp-Session-Id=s0 Authorization=Bearer t0ken \n");
}

/* ---- tests ---- */

#define ERROR(id, code, text)                                                                      \
	"{\"jsonrpc\":\"2.0\"," id "\"error\":{\"code\":" #code ",\"message\":\"" text "\"}}\n"

/* The lines with URL in place of the coordinator's address. */
static const char *without_address(const char *lines)
{
	const char *at = arena_printf(arena, "http://127.0.0.1:%d", fake.port);
	struct buf b = { 0 };

	buf_str(&b, "");
	for (const char *p = lines; *p;) {
		bool is = !strncmp(p, at, strlen(at));
		buf_put(&b, is ? "URL" : p, is ? 3 : 1);
		p += is ? strlen(at) : 1;
	}
	const char *s = arena_strn(arena, b.p, b.n);
	buf_free(&b);
	return s;
}

static void messages_and_their_answers(void **state)
{
	static const struct {
		const char *message, *line;
	} rows[] = {
		{ "{", ERROR("", -32700, "not a JSON message") },
		{ "[1]", ERROR("", -32600, "a line must be one JSON-RPC message") },
		{ "\"a\"", ERROR("", -32600, "a line must be one JSON-RPC message") },
		{ " \t\r", "" },
		{ "{\"id\":2,\"method\":\"plain\"}", "{\"jsonrpc\":\"2.0\", \"id\":2,  \"result\":{}}\n" },
		{ "{\"id\":2,\"method\":\"refused\"}",
		    ERROR("\"id\":2,", -32603, "the coordinator refuses the token; set ATOLL_TOKEN") },
		{ "{\"id\":\"x\",\"method\":\"forbidden\"}",
		    ERROR("\"id\":\"x\",", -32603, "the coordinator refuses the token; set ATOLL_TOKEN") },
		{ "{\"id\":1.5,\"method\":\"forbidden\"}",
		    ERROR("", -32603, "the coordinator refuses the token; set ATOLL_TOKEN") },
		{ "{\"id\":1e2,\"method\":\"forbidden\"}",
		    ERROR("", -32603, "the coordinator refuses the token; set ATOLL_TOKEN") },
		{ "{\"id\":null,\"method\":\"forbidden\"}",
		    ERROR("", -32603, "the coordinator refuses the token; set ATOLL_TOKEN") },
		{ "{\"id\":2,\"method\":\"html\"}",
		    ERROR("\"id\":2,", -32603,
		        "URL returned status 500 and is not a coordinator; check ATOLL_URL") },
		{ "{\"id\":2,\"method\":\"other\"}",
		    ERROR("\"id\":2,", -32603,
		        "URL returned status 200 and is not a coordinator; check ATOLL_URL") },
		{ "{\"id\":2,\"method\":\"accepted\"}",
		    ERROR("\"id\":2,", -32603,
		        "URL returned status 202 and is not a coordinator; check ATOLL_URL") },
		{ "{\"id\":2,\"method\":\"envelope\"}", ERROR("\"id\":2,", -32603, "too busy") },
		{ "{\"id\":2,\"method\":\"nothing\"}",
		    ERROR("\"id\":2,", -32603,
		        "no coordinator answers at URL (URL/mcp: "
		        "Server returned nothing (no headers, no data)); start one with `atoll up PATH...`") },
		{ "{\"id\":2,\"method\":\"empty\"}", "" },
		{ "{\"id\":2,\"method\":\"events\"}", "{\"a\": 1}\n" },
		{ "{\"method\":\"html\"}", "" }, /* a notification is not answered */
		{ "{\"id\":9,\"result\":{}}", "" }, /* nor is a response */
		{ "{\"id\":9,\"none\":{}}", "" },
		{ "{\"id\":9,\"error\":{}}",
		    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"unknown answer\"}}\n" },
	};

	(void)state;
	begin();
	for (size_t i = 0; i < LEN(rows); i++) {
		const char *want = rows[i].line, *got = tell(rows[i].message, *want ? 1 : 0);
		assert_string_equal(without_address(got), want);
	}
	say_to_bridge("{\"id\":2,\0}\n", 11);
	assert_string_equal(
	    lines(1, WAIT_MS), ERROR("", -32700, "not a JSON message: it contains a NUL byte"));
	assert_int_equal(
	    times_asked("POST /mcp Authorization=Bearer t0ken {\"id\":2,\"method\":\"plain\"}"), 1);
	assert_int_equal(times_asked("GET"), 0); /* there is no session */
	end();
	assert_int_equal(times_asked("DELETE"), 0);
}

/* Of the revision without sessions, each message says what it is in headers, too. */
static void headers_repeat_what_a_message_is(void **state)
{
#define META "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}"
	static const struct {
		const char *message, *headers;
	} rows[] = {
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{" META "}}",
		    "MCP-Protocol-Version=2026-07-28 Mcp-Method=plain" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{\"name\":\"n 1~\",\"uri\":\"u\"," META "}}",
		    "MCP-Protocol-Version=2026-07-28 Mcp-Method=plain Mcp-Name=n 1~" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{\"uri\":\"u:x\"," META "}}",
		    "MCP-Protocol-Version=2026-07-28 Mcp-Method=plain Mcp-Name=u:x" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{\"name\":\"\\u00e9\"," META "}}",
		    "MCP-Protocol-Version=2026-07-28 Mcp-Method=plain Mcp-Name==?base64?w6k=?=" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{\"name\":\"=?x\"," META "}}",
		    "MCP-Protocol-Version=2026-07-28 Mcp-Method=plain Mcp-Name==?base64?PT94?=" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{\"name\":\"\\u007f\"," META "}}",
		    "MCP-Protocol-Version=2026-07-28 Mcp-Method=plain Mcp-Name==?base64?fw==?=" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":{\"name\":\"n\"}}", "" },
		{ "{\"id\":2,\"method\":\"plain\",\"params\":[]}", "" },
	};

	(void)state;
	begin();
	for (size_t i = 0; i < LEN(rows); i++) {
		tell(rows[i].message, 1);
		assert_asked(arena_printf(arena, "POST /mcp %s%sAuthorization=Bearer t0ken %s\n",
		    rows[i].headers, *rows[i].headers ? " " : "", rows[i].message));
	}
	end();
}

#define BEARER(session)                                                                            \
	"POST /mcp MCP-Protocol-Version=2025-06-18 Mcp-Session-Id=" session                            \
	" Authorization=Bearer t0ken "

static void a_session_is_kept_renewed_and_ended(void **state)
{
	static const char plain[] = "{\"id\":2,\"method\":\"plain\"}";

	(void)state;
	begin();
	initialize();
	tell("{\"id\":3,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"u:a\"}}", 1);
	tell("{\"id\":3,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"u:b\"}}", 1);
	tell("{\"id\":3,\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"u:a\"}}", 1);
	tell("{\"id\":3,\"method\":\"resources/read\",\"params\":{\"uri\":\"u:c\"}}", 1);
	assert_asked(
	    "POST /mcp MCP-Protocol-Version=2025-06-18 Mcp-Session-Id=s0 Authorization=Bearer t0ken {\"id\":3,"
	    "\"method\":\"resources/read\"");
	assert_asked(
	    "GET /mcp Mcp-Session-Id=s0 Last-Event-ID=n1 Authorization=Bearer t0ken \n"); /* it goes on */

	pthread_mutex_lock(&lock);
	asked.n = 0;
	pthread_mutex_unlock(&lock);
	lost_session = 1;
	const char *two = tell(plain, 2);
	assert_string_equal(two,
	    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/list_changed\"}\n"
	    "{\"jsonrpc\":\"2.0\", \"id\":2,  \"result\":{}}\n");
	assert_string_equal(all_asked(),
	    BEARER("s0") "{\"id\":2,\"method\":\"plain\"}\n" BEARER("s0") "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n" BEARER(
	        "s1") "{\"id\":3,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"u:b\"}}\n" BEARER("s1") "{\"id\":2,\"method\":\"plain\"}\n");
	end();
	assert_asked("DELETE /mcp Mcp-Session-Id=s1 Authorization=Bearer t0ken \n");
}

/* The rest of an answer whose connection breaks is read from where it ended. */
static void a_broken_stream_is_resumed(void **state)
{
	(void)state;
	begin();
	initialize();
	assert_string_equal(tell("{\"id\":5,\"method\":\"broken\"}", 2), "{\"b\":1}\n{\"b\":2}\n");
	assert_asked("GET /mcp Mcp-Session-Id=s0 Last-Event-ID=e1 Authorization=Bearer t0ken \n");
	end();
}

static void what_is_cancelled_is_not_answered(void **state)
{
	(void)state;
	begin();
	say_to_bridge("{\"id\":\"h\",\"method\":\"hangs\"}\n{\"id\":8,\"method\":\"hangs\"}\n", 54);
	assert_asked("\"id\":8,");
	assert_asked("\"id\":\"h\",");
	tell("{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"h\"}}", 0);
	tell("{\"method\":\"notifications/other\",\"params\":{\"requestId\":8}}", 0);
	tell("{\"method\":\"notifications/cancelled\",\"params\":{}}", 0);
	released = 1;
	assert_string_equal(lines(2, 400),
	    arena_printf(arena,
	        ERROR("\"id\":8,", -32603,
	            "no coordinator answers at http://127.0.0.1:%d (http://127.0.0.1:%d/mcp: Server returned nothing (no headers, no data));"
	            " start one with `atoll up PATH...`"),
	        fake.port, fake.port));
	end();
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	return fake_start(coordinator);
}

static int teardown(void **state)
{
	(void)state;
	fake_stop();
	buf_free(&asked);
	arena_free(arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_and_their_answers),
		cmocka_unit_test(headers_repeat_what_a_message_is),
		cmocka_unit_test(a_session_is_kept_renewed_and_ended),
		cmocka_unit_test(a_broken_stream_is_resumed),
		cmocka_unit_test(what_is_cancelled_is_not_answered),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
