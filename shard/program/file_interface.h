#ifndef SHARD_PROGRAM_FILE_INTERFACE_H
#define SHARD_PROGRAM_FILE_INTERFACE_H
/*
 * The interface of a file, key by key (resolver.h): a change of it finds the files that it
 * affects.
 */

struct arena;
struct facts;
struct map;

/*
 * Maps each key to a hash of everything that a lookup of that key can see of this file: a
 * definition's qualified name, kind, parent, type, bases and visibility; a module path; the file's
 * package and re-exports.  Lines and bodies are not included.  Values are pointers to uint64_t in
 * `a`; the caller frees the map.  Two versions of a file differ for others in the keys that only
 * one version has, or whose hashes differ.
 */
struct map *file_interface_keys(
    const char *path, const char *language, const struct facts *, struct arena *a);
#endif
