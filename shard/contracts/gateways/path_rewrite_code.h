#ifndef SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_CODE_H
#define SHARD_CONTRACTS_GATEWAYS_PATH_REWRITE_CODE_H
/* Path rewrites of gateways that are written in code. */

#include "shard/contracts/gateways/path_rewrite.h"

/*
 * Apply the rewrite in the text of an expression: `path => path.replace(/^\/api/, '')`,
 * `{ '^/api': '' }`, `f -> f.stripPrefix(1)`.  Does nothing if it cannot be understood.
 */
void path_rewrite_from_code(struct path_rewrites *, const char *code, struct arena *);

/*
 * Add a rewrite between templates with named parameters, `/api/:id/:rest*` or
 * `/api/{id}/{**rest}`; false if there is no room.
 */
bool path_rewrite_add_named(
    struct path_rewrites *, const char *from, const char *to, struct arena *);
#endif
