/* When the contracts of a group are rebuilt by themselves: after which changes, how long later, and how often again. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/contracts/contract_tables.h"
#include "coordinator/jobs/jobs.h"
#include "coordinator/members/members.h"
#include "coordinator/registry/groups.h"
#include "coordinator/registry/registry.h"
#include "proto/base/clock.h"

static int64_t now_ms;

static int64_t test_ms(void)
{
	return now_ms;
}

static struct member *get_member(struct members *, const struct caller *, const char *repo_uri);
static void view_of(struct members *, const struct member *, struct member_view *, struct arena *);
static uint64_t moved_of(struct members *);
static uint64_t version_of(struct registry *);
static int groups_of_test(
    struct registry *, struct group_row **, size_t *n, struct arena *, struct err *);
static int tables_of(
    struct registry *, const char *group, struct tables_info *, struct arena *, struct err *);
static int enqueue(struct jobs *, const struct job_request *, struct job *, bool *fresh,
    struct arena *, struct err *);
static const char *index_of_member(
    struct members *, const struct member *, const struct freshness *, struct arena *);

#define clock_ms test_ms
#define members_get get_member
#define members_view view_of
#define members_version moved_of
#define registry_version version_of
#define groups_all groups_of_test
#define tables_get tables_of
#define jobs_enqueue enqueue
#define group_sync_version index_of_member
#include "coordinator/contracts/auto_sync.c"
#undef clock_ms

#include <setjmp.h>
#include <stdarg.h>
/* cmocka wants the above */
#include <cmocka.h>

enum { DELAY = 1000 };

static struct coordinator co;
static struct auto_sync *sync_of;
static struct tables_info tables;
static struct synced_member synced[2];
static struct member one = { .repo_uri = "h/one" }, two = { .repo_uri = "h/two" };
static const char *index_one, *index_two; /* the versions of their indexes; NULL: none */
static enum health health_one;
static bool two_is_gone, groups_fail, tables_fail;
static uint64_t moved, version;
static int jobs, looks;

static struct member *get_member(struct members *m, const struct caller *c, const char *repo_uri)
{
	(void)m;
	assert_ptr_equal(c, &caller_local);
	if (!strcmp(repo_uri, one.repo_uri))
		return &one;
	return two_is_gone ? NULL : &two;
}

static void view_of(
    struct members *m, const struct member *x, struct member_view *v, struct arena *a)
{
	static const struct freshness stamp;

	(void)m, (void)a;
	*v = (struct member_view){ .health = x == &one ? health_one : HEALTHY };
	if (x == &one ? index_one : index_two)
		v->stamp = &stamp;
}

static const char *index_of_member(
    struct members *m, const struct member *x, const struct freshness *f, struct arena *a)
{
	(void)m, (void)f, (void)a;
	return x == &one ? index_one : index_two;
}

static uint64_t moved_of(struct members *m)
{
	(void)m;
	return moved;
}

static uint64_t version_of(struct registry *r)
{
	(void)r;
	return version;
}

static int groups_of_test(
    struct registry *r, struct group_row **v, size_t *n, struct arena *a, struct err *e)
{
	(void)r, (void)e;
	looks++;
	if (groups_fail)
		return -1;
	*v = arena_one(a, struct group_row);
	(*v)->name = "g";
	*n = 1;
	return 0;
}

static int tables_of(
    struct registry *r, const char *group, struct tables_info *t, struct arena *a, struct err *e)
{
	(void)r, (void)a, (void)e;
	assert_string_equal(group, "g");
	*t = tables;
	return tables_fail ? -1 : 0;
}

static int enqueue(struct jobs *j, const struct job_request *w, struct job *out, bool *fresh,
    struct arena *a, struct err *e)
{
	(void)j, (void)out, (void)fresh, (void)a, (void)e;
	assert_string_equal(w->kind->name, "sync");
	assert_string_equal(w->of, "g");
	assert_string_equal(w->reason, "members have changed");
	assert_string_equal(w->caller, "schedule");
	jobs++;
	return 0;
}

static int begin_test(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	now_ms = 1000000;
	co = (struct coordinator){ 0 };
	co.o.sync_delay_ms = DELAY;
	sync_of = auto_sync_new(&co);
	index_one = "1 a";
	index_two = "1 b";
	health_one = HEALTHY;
	two_is_gone = groups_fail = tables_fail = false;
	synced[0] = (struct synced_member){ "h/one", "1 a" };
	synced[1] = (struct synced_member){ "h/two", "1 b" };
	tables = (struct tables_info){
		.synced_at = "2026", .origin.rules = MATCH_RULES, .members = synced, .nmembers = 2
	};
	moved = version = 1;
	jobs = looks = 0;
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	auto_sync_free(sync_of);
	auto_sync_free(NULL);
	return 0;
}

