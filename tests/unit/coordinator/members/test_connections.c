/* Shards that join, move, are lost, rest and are removed. */
#include "tests/members_clock.h"

static int probed;
static void note_probe(struct replica *r);

#define health_probe_send note_probe
#include "coordinator/members/members.c"
#include "coordinator/members/connections.c"
#define check check_announcement
#include "coordinator/members/announcements.c"
#undef check
#include "coordinator/members/host_removal.c"
#undef health_probe_send

#include "proto/base/buf.h"
#include "tests/members_by_hand.h"

static void note_probe(struct replica *r)
{
	probed += r != NULL;
}

static struct replica *one;

static int begin(void **state)
{
	int rc = hand_begin(state);

	one = members_add_replica(all, m, "one", "ipc:///one");
	one->answered = true;
	one->health = HEALTHY;
	probed = 0;
	all->in.host = "own";
	all->began = now_ms - 100000;
	now_ms += 100000;
	return rc;
}

static void free_retired(void)
{
	while (all->retired) {
		struct replica *r = all->retired;
		all->retired = r->next;
		members_replica_free(r);
	}
}

/* Those made by members_add_replica are freed here, as hand_end frees only their strings. */
static int end(void **state)
{
	free_retired();
	for (size_t i = 0; i < map_len(all->by_uri); i++) {
		struct member_state *s = ((struct member *)map_val(all->by_uri, i))->state;
		free_replicas(s->replicas);
		s->replicas = NULL;
	}
	return hand_end(state);
}

static const char *names(void)
{
	const char *s = "";

	for (const struct replica *r = m->state->replicas; r; r = r->next)
		s = arena_printf(a, "%s%s%s", s, *s ? " " : "", r->name);
	return s;
}

static int retired(void)
{
	int n = 0;

	for (const struct replica *r = all->retired; r; r = r->next)
		n++;
	return n;
}

/* ---- connections ---- */

static void a_new_shard(void **state)
{
	uint64_t moved = all->moved;

	(void)state;
	all->wake_early = false;
	struct replica *r = members_add_replica(all, m, "two", "ipc:///two");
	assert_string_equal(names(), "one two");
	assert_int_equal(all->moved, moved + 1);
	assert_int_equal(all->counted, 2);
	assert_true(all->wake_early);
	assert_int_equal(r->bit, 2);
	assert_int_equal(r->health, DOWN);
	assert_int_equal(r->down_since, now_ms);
	assert_int_equal(r->dialled, now_ms);
	assert_string_equal(r->reason, "its shard has not been reached yet");
	assert_int_equal(r->behind, -1);
	assert_non_null(r->peer);
	cannot_dial = true;
	r = members_add_replica(all, m, "three", "nonsense");
	assert_null(r->peer);
	assert_string_equal(r->reason, "no such address");
	assert_int_equal(r->bit, 4);
	members_retire(all, &m->state->replicas->next);
	assert_string_equal(names(), "one three");
	assert_int_equal(
	    members_add_replica(all, m, "four", "x")->bit, 2); /* the lowest that is free */
}

static void who_is_dialled_again(void **state)
{
	static const struct {
		bool answered, peer, connected;
		enum health h;
		int failures;
		bool probing;
		int64_t probe_for, dialled_for;
		bool stuck;
	} v[] = {
		{ true, true, true, HEALTHY, 0, false, 0, 100000, false },
		{ true, true, false, HEALTHY, 0, false, 0, 501, true },
		{ true, true, false, HEALTHY, 0, false, 0, 500, false },
		{ true, false, false, HEALTHY, 0, false, 0, 100000, false },
		{ true, false, false, DOWN, 0, false, 0, 0, true },
		{ false, true, false, HEALTHY, 0, false, 0, 100000, false },
		{ false, true, false, DOWN, 0, false, 0, 100000, false },
		{ false, true, false, DOWN, 1, false, 0, 2001, true },
		{ false, true, false, DOWN, 1, false, 0, 2000, false },
		{ false, true, false, DOWN, 0, true, 2001, 2001, true },
		{ false, true, false, DOWN, 0, true, 2000, 2001, false },
		{ true, true, true, DOWN, 1, false, 0, 2001, true },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		one->answered = v[i].answered;
		one->peer = v[i].peer ? (struct wire_peer *)one : NULL;
		connected = v[i].connected;
		one->health = v[i].h;
		one->failures = v[i].failures;
		one->probing = v[i].probing;
		one->probe_until = now_ms - v[i].probe_for;
		one->dialled = now_ms - v[i].dialled_for;
		if (is_stuck(one) != v[i].stuck)
			fail_msg("row %zu", i);
	}
	/* with many shards a handshake takes longer */
	all->interval = 5000;
	one->dialled = now_ms - 5000;
	assert_false(is_stuck(one));
	one->dialled--;
	assert_true(is_stuck(one));
}

