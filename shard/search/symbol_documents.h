#ifndef SHARD_SEARCH_SYMBOL_DOCUMENTS_H
#define SHARD_SEARCH_SYMBOL_DOCUMENTS_H
/* Documents that represent the symbols which a search finds by name. Errors go to the search's `e`. */

#include <stdint.h>

struct search_context;

/* The document of a symbol itself; 0 if it has none. */
int64_t symbol_document(struct search_context *, int64_t symbol, int64_t file);

/*
 * The best document of a file that passes the filters, for a search for files that mention a symbol
 * among other things; `doc` if no document has a score.
 */
int64_t symbol_document_of_file(struct search_context *, int64_t doc, int64_t file);

/*
 * The smallest document around a line of a file among those with a score, and of equal ones the one
 * with the higher score; 0 if there is none.  The search remembers the documents of a file.
 */
int64_t symbol_document_around(struct search_context *, int64_t file, int64_t line);
void symbol_documents_free(struct search_context *);
#endif
