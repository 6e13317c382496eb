/* A registry in etcd: what others write. */
#include "tests/shared_registry.h"

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

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(others_write),
		TEST(a_compacted_revision),
		TEST(a_watch_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
