#ifndef SHARD_INGEST_FILE_FILTER_H
#define SHARD_INGEST_FILE_FILTER_H
/*
 * Which files are indexed, which are tests, which are generated: by path and by first bytes.
 * Tables in file_filter.c.
 */

#include <stdbool.h>
#include <stddef.h>

/* Why a path is left out, or NULL: node_modules, dist, vendor, hidden, minified, … */
const char *filter_skip_path(const char *path);

/* Why a file's bytes are left out, or NULL: empty, binary, lfs-pointer. */
const char *filter_skip_content(const char *p, size_t n);

/* Whether the path is one of test code or mocks. */
bool filter_is_test(const char *path);

/* Whether the path is one of generated code. */
bool filter_is_generated(const char *path);
#endif
