#ifndef SHARD_USES_GONE_NAMES_H
#define SHARD_USES_GONE_NAMES_H
/*
 * Names that code takes from modules of other repositories, and that these no longer have: the code
 * was written for another version.  A module counts only if its code shows all of its names.
 */

#include <stdbool.h>

struct import;
struct name_resolver;
struct reference;
struct source_file;

struct lacking_module {
	const struct source_file *file;		/* NULL: no module lacks the name */
	bool in_folder;				/* the module is all files of its folder */
};

/* The module that lacks the name of an import. */
struct lacking_module gone_import(struct name_resolver *, const struct import *);

/* The module that lacks a member, `client.Connect`, to which no edge leads. */
struct lacking_module gone_member(struct name_resolver *, const struct reference *);
#endif
