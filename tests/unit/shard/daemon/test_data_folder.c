/* What a shard writes to its data folder about itself: crashes, files that caused them, repairs, its lock; and the index it prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/clock.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/base/options.h"
#include "shard/daemon/crash_backoff.h"
#include "shard/daemon/instance.h"
#include "shard/git/repo_source.h"
#include "shard/index/index_store.h"
#include "shard/ingest/mirror_repair.h"
#include "shard/ingest/quarantine.h"

static struct arena *a;
static char dir[] = "/tmp/atoll-data.XXXXXX";

static const char *path_of(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char *read_file(const char *name)
{
	char *text = arena_get(a, 4096, 1);
	FILE *f = fopen(path_of(name), "r");

	if (!f)
		return NULL;
	text[fread(text, 1, 4095, f)] = 0;
	fclose(f);
	return text;
}

static bool exists(const char *name)
{
	return !access(path_of(name), F_OK);
}

/* ---- crashes ---- */

#define COMMIT "0123456789012345678901234567890123456789"

static void crashes_are_read(void **state)
{
	/* clang-format off */
	static const struct { const char *text; struct crash_backoff s; } cases[] = {
		{ "2 1 77 " COMMIT "\nwhy it was\n", { 2, true, 77, COMMIT, "why it was" } }, { "1 0 5 -\n\n", { 1, false, 5, "", "" } }, { "0 1 5 -\n\n", { 0, true, 0, "", "" } },
		{ "1 0 5 " COMMIT, { 1, false, 5, COMMIT, "" } }, { "1 0 5\n", { 0, false, 0, "", "" } }, { "-1 0 5 -\nx\n", { 0, false, 0, "", "" } }, { "", { 0, false, 0, "", "" } },
		{ "1 0 5 " COMMIT "x\ny\n", { 1, false, 5, COMMIT, "" } },
	};
	/* clang-format on */
	struct crash_backoff s;

	(void)state;
	crash_backoff_read(path_of("nowhere"), &s);
	assert_int_equal(s.times, 0);
	for (size_t i = 0; i < LEN(cases); i++) {
		write_file("crashes", cases[i].text);
		crash_backoff_read(dir, &s);
		assert_int_equal(s.times, cases[i].s.times);
		assert_int_equal(s.running, cases[i].s.running);
		assert_int_equal(s.until, cases[i].s.until);
		assert_string_equal(s.commit, cases[i].s.commit);
		assert_string_equal(s.cause, cases[i].s.cause);
	}
	unlink(path_of("crashes"));
}

static void pauses_grow(void **state)
{
	/* clang-format off */
	static const int64_t pauses[] = { 0, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 512000, 1024000, 2048000, 3600000, 3600000 };
	/* clang-format on */
	struct crash_backoff s;

	(void)state;
	for (int i = 0; i < (int)LEN(pauses); i++) {
		int64_t want = pauses[i], before = clock_real_ms();
		crash_backoff_record(dir, COMMIT, "one\ntwo", 1, &s);
		assert_int_equal(s.times, i + 1);
		assert_in_range(s.until - before, want * 4 / 5, want * 6 / 5 + 1000);
	}
	assert_string_equal(s.cause, "one two");
	assert_false(s.running);
	crash_backoff_read(dir, &s);
	assert_int_equal(s.times, LEN(pauses));
	assert_string_equal(s.cause, "one two");
	crash_backoff_record(
	    dir, "another", "x", 0, &s); /* begins anew, and without a free one pauses at once */
	assert_int_equal(s.times, 1);
	assert_string_equal(s.commit, "another");
	assert_in_range(s.until - clock_real_ms(), 1, 1200);
	unlink(path_of("crashes"));
}

static void an_ingest_begins_and_ends(void **state)
{
	struct crash_backoff s;

	(void)state;
	crash_backoff_begin(dir);
	assert_string_equal(read_file("crashes"), "0 1 0 -\n\n");
	crash_backoff_end(dir, false);
	assert_false(exists("crashes"));
	crash_backoff_record(dir, COMMIT, "why", 0, &s);
	crash_backoff_begin(dir);
	crash_backoff_read(dir, &s);
	assert_true(s.running && s.times == 1);
	crash_backoff_end(dir, false);
	crash_backoff_read(dir, &s);
	assert_true(!s.running && s.times == 1);
	assert_string_equal(s.cause, "why");
	crash_backoff_end(dir, true);
	assert_false(exists("crashes"));
	assert_false(exists("crashes.tmp"));
}

/* ---- files that caused crashes ---- */

