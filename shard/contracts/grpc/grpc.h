#ifndef SHARD_CONTRACTS_GRPC_GRPC_H
#define SHARD_CONTRACTS_GRPC_GRPC_H
/*
 * gRPC in one file: the methods that its types implement, and the calls that it makes of stubs.
 * By names alone: generated code calls things after the service (modules.tab: stub, servicer),
 * wherever it is.  Packages and methods come from the .proto files and the generated code of the
 * repository; without either the path has no package.
 */

#include <stddef.h>

#include "shard/program/resolver.h"

struct fact_list;

/*
 * Append the facts of the file that `l` has begun with; their strings live in l->a or with the
 * world.
 */
void grpc_find(struct name_resolver *l, struct fact_list *out);

/*
 * What a generated text says of services: for each "/package.Service/Method" in it a local of the
 * file that is called /Service/Method, of the type package.Service.  Into out->locals; nothing for
 * a text that is not generated.
 */
void grpc_find_generated_names(const char *text, size_t n, struct arena *, struct facts *out);
#endif
