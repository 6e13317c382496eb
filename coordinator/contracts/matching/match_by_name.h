#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_BY_NAME_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_BY_NAME_H
/* Matches gRPC methods and fields of GraphQL's root types by name. */

#include "coordinator/contracts/matching/match_internal.h"

struct provider_name_index;

/* Indexes the providers of the context.  Free with provider_name_index_free. */
struct provider_name_index *provider_name_index_new(const struct match_context *);
void provider_name_index_free(struct provider_name_index *);	/* NULL is fine */

/* The providers with the name, packages ignored: ascending indices into w->providers. */
const size_t *provider_name_index_get(const struct match_context *, const struct fact *, size_t *n);

/*
 * Call `each` with the providers of the call's name, in their order.  `exact` is false if only one
 * of the two names has a package.
 */
void provider_name_index_each(const struct match_context *, struct call_site *,
    void (*each)(struct match_context *, struct call_site *, struct provider *, bool exact));
#endif
