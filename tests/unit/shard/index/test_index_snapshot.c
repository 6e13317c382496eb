/* Copies of an index for other shards: when one is made, found again, made anew, kept and deleted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the above */
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/log.h"
#include "shard/index/index_snapshot.h"

static struct arena *a;
static struct err e;
static char dir[64];

/* What the next snapshot contains; NULL: it cannot be written. */
static struct {
	const char *text;
	size_t n;
	int written; /* how many were */
} source;

static const char *in(const char *name)
{
	return arena_printf(a, "%s/%s", dir, name);
}

static void put(const char *name, const char *text, size_t n)
{
	FILE *f = fopen(in(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static bool exists(const char *name)
{
	return !access(in(name), F_OK);
}

static int write_source(void *ctx, const char *path, struct err *err)
{
	assert_ptr_equal(ctx, &source);
	assert_true(access(path, F_OK)); /* nothing of an earlier attempt is left */
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	if (source.text)
		assert_int_equal(fwrite(source.text, 1, source.n, f), source.n);
	fclose(f);
	source.written++;
	if (!source.text)
		return err_set(err, ERR_DB_ERROR, "it cannot be copied");
	return 0;
}

static int ensure(const char *sum, const char *file, struct snapshot *out)
{
	*out = (struct snapshot){ 0 };
	snprintf(out->file, sizeof out->file, "%s", file);
	e = (struct err){ 0 };
	return snapshot_ensure(dir, sum, write_source, &source, out, &e);
}

static void source_is(const char *text)
{
	source.text = text;
	source.n = text ? strlen(text) : 0;
	source.written = 0;
}

/* The last use of a file, as if it had been so many seconds ago. */
static void used_before(const char *name, int seconds)
{
	const struct timespec at = { .tv_sec = time(NULL) - seconds };
	const struct timespec both[2] = { at, at };

	assert_int_equal(utimensat(AT_FDCWD, in(name), both, 0), 0);
}

static time_t last_use(const char *name)
{
	struct stat st;

	assert_int_equal(stat(in(name), &st), 0);
	return st.st_mtim.tv_sec;
}

static const char *sha256(const char *text)
{
	char *sum = arena_get(a, SHA256_HEX, 1);

	crypto_sha256(text, strlen(text), sum);
	return sum;
}

static int begin(void **state)
{
	(void)state;
	a = arena_new();
	strcpy(dir, "/tmp/atoll-snapshot.XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	int rc = system(arena_printf(a, "rm -rf %s", dir));
	arena_free(a);
	return rc;
}

static void it_is_made_once(void **state)
{
	struct snapshot s;

	(void)state;
	source_is("one");
	put("snapshot-1.db.tmp", "half", 4);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(ensure(NULL, "snapshot-1.db", &s), 0);
		assert_string_equal(s.file, "snapshot-1.db");
		assert_string_equal(s.sum, sha256("one"));
		assert_int_equal(s.size, 3);
		assert_int_equal(source.written, 1);
	}
	assert_true(exists("snapshot-1.db"));
	assert_false(exists("snapshot-1.db.tmp"));
}

static void one_that_somebody_reads_is_found_by_its_sum(void **state)
{
	struct snapshot s;

	(void)state;
	source_is("one");
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), 0);
	put("other-1.db", "one", 3);
	put("snapshot-x", "one", 3);
	source_is("two");
	assert_int_equal(ensure(sha256("one"), "snapshot-2.db", &s), 0);
	assert_string_equal(s.file, "snapshot-1.db");
	assert_string_equal(s.sum, sha256("one"));
	assert_int_equal(s.size, 3);
	assert_int_equal(source.written, 0);
	/* another kind of file, or nobody's sum: that of the present state */
	assert_int_equal(ensure(sha256("one"), "snapshot-2.vectors", &s), 0);
	assert_string_equal(s.file, "snapshot-2.vectors");
	assert_string_equal(s.sum, sha256("two"));
	assert_int_equal(source.written, 1);
	assert_int_equal(ensure(sha256("nothing"), "snapshot-2.db", &s), 0);
	assert_string_equal(s.file, "snapshot-2.db");
	assert_int_equal(source.written, 2);
}

static void a_damaged_one_is_made_again(void **state)
{
	struct snapshot s;

	(void)state;
	source_is("one");
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), 0);
	put("snapshot-1.db", "on", 2);
	assert_int_equal(ensure(sha256("one"), "snapshot-1.db", &s), 0);
	assert_int_equal(source.written, 2);
	assert_int_equal(s.size, 3);
	assert_int_equal(unlink(in("snapshot-1.db.sum")), 0);
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), 0);
	assert_int_equal(source.written, 3);
	put("snapshot-1.db.sum", "sum", 3);
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), 0);
	assert_int_equal(source.written, 4);
	assert_string_equal(s.sum, sha256("one"));
}

