/* Which shard of a member gets a request. */
#include "tests/replicas_by_hand.h"

/* The names of the candidates. */
static const char *found(uint32_t tried, uint32_t index)
{
	struct replica *v[REPLICAS_MAX];
	size_t n = candidates(m, tried, index, v);
	const char *s = "";

	for (size_t i = 0; i < n; i++)
		s = arena_printf(a, "%s%s%s", s, i ? " " : "", v[i]->name);
	return s;
}

/* ---- which one ---- */

static void ids_of_indexes(void **state)
{
	struct freshness f = stamp_of("a", 1), same = stamp_of("a", 2), other = stamp_of("b", 1),
	                 shifted = stamp_of("ah", 1);

	(void)state;
	assert_int_equal(members_index_id(&f), members_index_id(&same));
	assert_int_not_equal(members_index_id(&f), members_index_id(&other));
	same.graph_hash = "other";
	assert_int_not_equal(members_index_id(&f), members_index_id(&same));
	shifted.graph_hash = "ash";
	assert_int_not_equal(members_index_id(&f), members_index_id(&shifted));
	same.graph_hash = NULL;
	assert_int_not_equal(members_index_id(&same), 0);
}

static void candidates_by_class(void **state)
{
	(void)state;
	assert_string_equal(found(0, 0), "one two three");
	assert_string_equal(found(one->bit | three->bit, 0), "two");
	assert_string_equal(found(7, 0), "");
	one->health = DEGRADED;
	assert_string_equal(found(0, 0), "two three");
	assert_string_equal(found(6, 0), "one");
	two->index = 0;
	assert_string_equal(found(0, 0), "three");
	assert_string_equal(
	    found(4, 0), "two"); /* healthy without an index is better than degraded with one */
	two->index = 9;
	three->behind = 1;
	assert_string_equal(found(0, 0), "two");
	two->behind = 2;
	assert_string_equal(found(0, 0), "three");
	three->behind = -1; /* unknown is further than any number */
	assert_string_equal(found(0, 0), "two");
	two->behind = FAR_BEHIND;
	assert_string_equal(found(0, 0), "two three");
	two->behind = FAR_BEHIND - 1;
	assert_string_equal(found(0, 0), "two");
}

static void candidates_by_index(void **state)
{
	(void)state;
	two->index = three->index = 5;
	assert_string_equal(found(0, 5), "two three");
	assert_string_equal(found(two->bit, 5), "three");
	two->health = DEGRADED;
	assert_string_equal(found(0, 5), "two three");
	assert_string_equal(found(6, 5), "one");
	assert_string_equal(found(0, 77), "one"); /* the first of the best, and those with its index */
	two->health = HEALTHY;
	strcpy(three->indexed_at, "2026-01-02");
	strcpy(one->indexed_at, "2026-01-01");
	assert_string_equal(found(0, 0), "two three"); /* the newest index */
	strcpy(one->indexed_at, "2026-01-03");
	assert_string_equal(found(0, 0), "one");
}

static void who_can_be_used(void **state)
{
	(void)state;
	assert_true(members_usable(one));
	one->health = DEGRADED;
	assert_true(members_usable(one));
	one->health = DOWN;
	assert_false(members_usable(one));
	one->health = HEALTHY;
	connected = false;
	assert_false(members_usable(one));
	one->answered = false; /* it may connect until its first probe has failed */
	one->health = DOWN;
	assert_true(members_usable(one));
	one->failures = 1;
	assert_false(members_usable(one));
	one->failures = 0;
	one->peer = NULL;
	assert_false(members_usable(one));
	connected = true;
	two->live.circuit = CIRCUIT_OPEN;
	two->live.until = now_ms + 1;
	assert_false(members_usable(two));
	two->live.until = now_ms;
	assert_true(members_usable(two));
	two->consistency = REPLICA_CONFLICTING;
	assert_false(members_usable(two));
	assert_true(members_usable(three));
	two->consistency = REPLICA_CONSISTENT;
	assert_false(members_usable(three)); /* not compared yet */
}

static void a_route(void **state)
{
	struct route route;
	uint32_t tried = 6;

	(void)state;
	one->live.circuit = CIRCUIT_OPEN;
	assert_int_equal(members_route(all, m, &tried, 0, &route, &e), 0);
	assert_ptr_equal(route.replica, one);
	assert_ptr_equal(route.peer, one->peer);
	assert_int_equal(route.bit, one->bit);
	assert_true(route.fail_fast);
	assert_true(route.several);
	assert_int_equal(tried, 7);
	assert_int_equal(one->refs, 1);
	assert_int_equal(one->latency.in_flight, 1);
	assert_int_equal(one->live.circuit, CIRCUIT_TRIAL);
	members_route_release(all, &route);
	assert_int_equal(one->refs, 0);
	assert_int_equal(members_route(all, m, &tried, 0, &route, &e), -1);
	assert_int_equal(tried, 7);
	m->state->replicas = three;
	three->answered = false;
	tried = 0;
	assert_int_equal(members_route(all, m, &tried, 0, &route, &e), 0);
	assert_false(route.fail_fast);
	assert_false(route.several);
	m->state->replicas = one;
}

