#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_GATEWAY_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_GATEWAY_H
/*
 * What gateways send on: one table of rewrites over all members.  A call that a gateway gets is, for its target, a call of another
 * host and another path.
 */

#include "coordinator/contracts/matching/match_internal.h"

/* The path as the target sees it (`to`; NULL: as it is); NULL: the gateway's template is not for it.  Templates: fact in schema.def. */
const char *gate_rewrite(const char *template, const char *to, const char *path, struct arena *);

/* The rows of all members.  gates_free takes it away. */
struct gates *gates_new(const struct work *);
void gates_free(struct gates *);	/* NULL is fine */
bool gates_any(const struct gates *);

enum gate_says {
	GATE_NOTHING,	/* no gateway is known to get it, or nothing of where it sends it */
	GATE_SENDS,	/* the call's targets are those behind */
	GATE_LOSES,	/* it goes to a member that does not serve it */
	GATE_EXTERNAL,	/* out into the world */
};

/* Finds the routes of the named members for a call. */
typedef void gate_choice(const struct work *, struct call_site *, const struct host_names *);

/*
 * Where a call goes that names its gateways (`those`), or, without them, that goes to a public host or to the caller's own address:
 * by the proxies of its repository, else by those of the group.  Its targets are replaced when they are not better.
 */
enum gate_says gates_send(const struct work *, struct call_site *, const struct host_names *those, gate_choice *);
#endif
