#ifndef SHARD_SEARCH_SYMBOL_LOOKUP_H
#define SHARD_SEARCH_SYMBOL_LOOKUP_H
/* Finds definitions and files by the names that people use for them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;
struct stmt;

struct symbol_query {
	const char *symbol;	/* name, qualified name (with . :: # or ->), id, or the path of a file */
	const char *path;	/* only in this file or below this folder; NULL or "" = anywhere */
	const char *kind;	/* only this kind; NULL or "" = any */
	int64_t until_ms;	/* when the search for similar names ends, monotonic; 0 = never */
};

/* The part of a request's time for that, in percent. */
enum { SIMILAR_NAMES_PERCENT = 50 };

/* The fit of a definition whose id was asked for. */
enum { SYMBOL_FIT_ID = 10 };

struct symbol_candidate {
	struct symbol y;
	int64_t file, id;	/* id 0 = the file itself */
	int64_t parent;
	int fit;		/* how well it matches the query; higher is better */
};

/*
 * The symbol in a row of: name, qualified, kind, signature, doc, path, start_line, end_line, the
 * parent's qualified name, exported, test.
 */
struct symbol symbol_of_row(struct stmt *, struct arena *);

/* Finds all candidates, best first, equal ones in order of path and line. */
int symbol_lookup_all(struct db *, const struct symbol_query *, struct symbol_candidate **v,
    size_t *n, struct arena *, struct err *);

/* The target of a request: one definition, or several candidates. */
struct symbol_target {
	const struct symbol *symbol;	/* NULL if several match equally well */
	int64_t file;
	int64_t *ids;			/* the definition and its overloads in the file; 0 = the file */
	size_t nids;
	struct symbol *candidates;	/* best first, at most `limit`; only without a symbol */
	size_t ncandidates, total;
};

/*
 * Finds the one definition that a query means: code is preferred to headings, other code to tests,
 * a type to its constructor. INVALID_INPUT for an empty name; NOT_FOUND lists similar names.
 */
int symbol_lookup_target(struct db *, const struct symbol_query *, size_t limit,
    struct symbol_target *, struct arena *, struct err *);

/*
 * Finds the innermost definition around a line, or else the file itself. NOT_FOUND: the file is not
 * in the index.
 */
int symbol_lookup_line(
    struct db *, const char *path, uint64_t line, int64_t *file, int64_t *symbol, struct err *);
#endif
