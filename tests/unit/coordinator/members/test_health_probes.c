/* What is made of answers to probes and of silence, word for word; when probes are sent. */
#include "tests/members_clock.h"

#include "coordinator/members/health_probes.c"

#include "tests/members_by_hand.h"

static struct replica *r;

static int begin(void **state)
{
	int rc = hand_begin(state);

	r = hand_replica(m, "r1");
	return rc;
}

static struct freshness stamp_of(uint64_t generation)
{
	return (struct freshness){ .repo_uri = "h/one",
		.commit = "c0ffee",
		.generation = generation,
		.graph_hash = "hash",
		.indexed_at = "2026-01-01T00:00:00Z" };
}

/* ---- health ---- */

static void a_change_of_health(void **state)
{
	(void)state;
	uint64_t moved = all->moved;
	r->since = 7;
	set_health(r, HEALTHY, "");
	assert_int_equal(all->moved, moved);
	assert_int_equal(r->since, 7);
	set_health(r, DEGRADED, "why");
	assert_int_equal(all->moved, moved + 1);
	assert_true(r->since > 7);
	assert_int_equal(r->down_since, 0);
	assert_string_equal(r->reason, "why");
	set_health(r, DOWN, "gone");
	assert_int_equal(r->down_since, now_ms);
	now_ms += 5;
	set_health(r, DOWN, "still");
	assert_int_equal(r->down_since, now_ms - 5);
	assert_string_equal(r->reason, "still");
	assert_int_equal(all->moved, moved + 2);
}

static void what_a_shard_says_of_itself(void **state)
{
	static const struct {
		struct health_res h;
		const char *note;
	} v[] = {
		{ { .status = "ready" }, "" },
		{ { .status = "" }, "" },
		{ { .status = "ready", .code = "" }, "" },
		{ { .status = "ready", .phase = "parse", .total = 0 }, "" },
		{ { .status = "building" }, "no index yet, building" },
		{ { .status = "building", .phase = "parse" }, "no index yet, building: parse" },
		{ { .status = "building", .phase = "parse", .done = 3, .total = 9 },
		    "no index yet, building: parse 3 of 9 files" },
		{ { .status = "building", .generation = 1, .phase = "write" },
		    "a newer index is building: write" },
		{ { .status = "failed", .generation = 1 }, "a newer index is failed" },
		{ { .status = "failed", .code = "DB_ERROR", .message = "no disk" }, "DB_ERROR: no disk" },
		{ { .status = "building", .code = "DB_ERROR", .done = 1, .total = 2 },
		    "DB_ERROR:  1 of 2 files" },
		{ { .status = "ready", .done = 1, .total = 2 }, "" },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		strcpy(r->note, "old");
		note(r, &v[i].h, NULL, 1);
		assert_string_equal(r->note, v[i].note);
	}
}

static void slow_answers(void **state)
{
	static const struct {
		int64_t took;
		double mean;
		int slow;
		const char *note;
	} v[] = {
		{ 501, 501, 1, "" },
		{ 501, 501, 2, "it takes 501 ms to answer a probe" },
		{ 900, 500, 3, "" },
		{ 501, 612, 4, "it takes 612 ms to answer a probe" },
		{ 500, 700, 0, "" },
		{ 501, 700, 1, "" },
	};
	const struct health_res h = { .status = "ready" };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		r->live.mean_ms = v[i].mean;
		note(r, &h, NULL, v[i].took);
		assert_int_equal(r->slow, v[i].slow);
		assert_string_equal(r->note, v[i].note);
	}
}

static void what_an_index_lacks(void **state)
{
	struct gap gaps[] = { { .cause = "missing", .number = 3 } };
	struct freshness f = stamp_of(1);
	const struct health_res h = { .status = "ready", .done = 1, .total = 2 };

	(void)state;
	f.gaps.v = gaps;
	f.gaps.n = 1;
	note(r, &h, &f, 1);
	assert_string_equal(
	    r->note, arena_printf(a, "its index lacks %s", gaps_describe(&f, GAP_FILES, a)));
}

