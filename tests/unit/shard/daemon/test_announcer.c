/* When a shard announces itself to a coordinator: at first, at the interval that it is asked for, at each change, and after failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/process/options.h"
#include "proto/record/codec.h"
#include "proto/wire/wire.h"
#include "shard/daemon/announcer.h"
#include "shard/daemon/shard.h"
#include "tests/private_folder.h"

enum { LONGEST_MS = 300000, SHORTEST_MS = 200, FIRST_RETRY_MS = 500, HANGS_S = 60 };

static const struct wire_trust open_door = { 0 };

static struct arena *a;
static struct err e;
static struct shard *const self = (struct shard *)&self; /* only passed on */
static int wake;
static int coordinators;

/* The coordinator, and what it has been asked. */
static struct {
	struct wire_server *server;
	char url[100];
	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	struct wire_request *held; /* an announcement that is not answered yet */
	bool holds, fails;
	uint64_t interval;
	int came;
	char name[40], rpc[40];
} c = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* In place of the one of shard.c. */
void shard_hello(struct shard *s, struct hello *out, struct arena *own)
{
	assert_ptr_equal(s, self);
	*out = (struct hello){
		.protocol = 1,
		.version = "1",
		.repo_uri = "local/a",
		.name = arena_str(own, "a shard"),
		.replica = "r",
		.endpoint = "ipc:///nowhere",
		.status = "ready",
	};
}

static void answer(struct wire_request *r)
{
	struct announce_res res = { .interval_ms = c.interval, .protocol = 1 };
	struct err failure = { .code = ERR_INTERNAL, .msg = "no" };

	wire_answer(r, &rec_announce_res, &res, NULL, c.fails ? &failure : NULL);
}

static void on_request(void *ctx, struct wire_request *r)
{
	struct hello h;

	assert_ptr_equal(ctx, &c);
	pthread_mutex_lock(&c.lock);
	snprintf(c.rpc, sizeof c.rpc, "%s", r->rpc);
	*c.name = 0;
	if (!codec_get(&rec_hello, &h, r->body.p, r->body.n, r->a, NULL))
		snprintf(c.name, sizeof c.name, "%s", h.name);
	c.came++;
	if (c.holds)
		c.held = r;
	else
		answer(r);
	pthread_cond_broadcast(&c.changed);
	pthread_mutex_unlock(&c.lock);
}

static void listen_again(void)
{
	c.server = wire_listen(c.url, &open_door, 8, on_request, &c, &e);
	assert_non_null(c.server);
}

/* Sets how it answers from now on. */
static void answers_are(bool fails, uint64_t interval, bool holds)
{
	pthread_mutex_lock(&c.lock);
	c.fails = fails;
	c.interval = interval;
	c.holds = holds;
	pthread_mutex_unlock(&c.lock);
}

static void await_announcements(int n)
{
	pthread_mutex_lock(&c.lock);
	while (c.came < n)
		pthread_cond_wait(&c.changed, &c.lock);
	assert_int_equal(c.came, n);
	assert_string_equal(c.rpc, "announce");
	assert_string_equal(c.name, "a shard");
	pthread_mutex_unlock(&c.lock);
}

static void answer_held(void)
{
	pthread_mutex_lock(&c.lock);
	answer(c.held);
	c.held = NULL;
	pthread_mutex_unlock(&c.lock);
}

/* Waits until the announcer has work. */
static void await_wake(void)
{
	uint64_t n;

	assert_int_equal(read(wake, &n, sizeof n), sizeof n);
}

static struct announcer *announcer_of(const char *url)
{
	const struct string_list urls = { &url, 1 };

	return announcer_new(self, &urls, &open_door, wake, &e);
}

/* One that has a connection, and has noticed that.  There is no end of it in a program. */
static struct announcer *connected(void)
{
	static struct announcer *all[16];

	assert_true(coordinators < 16);
	all[coordinators] = announcer_of(c.url);
	assert_non_null(all[coordinators]);
	listen_again();
	await_wake();
	return all[coordinators++];
}

/* Calls it, and checks that it wants to be called again after `ms`. */
static void tick(struct announcer *an, uint64_t changes, int64_t ms)
{
	int64_t before = clock_ms(), next = announcer_tick(an, changes);

	assert_in_range(next, before + ms, clock_ms() + ms);
}

static int begin(void **state)
{
	(void)state;
	alarm(HANGS_S);
	a = arena_new();
	e = (struct err){ 0 };
	wake = eventfd(0, EFD_CLOEXEC);
	c.came = 0;
	answers_are(false, 1000, false);
	snprintf(c.url, sizeof c.url, "ipc://%s/c%d", private_folder(), coordinators);
	c.server = NULL;
	return wake < 0;
}

