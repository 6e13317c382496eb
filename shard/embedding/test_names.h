#ifndef SHARD_EMBEDDING_TEST_NAMES_H
#define SHARD_EMBEDDING_TEST_NAMES_H
/*
 * What tests say of files: their functions are called in words for what the tested file does.  A
 * file of tests tells of the only other file of its language that is called like it
 * (`test_pool.py`, `pool_test.go`, `PoolTests.cs`).  Measured: tests/results/ranking.md.
 */

struct db;
struct err;
struct test_names;

/* of a file of tests; in a name that says anything */
enum { TEST_NAMES_MAX = 30, TEST_NAME_WORDS_MIN = 3 };

/* Of the index, while it is read.  NULL with `e`: the index is damaged. */
struct test_names *test_names_read(struct db *, struct err *);
void test_names_free(struct test_names *);	/* NULL is fine */

/* Names of what tests the file, in order, one a line; NULL: none.  As long as `tested`. */
const char *test_names_of(const struct test_names *, const char *path);
#endif
