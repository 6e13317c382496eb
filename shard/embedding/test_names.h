#ifndef SHARD_EMBEDDING_TEST_NAMES_H
#define SHARD_EMBEDDING_TEST_NAMES_H
/*
 * What tests reveal about files: test functions are often named in words for what the tested file
 * does. A test file describes the only other file of its language with the same stem
 * (`test_pool.py`, `pool_test.go`, `PoolTests.cs`). Measured: tests/results/ranking.md.
 */

struct db;
struct err;
struct test_names;

/* names per file; minimum words of a name that is descriptive */
enum { TEST_NAMES_MAX = 30, TEST_NAME_WORDS_MIN = 3 };

/*
 * Reads the names from an index within db_read_begin. Returns NULL with `e` if the index is
 * damaged.
 */
struct test_names *test_names_read(struct db *, struct err *);
void test_names_free(struct test_names *);	/* NULL is fine */

/*
 * The names of the tests of the file, in order, one per line; NULL if there are none. Valid as long
 * as the test_names.
 */
const char *test_names_of(const struct test_names *, const char *path);
#endif
