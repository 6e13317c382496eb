#ifndef COORDINATOR_MATCH_HOST_H
#define COORDINATOR_MATCH_HOST_H
/* What the host of a URL says about who is called: the names of services against the names of members. */

#include <stddef.h>

#include "coordinator/match.h"

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
};
enum host_says hosts_ask(const struct hosts *, const char *host, struct host_names *, struct arena *);
#endif
