#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_BY_NAME_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_BY_NAME_H
/* gRPC methods and fields of GraphQL's root types, which are matched by name. */

#include "coordinator/contracts/matching/match_internal.h"

struct named;

/* Of the providers of `work`.  named_free takes it away. */
struct named *named_new(const struct work *);
void named_free(struct named *);	/* NULL is fine */

/* The providers of the very name, a package aside: their places in work->providers, in order. */
const size_t *named_list(const struct work *, const struct fact *, size_t *n);

/*
 * Call `each` with the providers of the call's name, in their order.  `exact`: by the very name; else without its
 * package.
 */
void named_find(const struct work *, struct call_site *,
    void (*each)(struct work *, struct call_site *, struct provider *, bool exact));
#endif
