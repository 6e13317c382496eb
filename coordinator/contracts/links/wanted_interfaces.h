#ifndef COORDINATOR_CONTRACTS_LINKS_WANTED_INTERFACES_H
#define COORDINATOR_CONTRACTS_LINKS_WANTED_INTERFACES_H
/*
 * Which packages of other members the code of each member may use: those that its manifests
 * require, those of Java and the like whose packages it imports, what these require in turn, and
 * those whose headers it includes.  Pure: the same facts give the same lists.
 */

#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct arena;

struct wanted_list {
	struct wanted_interface *v;	/* by repository and hash, without duplicates */
	size_t n;
};

/* One list for each member, in the arena. */
struct wanted_list *wanted_interfaces_find(const struct match_member *, size_t n, struct arena *);
#endif
