#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "coordinator/auth/caller.h"
#include "coordinator/auth/rate_limits.h"
#include "coordinator/base/options.h"
#include "proto/base/err.h"

static const struct coordinator_config all = { .calls_at_once = 3, .calls_per_second = 10, .calls_burst = 5, .streams = 2 };
static const struct caller ann = { .name = "ann" }, bob = { .name = "bob" };
static int64_t now;		/* of the tests' clock, microseconds */
static struct refusal why;
static struct err e;

static struct limits *open_at(const struct coordinator_config *o, int64_t us)
{
	now = us;
	why = (struct refusal){ 0 };
	e = (struct err){ 0 };
	return limits_new(o);
}

static int call(struct limits *l, const struct caller *c, struct limits_permit *t)
{
	return limits_acquire(l, c, LIMITS_CALL, now, t, &why, &e);
}

/* A call that ends at once. */
static int touch(struct limits *l, const struct caller *c)
{
	struct limits_permit t;
	int rc = call(l, c, &t);

	limits_release(l, &t);
	return rc;
}

static void at_once(void **state)
{
	struct limits *l = open_at(&all, 1000000);
	struct limits_permit t[4];

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(call(l, &ann, &t[i]), 0);
	assert_int_equal(call(l, &ann, &t[3]), -1);
	assert_int_equal(e.code, ERR_RATE_LIMITED);
	assert_non_null(strstr(e.hint, "Retry in "));
	assert_true(why.retry_ms > 0);
	assert_int_equal(call(l, &bob, &t[3]), 0);	/* another's calls are not counted */
	assert_int_equal(limits_counts(l).calls, 4);
	assert_int_equal(limits_counts(l).callers, 2);
	limits_release(l, &t[1]);
	limits_release(l, &t[1]);				/* twice is once */
	assert_int_equal(limits_counts(l).calls, 3);
	assert_int_equal(call(l, &ann, &t[1]), 0);
	assert_int_equal(limits_refused(l, LIMITS_AT_ONCE), 1);
	limits_free(l);
}

static void per_second(void **state)
{
	struct limits *l = open_at(&all, 1000000);

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_int_equal(touch(l, &ann), 0);
	assert_int_equal(touch(l, &ann), -1);
	assert_in_range(why.retry_ms, 1, 100);
	assert_int_equal(limits_refused(l, LIMITS_RATE), 1);
	now += why.retry_ms * 1000;			/* what was said is so */
	assert_int_equal(touch(l, &ann), 0);
	assert_int_equal(touch(l, &ann), -1);
	now += 60 * 1000000;				/* a pause gives the burst, and no more */
	for (int i = 0; i < 5; i++)
		assert_int_equal(touch(l, &ann), 0);
	assert_int_equal(touch(l, &ann), -1);
	int served = 0;
	for (int i = 0; i < 1000; i++, now += 10000)	/* ten seconds */
		served += touch(l, &ann) == 0;
	assert_in_range(served, 99, 101);
	limits_free(l);
}

static void streams(void **state)
{
	struct limits *l = open_at(&all, 1000000);
	struct limits_permit t[3];

	(void)state;
	for (int i = 0; i < 2; i++)
		assert_int_equal(limits_acquire(l, &ann, LIMITS_STREAM, now, &t[i], &why, &e), 0);
	assert_int_equal(limits_acquire(l, &ann, LIMITS_STREAM, now, &t[2], &why, &e), -1);
	assert_int_equal(touch(l, &ann), 0);		/* they are no calls */
	limits_release(l, &t[0]);
	assert_int_equal(limits_acquire(l, &ann, LIMITS_STREAM, now, &t[2], &why, &e), 0);
	assert_int_equal(limits_counts(l).streams, 2);
	limits_free(l);
}

static void without(void **state)
{
	static const struct coordinator_config none = { .calls_burst = 1 };
	static const struct coordinator_config local = { .calls_per_second = 1, .calls_burst = 1, .limit_local = true };
	static const struct coordinator_config usual = { .calls_per_second = 1, .calls_burst = 1 };
	struct limits *l = open_at(&none, 1000000);

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(touch(l, &ann), 0);
	limits_free(l);
	l = open_at(&usual, 1000000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(touch(l, &caller_local), 0);
	assert_int_equal(limits_counts(l).callers, 0);
	limits_free(l);
	l = open_at(&local, 1000000);
	assert_int_equal(touch(l, &caller_local), 0);
	assert_int_equal(touch(l, &caller_local), -1);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(touch(l, &caller_self), 0);
	limits_free(l);
	assert_int_equal(touch(NULL, &ann), 0);
}

/* A log that is told of each refusal would be what one who is refused can fill. */
static void is_told_once_a_second(void **state)
{
	struct limits *l = open_at(&all, 1000000);
	uint64_t told = 0, lines = 0;

	(void)state;
	for (int i = 0; i < 5; i++)
		touch(l, &ann);
	for (int i = 0; i < 30000; i++, now += 100)	/* three seconds */
		if (touch(l, &ann)) {
			told += why.n;
			lines += why.n > 0;
		}
	assert_in_range(lines, 3, 4);
	assert_in_range(told, 18000, 30000);
	limits_free(l);
}

/* Callers who hold nothing are forgotten; those who do are not, and no more are let in than there is room for. */
static void bounded(void **state)
{
	struct limits *l = open_at(&all, 1000000);
	static struct limits_permit held[5000];
	char name[16];
	struct caller c = { .name = name };
	int refused = 0;

	(void)state;
	for (int i = 0; i < 100000; i++, now += 1000) {
		snprintf(name, sizeof name, "n%d", i);
		assert_int_equal(touch(l, &c), 0);
		assert_true(limits_counts(l).callers <= 4096);
	}
	now += 3600LL * 1000000;
	assert_int_equal(touch(l, &ann), 0);
	assert_int_equal(limits_counts(l).callers, 1);
	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof name, "m%d", i);
		refused += call(l, &c, &held[i]) != 0;
	}
	assert_int_equal(refused, 5000 - 4096 + 1);	/* ann has called this very moment */
	assert_int_equal(limits_refused(l, LIMITS_CALLERS), refused);
	assert_int_equal(limits_counts(l).calls, 5000 - refused);
	limits_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_once), cmocka_unit_test(per_second), cmocka_unit_test(streams), cmocka_unit_test(without),
		cmocka_unit_test(is_told_once_a_second), cmocka_unit_test(bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
