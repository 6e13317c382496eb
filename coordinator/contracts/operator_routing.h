#ifndef COORDINATOR_CONTRACTS_OPERATOR_ROUTING_H
#define COORDINATOR_CONTRACTS_OPERATOR_ROUTING_H
/*
 * The operator's own declarations (--routing FILE), for what no repository declares: the hosts at
 * which a repository answers, what a gateway without a repository forwards, and where the calls of a
 * repository go or do not go.
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
	/* `links` and `not`; `repository` is the one whose calls they are about */
	struct {
		const char *repository;
		struct fact fact;
	} * calls;
	size_t ncalls;
};

/*
 * Read the table into the arena; without a file it is empty.  0, or -1 with INVALID_INPUT naming
 * file, line and key.
 */
int operator_routing_read(
    const char *file, struct arena *, struct operator_routing *out, struct err *);

/*
 * Add the hosts to the names of the members and the declared calls to their facts, and append a
 * member that has the gateways: the array must have room for it.
 */
void operator_routing_apply(
    const struct operator_routing *, struct match_member *, size_t *n, struct arena *);
#endif
