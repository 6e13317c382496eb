#ifndef COORDINATOR_CLI_UP_RUNTIME_PATHS_H
#define COORDINATOR_CLI_UP_RUNTIME_PATHS_H
/* Where `atoll up` keeps things: the data folder, and the runtime folder with sockets and locks. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct runtime_paths {
	const char *data, *logs, *key;	/* key: file that holds the cluster key */
	const char *run, *slots, *ready;
	int lock;			/* held as long as this `up` runs */
};

/* The data folder that --data and the environment name; made absolute, not created. */
const char *runtime_data_dir(const char *option, struct arena *);

/* The runtime folder of a data folder; short, for a Unix socket's path holds 107 bytes. */
const char *runtime_run_dir(const char *data, struct arena *);

/*
 * Whether the `atoll up` that runs on a data folder, if one does, has its coordinator at this URL
 * (its port is compared).
 */
bool runtime_serves_url(const char *data, const char *url, struct arena *);

/*
 * Create all of it and take the lock.  -1 with `e`: not writable, or another `atoll up` runs
 * there.
 */
int runtime_paths_open(struct runtime_paths *, const char *option, struct arena *, struct err *e);

/* Remove what belongs to this run and release the lock. */
void runtime_paths_close(struct runtime_paths *);
#endif
