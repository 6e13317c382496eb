#ifndef SHARD_GIT_COMMIT_SUBJECTS_H
#define SHARD_GIT_COMMIT_SUBJECTS_H
/*
 * What commits say of files: people name in a subject what a file does, in words of which its text often has none.  Of the newest
 * TOLD_COMMITS those with one parent that changed at most TOLD_FILES files tell of each of these; more are no word about any.  So it
 * follows from the commit and its history alone.  What commits changed is kept in `told.db`, as it never changes.  Measured: tests/results/ranking.md.
 */

#include <stdint.h>

struct err;
struct repo;
struct told;

enum {
	TOLD_VERSION = 1,	/* grows whenever the same commits or tests (test_names.h) would be told in another text */
	TOLD_COMMITS = 3000, TOLD_FILES = 3, TOLD_SUBJECTS = 30
};

/* Of the history of `commit`, as far as it is here; `dir` is the data folder.  NULL with `e` when there is no such commit. */
struct told *told_read(const char *dir, struct repo *, const char *commit, struct err *e);
void told_free(struct told *);		/* NULL is fine */

/* What is told at a commit, by this program. */
uint64_t told_mark(const char *commit);

/* Subjects of commits that changed the file, the newest first, one a line; NULL: none.  As long as `told`. */
const char *told_of(const struct told *, const char *path);
#endif
