#ifndef SHARD_CONTRACTS_SPECS_OPERATIONS_H
#define SHARD_CONTRACTS_SPECS_OPERATIONS_H
/*
 * Requests that a document says are answered: OpenAPI, AWS SAM, the Serverless Framework,
 * google.api.http in .proto files.  Who answers them is found when all files are known
 * (bind_handlers.h).
 */

#include <stddef.h>
#include <stdint.h>

#include "shard/facts/operation.h"

struct arena;
struct facts;

/* What a text of `language` says, in order, into out->operations, in the arena. */
void operations_find(
    const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/* Requests that collections, plans and .http files make, into out->contracts in order of line. */
void collections_find(
    const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/*
 * The requests that functions of a generated client make and the routes of a generated server,
 * into out->operations; after its definitions and contracts are known.
 */
void generated_find(const char *text, size_t n, struct arena *, struct facts *out);

/* The name of an operation out of that of one of its functions: NewGetPetRequest is getPet. */
const char *generated_name(const char *name, struct arena *);

/* ---- the forms; each returns how many, in the arena ---- */

struct yaml;

size_t openapi_find(const struct yaml *, struct arena *, struct operation **out);
/* paths in a file of their own */
size_t openapi_items(const struct yaml *, struct arena *, struct operation **out);
size_t serverless_find(const struct yaml *, struct arena *, struct operation **out);
size_t transcoding_find(const char *text, size_t n, struct arena *, struct operation **out);
#endif
