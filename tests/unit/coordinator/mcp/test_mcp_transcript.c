/*
 * MCP as clients see it, message by message: messages.txt beside this file has what is sent and what comes back.
 *
 *   METHOD PARAMS     a request of a handshake revision, in the session if there is one
 *   -METHOD PARAMS    the same without a session
 *   +METHOD PARAMS    a request of 2026-07-28, with its headers and capabilities
 *   raw VERSION METHOD NAME BODY   any message; - for a header that is not sent
 *   notify METHOD PARAMS           a notification in the session
 *   answer ID RESULT, refuse ID    the client answers a request of ours
 *   can CAPABILITIES               of the next messages of 2026-07-28
 *   call TOOL ARGUMENTS            a tool changes the coordinator; poll: which then looks for changes
 *   open LAST|-, heard, await TEXT opens the stream of the session; what came over it; waits for what comes
 *   also METHOD                    a request with the same id while another one is in progress
 *   end                            ends the session
 *   groups N, subscribe N          makes so many groups; subscribes to so many of their resources
 *   listen WHAT, gone              opens the stream of a subscription, in place of the other; its reader leaves
 *   < ...                          an event, or the status and the answer
 *
 * STATE is the state that came last.  What is long or differs in each run is cut.  With RECORD set, the test prints the
 * transcript as it is now.
 */
#include "tests/mcp_in_process.h"

#include "coordinator/mcp/mcp_internal.h"

static const char transcript[] = "tests/unit/coordinator/mcp/messages.txt";
static const char *session, *can = "{}", *state_text = "";
static struct mcp_listener pending, stream;
static bool is_pending, is_open;
static size_t shown, heard; /* of `pending` and `stream` */
static struct buf out;

struct sent_headers {
	const char *version, *method, *name, *session;
};

static const char *header_of(const void *from, const char *name)
{
	const struct sent_headers *h = from;
	const struct {
		const char *name, *value;
	} all[] = { { "MCP-Protocol-Version", h->version }, { "Mcp-Method", h->method },
		{ "Mcp-Name", h->name }, { "Mcp-Session-Id", h->session } };

	for (size_t i = 0; i < LEN(all); i++)
		if (!strcmp(all[i].name, name))
			return all[i].value;
	return NULL;
}

/* Appends one line of what came, with what differs in each run left out. */
static void put_line(const char *line, size_t n)
{
	static const struct {
		const char *before, *instead;
	} cut[] = { { "\"requestState\":\"", "STATE" }, { "\"instructions\":\"", "…" },
		{ "\"version\":\"", "VERSION" } };
	struct buf b = { 0 };

	for (const char *p = line; p < line + n;) {
		size_t i = 0;
		while (i < LEN(cut) && strncmp(p, cut[i].before, strlen(cut[i].before)))
			i++;
		if (i == LEN(cut)) {
			buf_byte(&b, *p++);
			continue;
		}
		const char *value = p + strlen(cut[i].before), *end = value;
		while (*end != '"')
			end += 1 + (*end == '\\');
		if (!i)
			state_text = arena_strn(a, value, (size_t)(end - value));
		buf_printf(&b, "%s%s", cut[i].before, cut[i].instead);
		p = end;
	}
	buf_str(&out, "< ");
	if (b.n > 7000)
		buf_printf(&out, "%.200s … %s\n", b.p, b.p + b.n - 200);
	else
		buf_printf(&out, "%.*s\n", (int)b.n, b.p);
	buf_free(&b);
}

static size_t put_new(struct mcp_listener *e, size_t from)
{
	const char *all = received_text(e);

	while (all[from]) {
		size_t n = strcspn(all + from, "\n");
		put_line(all + from, n);
		from += n + 1;
	}
	return from;
}

static bool asks(const char *text)
{
	return strstr(text, "elicitation/create") || strstr(text, "sampling/createMessage") ||
	    strstr(text, "roots/list");
}

/* Waits until the pending request is answered, or it asks the client. */
static void follow_pending(int questions)
{
	while (!is_answered(&pending)) {
		int n = 0;
		for (const char *p = received_text(&pending) + shown; *p && asks(p); n++)
			p = strchr(p, '\n') + 1;
		if (n >= questions)
			break;
		clock_sleep(1);
	}
	shown = put_new(&pending, shown);
	if (!is_answered(&pending))
		return;
	if (*pending.session)
		session = arena_str(a, pending.session);
	listener_close(&pending);
	is_pending = false;
}

