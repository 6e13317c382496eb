/* The state of members is saved to the registry; if that fails, it is saved later without a request. */
#include "coordinator/registry/registry.h"
#include "proto/base/err.h"
#include "proto/db/db.h"
#include "tests/federation.h"

static void run(const char *sql)
{
	struct err e = { 0 };
	struct db *db = registry_begin(co->registry, &e);

	assert_non_null(db);
	assert_int_equal(registry_end(co->registry, db_exec(db, sql, &e), &e), 0);
}

/* The generation of the member's index that a coordinator would know if it were started now. */
static uint64_t saved_generation(const char *repo_uri)
{
	struct registered_repo *v;
	struct freshness f = { 0 };
	struct err e = { 0 };
	size_t n;

	assert_int_equal(registry_repos(co->registry, &v, &n, a, &e), 0);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(v[i].repo_uri, repo_uri) && v[i].stamp.n)
			codec_get(&rec_freshness, &f, v[i].stamp.p, v[i].stamp.n, a, NULL);
	return f.generation;
}

static bool is_saved(const char *repo_uri, uint64_t generation)
{
	for (int64_t end = clock_ms() + BUSY_MS; saved_generation(repo_uri) != generation && clock_ms() < end;)
		clock_sleep(10);
	return saved_generation(repo_uri) == generation;
}

static void a_failed_save_is_repeated(void **state)
{
	struct member_view v = { 0 };

	(void)state;
	assert_true(is_saved(fakes[3].uri, 1));
	run("create trigger full before update on repos begin select raise(abort, 'no room'); end");
	set_index(&fakes[3], 2, 0, NULL);
	for (int i = 0; i < 3000 && (v.generation != 2 || !v.counted); i++) {
		clock_sleep(10);
		members_view(co->members, members_get(co->members, &caller_local, fakes[3].uri), &v, a);
	}
	assert_int_equal(v.generation, 2);
	clock_sleep(300);	/* turns in which it fails, which the log says; nothing changes after that */
	assert_int_equal(saved_generation(fakes[3].uri), 1);
	run("drop trigger full");
	assert_true(is_saved(fakes[3].uri, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failed_save_is_repeated),
	};

	return cmocka_run_group_tests(tests, federation_open, federation_close);
}
