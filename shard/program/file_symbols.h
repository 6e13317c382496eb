#ifndef SHARD_PROGRAM_FILE_SYMBOLS_H
#define SHARD_PROGRAM_FILE_SYMBOLS_H
/* A file of a world (program.h): what of its facts others see, and looking that up by qualified name. */

#include "shard/program/program.h"

/* Made of facts; it is the world's, as its strings are.  Nothing of the facts is kept. */
struct unit *unit_new(struct world *, const struct file *, const struct facts *);

/* Indices of the definitions with that qualified name, or below it: its members and theirs, in order of qualified name. */
const uint32_t *unit_find(const struct unit *, const char *qualified, size_t *n);
const uint32_t *unit_below(const struct unit *, const char *qualified, size_t *n);

/* The first local of a definition, or where it would stand: they are in order of definitions. */
size_t unit_locals(const struct unit *, int definition);
#endif
