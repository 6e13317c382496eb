/* What a stream of changes says, when it asks again, and how it ends; HTTP and time are the test's. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/base/timers.h"
#include "coordinator/http/http_server.h"

struct err;

static void start_stream(struct exchange *, const char *header);
static bool take_part(struct exchange *, const char *bytes, size_t n);
static void take_end(struct exchange *);
static void take_failure(struct exchange *, int status, const struct err *, const char *header);
static void take_timer(struct timers *, int64_t at_us, void (*ring)(void *), void *arg);

/* The program's own live_events.o is then not linked. */
#define http_stream start_stream
#define http_send take_part
#define http_end take_end
#define http_fail take_failure
#define timers_add take_timer
#define ask ask_for_changes
#include "coordinator/api/live_events.c"
#undef http_stream
#undef http_send
#undef http_end
#undef http_fail
#undef timers_add
#undef ask

#include "tests/federation.h"

/* What the stream has done; "|" is the beginning, "." the end of the answer. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	struct buf sent;
	bool deaf; /* the client has gone */
	int timers, ends, failures;
	int64_t pause_us;
	void *stream; /* argument of the timer */
	struct err e;
	char header[48];
} seen = { .lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER };

static void start_stream(struct exchange *x, const char *header)
{
	(void)x;
	assert_null(header);
	pthread_mutex_lock(&seen.lock);
	buf_str(&seen.sent, "|");
	pthread_mutex_unlock(&seen.lock);
}

static bool take_part(struct exchange *x, const char *bytes, size_t n)
{
	(void)x;
	pthread_mutex_lock(&seen.lock);
	buf_put(&seen.sent, bytes, n);
	bool heard = !seen.deaf;
	pthread_mutex_unlock(&seen.lock);
	return heard;
}

static void note(int *counter)
{
	pthread_mutex_lock(&seen.lock);
	++*counter;
	pthread_cond_broadcast(&seen.cond);
	pthread_mutex_unlock(&seen.lock);
}

static void take_end(struct exchange *x)
{
	(void)x;
	note(&seen.ends);
}

static void take_failure(struct exchange *x, int status, const struct err *e, const char *header)
{
	(void)x;
	assert_int_equal(status, 0);
	seen.e = *e;
	snprintf(seen.header, sizeof seen.header, "%s", header ? header : "none");
	note(&seen.failures);
}

static void take_timer(struct timers *t, int64_t at_us, void (*ring)(void *), void *arg)
{
	assert_ptr_equal(t, co->timers);
	assert_ptr_equal(ring, on_timer);
	seen.pause_us = at_us - clock_us();
	seen.stream = arg;
	note(&seen.timers);
}

static void await(const int *counter, int n)
{
	pthread_mutex_lock(&seen.lock);
	while (*counter < n)
		pthread_cond_wait(&seen.cond, &seen.lock);
	assert_int_equal(*counter, n);
	pthread_mutex_unlock(&seen.lock);
}

static struct exchange x;

static void forget(void)
{
	buf_free(&seen.sent);
	buf_str(&seen.sent, "");
	seen.timers = seen.ends = seen.failures = 0;
	seen.deaf = false;
}

/* Opens a stream, and waits for its first event. */
static void open_stream(const struct caller *caller)
{
	forget();
	x = (struct exchange){ .co = co, .caller = caller, .a = a };
	live_events_get(&x);
	await(&seen.timers, 1);
}

/* What is sent at the next call, which the test lets happen now. */
static const char *next_event(void)
{
	int n = seen.timers;

	seen.sent.n = 0;
	buf_str(&seen.sent, "");
	on_timer(seen.stream);
	await(&seen.timers, n + 1);
	return arena_str(a, seen.sent.p);
}

static void end_stream(void)
{
	seen.deaf = true;
	on_timer(seen.stream);
	await(&seen.ends, 1);
	assert_int_equal(co->live->n, 0);
}

/* How often a text occurs. */
static int count(const char *text, const char *part)
{
	int n = 0;

	for (const char *s = text; (s = strstr(s, part)); s += strlen(part))
		n++;
	return n;
}

static void assert_begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)))
		fail_msg("`%s` is not the beginning of: %.2000s", with, text);
}

/* ---- streams ---- */

static void the_first_event_has_everything(void **state)
{
	(void)state;
	open_stream(&caller_local);
	const char *s = seen.sent.p;
	assert_begins(s, "|data: {\"repos\":[{\"");
	assert_int_equal(count(s, "\"visibility\":"), SHARDS);
	assert_contains(s, "}],\"groups\":[{\"name\":\"all\",\"members\":[\"h.example/shop/svc0\",");
	assert_contains(
	    s, "}],\"running\":[],\"queued\":0,\"tables\":[{\"group\":\"all\",\"version\":\"");
	assert_string_equal(s + strlen(s) - 6, "\"}]}\n\n");
	assert_null(strstr(s, "checked_at"));
	assert_null(strstr(s, "next_run"));
	assert_null(strstr(s, "gone"));
	assert_true(seen.pause_us > PAUSE_US - 500000 && seen.pause_us <= PAUSE_MAX_US);
	assert_int_equal(co->live->n, 1);
	assert_string_equal(next_event(), "");
	end_stream();
}