static int end(void **state)
{
	(void)state;
	wire_server_free(c.server);
	arena_free(a);
	alarm(0);
	return 0;
}

static void at_the_interval_that_the_coordinator_wants(void **state)
{
	static const struct {
		uint64_t wanted;
		int64_t next;
	} v[] = { { 90000, 90000 }, { 0, SHORTEST_MS }, { 400000, LONGEST_MS }, { 200, 200 },
		{ 201, 201 } };
	struct announcer *an = connected();

	(void)state;
	for (int i = 0; i < (int)(sizeof v / sizeof *v); i++) {
		answers_are(false, v[i].wanted, true);
		int64_t before = clock_ms();
		announcer_tick(an, (uint64_t)i);
		int64_t after = clock_ms();
		await_announcements(i + 1);
		answer_held();
		/* it is woken if it was to come later, and not always otherwise */
		int64_t next;
		do
			next = announcer_tick(an, (uint64_t)i);
		while (next < before + v[i].next || next > after + v[i].next);
		await_announcements(i + 1);
	}
}

static void a_shorter_interval_wakes_it(void **state)
{
	struct announcer *an = connected();

	(void)state;
	tick(an, 0, LONGEST_MS);
	await_wake();
	int64_t next = announcer_tick(an, 0);
	assert_in_range(next, clock_ms() - 1000, clock_ms() + 1000);
	await_announcements(1);
}

static void a_change_is_announced_at_once(void **state)
{
	struct announcer *an = connected();

	(void)state;
	announcer_tick(an, 7);
	await_wake();
	announcer_tick(an, 7);
	announcer_tick(an, 8);
	await_announcements(2);
}

static void a_change_meanwhile_is_announced_after_the_answer(void **state)
{
	struct announcer *an = connected();

	(void)state;
	answers_are(false, LONGEST_MS, true);
	announcer_tick(an, 1);
	await_announcements(1);
	announcer_tick(an, 2);
	await_announcements(1);
	answer_held();
	await_wake();
	announcer_tick(an, 2);
	await_announcements(2);
	answer_held();
}

static void clock_sleep_until(int64_t ms)
{
	while (clock_ms() < ms)
		clock_sleep(5);
}

/* The state is unknown to the coordinator then, and changes do not make it ask sooner. */
static void failures_are_tried_again_less_and_less_often(void **state)
{
	struct announcer *an = connected();
	int64_t next = 0, retry = FIRST_RETRY_MS;

	(void)state;
	answers_are(true, 0, false);
	for (int i = 1; i <= 2; i++) {
		int64_t before = clock_ms();
		announcer_tick(an, 1);
		await_wake();
		next = announcer_tick(an, (uint64_t)i + 1);
		assert_in_range(next, before + retry, clock_ms() + retry);
		await_announcements(i);
		clock_sleep_until(next);
		retry *= 2;
	}
	answers_are(false, 1000, false);
	announcer_tick(an, 3);
	await_wake();
	await_announcements(3);
	answers_are(true, 0, false);
	int64_t before = clock_ms();
	announcer_tick(an, 4);
	await_wake();
	next = announcer_tick(an, 4);
	assert_in_range(next, before + FIRST_RETRY_MS, clock_ms() + FIRST_RETRY_MS);
	await_announcements(4);
}

/* It may know no shard. */
static void a_coordinator_that_was_started_again_is_told_at_once(void **state)
{
	struct announcer *an = connected();

	(void)state;
	answers_are(false, LONGEST_MS - 1, false);
	announcer_tick(an, 1);
	await_wake();
	wire_server_free(c.server);
	listen_again();
	await_wake();
	announcer_tick(an, 1);
	await_announcements(2);
}

static void an_address_that_is_none(void **state)
{
	const char *v[] = { c.url, "nonsense" };
	const struct string_list urls = { v, 2 };

	(void)state;
	assert_null(announcer_new(self, &urls, &open_door, wake, &e));
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_non_null(strstr(e.msg, "--coordinator"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(at_the_interval_that_the_coordinator_wants, begin, end),
		cmocka_unit_test_setup_teardown(a_shorter_interval_wakes_it, begin, end),
		cmocka_unit_test_setup_teardown(a_change_is_announced_at_once, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_change_meanwhile_is_announced_after_the_answer, begin, end),
		cmocka_unit_test_setup_teardown(failures_are_tried_again_less_and_less_often, begin, end),
		cmocka_unit_test_setup_teardown(
		    a_coordinator_that_was_started_again_is_told_at_once, begin, end),
		cmocka_unit_test_setup_teardown(an_address_that_is_none, begin, end),
	};

	log_init("test", LOG_ERROR + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
