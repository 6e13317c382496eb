#ifndef SHARD_GIT_COMMIT_SUBJECTS_H
#define SHARD_GIT_COMMIT_SUBJECTS_H
/*
 * What commits say of files: people name in a subject what a file does, in words of which its text
 * often has none.  Of the newest COMMIT_SUBJECTS_MAX_COMMITS those with one parent that changed at
 * most COMMIT_SUBJECTS_MAX_FILES files tell of each of these; more are no word about any.  So it
 * follows from the commit and its history alone.  What commits changed is kept in `told.db`, as it
 * never changes.  Measured: tests/results/ranking.md.
 */

#include <stdint.h>

struct err;
struct repo;
struct commit_subjects;

enum {
	/* grows whenever the same commits or tests (test_names.h) would be told in another text */
	COMMIT_SUBJECTS_VERSION = 1,
	COMMIT_SUBJECTS_MAX_COMMITS = 3000,
	COMMIT_SUBJECTS_MAX_FILES = 3,
	COMMIT_SUBJECTS_MAX_PER_FILE = 30
};

/*
 * Of the history of `commit`, as far as it is here; `dir` is the data folder.  NULL with `e` when
 * there is no such commit.
 */
struct commit_subjects *commit_subjects_read(
    const char *dir, struct repo *, const char *commit, struct err *e);
void commit_subjects_free(struct commit_subjects *);		/* NULL is fine */

/* What is told at a commit, by this program. */
uint64_t commit_subjects_fingerprint(const char *commit);

/*
 * Subjects of commits that changed the file, the newest first, one a line; NULL: none.  As long as
 * `told`.
 */
const char *commit_subjects_get(const struct commit_subjects *, const char *path);
#endif
