#ifndef SHARD_DAEMON_INSTANCE_H
#define SHARD_DAEMON_INSTANCE_H
/*
 * Where this process stands: its lock on the data directory, its address, its name among replicas,
 * its trust.
 */

#include <stdbool.h>

#include "proto/wire/wire.h"

struct arena;
struct err;
struct index_info;
struct options;
struct repo_source;

struct instance {
	const char *version, *host, *replica;
	const char *listen;		/* URL */
	const char *socket;		/* path of the socket behind it, or NULL */
	bool bound;			/* this process listens there, and removes it at its end */
	struct wire_trust trust;
	int lock;			/* descriptor; 0: none */
};

/*
 * Lock the data directory for this process and work out the rest.  UNAVAILABLE: another process
 * has it, named by its pid.  INVALID_INPUT: an address or a file in the options.
 */
int instance_open(struct instance *, const struct options *, const struct repo_source *,
    struct arena *a, struct err *e);

/* Remove the socket; the lock ends with the process. */
void instance_close(struct instance *);

/* What an index holds, to standard output: `name value` lines, or one line of JSON. */
void instance_print_index(
    const struct index_info *, const struct repo_source *, bool changed, bool json);
#endif
