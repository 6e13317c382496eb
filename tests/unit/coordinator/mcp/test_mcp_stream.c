/* Event streams whose clients reconnect: which events are kept, for whom and how long; many streams at once. */
#include "coordinator/mcp/mcp.h"
#include "coordinator/mcp/mcp_internal.h"
#include "coordinator/mcp/mcp_stream.h"
#include "tests/tool_calls.h"

/* A connection: what came over it, until it was over. */
struct ear {
	pthread_mutex_t lock;
	pthread_cond_t come;
	struct buf heard;		/* `ID MESSAGE` a line */
	char last[48], session[40];
	int events, ends;
};

struct headers {
	const char *session;
};

static void ear_open(struct ear *e)
{
	memset(e, 0, sizeof *e);
	pthread_mutex_init(&e->lock, NULL);
	pthread_cond_init(&e->come, NULL);
}

static void ear_close(struct ear *e)
{
	assert_int_equal(e->ends, 1);
	buf_free(&e->heard);
	pthread_mutex_destroy(&e->lock);
	pthread_cond_destroy(&e->come);
}

static bool on_event(void *ctx, const char *id, const char *message)
{
	struct ear *e = ctx;

	pthread_mutex_lock(&e->lock);
	if (id)
		snprintf(e->last, sizeof e->last, "%s", id);
	buf_printf(&e->heard, "%s %s\n", id ? id : "-", message ? message : "");
	e->events += message != NULL;
	pthread_cond_broadcast(&e->come);
	pthread_mutex_unlock(&e->lock);
	return true;
}

static void on_end(void *ctx, int status, const char *header, struct buf *body)
{
	struct ear *e = ctx;

	pthread_mutex_lock(&e->lock);
	if (header && !strncmp(header, "Mcp-Session-Id: ", 16))
		snprintf(e->session, sizeof e->session, "%s", header + 16);
	buf_printf(&e->heard, "end %d %s\n", status, body && body->p ? body->p : "");
	e->ends++;
	pthread_cond_broadcast(&e->come);
	pthread_mutex_unlock(&e->lock);
}

static const struct mcp_transport transport = { on_event, on_end };

/* Until it has so many events, or its end. */
static void wait_events(struct ear *e, int events)
{
	pthread_mutex_lock(&e->lock);
	while (e->events < events && !e->ends)
		pthread_cond_wait(&e->come, &e->lock);
	pthread_mutex_unlock(&e->lock);
}

static void wait_end(struct ear *e)
{
	wait_events(e, INT32_MAX);
}

static const char *header(const void *from, const char *name)
{
	return !strcmp(name, "Mcp-Session-Id") ? ((const struct headers *)from)->session : NULL;
}

static void say(struct ear *e, const char *session, const char *message)
{
	struct headers h = { session };
	struct mcp_input in = { message, strlen(message), header, &h };

	mcp_handle(co, &caller_local, &in, &transport, e);
}

static void begin(const char *version, char session[40])
{
	struct ear e;
	char message[200];

	ear_open(&e);
	snprintf(message, sizeof message,
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\"}}", version);
	say(&e, NULL, message);
	wait_end(&e);
	strcpy(session, e.session);
	ear_close(&e);
}

/* Three steps, 50 ms each, then the answer: four events. */
static void call_slow(struct ear *e, const char *session, int id)
{
	char message[200];

	snprintf(message, sizeof message,
	    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"test_tool_with_progress\","
	    "\"_meta\":{\"progressToken\":1}}}", id);
	say(e, session, message);
}

static int come_back(struct ear *e, const char *session, const char *last)
{
	struct err err = { 0 };
	int64_t retry_ms;

	int rc = mcp_open_stream(co, &caller_local, session, last, &transport, e, &retry_ms, &err);
	if (rc) {
		assert_true(err.code == ERR_INVALID_INPUT || err.code == ERR_NOT_FOUND);
		e->ends++;	/* HTTP would answer it */
	}
	return rc;
}