static void health_of_a_shard(void **state)
{
	static const struct {
		int64_t silent_ms;
		enum replica_consistency consistency;
		enum circuit circuit;
		int64_t until;
		const char *note;
		enum health h;
		const char *reason;
	} v[] = {
		{ 0, REPLICA_CONSISTENT, CIRCUIT_CLOSED, 0, "", HEALTHY, "" },
		{ 0, REPLICA_UNCHECKED, CIRCUIT_CLOSED, 0, "a note", DEGRADED, "a note" },
		{ 0, REPLICA_CONFLICTING, CIRCUIT_OPEN, 0, "a note", DEGRADED, "other content" },
		{ 0, REPLICA_CONSISTENT, CIRCUIT_OPEN, 1, "a note", DEGRADED,
		    "4 requests in a row were not answered; it gets none for a moment" },
		{ 0, REPLICA_CONSISTENT, CIRCUIT_OPEN, 0, "", DEGRADED,
		    "4 requests in a row were not answered; the next one decides" },
		{ 0, REPLICA_CONSISTENT, CIRCUIT_TRIAL, 1, "", DEGRADED,
		    "4 requests in a row were not answered; the next one decides" },
		{ 1500, REPLICA_CONSISTENT, CIRCUIT_CLOSED, 0, "", HEALTHY, "" },
		{ 1700, REPLICA_CONFLICTING, CIRCUIT_OPEN, 0, "", DEGRADED,
		    "no answer for 1.7 s, usually it takes 100 ms" },
		{ 3100, REPLICA_CONFLICTING, CIRCUIT_OPEN, 0, "", DOWN, "no answer for 3.1 s" },
	};

	(void)state;
	strcpy(r->conflict_reason, "other content");
	for (size_t i = 0; i < LEN(v); i++) {
		r->live = (struct liveness){ .least_ms = 500,
			.mean_ms = 100,
			.circuit = v[i].circuit,
			.misses = 4,
			.until = now_ms + v[i].until };
		if (v[i].silent_ms)
			r->live.silent_since = now_ms - v[i].silent_ms;
		r->consistency = v[i].consistency;
		strcpy(r->note, v[i].note);
		judge(r, now_ms);
		assert_int_equal(r->health, v[i].h);
		assert_string_equal(r->reason, v[i].reason);
	}
}

static void who_needs_no_judgement(void **state)
{
	(void)state;
	assert_true(is_quiet(r));
	assert_true(is_calm(r));
	r->consistency = REPLICA_CONSISTENT;
	assert_true(is_quiet(r));
	r->consistency = REPLICA_CONFLICTING;
	assert_false(is_quiet(r));
	r->consistency = REPLICA_UNCHECKED;
	r->health = DEGRADED;
	assert_false(is_quiet(r));
	assert_true(is_calm(r));
	r->health = HEALTHY;
	strcpy(r->reason, "x");
	assert_false(is_quiet(r));
	*r->reason = 0;
	strcpy(r->note, "x");
	assert_false(is_quiet(r));
	*r->note = 0;
	r->live.silent_since = 5;
	assert_false(is_quiet(r));
	assert_false(is_calm(r));
	r->health = DOWN;
	assert_true(is_calm(r));
	r->health = HEALTHY;
	r->live.silent_since = 0;
	r->live.circuit = CIRCUIT_TRIAL;
	assert_false(is_quiet(r));
	assert_false(is_calm(r));
	r->live.circuit = CIRCUIT_CLOSED;
	r->answered = false;
	assert_true(is_calm(r));
	r->peer = (struct wire_peer *)r;
	r->failures = LOST_AFTER - 1;
	assert_false(is_calm(r));
	r->failures = LOST_AFTER;
	assert_true(is_calm(r));
}

/* ---- answers ---- */