static struct hello hello(const char *replica, const char *endpoint)
{
	return (struct hello){ .protocol = WIRE_VERSION,
		.version = "0",
		.repo_uri = "h/one",
		.name = "one",
		.replica = replica,
		.endpoint = endpoint };
}

static struct replica *upsert(const char *replica, const char *endpoint, bool *fresh)
{
	struct hello h = hello(replica, endpoint);

	*fresh = false;
	return members_upsert_replica(all, m, &h, fresh);
}

static void who_announces_itself(void **state)
{
	bool fresh;

	(void)state;
	assert_ptr_equal(upsert("one", "ipc:///one", &fresh), one);
	assert_false(fresh);
	assert_int_equal(retired(), 0);
	assert_string_equal(upsert("two", "ipc:///two", &fresh)->url, "ipc:///two");
	assert_true(fresh);
	assert_string_equal(names(), "one two");
	/* a new address: what is known stays */
	one->since = 5;
	one->times.failed = 6;
	one->features = 7;
	one->features_known = true;
	one->reported.generation = 8;
	one->consistency = REPLICA_CONFLICTING;
	strcpy(one->conflict_reason, "why");
	strcpy(one->compared, "c1");
	strcpy(one->compared_to, "c2");
	struct replica *moved = upsert("one", "ipc:///elsewhere", &fresh);
	assert_true(fresh);
	assert_string_equal(names(), "two one");
	assert_int_equal(moved->since, 5);
	assert_int_equal(moved->times.failed, 6);
	assert_int_equal(moved->features, 7);
	assert_true(moved->features_known);
	assert_int_equal(moved->reported.generation, 8);
	assert_int_equal(moved->consistency, REPLICA_CONFLICTING);
	assert_string_equal(moved->conflict_reason, "why");
	assert_string_equal(moved->compared, "c1");
	assert_string_equal(moved->compared_to, "c2");
	assert_false(moved->answered);
	assert_int_equal(moved->failures, 0);
	assert_true(one->retired);
	assert_int_equal(retired(), 1);
}

static void who_is_back(void **state)
{
	bool fresh;

	(void)state;
	members_set_string(&one->host, "b");
	strcpy(one->reason, "why");
	one->failures = 3;
	one->dialled = now_ms - 1000;
	connected = false;
	struct replica *r = upsert("one", "ipc:///one", &fresh); /* its connection was lost */
	assert_false(fresh);
	assert_ptr_not_equal(r, one);
	assert_string_equal(r->host, "b");
	assert_int_equal(r->failures, 0);
	assert_string_equal(r->reason, "why");
	/* it was silent */
	connected = true;
	r->answered = true;
	r->health = DOWN;
	r->failures = 3;
	r->dialled = now_ms - 5000;
	assert_int_equal(upsert("one", "ipc:///one", &fresh)->failures, 4);
	assert_int_equal(retired(), 2);
}

static void too_many_shards(void **state)
{
	bool fresh;

	(void)state;
	for (int i = 1; i < REPLICAS_MAX; i++)
		upsert(arena_printf(a, "r%d", i), "x", &fresh);
	assert_int_equal(retired(), 0);
	upsert("last", "x", &fresh);
	assert_int_equal(retired(), 1);
	assert_string_equal(m->state->replicas->name, "r1");
	assert_true(one->retired);
}

