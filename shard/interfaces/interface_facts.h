#ifndef SHARD_INTERFACES_INTERFACE_FACTS_H
#define SHARD_INTERFACES_INTERFACE_FACTS_H
/*
 * The part of a file's facts that code of other repositories can see.
 */

#include <stdbool.h>

struct arena;
struct facts;

/*
 * Stores in `out` the definitions outside of functions, what their types depend on, and what the
 * file imports; in `a`, with strings of `f`.  What is inside functions, references, positions and
 * tests are left out, so that a change of a body alone changes nothing.  `included`: others
 * may include the file, or import it; otherwise they see only its functions (sources of C).
 */
void interface_facts(const struct facts *f, bool included, struct arena *a, struct facts *out);
#endif
