#ifndef SHARD_CONTRACTS_GRPC_GRPC_H
#define SHARD_CONTRACTS_GRPC_GRPC_H
/*
 * gRPC in one file: the methods that its types implement, and its calls of stubs.  They are found
 * by names alone, because generated code derives its names from the service (modules.tab: stub,
 * servicer).  Packages and methods come from the .proto files and the generated code of the
 * repository; without either, the path has no package.
 */

#include <stddef.h>

#include "shard/program/resolver.h"

struct fact_list;

/* Append the facts of the resolver's current file; their strings live in l->a or in the program. */
void grpc_find(struct name_resolver *l, struct fact_list *out);

/*
 * Append the services of a generated text to out->locals: for each "/package.Service/Method", a
 * local with the name /Service/Method and the type package.Service.  Nothing for other texts.
 */
void grpc_find_generated_names(const char *text, size_t n, struct arena *, struct facts *out);
#endif