static void no_route(void **state)
{
	struct route route;

	(void)state;
	one->health = two->health = three->health = DOWN;
	strcpy(one->reason, "its reason");
	assert_int_equal(members_route_first(all, m, &route, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(e.msg, "the shard of one is down: its reason");
	*one->reason = 0;
	members_route_first(all, m, &route, &e);
	assert_string_equal(e.msg, "the shard of one is down: not connected");
	one->health = DEGRADED;
	strcpy(one->reason, "its reason");
	one->live = (struct liveness){ .circuit = CIRCUIT_OPEN, .until = now_ms + 1, .misses = 4 };
	members_route_first(all, m, &route, &e);
	assert_string_equal(e.msg,
	    "the shard of one gets no requests for a moment: 4 requests in a row were not answered");
	one->live.circuit = CIRCUIT_CLOSED;
	one->peer = NULL;
	members_route_first(all, m, &route, &e);
	assert_string_equal(e.msg, "the shard of one is down: not connected");
	one->peer = (struct wire_peer *)one;
	all->stopping = true;
	assert_int_equal(members_route_first(all, m, &route, &e), -1);
	assert_string_equal(e.msg, "the coordinator is shutting down");
	uint32_t tried = 0;
	assert_int_equal(members_route(all, m, &tried, 0, &route, &e), -1);
	assert_int_equal(members_route_bit(all, m, one->bit, &route), -1);
	assert_false(members_can_route(all, m, 0, 0));
	all->stopping = false;
	m->state->replicas = NULL;
	members_route_first(all, m, &route, &e);
	assert_string_equal(e.msg, "the shard of one is down: it has not announced itself");
	m->state->replicas = one;
}

static void the_first_healthy_one(void **state)
{
	struct route route;

	(void)state;
	one->health = DEGRADED;
	assert_int_equal(members_route_first(all, m, &route, &e), 0);
	assert_ptr_equal(route.replica, two);
	assert_int_equal(two->latency.in_flight, 0);
	two->health = three->health = DEGRADED;
	assert_int_equal(members_route_first(all, m, &route, &e), 0);
	assert_ptr_equal(route.replica, one);
	assert_int_equal(members_route_bit(all, m, three->bit, &route), 0);
	assert_ptr_equal(route.replica, three);
	three->answered = false;
	members_route_bit(all, m, three->bit, &route);
	assert_true(route.fail_fast);
	assert_int_equal(members_route_bit(all, m, 64, &route), -1);
	three->peer = NULL;
	assert_int_equal(members_route_bit(all, m, three->bit, &route), -1);
}

static void what_else_could_be_asked(void **state)
{
	(void)state;
	assert_true(members_can_route(all, m, 3, 0));
	assert_false(members_can_route(all, m, 7, 0));
	assert_true(members_can_route(all, m, 3, 9));
	assert_false(members_can_route(all, m, 3, 8));
	three->health = DOWN;
	assert_false(members_can_route(all, m, 3, 0));
	assert_true(members_any_usable(all, m, 6));
	assert_false(members_any_usable(all, m, 4));
	assert_false(members_any_usable(all, m, 0));
	one->features_known = two->features_known = true;
	one->features = 2;
	assert_int_equal(members_lacking_feature(all, m, 2), two->bit);
	assert_int_equal(members_lacking_feature(all, m, 1), 3);
	assert_true(members_has_replicas(all, m));
	struct freshness f = stamp_of("c", 4);
	assert_int_equal(members_index_number(all, m, &f), members_index_id(&f));
	one->next = NULL;
	assert_false(members_has_replicas(all, m));
	assert_int_equal(members_index_number(all, m, &f), 4);
	one->next = two;
}

/* How often each of them is chosen. */
static void chosen(int n, int count[3])
{
	memset(count, 0, 3 * sizeof *count);
	for (int i = 0; i < n; i++) {
		const struct replica *r = choose(all, m, 0, 0);
		count[r == one ? 0 : r == two ? 1 : 2]++;
	}
}

static void the_cheaper_of_two(void **state)
{
	int count[3];

	(void)state;
	all->random = 88172645463325252u;
	chosen(900, count);
	for (int i = 0; i < 3; i++)
		assert_in_range(count[i], 200, 400);
	two->latency.in_flight = 1; /* only chosen when compared with itself, which does not happen */
	chosen(900, count);
	assert_int_equal(count[1], 0);
	assert_in_range(count[0], 350, 550);
	two->latency.in_flight = 0;
	three->latency.in_flight = 5;
	one->live.recovered_at = now_ms; /* it has come back just now and costs ten times as much */
	chosen(900, count);
	assert_int_equal(count[0], 0);
	assert_in_range(count[2], 200, 400); /* against the first alone */
}

static void random_numbers(void **state)
{
	(void)state;
	all->random = 1;
	bool seen[5] = { false };
	for (int i = 0; i < 200; i++) {
		size_t k = random_below(all, 5);
		assert_true(k < 5);
		seen[k] = true;
	}
	for (int i = 0; i < 5; i++)
		assert_true(seen[i]);
	all->random = 1;
	random_below(all, 2);
	assert_int_equal(all->random, 1082269761);
	all->random = 0;
	random_below(all, 2);
	assert_int_not_equal(all->random, 0);
}

/* ---- what became of a request ---- */

static void histograms(void **state)
{
	static const int64_t us[] = { 5000, 5001, 25000, 25001, 100000, 500000, 500001, 2500000,
		2500001, 900000000 };
	struct latency_histogram t = { .failed = 0 };

	(void)state;
	for (size_t i = 0; i < LEN(us); i++)
		latency_histogram_add(&t, us[i], i != 3);
	static const uint64_t want[] = { 1, 2, 2, 1, 2, 2 };
	for (size_t i = 0; i < LEN(want); i++)
		assert_int_equal(t.n[i], want[i]);
	assert_int_equal(t.failed, 1);
	assert_true(t.seconds > 906.1 && t.seconds < 906.2);
}

static void replies(void **state)
{
	struct freshness f = stamp_of("new", 4);

	(void)state;
	one->latency.in_flight = 2;
	one->live.misses = 3;
	members_record_reply(all, one, RPC_search, 1000, REPLY_RECEIVED, &f);
	assert_int_equal(one->latency.in_flight, 1);
	assert_int_equal(one->live.misses, 0);
	assert_int_equal(one->times.n[0], 1);
	assert_int_equal(one->times.failed, 0);
	assert_int_equal(one->index, members_index_id(&f));
	assert_int_equal(one->generation, 4);
	assert_int_equal(one->behind, 3);
	assert_string_equal(one->indexed_at, "2026-01-01T00:00:00Z");
	assert_non_null(m->state->past);
	assert_int_equal(m->state->past->total[RPC_search], 1);
	assert_true(one->latency.slowness > 0);
	/* an older one, or one of another repository, changes nothing */
	f.generation = 3;
	f.commit = "old";
	members_record_reply(all, one, RPC_search, 1000, REPLY_RECEIVED, &f);
	assert_int_equal(one->generation, 4);
	f = stamp_of("other", 9);
	f.repo_uri = "h/two";
	one->latency.in_flight = 1;
	members_record_reply(all, one, RPC_search, 1000, REPLY_RECEIVED, &f);
	assert_int_equal(one->generation, 4);
	f.repo_uri = NULL;
	one->latency.in_flight = 1;
	members_record_reply(all, one, RPC_search, 1000, REPLY_RECEIVED, &f);
	assert_int_equal(one->generation, 4);
	/* none */
	two->latency.in_flight = 3;
	members_record_reply(all, two, RPC_search, 300000, REPLY_LATE, NULL);
	assert_int_equal(two->live.misses, 1);
	assert_int_equal(two->times.failed, 1);
	assert_true(two->latency.slowness > 0);
	members_record_reply(all, two, RPC_search, 199999, REPLY_LOST, NULL);
	assert_int_equal(two->live.misses, 1);
	three->latency.in_flight = 1;
	members_record_reply(all, three, RPC_search, 300000, REPLY_LOST, NULL);
	assert_int_equal(three->live.misses, 1);
	assert_true(three->latency.slowness == 0);
	assert_int_equal(m->state->past->total[RPC_search], 4);
	members_record_slower(all, three, RPC_search, 700);
	assert_true(three->latency.slowness > 0);
}

static void a_single_shard_has_no_history(void **state)
{
	struct freshness f = stamp_of("c", 1);

	(void)state;
	one->next = NULL;
	one->latency.in_flight = 1;
	members_record_reply(all, one, RPC_search, 1000, REPLY_RECEIVED, &f);
	members_record_slower(all, one, RPC_search, 1000);
	assert_null(m->state->past);
	assert_int_equal(members_p95_us(all, m, RPC_search), 0);
	assert_int_equal(one->generation, 1);
	one->next = two;
	for (int i = 0; i < 20; i++) {
		one->latency.in_flight = 1;
		members_record_reply(all, one, RPC_search, 1000, REPLY_RECEIVED, &f);
	}
	assert_in_range(members_p95_us(all, m, RPC_search), 1000, 1500);
}

static void which_report_of_an_index_counts(void **state)
{
	struct freshness f = stamp_of("c", 4), older = stamp_of("d", 3);

	(void)state;
	replica_set_index(one, &f, false);
	replica_set_index(one, &older, false);
	assert_int_equal(one->generation, 4);
	replica_set_index(one, &older, true);
	assert_int_equal(one->generation, 3);
	assert_int_equal(one->index, members_index_id(&older));
	older.commit = "e";
	replica_set_index(one, &older, false);
	assert_int_equal(one->index, members_index_id(&older));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, hand_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(ids_of_indexes),
		TEST(candidates_by_class),
		TEST(candidates_by_index),
		TEST(who_can_be_used),
		TEST(a_route),
		TEST(no_route),
		TEST(the_first_healthy_one),
		TEST(what_else_could_be_asked),
		TEST(the_cheaper_of_two),
		TEST(random_numbers),
		TEST(histograms),
		TEST(replies),
		TEST(a_single_shard_has_no_history),
		TEST(which_report_of_an_index_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
