#ifndef SHARD_PROGRAM_TYPE_INFERENCE_INTERNAL_H
#define SHARD_PROGRAM_TYPE_INFERENCE_INTERNAL_H
/* Between type_inference.c and type_inference_names.c. */

#include "shard/program/name_resolution.h"

enum { DEEPEST = 12 };		/* expressions within expressions */

/* How long the name of a type is, before its arguments. */
size_t typing_head(const char *type);
/* The last argument of `Map<String,List<User>>`: List<User>; NULL: none. */
const char *typing_last_argument(struct arena *, const char *type);
/* Whether members of such a type are those of its last argument: Promise<User>. */
bool typing_through(const struct dialect *, const char *type);
/* A type that is said as `self`, `static`. */
bool typing_self(const struct dialect *, const char *type);
#endif
