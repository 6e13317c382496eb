#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "coordinator/calls/admission_control.h"

enum { ANN = 1, BOB = 2, FOREVER = 1000000 };

static char told[64];		/* the names of those that were called, `!` behind who was not let in */

struct question {
	struct admission_ticket pass;
	char name;
};

static void then(void *arg)
{
	struct question *q = arg;
	size_t n = strlen(told);

	told[n] = q->name;
	if (!q->pass.in)
		told[n + 1] = '!';
}

static bool enter_until(struct admission *a, struct question *q, char name, uint64_t share, size_t cost, int64_t until_ms)
{
	*q = (struct question){ { .share = share, .then = then, .arg = q }, name };
	return admission_enter(a, &q->pass, cost, until_ms);
}

static bool enter(struct admission *a, struct question *q, char name, uint64_t share, size_t cost)
{
	return enter_until(a, q, name, share, cost, FOREVER);
}

static void answered(struct admission *a, struct question *q, int n)
{
	while (n--)
		admission_answered(a, &q->pass);
}

/* All who are told since the last time. */
static void were_told(const char *want)
{
	assert_string_equal(told, want);
	memset(told, 0, sizeof told);
}

static struct admission *open_for(size_t most)
{
	memset(told, 0, sizeof told);
	return admission_new(most);
}

static void close_idle(struct admission *a)
{
	were_told("");
	assert_int_equal(admission_usage_get(a).used, 0);
	assert_int_equal(admission_usage_get(a).waiting, 0);
	admission_free(a);
}

static void as_many_as_there_is_room_for(void **state)
{
	struct admission *a = open_for(80);
	struct question q[4];

	(void)state;
	assert_true(enter(a, &q[0], 'a', ANN, 40));
	assert_true(enter(a, &q[1], 'b', ANN, 40));
	assert_false(enter(a, &q[2], 'c', ANN, 40));
	assert_int_equal(admission_usage_get(a).used, 80);
	assert_int_equal(admission_usage_get(a).waiting, 1);
	admission_ask(a, &q[0].pass, 30);	/* the first of its rounds: its room stays its own */
	answered(a, &q[0], 30);
	admission_ask(a, &q[0].pass, 60);	/* the next ones do not wait, however many they ask */
	assert_int_equal(admission_usage_get(a).used, 100);
	answered(a, &q[0], 60);
	assert_int_equal(admission_usage_get(a).used, 80);
	were_told("");
	admission_leave(a, &q[0].pass);
	were_told("c");
	admission_leave(a, &q[0].pass);		/* twice is once */
	assert_int_equal(admission_usage_get(a).used, 80);
	admission_leave(a, &q[1].pass);		/* it asked nobody */
	admission_leave(a, &q[2].pass);
	admission_ask(a, &q[2].pass, 5);	/* who has left is not counted */
	answered(a, &q[2], 5);
	close_idle(a);
}

/* What is answered makes room for the next, down to half of what was wanted. */
static void who_has_been_answered_makes_room(void **state)
{
	struct admission *a = open_for(80);
	struct question q[3];

	(void)state;
	assert_true(enter(a, &q[0], 'a', ANN, 80));
	assert_false(enter(a, &q[1], 'b', ANN, 40));
	assert_false(enter(a, &q[2], 'c', ANN, 20));
	admission_drain(a, &q[0].pass);
	admission_ask(a, &q[0].pass, 80);
	answered(a, &q[0], 39);
	were_told("");
	answered(a, &q[0], 1);
	were_told("b");
	answered(a, &q[0], 40);
	were_told("c");				/* not only when it leaves */
	assert_int_equal(admission_usage_get(a).used, 80);
	admission_leave(a, &q[0].pass);
	assert_int_equal(admission_usage_get(a).used, 60);
	admission_leave(a, &q[1].pass);
	admission_leave(a, &q[2].pass);
	close_idle(a);
}