static void send_body(const char *body, const struct sent_headers *h, struct mcp_listener *to)
{
	mcp_handle(co, &caller_local, &(struct mcp_input){ body, strlen(body), header_of, h },
	    &test_transport, to);
}

static void request(const char *body, const struct sent_headers *h)
{
	if (is_pending)
		fail_msg("a request is pending: %s", body);
	listener_open(&pending);
	is_pending = true;
	shown = 0;
	send_body(body, h, &pending);
	follow_pending(strstr(body, "multiple_inputs") ? 3 :
	        strstr(body, "result_capabilities")    ? 2 :
	                                                 1);
}

static void modern(const char *method, const char *params)
{
	const char *meta = arena_printf(a,
	    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
	    "\"io.modelcontextprotocol/clientCapabilities\":%s}",
	    can);
	const char *all = arena_printf(a, "{%s%s%s", meta, strlen(params) > 2 ? "," : "", params + 1);
	const char *name = json_text(get(params, !strncmp(method, "resources", 9) ? "uri" : "name"), a);

	request(arena_printf(
	            a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, all),
	    &(struct sent_headers){ "2026-07-28", method, name, NULL });
}

/* A message that is not answered with a body, while another one may be pending. */
static void tell(const char *body)
{
	struct mcp_listener e;

	listener_open(&e);
	send_body(body, &(struct sent_headers){ .session = session }, &e);
	while (!is_answered(&e))
		clock_sleep(1);
	put_new(&e, 0);
	listener_close(&e);
}

static void open_stream(char *last)
{
	struct err e = { 0 };
	int64_t retry_ms;

	if (is_open)
		listener_close(&stream);
	listener_open(&stream);
	is_open = true;
	heard = 0;
	if (mcp_open_stream(co, &caller_local, session ? session : "none",
	        strcmp(last, "-") ? last : NULL, &test_transport, &stream, &retry_ms, &e))
		buf_printf(&out, "< %s: %s %s\n", err_name(e.code), e.msg, e.hint);
	heard = put_new(&stream, heard);
}

/* Opens the stream of a subscription. */
static void listen_for(char *what)
{
	const char *body = arena_printf(a,
	    "{\"jsonrpc\":\"2.0\",\"id\":\"l\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":%s,"
	    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
	    what);

	if (is_open) {
		mcp_reader_gone(co->mcp, &stream);
		heard = put_new(&stream, heard);
		listener_close(&stream);
	}
	listener_open(&stream);
	is_open = true;
	heard = 0;
	send_body(
	    body, &(struct sent_headers){ "2026-07-28", "subscriptions/listen", NULL, NULL }, &stream);
	heard = put_new(&stream, heard);
}

static void raw(char *rest)
{
	struct sent_headers h = { .session = session };
	const char **to[] = { &h.version, &h.method, &h.name };

	for (size_t i = 0; i < LEN(to); i++) {
		char *end = strchr(rest, ' ');
		*end = 0;
		*to[i] = strcmp(rest, "-") ? rest : NULL;
		rest = end + 1;
	}
	request(rest, &h);
}

static void end_session(char *rest)
{
	struct err e = { 0 };

	(void)rest;
	if (mcp_end_session(co, &caller_local, session ? session : "none", &e))
		buf_printf(&out, "< %s: %s\n", err_name(e.code), e.msg);
	session = NULL;
}

static void can_do(char *rest)
{
	can = rest;
}

static void call(char *rest)
{
	const char *answer = ask(arena_strn(a, rest, strcspn(rest, " ")), strchr(rest, ' ') + 1);

	if (strstr(answer, "\"error\""))
		buf_str(&out, "< failed\n");
}

static void poll_changes(char *rest)
{
	(void)rest;
	mcp_poll_changes(co);
}

static void show_heard(char *rest)
{
	(void)rest;
	heard = put_new(&stream, heard);
}

static void await(char *rest)
{
	while (!strstr(received_text(&stream), rest))
		clock_sleep(1);
}

static void ask_also(char *rest)
{
	tell(arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\"}", rest));
}

static void reader_gone(char *rest)
{
	(void)rest;
	mcp_reader_gone(co->mcp, &stream);
}

