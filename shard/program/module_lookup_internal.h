#ifndef SHARD_PROGRAM_MODULE_LOOKUP_INTERNAL_H
#define SHARD_PROGRAM_MODULE_LOOKUP_INTERNAL_H
/* Shared by module_lookup.c (which module a name means) and module_members.c (what it contains). */

#include "shard/program/name_resolution.h"

static inline struct resolved_value module_external(void)
{
	return (struct resolved_value){ .what = RESOLVED_EXTERNAL };
}

static inline struct resolved_value module_package(const char *package)
{
	return (struct resolved_value){
		.what = RESOLVED_PACKAGE,
		.text = package,
		.confidence = CONFIDENCE_IMPORT,
		.reason = "import",
	};
}

/* The definitions of a full name, or RESOLVED_UNKNOWN. */
struct resolved_value module_symbols(struct name_resolver *, const char *full);

/* A copy of the module's name with `/` for each separator. */
const char *module_to_path(struct arena *, const char *module, char separator);
#endif