static void files_in_progress_get_strikes(void **state)
{
	struct quarantine q;

	(void)state;
	assert_int_equal(quarantine_strike(dir), 0);
	assert_false(exists("quarantine"));
	int notes = quarantine_open_notes(dir);
	assert_true(notes >= 0);
	quarantine_note(notes, 0, "b0", "path zero");
	quarantine_note(notes, 1, "b1", "new\nline");
	quarantine_note(notes, 2, "b2", "done");
	quarantine_note(notes, 2, NULL, NULL);
	quarantine_note(-1, 0, "b3", "nowhere");
	close(notes);
	assert_int_equal(quarantine_strike(dir), 2);
	assert_string_equal(read_file("quarantine"), "1 b0 path zero\n1 b1 new?line\n");
	assert_int_equal(quarantine_strike(dir), 0); /* the notes were cleared */
	notes = quarantine_open_notes(dir);
	quarantine_note(notes, 3, "b1", "other path");
	close(notes);
	assert_int_equal(quarantine_strike(dir), 1);
	assert_string_equal(read_file("quarantine"), "1 b0 path zero\n2 b1 new?line\n");
	q = quarantine_read(dir, a);
	assert_int_equal(q.n, 2);
	assert_false(quarantine_has(&q, "b0"));
	assert_true(quarantine_has(&q, "b1"));
	assert_false(quarantine_has(&q, "b"));
	quarantine_forgive(dir);
	assert_string_equal(read_file("quarantine"), "2 b1 new?line\n");
	assert_false(exists("quarantine.tmp"));
	unlink(path_of("quarantine"));
	quarantine_forgive(dir);
	assert_false(exists("quarantine"));
}

static void lines_that_are_no_strikes_are_left_out(void **state)
{
	struct buf b = { 0 };
	struct quarantine q;

	(void)state;
	write_file("quarantine", "x b p\n2\n3 blob a path\n\n1 c \n");
	q = quarantine_read(dir, a);
	assert_int_equal(q.n, 2);
	assert_string_equal(q.v[0].path, "a path");
	assert_string_equal(q.v[1].blob, "c");
	assert_string_equal(q.v[1].path, "");
	for (int i = 0; i < 1001; i++)
		buf_printf(&b, "1 b%d p\n", i);
	write_file("quarantine", b.p);
	assert_int_equal(quarantine_read(dir, a).n, 1000);
	buf_free(&b);
	unlink(path_of("quarantine"));
}

/* ---- repairs ---- */

static void repairs_have_pauses_and_an_end(void **state)
{
	struct index_info gaps = { .gaps = "corrupt 1 a\n" }, whole = { .gaps = "" },
	                  large = { .gaps = "too-large 1 a\n" };
	int64_t now = clock_real_ms();

	(void)state;
	assert_int_equal(mirror_repair_wait_ms(dir, &gaps), 0);
	assert_int_equal(mirror_repair_wait_ms(dir, &whole), -1);
	assert_int_equal(mirror_repair_wait_ms(dir, &large), -1);
	write_file("repairs", arena_printf(a, "5 %lld\n", (long long)now + 100000));
	assert_in_range(mirror_repair_wait_ms(dir, &gaps), 90000, 100000);
	write_file("repairs", arena_printf(a, "6 %lld\n", (long long)now));
	assert_int_equal(mirror_repair_wait_ms(dir, &gaps), -1);
	write_file(
	    "repairs", arena_printf(a, "1 %lld\n", (long long)now * 2)); /* the clock was set back */
	assert_int_equal(mirror_repair_wait_ms(dir, &gaps), 600000 << 6);
	write_file("repairs", "-1 5\n");
	assert_int_equal(mirror_repair_wait_ms(dir, &gaps), 0);
	write_file("repairs", "1\n");
	assert_int_equal(mirror_repair_wait_ms(dir, &gaps), 0);
	assert_true(exists("repairs"));
	write_file("repairs", "1 5\n");
	assert_int_equal(mirror_repair_wait_ms(dir, &whole), -1); /* healed: a later gap begins anew */
	assert_false(exists("repairs"));
}

/* ---- the lock ---- */

static struct options options(const char *listen)
{
	return (struct options){ .listen = listen,
		.host = "box",
		.replica = "",
		.tls_ca = "",
		.tls_cert = "",
		.tls_key = "",
		.cluster_key = "",
		.cluster_key_file = "" };
}

static void one_process_has_the_folder(void **state)
{
	struct repo_source src = { .name = "shop", .collection = "c", .data = dir };
	struct options o = options("ipc:///tmp/x.ipc");
	struct instance first, second;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(instance_open(&first, &o, &src, a, &e), 0);
	assert_string_equal(first.host, "box");
	assert_int_equal(strlen(first.replica), strlen("box-123456"));
	assert_memory_equal(first.replica, "box-", 4);
	assert_string_equal(first.listen, "ipc:///tmp/x.ipc");
	assert_string_equal(first.socket, "/tmp/x.ipc");
	assert_string_equal(read_file("lock"), arena_printf(a, "%d\n", (int)getpid()));
	assert_int_equal(instance_open(&second, &o, &src, a, &e), -1);
	assert_int_equal(e.code, ERR_UNAVAILABLE);
	assert_string_equal(
	    e.msg, arena_printf(a, "another process (pid %d) serves shop from %s", (int)getpid(), dir));
	assert_non_null(strstr(e.hint, "atoll repo remove PATH"));
	instance_close(&second);
	instance_close(&first);
	o.once = true;
	o.replica = "name";
	assert_int_equal(instance_open(&second, &o, &src, a, &e), 0);
	assert_string_equal(second.replica, "name");
	assert_null(second.listen);
	instance_close(&second);
	unlink(path_of("lock"));
}

