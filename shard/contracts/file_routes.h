#ifndef SHARD_CONTRACTS_FILE_ROUTES_H
#define SHARD_CONTRACTS_FILE_ROUTES_H
/*
 * Routes that are said by where a file stands.  A framework's query gives such a fact the path
 * `/@file=FOLDER=BELOW=NAME` (several with `|` between them): the route is the file's path behind
 * FOLDER, when it begins with BELOW (`-`: whatever it is) and the file is called NAME (`-`:
 * anything, and part of the route; `.`: as Remix has it, where dots part a name). `=_` behind it:
 * what is in a folder or file of such a first letter is no route.
 */

#include <stddef.h>

struct arena;
struct fact;

/*
 * Give the facts of a file their paths, living in the arena; those that a file at `path` does not
 * answer are left out, and ANY where the same route has methods.  How many there are now.
 */
size_t file_routes(struct fact *, size_t n, const char *path, struct arena *);
#endif
