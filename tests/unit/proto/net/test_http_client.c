/* One HTTP request: what is sent, what comes back, limits, streams of events, and why there is no answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/net/egress.h"
#include "proto/net/http_client.h"
#include "tests/fake_http.h"

static struct arena *a;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(const char *) reply_text; /* the next reply; NULL: none */
static struct buf seen, came;
static atomic_bool stop;
static atomic_int delay_ms;

static void server(const struct fake_request *r, struct buf *reply)
{
	static const char *const names[] = { "Authorization", "X-One", "X-Two", "Content-Type",
		"Content-Length", "Expect", "Accept" };

	pthread_mutex_lock(&lock);
	seen.n = 0;
	buf_printf(&seen, "%s", r->line);
	for (size_t i = 0; i < LEN(names); i++)
		if (*fake_header(r, names[i]))
			buf_printf(&seen, "|%s=%s", names[i], fake_header(r, names[i]));
	buf_printf(&seen, "|%s", r->body);
	if (reply_text)
		buf_str(reply, reply_text);
	int ms = delay_ms;
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < ms && !stop; i += 5)
		clock_sleep(5);
}

/* What the server saw of the last request; "" for none. */
static const char *last_request(void)
{
	pthread_mutex_lock(&lock);
	const char *last = arena_strn(a, seen.n ? seen.p : "", seen.n);
	pthread_mutex_unlock(&lock);
	return last;
}

static void forget_request(void)
{
	pthread_mutex_lock(&lock);
	seen.n = 0;
	pthread_mutex_unlock(&lock);
}

static const char *url(const char *path)
{
	return arena_printf(a, "http://127.0.0.1:%d/%s", fake.port, path);
}

static void on_event(void *arg, const char *data)
{
	buf_printf(arg, "[%s]", data);
}

static void on_data(void *arg, const char *p, size_t n)
{
	buf_put(arg, p, n);
	buf_str(arg, "|");
}

#define OK "HTTP/1.1 200 x\r\nConnection: close\r\n"

static void what_is_sent(void **state)
{
	static const char *const headers[] = { "X-One: 1", "X-Two: two words", NULL };
	/* clang-format off */
	const struct { struct fetch_request f; const char *seen; } rows[] = {
		{ { .url = url("a?b=c") }, "GET /a?b=c|Accept=*/*|" },
		{ { .url = url("a"), .bearer = "" }, "GET /a|Accept=*/*|" },
		{ { .url = url("a"), .bearer = "t", .headers = headers }, "GET /a|Authorization=Bearer t|X-One=1|X-Two=two words|Accept=*/*|" },
		{ { .url = url("a"), .body = "b\0dy", .nbody = 4 }, "POST /a|Content-Type=application/x-www-form-urlencoded|Content-Length=4|Accept=*/*|b" },
		{ { .url = url("a"), .method = "PUT", .body = "body", .nbody = 2 }, "PUT /a|Content-Type=application/x-www-form-urlencoded|Content-Length=2|Accept=*/*|bo" },
		{ { .url = url("a"), .method = "DELETE" }, "DELETE /a|Accept=*/*|" },
		{ { .url = url("a"), .ca = "", .cert = "", .key = "", .keep = true, .connect_ms = 30000 }, "GET /a|Accept=*/*|" },
		{ { .url = url("b"), .keep = true, .timeout_ms = -1 }, "GET /b|Accept=*/*|" },
	};
	/* clang-format on */
	struct fetch_response r;
	struct err e = { 0 };

	(void)state;
	reply_text = OK
	    "Content-Type: text/x\r\nMcp-Session-Id:  s 1 \t\r\nX-Mcp-Session-Id: no\r\n\r\nhello";
	for (size_t i = 0; i < LEN(rows); i++) {
		assert_int_equal(fetch(&rows[i].f, &r, a, &e), 0);
		assert_string_equal(last_request(), rows[i].seen);
		assert_int_equal(r.status, 200);
		assert_string_equal(r.type, "text/x");
		assert_string_equal(r.session, "s 1");
		assert_string_equal(r.body, "hello");
		assert_int_equal(r.n, 5);
		assert_null(r.last_event);
		assert_int_equal(r.retry_after_ms, 0);
		assert_int_equal(r.why, FETCH_OTHER);
	}
	char large[5000];
	memset(large, 'x', sizeof large);
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .body = large, .nbody = sizeof large }, &r,
	        a, &e),
	    0);
	assert_null(strstr(last_request(), "Expect")); /* a server may not answer that */
	assert_non_null(strstr(last_request(), "Content-Length=5000"));
}

