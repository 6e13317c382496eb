#ifndef SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_H
#define SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_H
/*
 * Who answers what documents speak of (operations.h): the function that an operation names, by
 * lang/answers.tab, becomes the place of a route whose evidence is the document; one that code
 * registers itself is none.  The facts, `joined` 3 in the table contracts, are a function of all
 * other rows of the index and of the manifests' texts.
 */

#include <stddef.h>
#include <stdint.h>

struct db;
struct err;
struct text_source;

/*
 * Write the facts of documents, after all others.  *changed (NULL: not wanted): the documents
 * whose facts are others now, malloc'd; the caller frees it.
 */
int bind_handlers_run(
    struct db *, const struct text_source *, int64_t **changed, size_t *n, struct err *e);
#endif
