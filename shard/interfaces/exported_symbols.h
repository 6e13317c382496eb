#ifndef SHARD_INTERFACES_EXPORTED_SYMBOLS_H
#define SHARD_INTERFACES_EXPORTED_SYMBOLS_H
/*
 * The definitions that a package shows to others and others can name, in the order of their uses.
 */

#include "proto/record/record.h"

struct arena;
struct db;
struct err;
struct package_contents;

/*
 * Stores the page of the question in `out`, in `a`: the definitions of its interface that are exported,
 * or used nevertheless (protected ones).  Constructors, whose uses are those of their types, and
 * namespaces are left out.  Reads all of the package's definitions, and keeps 40 bytes for each.
 */
int exported_symbols_page(struct db *index, const struct package_contents *,
    const struct exports_req *, struct arena *a, struct exports_res *out, struct err *);
#endif
