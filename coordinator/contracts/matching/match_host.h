#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_HOST_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_HOST_H
/*
 * What the host of a URL, and the names of what it is built from, say about who is called: names of services and of
 * variables against the names of members.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct hosts;

/* Names of all members.  hosts_free takes it away. */
struct hosts *hosts_new(const struct match_member *, size_t n, struct arena *);
void hosts_free(struct hosts *);

enum host_says {
	HOST_NOTHING,	/* none, unknown, this machine, an address */
	HOST_MEMBER,	/* the service of one or several members */
	HOST_STRANGER,	/* a plain name that is no member's */
	HOST_EXTERNAL,	/* out in the world */
};

struct host_names {
	const char *name;	/* as it was understood */
	const size_t *members;	/* indices, ascending */
	size_t n;
	bool loose;		/* it is like their names, not equal */
};
enum host_says hosts_ask(const struct hosts *, const char *host, struct host_names *, struct arena *);

/* Whether a segment in front of a path is called like members: /api/carts/… for the carts. */
bool hosts_segment(const struct hosts *, const char *segment, struct host_names *);

/*
 * Whether a name in the expression or its steps is that of an address of members, `USERS_URL`, `config.paymentUri`, or the
 * port on this machine one of theirs.
 */
bool hosts_hint(const struct hosts *, const struct fact *, struct host_names *, struct arena *);
#endif
