/* A registry in etcd: the lease, the leader, an etcd that was away or restored. */
#include "tests/shared_registry.h"

/* The thread of the lease asks etcd to keep it. */
static void renew(void)
{
	int renewals = store_count(&store.renewals);

	replication_wake_lease(r->sharing);
	for (int64_t until = clock_ms() + WAIT_MS;
	     clock_ms() < until && store_count(&store.renewals) == renewals; clock_sleep(3))
		;
	assert_true(store_count(&store.renewals) > renewals);
}

/* What it does then is over when it asks the next time. */
static void renew_twice(void)
{
	renew();
	renew();
}

static int64_t alive_until(void)
{
	pthread_mutex_lock(&r->sharing->lock);
	int64_t until = r->sharing->alive_until;
	pthread_mutex_unlock(&r->sharing->lock);
	return until;
}

static void an_expired_lease(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	const char *key = arena_printf(a, "/t/coordinators/%s", registry_instance_id(r));
	store_other(key, NULL);
	becomes("select count(*) from coordinators", "0");
	store_set(&store.expires_leases, true);
	renew();
	store_set(&store.expires_leases, false);
	becomes("select count(*) from coordinators", "1");
	state_becomes("ready");
	assert_int_equal(store_count(&store.grants), 2);
	assert_true(store_was_asked("\"lease\":\"702\""));
	assert_true(registry_lease_is_valid(r));
}

static void a_lease_is_renewed(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	int grants = store_count(&store.grants);
	int64_t until = alive_until();
	clock_sleep(2);
	renew_twice();
	assert_int_equal(store_count(&store.grants), grants);
	assert_true(alive_until() > until);
	assert_true(alive_until() - clock_ms() > LEASE_MS - WAIT_MS);
	assert_true(alive_until() - clock_ms() <= LEASE_MS);
	pthread_mutex_lock(&r->sharing->lock);
	r->sharing->alive_until = clock_ms() - 1;
	pthread_mutex_unlock(&r->sharing->lock);
	assert_false(registry_lease_is_valid(r));
	assert_false(registry_is_leader(r));
}

static void the_leader_goes(void **state)
{
	(void)state;
	store_other(IDENTITY, "the-name");
	store_other(LEADER, "{\"what\":\"schedule\",\"id\":\"somebody\"}");
	shared();
	renew_twice();
	assert_string_equal(store_get(LEADER, a), "{\"what\":\"schedule\",\"id\":\"somebody\"}");
	store_other(LEADER, NULL);
	becomes("select id from leaders", registry_instance_id(r));
	assert_true(registry_is_leader(r));
}

/* An etcd that is behind what was seen was restored from a backup: it is read again. */
static void a_restored_backup(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	assert_int_equal(groups_create(r, "lost", NULL, &e), 0);
	becomes("select count(*) from leaders", "1");
	for (int64_t until = clock_ms() + WAIT_MS;
	     clock_ms() < until && sync_state().revision < store_revision(); clock_sleep(3))
		;
	store_restore("/t/groups/lost", 3);
	replication_wake_lease(r->sharing);
	becomes(GROUPS, "");
	assert_int_equal(sync_state().revision, 3);
	store_other("/t/groups/lost", "{\"name\":\"lost\",\"description\":\"again\"}");
	becomes("select description from groups", "again");
	assert_int_equal(groups_delete(r, "lost", &e), 0);
	assert_null(store_get("/t/groups/lost", a));
}

static void an_etcd_that_is_away_at_first(void **state)
{
	(void)state;
	store_set(&store.fails, true);
	assert_int_equal(share(), 0);
	struct registry_sync_state s = sync_state();
	assert_string_equal(s.state, "away");
	assert_string_equal(s.message, "etcd: timed out (HTTP 503)");
	assert_null(s.leader);
	assert_int_equal(s.revision, 0);
	assert_false(registry_is_leader(r));
	assert_false(registry_lease_is_valid(r));
	/* it is not known whether this etcd has the registry */
	replication_renew_lease(r->sharing);
	assert_int_equal(store_count(&store.grants), 0);
	store_set(&store.fails, false);
	state_becomes("ready");
	becomes("select count(*) from leaders", "1");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_expired_lease),
		TEST(a_lease_is_renewed),
		TEST(the_leader_goes),
		TEST(a_restored_backup),
		TEST(an_etcd_that_is_away_at_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
