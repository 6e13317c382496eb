#ifndef SHARD_PROGRAM_TYPE_INFERENCE_INTERNAL_H
#define SHARD_PROGRAM_TYPE_INFERENCE_INTERNAL_H
/* Shared by type_inference.c, type_inference_members.c and type_inference_names.c. */

#include "shard/program/name_resolution.h"

enum { MAX_EXPRESSION_DEPTH = 12 };	/* of nested expressions */

/* The length of a type's name, before its arguments. */
size_t type_name_length(const char *type);
/* The last argument of `Map<String,List<User>>`: List<User>; NULL if there is none. */
const char *type_last_argument(struct arena *, const char *type);
/* Whether the members of such a type are those of its last argument: Promise<User>. */
bool type_is_transparent(const struct dialect *, const char *type);
/* Whether the type is written as `self` or `static`. */
bool type_is_self(const struct dialect *, const char *type);
/* What follows self:: at the beginning of a path, a name at the top of the module; or NULL. */
const char *name_in_own_module(const struct dialect *, const char *path);
/* An instance of one of the types, if the value is types; otherwise the value itself. */
struct resolved_value type_instance(struct resolved_value types);
/* The result of a call of a definition. */
struct resolved_value infer_call_result(struct name_resolver *, const struct sym *);
/* The element of a container. */
struct resolved_value infer_element(struct name_resolver *, struct resolved_value);
#endif
