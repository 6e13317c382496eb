#ifndef SHARD_PROGRAM_TYPE_INFERENCE_INTERNAL_H
#define SHARD_PROGRAM_TYPE_INFERENCE_INTERNAL_H
/* Between type_inference.c and type_inference_names.c. */

#include "shard/program/name_resolution.h"

enum { MAX_EXPRESSION_DEPTH = 12 };		/* expressions within expressions */

/* How long the name of a type is, before its arguments. */
size_t type_name_length(const char *type);
/* The last argument of `Map<String,List<User>>`: List<User>; NULL: none. */
const char *type_last_argument(struct arena *, const char *type);
/* Whether members of such a type are those of its last argument: Promise<User>. */
bool type_is_transparent(const struct dialect *, const char *type);
/* A type that is said as `self`, `static`. */
bool type_is_self(const struct dialect *, const char *type);
#endif
