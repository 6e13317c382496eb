#ifndef SHARD_PROGRAM_MODULE_PATHS_H
#define SHARD_PROGRAM_MODULE_PATHS_H
/*
 * What follows for other files from a file's path, or from its facts alone.  Shared by the lookups
 * and by file_interface_keys.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct dialect;
struct facts;

/* The names that imports use for a file.  Strings live in the arena. */
struct module_paths {
	const char *dir, *stem;		/* its folder ("" at the root); its name without extension */
	const char *paths[3];		/* its path, with and without extension; the folder of an index */
	const char *words[2];		/* last parts of modules that can mean it: stem, folder's name */
	size_t npaths, nwords;
};

void module_paths_of(
    const char *path, const struct dialect *, struct arena *, struct module_paths *out);

/* The package of a file: declared, or by its path if the dialect wants that; or NULL. */
const char *module_paths_package(
    const char *path, const char *declared, const struct dialect *, struct arena *);

/*
 * The locals that types of other files depend on: fields that methods assign, and the locals of
 * functions that assign fields or have a value (what they return).  One flag each, in `a`.
 */
bool *facts_shared_locals(const struct facts *, struct arena *a);

/* Whether a function is called like a method of its first parameter: C#'s `this`.  NULL is fine. */
bool signature_is_extension(const char *signature);

/* The minimum and maximum number of arguments of each definition; a maximum of -1 = any number. */
void facts_arity(const struct facts *, int8_t *least, int8_t *most);
#endif
