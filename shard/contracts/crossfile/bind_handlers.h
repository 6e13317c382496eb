#ifndef SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_H
#define SHARD_CONTRACTS_CROSSFILE_BIND_HANDLERS_H
/*
 * Binds operations of documents (operations.h) to their handlers.  The function that an operation
 * names, by lang/answers.tab, becomes the place of a route whose evidence is the document, unless
 * code registers the route itself.  The facts, `joined` 3 in the table contracts, are a function of
 * all other rows of the index and of the texts of manifests.
 */

#include <stddef.h>
#include <stdint.h>

struct db;
struct err;
struct text_source;

/*
 * Write the facts of documents, after all others; 0 or -1.  *changed (`changed` may be NULL): the
 * documents whose facts changed; the caller frees it.
 */
int bind_handlers_run(
    struct db *, const struct text_source *, int64_t **changed, size_t *n, struct err *e);
#endif
