#ifndef SHARD_PROGRAM_MODULE_LOOKUP_INTERNAL_H
#define SHARD_PROGRAM_MODULE_LOOKUP_INTERNAL_H
/* Between module_lookup.c (which module a name means) and module_members.c (what is in it). */

#include "shard/program/name_resolution.h"

static inline struct value module_outside(void)
{
	return (struct value){ .what = OUTSIDE };
}

static inline struct value module_package(const char *package)
{
	return (struct value){ .what = IN_PACKAGE, .text = package, .confidence = SURE_IMPORT, .reason = "import" };
}

/* The definitions of a full name, or NOTHING. */
struct value module_symbols(struct look *, const char *full);

/* A copy of the module's name with `/` for each separator. */
const char *module_slashed(struct arena *, const char *module, char separator);
#endif
