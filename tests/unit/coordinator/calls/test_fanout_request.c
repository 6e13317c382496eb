/*
 * One request to the shards of a member, without any of them: which is asked, when a second one is, what an answer or a failure does, and
 * who is told to stop.
 */
#include "tests/fanout_by_hand.h"

/* ---- one shard ---- */

static void a_good_answer(void **state)
{
	(void)state;
	several = false;
	start(RPC_search);
	said_is("ask:1:5000 ");
	assert_int_equal(nalarms, 0);
	assert_null(result);
	now_ms += 30;
	answer(0, (struct wire_reply){ .bytes = 10, .behind = 2 });
	said_is("1:received:30 pin ");
	assert_int_equal(answered()->e.code, 0);
	assert_int_equal(answered()->elapsed_ms, 30);
	assert_int_equal(answered()->stamp->behind, 2);
	assert_false(answered()->late);
	assert_ptr_equal(answered()->member, &member);
}

static void nobody_can_be_asked(void **state)
{
	(void)state;
	shards[0].usable = shards[1].usable = false;
	start(RPC_search);
	said_is("");
	assert_int_equal(answered()->e.code, ERR_UNAVAILABLE);
	assert_string_equal(answered()->e.msg, "no shard is left");
}

static void a_shard_that_is_too_old(void **state)
{
	(void)state;
	old_shards = 1;
	shards[1].usable = false;
	start(RPC_file_map);
	said_is("");
	assert_int_equal(answered()->e.code, ERR_SCHEMA_MISMATCH);
	assert_string_equal(answered()->e.msg,
	    "the shard of x is of an older version of atoll, which has no `file_map`");
	assert_string_equal(answered()->e.hint, "Upgrade atoll on its host and restart the shard.");
	shards[1].usable = true;
	start(RPC_file_map);
	said_is("ask:2:5000 ");
	answer(0, (struct wire_reply){ .bytes = 1 });
}

/* ---- another one ---- */

static void failures_that_another_one_may_not_have(void **state)
{
	static const struct {
		struct wire_reply reply;
		bool again;
	} v[] = {
		{ { .code = ERR_UNAVAILABLE, .lost = true }, true },
		{ { .code = ERR_RATE_LIMITED }, true },
		{ { .code = ERR_NO_INDEX }, true },
		{ { .code = ERR_DB_ERROR }, true },
		{ { .code = ERR_SCHEMA_MISMATCH }, true },
		{ { .code = ERR_NOT_FOUND }, false },
		{ { .code = ERR_INVALID_INPUT }, false },
		{ { .code = ERR_INTERNAL }, false },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		nasked = 0;
		result = NULL;
		start(RPC_search);
		answer(0, v[i].reply);
		if ((nasked == 2) != v[i].again)
			fail_msg("row %zu", i);
		if (v[i].again)
			answer(1, (struct wire_reply){ .bytes = 1 });
		assert_int_equal(answered()->e.code, v[i].again ? 0 : v[i].reply.code);
	}
}

static void the_last_failure_stands(void **state)
{
	(void)state;
	start(RPC_search);
	answer(0, (struct wire_reply){ .code = ERR_NO_INDEX });
	said_is("ask:1:5000 1:received:0 ask:2:5000 ");
	answer(1, (struct wire_reply){ .code = ERR_DB_ERROR });
	said_is("2:received:0 ");
	assert_int_equal(answered()->e.code, ERR_DB_ERROR);
}

static void no_time_for_another_one(void **state)
{
	(void)state;
	start(RPC_search);
	now_ms += 5000 - NO_TIME_MS + 1;
	answer(0, (struct wire_reply){ .code = ERR_NO_INDEX });
	assert_int_equal(nasked, 1);
	assert_int_equal(answered()->e.code, ERR_NO_INDEX);
	result = NULL;
	start(RPC_search);
	now_ms += 5000 - NO_TIME_MS;
	answer(1, (struct wire_reply){ .code = ERR_NO_INDEX });
	assert_int_equal(nasked, 3);
	answer(2, (struct wire_reply){ .code = ERR_NO_INDEX });
	/* one that is late has used up the time, and is told to stop */
	said.n = 0;
	result = NULL;
	start(RPC_search);
	answer(3, (struct wire_reply){ .code = ERR_UNAVAILABLE, .late = true });
	said_is("ask:1:5000 1:late:0 stop:1 ");
	assert_true(answered()->late);
}

/* ---- a second one ---- */

static void when_the_second_is_asked(void **state)
{
	static const struct {
		int64_t p95, in_us;
	} v[] = { { 50000, 50000 }, { 0, 250000 }, { 9999, 10000 }, { 4999999, 4999999 } };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		percentile_us = v[i].p95;
		nasked = 0;
		start(RPC_search);
		assert_int_equal(nalarms, 1);
		assert_int_equal(alarms[0].in_us, v[i].in_us);
		answer(0, (struct wire_reply){ .bytes = 1 });
		ring(); /* after the end it does nothing */
		assert_int_equal(nasked, 1);
	}
	percentile_us = 5000000; /* not before the deadline */
	start(RPC_search);
	assert_int_equal(nalarms, 0);
	answer(1, (struct wire_reply){ .bytes = 1 });
	assert_int_equal(co.hedges.asked, 5);
	several = false;
	start(RPC_search);
	assert_int_equal(nalarms, 0);
	answer(2, (struct wire_reply){ .bytes = 1 });
	assert_int_equal(co.hedges.asked, 5);
}

