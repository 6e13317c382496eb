#ifndef SHARD_INGEST_FILE_FILTER_H
#define SHARD_INGEST_FILE_FILTER_H
/*
 * Which files are indexed, which are tests, which are generated: decided by path and first bytes.
 * The tables are in file_filter.c.
 */

#include <stdbool.h>
#include <stddef.h>

/* The reason for a path below a folder whose name begins with a dot. */
#define FILTER_HIDDEN "hidden"

/* The reason for a file that says which versions of packages were chosen. */
#define FILTER_LOCK "lockfile"

/* Why a path is skipped, or NULL: node_modules, dist, vendor, hidden, minified, … */
const char *filter_skip_path(const char *path);

/* Why a file with this content is skipped, or NULL: empty, binary, lfs-pointer. */
const char *filter_skip_content(const char *p, size_t n);

/* Whether the text is code that a program has compressed: its lines are far longer than people write. */
bool filter_is_minified(const char *p, size_t n);

/* Whether a file with this path is skipped as a lock file. */
bool filter_is_lock(const char *path);

/* Whether the path belongs to test code or mocks. */
bool filter_is_test(const char *path);

/* Whether the path belongs to generated code. */
bool filter_is_generated(const char *path);
#endif
