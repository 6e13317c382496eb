#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_GATEWAY_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_GATEWAY_H
/*
 * What gateways send on: one table of rewrites over all members.  A call that a gateway gets is,
 * for its target, a call of another host and another path.
 */

#include "coordinator/contracts/matching/match_internal.h"

/*
 * The path as the target sees it (`to`; NULL: as it is); NULL: the gateway's template is not for
 * it.  Templates: fact in schema.def.
 */
const char *gateway_rewrite_path(
    const char *template, const char *to, const char *path, struct arena *);

/* The rows of all members.  gateway_index_free takes it away. */
struct gateway_index *gateway_index_new(const struct match_context *);
void gateway_index_free(struct gateway_index *);	/* NULL is fine */
bool gateway_index_has_rows(const struct gateway_index *);

enum gateway_outcome {
	GATEWAY_UNKNOWN,	/* no gateway is known to get it, or nothing of where it sends it */
	GATEWAY_FORWARDS,	/* the call's targets are those behind */
	GATEWAY_NOT_SERVED,	/* it goes to a member that does not serve it */
	GATEWAY_EXTERNAL,	/* out into the world */
};

/* Finds the routes of the named members for a call. */
typedef void gateway_choose_fn(
    const struct match_context *, struct call_site *, const struct host_names *);

/*
 * Where a call goes that names its gateways (`those`), or, without them, that goes to a public
 * host or to the caller's own address: by the proxies of its repository, else by those of the
 * group.  Its targets are replaced when they are not better.
 */
enum gateway_outcome gateway_forward(const struct match_context *, struct call_site *,
    const struct host_names *those, gateway_choose_fn *);
#endif