static void an_answer(void **state)
{
	struct freshness f = stamp_of(4);
	const struct health_res h = { .status = "ready", .generation = 4, .commit = "c0ffee" };

	(void)state;
	r->failures = 1;
	r->live.silent_since = now_ms - 10;
	r->health = DEGRADED;
	r->next_probe = 77;
	assert_true(note_health(r, &h, &f, 10));
	assert_int_equal(r->failures, 0);
	assert_int_equal(r->live.silent_since, 0);
	assert_int_equal(r->live.recovered_at, 0);
	assert_int_equal(r->health, HEALTHY);
	assert_int_equal(r->next_probe, 77);
	assert_int_equal(r->reported.generation, 4);
	assert_int_equal(r->generation, 4);
	assert_int_equal(r->index, members_index_id(&f));
	/* its counts are asked for once */
	assert_true(m->state->counting);
	assert_false(note_health(r, &h, &f, 10));
	assert_false(note_health(r, &h, NULL, 10));
	assert_int_equal(r->index, 0);
	/* of another repository */
	f.repo_uri = "h/two";
	assert_false(note_health(r, &h, &f, 10));
	assert_int_equal(r->health, DOWN);
	assert_int_equal(r->failures, LOST_AFTER);
	assert_string_equal(r->reason, "another repository answers at its address");
	/* an older program does not say which one */
	f.repo_uri = "";
	now_ms += 5;
	note_health(r, &h, &f, 10);
	assert_int_equal(r->health, HEALTHY);
	assert_int_equal(r->live.recovered_at, now_ms);
	assert_int_equal(r->failures, 0);
}

static void a_first_answer(void **state)
{
	const struct health_res h = { .status = "ready" };

	(void)state;
	for (int i = 0; i < 50; i++) {
		r->answered = false;
		r->health = DOWN;
		r->next_probe = 0;
		note_health(r, &h, NULL, 10);
		assert_true(r->answered);
		assert_int_equal(r->health, HEALTHY);
		assert_int_equal(r->live.recovered_at, 0);
		assert_in_range(r->next_probe, now_ms + 501, now_ms + 2500);
	}
}

static void when_counts_are_asked_for(void **state)
{
	struct freshness f = stamp_of(4);
	const struct health_res h = { .status = "ready", .generation = 4, .vectors = "building" };
	struct replica *second = hand_replica(m, "r2");

	(void)state;
	r->reported.number = 0;
	assert_false(start_counting(r)); /* no generation */
	index_status_update(r, &h, &f);
	index_status_update(second, &h, &f);
	assert_false(start_counting(second)); /* it does not speak for the repository */
	assert_true(start_counting(r));
	assert_string_equal(m->state->counted.vectors, "building");
	assert_false(start_counting(r)); /* it is asked already */
	m->state->counting = false;
	assert_true(start_counting(r));
	m->state->counting = false;
	m->state->counted.generation = 4;
	m->state->counted.index = members_index_id(&f);
	assert_false(start_counting(r)); /* they are known */
	strcpy(m->state->counted.vectors, "none");
	assert_true(start_counting(r)); /* but not the size of the vectors */
}

static void failed(enum err_code code)
{
	struct err why = { 0 };

	err_set(&why, code, "the message");
	note_silence(r, &why);
}