static void retired_shards_are_freed(void **state)
{
	(void)state;
	members_add_replica(all, m, "two", "x");
	m->state->replicas->next->refs = 1;
	members_retire(all, &m->state->replicas->next);
	members_retire(all, &m->state->replicas);
	closed = 0;
	connections_tick(all);
	assert_int_equal(closed, 1);
	assert_int_equal(retired(), 1);
	assert_string_equal(all->retired->name, "two");
	all->retired->refs = 0;
	connections_tick(all);
	assert_int_equal(retired(), 0);
}

static void who_is_down_for_long_rests(void **state)
{
	(void)state;
	one->health = DOWN;
	one->down_since = one->dialled = now_ms - 60001;
	assert_true(is_down_for_long(one, now_ms));
	one->down_since++;
	assert_false(is_down_for_long(one, now_ms));
	one->down_since--;
	one->dialled = now_ms - 3001;
	assert_true(is_down_for_long(one, now_ms));
	one->dialled++;
	assert_false(is_down_for_long(one, now_ms));
	one->dialled--;
	one->named = true;
	assert_false(is_down_for_long(one, now_ms));
	one->named = false;
	one->refs = 1;
	assert_false(is_down_for_long(one, now_ms));
	one->refs = 0;
	one->health = DEGRADED;
	assert_false(is_down_for_long(one, now_ms));
	one->health = DOWN;
	closed = 0;
	connections_tick(all);
	assert_int_equal(closed, 1);
	assert_null(one->peer);
	/* without a shared registry it announces itself here when it is back */
	one->dialled = now_ms - 15000;
	connections_tick(all);
	assert_ptr_equal(m->state->replicas, one);
	config.registry = "etcd://x";
	one->dialled++;
	connections_tick(all);
	assert_ptr_equal(m->state->replicas, one);
	one->dialled--;
	one->announces = true;
	connections_tick(all);
	assert_ptr_equal(m->state->replicas, one);
	one->announces = false;
	connections_tick(all);
	assert_ptr_not_equal(m->state->replicas, one);
	assert_int_equal(m->state->replicas->down_since, now_ms - 60001);
	assert_non_null(m->state->replicas->peer);
}

/* ---- announcements ---- */

static void intervals(void **state)
{
	(void)state;
	assert_int_equal(announce_interval(100), 5000);
	assert_int_equal(announce_interval(5000), 5000);
	assert_int_equal(announce_interval(5001), 5019);
	assert_int_equal(announce_interval(20000), 290000);
}

static void what_an_announcement_needs(void **state)
{
	struct hello good = hello("r", "e");

	(void)state;
	assert_int_equal(check_announcement(&good, &e), 0);
	const char **fields[] = { &good.repo_uri, &good.name, &good.replica, &good.endpoint };
	for (size_t i = 0; i < LEN(fields); i++) {
		const char *was = *fields[i];
		for (int k = 0; k < 2; k++) {
			*fields[i] = k ? "" : NULL;
			assert_int_equal(check_announcement(&good, &e), -1);
			assert_int_equal(e.code, ERR_INVALID_INPUT);
			assert_string_equal(
			    e.msg, "the announcement lacks repo_uri, name, replica or endpoint");
		}
		*fields[i] = was;
	}
	good.lowest = WIRE_VERSION + 1;
	good.protocol = WIRE_VERSION + 1;
	assert_int_equal(check_announcement(&good, &e), -1);
}

static int joins(struct hello h, bool named)
{
	e = (struct err){ 0 };
	probed = 0;
	return join(all, &h, named, a, &e);
}

static size_t endpoints(void)
{
	struct registered_repo *v;
	size_t n;

	assert_int_equal(registry_repos(all->in.registry, &v, &n, a, &e), 0);
	return n ? v[0].nendpoints : 0;
}

