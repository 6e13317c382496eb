#ifndef SHARD_GIT_UNIFIED_DIFF_H
#define SHARD_GIT_UNIFIED_DIFF_H
/*
 * Unified diffs as people and programs write them, brought to the one form that libgit2 reads.
 * Pure.
 */

struct arena;

/*
 * The same diff as `git diff` prints it with its default settings: with `diff --git` lines where
 * there are none (diff -u, svn, by hand), with prefixes a/ and b/ where there are none
 * (diff.noprefix), and with an end that libgit2 takes for one also behind a file without lines
 * (renamed, of another mode, empty).  What is no diff stays none.
 */
const char *unified_diff_normalize(const char *text, struct arena *);
#endif
