#ifndef SHARD_PROGRAM_FILE_INTERFACE_H
#define SHARD_PROGRAM_FILE_INTERFACE_H
/*
 * What a file offers to the others, key by key (resolver.h): by that a change of it finds the
 * files that it concerns.
 */

struct arena;
struct facts;
struct map;

/*
 * What a file offers to others: key -> hash of everything that a look-up of that key can see of
 * this file (a definition's qualified name, kind, parent, type, bases, visibility; a module path;
 * the file's package and re-exports).  Lines and bodies are not in it.  Values are pointers to
 * uint64_t in `a`.  Two versions of a file differ for others in the keys whose hashes differ or
 * that only one of them has.
 */
struct map *file_interface_keys(
    const char *path, const char *language, const struct facts *, struct arena *a);
#endif
