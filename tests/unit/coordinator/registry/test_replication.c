/* A registry in etcd: what is loaded, what is committed, and failures of both. */
#include "tests/shared_registry.h"

/* ---- loading ---- */

static void a_registry_of_its_own(void **state)
{
	(void)state;
	r = registry_open(dir, &e);
	struct registry_sync_state s = sync_state();
	assert_string_equal(s.kind, "sqlite");
	assert_string_equal(s.state, "ready");
	assert_string_equal(s.leader, s.self);
	assert_string_equal(s.self, registry_instance_id(r));
	assert_false(registry_is_shared(r));
	assert_true(registry_is_ready(r));
	assert_true(registry_is_leader(r));
	assert_true(registry_lease_is_valid(r));
	assert_int_equal(registry_check_standalone(r, &e), 0);
	registry_set_listener(r, NULL, NULL);
	registry_set_listener(NULL, NULL, NULL);
}

static void a_new_registry(void **state)
{
	struct registry_peer *v;
	size_t n;

	(void)state;
	shared();
	const char *self = registry_instance_id(r);
	assert_int_equal(strlen(store_get(IDENTITY, a)), 32);
	assert_string_equal(text("select registry from copy_of"), store_get(IDENTITY, a));
	becomes("select id from leaders", self);
	assert_string_equal(
	    store_get(LEADER, a), arena_printf(a, "{\"what\":\"schedule\",\"id\":\"%s\"}", self));
	struct registry_sync_state s = sync_state();
	assert_string_equal(s.kind, "etcd");
	assert_string_equal(s.at, arena_printf(a, "127.0.0.1:%d", store.f.port));
	assert_string_equal(s.state, "ready");
	assert_null(s.message);
	assert_string_equal(s.self, self);
	assert_string_equal(s.leader, self);
	assert_int_equal(s.commits + s.conflicts + s.failures, 0);
	assert_true(registry_is_shared(r));
	assert_true(registry_is_ready(r));
	assert_true(registry_is_leader(r));
	assert_true(registry_lease_is_valid(r));
	becomes("select count(*) from coordinators", "1");
	assert_int_equal(registry_peers(r, &v, &n, a, &e), 0);
	assert_int_equal(n, 1);
	assert_string_equal(v[0].id, self);
	assert_string_equal(v[0].host, "here");
	assert_string_equal(v[0].http, "http://here:1");
	assert_int_equal(strlen(v[0].started_at), strlen("2026-01-01T00:00:00.000Z"));
	assert_int_equal(store_count(&store.grants), 1);
	assert_true(store_was_asked("lease/grant [] {\"TTL\":\"600\"}"));
	assert_true(store_was_asked("\"lease\":\"701\""));
	leave();
	assert_int_equal(store_count(&store.revokes), 1);
}

/* What is there already is taken, what it lacks goes; a row with an unknown parent is left out. */
static void an_old_registry(void **state)
{
	(void)state;
	store_other(IDENTITY, "the-name");
	store_other("/t/members/g/x", "{\"grp\":\"g\",\"repo_uri\":\"nowhere\"}");
	store_other("/t/groups/g", "{\"name\":\"g\",\"description\":\"d\"}");
	store_other(LEADER, "{\"what\":\"schedule\",\"id\":\"somebody\"}");
	store_other(
	    "/t/coordinators/0", "{\"id\":\"0\",\"host\":\"h\",\"http\":\"u\",\"started_at\":\"s\"}");
	store_other(
	    "/t/coordinators/00", "{\"id\":\"00\",\"host\":\"h\",\"http\":\"u\",\"started_at\":\"s\"}");
	shared();
	assert_string_equal(text("select registry from copy_of"), "the-name");
	assert_string_equal(text(GROUPS), "g");
	assert_string_equal(text("select grp from members"), "");
	assert_string_equal(sync_state().leader, "somebody");
	assert_false(registry_is_leader(r));
	becomes("select count(*) from coordinators", "3");
	struct registry_peer *v;
	size_t n;
	assert_int_equal(registry_peers(r, &v, &n, a, &e), 0);
	assert_int_equal(n, 3);
	assert_string_equal(v[0].id, "0");
	assert_string_equal(v[1].id, "00");
	leave();
	/* another time, with the copy */
	store_other("/t/groups/g", NULL);
	store_other("/t/groups/h", "{\"name\":\"h\",\"description\":null}");
	assert_int_equal(share(), 0);
	assert_string_equal(text(GROUPS), "h");
}

