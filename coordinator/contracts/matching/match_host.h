#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_HOST_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_HOST_H
/*
 * Finds the members that a call is for by comparing the host of its URL, and the names of the
 * variables that the URL is built from, with the names of members.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct host_index;

/* Indexes the names of all members.  Free with host_index_free. */
struct host_index *host_index_new(const struct match_member *, size_t n, struct arena *);
void host_index_free(struct host_index *);

enum host_class {
	HOST_UNKNOWN,	/* none, unknown, this machine, an IP address */
	HOST_MEMBER,	/* the name of one or several members */
	HOST_UNREGISTERED,	/* a name without a domain that is no member's */
	HOST_EXTERNAL,	/* a public host */
};

struct host_names {
	const char *name;	/* normalized */
	const size_t *members;	/* ascending indices */
	size_t n;
	bool loose;		/* the name resembles theirs but is not equal */
};
enum host_class host_index_find(
    const struct host_index *, const char *host, struct host_names *, struct arena *);

/* Whether a leading segment of a path resembles a member's name: /api/carts/… for `carts`. */
bool host_index_find_segment(const struct host_index *, const char *segment, struct host_names *);

/*
 * Whether a name in the call's expression or its steps is that of an address of members, as in
 * `USERS_URL` or `config.paymentUri`, or the call's port on this machine is one of theirs.
 */
bool host_index_find_hint(
    const struct host_index *, const struct fact *, struct host_names *, struct arena *);
#endif
