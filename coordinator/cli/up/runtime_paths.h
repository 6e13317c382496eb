#ifndef COORDINATOR_CLI_UP_RUNTIME_PATHS_H
#define COORDINATOR_CLI_UP_RUNTIME_PATHS_H
/* The folders of `atoll up`: the data folder, and the runtime folder with sockets and slots. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

struct runtime_paths {
	const char *data, *logs, *key;	/* key: the file with the cluster key */
	const char *run, *slots, *ready;
	int lock;			/* file descriptor, or -1; locked while this `up` runs */
};

/* The absolute path of the data folder that --data and the environment name; not created. */
const char *runtime_data_dir(const char *option, struct arena *);

/* The runtime folder of a data folder.  It is short, since a Unix socket's path has 107 bytes. */
const char *runtime_run_dir(const char *data, struct arena *);

/* Whether an `atoll up` runs on the data folder and its coordinator has the port of this URL. */
bool runtime_serves_url(const char *data, const char *url, struct arena *);

/* Create the folders and take the lock.  -1 with `e` if that fails or another `atoll up` runs. */
int runtime_paths_open(struct runtime_paths *, const char *option, struct arena *, struct err *e);

/* Remove the runtime folder and release the lock.  Does nothing if `lock` is -1. */
void runtime_paths_close(struct runtime_paths *);
#endif
