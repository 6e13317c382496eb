#ifndef SHARD_EMBEDDING_TEST_NAMES_H
#define SHARD_EMBEDDING_TEST_NAMES_H
/*
 * What tests say of files: their functions are called in words for what the tested file does.  A file of tests tells of the only other file
 * of its language that is called like it (`test_pool.py`, `pool_test.go`, `PoolTests.cs`).  Measured: tests/results/ranking.md.
 */

struct db;
struct err;
struct tested;

enum { TESTED_NAMES = 30, TESTED_WORDS = 3 };	/* of a file of tests; in a name that says anything */

/* Of the index, while it is read.  NULL with `e`: the index is damaged. */
struct tested *tested_read(struct db *, struct err *);
void tested_free(struct tested *);	/* NULL is fine */

/* Names of what tests the file, in order, one a line; NULL: none.  As long as `tested`. */
const char *tested_of(const struct tested *, const char *path);
#endif