static void create_groups(char *rest)
{
	for (int i = 0; i < atoi(rest); i++) {
		const char *group = arena_printf(a, "{\"group\":\"n%03d\"}", i);
		assert_null(strstr(ask("group_create", group), "error"));
	}
}

static void subscribe_often(char *rest)
{
	static const char *const views[] = { "status", "contracts", "graph" };

	for (int i = 0; i < atoi(rest); i++) {
		const char *params = arena_printf(
		    a, "{\"uri\":\"atoll://group/n%03d/%s\"}", i / 3, views[i % 3]);
		assert_non_null(
		    strstr(mcp_request(&caller_local, "resources/subscribe", params, arena_str(a, session)),
		        "result"));
	}
}

static void notify(char *rest)
{
	tell(arena_printf(a, "{\"jsonrpc\":\"2.0\",\"method\":\"%.*s\",\"params\":%s}",
	    (int)strcspn(rest, " "), rest, strchr(rest, ' ') + 1));
}

/* `ID RESULT`, or `ID` for an error. */
static void answer(char *rest)
{
	char *result = strchr(rest, ' ');

	if (result)
		*result++ = 0;
	tell(arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%s}", rest,
	    result ? "result" : "error", result ? result : "{\"code\":1,\"message\":\"no\"}"));
	if (is_pending && pending.answers)
		follow_pending(1);
}

static const struct {
	const char *word;
	void (*follow)(char *rest);
} commands[] = {
	{ "raw", raw },
	{ "can", can_do },
	{ "call", call },
	{ "poll", poll_changes },
	{ "open", open_stream },
	{ "heard", show_heard },
	{ "await", await },
	{ "also", ask_also },
	{ "listen", listen_for },
	{ "gone", reader_gone },
	{ "groups", create_groups },
	{ "subscribe", subscribe_often },
	{ "end", end_session },
	{ "notify", notify },
	{ "answer", answer },
	{ "refuse", answer },
};

/* A command, `+METHOD PARAMS` for a modern request, or `METHOD PARAMS`, with `-` before it for one without a session. */
static void follow(char *line)
{
	char *rest = strchr(line, ' ');

	if (rest)
		*rest++ = 0;
	else
		rest = arena_str(a, "{}");
	for (size_t i = 0; i < LEN(commands); i++)
		if (!strcmp(line, commands[i].word)) {
			commands[i].follow(rest);
			return;
		}
	if (*line == '+') {
		modern(line + 1, rest);
		return;
	}
	request(arena_printf(a, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
	            line + (*line == '-'), rest),
	    &(struct sent_headers){ .session = *line == '-' ? NULL : session });
}

static void messages_and_answers(void **state)
{
	struct buf all = { 0 };
	char chunk[4096];
	FILE *f = fopen(transcript, "r");

	(void)state;
	assert_non_null(f);
	for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;)
		buf_put(&all, chunk, n);
	fclose(f);
	for (const char *p = all.p; *p; p += strcspn(p, "\n") + 1) {
		size_t n = strcspn(p, "\n");
		if (*p == '<')
			continue;
		buf_put(&out, p, n);
		buf_byte(&out, '\n');
		const char *line = arena_strn(a, p, n), *at = strstr(line, "STATE");
		if (at)
			line = arena_printf(a, "%.*s%s%s", (int)(at - line), line, state_text, at + 5);
		if (*p != '#' && n)
			follow(arena_str(a, line));
	}
	if (getenv("RECORD"))
		fwrite(out.p, 1, out.n, stdout);
	else
		assert_string_equal(out.p, all.p);
	buf_free(&all);
}

static int open_all(void **state)
{
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-messages.XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *argv[] = { "atoll-coordinator", "--data", dir, "--http", "", "--listen",
		arena_printf(a, "ipc://%s/members", dir), "--conformance", "--probe-interval-ms", "600000",
		NULL };
	if (coordinator_options(&o, 10, argv, a, &e) || !(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
	for (int64_t end = clock_ms() + BUSY_MS; !co->mcp->seen && clock_ms() < end;)
		clock_sleep(1); /* until the coordinator has looked for changes by itself, once */
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	coordinator_close(co);
	if (is_open)
		listener_close(&stream);
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	buf_free(&out);
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(messages_and_answers) };

	return cmocka_run_group_tests(tests, open_all, close_all);
}
