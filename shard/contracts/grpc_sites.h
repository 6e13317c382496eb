#ifndef SHARD_CONTRACTS_GRPC_SITES_H
#define SHARD_CONTRACTS_GRPC_SITES_H
/*
 * What the queries of `emits: grpc.*` capture in a file becomes locals of it, which grpc.c reads
 * once all files are known:
 *   //Method            a handler that is given to a server, or //: all methods of the object that is (the type of the local)
 *   what @bind names    a stub
 * whose value is the expression that names the service, or whose type is /Service where a string
 * does.
 */

struct facts;
struct found_definitions;
struct framework;
struct syntax_tree;

void grpc_sites(const struct framework *, struct syntax_tree *, const struct found_definitions *,
    struct facts *out);
#endif
