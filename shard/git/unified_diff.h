#ifndef SHARD_GIT_UNIFIED_DIFF_H
#define SHARD_GIT_UNIFIED_DIFF_H
/*
 * Converts unified diffs of people and programs to the one form that libgit2 reads.  Pure.
 */

struct arena;

/*
 * The same diff as `git diff` prints it with its default settings.  Adds missing `diff --git`
 * lines (diff -u, svn, by hand), missing prefixes a/ and b/ (diff.noprefix), and an end that
 * libgit2 accepts after a file without hunks (renamed, new mode, empty).  A text that is not a
 * diff does not become one.  The result lives in the arena.
 */
const char *unified_diff_normalize(const char *text, struct arena *);
#endif
