/* A registry in etcd: what is loaded, what is committed, what others write, the lease, the leader, and failures of each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>

#include "coordinator/registry/groups.h"
#include "coordinator/registry/replication_internal.h"
#include "proto/base/arena.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "proto/db/db.h"
#include "tests/etcd_store.h"

enum { WAIT_MS = 60000, LEASE_MS = 600000 };

#define IDENTITY "/t/registry"
#define LEADER "/t/leaders/schedule"

static struct arena *a;
static struct err e;
static struct registry *r;
static struct replication_options options;
static char dir[64];

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	a = arena_new();
	e = (struct err){ 0 };
	r = NULL;
	strcpy(dir, "/tmp/atoll-replication.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	store_start();
	options = (struct replication_options){
		.etcd = { .url = arena_printf(a, "etcd://127.0.0.1:%d/t", store.f.port),
		    .ca = "",
		    .cert = "",
		    .key = "" },
		.lease_ms = LEASE_MS,
		.host = "here",
		.http = "http://here:1",
	};
	return 0;
}

static int end(void **state)
{
	(void)state;
	registry_close(r);
	store_stop();
	const char *cmd = arena_printf(a, "rm -rf %s", dir);
	int rc = system(cmd);
	arena_free(a);
	return rc;
}

static int share(void)
{
	r = registry_open(dir, &e);
	assert_non_null(r);
	return registry_replicate(r, &options, &e);
}

static void shared(void)
{
	assert_int_equal(share(), 0);
	fake_etcd_await_watch(&store.f, 1);
}

/* Ends this coordinator, as when it is started again. */
static void leave(void)
{
	registry_close(r);
	r = NULL;
	e = (struct err){ 0 };
}

static const char *text(const char *sql)
{
	struct stmt *s = db_prep_once(registry_read_begin(r), sql, &e);
	const char *out = "";

	assert_non_null(s);
	while (db_step(s, &e) == 1)
		out = arena_printf(a, "%s%s%s", out, *out ? " " : "", db_str(s, 0));
	db_finalize(s);
	registry_read_end(r, 0);
	return out;
}

static void becomes(const char *sql, const char *want)
{
	for (int64_t until = clock_ms() + WAIT_MS; clock_ms() < until; clock_sleep(3))
		if (!strcmp(text(sql), want))
			return;
	assert_string_equal(text(sql), want);
}

static struct registry_sync_state sync_state(void)
{
	struct registry_sync_state s;

	registry_sync_state(r, &s, a);
	return s;
}

static void state_becomes(const char *want)
{
	for (int64_t until = clock_ms() + WAIT_MS;
	     clock_ms() < until && strcmp(sync_state().state, want); clock_sleep(3))
		;
	assert_string_equal(sync_state().state, want);
}

#define GROUPS "select name from groups order by name"

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

/* ---- what others write ---- */

static struct {
	pthread_mutex_t lock;
	uint64_t tables;
	struct buf gone;
} news = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void on_news(void *ctx, const struct shared_changes *c)
{
	assert_ptr_equal(ctx, &news);
	pthread_mutex_lock(&news.lock);
	news.tables |= c->tables;
	for (size_t i = 0; i < c->nrepos; i++)
		buf_printf(&news.gone, "%s ", c->repos[i]);
	for (size_t i = 0; i < c->nendpoints; i++)
		buf_printf(&news.gone, "%s:%s ", c->endpoints[i].repo_uri, c->endpoints[i].replica);
	pthread_mutex_unlock(&news.lock);
}

/* Without what this coordinator wrote itself before somebody listened. */
static uint64_t told_tables(void)
{
	const uint64_t own = 1 << SHARED_leaders | 1 << SHARED_coordinators;

	pthread_mutex_lock(&news.lock);
	uint64_t tables = news.tables & ~own;
	pthread_mutex_unlock(&news.lock);
	return tables;
}

