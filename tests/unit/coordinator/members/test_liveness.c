/* Suspicion, circuit breaker and slow start, on a clock that the test makes up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "coordinator/members/liveness.h"

enum { LEAST = 500, EVERY = 2000 };

/* Probes answered `took` and `took + more` by turns, `n` of them. */
static int64_t probe(struct liveness *l, int64_t now, int n, int64_t took, int64_t more)
{
	for (int i = 0; i < n; i++, now += EVERY) {
		int64_t t = took + (i % 2 ? more : 0);
		liveness_probe_sent(l, now);
		liveness_probe_answered(l, now + t, t);
	}
	return now;
}

/* Milliseconds of silence until phi has come to `limit`. */
static int64_t until(const struct liveness *l, double limit)
{
	struct liveness k = *l;

	liveness_probe_sent(&k, 1000000);
	for (int64_t t = 0; t < 100000; t += 10)
		if (liveness_phi(&k, 1000000 + t) >= limit)
			return t;
	return -1;
}

static void silence_is_suspected_and_then_death(void **state)
{
	struct liveness l = { .least_ms = LEAST };
	int64_t now = probe(&l, 1000, 20, 1, 0), suspect = until(&l, LIVENESS_SUSPECT), dead = until(&l, LIVENESS_DEAD);

	(void)state;
	assert_true(liveness_phi(&l, now + 100000) == 0);	/* nothing is awaited: however long nobody asks */
	assert_in_range(suspect, 1000, 2000);
	assert_in_range(dead, 2500, 3500);
	double last = 0;
	liveness_probe_sent(&l, now);
	for (int64_t t = 0; t < 60000; t += 100) {		/* it only grows */
		assert_true(liveness_phi(&l, now + t) >= last);
		last = liveness_phi(&l, now + t);
	}
	assert_true(last >= 300);
}

/* After a start a thousand are dialled at once: that says nothing of how quick each will be. */
static void a_first_answer_is_not_called_slow(void **state)
{
	struct liveness l = { .least_ms = LEAST };

	(void)state;
	int64_t now = probe(&l, 1000, 1, 1800, 0);
	assert_true(l.mean_ms == 0 && !l.silent_since);
	assert_in_range(until(&l, LIVENESS_DEAD), 2500, 3500);
	probe(&l, now, 1, 900, 0);		/* this one was connected */
	assert_true(l.mean_ms > 800);
}

static void who_takes_its_time_is_given_more(void **state)
{
	struct liveness quick = { .least_ms = LEAST }, slow = quick, moody = quick;

	(void)state;
	probe(&quick, 1000, 40, 1, 0);
	probe(&slow, 1000, 40, 1500, 0);
	probe(&moody, 1000, 40, 1, 3000);
	assert_true(until(&slow, LIVENESS_DEAD) > until(&quick, LIVENESS_DEAD) + 1400);
	assert_true(until(&moody, LIVENESS_DEAD) > until(&slow, LIVENESS_DEAD));
}

static void a_repeated_probe_does_not_begin_the_silence_anew(void **state)
{
	struct liveness l = { .least_ms = LEAST };
	int64_t now = probe(&l, 1000, 20, 1, 0);

	(void)state;
	liveness_probe_sent(&l, now);
	liveness_probe_sent(&l, now + 2000);
	assert_true(liveness_phi(&l, now + 4000) >= LIVENESS_DEAD);
	liveness_request_answered(&l, now + 3900);			/* a request was answered: it lives */
	assert_true(liveness_phi(&l, now + 4000) < LIVENESS_SUSPECT);
	assert_true(liveness_phi(&l, now + 9000) >= LIVENESS_DEAD);
}

static void who_was_stopped_itself_blames_nobody(void **state)
{
	struct liveness l = { .least_ms = LEAST };
	int64_t now = probe(&l, 1000, 20, 1, 0);

	(void)state;
	liveness_probe_sent(&l, now);
	liveness_forgive(&l, 60000);
	assert_true(liveness_phi(&l, now + 60100) < LIVENESS_SUSPECT);
	assert_true(liveness_phi(&l, now + 64000) >= LIVENESS_DEAD);
}