static void only_what_has_changed_is_sent(void **state)
{
	(void)state;
	open_stream(&caller_local);
	assert_string_equal(next_event(), "");
	ask("group_create", "{\"group\":\"beta\",\"repos\":[\"svc7\"]}");
	const char *s = next_event();
	assert_begins(s, "data: {\"repos\":[{\"name\":\"shop/svc7\",");
	assert_int_equal(count(s, "\"visibility\":"), 1);
	assert_contains(s, "],\"groups\":[{\"name\":\"all\",");
	assert_contains(s,
	    "{\"name\":\"beta\",\"members\":[\"h.example/shop/svc7\"]}],\"tables\":[{\"group\":\"all\",");
	assert_contains(s, "{\"group\":\"beta\",\"version\":\"");
	assert_null(strstr(s, "\"queued\""));
	assert_null(strstr(s, "\"running\""));
	assert_string_equal(next_event(), "");
	ask("repo_visibility", "{\"repo\":\"svc7\",\"visibility\":\"public\"}");
	s = next_event();
	assert_begins(s, "data: {\"repos\":[{");
	assert_int_equal(count(s, "\"visibility\":"), 1);
	assert_contains(s, "\"visibility\":\"public\"");
	assert_null(strstr(s, "\"groups\":[{"));
	ask("group_delete", "{\"group\":\"beta\"}");
	assert_null(strstr(next_event(), "beta"));
	end_stream();
}

static const char *const few[] = { "h.example/shop/svc0", "h.example/shop/svc2" };
static struct caller some = { .name = "some", .repo_uris = few, .n = 2 };

static void who_sees_less_is_told_less(void **state)
{
	(void)state;
	some.n = 2;
	open_stream(&some);
	assert_int_equal(count(seen.sent.p, "\"visibility\":"), 2);
	/* what is no longer seen is gone, once */
	some.n = 1;
	assert_contains(next_event(), "\"gone\":[\"h.example/shop/svc2\"]}\n\n");
	assert_string_equal(next_event(), "");
	some.n = 2;
	const char *s = next_event();
	assert_int_equal(count(s, "\"visibility\":"), 1);
	assert_contains(s, "\"repo_uri\":\"h.example/shop/svc2\"");
	assert_null(strstr(s, "\"gone\""));
	some.n = 0;
	assert_contains(
	    next_event(), "\"gone\":[\"h.example/shop/svc0\",\"h.example/shop/svc2\"]}\n\n");
	end_stream();
}

static void who_reads_no_longer_is_left(void **state)
{
	(void)state;
	open_stream(&caller_local);
	end_stream();
	assert_int_equal(seen.timers, 1);
	/* also when there is news */
	open_stream(&caller_local);
	ask("group_create", "{\"group\":\"beta\",\"repos\":[\"svc7\"]}");
	end_stream();
	ask("group_delete", "{\"group\":\"beta\"}");
}

static void so_many_streams_and_no_more(void **state)
{
	uint64_t refused = limits_refused(co->limits, LIMITS_STREAMS);

	(void)state;
	co->live->n = STREAMS_MAX - 1;
	open_stream(&caller_local);
	assert_int_equal(co->live->n, STREAMS_MAX);
	struct exchange other = x;
	live_events_get(&other);
	assert_int_equal(seen.failures, 1);
	assert_int_equal(seen.e.code, ERR_RATE_LIMITED);
	assert_string_equal(seen.e.msg, "128 streams of events are open, the maximum");
	assert_string_equal(seen.e.hint, "Retry in 1000 ms.");
	assert_string_equal(seen.header, "Retry-After: 1");
	assert_int_equal(co->live->n, STREAMS_MAX);
	assert_int_equal(limits_refused(co->limits, LIMITS_STREAMS), refused + 1);
	co->live->n = 1;
	end_stream();
}

static void nothing_begins_or_goes_on_after_the_stop(void **state)
{
	(void)state;
	open_stream(&caller_local);
	live_events_stop(co->live);
	struct exchange other = x;
	live_events_get(&other);
	assert_int_equal(seen.failures, 1);
	on_timer(seen.stream);
	await(&seen.ends, 1);
	assert_int_equal(co->live->n, 0);
	/* also in the middle of a call */
	co->live->stopping = false;
	open_stream(&caller_local);
	co->live->stopping = true;
	schedule_next(seen.stream, 0);
	assert_int_equal(seen.ends, 1);
	assert_int_equal(seen.timers, 1);
	assert_int_equal(co->live->n, 0);
	co->live->stopping = false;
	live_events_stop(NULL);
	live_events_free(NULL);
}

