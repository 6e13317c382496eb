#ifndef SHARD_DAEMON_INSTANCE_H
#define SHARD_DAEMON_INSTANCE_H
/* Where this process stands: its lock on the data directory, its address, its name among replicas, its trust. */

#include <stdbool.h>

#include "proto/wire/wire.h"

struct arena;
struct err;
struct index_info;
struct options;
struct source;

struct place {
	const char *version, *host, *replica;
	const char *listen;		/* URL */
	const char *socket;		/* path of the socket behind it, or NULL */
	bool bound;			/* this process listens there, and removes it at its end */
	struct wire_trust trust;
	int lock;			/* descriptor; 0: none */
};

/*
 * Lock the data directory for this process and work out the rest.  UNAVAILABLE: another process has it, named by its
 * pid.  INVALID_INPUT: an address or a file in the options.
 */
int place_find(struct place *, const struct options *, const struct source *, struct arena *a, struct err *e);

/* Remove the socket; the lock ends with the process. */
void place_leave(struct place *);

/* What an index holds, to standard output: `name value` lines, or one line of JSON. */
void place_print(const struct index_info *, const struct source *, bool changed, bool json);
#endif
