/*
 * When a shard ingests, and what it makes of each end.  The scheduler is real; its child is this program, which does what the file
 * `play` says: publish | unchanged | crash | error CODE MESSAGE.  The child notes how it was started in the file `started`.
 */
#include "tests/scheduled_shard.h"

/* ---- what begins ---- */

static void nothing_begins_unasked(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(index_scheduler_tick(&s, &e), INT64_MAX);
	assert_int_equal(s.child.pid, 0);
	s.st.wanted = true;
	s.not_before = clock_ms() + 100000;
	assert_int_equal(index_scheduler_tick(&s, &e), s.not_before);
	assert_int_equal(s.child.pid, 0);
	s.st.now = true; /* somebody asks: the pause is over */
	will("unchanged");
	assert_true(index_scheduler_tick(&s, &e) <= clock_ms() + 1000);
	assert_true(s.child.pid > 0);
	assert_false(s.st.now);
}

static void force_is_passed_on_once(void **state)
{
	struct err e;

	(void)state;
	s.st.force = true;
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(started(), "--ingest force=true threads=4");
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_string_equal(started(), "--ingest force=false threads=4");
}

static void the_job_is_the_last_that_wanted_it(void **state)
{
	struct err e;

	(void)state;
	strcpy(s.st.wanted_job, "j1");
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(s.st.running_job, "j1");
	assert_string_equal(s.st.wanted_job, "");
	assert_int_equal(s.st.begun, 1);
	assert_int_equal(s.st.ended, 1);
	strcpy(s.st.wanted_job, "j2");
	assert_int_equal(ingest_as("error UNAVAILABLE gone", &e), CHILD_FAILED);
	assert_string_equal(s.st.wanted_job, "j2"); /* it is tried again for the same */
	assert_int_equal(s.st.ended, 2);
}

/* ---- what it serves ---- */

static void what_is_published_is_served(void **state)
{
	struct err e;
	uint64_t before = s.st.changes;

	(void)state;
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(s.st.info.file, "index-1.db");
	assert_string_equal(s.st.phase, "parse");
	assert_int_equal(s.st.amount.done, 3);
	assert_int_equal(s.st.amount.total, 4);
	assert_false(s.st.running);
	assert_int_equal(s.st.code, ERR_NONE);
	assert_true(s.st.changes > before);
	assert_true(s.not_before == 0);
}

/* Readers may still be opening the last index, so it stays for a while, and then goes. */
static void the_last_index_goes_later(void **state)
{
	struct err e;

	(void)state;
	for (int i = 1; i <= 3; i++)
		assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(s.st.info.file, "index-3.db");
	assert_false(there("index-1.db"));
	assert_true(there("index-2.db") && there("index-3.db"));
	int64_t next = s.next_sweep;
	assert_in_range(next, clock_ms() + 10000, clock_ms() + 60000);
	assert_true(index_housekeeping(&s) <= next);
	assert_true(there("index-2.db"));
	s.next_sweep = 1;
	s.child.pid = getpid(); /* while an ingest runs, its own files stay */
	index_housekeeping(&s);
	s.child.pid = 0;
	assert_true(there("index-2.db"));
	assert_true(s.next_sweep > clock_ms());
	s.next_sweep = 1;
	index_housekeeping(&s);
	assert_false(there("index-2.db"));
	assert_true(there("index-3.db"));
	assert_int_equal(s.next_sweep, 0);
	fclose(fopen(path_of("index-2.db"), "w"));	/* nothing is swept until another one is published */
	index_housekeeping(&s);
	assert_true(there("index-2.db"));
	assert_int_equal(s.next_sweep, 0);
	unlink(path_of("index-2.db"));
}

static void a_damaged_index_is_made_anew(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_int_equal(truncate(path_of("index-1.db"), 5000), 0);
	unlink(path_of("index-1.db-wal"));
	index_scheduler_load(&s, true);
	assert_string_equal(s.st.info.file, "");
	assert_int_equal(s.st.code, ERR_DB_ERROR);
	assert_true(s.st.wanted && s.st.force);
	assert_true(there("index-1.db.corrupt"));
	assert_true(s.not_before > clock_ms()); /* not at once, as the next may be bad, too */
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(started(), "--ingest force=true threads=4");
	assert_string_equal(s.st.info.file, "index-2.db");
	assert_int_equal(s.st.code, ERR_NONE);
}

static void an_index_of_another_repository_is_not_served(void **state)
{
	(void)state;
	publish(dir, "h.example/o/other");
	index_scheduler_load(&s, false);
	assert_string_equal(s.st.info.file, "");
	assert_int_equal(s.st.code, ERR_SCHEMA_MISMATCH);
	assert_non_null(strstr(s.st.message, "h.example/o/other"));
	assert_true(s.st.wanted && s.st.force);
	assert_true(there("index-1.db")); /* there is nothing wrong with it */
}

