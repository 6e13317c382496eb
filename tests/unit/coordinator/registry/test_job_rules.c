/* When a repository is to be built: repo_index_metadata, and the rows of the reference document: enqueue conditions. */
#include "tests/job_registry.h"

#include "proto/base/buf.h"

static struct index_meta meta(void)
{
	struct index_meta m;

	assert_int_equal(index_meta_get(r, "github.com/o/x", &m, a, &e), 0);
	return m;
}

static void index_is(const char *indexed_at)
{
	struct hello h = { .repo_uri = "github.com/o/x", .name = "o/x", .replica = "r", .endpoint = "ipc:///x" };
	struct freshness f = { "github.com/o/x", "c0ffee", 1, "hash", indexed_at, 0, { 0 }, NULL };

	assert_int_equal(registry_repo_put(r, &h, false, &e), 0);
	assert_int_equal(registry_index_put(r, "github.com/o/x", (struct bytes){ 0 }, (struct bytes){ 0 }, indexed_at ? &f : NULL,
	    indexed_at ? "ready" : "pending", &e), 0);
}

enum { DAY = 86400 };
static const int64_t at = 1795305600000;	/* 2026-11-22T00:00:00Z */

static void enqueued_when_never_indexed(void **state)
{
	struct index_meta m = meta();

	(void)state;
	assert_null(m.status);		/* no row */
	assert_string_equal(index_build_reason(&m, false, at, DAY), "never indexed");
	index_is(NULL);
	m = meta();			/* a row, but nothing was ever published */
	assert_string_equal(m.status, "pending");
	assert_string_equal(index_build_reason(&m, false, at, DAY), "never indexed");
}

static void enqueued_when_older_than_24_hours(void **state)
{
	(void)state;
	index_is("2026-11-21T00:00:00.000Z");
	struct index_meta m = meta();
	assert_string_equal(m.status, "ready");
	assert_string_equal(m.head_sha, "c0ffee");
	assert_null(index_build_reason(&m, false, at, DAY));
	assert_string_equal(index_build_reason(&m, false, at + 1, DAY), "old");
	assert_null(index_build_reason(&m, false, at + 1, 2 * DAY));
	assert_null(index_build_reason(&m, false, at + 1, 0));
	assert_int_equal(index_expires_at(&m, DAY), at);
}

static void enqueued_when_forced(void **state)
{
	(void)state;
	index_is("2026-11-21T23:59:59.000Z");
	struct index_meta m = meta();
	assert_null(index_build_reason(&m, false, at, DAY));
	assert_string_equal(index_build_reason(&m, true, at, DAY), "forced");
}

static void building_while_it_runs_then_ready(void **state)
{
	(void)state;
	index_is("2026-11-21T00:00:00.000Z");
	struct job j = enqueue("build", "x");
	assert_string_equal(meta().status, "ready");
	assert_string_equal(claim(&one, NOW), j.id);
	assert_string_equal(meta().status, "building");
	index_is("2026-11-21T00:00:00.000Z");		/* what its shard says meanwhile changes nothing */
	assert_string_equal(meta().status, "building");
	assert_int_equal(finish(&one, j.id, "done", at, 0), 1);
	struct index_meta m = meta();
	assert_string_equal(m.status, "ready");
	assert_null(index_build_reason(&m, false, at + 1000, DAY));	/* it was found to be at its head: its age counts from then */
}

static void failed_when_it_was_given_up(void **state)
{
	(void)state;
	index_is("2026-11-21T00:00:00.000Z");
	struct job j = enqueue("build", "x");
	assert_string_equal(claim(&one, NOW), j.id);
	assert_int_equal(finish(&one, j.id, "queued", at, NOW), 1);
	assert_string_equal(meta().status, "ready");	/* the old one answers */
	assert_string_equal(claim(&one, NOW), j.id);
	assert_int_equal(finish(&one, j.id, "failed", at, NOW), 1);
	struct index_meta m = meta();
	assert_string_equal(m.status, "failed");
	assert_string_equal(m.indexed_at, "2026-11-21T00:00:00.000Z");
	assert_string_equal(index_build_reason(&m, false, at + 1, DAY), "old");
	index_is("2026-11-21T00:00:00.000Z");		/* its shard has the same as before */
	assert_string_equal(meta().status, "failed");
	index_is("2026-11-22T00:00:01.000Z");
	assert_string_equal(meta().status, "ready");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(enqueued_when_never_indexed, begin, end),
		cmocka_unit_test_setup_teardown(enqueued_when_older_than_24_hours, begin, end),
		cmocka_unit_test_setup_teardown(enqueued_when_forced, begin, end),
		cmocka_unit_test_setup_teardown(building_while_it_runs_then_ready, begin, end),
		cmocka_unit_test_setup_teardown(failed_when_it_was_given_up, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
