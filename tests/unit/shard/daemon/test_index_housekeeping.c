/* What a shard does from time to time: it polls its remote, and repairs a mirror of which something cannot be read. */
#include "tests/scheduled_shard.h"

static void polls_of_the_remote(void **state)
{
	(void)state;
	o.remote_poll_ms = 60000;
	index_housekeeping(&s);
	assert_int_equal(s.next_remote, 0); /* a path has none */
	s.src.url = "https://h.example/o/r";
	int64_t next = index_housekeeping(&s);
	assert_true(next <= s.next_remote);
	assert_in_range(s.next_remote, clock_ms() + 29000, clock_ms() + 60000);
	assert_false(s.st.wanted);
	s.next_remote = clock_ms();
	index_housekeeping(&s);
	assert_true(s.st.wanted);
	assert_in_range(s.next_remote, clock_ms() + 59000, clock_ms() + 60000);
}

/* The served index lacks something that another fetch may bring. */
static void lacks(const char *gaps)
{
	pthread_mutex_lock(&s.lock);
	snprintf(s.st.info.gaps, sizeof s.st.info.gaps, "%s", gaps);
	pthread_mutex_unlock(&s.lock);
}

static void a_mirror_with_gaps_is_repaired(void **state)
{
	struct err e;

	(void)state;
	s.src.url = "https://h.example/o/r";
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_int_equal(s.next_repair, 0);
	lacks("corrupt 1 a\n");
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_in_range(s.next_repair, 1, clock_ms());
	assert_false(s.st.wanted);
	index_housekeeping(&s);
	assert_true(s.st.wanted);
	assert_int_equal(s.next_repair, 0);
	assert_in_range(s.repairs_from, clock_ms() + 4000, clock_ms() + 5000);
	/* the next one is not at once, even if the attempt could not be recorded */
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_int_equal(s.next_repair, s.repairs_from);
	index_housekeeping(&s);
	assert_false(s.st.wanted);
	lacks("");
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_int_equal(s.next_repair, 0);
}

static void a_path_is_not_repaired(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	lacks("corrupt 1 a\n");
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_int_equal(s.next_repair, 0);
	lacks("too-large 1 a\n"); /* nor what no fetch would change */
	s.src.url = "https://h.example/o/r";
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_int_equal(s.next_repair, 0);
}

int main(int argc, char **argv)
{
	int played = play_child(argc, argv);

	if (played >= 0)
		return played;
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(polls_of_the_remote),
		CASE(a_mirror_with_gaps_is_repaired),
		CASE(a_path_is_not_repaired),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