static void refused_with(const char *msg)
{
	assert_int_equal(share(), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, msg);
	assert_false(registry_is_shared(r));
	leave();
}

static void a_file_that_belongs_elsewhere(void **state)
{
	(void)state;
	r = registry_open(dir, &e);
	assert_int_equal(groups_create(r, "own", NULL, &e), 0);
	leave();
	refused_with("--registry: the file registry.db in --data has a registry of its own");
	store_other(IDENTITY, "first");
	refused_with("--registry: the file registry.db in --data has a registry of its own");
	r = registry_open(dir, &e);
	assert_int_equal(groups_delete(r, "own", &e), 0);
	leave();
	assert_int_equal(share(), 0);
	leave();
	store_other(IDENTITY, "second");
	refused_with("--registry: the file registry.db in --data is a copy of another registry");
	store_other(IDENTITY, NULL);
	refused_with(
	    "--registry: the file registry.db in --data is a copy of a registry that no longer exists");
	assert_null(store_get(IDENTITY, a));
	r = registry_open(dir, &e);
	assert_int_equal(registry_check_standalone(r, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg,
	    "--data: its registry.db is a copy of a registry in etcd, but --registry is not given");
	leave();
	r = registry_open(dir, &e);
	options.etcd.url = "http://127.0.0.1:1";
	assert_int_equal(registry_replicate(r, &options, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
}

/* ---- writing ---- */

static void what_is_written_is_committed(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	int64_t rev = store_revision();
	assert_int_equal(groups_create(r, "g", "d", &e), 0);
	assert_string_equal(store_get("/t/groups/g", a), "{\"name\":\"g\",\"description\":\"d\"}");
	assert_int_equal(store_revision(), rev + 1);
	assert_int_equal(sync_state().commits, 1);
	assert_int_equal(groups_delete(r, "g", &e), 0);
	assert_null(store_get("/t/groups/g", a));
	assert_int_equal(sync_state().commits, 2);
	/* what changes nothing is not sent */
	int txns = store_count(&store.txns);
	assert_int_equal(groups_delete(r, "g", &e), 0);
	assert_int_equal(store_count(&store.txns), txns);
	assert_int_equal(sync_state().commits, 2);
	assert_int_equal(sync_state().conflicts + sync_state().failures, 0);
}

/* Somebody else was faster, and it is not known here yet. */
static void a_conflict(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	store_other_silently("/t/groups/g", "{\"name\":\"g\",\"description\":\"theirs\"}");
	assert_int_equal(groups_create(r, "g", "ours", &e), REGISTRY_CONFLICT);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(
	    e.msg, "registry: another coordinator changed the same rows at the same time; try again");
	assert_string_equal(store_get("/t/groups/g", a), "{\"name\":\"g\",\"description\":\"theirs\"}");
	assert_string_equal(text(GROUPS), "");
	assert_int_equal(sync_state().conflicts, 8);
	assert_int_equal(sync_state().failures, 0);
	assert_true(registry_is_ready(r));
}

static void *tell_after_conflict(void *arg)
{
	(void)arg;
	for (int64_t until = clock_ms() + WAIT_MS; clock_ms() < until && !sync_state().conflicts;
	     clock_sleep(1))
		;
	store_other("/t/groups/g", "{\"name\":\"g\",\"description\":\"theirs\"}");
	return NULL;
}

/* The write is repeated once the other one has arrived. */
static void a_conflict_that_is_told(void **state)
{
	pthread_t t;

	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	store_other_silently("/t/groups/g", "{\"name\":\"g\",\"description\":\"theirs\"}");
	assert_int_equal(pthread_create(&t, NULL, tell_after_conflict, NULL), 0);
	assert_int_equal(groups_create(r, "g", "ours", &e), -1);
	pthread_join(t, NULL);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, "`group`: `g` already exists");
	assert_string_equal(text("select description from groups"), "theirs");
	assert_true(sync_state().conflicts >= 1 && sync_state().conflicts < 8);
}

static void etcd_fails(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	store_set(&store.fails, true);
	assert_int_equal(groups_create(r, "g", NULL, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	/* with the reason, unless the thread of the lease met it first */
	const char *said = arena_printf(a,
	    "registry: etcd at 127.0.0.1:%d does not answer; changes are not possible until it does",
	    store.f.port);
	assert_memory_equal(e.msg, said, strlen(said));
	struct registry_sync_state s = sync_state();
	assert_string_equal(s.state, "away");
	assert_string_equal(s.message, "etcd: timed out (HTTP 503)");
	assert_true(s.failures >= 1);
	assert_false(registry_is_ready(r));
	/* that is known, so the next one is not sent */
	assert_int_equal(groups_create(r, "g", NULL, &e), -1);
	assert_string_equal(e.msg,
	    arena_printf(a,
	        "registry: etcd at 127.0.0.1:%d does not answer; changes are not possible until it does",
	        store.f.port));
	assert_true(sync_state().failures >= s.failures);
	assert_string_equal(text(GROUPS), "");
	store_set(&store.fails, false);
	state_becomes("ready");
	assert_null(sync_state().message);
	assert_true(sync_state().since_ms < WAIT_MS);
	assert_int_equal(groups_create(r, "g", NULL, &e), 0);
}

static void what_etcd_refuses_is_said(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	state_becomes("ready");
	int64_t n = store_revision();
	store_set(&store.refuses_txns, true);
	assert_int_equal(groups_create(r, "g", NULL, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_string_equal(e.msg, "etcd: request is too large (HTTP 400)");
	assert_int_equal(store_revision(), n);
	store_set(&store.refuses_txns, false);
	state_becomes("ready");
}

/* A transaction with more rows than etcd takes is committed in parts. */
static void many_rows(void **state)
{
	enum { FEW = 120, MANY = 121 };
	t_strs lines = { arena_many(a, FEW + MANY, const char *), 0 }, left_out;
	uint64_t written;

	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	for (int i = 0; i < FEW; i++)
		lines.v[lines.n++] = arena_printf(
		    a, "{\"table\":\"groups\",\"row\":{\"name\":\"f%d\",\"description\":null}}", i);
	assert_int_equal(registry_import(r, NULL, &lines, &written, &left_out, a, &e), 0);
	assert_int_equal(written, FEW);
	assert_int_equal(sync_state().commits, 1);
	lines.n = 0;
	for (int i = 0; i < MANY; i++)
		lines.v[lines.n++] = arena_printf(
		    a, "{\"table\":\"groups\",\"row\":{\"name\":\"m%d\",\"description\":null}}", i);
	assert_int_equal(registry_import(r, NULL, &lines, &written, &left_out, a, &e), 0);
	assert_int_equal(written, MANY);
	assert_int_equal(sync_state().commits, 1 + 4);
	assert_string_equal(text("select count(*) from groups"), "241");
	assert_non_null(store_get("/t/groups/m0", a));
	assert_non_null(store_get("/t/groups/m120", a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_registry_of_its_own, begin, end),
		cmocka_unit_test_setup_teardown(a_new_registry, begin, end),
		cmocka_unit_test_setup_teardown(an_old_registry, begin, end),
		cmocka_unit_test_setup_teardown(a_file_that_belongs_elsewhere, begin, end),
		cmocka_unit_test_setup_teardown(what_is_written_is_committed, begin, end),
		cmocka_unit_test_setup_teardown(a_conflict, begin, end),
		cmocka_unit_test_setup_teardown(a_conflict_that_is_told, begin, end),
		cmocka_unit_test_setup_teardown(etcd_fails, begin, end),
		cmocka_unit_test_setup_teardown(what_etcd_refuses_is_said, begin, end),
		cmocka_unit_test_setup_teardown(many_rows, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
