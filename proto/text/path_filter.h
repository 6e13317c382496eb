#ifndef PROTO_TEXT_PATH_FILTER_H
#define PROTO_TEXT_PATH_FILTER_H
/*
 * Which files a search is about, as ripgrep's option -g says it: a glob without a slash is about
 * the name, one with a slash about the path from the root; `{a,b}` are alternatives; `!` excludes
 * files, and folders with everything in them.  The last glob that matches decides; if none does, a
 * file is wanted unless there are globs that include.
 */

#include <stdbool.h>

#include "proto/record/record.h"

struct arena;
struct err;
struct path_filter;

/* NULL with INVALID_INPUT, which names `glob`.  In `a`; borrows the texts. */
struct path_filter *path_filter_new(const struct strs *globs, struct arena *a, struct err *);

bool path_filter_wants(const struct path_filter *, const char *path);
#endif