static int count(const char *text, const char *part)
{
	int n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* ---- what is kept ---- */

static void ids_are_two_numbers(void **state)
{
	static const char *const bad[] = { "", "-", "1", "1-", "-1", "1-2-3", "1--2", " 1-2", "1-2 ", "+1-2", "1-x",
	    "0x1-2", "9999999999999999999-1",
		"1-9999999999999999999", "111111111111111111111111111111111111111111-1" };
	uint64_t s, n;

	(void)state;
	for (size_t i = 0; i < LEN(bad); i++)
		if (stream_parse_event_id(bad[i], &s, &n))
			fail_msg("`%s` is an id", bad[i]);
	assert_true(stream_parse_event_id("12-034", &s, &n));
	assert_int_equal(s, 12);
	assert_int_equal(n, 34);
}

static void the_newest_events_are_kept(void **state)
{
	struct event_log r = { 0 };
	char *large = malloc(2 * STREAM_BYTES + 1);

	(void)state;
	for (int i = 0; i < STREAM_EVENTS + 10; i++)
		event_log_append(&r, "x");
	assert_int_equal(r.n, STREAM_EVENTS);
	assert_int_equal(r.v[0].number, 11);
	assert_int_equal(r.last, STREAM_EVENTS + 10);
	memset(large, 'x', 2 * STREAM_BYTES);
	large[2 * STREAM_BYTES] = 0;
	event_log_append(&r, large);		/* an answer, however large */
	assert_int_equal(r.n, 1);
	event_log_append(&r, "y");
	assert_int_equal(r.n, 1);
	assert_int_equal(r.bytes, 1);
	assert_int_equal(r.v[0].number, r.last);
	event_log_free(&r);
	free(large);
}

/* ---- who comes back ---- */

static void what_was_missed_comes(void **state)
{
	char session[40];
	struct ear first, second, third;

	(void)state;
	ear_open(&second), ear_open(&third);
	for (int i = 0; i < 50; i++) {	/* on a busy machine it may be answered before it has left */
		begin("2025-11-25", session);
		ear_open(&first);
		call_slow(&first, session, 1);
		wait_events(&first, 1);
		mcp_reader_gone(co->mcp, &first);
		wait_end(&first);
		if (!strstr(first.heard.p, "\"result\""))
			break;
		ear_close(&first);
	}
	assert_true(strstr(first.heard.p, "1-0 \n1-1 {") == first.heard.p);
	assert_null(strstr(first.heard.p, "\"result\""));
	assert_int_equal(come_back(&second, session, first.last), 0);
	wait_end(&second);
	assert_int_equal(count(second.heard.p, "notifications/progress"), 3 - first.events);
	assert_int_equal(count(second.heard.p, "\"id\":1,\"result\""), 1);
	assert_int_equal(come_back(&third, session, "1-1"), 0);	/* answered long since */
	wait_end(&third);
	assert_int_equal(third.events, 3);
	ear_close(&first), ear_close(&second), ear_close(&third);
}

static void nothing_is_primed_for_older_clients(void **state)
{
	char session[40];
	struct ear e;

	(void)state;
	begin("2025-06-18", session);
	ear_open(&e);
	call_slow(&e, session, 1);
	wait_end(&e);
	assert_true(strstr(e.heard.p, "- \n1-1 {") == e.heard.p);
	ear_close(&e);
}

static void a_call_without_events_is_over_when_its_client_leaves(void **state)
{
	char session[40];
	struct ear e, back;

	(void)state;
	begin("2025-11-25", session);
	ear_open(&e), ear_open(&back);
	say(&e, session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"group_list\"}}");
	mcp_reader_gone(co->mcp, &e);
	wait_end(&e);
	assert_int_equal(come_back(&back, session, "1-0"), -1);
	ear_close(&e), ear_close(&back);
}

static void the_last_of_a_session_are_kept(void **state)
{
	enum { CALLS = STREAMS_RETAINED + 4 };
	char session[40], other[40], id[16];
	struct ear calls[CALLS], back;

	(void)state;
	begin("2025-11-25", session);
	begin("2025-11-25", other);
	for (int i = 0; i < CALLS; i++) {
		ear_open(&calls[i]);
		call_slow(&calls[i], session, i);
	}
	for (int i = 0; i < CALLS; i++) {
		wait_end(&calls[i]);
		assert_int_equal(calls[i].events, 4);
		ear_close(&calls[i]);
	}
	int kept = 0;
	for (int i = 1; i <= CALLS; i++) {
		snprintf(id, sizeof id, "%d-3", i);
		ear_open(&back);
		kept += !come_back(&back, session, id);
		ear_close(&back);
		ear_open(&back);
		assert_int_equal(come_back(&back, other, id), -1);
		ear_close(&back);
	}
	assert_int_equal(kept, STREAMS_RETAINED);
}

static void a_session_takes_its_streams_with_it(void **state)
{
	char session[40];
	struct ear e, back;
	struct err err = { 0 };

	(void)state;
	size_t before = co->mcp->stream_bytes;
	begin("2025-11-25", session);
	ear_open(&e), ear_open(&back);
	call_slow(&e, session, 1);
	wait_events(&e, 1);
	mcp_reader_gone(co->mcp, &e);		/* goes on, for nobody */
	wait_end(&e);
	assert_int_equal(mcp_end_session(co, &caller_local, session, &err), 0);
	assert_int_equal(come_back(&back, session, e.last), -1);
	ear_close(&e), ear_close(&back);
	bool left = true;
	for (int i = 0; i < 3000 && left; i++) {
		clock_sleep(20);
		pthread_mutex_lock(&co->mcp->lock);
		left = co->mcp->stream_bytes > before;
		pthread_mutex_unlock(&co->mcp->lock);
	}
	assert_false(left);
}

/* ---- many at once ---- */

struct client {
	pthread_t thread;
	unsigned seed;
	int answers, calls;
};

static void *be_client(void *arg)
{
	struct client *c = arg;
	char session[40], last[48];

	begin("2025-11-25", session);
	for (int i = 0; i < c->calls; i++) {
		struct ear e;
		bool answered = false;
		ear_open(&e);
		call_slow(&e, session, i);
		wait_events(&e, 1);
		for (int left = 0; !answered; left++) {
			clock_sleep((int)(rand_r(&c->seed) % 60));
			if (left < 3)
				mcp_reader_gone(co->mcp, &e);
			wait_end(&e);
			answered = strstr(e.heard.p, "\"result\"");
			if (*e.last)	/* it may have left before anything came */
				strcpy(last, e.last);
			ear_close(&e);
			if (answered)
				break;
			ear_open(&e);
			if (come_back(&e, session, last))
				return NULL;
		}
		c->answers += answered;
	}
	struct err err = { 0 };
	mcp_end_session(co, &caller_local, session, &err);
	return NULL;
}

static void many_leave_and_come_back(void **state)
{
	struct client clients[6] = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(clients); i++) {
		clients[i].seed = (unsigned)i + 1;
		clients[i].calls = 4;
		assert_int_equal(pthread_create(&clients[i].thread, NULL, be_client, &clients[i]), 0);
	}
	for (size_t i = 0; i < LEN(clients); i++) {
		pthread_join(clients[i].thread, NULL);
		assert_int_equal(clients[i].answers, clients[i].calls);
	}
}

