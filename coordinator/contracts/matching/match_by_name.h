#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_BY_NAME_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_BY_NAME_H
/* gRPC methods and fields of GraphQL's root types, which are matched by name. */

#include "coordinator/contracts/matching/match_internal.h"

struct provider_name_index;

/* Of the providers of `work`.  provider_name_index_free takes it away. */
struct provider_name_index *provider_name_index_new(const struct match_context *);
void provider_name_index_free(struct provider_name_index *);	/* NULL is fine */

/* The providers of the very name, a package aside: their places in work->providers, in order. */
const size_t *provider_name_index_get(const struct match_context *, const struct fact *, size_t *n);

/*
 * Call `each` with the providers of the call's name, in their order.  `exact`: by the very name;
 * else without its package.
 */
void provider_name_index_each(const struct match_context *, struct call_site *,
    void (*each)(struct match_context *, struct call_site *, struct provider *, bool exact));
#endif