static void addresses_are_checked(void **state)
{
	struct repo_source src = { .name = "shop", .collection = "c", .data = dir },
	                   nowhere = { .name = "shop", .collection = "c", .data = "/nowhere/x" };
	struct options o = options(arena_printf(a, "ipc:///%0*d", 106, 0)),
	               longer = options(arena_printf(a, "ipc:///%0*d", 107, 0)),
	               tcp = options("tcp://127.0.0.1:1");
	struct instance p;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(instance_open(&p, &o, &src, a, &e), 0);
	instance_close(&p);
	assert_int_equal(instance_open(&p, &longer, &src, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	assert_memory_equal(
	    e.msg, "--listen: the path of a socket has at most 107 bytes: ipc:///0", 60);
	instance_close(&p);
	assert_int_equal(instance_open(&p, &tcp, &src, a, &e), 0);
	assert_null(p.socket);
	instance_close(&p);
	assert_int_equal(instance_open(&p, &tcp, &nowhere, a, &e), -1);
	assert_string_equal(e.msg, "--data: /nowhere/x/lock: No such file or directory");
	o = options("");
	setenv("XDG_RUNTIME_DIR", dir, 1);
	assert_int_equal(instance_open(&p, &o, &src, a, &e), 0);
	assert_memory_equal(p.listen, "ipc://", 6);
	assert_string_equal(p.listen + 6, p.socket);
	assert_non_null(strstr(p.socket, "/c-"));
	p.bound = true;
	write_file(p.socket + strlen(dir) + 1, "x");
	instance_close(&p);
	assert_int_equal(access(p.socket, F_OK), -1);
	tcp.cluster_key_file = "/nowhere/key";
	assert_int_equal(instance_open(&p, &tcp, &src, a, &e), -1);
	assert_int_equal(e.code, ERR_INVALID_INPUT);
	instance_close(&p);
}

static const char *printed(bool changed, bool json)
{
	const struct index_info i = { .commit = "c0ffee",
		.generation = 7,
		.graph_hash = "hash",
		.indexed_at = "now",
		.branch = "main",
		.files = 1,
		.bytes = 2,
		.symbols = 3,
		.documents = 4,
		.contracts = 5,
		.ingest_ms = 6 };
	const struct repo_source src = { .repo_uri = "h/o/r", .name = "r\"q" };

	fflush(stdout);
	int old = dup(1);
	assert_non_null(freopen(path_of("out"), "w", stdout));
	instance_print_index(&i, &src, changed, json);
	fflush(stdout);
	dup2(old, 1);
	close(old);
	return read_file("out");
}

static void an_index_is_printed(void **state)
{
	(void)state;
	assert_string_equal(printed(true, false),
	    "repo_uri h/o/r\nname r\"q\ncommit c0ffee\ngeneration 7\ngraph_hash hash\nindexed_at now\ndefault_branch main\nfiles 1\nbytes 2\nsymbols 3\n"
	    "documents 4\ncontracts 5\ningest_ms 6\nchanged true\n");
	assert_string_equal(printed(false, true),
	    "{\"repo_uri\":\"h/o/r\",\"name\":\"r\\\"q\",\"commit\":\"c0ffee\",\"generation\":7,\"graph_hash\":\"hash\",\"indexed_at\":\"now\",\"default_branch\":\"main\","
	    "\"files\":1,\"bytes\":2,\"symbols\":3,\"documents\":4,\"contracts\":5,\"ingest_ms\":6,\"changed\":false}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crashes_are_read),
		cmocka_unit_test(pauses_grow),
		cmocka_unit_test(an_ingest_begins_and_ends),
		cmocka_unit_test(files_in_progress_get_strikes),
		cmocka_unit_test(lines_that_are_no_strikes_are_left_out),
		cmocka_unit_test(repairs_have_pauses_and_an_end),
		cmocka_unit_test(one_process_has_the_folder),
		cmocka_unit_test(addresses_are_checked),
		cmocka_unit_test(an_index_is_printed),
	};

	a = arena_new();
	log_init("test", LOG_ERROR);
	if (!mkdtemp(dir))
		return 1;
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	int gone = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc || gone;
}