static void long_calls_are_made_less_often(void **state)
{
	static const struct {
		int64_t took_ms, pause_us;
	} v[] = {
		{ 0, 1000000 },
		{ 33, 1000000 },
		{ 34, 1020000 },
		{ 100, 3000000 },
		{ 166, 4980000 },
		{ 167, 5000000 },
		{ 5000, 5000000 },
	};
	struct live_stream w = { .live = co->live };

	(void)state;
	forget();
	for (size_t i = 0; i < LEN(v); i++) {
		schedule_next(&w, v[i].took_ms);
		assert_true(seen.pause_us <= v[i].pause_us && seen.pause_us > v[i].pause_us - 15000);
	}
	assert_int_equal(seen.timers, LEN(v));
	assert_int_equal(seen.ends, 0);
}

/* ---- comparing ---- */

static struct live_stream new_stream(void)
{
	return (struct live_stream){
		.live = co->live, .caller = &caller_local, .a = arena_new(), .sent = map_new()
	};
}

static const char *compared(struct live_stream *w, const struct live_out *now)
{
	struct buf b = { 0 };

	compare(w, now, &b);
	const char *s = arena_str(a, b.p);
	buf_free(&b);
	return s;
}

static void changes_field_by_field(void **state)
{
	struct repo_row repos[] = { { .repo_uri = "u/1" }, { .repo_uri = "u/2" },
		{ .repo_uri = "u/3" } };
	struct job_row jobs[] = { { .id = "1" }, { .id = "2" } };
	struct live_out now = { .repos = { repos, 3 }, .running = { jobs, 0 } };
	struct live_stream w = new_stream();
	struct buf row[3] = { { 0 } }, job[2] = { { 0 } };

	(void)state;
	for (size_t i = 0; i < 3; i++)
		json_put(&rec_repo_row, &repos[i], &row[i]);
	for (size_t i = 0; i < 2; i++)
		json_put(&rec_job_row, &jobs[i], &job[i]);
	assert_string_equal(compared(&w, &now),
	    arena_printf(a,
	        "{\"repos\":[%s,%s,%s],\"groups\":[],\"running\":[],\"queued\":0,\"tables\":[]",
	        row[0].p, row[1].p, row[2].p));
	assert_string_equal(compared(&w, &now), "{");
	now.queued = 3;
	assert_string_equal(compared(&w, &now), "{\"queued\":3");
	now.running.n = 2;
	assert_string_equal(
	    compared(&w, &now), arena_printf(a, "{\"running\":[%s,%s]", job[0].p, job[1].p));
	now.running.n = 1;
	now.queued = 0;
	assert_string_equal(
	    compared(&w, &now), arena_printf(a, "{\"running\":[%s],\"queued\":0", job[0].p));
	now.repos.n = 1;
	assert_string_equal(compared(&w, &now), "{\"gone\":[\"u/2\",\"u/3\"]");
	assert_string_equal(compared(&w, &now), "{");
	now.repos.n = 2;
	now.queued = 1;
	assert_string_equal(
	    compared(&w, &now), arena_printf(a, "{\"repos\":[%s],\"queued\":1", row[1].p));
	for (size_t i = 0; i < 3; i++)
		buf_free(&row[i]);
	for (size_t i = 0; i < 2; i++)
		buf_free(&job[i]);
	map_free(w.sent);
	arena_free(w.a);
}

/* Too much for an event: the client has to ask. */
static void too_much_is_not_sent(void **state)
{
	char *name = arena_get(a, EVENT_MAX + 1, 1);
	struct repo_row repo = { .repo_uri = "u", .name = name };
	struct live_out now = { .repos = { &repo, 1 } };
	struct live_stream w = new_stream();

	(void)state;
	forget();
	const char *small = compared(&w, &now);
	memset(name, 'x',
	    EVENT_MAX - strlen(small) +
	        strlen("{\"repos\":[],\"groups\":[],\"running\":[],\"queued\":0,\"tables\":[]") -
	        strlen("{\"repos\":[]"));
	assert_true(send_changes(&w, &now));
	assert_null(strstr(seen.sent.p, "more"));
	map_free(w.sent);
	arena_free(w.a);
	w = new_stream();
	forget();
	memset(name, 'x', EVENT_MAX);
	assert_true(send_changes(&w, &now));
	assert_string_equal(seen.sent.p, "data: {\"more\":true}\n\n");
	map_free(w.sent);
	arena_free(w.a);
}

static void hashes(void **state)
{
	(void)state;
	assert_true(hash("", 0) == 14695981039346656037u);
	assert_true(hash("a", 1) == 0xaf63dc4c8601ec8cu);
	assert_true(hash("foobar", 6) == 0x85944171f73967e8u);
}

static int close_all(void **state)
{
	buf_free(&seen.sent);
	return federation_close(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_event_has_everything),
		cmocka_unit_test(only_what_has_changed_is_sent),
		cmocka_unit_test(who_sees_less_is_told_less),
		cmocka_unit_test(who_reads_no_longer_is_left),
		cmocka_unit_test(so_many_streams_and_no_more),
		cmocka_unit_test(nothing_begins_or_goes_on_after_the_stop),
		cmocka_unit_test(long_calls_are_made_less_often),
		cmocka_unit_test(changes_field_by_field),
		cmocka_unit_test(too_much_is_not_sent),
		cmocka_unit_test(hashes),
	};

	return cmocka_run_group_tests(tests, federation_open, close_all);
}
