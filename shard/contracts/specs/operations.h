#ifndef SHARD_CONTRACTS_SPECS_OPERATIONS_H
#define SHARD_CONTRACTS_SPECS_OPERATIONS_H
/*
 * Requests that documents declare: OpenAPI, AWS SAM, the Serverless Framework, google.api.http in
 * .proto files.  Their handlers are found once all files are known (bind_handlers.h).
 */

#include <stddef.h>
#include <stdint.h>

#include "shard/facts/operation.h"

struct arena;
struct facts;

/* Read the operations of a text of `language`, in order, into out->operations, in the arena. */
void operations_find(
    const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/* Read the requests of collections, test plans and .http files into out->contracts, by line. */
void collections_find(
    const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/* Read the routes of a table in a file of its own, Play's conf/routes, into out->contracts. */
void route_tables_find(
    const char *language, const char *text, size_t n, struct arena *, struct facts *out);

/*
 * Read the requests of a generated client's functions and the routes of a generated server into
 * out->operations.  Call it after the file's definitions and contracts are known.
 */
void generated_find(const char *text, size_t n, struct arena *, struct facts *out);

/* The name of an operation from the name of one of its functions: NewGetPetRequest is getPet. */
const char *generated_name(const char *name, struct arena *);

/* ---- the forms; each returns how many, in the arena ---- */

struct yaml;

size_t openapi_find(const struct yaml *, struct arena *, struct operation **out);
/* paths in a file of their own */
size_t openapi_items(const struct yaml *, struct arena *, struct operation **out);
size_t serverless_find(const struct yaml *, struct arena *, struct operation **out);
size_t transcoding_find(const char *text, size_t n, struct arena *, struct operation **out);
#endif