/* ---- set-up ---- */

static int open_all(void **state)
{
	struct coordinator_config o = { 0 };
	struct err e = { 0 };

	(void)state;
	log_init("test", LOG_ERROR);
	a = arena_new();
	strcpy(dir, "/tmp/atoll-stream.XXXXXX");
	assert_non_null(mkdtemp(dir));
	char *argv[] = { "atoll-coordinator", "--data", dir, "--http", "", "--listen",
	    arena_printf(a, "ipc://%s/members", dir), "--conformance", NULL };
	if (coordinator_options(&o, 8, argv, a, &e) || !(co = coordinator_open(&o, &e)))
		fail_msg("%s", e.msg);
	return 0;
}

static int close_all(void **state)
{
	(void)state;
	coordinator_close(co);
	if (system(arena_printf(a, "rm -rf %s", dir)))
		return -1;
	arena_free(a);
	return 0;
}

/* Whether the session answers. */
static bool knows(const char *session)
{
	struct ear e;

	ear_open(&e);
	say(&e, session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
	wait_end(&e);
	bool known = strstr(e.heard.p, "\"result\"") != NULL;
	ear_close(&e);
	return known;
}

/* Idle ones only: the time begins anew with each use, and does not pass while a client listens. */
static void sessions_expire_that_are_not_used(void **state)
{
	int64_t idle = co->mcp->idle_ms;
	char used[40], listened[40];
	struct ear e;

	(void)state;
	begin("2025-11-25", used);
	begin("2025-11-25", listened);
	ear_open(&e);
	assert_int_equal(come_back(&e, listened, NULL), 0);
	mcp_poll_changes(co);
	assert_true(knows(used));
	assert_true(knows(listened));
	co->mcp->idle_ms = 1;
	clock_sleep(5);
	for (int i = 0; i < 20; i++) /* one is ended at a time */
		mcp_poll_changes(co);
	assert_false(knows(used));
	assert_true(knows(listened));
	co->mcp->idle_ms = idle;
	mcp_reader_gone(co->mcp, &e);
	wait_end(&e);
	ear_close(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_two_numbers),
		cmocka_unit_test(the_newest_events_are_kept),
		cmocka_unit_test(what_was_missed_comes),
		cmocka_unit_test(nothing_is_primed_for_older_clients),
		cmocka_unit_test(a_call_without_events_is_over_when_its_client_leaves),
		cmocka_unit_test(the_last_of_a_session_are_kept),
		cmocka_unit_test(a_session_takes_its_streams_with_it),
		cmocka_unit_test(many_leave_and_come_back),
		cmocka_unit_test(sessions_expire_that_are_not_used),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
