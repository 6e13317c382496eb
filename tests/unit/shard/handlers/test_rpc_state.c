/* What a shard says of itself, and what requests ask of it: hello, health, status, sync, cancel, knows; a shard without processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/base/options.h"
#include "shard/daemon/shard_internal.h"
#include "shard/handlers/rpc_handlers.h"
#include "shard/ingest/ingest_internal.h"
#include "shard/git/repo.h"

static char dir[64];
static struct arena *a;
static struct options o;
static struct shard s;
static struct index_reader reader;
static struct err e;

static int begin(void **state)
{
	(void)state;
	log_init("test", LOG_ERROR + 1);
	strcpy(dir, "/tmp/atoll-state.XXXXXX");
	assert_non_null(mkdtemp(dir));
	a = arena_new();
	o = (struct options){ .sandbox = "auto", .advertise = "", .scip = "" };
	s = (struct shard){ .o = &o,
		.a = a,
		.process = 77,
		.started = clock_ms() - 5000,
		.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	s.src = (struct repo_source){
		.repo_uri = "h.example/o/r", .name = "o/r", .shown = "/here", .place = dir, .data = dir
	};
	reader = (struct index_reader){ .place = dir, .data = dir };
	e = (struct err){ 0 };
	pthread_mutex_init(&s.lock, NULL);
	return 0;
}

static int end(void **state)
{
	char cmd[100];

	(void)state;
	repo_close(reader.repo);
	close(s.wake);
	arena_free(a);
	snprintf(cmd, sizeof cmd, "rm -rf %s", dir);
	return system(cmd);
}

/* Whether the main loop was woken. */
static bool woken(void)
{
	uint64_t n;

	return read(s.wake, &n, sizeof n) == sizeof n;
}

static struct health_res health(void)
{
	struct health_res h;

	assert_int_equal(rpc_health(&s, &reader, &(struct nothing){}, &h, a, &e), 0);
	return h;
}

/* ---- states ---- */

static void the_words_for_its_state(void **state)
{
	(void)state;
	assert_string_equal(shard_state_status(&s.st), "pending");
	s.st.wanted = true;
	assert_string_equal(shard_state_status(&s.st), "building");
	s.st.code = ERR_UNAVAILABLE;
	assert_string_equal(shard_state_status(&s.st), "failed");
	s.st.code = ERR_DB_ERROR; /* it is made anew */
	assert_string_equal(shard_state_status(&s.st), "building");
	s.st.code = ERR_SCHEMA_MISMATCH;
	assert_string_equal(shard_state_status(&s.st), "building");
	s.st.code = ERR_UNAVAILABLE;
	s.st.running = true;	/* it is tried again, in vain so far */
	assert_string_equal(shard_state_status(&s.st), "failed");
	s.st.amount.total = 3;
	assert_string_equal(shard_state_status(&s.st), "building");
	strcpy(s.st.info.file, "index-1.db");
	assert_string_equal(shard_state_status(&s.st), "ready");
}

static void the_words_for_its_vectors(void **state)
{
	(void)state;
	s.st.vectors = (struct vector_status){ .done = 4, .total = 4, .files_done = true };
	assert_string_equal(shard_state_vectors(&s.st), "none");
	strcpy(s.st.info.file, "index-1.db");
	assert_string_equal(shard_state_vectors(&s.st), "complete");
	s.st.embedding = true;
	assert_string_equal(shard_state_vectors(&s.st), "building");
	s.st.embedding = false;
	s.st.vectors.files_done = false;
	assert_string_equal(shard_state_vectors(&s.st), "building");
	s.st.vectors.files_done = true;
	s.st.vectors.done = 3;
	assert_string_equal(shard_state_vectors(&s.st), "building");
	s.st.vectors = (struct vector_status){ 0 };
	assert_string_equal(shard_state_vectors(&s.st), "none");
}

static void health_tells_of_the_ingest_that_runs(void **state)
{
	(void)state;
	strcpy(s.st.phase, "parse");
	s.st.amount = (struct progress_amount){ 1, 2, 3, 4 };
	s.st.ended = 5;
	s.st.embeds = 6;
	s.st.info.generation = 9;
	struct health_res h = health();
	assert_null(h.phase);
	assert_int_equal(h.done + h.total + h.bytes_done + h.bytes_total, 0);
	assert_int_equal(h.ended, 5);
	assert_int_equal(h.embeds, 6);
	assert_int_equal(h.generation, 9);
	assert_int_equal(h.process, 77);
	assert_in_range(h.uptime_ms, 5000, 1000000);
	s.st.running = true;
	h = health();
	assert_string_equal(h.phase, "parse");
	assert_int_equal(h.done, 1);
	assert_int_equal(h.total, 2);
	assert_int_equal(h.bytes_done, 3);
	assert_int_equal(h.bytes_total, 4);
}

