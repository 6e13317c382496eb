#ifndef SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_CODE_H
#define SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_CODE_H
/* Rewriting of gateways as programs write it. */

#include "shard/contracts/gateways/path_rewrite.h"

/*
 * Do what the text of an expression says: `path => path.replace(/^\/api/, '')`, `{ '^/api': '' }`,
 * `f -> f.stripPrefix(1)`; nothing where it cannot be understood.
 */
void path_rewrite_from_code(struct path_rewrites *, const char *code, struct arena *);

/* Templates with names, `/api/:id/:rest*` or `/api/{id}/{**rest}`, as this header's are. */
bool path_rewrite_add_named(
    struct path_rewrites *, const char *from, const char *to, struct arena *);
#endif
