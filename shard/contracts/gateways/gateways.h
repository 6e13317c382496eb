#ifndef SHARD_CONTRACTS_GATEWAYS_GATEWAYS_H
#define SHARD_CONTRACTS_GATEWAYS_GATEWAYS_H
/*
 * What gateways and proxies forward, and where, read from their configuration: facts of the side
 * `forwards`, for the coordinator's matcher.  Gateways in code are found by queries
 * (lang/.../routes/, emits: http.forwards).
 */

#include <stddef.h>

struct arena;
struct facts;

/* Add the facts of a configuration to its contracts; nothing for another or a broken file. */
void gateways_read(const char *path, const char *text, size_t n, struct arena *, struct facts *out);
#endif