/* How many jobs are asked for after so long. */
static int after(int64_t ms)
{
	int before = jobs;

	now_ms += ms;
	auto_sync_tick(sync_of);
	return jobs - before;
}

static void what_is_current_is_not_looked_at(void **state)
{
	(void)state;
	assert_int_equal(after(0), 0);
	assert_int_equal(looks, 1);
	after(RESCAN_MS - 1);
	assert_int_equal(looks, 1);
	after(1);
	assert_int_equal(looks, 2);
	moved++;
	after(0);
	assert_int_equal(looks, 3);
	version++;
	after(0);
	assert_int_equal(looks, 4);
	after(0);
	assert_int_equal(looks, 4);
	co.o.sync_delay_ms = 0;
	moved++;
	after(RESCAN_MS);
	assert_int_equal(looks, 4);
}

static void a_new_index_is_waited_for(void **state)
{
	(void)state;
	index_one = "2 c";
	assert_int_equal(after(0), 0);
	assert_int_equal(after(DELAY - 1), 0);
	assert_int_equal(after(1), 1);
	/* the tables have it */
	synced[0].version = "2 c";
	assert_int_equal(after(10 * DELAY), 0);
	assert_int_equal(after(RESCAN_MS), 0);
	assert_int_equal(jobs, 1);
}

static void who_changes_on_and_on_waits_no_longer_than_that(void **state)
{
	static const char *const versions[] = { "2", "3" };

	(void)state;
	for (int i = 0; i < 12; i++) {
		index_one = versions[i % 2];
		assert_int_equal(after(i ? DELAY - 1 : 0), i * (DELAY - 1) >= WAIT_MAX * DELAY);
		if (jobs)
			break;
	}
	assert_int_equal(jobs, 1);
	assert_int_equal(now_ms, 1000000 + 11 * (DELAY - 1));
}

static void a_failed_one_is_tried_less_and_less_often(void **state)
{
	(void)state;
	index_one = "2";
	after(0);
	assert_int_equal(after(DELAY), 1);
	int64_t pause = DELAY;
	for (int i = 0; i < 9; i++) {
		assert_int_equal(after(pause - 1), 0);
		assert_int_equal(after(1), 1);
		if (pause < BACKOFF_MAX * DELAY)
			pause *= 2;
	}
	assert_int_equal(pause, 64 * DELAY);
	/* another change begins anew */
	index_one = "3";
	assert_int_equal(after(0), 0);
	assert_int_equal(after(DELAY), 1);
	assert_int_equal(after(DELAY), 1);
}

static int due_after_a_change(void)
{
	moved++;
	after(0);
	return after(DELAY);
}

static void what_counts_as_a_change(void **state)
{
	(void)state;
	index_one = NULL; /* it has no index: nothing can be read */
	assert_int_equal(due_after_a_change(), 0);
	index_one = "2";
	health_one = DOWN; /* nor of one that is down */
	assert_int_equal(due_after_a_change(), 0);
	health_one = DEGRADED;
	assert_int_equal(due_after_a_change(), 1);
	synced[0].version = "2";
	two_is_gone = true;
	synced[1].version = "old";
	assert_int_equal(due_after_a_change(), 0);
	two_is_gone = false;
	synced[1].version = NULL; /* it is new in the group */
	assert_int_equal(due_after_a_change(), 1);
	synced[1].version = "1 b";
	tables.synced_at = NULL; /* never built */
	assert_int_equal(due_after_a_change(), 1);
	tables.nmembers = 0;
	assert_int_equal(due_after_a_change(), 0);
	tables.nmembers = 2;
	tables.synced_at = "2026";
	tables.origin.rules--; /* an older program built them */
	assert_int_equal(due_after_a_change(), 1);
}

static void what_cannot_be_read_is_looked_at_again(void **state)
{
	(void)state;
	tables_fail = true;
	after(0);
	after(0);
	assert_int_equal(looks, 2);
	tables_fail = false;
	groups_fail = true;
	after(0);
	after(0);
	assert_int_equal(looks, 4);
	groups_fail = false;
	after(0);
	after(0);
	assert_int_equal(looks, 5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin_test, end_test)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_current_is_not_looked_at),
		TEST(a_new_index_is_waited_for),
		TEST(who_changes_on_and_on_waits_no_longer_than_that),
		TEST(a_failed_one_is_tried_less_and_less_often),
		TEST(what_counts_as_a_change),
		TEST(what_cannot_be_read_is_looked_at_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