static void joining(void **state)
{
	struct hello h = hello("two", "ipc:///two");

	(void)state;
	h.source = "/src";
	h.default_branch = "main";
	h.host = "b";
	h.generation = 3;
	assert_int_equal(joins(h, false), 0);
	struct replica *two = one->next;
	assert_string_equal(two->name, "two");
	assert_string_equal(two->host, "b");
	assert_true(two->announces && !two->named && two->features_known);
	assert_int_equal(probed, 1);
	assert_int_equal(endpoints(), 1);
	/* it adds what is unknown, and changes nothing, as it does not speak */
	assert_string_equal(m->state->source, "/src");
	assert_string_equal(m->state->default_branch, "main");
	h.source = "/other";
	h.default_branch = "dev";
	joins(h, false);
	assert_string_equal(m->state->source, "/src");
	assert_string_equal(m->state->default_branch, "main");
	/* the one that speaks does */
	h = hello("one", "ipc:///one");
	h.source = "/other";
	h.default_branch = "dev";
	assert_int_equal(joins(h, false), 0);
	assert_string_equal(m->state->source, "/other");
	assert_string_equal(m->state->default_branch, "dev");
	assert_int_equal(endpoints(), 2);
	assert_int_equal(probed, 0); /* it is healthy */
	h.generation = 5;
	joins(h, false);
	assert_int_equal(probed, 1); /* it has a new index */
	one->reported.generation = 5;
	joins(h, false);
	assert_int_equal(probed, 0);
	one->probing = true;
	one->health = DEGRADED;
	joins(h, false);
	assert_true(one->again);
	/* one named by --shard */
	assert_int_equal(joins(hello("named", "ipc:///n"), true), 0);
	assert_true(two->next->named && !two->next->announces);
}

static void who_was_removed_does_not_join(void **state)
{
	(void)state;
	assert_int_equal(registry_repo_remove(all->in.registry, "h/one", &e), 0);
	assert_int_equal(joins(hello("two", "ipc:///two"), false), -1);
	assert_int_equal(e.code, ERR_FORBIDDEN);
	assert_string_equal(names(), "one");
	/* an address that is known was not removed, unless that is not in the registry yet */
	assert_int_equal(joins(hello("one", "ipc:///one"), false), 0);
	m->state->unsaved = true;
	assert_int_equal(joins(hello("one", "ipc:///one"), false), -1);
	m->state->unsaved = false;
	assert_int_equal(joins(hello("one", "ipc:///moved"), false), -1);
	m->state->gone = true;
	assert_int_equal(joins(hello("one", "ipc:///one"), false), -1);
	/* one that the operator has named comes back */
	assert_int_equal(joins(hello("two", "ipc:///two"), true), 0);
	assert_false(m->state->gone);
}

static void a_shard_that_is_expelled(void **state)
{
	(void)state;
	members_add_replica(all, m, "two", "x");
	expel_replica(all, m, "two");
	assert_string_equal(names(), "one");
	assert_false(m->state->gone);
	expel_replica(all, m, "one");
	assert_true(m->state->gone);
	assert_string_equal(names(), "");
}

static const char *peers_for(const char *name)
{
	struct peers_res res;
	const char *s = "";

	list_peers(m, name, &res, a);
	for (size_t i = 0; i < res.peers.n; i++)
		s = arena_printf(
		    a, "%s%s%s:%s", s, *s ? " " : "", res.peers.v[i].replica, res.peers.v[i].endpoint);
	return s;
}

static void who_an_index_can_be_copied_from(void **state)
{
	struct replica *two = members_add_replica(all, m, "two", "u2"),
	               *three = members_add_replica(all, m, "three", "u3");

	(void)state;
	assert_string_equal(peers_for(NULL), "");
	one->index = two->index = three->index = 1;
	two->health = three->health = DEGRADED;
	one->behind = 5;
	two->behind = 0;
	three->behind = 5;
	assert_string_equal(peers_for(NULL), "two:u2 one:ipc:///one three:u3");
	assert_string_equal(peers_for("two"), "one:ipc:///one three:u3");
	three->behind = 1;
	one->health = DOWN;
	assert_string_equal(peers_for(""), "two:u2 three:u3");
}

