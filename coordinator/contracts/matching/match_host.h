#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_HOST_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_HOST_H
/*
 * What the host of a URL, and the names of what it is built from, say about who is called: names
 * of services and of variables against the names of members.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct host_index;

/* Names of all members.  host_index_free takes it away. */
struct host_index *host_index_new(const struct match_member *, size_t n, struct arena *);
void host_index_free(struct host_index *);

enum host_class {
	HOST_UNKNOWN,	/* none, unknown, this machine, an address */
	HOST_MEMBER,	/* the service of one or several members */
	HOST_UNREGISTERED,	/* a plain name that is no member's */
	HOST_EXTERNAL,	/* out in the world */
};

struct host_names {
	const char *name;	/* as it was understood */
	const size_t *members;	/* indices, ascending */
	size_t n;
	bool loose;		/* it is like their names, not equal */
};
enum host_class host_index_find(
    const struct host_index *, const char *host, struct host_names *, struct arena *);

/* Whether a segment in front of a path is called like members: /api/carts/… for the carts. */
bool host_index_find_segment(const struct host_index *, const char *segment, struct host_names *);

/*
 * Whether a name in the expression or its steps is that of an address of members, `USERS_URL`,
 * `config.paymentUri`, or the port on this machine one of theirs.
 */
bool host_index_find_hint(
    const struct host_index *, const struct fact *, struct host_names *, struct arena *);
#endif
