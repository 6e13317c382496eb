#ifndef SHARD_CONTRACTS_URLS_VALUE_ORIGIN_INTERNAL_H
#define SHARD_CONTRACTS_URLS_VALUE_ORIGIN_INTERNAL_H
/*
 * The parts of origin: names and members (origin), what modules export (origin_modules), calls and
 * new objects (origin_calls).
 */

#include <string.h>

#include "shard/contracts/urls/dataflow.h"
#include "shard/syntax/node_rules.h"

enum { ORIGIN_DEEP = 24, LONGEST_NAME = 120 };

/* ---- value_origin.c ---- */

/* Of which nothing is known. */
extern const struct origin origin_unknown;

/* An expression that is what it is; `name` may be NULL. */
struct origin origin_at_node(
    struct contract_file *, TSNode, const struct call_frame *, const char *name);

/* Where what a binding gives is made. */
struct origin origin_at_binding(struct dataflow_context *, struct contract_file *,
    const struct binding *, const struct call_frame *);

/* Where the value of a definition is made, or the definition itself. */
struct origin origin_at_definition(struct dataflow_context *, struct contract_file *, int index);

/* What a type that the object is of says in place of what stands here. */
struct origin origin_derived(
    struct dataflow_context *, struct expression, const char *name, size_t n);

/*
 * Where an expression's value is made; a module stays one. `name`: what it was called last, or
 * NULL.
 */
struct origin origin_follow(struct dataflow_context *, struct expression, const char *name);

/* ---- value_origin_modules.c ---- */

/* What a module is when it is asked for as a whole. */
struct origin origin_default_export(struct dataflow_context *, struct contract_file *);

/* What a module exports under the name; `depth`: so many modules offered it again. */
struct origin origin_exported(
    struct dataflow_context *, struct contract_file *, const char *name, int depth);

/* A member that is put into an object after it is made: `api = {}; api.get = ...`. */
struct origin origin_assigned_member(
    struct dataflow_context *, const struct origin *object, const char *name);

/*
 * What a name is that an import gives the file, when it is no definition there: a member of what
 * the module exports.
 */
struct origin origin_imported(struct dataflow_context *, struct contract_file *, const char *name);

/* What resolve knows of a name or chain. */
struct origin origin_other_file(struct dataflow_context *, struct expression, const char *chain);

/* ---- value_origin_calls.c ---- */

/* What the type gives to a member of its new instance: new Users().router. */
struct origin origin_instance_member(
    struct dataflow_context *, struct expression made, const char *name);

/*
 * What a call of a function of this repository gives back, when that is one thing; else the call
 * itself.
 */
struct origin origin_call(struct dataflow_context *, struct expression, const struct expr_rule *);

#endif
