#ifndef SHARD_CONTRACTS_FILE_ROUTES_H
#define SHARD_CONTRACTS_FILE_ROUTES_H
/*
 * Routes that follow from the path of a file.  A framework's query gives such a fact the path
 * `/@file=FOLDER=BELOW=NAME` (several are separated by `|`): the route is the file's path behind
 * FOLDER, if it begins with BELOW (`-`: with anything) and the file has the name NAME (`-`: any
 * name, which is part of the route; `.`: dots separate parts of the name, as in Remix).  `=_` at
 * the end: folders and files that begin with this letter have no routes.
 */

#include <stddef.h>

struct arena;
struct fact;

/*
 * Give the facts of a file at `path` their paths, in the arena.  Removes facts that do not fit, and
 * ANY where the same route has methods.  Returns how many facts remain.
 */
size_t file_routes(struct fact *, size_t n, const char *path, struct arena *);
#endif
