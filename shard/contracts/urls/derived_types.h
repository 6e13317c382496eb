#ifndef SHARD_CONTRACTS_URLS_DERIVED_TYPES_H
#define SHARD_CONTRACTS_URLS_DERIVED_TYPES_H
/*
 * What a type's code means for the type that an object really is (asking.self): members that it
 * replaces, and what its constructor hands to that of the base.  `return get(baseUrl() + path)` of
 * a base class is another URL for each class derived from it.
 */

#include "shard/contracts/urls/dataflow.h"

/* The innermost type around a node, as an index of its file, or -1. */
int enclosing_type_index(const struct contract_file *, TSNode);

/*
 * The member of that name of the asking's own type, or of one between it and the type around the
 * node; -1: there is none nearer.
 */
int derived_override(struct dataflow_context *, struct expression, const char *name, size_t n,
    struct contract_file **in);

/*
 * The calls of the type's constructor by that of the type below it, on the way to the asking's
 * own: how many; 0: it is of that very type.
 */
size_t derived_constructor_calls(struct dataflow_context *, struct contract_file *, int type,
    struct expression *out, size_t max);

/*
 * The class's node when that is what an instance is made with parameters of (Kotlin, C#), one of
 * them of that name; else null.
 */
TSNode derived_primary_constructor(
    const struct contract_file *, int type, const char *name, size_t n);
#endif
