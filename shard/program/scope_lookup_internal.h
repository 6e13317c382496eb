#ifndef SHARD_PROGRAM_SCOPE_LOOKUP_INTERNAL_H
#define SHARD_PROGRAM_SCOPE_LOOKUP_INTERNAL_H
/* Shared by scope_lookup.c, scope_lookup_imports.c and scope_lookup_exports.c. */

#include "shard/program/name_resolution.h"

enum { MAX_EXPORT_DEPTH = 12 };	/* of nested exports and imports */

/* A name that an import of the definition (-1: of the file's top level) introduces. */
struct resolved_value scope_find_imported(
    struct name_resolver *, struct source_file *, int definition, const char *name);

/* A name of a module whose names are all imported. */
struct resolved_value scope_find_star_imported(
    struct name_resolver *, struct source_file *, const char *name);

/* The value of a local, by its declared type or by what it is set to. */
struct resolved_value scope_local_value(
    struct name_resolver *, struct source_file *, const struct local *);

/* The definitions of a qualified name in a file. */
struct resolved_value scope_find_definitions(struct name_resolver *, struct source_file *,
    const char *qualified, int confidence, const char *reason);
#endif
