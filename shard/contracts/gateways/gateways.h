#ifndef SHARD_CONTRACTS_GATEWAYS_GATEWAYS_H
#define SHARD_CONTRACTS_GATEWAYS_GATEWAYS_H
/*
 * What gateways and proxies send on, and where, out of their configuration: facts of the side
 * `forwards`, for the coordinator's matcher.  Those in code are queries (lang/.../routes/, emits:
 * http.forwards).
 */

#include <stddef.h>

struct arena;
struct facts;

/* Add what the file says to its contracts; nothing for a file that is none, or is broken. */
void gateways_read(const char *path, const char *text, size_t n, struct arena *, struct facts *out);
#endif
