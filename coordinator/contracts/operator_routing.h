#ifndef COORDINATOR_CONTRACTS_OPERATOR_ROUTING_H
#define COORDINATOR_CONTRACTS_OPERATOR_ROUTING_H
/*
 * The operator's own table of hosts and gateways (--routing FILE), for what no repository says: at
 * which hosts a repository answers, and what a gateway without a repository sends on.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct arena;
struct err;

struct operator_routing {
	const char *file;
	struct { const char *repository, *host; } *hosts;
	size_t nhosts;
	struct fact *gateways;
	size_t ngateways;
};

/*
 * Read the table, into the arena; `file` empty: nothing is in it.  -1 with INVALID_INPUT naming
 * file, line and key.
 */
int operator_routing_read(
    const char *file, struct arena *, struct operator_routing *out, struct err *);

/*
 * Tell the matcher: names of members become more, and behind the last of the `*n` there is one
 * that has the gateways, for which there must be room.
 */
void operator_routing_apply(
    const struct operator_routing *, struct match_member *, size_t *n, struct arena *);
#endif
