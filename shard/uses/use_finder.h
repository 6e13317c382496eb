#ifndef SHARD_USES_USE_FINDER_H
#define SHARD_USES_USE_FINDER_H
/*
 * Finds the uses of other repositories' definitions in the code of this one.
 */

#include <stddef.h>
#include <stdint.h>

struct arena;
struct db;
struct err;
struct external_repository;
struct map;

/* One occurrence.  Its strings live in the arena. */
struct found_use {
	const char *path;		/* where it is, and in which definition; NULL: the file's top */
	const char *in;
	uint32_t line;
	const char *kind;		/* as of edges: CALLS, REFERENCES, IMPORTS, EXTENDS, ... */
	int confidence;			/* in hundredths */
	const char *reason;
	size_t repository;		/* index of the external repository */
	const char *target_path, *symbol, *symbol_kind;	/* the definition, by its qualified name */
};

struct found_uses {
	struct found_use *v;		/* found_uses_free */
	size_t n, cap;
	/*
	 * names of external definitions -> how many references by that name have a receiver of which
	 * nothing is known: any of them may be a use (uintptr_t)
	 */
	struct map *unclear;
};

void found_uses_free(struct found_uses *);

/* Adds the uses in all files of the index, by path and line. */
int uses_find(struct db *, const struct external_repository *, size_t n, struct arena *,
    struct found_uses *out, struct err *);
#endif
