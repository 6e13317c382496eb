#ifndef SHARD_PROGRAM_MODULE_PATHS_H
#define SHARD_PROGRAM_MODULE_PATHS_H
/*
 * What a file's path, and what its facts alone, mean for others: shared by the look-ups and by
 * file_interface_keys.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct dialect;
struct facts;

/* The names by which modules reach a file.  Strings live in the arena. */
struct module_paths {
	const char *dir, *stem;		/* its folder, "" at the root; its name without extension */
	const char *paths[3];		/* itself, without extension, the folder that it is the index of */
	const char *words[2];		/* last parts of modules that can mean it: stem, folder's name */
	size_t npaths, nwords;
};

void module_paths_of(
    const char *path, const struct dialect *, struct arena *, struct module_paths *out);

/* The package of a file: declared, or by its path where the dialect says so; NULL: none. */
const char *module_paths_package(
    const char *path, const char *declared, const struct dialect *, struct arena *);

/*
 * Which locals types of others depend on: fields that methods assign, and everything local to
 * functions that do so or that have a value (what they return).  One flag each, in `a`.
 */
bool *facts_shared_locals(const struct facts *, struct arena *a);

/* Whether a function is called on its first parameter as if it were a method of it: C#'s `this`. */
bool signature_is_extension(const char *signature);	/* NULL is fine */

/* How many arguments each definition takes, by its parameters; most -1: any number. */
void facts_arity(const struct facts *, int8_t *least, int8_t *most);
#endif
