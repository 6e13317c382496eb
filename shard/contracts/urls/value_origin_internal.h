#ifndef SHARD_CONTRACTS_URLS_VALUE_ORIGIN_INTERNAL_H
#define SHARD_CONTRACTS_URLS_VALUE_ORIGIN_INTERNAL_H
/* The parts of origin: names and members (origin), what modules export (origin_modules), calls and new objects (origin_calls). */

#include <string.h>

#include "shard/contracts/urls/dataflow.h"
#include "shard/syntax/node_rules.h"

enum { ORIGIN_DEEP = 24, LONGEST_NAME = 120 };

/* ---- value_origin.c ---- */

/* Of which nothing is known. */
extern const struct origin origin_unknown;

/* An expression that is what it is; `name` may be NULL. */
struct origin origin_at_node(struct reading *, TSNode, const struct given *, const char *name);

/* Where what a binding gives is made. */
struct origin origin_at_binding(struct asking *, struct reading *, const struct binding *, const struct given *);

/* Where the value of a definition is made, or the definition itself. */
struct origin origin_at_definition(struct asking *, struct reading *, int index);

/* What a type that the object is of says in place of what stands here. */
struct origin origin_derived(struct asking *, struct term, const char *name, size_t n);

/* Where an expression's value is made; a module stays one. `name`: what it was called last, or NULL. */
struct origin origin_follow(struct asking *, struct term, const char *name);

/* ---- value_origin_modules.c ---- */

/* What a module is when it is asked for as a whole. */
struct origin origin_default(struct asking *, struct reading *);

/* What a module exports under the name; `depth`: so many modules offered it again. */
struct origin origin_exported(struct asking *, struct reading *, const char *name, int depth);

/* A member that is put into an object after it is made: `api = {}; api.get = ...`. */
struct origin origin_assigned(struct asking *, const struct origin *object, const char *name);

/* What a name is that an import gives the file, when it is no definition there: a member of what the module exports. */
struct origin origin_imported(struct asking *, struct reading *, const char *name);

/* What resolve knows of a name or chain. */
struct origin origin_elsewhere(struct asking *, struct term, const char *chain);

/* ---- value_origin_calls.c ---- */

/* What the type gives to a member of its new instance: new Users().router. */
struct origin origin_made(struct asking *, struct term made, const char *name);

/* What a call of a function of this repository gives back, when that is one thing; else the call itself. */
struct origin origin_call(struct asking *, struct term, const struct expr_rule *);

#endif
