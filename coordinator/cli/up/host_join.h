#ifndef COORDINATOR_CLI_UP_HOST_JOIN_H
#define COORDINATOR_CLI_UP_HOST_JOIN_H
/* `atoll up --join`: the addresses of this host's shards and of their coordinators. */

#include <stdint.h>

#include "proto/process/options.h"

struct arena;
struct cli_options;
struct err;
struct status_out;

struct host_join {
	struct string_list coordinators;	/* shards announce themselves to these */
	/* shards listen on it; NULL = on Unix sockets, since the coordinator is on this machine */
	const char *address;
	const char *advertise;		/* announced instead of `address`, or NULL */
	const char *ports;		/* file with the port of each shard */
	int64_t first;			/* the first port */
};

/*
 * Fill it in from the options, the status of the coordinator at `url`, and the route to it.  -1
 * with `e` if the coordinator does not listen for other machines or is not reachable, or if
 * certificates are missing.
 */
int host_join_resolve(struct host_join *, const struct cli_options *, const char *url,
    const struct status_out *, const char *data, struct arena *, struct err *e);

/*
 * The port of the shard with this label: the one assigned to it, or else the lowest free one.  -1
 * if no port is free or the file cannot be written.
 */
int host_join_port(const struct host_join *, const char *label);

/* Free the port of a shard that is not needed any more. */
void host_join_release_port(const struct host_join *, const char *label);
#endif
