#ifndef SHARD_SEARCH_SYMBOL_IDS_H
#define SHARD_SEARCH_SYMBOL_IDS_H
/*
 * Finds what an id of an answer names: path#qualified, or the path of a file.  An id is compared as
 * a whole, because paths and names may contain any character, such as dots, slashes and `#`.
 */

#include "shard/search/symbol_lookup.h"

/* The columns of symbol_candidate_of_row, of symbols s, files f and the parent p. */
#define SYMBOL_CANDIDATE_COLUMNS \
	"s.name, s.qualified, s.kind, s.signature, s.doc, f.path, s.start_line, s.end_line," \
	" p.qualified, s.exported, s.test, s.id, s.file, ifnull(s.parent, 0)"
struct symbol_candidate symbol_candidate_of_row(struct stmt *, struct arena *);

/* Finds the file with this path: 1, 0 if there is none, or -1. */
int symbol_ids_file(
    struct db *, const char *path, struct symbol_candidate *out, struct arena *, struct err *);

/*
 * Finds the definitions whose id is q->symbol, as far as the query's path and kind allow, at most
 * `max`.  1: it is an id, or begins with the path of a file and a `#`, even if `n` is 0 then; 0: it
 * is something else; -1: failed.
 */
int symbol_ids_find(struct db *, const struct symbol_query *, struct symbol_candidate *v,
    size_t max, size_t *n, struct arena *, struct err *);
#endif