static void miss(struct liveness *l, int64_t now, int n)
{
	while (n--)
		liveness_request_missed(l, now, 2000);
}

static void a_circuit_opens_and_one_request_tries_it(void **state)
{
	struct liveness l = { .least_ms = LEAST };
	int64_t now = 5000;

	(void)state;
	miss(&l, now, LIVENESS_MISSES - 1);
	liveness_request_answered(&l, now);				/* not in a row */
	miss(&l, now, LIVENESS_MISSES - 1);
	assert_true(liveness_admits(&l, now));
	miss(&l, now, 1);
	assert_false(liveness_admits(&l, now));
	miss(&l, now + 10, 16);					/* those that had left before tell nothing more */
	assert_false(liveness_admits(&l, now + LIVENESS_OPEN_MS - 1));
	now += LIVENESS_OPEN_MS;
	assert_true(liveness_admits(&l, now));
	liveness_request_sent(&l, now);
	assert_false(liveness_admits(&l, now + 10));		/* one at a time */
	miss(&l, now + 2000, 1);				/* the trial: back to rest, for twice as long */
	now += 2000;
	assert_false(liveness_admits(&l, now + 2 * LIVENESS_OPEN_MS - 1));
	now += 2 * LIVENESS_OPEN_MS;
	liveness_request_sent(&l, now);
	liveness_request_answered(&l, now + 3);
	assert_int_equal(l.circuit, CIRCUIT_CLOSED);
	assert_true(liveness_admits(&l, now + 3));
	miss(&l, now + 10, LIVENESS_MISSES);
	assert_true(liveness_admits(&l, now + 10 + LIVENESS_OPEN_MS));	/* what was is forgotten */
}

static void rests_are_bounded_and_a_lost_trial_is_forgotten(void **state)
{
	struct liveness l = { .least_ms = LEAST };
	int64_t now = 5000;

	(void)state;
	miss(&l, now, LIVENESS_MISSES);
	for (int i = 0; i < 20; i++) {
		now = l.until;
		liveness_request_sent(&l, now);
		miss(&l, now, 1);
	}
	assert_int_equal(l.until - now, LIVENESS_OPEN_MAX_MS);
	now = l.until;
	liveness_request_sent(&l, now);				/* whoever asked has gone */
	assert_false(liveness_admits(&l, now + LIVENESS_TRIAL_MS - 1));
	assert_true(liveness_admits(&l, now + LIVENESS_TRIAL_MS));
}

static void a_short_wait_is_no_miss(void **state)
{
	struct liveness l = { .least_ms = LEAST };

	(void)state;
	for (int i = 0; i < 100; i++)
		liveness_request_missed(&l, 5000, LIVENESS_MISS_MS - 1);
	assert_true(liveness_admits(&l, 5000));
}

static void who_comes_back_begins_slowly(void **state)
{
	struct liveness l = { .least_ms = LEAST };

	(void)state;
	assert_int_equal(liveness_share(&l, 5000), 100);
	miss(&l, 5000, LIVENESS_MISSES);
	liveness_recovered(&l, 5100);				/* it hung, and runs again: tried at once */
	assert_true(liveness_admits(&l, 5100));
	assert_int_equal(liveness_share(&l, 5100), 10);
	assert_in_range(liveness_share(&l, 5100 + LIVENESS_RAMP_MS / 2), 50, 60);
	assert_int_equal(liveness_share(&l, 5100 + LIVENESS_RAMP_MS), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(silence_is_suspected_and_then_death),
		cmocka_unit_test(a_first_answer_is_not_called_slow),
		cmocka_unit_test(who_takes_its_time_is_given_more),
		cmocka_unit_test(a_repeated_probe_does_not_begin_the_silence_anew),
		cmocka_unit_test(who_was_stopped_itself_blames_nobody),
		cmocka_unit_test(a_circuit_opens_and_one_request_tries_it),
		cmocka_unit_test(rests_are_bounded_and_a_lost_trial_is_forgotten),
		cmocka_unit_test(a_short_wait_is_no_miss),
		cmocka_unit_test(who_comes_back_begins_slowly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
