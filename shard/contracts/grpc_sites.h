#ifndef SHARD_CONTRACTS_GRPC_SITES_H
#define SHARD_CONTRACTS_GRPC_SITES_H
/*
 * The captures of queries with `emits: grpc.*` become locals of the file, which grpc.c reads once
 * all files are known:
 *   //Method               a handler that is registered with a server
 *   //                     all methods of a registered object, which is the type of the local
 *   the name at @bind      a stub
 * The value of the local is the expression that names the service; if a string names it, the type
 * is /Service.
 */

struct facts;
struct found_definitions;
struct framework;
struct syntax_tree;

void grpc_sites(const struct framework *, struct syntax_tree *, const struct found_definitions *,
    struct facts *out);
#endif
