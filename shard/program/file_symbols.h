#ifndef SHARD_PROGRAM_FILE_SYMBOLS_H
#define SHARD_PROGRAM_FILE_SYMBOLS_H
/*
 * A file of a program (program.h): the part of its facts that other files see, with lookup by
 * qualified name.
 */

#include "shard/program/program.h"

/* The result and its strings belong to the program; nothing points into the facts. */
struct file_symbols *file_symbols_new(
    struct program *, const struct source_file *, const struct facts *);

/*
 * Indices of the definitions with that qualified name, or below it (its members and theirs), in
 * order of qualified name.
 */
const uint32_t *file_symbols_find(const struct file_symbols *, const char *qualified, size_t *n);

/* False if no definition of the file has this name of its own, which is most often asked. */
bool file_symbols_may_have(const struct file_symbols *, const char *name);

const uint32_t *file_symbols_find_members(
    const struct file_symbols *, const char *qualified, size_t *n);

/* The index of the first local of a definition, or of the first one after it if it has none. */
size_t file_symbols_first_local(const struct file_symbols *, int definition);
#endif
