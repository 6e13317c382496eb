#ifndef SHARD_USES_USE_CANDIDATES_H
#define SHARD_USES_USE_CANDIDATES_H
/*
 * Which files of the index may use definitions of other repositories: those that have looked up a
 * name that an external file now answers to (table `uses` of the index), and those that depend on
 * such files in few steps.
 */

#include <stdint.h>

struct arena;
struct err;
struct int_map;
struct program;

/*
 * The ids of the files, in a map that the caller frees; NULL with `e`.  `w` is finished, and has the
 * external files.
 */
struct int_map *use_candidates_find(struct program *w, struct arena *, struct err *e);
#endif