static void what_comes_back(void **state)
{
	static const struct {
		const char *reply;
		int status, retry_ms;
		const char *type, *body;
	} rows[] = {
		{ "HTTP/1.1 503 x\r\nConnection: close\r\nRetry-After: 7\r\n\r\nbusy", 503, 7000, "",
		    "busy" },
		{ "HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 86399\r\n\r\n", 429, 86399000, "",
		    "" },
		{ "HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 86400\r\n\r\n", 429, 86400000, "",
		    "" },
		{ "HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 999999999\r\n\r\n", 429, 86400000,
		    "", "" },
		{ "HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 0\r\n\r\n", 429, 0, "", "" },
		{ "HTTP/1.1 429 x\r\nConnection: close\r\nRetry-After: 1\r\n\r\n", 429, 1000, "", "" },
		{ "HTTP/1.1 302 x\r\nConnection: close\r\nLocation: /other\r\n\r\n", 302, 0, "",
		    "" }, /* not followed */
		{ OK "Mcp-Session-Id:\r\nContent-Type: a/b; c=d\r\n\r\n", 200, 0, "a/b; c=d", "" },
	};
	struct fetch_response r;
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < LEN(rows); i++) {
		reply_text = rows[i].reply;
		assert_int_equal(fetch(&(struct fetch_request){ .url = url("a") }, &r, a, &e), 0);
		assert_int_equal(r.status, rows[i].status);
		assert_int_equal(r.retry_after_ms, rows[i].retry_ms);
		assert_string_equal(r.type, rows[i].type);
		assert_string_equal(r.body, rows[i].body);
		if (i + 1 < LEN(rows))
			assert_null(r.session);
	}
	assert_string_equal(r.session, "");
}

static void answers_have_a_size(void **state)
{
	struct fetch_response r;
	struct err e = { 0 };

	(void)state;
	reply_text = OK "\r\n0123456789";
	assert_int_equal(fetch(&(struct fetch_request){ .url = url("a"), .max = 10 }, &r, a, &e), 0);
	assert_string_equal(r.body, "0123456789");
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a?secret"), .max = 9 }, &r, a, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(e.msg, arena_printf(a, "%s: the answer is larger than 9 bytes", url("a")));
	assert_false(r.unsent);
	came.n = 0;
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .max = 9, .data = on_data, .arg = &came },
	        &r, a, &e),
	    0);
	assert_string_equal(
	    arena_strn(a, came.p, came.n), "0123456789|"); /* is not limited, nor stored */
	assert_string_equal(r.body, "");
}

static void events_are_called_for(void **state)
{
	struct fetch_response r;
	struct err e = { 0 };

	(void)state;
	came.n = 0;
	reply_text = OK
	    "Content-Type: Text/Event-Stream; charset=utf-8\r\n\r\nid: 4\ndata: a\n\ndata: b\n\n";
	assert_int_equal(
	    fetch(
	        &(struct fetch_request){ .url = url("a"), .event = on_event, .arg = &came }, &r, a, &e),
	    0);
	assert_string_equal(arena_strn(a, came.p, came.n), "[a][b]");
	assert_string_equal(r.last_event, "4");
	assert_string_equal(r.body, "");
	assert_int_equal(fetch(&(struct fetch_request){ .url = url("a") }, &r, a, &e), 0);
	assert_string_equal(r.body, "id: 4\ndata: a\n\ndata: b\n\n"); /* nobody wants events */
	came.n = 0;
	reply_text = OK "Content-Type: text/event-stre\r\n\r\ndata: a\n\n";
	assert_int_equal(
	    fetch(
	        &(struct fetch_request){ .url = url("a"), .event = on_event, .arg = &came }, &r, a, &e),
	    0);
	assert_int_equal(came.n, 0);
	assert_string_equal(r.body, "data: a\n\n");
	reply_text =
	    "HTTP/1.1 200 x\r\nContent-Type: text/event-stream\r\nContent-Length: 100\r\n\r\nid: 5\ndata: a\n\n";
	assert_int_equal(
	    fetch(
	        &(struct fetch_request){ .url = url("a"), .event = on_event, .arg = &came }, &r, a, &e),
	    -1);
	assert_string_equal(r.last_event, "5"); /* where a broken stream ended */
}