static void without_an_index_one_is_wanted(void **state)
{
	(void)state;
	index_scheduler_load(&s, false);
	assert_int_equal(s.st.code, ERR_NONE);
	assert_true(s.st.wanted);
	assert_false(s.st.force);
	assert_true(s.not_before == 0);
}

/* What a request found to be damaged is set aside by the main thread. */
static void what_a_request_reported_is_set_aside(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	strcpy(s.broken, "index-1.db");
	index_scheduler_tick(&s, &e);
	assert_true(there("index-1.db.corrupt"));
	assert_string_equal(s.broken, "");
}

/* ---- failures ---- */

/* How long the pause after the last failure is. */
static int64_t pause_ms(void)
{
	return s.not_before - clock_ms();
}

static void failures_make_longer_pauses(void **state)
{
	struct err e;
	int64_t last = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(ingest_as("error INTERNAL the disk is full", &e), CHILD_FAILED);
		assert_true(pause_ms() > last + 100);
		last = pause_ms();
	}
	assert_in_range(last, 2000, 4000);
	for (int i = 0; i < 12; i++)
		assert_int_equal(ingest_as("error INTERNAL the disk is full", &e), CHILD_FAILED);
	assert_in_range(pause_ms(), 50000, 60000);
	assert_int_equal(s.st.code, ERR_INTERNAL);
	assert_string_equal(s.st.message, "the disk is full");
	assert_true(s.st.wanted);
	assert_false(s.st.force);
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_int_equal(s.failures, 0);
	assert_true(s.not_before == 0);
}

static void an_index_that_cannot_be_changed_is_made_anew(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(ingest_as("error DB_ERROR malformed", &e), CHILD_FAILED);
	assert_true(s.st.force);
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(started(), "--ingest force=true threads=4");
}

static void an_unreachable_remote_makes_the_lag_unknown(void **state)
{
	struct err e;

	(void)state;
	s.src.url = "https://h.example/o/r";
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_int_equal(ingest_as("error UNAVAILABLE no route", &e), CHILD_FAILED);
	assert_true(s.remote_unreachable);
	assert_true(s.st.wanted);
	/* a mirror that is refused is not tried again and again */
	assert_int_equal(ingest_as("error INVALID_INPUT too large", &e), CHILD_FAILED);
	assert_false(s.st.wanted);
	assert_int_equal(ingest_as("unchanged", &e), CHILD_UNCHANGED);
	assert_false(s.remote_unreachable);
}

/* A mirror is fetched by one child, which has the network, and parsed by another, which does not. */
static void a_mirror_is_fetched_first(void **state)
{
	struct err e;
	char line[200];
	int fetches = 0, ingests = 0;

	(void)state;
	s.src.url = "https://h.example/o/r";
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	FILE *f = fopen(path_of("started"), "r");
	while (fgets(line, sizeof line, f)) {
		fetches += !strncmp(line, "--fetch", 7);
		ingests += !strncmp(line, "--ingest", 8);
	}
	fclose(f);
	assert_int_equal(fetches, 1);
	assert_int_equal(ingests, 1);
}

/* ---- crashes ---- */

static void a_crash_blames_the_file_in_progress(void **state)
{
	struct err e;

	(void)state;
	int notes = quarantine_open_notes(dir);
	for (int i = 1; i <= QUARANTINE_STRIKES; i++) {
		quarantine_note(notes, 0, "b10b", "bad.c");
		assert_int_equal(ingest_as("crash", &e), CHILD_RUNS); /* it will be tried again */
		assert_int_equal(s.crashes, i);
		assert_int_equal(s.unblamed_crashes, 0);
		assert_true(s.st.wanted);
	}
	close(notes);
	struct quarantine q = quarantine_read(dir, a);
	assert_true(quarantine_has(&q, "b10b"));
	assert_int_equal(ingest_as("publish", &e), CHILD_PUBLISHED);
	assert_string_equal(
	    started(), "--ingest force=false threads=1"); /* so that one file is to blame */
	assert_int_equal(s.crashes, 0);
	struct crash_backoff b;
	crash_backoff_read(dir, &b);
	assert_int_equal(b.times, 0);
}

static void crashes_without_a_culprit_are_given_up(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(ingest_as("crash", &e), CHILD_RUNS);
	assert_int_equal(ingest_as("crash", &e), CHILD_RUNS);
	assert_int_equal(s.st.ended, 0);
	assert_int_equal(ingest_as("crash", &e), CHILD_CRASHED);
	assert_int_equal(s.st.ended, s.st.begun);
	assert_int_equal(s.st.code, ERR_INTERNAL);
	assert_non_null(strstr(s.st.message, "crash 3 at commit"));
	assert_non_null(strstr(s.st.message, "killed by signal 9"));
	assert_true(s.not_before > clock_ms());
	assert_true(s.st.wanted);
}