static void the_second_wins(void **state)
{
	(void)state;
	start(RPC_search);
	now_ms += 50;
	ring();
	said_is("ask:1:5000 ask:2:4950 ");
	assert_int_equal(co.hedges.sent, 1);
	now_ms += 20;
	answer(1, (struct wire_reply){ .bytes = 1 });
	said_is("2:received:20+ 1:slower:70 stop:1 pin ");
	assert_int_equal(co.hedges.won, 1);
	assert_int_equal(answered()->e.code, 0);
	now_ms += 5;
	answer(0, (struct wire_reply){ .bytes = 1 }); /* it counts for the shard alone */
	said_is("1:received:75+ ");
}

static void the_first_wins(void **state)
{
	(void)state;
	start(RPC_search);
	ring();
	answer(1, (struct wire_reply){ .code = ERR_NO_INDEX }); /* the first is still working */
	assert_null(result);
	answer(0, (struct wire_reply){ .bytes = 1 });
	assert_int_equal(answered()->e.code, 0);
	assert_int_equal(co.hedges.won, 0);
	said_is("ask:1:5000 ask:2:5000 2:received:0 1:received:0+ pin ");
}

static void no_second_one(void **state)
{
	(void)state;
	start(RPC_search);
	now_ms += 5000 - NO_TIME_MS; /* too late */
	ring();
	assert_int_equal(nasked, 1);
	answer(0, (struct wire_reply){ .bytes = 1 });
	now_ms = 100000;
	start(RPC_search);
	shards[1].usable = false; /* nobody else is there */
	ring();
	assert_int_equal(nasked, 2);
	answer(1, (struct wire_reply){ .bytes = 1 });
	shards[1].usable = true;
	co.hedges.tokens = HEDGE_COST - 2; /* without a token; it may be there later */
	start(RPC_search);
	ring();
	assert_int_equal(nasked, 3);
	assert_int_equal(nalarms, 1);
	assert_int_equal(alarms[0].in_us, 100000);
	co.hedges.tokens = HEDGE_COST;
	ring();
	assert_int_equal(nasked, 4);
	assert_int_equal(nalarms, 0);
	answer(2, (struct wire_reply){ .bytes = 1 });
	answer(3, (struct wire_reply){ .bytes = 1 });
	assert_int_equal(co.hedges.denied, 1);
}

/* A list that continues needs the same index. */
static void a_list_stays_in_its_index(void **state)
{
	struct {
		const struct member *m;
		uint32_t index;
	} pinned = { &member, 1 };

	(void)state;
	call.pins = (void *)&pinned;
	call.npins = 1;
	call.continues_list = true;
	start(RPC_search);
	said_is("ask:1:5000 ");
	ring();
	assert_int_equal(nasked, 1);
	shards[1].index = 1;
	answer(0, (struct wire_reply){ .bytes = 1 });
	start(RPC_search);
	ring();
	assert_int_equal(nasked, 3);
	answer(1, (struct wire_reply){ .bytes = 1 });
	answer(2, (struct wire_reply){ .bytes = 1 });
	call.pins = NULL;
	call.npins = 0;
}

/* ---- the end of a call ---- */

static void an_abandoned_call(void **state)
{
	(void)state;
	start(RPC_search);
	ring();
	call.abandoned = true;
	said.n = 0;
	fanout_cancel(call.flight);
	said_is("stop:1 stop:2 ");
	answer(0, (struct wire_reply){ .code = ERR_UNAVAILABLE });
	answer(1, (struct wire_reply){ .code = ERR_UNAVAILABLE });
	assert_null(result);
	assert_true(ended);
	assert_int_equal(call.e.code, ERR_UNAVAILABLE);
	assert_string_equal(call.e.msg, "the client has gone");
}

static void no_worker(void **state)
{
	(void)state;
	pool_is_full = true;
	start(RPC_search);
	answer(0, (struct wire_reply){ .bytes = 1 });
	assert_null(result);
	assert_true(ended);
	assert_int_equal(call.e.code, ERR_RATE_LIMITED);
	assert_string_equal(call.e.msg, "too many requests are waiting");
	assert_int_equal(limits_refused(co.limits, LIMITS_QUEUE), 1);
}