static void silence(void **state)
{
	(void)state;
	r->peer = (struct wire_peer *)r;
	r->live.silent_since = now_ms - 100;
	/* a refusal is an answer */
	failed(ERR_FORBIDDEN);
	assert_int_equal(r->failures, 1);
	assert_int_equal(r->health, DOWN);
	assert_string_equal(r->reason, "FORBIDDEN: the message");
	assert_int_equal(r->live.silent_since, 0);
	/* a shard that is down stays so */
	r->live.silent_since = now_ms - 100;
	failed(ERR_UNAVAILABLE);
	assert_int_equal(r->failures, 2);
	assert_string_equal(r->reason, "FORBIDDEN: the message");
	/* one that was well is judged by how long it is silent */
	r->health = HEALTHY;
	failed(ERR_UNAVAILABLE);
	assert_int_equal(r->health, HEALTHY);
	assert_string_equal(r->reason, "");
	connected = false;
	failed(ERR_UNAVAILABLE);
	assert_int_equal(r->health, DOWN);
	assert_string_equal(r->reason, "the message");
	connected = true;
	r->health = HEALTHY;
	r->peer = NULL;
	failed(ERR_UNAVAILABLE);
	assert_int_equal(r->health, DOWN);
	r->peer = (struct wire_peer *)r;
	/* one that never answered is given up after two */
	r->answered = false;
	r->health = HEALTHY;
	r->failures = 0;
	failed(ERR_UNAVAILABLE);
	assert_int_equal(r->health, HEALTHY);
	failed(ERR_UNAVAILABLE);
	assert_int_equal(r->health, DOWN);
	assert_string_equal(r->reason, "the message");
}

/* ---- sketches ---- */

static void when_a_sketch_is_asked_for(void **state)
{
	struct member_state *s = m->state;

	(void)state;
	s->reported.generation = 3;
	r->announces = true;
	s->sketch_after = now_ms;
	assert_true(start_sketching(r));
	assert_true(s->sketching);
	assert_int_equal(s->sketch_asked, now_ms);
	assert_false(start_sketching(r));
	s->sketching = false;
	s->sketch_after = now_ms + 1;
	assert_false(start_sketching(r));
	s->sketch_after = 0;
	s->sketched = 3;
	assert_false(start_sketching(r));
	s->sketched = 2;
	r->announces = false;
	assert_false(start_sketching(r));
	r->announces = true;
	s->reported.generation = 0;
	assert_false(start_sketching(r));
	s->reported.generation = 3;
	struct replica *second = hand_replica(m, "r2");
	second->announces = true;
	assert_false(start_sketching(r));
	assert_false(start_sketching(second));
	r->next = NULL;
	assert_true(start_sketching(r));
	r->next = second;
}

/* ---- times ---- */

static void a_new_shard(void **state)
{
	static const struct {
		int64_t interval;
		double least;
	} v[] = { { 100, 200 }, { 800, 200 }, { 1200, 300 }, { 2000, 500 }, { 8000, 500 } };

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		config.probe_interval_ms = v[i].interval;
		r->live = (struct liveness){ .misses = 3, .mean_ms = 4 };
		r->next_probe = 5;
		r->reported.generation = 6;
		health_probe_reset(r);
		assert_true(r->live.least_ms == v[i].least);
		assert_true(!r->live.misses && r->live.mean_ms == 0);
		assert_int_equal(r->next_probe, 0);
		assert_int_equal(r->reported.generation, 0);
		assert_string_equal(r->reported.status, "pending");
		assert_int_equal(r->reported.behind, -1);
	}
}

static void when_the_next_probe_is(void **state)
{
	int64_t least = INT64_MAX, most = 0;

	(void)state;
	all->interval = 8000;
	for (int i = 0; i < 400; i++) {
		r->next_probe = 0;
		assert_in_range(next_probe(all, r, now_ms) - now_ms, 1, 8000);
		r->next_probe = 1;
		int64_t in = next_probe(all, r, now_ms) - now_ms;
		assert_in_range(in, 7000, 9000);
		least = MIN(least, in);
		most = MAX(most, in);
		r->answered = false;
		assert_in_range(next_probe(all, r, now_ms) - now_ms, 1750, 2250);
		r->next_probe = 0;
		assert_in_range(next_probe(all, r, now_ms) - now_ms, 1, 2000);
		r->answered = true;
	}
	assert_true(least < 7300 && most > 8700);
}