static void health_tells_what_is_wrong(void **state)
{
	(void)state;
	assert_null(health().code);
	s.st.away = true;
	assert_string_equal(health().code, "NOT_FOUND");
	assert_string_equal(health().message, READER_REPO_MISSING);
	s.st.code = ERR_INTERNAL;
	strcpy(s.st.message, "it crashed");
	assert_string_equal(health().code, "INTERNAL");
	assert_string_equal(health().message, "it crashed");
}

static void who_it_is(void **state)
{
	struct hello h;

	(void)state;
	s.place.replica = "one";
	s.place.host = "here";
	s.place.version = "9.9";
	o.advertise = "tls+tcp://h.example:1";
	strcpy(s.st.info.branch, "main");
	strcpy(s.st.info.commit, "c0ffee");
	s.st.info.generation = 3;
	assert_int_equal(rpc_hello(&s, &reader, &(struct nothing){}, &h, a, &e), 0);
	assert_string_equal(h.repo_uri, "h.example/o/r");
	assert_string_equal(h.name, "o/r");
	assert_string_equal(h.replica, "one");
	assert_string_equal(h.host, "here");
	assert_string_equal(h.version, "9.9");
	assert_string_equal(h.source, "/here");
	assert_string_equal(h.endpoint, "tls+tcp://h.example:1");
	assert_string_equal(h.default_branch, "main");
	assert_string_equal(h.commit, "c0ffee");
	assert_string_equal(h.status, "pending");
	assert_int_equal(h.generation, 3);
	o.advertise = "";
	*s.st.info.commit = 0;
	assert_int_equal(rpc_hello(&s, &reader, &(struct nothing){}, &h, a, &e), 0);
	assert_string_equal(h.endpoint, "");
	assert_null(h.commit);
}

/* ---- the quarantine ---- */

static void write_quarantine(const char *rows)
{
	FILE *f = fopen(arena_printf(a, "%s/quarantine", dir), "w");

	fputs(rows, f);
	fclose(f);
}

/* A file is left out from the second crash on, and only then named. */
static void one_strike_is_no_quarantine(void **state)
{
	struct status_res out = { 0 };

	(void)state;
	strcpy(s.st.head, "c0ffee");
	write_quarantine("1 aaaa src/once.py\n2 bbbb src/a b.py\n3 cccc src/often.py\n");
	assert_int_equal(rpc_status(&s, &reader, &(struct nothing){}, &out, a, &e), 0);
	assert_int_equal(out.quarantined.n, 2);
	assert_string_equal(out.quarantined.v[0], "src/a b.py");
	assert_string_equal(out.quarantined.v[1], "src/often.py");
	assert_string_equal(out.head, "c0ffee");
	assert_string_equal(out.status, "pending");
	struct quarantine q = quarantine_read(dir, a);
	assert_false(quarantine_has(&q, "aaaa"));
	assert_true(quarantine_has(&q, "bbbb"));
	assert_true(quarantine_has(&q, "cccc"));
	assert_false(quarantine_has(&q, "dddd"));
}

/* An index is made anew when another file is left out, not when one had a single crash. */
static void the_settings_of_an_index_name_what_is_left_out(void **state)
{
	char none[SHA256_HEX], now[SHA256_HEX];
	struct ingest in = { .o = &o };

	(void)state;
	ingest_settings_hash(&in, none);
	write_quarantine("1 aaaa src/once.py\n");
	in.quarantine = quarantine_read(dir, a);
	ingest_settings_hash(&in, now);
	assert_string_equal(now, none);
	write_quarantine("1 aaaa src/once.py\n2 bbbb src/twice.py\n");
	in.quarantine = quarantine_read(dir, a);
	ingest_settings_hash(&in, now);
	assert_string_not_equal(now, none);
	in.quarantine.n = 0;
	o.file_limit = 5;
	ingest_settings_hash(&in, now);
	assert_string_not_equal(now, none);
	o.file_limit = 0;
	o.file_timeout_ms = 5;
	ingest_settings_hash(&in, now);
	assert_string_not_equal(now, none);
}

/* ---- what is asked of it ---- */

static struct sync_res sync_with(struct sync_req q)
{
	struct sync_res out = { 0 };

	assert_int_equal(rpc_sync(&s, &reader, &q, &out, a, &e), 0);
	return out;
}

static void run(const char *command)
{
	assert_int_equal(system(arena_printf(a, "cd %s && %s >/dev/null 2>&1", dir, command)), 0);
}

