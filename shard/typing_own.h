#ifndef SHARD_TYPING_OWN_H
#define SHARD_TYPING_OWN_H
/* Between typing.c and typing_types.c. */

#include "shard/value.h"

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
