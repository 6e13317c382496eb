#ifndef SHARD_PROGRAM_MODULE_LOOKUP_INTERNAL_H
#define SHARD_PROGRAM_MODULE_LOOKUP_INTERNAL_H
/*
 * Shared by module_lookup.c (which module a name means), module_lookup_crates.c (which in a crate)
 * and module_members.c (what it contains).
 */

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

/* The definitions of a full name, else the package of that name, else RESOLVED_UNKNOWN. */
struct resolved_value module_symbols_or_package(struct name_resolver *, const char *full);

/* The module that crate, self or super at the beginning of a module means; NULL if it has none. */
const char *module_of_crate_word(
    struct name_resolver *, const struct source_file *from, const char *module);

/* The module with the crate's own name, if the root of this crate has renamed it; else `module`. */
const char *module_of_renamed_crate(
    struct name_resolver *, const struct source_file *from, const char *module);

/* A module in a crate whose root is the file of that name, `name.b.c`, or RESOLVED_UNKNOWN. */
struct resolved_value module_in_named_crate(
    struct name_resolver *, struct source_file *from, const char *module);

/* A module in the crate that a manifest names, `my_shop.b`, or RESOLVED_UNKNOWN. */
struct resolved_value module_in_manifest_crate(
    struct name_resolver *, const struct source_file *from, const char *module);

/* The manifest that names exactly this module, or NULL; one of the same repository comes first. */
struct source_file *module_manifest_of(
    struct name_resolver *, const struct source_file *from, const char *module);

/* Whether one of the files may name the other: they are of the same family of languages. */
bool module_is_related(const struct source_file *, const struct source_file *);

/* Whether the file represents its folder. */
bool module_is_index(const struct source_file *, const struct dialect *);

/* A copy of the module's name with `/` for each separator. */
const char *module_to_path(struct arena *, const char *module, char separator);
#endif
