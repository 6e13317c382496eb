#ifndef SHARD_SEARCH_SYMBOL_LOOKUP_H
#define SHARD_SEARCH_SYMBOL_LOOKUP_H
/* Definitions and files by what people call them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

struct symbol_query {
	const char *symbol;	/* name, qualified name (with . :: # or ->), id, or the path of a file */
	const char *path;	/* keep only this file or what is below this folder; NULL or "": all */
	const char *kind;	/* keep only this kind; NULL or "": all */
};

struct symbol_candidate {
	struct symbol y;
	int64_t file, id;	/* id 0: the file itself */
	int64_t parent;
	int fit;		/* how well it is what was asked for, higher is better */
};

/* All that fit, best first, in the order of path and line. */
int symbol_lookup_all(struct db *, const struct symbol_query *, struct symbol_candidate **v,
    size_t *n, struct arena *, struct err *);

/* What a request is about: one definition, or several that it may mean. */
struct symbol_target {
	const struct symbol *symbol;	/* NULL: several fit equally well */
	int64_t file;
	/* of the definition and of others of its name in its file (overloads); 0: the file */
	int64_t *ids;
	size_t nids;
	struct symbol *candidates;	/* best first, at most `limit`; only without a symbol */
	size_t ncandidates, total;
};

/*
 * Code is meant before headings, code that is no test before tests, a type before its constructor.
 * INVALID_INPUT for an empty name; NOT_FOUND names what is near.
 */
int symbol_lookup_target(struct db *, const struct symbol_query *, size_t limit,
    struct symbol_target *, struct arena *, struct err *);

/*
 * The innermost definition around a line, else the file itself; NOT_FOUND: no such file in the
 * index.
 */
int symbol_lookup_line(
    struct db *, const char *path, uint64_t line, int64_t *file, int64_t *symbol, struct err *);
#endif