static void what_is_due(void **state)
{
	struct replica *due[REPLICAS_MAX + 1], *second = hand_replica(m, "r2");

	(void)state;
	all->all_quiet = true;
	all->counted = 0;
	r->next_probe = now_ms;
	second->next_probe = now_ms + 1;
	assert_int_equal(take_due(all, m, now_ms, 0, due), 1);
	assert_ptr_equal(due[0], r);
	assert_true(r->next_probe > now_ms);
	assert_int_equal(second->next_probe, now_ms + 1);
	assert_true(all->all_quiet);
	assert_int_equal(all->counted, 2);
	assert_int_equal(take_due(all, m, now_ms, 0, due), 0);
	/* who is silent is judged, and the time in which we did not run is no silence of others */
	second->live = (struct liveness){ .least_ms = 500, .silent_since = now_ms - 60000 };
	assert_int_equal(take_due(all, m, now_ms, 59900, due), 0);
	assert_int_equal(second->live.silent_since, now_ms - 100);
	assert_int_equal(second->health, HEALTHY);
	assert_false(all->all_quiet);
	second->live.silent_since = now_ms - 60000;
	take_due(all, m, now_ms, 0, due);
	assert_int_equal(second->health, DOWN);
	assert_string_equal(second->reason, "no answer for 60.0 s");
	second->health = HEALTHY;
	second->answered = false;
	take_due(all, m, now_ms, 0, due);
	assert_int_equal(second->health, HEALTHY);
}

static void turns(void **state)
{
	(void)state;
	r->next_probe = now_ms + 100000;
	all->wake_early = true;
	all->counted = 1;
	assert_int_equal(health_probes_tick(all, 0), 250); /* an eighth of the interval */
	assert_int_equal(all->interval, 2000);
	assert_int_equal(all->counted, 1);
	assert_int_equal(all->last_turn, now_ms);
	assert_true(all->all_quiet);
	assert_false(all->wake_early);
	all->counted = 100;
	assert_int_equal(health_probes_tick(all, 0), 250);
	assert_int_equal(all->interval, 2000);
	all->counted = 101;
	health_probes_tick(all, 0);
	assert_int_equal(all->interval, 2020);
	all->counted = 1000;
	assert_int_equal(health_probes_tick(all, 0), 1000); /* a twentieth of 20 s */
	assert_int_equal(all->interval, 20000);
	all->counted = 1000;
	r->live.silent_since = now_ms;
	assert_int_equal(health_probes_tick(all, 0), 250);
	assert_false(all->all_quiet);
}

/* More members than are taken at once. */
static void each_member_has_its_turn(void **state)
{
	enum { MANY = 11 };
	struct replica *v[MANY];

	(void)state;
	r->next_probe = now_ms + 1;
	for (int i = 0; i < MANY; i++) {
		v[i] = hand_replica(members_get_or_add(all, arena_printf(a, "h/%d", i), "x"), "r");
		v[i]->next_probe = now_ms;
	}
	health_probes_tick(all, 0);
	assert_int_equal(all->counted, MANY + 1);
	for (int i = 0; i < MANY; i++) {
		assert_true(v[i]->next_probe > now_ms);
		assert_false(v[i]->probing); /* it has no connection */
		assert_int_equal(v[i]->live.silent_since, now_ms);
		assert_int_equal(v[i]->probe_until, now_ms + 2000);
	}
	assert_int_equal(r->live.silent_since, 0);
}

static void a_probe_at_a_time(void **state)
{
	(void)state;
	assert_true(start_probe(r, 700));
	assert_true(r->probing);
	assert_int_equal(r->probe_until, now_ms + 700);
	now_ms += 10;
	assert_false(start_probe(r, 700));
	assert_int_equal(r->probe_until, now_ms + 690);
	assert_int_equal(r->live.silent_since, now_ms - 10);
	/* a short interval leaves a probe half a second */
	r->probing = false;
	config.probe_interval_ms = 100;
	health_probe_send(r);
	assert_int_equal(r->probe_until, now_ms + PROBE_MIN_MS);
	assert_false(r->probing);
}