static void answers_that_do_not_fit(void **state)
{
	static const struct {
		int64_t mb;
		size_t bytes, held;
		bool fits;
	} v[] = {
		{ 1, 262144, 0, true },
		{ 1, 262145, 0, false },
		{ 0, 99999999, 0, true },
		{ 1, 1000, (1 << 20) - 1000, true },
		{ 1, 1001, (1 << 20) - 1000, false },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		nasked = 0;
		co.o.gather_mb = v[i].mb;
		co.reply_bytes = v[i].held;
		call.reply_bytes = 0;
		start(RPC_search);
		answer(0, (struct wire_reply){ .bytes = v[i].bytes });
		assert_int_equal(answered()->e.code, v[i].fits ? 0 : ERR_RATE_LIMITED);
		assert_int_equal(call.reply_bytes, v[i].fits && v[i].mb ? v[i].bytes : 0);
		assert_int_equal(co.reply_bytes, v[i].held + call.reply_bytes);
	}
	assert_string_equal(answered()->e.msg,
	    "its answer of 1001 bytes does not fit into --gather-mb 1; a call gets a quarter of it");
	assert_int_equal(limits_refused(co.limits, LIMITS_MEMORY), 2);
}

static void old_indexes(void **state)
{
	static const struct {
		enum rpc_id rpc;
		int64_t max, behind;
		const char *msg;
	} v[] = {
		{ RPC_search, 0, 0, "" },
		{ RPC_search, 0, 1, "the index of x is 1 commit behind, --max-staleness is 0" },
		{ RPC_symbol, 2, 3, "the index of x is 3 commits behind, --max-staleness is 2" },
		{ RPC_symbol, 3, 3, "" },
		{ RPC_search, -1, 9, "" },
		{ RPC_owners, 0, 9, "" },
		{ RPC_contracts, 0, 9, "" },
	};

	(void)state;
	several = false;
	for (size_t i = 0; i < LEN(v); i++) {
		nasked = 0;
		co.o.max_staleness = v[i].max;
		start(v[i].rpc);
		answer(0, (struct wire_reply){ .bytes = 1, .behind = v[i].behind });
		assert_string_equal(answered()->e.msg, v[i].msg);
		assert_int_equal(answered()->e.code, *v[i].msg ? ERR_STALENESS : 0);
	}
}

static void hints_name_the_repository(void **state)
{
	struct err e = { 0 };

	(void)state;
	err_set(&e, ERR_NO_INDEX, "none");
	err_hint(&e, "Run `atoll index REPO now`.");
	name_repo(&e, "acme/api");
	assert_string_equal(e.hint, "Run `atoll index acme/api now`.");
	name_repo(&e, "acme/api");
	assert_string_equal(e.hint, "Run `atoll index acme/api now`.");
	struct err none = { .hint = "x REPO y" };
	name_repo(&none, "acme/api");
	assert_string_equal(none.hint, "x REPO y");
}

static void who_has_answered(void **state)
{
	struct member m[] = { { .repo_uri = "h/b" }, { .repo_uri = "h/a" }, { .repo_uri = "h/c" } };
	const struct freshness behind = { .behind = 4 }, current = { .behind = 0 };
	struct fanout_reply one[] = { { .member = &m[0], .stamp = &behind },
		{ .member = &m[1], .stamp = &current } };
	struct fanout_reply two[] = {
		{ .member = &m[1], .e = { .code = ERR_UNAVAILABLE, .msg = "gone" }, .elapsed_ms = 12 },
		{ .member = &m[2] }
	};
	struct fanout f = { .v = one, .n = 2 }, g = { .v = two, .n = 2 };
	struct coverage *cov;

	(void)state;
	assert_true(fanout_coverage(&call, (struct fanout *[]){ &f, NULL }, 2, &cov));
	assert_int_equal(cov->members, 2);
	assert_int_equal(cov->answered, 2);
	assert_int_equal(cov->stale.n, 1);
	assert_string_equal(cov->stale.v[0].repo_uri, "h/b");
	assert_int_equal(cov->stale.v[0].behind, 4);
	assert_false(fanout_coverage(&call, (struct fanout *[]){ &f, &g }, 2, &cov));
	assert_int_equal(cov->members, 3);
	assert_int_equal(cov->answered, 2);
	assert_int_equal(cov->failed.n, 1);
	assert_string_equal(cov->failed.v[0].repo_uri, "h/a");
	assert_string_equal(cov->failed.v[0].code, "UNAVAILABLE");
	assert_string_equal(cov->failed.v[0].message, "gone");
	assert_int_equal(cov->failed.v[0].elapsed_ms, 12);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_good_answer),
		TEST(nobody_can_be_asked),
		TEST(a_shard_that_is_too_old),
		TEST(failures_that_another_one_may_not_have),
		TEST(the_last_failure_stands),
		TEST(no_time_for_another_one),
		TEST(when_the_second_is_asked),
		TEST(the_second_wins),
		TEST(the_first_wins),
		TEST(no_second_one),
		TEST(a_list_stays_in_its_index),
		TEST(an_abandoned_call),
		TEST(no_worker),
		TEST(answers_that_do_not_fit),
		TEST(old_indexes),
		TEST(hints_name_the_repository),
		TEST(who_has_answered),
	};
	int rc = cmocka_run_group_tests(tests, NULL, NULL);

	buf_free(&said);
	return rc;
}
