#ifndef SHARD_CONTRACTS_URLS_DERIVED_TYPES_H
#define SHARD_CONTRACTS_URLS_DERIVED_TYPES_H
/*
 * What a type's code means for an object of a derived type (dataflow_context.self): members that
 * the derived type overrides, and the arguments that its constructor passes to the base's.  `return
 * get(baseUrl() + path)` of a base class is another URL for each derived class.
 */

#include "shard/contracts/urls/dataflow.h"

/* The innermost type around a node, as an index of its file, or -1. */
int enclosing_type_index(const struct contract_file *, TSNode);

/*
 * The member of that name in the context's own type, or in a type between it and the type around
 * the node; -1 if there is none.
 */
int derived_override(struct dataflow_context *, struct expression, const char *name, size_t n,
    struct contract_file **in);

/* Whether the definition is a member of the type that stands outside of it: in `impl T`. */
bool derived_is_outside_member(const struct contract_file *, const struct definition *, int type);

/* Whether a type is another one, or derived from it. */
bool derived_is(struct dataflow_context *, struct type_ref, struct type_ref base);

/*
 * The type of the object that the code at an expression belongs to: that on which the function
 * around it is called, else the context's own, else the type around it.  None: there is no object.
 */
struct type_ref derived_self(struct dataflow_context *, struct expression);

/* Whether a call is of a method of the object that the code belongs to. */
bool derived_own_call(struct expression call);

/* The type of an object (null: that to which the code around belongs); none if it is unknown. */
struct type_ref derived_object_type(struct dataflow_context *, struct expression at, TSNode object);

/* The type of the object that a method is called on; none if it is unknown. */
struct type_ref derived_receiver(struct dataflow_context *, struct expression call);

/*
 * The calls of the type's constructor by the constructor of the next derived type on the way to
 * `self`.  Returns how many; 0 if the object is of the type itself.
 */
size_t derived_constructor_calls(struct dataflow_context *, struct type_ref self,
    struct contract_file *, int type, struct expression *out, size_t max);

/*
 * The node of a class that has constructor parameters itself (Kotlin, C#), one of them with the
 * name; else null.
 */
TSNode derived_primary_constructor(
    const struct contract_file *, int type, const char *name, size_t n);
#endif
