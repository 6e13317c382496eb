#ifndef SHARD_USES_EXTERNAL_FILES_H
#define SHARD_USES_EXTERNAL_FILES_H
/*
 * The files of other repositories in a program, from the interfaces of their packages.  They stand
 * below a folder of their own for each repository, so that the rules for imports find them as if
 * all were one repository.
 */

#include <stddef.h>

#include "proto/record/record.h"

struct arena;
struct err;
struct program;
struct source_file;

struct external_repository {
	const char *repo_uri;
	const struct interface *interfaces;
	size_t ninterfaces;
};

/*
 * Adds the files to a program that is not finished.  `origin` of a file is the index of its
 * repository, plus one.  Files that cannot be decoded fail with INVALID_INPUT.
 */
int external_files_add(
    struct program *, const struct external_repository *, size_t n, struct err *);

/* The path of an external file in its own repository. */
const char *external_path(const struct source_file *);
#endif
