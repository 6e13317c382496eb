#ifndef SHARD_DAEMON_INSTANCE_H
#define SHARD_DAEMON_INSTANCE_H
/*
 * What makes this process unique: its lock on the data directory, its address, its name among
 * replicas, and its trust.
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
	bool bound;			/* this process listens on the socket, and removes it when it ends */
	struct wire_trust trust;
	int lock;			/* descriptor; 0 if there is none */
};

/*
 * Locks the data directory for this process, and sets the rest. UNAVAILABLE: another process has
 * the lock; the message contains its pid. INVALID_INPUT: an address or a file in the options.
 */
int instance_open(struct instance *, const struct options *, const struct repo_source *,
    struct arena *a, struct err *e);

/* Removes the socket, and releases the lock. */
void instance_close(struct instance *);

/* Prints the summary of an index to standard output: `name value` lines, or one line of JSON. */
void instance_print_index(
    const struct index_info *, const struct repo_source *, bool changed, bool json);
#endif