static void an_ingest_is_asked_for(void **state)
{
	(void)state;
	run("git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m one");
	s.st.begun = 4;
	s.st.info.generation = 8;
	struct sync_res out = sync_with((struct sync_req){ .job = "j1" });
	assert_true(out.started);
	assert_int_equal(out.ingest, 5);
	assert_int_equal(out.generation, 8);
	assert_int_equal(out.process, 77);
	assert_int_equal(strlen(out.head), 40);
	assert_true(s.st.wanted && s.st.now);
	assert_false(s.st.force);
	assert_string_equal(s.st.wanted_job, "j1");
	assert_true(woken());
	/* what is indexed is not indexed again, unless it is to be made anew */
	s.st.wanted = s.st.now = false;
	strcpy(s.st.info.commit, out.head);
	out = sync_with((struct sync_req){ 0 });
	assert_false(out.started || s.st.wanted);
	out = sync_with((struct sync_req){ .force = true });
	assert_true(out.started && s.st.wanted && s.st.force && s.st.now);
	/* a mirror has to be fetched to know */
	s.st.wanted = s.st.force = s.st.now = false;
	s.src.url = "https://h.example/o/r";
	out = sync_with((struct sync_req){ 0 });
	assert_true(out.started && s.st.wanted);
	assert_false(s.st.now); /* nobody waits: pauses apply */
}

static void vectors_are_asked_for(void **state)
{
	(void)state;
	struct sync_res out = sync_with((struct sync_req){ .vectors = true });
	assert_true(out.started && s.st.embed);
	assert_false(s.st.wanted);
	assert_true(woken());
}

static bool cancel(const char *req)
{
	struct cancel_res out = { 0 };

	assert_int_equal(rpc_cancel(&s, &reader, &(struct cancel_req){ req }, &out, a, &e), 0);
	return out.found;
}

static void an_ingest_is_cancelled_by_its_job(void **state)
{
	struct cancel_res out = { 0 };
	uint64_t before = s.st.changes;

	(void)state;
	shard_request_ingest(&s, true, "j1");
	assert_false(cancel("j2"));
	assert_true(s.st.wanted);
	assert_true(cancel("j1"));
	assert_false(s.st.wanted || s.st.force);
	assert_string_equal(s.st.wanted_job, "");
	assert_int_equal(s.st.changes, before + 1);
	assert_false(cancel("j1"));
	s.st.running = true;
	strcpy(s.st.running_job, "j3");
	woken();
	assert_true(cancel("j3"));
	assert_true(s.st.stop);
	assert_true(woken());
	assert_int_equal(rpc_cancel(&s, &reader, &(struct cancel_req){ "" }, &out, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	char id[65];
	memset(id, 'x', 63);
	id[63] = 0;
	assert_false(cancel(id));
	id[63] = 'x';
	id[64] = 0;
	assert_int_equal(rpc_cancel(&s, &reader, &(struct cancel_req){ id }, &out, a, &e), -1);
	assert_non_null(strstr(e.msg, "64 bytes"));
}

static void which_commits_it_has(void **state)
{
	char head[41] = "";
	struct knows_res out = { 0 };

	(void)state;
	run("git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m one && git rev-parse HEAD | tee head");
	FILE *f = fopen(arena_printf(a, "%s/head", dir), "r");
	assert_int_equal(fread(head, 1, 40, f), 40);
	fclose(f);
	const char *asked[] = { "0123456789012345678901234567890123456789", head };
	assert_int_equal(
	    rpc_knows(&s, &reader, &(struct knows_req){ .commits = { asked, 2 } }, &out, a, &e), 0);
	assert_int_equal(out.commits.n, 1);
	assert_string_equal(out.commits.v[0], head);
	static const char *const bad[] = { "HEAD", "012345678901234567890123456789012345678",
		"g123456789012345678901234567890123456789" };
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(
		    rpc_knows(&s, &reader, &(struct knows_req){ .commits = { (const char **)&bad[i], 1 } },
		        &out, a, &e),
		    -1);
	assert_non_null(strstr(e.msg, "is not a full hash"));
}

/* A request found the index damaged: it is no longer served, and made anew; an older one is not meant. */
static void a_bad_index_is_reported(void **state)
{
	(void)state;
	strcpy(s.st.info.file, "index-2.db");
	shard_report_bad_index(&s, "index-1.db", "malformed");
	assert_string_equal(s.st.info.file, "index-2.db");
	assert_string_equal(s.broken, "");
	shard_report_bad_index(&s, "index-2.db", "malformed");
	assert_string_equal(s.st.info.file, "");
	assert_string_equal(s.broken, "index-2.db");
	assert_string_equal(s.st.message, "malformed");
	assert_int_equal(s.st.code, ERR_DB_ERROR);
	assert_true(s.st.wanted && s.st.force);
	assert_true(woken());
}

int main(void)
{
	repo_init();
#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
	const struct CMUnitTest tests[] = {
		CASE(the_words_for_its_state),
		CASE(the_words_for_its_vectors),
		CASE(health_tells_of_the_ingest_that_runs),
		CASE(health_tells_what_is_wrong),
		CASE(who_it_is),
		CASE(one_strike_is_no_quarantine),
		CASE(the_settings_of_an_index_name_what_is_left_out),
		CASE(an_ingest_is_asked_for),
		CASE(vectors_are_asked_for),
		CASE(an_ingest_is_cancelled_by_its_job),
		CASE(which_commits_it_has),
		CASE(a_bad_index_is_reported),
	};

	return cmocka_run_group_tests_name("rpc_state", tests, NULL, NULL);
}