static void pauses_survive_a_restart(void **state)
{
	struct err e;

	(void)state;
	for (int i = 0; i < 3; i++)
		ingest_as("crash", &e);
	struct crash_backoff b;
	crash_backoff_read(dir, &b);
	assert_int_equal(b.times, 3);
	assert_false(b.running);
	s.crashes = s.unblamed_crashes = 0;
	s.st.code = ERR_NONE;
	s.not_before = 0;
	index_scheduler_resume(&s);
	assert_int_equal(s.crashes, 3);
	assert_int_equal(s.st.code, ERR_INTERNAL);
	assert_true(s.not_before > clock_ms());
}

/* The record says that an ingest was under way when the process ended. */
static void an_end_during_an_ingest_is_a_crash(void **state)
{
	struct crash_backoff b;

	(void)state;
	crash_backoff_begin(dir);
	index_scheduler_resume(&s);
	crash_backoff_read(dir, &b);
	assert_int_equal(b.times, 1);
	assert_non_null(strstr(b.cause, "the shard ended during an ingest"));
	crash_backoff_end(dir, true);
	index_scheduler_resume(&s);
	crash_backoff_read(dir, &b);
	assert_int_equal(b.times, 0);
}

static void a_cancelled_ingest_ends_without_blame(void **state)
{
	struct err e = { 0 };
	struct crash_backoff b;

	(void)state;
	will("unchanged");
	s.st.wanted = true;
	index_scheduler_tick(&s, &e);
	assert_true(s.child.pid > 0);
	index_scheduler_stop(&s);
	assert_true(s.child.pid > 0); /* nobody wants it to end */
	s.st.stop = true;
	index_scheduler_stop(&s);
	assert_int_equal(s.child.pid, 0);
	assert_false(s.st.running || s.st.stop);
	assert_int_equal(s.st.ended, s.st.begun);
	crash_backoff_read(dir, &b);
	assert_false(b.running);
	assert_int_equal(b.times, 0);
}

/* ---- the repository ---- */

static void run(const char *command)
{
	assert_int_equal(
	    system(arena_printf(a, "cd %s && %s >/dev/null 2>&1", path_of("repo"), command)), 0);
}

static void a_new_head_is_wanted_once(void **state)
{
	(void)state;
	index_scheduler_check_head(&s);
	assert_true(s.st.away);
	assert_false(s.st.wanted);
	mkdir(path_of("repo"), 0700);
	run("git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m one");
	s.src.place = path_of("repo");
	s.crashes = s.failures = 2;
	s.not_before = INT64_MAX;
	index_scheduler_check_head(&s);
	assert_false(s.st.away);
	assert_true(s.st.wanted);
	assert_int_equal(s.crashes + s.failures, 0); /* another commit is another chance */
	assert_true(s.not_before == 0);
	s.st.wanted = false;
	index_scheduler_check_head(&s);
	assert_false(s.st.wanted);
	run("git -c user.name=n -c user.email=e commit -q --allow-empty -m two");
	index_scheduler_check_head(&s);
	assert_true(s.st.wanted);
}

static void how_far_behind_the_index_is(void **state)
{
	(void)state;
	mkdir(path_of("repo"), 0700);
	run("git init -q . && for i in 1 2 3 4; do git -c user.name=n -c user.email=e commit -q --allow-empty -m $i; done");
	s.src.place = path_of("repo");
	strcpy(s.st.info.file, "index-1.db");
	FILE *f = popen(arena_printf(a, "git -C %s rev-parse HEAD~3", s.src.place), "r");
	assert_int_equal(fread(s.st.info.commit, 1, 40, f), 40);
	pclose(f);
	index_scheduler_check_head(&s);
	assert_int_equal(s.st.behind, 3);
	s.remote_unreachable = true;
	index_scheduler_check_head(&s);
	assert_int_equal(s.st.behind, -1);
}

int main(int argc, char **argv)
{
	int played = play_child(argc, argv);

	if (played >= 0)
		return played;
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(nothing_begins_unasked),
		CASE(force_is_passed_on_once),
		CASE(the_job_is_the_last_that_wanted_it),
		CASE(what_is_published_is_served),
		CASE(the_last_index_goes_later),
		CASE(a_damaged_index_is_made_anew),
		CASE(an_index_of_another_repository_is_not_served),
		CASE(without_an_index_one_is_wanted),
		CASE(what_a_request_reported_is_set_aside),
		CASE(failures_make_longer_pauses),
		CASE(an_index_that_cannot_be_changed_is_made_anew),
		CASE(an_unreachable_remote_makes_the_lag_unknown),
		CASE(a_mirror_is_fetched_first),
		CASE(a_crash_blames_the_file_in_progress),
		CASE(crashes_without_a_culprit_are_given_up),
		CASE(pauses_survive_a_restart),
		CASE(an_end_during_an_ingest_is_a_crash),
		CASE(a_cancelled_ingest_ends_without_blame),
		CASE(a_new_head_is_wanted_once),
		CASE(how_far_behind_the_index_is),
	};

	return cmocka_run_group_tests_name("index_scheduler", tests, NULL, NULL);
}