/* A question to more than there is room for goes out alone; a shard that hangs does not hold up the next one. */
static void wider_than_all_room(void **state)
{
	struct admission *a = open_for(80);
	struct question q[2];

	(void)state;
	assert_true(enter(a, &q[0], 'a', ANN, 1000));
	assert_false(enter(a, &q[1], 'b', BOB, 80));
	admission_drain(a, &q[0].pass);
	admission_ask(a, &q[0].pass, 1000);
	answered(a, &q[0], 959);
	were_told("");
	answered(a, &q[0], 1);			/* half of the room is free: that is enough */
	were_told("b");
	admission_leave(a, &q[0].pass);
	admission_drain(a, &q[1].pass);
	admission_ask(a, &q[1].pass, 80);
	assert_false(enter(a, &q[0], 'c', ANN, 1000));
	answered(a, &q[1], 40);
	were_told("c");
	admission_leave(a, &q[0].pass);
	admission_leave(a, &q[1].pass);
	close_idle(a);
}

static void few_do_not_wait_for_many(void **state)
{
	struct admission *a = open_for(80);
	struct question q[3], few[9];

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(enter(a, &q[i], 'x', ANN, 80), i == 0);
	for (int i = 0; i < 8; i++)
		assert_true(enter(a, &few[i], 'f', ANN, admission_small_max(a)));
	assert_false(enter(a, &few[8], 'g', ANN, 1));	/* of few there may be too many as well */
	admission_leave(a, &few[0].pass);
	were_told("g");
	for (int i = 1; i < 9; i++)
		admission_leave(a, &few[i].pass);
	for (int i = 0; i < 3; i++)
		admission_leave(a, &q[i].pass);
	were_told("xx");
	close_idle(a);
}

/* Whoever asks much waits for himself. */
static void callers_take_turns(void **state)
{
	struct admission *a = open_for(80);
	struct question ann[4], bob[2], wide;

	(void)state;
	for (int i = 0; i < 4; i++)
		assert_int_equal(enter(a, &ann[i], (char)('1' + i), ANN, 80), i == 0);
	enter(a, &bob[0], 'p', BOB, 40);
	enter(a, &bob[1], 'q', BOB, 40);
	enter(a, &wide, 'w', 3, 800);		/* who asks for ten times as much waits for ten times as much */
	struct question *order[] = { &ann[0], &bob[0], &ann[1], &bob[1], &ann[2], &ann[3], &wide };
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		admission_leave(a, &order[i]->pass);
	were_told("p2q34w");
	close_idle(a);
}

static void nobody_waits_for_too_long(void **state)
{
	struct admission *a = open_for(80);
	struct question q[4];

	(void)state;
	assert_true(enter_until(a, &q[0], 'a', ANN, 80, 100));
	assert_false(enter_until(a, &q[1], 'b', ANN, 80, 100));
	assert_false(enter_until(a, &q[2], 'c', ANN, 80, 200));
	assert_false(enter_until(a, &q[3], 'd', ANN, 80, 100));
	admission_expire(a, 99);
	were_told("");
	admission_expire(a, 100);
	were_told("d!b!");
	admission_leave(a, &q[1].pass);		/* has nothing to give */
	assert_int_equal(admission_usage_get(a).used, 80);
	admission_leave(a, &q[0].pass);
	were_told("c");
	admission_leave(a, &q[2].pass);
	close_idle(a);
}

static void the_end_lets_all_go(void **state)
{
	struct admission *a = open_for(80);
	struct question q[4];

	(void)state;
	for (int i = 0; i < 3; i++)
		enter(a, &q[i], (char)('a' + i), ANN, 80);
	admission_close(a);
	were_told("bc");
	assert_true(enter(a, &q[3], 'd', ANN, 80));
	for (int i = 0; i < 4; i++)
		admission_leave(a, &q[i].pass);
	close_idle(a);
}

static void without_a_limit(void **state)
{
	struct admission *a = open_for(0);
	struct question q[100];

	(void)state;
	for (int i = 0; i < 100; i++)
		assert_true(enter(a, &q[i], 'a', ANN, 100000));
	for (int i = 0; i < 100; i++)
		admission_leave(a, &q[i].pass);
	close_idle(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_as_there_is_room_for), cmocka_unit_test(who_has_been_answered_makes_room),
		cmocka_unit_test(wider_than_all_room),
		cmocka_unit_test(few_do_not_wait_for_many), cmocka_unit_test(callers_take_turns),
		cmocka_unit_test(nobody_waits_for_too_long), cmocka_unit_test(the_end_lets_all_go), cmocka_unit_test(without_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