static void told(uint64_t tables)
{
	for (int64_t until = clock_ms() + WAIT_MS; clock_ms() < until; clock_sleep(3))
		if (told_tables() == tables)
			return;
	assert_int_equal(told_tables(), tables);
}

/* What was told to be gone, in order. */
static const char *told_gone(void)
{
	pthread_mutex_lock(&news.lock);
	const char *gone = arena_str(a, news.gone.p);
	pthread_mutex_unlock(&news.lock);
	return gone;
}

static void others_write(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	buf_str(&news.gone, "");
	registry_set_listener(r, on_news, &news);
	store_other("/t/repos/x",
	    "{\"repo_uri\":\"x\",\"name\":\"n\",\"visibility\":\"public\",\"added_at\":\"\"}");
	store_other("/t/endpoints/x/1", "{\"repo_uri\":\"x\",\"replica\":\"1\",\"url\":\"u\"}");
	becomes("select url from endpoints", "u");
	told(1 << SHARED_repos | 1 << SHARED_endpoints);
	assert_int_equal(sync_state().revision, store_revision());
	assert_string_equal(told_gone(), "");
	store_other("/t/endpoints/x/1", NULL);
	becomes("select count(*) from endpoints", "0");
	store_other("/t/repos/x", NULL);
	becomes("select count(*) from repos", "0");
	/* these come in order: the last one is told after all others */
	store_other("/t/groups/z", "{\"name\":\"z\",\"description\":null}");
	told(1 << SHARED_repos | 1 << SHARED_endpoints | 1 << SHARED_groups);
	assert_string_equal(told_gone(), "x:1 x ");
	registry_set_listener(r, NULL, NULL);
	assert_int_equal(store_count(&store.revokes), 1);
	news.tables = 0;
	buf_free(&news.gone);
}

/* Without the changes in between, everything is read again. */
static void a_compacted_revision(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	assert_int_equal(groups_create(r, "old", NULL, &e), 0);
	int loads = store_count(&store.loads);
	store_other_silently("/t/groups/old", NULL);
	store_other_silently("/t/groups/new", "{\"name\":\"new\",\"description\":null}");
	fake_etcd_push(&store.f, "{\"result\":{\"canceled\":true,\"compact_revision\":\"5\"}}\n");
	fake_etcd_push(&store.f, NULL);
	becomes(GROUPS, "new");
	assert_true(store_count(&store.loads) > loads);
	state_becomes("ready");
}

/* A watch that ends is started again behind what is known. */
static void a_watch_goes_on(void **state)
{
	(void)state;
	shared();
	becomes("select count(*) from leaders", "1");
	int loads = store_count(&store.loads);
	store_other("/t/groups/a", "{\"name\":\"a\",\"description\":null}");
	becomes(GROUPS, "a");
	fake_etcd_push(&store.f, NULL);
	fake_etcd_await_watch(&store.f, 2);
	assert_true(
	    store_was_asked(arena_printf(a, "\"start_revision\":\"%d\"", (int)store_revision() + 1)));
	store_other("/t/groups/b", "{\"name\":\"b\",\"description\":null}");
	becomes(GROUPS, "a b");
	assert_int_equal(store_count(&store.loads), loads);
}

/* ---- lease and leader ---- */

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
		cmocka_unit_test_setup_teardown(others_write, begin, end),
		cmocka_unit_test_setup_teardown(a_compacted_revision, begin, end),
		cmocka_unit_test_setup_teardown(a_watch_goes_on, begin, end),
		cmocka_unit_test_setup_teardown(an_expired_lease, begin, end),
		cmocka_unit_test_setup_teardown(a_lease_is_renewed, begin, end),
		cmocka_unit_test_setup_teardown(the_leader_goes, begin, end),
		cmocka_unit_test_setup_teardown(a_restored_backup, begin, end),
		cmocka_unit_test_setup_teardown(an_etcd_that_is_away_at_first, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
