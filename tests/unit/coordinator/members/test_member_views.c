/* What is shown of a member and of its shards. */
#include "tests/replicas_by_hand.h"

static const struct member_view *view(void)
{
	struct member_view *v = arena_one(a, struct member_view);

	members_view(all, m, v, a);
	return v;
}

static void a_member_without_a_shard(void **state)
{
	(void)state;
	m->state->replicas = NULL;
	const struct member_view *v = view();
	assert_int_equal(v->health, DOWN);
	assert_int_equal(v->since, 0);
	assert_string_equal(v->reason, "its shard has not announced itself");
	assert_string_equal(v->status, "pending");
	assert_string_equal(v->visibility, "private");
	assert_string_equal(v->vectors, "none");
	assert_null(v->stamp);
	assert_null(v->conflict);
	assert_null(v->default_branch);
	assert_null(v->phase);
	assert_null(v->host);
	assert_false(v->counted);
	m->state->replicas = one;
}

static struct freshness built(void)
{
	const struct health_res h = { .status = "building",
		.generation = 4,
		.phase = "parse",
		.done = 1,
		.total = 2,
		.bytes_done = 3,
		.bytes_total = 4,
		.vectors = "building",
		.vectors_reason = "no model",
		.sandbox = "seccomp",
		.sandbox_lacks = "landlock",
		.commit = "c0ffee",
		.queued = 5,
		.shed = 6,
		.refused = 7 };
	struct freshness f = stamp_of("c0ffee", 4);

	index_status_update(one, &h, &f);
	return f;
}

static void a_member_with_shards(void **state)
{
	(void)state;
	members_set_string(&one->host, "the-host");
	members_set_string(&m->state->source, "/src");
	members_set_string(&m->state->default_branch, "main");
	one->since = 12;
	strcpy(one->reason, "why");
	assert_string_equal(view()->reason, "why");
	*one->reason = 0;
	assert_string_equal(view()->reason, "no index yet");
	built();
	const struct member_view *v = view();
	assert_null(v->reason);
	assert_int_equal(v->health, HEALTHY);
	assert_int_equal(v->since, 12);
	assert_string_equal(v->host, "the-host");
	assert_string_equal(v->source, "/src");
	assert_string_equal(v->default_branch, "main");
	assert_string_equal(v->status, "building");
	assert_int_equal(v->generation, 4);
	assert_string_equal(v->phase, "parse");
	assert_string_equal(v->vectors, "building");
	assert_string_equal(v->vectors_error, "no model");
	assert_string_equal(v->sandbox, "seccomp");
	assert_string_equal(v->sandbox_missing, "landlock");
	assert_int_equal(v->stamp->behind, 3);
	assert_string_equal(v->stamp->commit, "c0ffee");
}

static void the_counts_of_this_index(void **state)
{
	struct freshness f = built();

	(void)state;
	m->state->counted.generation = 4;
	m->state->counted.index = members_index_id(&f);
	assert_true(view()->counted);
	m->state->counted.index++;
	assert_false(view()->counted);
	m->state->counting = true;
	assert_true(view()->counting);
}

static void a_member_that_is_down(void **state)
{
	(void)state;
	built();
	/* nobody knows how far it is behind */
	one->health = two->health = three->health = DOWN;
	one->since = 1795305600000;
	assert_int_equal(view()->stamp->behind, -1);
	assert_string_equal(view()->stamp->checked_at, "2026-11-22T00:00:00.000Z");
	one->since = 0;
	assert_null(view()->stamp->checked_at);
	one->health = HEALTHY;
	connected = false;
	const struct member_view *v = view();
	assert_int_equal(v->health, DOWN);
	assert_string_equal(v->reason, "its connection was lost");
	assert_true(v->since > 12);
}

static void who_speaks(void **state)
{
	(void)state;
	assert_ptr_equal(members_primary_replica(m->state), one);
	one->health = DEGRADED;
	assert_ptr_equal(members_primary_replica(m->state), two);
	two->health = three->health = DEGRADED;
	assert_ptr_equal(members_primary_replica(m->state), one);
	one->consistency = REPLICA_CONFLICTING;
	strcpy(one->conflict_reason, "other content");
	assert_ptr_equal(members_primary_replica(m->state), two);
	assert_string_equal(view()->conflict, "one: other content");
	one->health = HEALTHY;
	assert_ptr_equal(members_primary_replica(m->state), two);
	two->peer = NULL;
	assert_ptr_equal(members_primary_replica(m->state), three);
}

static void shards_as_shown(void **state)
{
	const struct health_res h = {
		.status = "ready", .generation = 4, .commit = "c0ffee", .queued = 5, .shed = 6, .refused = 7
	};
	struct freshness f = stamp_of("c0ffee", 4);
	size_t n;

	(void)state;
	index_status_update(two, &h, &f);
	two->latency.in_flight = 8;
	two->live = (struct liveness){
		.circuit = CIRCUIT_TRIAL, .least_ms = 10, .silent_since = now_ms - 10
	};
	two->consistency = REPLICA_CONFLICTING;
	two->times.failed = 9;
	three->health = DOWN;
	three->reported.behind = 7;
	three->answered = false;
	const struct shard_view *v = members_shards(all, m, &n, a);
	assert_int_equal(n, 3);
	assert_string_equal(v[0].name, "one");
	assert_null(v[0].commit);
	assert_false(v[0].open || v[0].apart);
	assert_true(v[0].answered);
	assert_true(v[0].suspicion == 0);
	assert_string_equal(v[1].commit, "c0ffee");
	assert_int_equal(v[1].generation, 4);
	assert_int_equal(v[1].queued, 5);
	assert_int_equal(v[1].shed, 6);
	assert_int_equal(v[1].refused, 7);
	assert_int_equal(v[1].behind, 3);
	assert_int_equal(v[1].in_flight, 8);
	assert_int_equal(v[1].times.failed, 9);
	assert_true(v[1].open && v[1].apart);
	assert_true(v[1].suspicion > 0.5);
	assert_int_equal(v[2].health, DOWN);
	assert_int_equal(v[2].behind, -1);
	assert_false(v[2].answered);
}

static void settled_generations(void **state)
{
	const struct health_res h = { .status = "ready", .generation = 4 };
	struct member *v[] = { m, members_get_or_add(all, "h/two", "two") };
	uint64_t known[2] = { 5, 5 };

	(void)state;
	index_status_update(one, &h, NULL);
	members_known_generations(all, v, 2, known);
	assert_int_equal(known[0], 0);
	assert_int_equal(known[1], 0);
	one->next = NULL;
	members_known_generations(all, v, 2, known);
	assert_int_equal(known[0], 4);
	one->named = true;
	members_known_generations(all, v, 2, known);
	assert_int_equal(known[0], 0);
	one->named = false;
	one->answered = false;
	members_known_generations(all, v, 2, known);
	assert_int_equal(known[0], 0);
	one->answered = true;
	one->health = DOWN;
	members_known_generations(all, v, 2, known);
	assert_int_equal(known[0], 0);
	one->next = two;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, hand_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_member_without_a_shard),
		TEST(a_member_with_shards),
		TEST(the_counts_of_this_index),
		TEST(a_member_that_is_down),
		TEST(who_speaks),
		TEST(shards_as_shown),
		TEST(settled_generations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
