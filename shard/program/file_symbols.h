#ifndef SHARD_PROGRAM_FILE_SYMBOLS_H
#define SHARD_PROGRAM_FILE_SYMBOLS_H
/*
 * A file of a world (program.h): what of its facts others see, and looking that up by qualified
 * name.
 */

#include "shard/program/program.h"

/* Made of facts; it is the world's, as its strings are.  Nothing of the facts is kept. */
struct file_symbols *file_symbols_new(
    struct program *, const struct source_file *, const struct facts *);

/*
 * Indices of the definitions with that qualified name, or below it: its members and theirs, in
 * order of qualified name.
 */
const uint32_t *file_symbols_find(const struct file_symbols *, const char *qualified, size_t *n);
const uint32_t *file_symbols_find_members(
    const struct file_symbols *, const char *qualified, size_t *n);

/* The first local of a definition, or where it would stand: they are in order of definitions. */
size_t file_symbols_first_local(const struct file_symbols *, int definition);
#endif