static void nothing_is_left_of_one_that_cannot_be_made(void **state)
{
	struct snapshot s;

	(void)state;
	source_is(NULL);
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), -1);
	assert_string_equal(e.msg, "it cannot be copied");
	assert_false(exists("snapshot-1.db.tmp"));
	assert_false(exists("snapshot-1.db"));
	source_is("one");
	assert_int_equal(mkdir(in("snapshot-1.db.sum"), 0700), 0);
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_non_null(strstr(e.msg, "snapshot-1.db.sum: "));
	assert_false(exists("snapshot-1.db.tmp"));
	assert_false(exists("snapshot-1.db"));
	assert_int_equal(rmdir(in("snapshot-1.db.sum")), 0);
	assert_int_equal(mkdir(in("snapshot-1.db"), 0700), 0);
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_false(exists("snapshot-1.db.tmp"));
}

static void one_that_is_read_is_kept(void **state)
{
	struct snapshot s;

	(void)state;
	source_is("one");
	assert_int_equal(ensure(NULL, "snapshot-1.db", &s), 0);
	time_t made = last_use("snapshot-1.db");
	used_before("snapshot-1.db", 1000);
	assert_int_equal(ensure(sha256("one"), "snapshot-2.db", &s), 0);
	assert_true(last_use("snapshot-1.db") >= made);
	/* not one that could not be made */
	source_is(NULL);
	put("snapshot-3.db", "x", 1);
	used_before("snapshot-3.db", 1000);
	assert_int_equal(ensure(NULL, "snapshot-3.db", &s), -1);
	assert_true(last_use("snapshot-3.db") < made);
}

static void those_that_nobody_reads_are_deleted(void **state)
{
	(void)state;
	put("snapshot-1.db", "x", 1);
	put("snapshot-2.vectors", "x", 1);
	put("snapsho", "x", 1);
	put("index-1.db", "x", 1);
	used_before("snapshot-1.db", 100);
	used_before("snapsho", 100);
	used_before("index-1.db", 100);
	snapshot_sweep(dir, 1000 * 1000);
	assert_true(exists("snapshot-1.db"));
	snapshot_sweep(dir, 50 * 1000);
	assert_false(exists("snapshot-1.db"));
	assert_true(exists("snapshot-2.vectors"));
	snapshot_sweep(dir, 0);
	assert_false(exists("snapshot-2.vectors"));
	assert_true(exists("snapsho"));
	assert_true(exists("index-1.db"));
	snapshot_sweep(in("missing"), 0);
}

static void checksums(void **state)
{
	static char large[150000];
	char sum[SHA256_HEX], want[SHA256_HEX];
	uint64_t size = 7;

	(void)state;
	memset(large, 'x', sizeof large);
	put("large", large, sizeof large);
	assert_int_equal(snapshot_checksum_file(in("large"), sum, &size, &e), 0);
	crypto_sha256(large, sizeof large, want);
	assert_string_equal(sum, want);
	assert_int_equal(size, sizeof large);
	put("empty", "", 0);
	assert_int_equal(snapshot_checksum_file(in("empty"), sum, &size, &e), 0);
	assert_string_equal(sum, sha256(""));
	assert_int_equal(size, 0);
	e = (struct err){ 0 };
	assert_int_equal(snapshot_checksum_file(in("missing"), sum, &size, &e), -1);
	assert_int_equal(e.code, ERR_DB_ERROR);
	assert_string_equal(e.msg, arena_printf(a, "%s: No such file or directory", in("missing")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_is_made_once, begin, end),
		cmocka_unit_test_setup_teardown(one_that_somebody_reads_is_found_by_its_sum, begin, end),
		cmocka_unit_test_setup_teardown(a_damaged_one_is_made_again, begin, end),
		cmocka_unit_test_setup_teardown(nothing_is_left_of_one_that_cannot_be_made, begin, end),
		cmocka_unit_test_setup_teardown(one_that_is_read_is_kept, begin, end),
		cmocka_unit_test_setup_teardown(those_that_nobody_reads_are_deleted, begin, end),
		cmocka_unit_test_setup_teardown(checksums, begin, end),
	};

	log_init("test", LOG_ERROR + 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
