#ifndef SHARD_CONTRACTS_URLS_OBJECT_FIELDS_H
#define SHARD_CONTRACTS_URLS_OBJECT_FIELDS_H
/* Objects with keys as files write them: options of a request, tables of URLs. */

#include "shard/syntax/syntax_tree.h"

/*
 * The value of one of `keys` (separated by blanks) in the object that `n` means.  Follows names,
 * casts, spreads and merged objects of the same file; the last value counts.  A null node: there is
 * no such key, or the object is unknown.
 */
TSNode object_field(const struct syntax_tree *, TSNode n, const char *keys);

/* The value of `object.key` in an object of this file; a null node if it is unknown. */
TSNode object_member(const struct syntax_tree *, TSNode);
#endif
