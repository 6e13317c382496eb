#ifndef SHARD_GIT_COMMIT_SUBJECTS_H
#define SHARD_GIT_COMMIT_SUBJECTS_H
/*
 * The subjects of the commits that changed a file.  A subject often describes what a file does in
 * words that the file itself does not contain.  Among the newest COMMIT_SUBJECTS_MAX_COMMITS, a
 * commit counts for each file that it changed if it has one parent and changed at most
 * COMMIT_SUBJECTS_MAX_FILES files; the subject of a larger commit describes none of them.  The
 * result depends only on the commit and its history.  The files that each commit changed are cached
 * in `told.db`, as they never change.  Measured: tests/results/ranking.md.
 */

#include <stdint.h>

struct err;
struct repo;
struct commit_subjects;

enum {
	/* increment it whenever the same commits or tests (test_names.h) would yield another text */
	COMMIT_SUBJECTS_VERSION = 1,
	COMMIT_SUBJECTS_MAX_COMMITS = 3000,
	COMMIT_SUBJECTS_MAX_FILES = 3,
	COMMIT_SUBJECTS_MAX_PER_FILE = 30
};

/*
 * Read the history of `commit`, as far as this clone has it.  `dir` is the data folder.  NULL with
 * `e` if there is no such commit.  Free with commit_subjects_free.
 */
struct commit_subjects *commit_subjects_read(
    const char *dir, struct repo *, const char *commit, struct err *e);
void commit_subjects_free(struct commit_subjects *);		/* NULL is fine */

/*
 * Identifies the result for a commit: it changes with the commit and with this program's version.
 */
uint64_t commit_subjects_fingerprint(const char *commit);

/*
 * Subjects of the commits that changed the file, newest first, one per line; NULL if there are
 * none.  Valid until commit_subjects_free.
 */
const char *commit_subjects_get(const struct commit_subjects *, const char *path);
#endif