static void why_there_is_no_answer(void **state)
{
	/* clang-format off */
	const struct { struct fetch_request f; const char *msg; enum err_code code; enum fetch_failure why; bool unsent; } rows[] = {
		{ { .url = url("a?b") }, "%a: Server returned nothing (no headers, no data)", ERR_UNAVAILABLE, FETCH_WANTS_HTTPS, false },
		{ { .url = "http://u:p@127.0.0.1:1/x#y" }, "http://127.0.0.1:1/x: Couldn't connect to server", ERR_UNAVAILABLE, FETCH_OTHER, true },
		{ { .url = "ftp://127.0.0.1/x" }, "ftp://127.0.0.1/x: Unsupported protocol", ERR_INVALID_INPUT, FETCH_OTHER, true },
		{ { .url = "http://[" }, "http://[: URL using bad/illegal format or missing URL", ERR_INVALID_INPUT, FETCH_OTHER, true },
		{ { .url = arena_printf(a, "https://127.0.0.1:%d/", fake.port) }, "%s: SSL connect error", ERR_UNAVAILABLE, FETCH_WANTS_HTTP, true },
	};
	/* clang-format on */
	struct fetch_response r;

	(void)state;
	reply_text = NULL;
	for (size_t i = 0; i < LEN(rows); i++) {
		struct err e = { 0 };
		assert_int_equal(fetch(&rows[i].f, &r, a, &e), -1);
		assert_int_equal(e.code, rows[i].code);
		if (!strstr(e.msg, strchr(rows[i].msg, ':')))
			fail_msg("%s", e.msg);
		assert_null(strstr(e.msg, "?b")); /* a query may hold secrets */
		assert_int_equal(r.status, 0);
		assert_int_equal(r.why, rows[i].why);
		assert_int_equal(r.unsent, rows[i].unsent);
	}
	assert_int_equal(fetch_display_url("https://u:p@h/a?b#c", a)[9], '/');
	assert_string_equal(fetch_display_url("https://u:p@h/a#c", a), "https://h/a");
}

static void time_is_limited(void **state)
{
	struct fetch_response r;
	struct err e = { 0 };

	(void)state;
	delay_ms = 20000;
	reply_text = OK "\r\n";
	int64_t began = clock_ms();
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .timeout_ms = 100 }, &r, a, &e), -1);
	assert_in_range(clock_ms() - began, 90, 15000);
	assert_non_null(strstr(e.msg, "Timeout was reached"));
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	stop = true;
	began = clock_ms();
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .stop = &stop }, &r, a, &e), -1);
	assert_true(clock_ms() - began < 15000);
	assert_non_null(strstr(e.msg, "Operation was aborted by an application callback"));
	stop = false;
	delay_ms = 0;
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .stop = &stop }, &r, a, &e), 0);
	assert_int_equal(r.status, 200);
}

static void addresses_may_be_refused(void **state)
{
	const struct egress_policy refuses = { .token = true },
	                           allows = { .token = true, .local = true };
	struct fetch_response r;
	struct err e = { 0 };

	(void)state;
	reply_text = OK "\r\nx";
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .egress = &allows }, &r, a, &e), 0);
	assert_string_equal(r.body, "x");
	forget_request();
	assert_int_equal(
	    fetch(&(struct fetch_request){ .url = url("a"), .egress = &refuses }, &r, a, &e), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(e.msg,
	    arena_printf(a,
	        "an address that is loopback, which ATOLL_ALLOW_LOCAL_SOURCES allows for tokens: %s",
	        url("a")));
	assert_string_equal(last_request(), ""); /* it was not dialled */
	assert_true(r.unsent);
}

static int setup(void **state)
{
	(void)state;
	a = arena_new();
	return fake_start(server);
}

static int teardown(void **state)
{
	(void)state;
	fake_stop();
	buf_free(&seen);
	buf_free(&came);
	arena_free(a);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_sent),
		cmocka_unit_test(what_comes_back),
		cmocka_unit_test(answers_have_a_size),
		cmocka_unit_test(events_are_called_for),
		cmocka_unit_test(why_there_is_no_answer),
		cmocka_unit_test(time_is_limited),
		cmocka_unit_test(addresses_may_be_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
