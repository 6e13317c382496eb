#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_GATEWAY_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_GATEWAY_H
/*
 * What gateways forward: one table of rewrites over all members.  A call to a gateway reaches its
 * target as a call to another host and another path.
 */

#include "coordinator/contracts/matching/match_internal.h"

/*
 * The path that the target sees: `to` with its holes filled, or the same path if `to` is NULL.
 * Returns NULL if the path does not fit the gateway's template.  For templates see `fact` in
 * schema.def.
 */
const char *gateway_rewrite_path(
    const char *template, const char *to, const char *path, struct arena *);

/* The rows of all members.  Free with gateway_index_free. */
struct gateway_index *gateway_index_new(const struct match_context *);
void gateway_index_free(struct gateway_index *);	/* NULL is fine */
bool gateway_index_has_rows(const struct gateway_index *);

enum gateway_outcome {
	GATEWAY_UNKNOWN,	/* no gateway is known to get the call, or its target is not known */
	GATEWAY_FORWARDS,	/* the call's targets are now those behind the gateway */
	GATEWAY_NOT_SERVED,	/* the call is forwarded to a member that does not serve it */
	GATEWAY_EXTERNAL,	/* the call is forwarded to a public host outside the group */
};

/* Finds the routes of the named members for a call. */
typedef void gateway_choose_fn(
    const struct match_context *, struct call_site *, const struct host_names *);

/*
 * Follow a call through gateways: `those` that it names; else, if it goes to a public host or to
 * the caller's own address, the proxies of its repository, then those of the group.  The call's
 * targets are replaced unless they are better.
 */
enum gateway_outcome gateway_forward(const struct match_context *, struct call_site *,
    const struct host_names *those, gateway_choose_fn *);
#endif