static void what_cannot_be_asked(void **state)
{
	(void)state;
	m->state->counting = true;
	m->state->counted.generation = 7;
	ask_counts(r);
	assert_false(m->state->counting);
	assert_int_equal(m->state->counted.generation, 0);
	m->state->sketching = true;
	ask_sketch(r);
	assert_false(m->state->sketching);
	/* the peer is not touched */
	r->peer = (struct wire_peer *)r;
	r->retired = true;
	assert_false(ask(r, "health", 1, NULL, NULL));
	r->retired = false;
	all->stopping = true;
	assert_false(ask(r, "health", 1, NULL, NULL));
	assert_int_equal(r->refs, 0);
}

static void who_is_waited_for(void **state)
{
	(void)state;
	assert_false(awaits_first_answer(all));
	r->answered = false;
	assert_false(awaits_first_answer(all)); /* it could not be dialled */
	r->peer = (struct wire_peer *)r;
	assert_true(awaits_first_answer(all));
	r->failures = LOST_AFTER - 1;
	assert_true(awaits_first_answer(all));
	r->failures = LOST_AFTER;
	assert_false(awaits_first_answer(all));
	r->failures = 0;
	r->answered = true;
	assert_false(awaits_first_answer(all));
}

/* ---- saving ---- */

static const char *saved(void)
{
	struct registered_repo *v;
	size_t n;

	assert_int_equal(registry_repos(all->in.registry, &v, &n, a, &e), 0);
	assert_int_equal(n, 1);
	return arena_printf(a, "%zu %zu", v[0].stamp.n, v[0].status.n);
}

static void what_has_changed_is_saved(void **state)
{
	struct hello h = { .repo_uri = "h/one", .name = "one", .replica = "r1", .endpoint = "e" };
	const struct health_res health = { .status = "ready", .generation = 4 };
	struct freshness f = stamp_of(4);

	(void)state;
	assert_int_equal(registry_repo_put(all->in.registry, &h, false, &e), 0);
	all->saved = all->moved;
	m->state->dirty = true;
	members_save_dirty(all);
	assert_true(m->state->dirty); /* nothing has moved */
	index_status_update(r, &health, &f);
	buf_str(&m->state->counts, "counts");
	members_index_status(m);
	assert_true(m->state->dirty);
	members_save_dirty(all);
	assert_false(m->state->dirty);
	assert_int_equal(all->saved, all->moved);
	assert_string_equal(saved(), arena_printf(a, "%zu 6", r->reported.stamp.n));
	m->state->counts.n = 2;
	m->state->dirty = true;
	m->state->gone = true;
	all->moved++;
	members_save_dirty(all);
	assert_string_equal(saved(), arena_printf(a, "%zu 6", r->reported.stamp.n));
	assert_false(m->state->dirty);
	m->state->gone = false;
	/* what cannot be written is tried again */
	m->state->dirty = true;
	strcpy(m->state->reported.status, "nonsense");
	all->moved++;
	members_save_dirty(all);
	assert_true(m->state->dirty);
	assert_int_equal(all->saved, 0);
	strcpy(m->state->reported.status, "ready");
	members_save_dirty(all);
	assert_false(m->state->dirty);
	assert_string_equal(saved(), arena_printf(a, "%zu 2", r->reported.stamp.n));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, hand_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_change_of_health),
		TEST(what_a_shard_says_of_itself),
		TEST(slow_answers),
		TEST(what_an_index_lacks),
		TEST(health_of_a_shard),
		TEST(who_needs_no_judgement),
		TEST(an_answer),
		TEST(a_first_answer),
		TEST(when_counts_are_asked_for),
		TEST(silence),
		TEST(when_a_sketch_is_asked_for),
		TEST(a_new_shard),
		TEST(when_the_next_probe_is),
		TEST(what_is_due),
		TEST(turns),
		TEST(each_member_has_its_turn),
		TEST(a_probe_at_a_time),
		TEST(what_cannot_be_asked),
		TEST(who_is_waited_for),
		TEST(what_has_changed_is_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
