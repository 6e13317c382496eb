#ifndef SHARD_INTERFACES_INTERFACE_FACTS_H
#define SHARD_INTERFACES_INTERFACE_FACTS_H
/*
 * The part of a file's facts that code of other repositories can see.
 */

#include <stdbool.h>
#include <stddef.h>

#include "shard/base/kinds.h"

struct arena;
struct definition;
struct dialect;
struct facts;

/* Whether others may include the file, or import it; otherwise they see only its functions. */
bool interface_is_included(const struct dialect *, const char *path);

/*
 * For each definition of a file its index in the interface, or -1; in `a`.  Reads only `kind`,
 * `parent`, `exported` and `test`.
 */
int *interface_places(const struct definition *, size_t n, bool included, struct arena *a);

/* Whether such a definition is a namespace of C++ or C#, which nobody defines alone. */
bool interface_is_namespace(const struct dialect *, enum kind);

/*
 * Stores in `out` the definitions outside of functions, what their types depend on, and what the
 * file imports; in `a`, with strings of `f`.  What is inside functions, references, positions and
 * tests are left out, so that a change of a body alone changes nothing.  `included`: as
 * interface_is_included says.
 */
void interface_facts(const struct facts *f, bool included, struct arena *a, struct facts *out);
#endif