static void how_long_the_thread_waits(void **state)
{
	struct pending_announcement j = { .next = NULL };

	(void)state;
	assert_null(wait_inbox(all, now_ms));
	all->wake_early = true;
	assert_null(wait_inbox(all, now_ms + 100000));
	assert_true(take_wake_early(all));
	assert_false(take_wake_early(all));
	put_inbox(all, &j);
	assert_ptr_equal(wait_inbox(all, now_ms + 100000), &j);
	assert_null(all->inbox);
	assert_ptr_equal(all->inbox_end, &all->inbox);
	all->stopping = true;
	assert_null(wait_inbox(all, now_ms + 100000));
	struct arena *own = arena_new();
	struct pending_announcement *late = arena_one(own, struct pending_announcement);
	late->a = own;
	put_inbox(all, late); /* freed */
	assert_null(all->inbox);
}

/* ---- hosts ---- */

static void whose_shard_it_is(void **state)
{
	static const struct {
		const char *host, *name, *asked;
		bool on;
	} v[] = {
		{ "b", "x", "b", true },
		{ "b", "c-123456", "c", false },
		{ NULL, "b", "b", true },
		{ NULL, "b-123456", "b", true },
		{ NULL, "b-12345", "b", false },
		{ NULL, "b-1234567", "b", false },
		{ NULL, "bc", "b", false },
		{ NULL, "a-123456", "b", false },
		{ NULL, "b_123456", "b", false },
	};

	(void)state;
	for (size_t i = 0; i < LEN(v); i++) {
		members_set_string(&one->host, v[i].host);
		members_set_string(&one->name, v[i].name);
		assert_int_equal(is_on(one, v[i].asked), v[i].on);
	}
}

static int removes(const char *host, t_strs *stay)
{
	e = (struct err){ 0 };
	return members_remove_host(all, m, NULL, host, stay, a, &e);
}

static void a_host_is_removed(void **state)
{
	t_strs stay;

	(void)state;
	members_set_string(&one->host, "b");
	assert_int_equal(removes("c", &stay), -1);
	assert_int_equal(e.code, ERR_NOT_FOUND);
	assert_string_equal(e.msg, "`host`: c runs no shard of one");
	assert_string_equal(e.hint, "These hosts do: b.");
	assert_int_equal(removes("b", &stay), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, "`host`: only b runs one");
	assert_string_equal(
	    e.hint, "To remove the whole repository, run `atoll repo remove one` without --host.");
	members_set_string(&members_add_replica(all, m, "two", "x")->host, "c");
	members_set_string(&members_add_replica(all, m, "three", "x")->host, "c");
	members_add_replica(all, m, "d", "x");
	uint64_t dropped = all->dropped;
	assert_int_equal(removes("b", &stay), 0);
	assert_string_equal(strs_join(&stay, a), "c, d");
	assert_string_equal(names(), "two three d");
	assert_int_equal(all->dropped, dropped + 1);
	assert_int_equal(removes("c", &stay), 0);
	assert_string_equal(names(), "d");
	/* a source that no shard has announced */
	assert_int_equal(
	    sources_put(all->in.registry, &(struct source_row){ .source = "/s", .host = NULL }, &e), 0);
	assert_int_equal(
	    sources_put(all->in.registry, &(struct source_row){ .source = "/s", .host = "b" }, &e), 0);
	assert_int_equal(members_remove_host(all, NULL, "/s", "x", &stay, a, &e), -1);
	assert_string_equal(e.hint, "These hosts do: own, b.");
	assert_int_equal(members_remove_host(all, NULL, "/s", "own", &stay, a, &e), 0);
	assert_string_equal(strs_join(&stay, a), "b");
	assert_int_equal(members_remove_host(all, NULL, "/none", "own", &stay, a, &e), -1);
	assert_string_equal(e.hint, "No host runs one.");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_shard),
		TEST(who_is_dialled_again),
		TEST(who_announces_itself),
		TEST(who_is_back),
		TEST(too_many_shards),
		TEST(retired_shards_are_freed),
		TEST(who_is_down_for_long_rests),
		TEST(intervals),
		TEST(what_an_announcement_needs),
		TEST(joining),
		TEST(who_was_removed_does_not_join),
		TEST(a_shard_that_is_expelled),
		TEST(who_an_index_can_be_copied_from),
		TEST(how_long_the_thread_waits),
		TEST(whose_shard_it_is),
		TEST(a_host_is_removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
