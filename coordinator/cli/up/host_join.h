#ifndef COORDINATOR_CLI_UP_HOST_JOIN_H
#define COORDINATOR_CLI_UP_HOST_JOIN_H
/* `atoll up --join`: what a further host must know to run shards for a coordinator elsewhere. */

#include <stdint.h>

#include "proto/process/options.h"

struct arena;
struct cli_options;
struct err;
struct status_out;

struct host_join {
	struct string_list coordinators;	/* where shards announce themselves */
	/* where they listen; NULL: sockets, as the coordinator is on this machine without TLS */
	const char *address;
	const char *advertise;		/* what they tell instead; NULL: nothing else */
	const char *ports;		/* file that keeps which shard has which port */
	int64_t first;			/* port */
};

/*
 * Work it out from the options, what the coordinator at `url` says of itself, and the way there.
 * -1 with `e`: it listens for no other machine, or cannot be found, or there are no certificates.
 */
int host_join_resolve(struct host_join *, const struct cli_options *, const char *url,
    const struct status_out *, const char *data, struct arena *, struct err *e);

/*
 * The port of a shard, by its label: the same as long as it is wanted, else the lowest that is
 * free.  -1: the file cannot be written.
 */
int host_join_port(const struct host_join *, const char *label);

/* Shards that are not wanted any more give their ports back. */
void host_join_release_port(const struct host_join *, const char *label);
#endif
