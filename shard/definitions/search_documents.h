#ifndef SHARD_DEFINITIONS_SEARCH_DOCUMENTS_H
#define SHARD_DEFINITIONS_SEARCH_DOCUMENTS_H
/* Divides a file into search documents: every byte that is not blank is in exactly one of them. */

#include <stddef.h>

struct arena;
struct facts;
struct found_definitions;

/*
 * Fill f->documents and f->lines.  `found` is NULL if the file is only text.  Bodies point into
 * `text` or live in the arena.
 */
void search_documents_split(const char *text, size_t n, const struct found_definitions *found,
    struct arena *, struct facts *f);
#endif
