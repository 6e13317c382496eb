#ifndef SHARD_CONTRACTS_URLS_OBJECT_FIELDS_H
#define SHARD_CONTRACTS_URLS_OBJECT_FIELDS_H
/* Objects with keys as files write them: options of a request, tables of URLs. */

#include "shard/syntax/syntax_tree.h"

/*
 * The value of one of `keys` (separated by blanks) in the object that `n` means; names, casts,
 * spreads and merged objects of the same file are followed, what comes last counts.  A null node:
 * no such key, or no object that is known.
 */
TSNode object_field(const struct syntax_tree *, TSNode n, const char *keys);

/* What `object.key` is given in an object of this file; a null node: not known. */
TSNode object_member(const struct syntax_tree *, TSNode);
#endif
