#ifndef COORDINATOR_CLI_UP_RECONCILER_H
#define COORDINATOR_CLI_UP_RECONCILER_H
/*
 * Follows the coordinator's desired state: runs a shard for every repository that it lists for
 * this machine, shows progress, and rebuilds the contracts when indexes change.  Runs on one
 * thread; the supervisor runs on another.
 */

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/up/host_join.h"
#include <stdbool.h>

#include "proto/process/options.h"

struct cli_options;
struct codebase_root;
struct runtime_paths;
struct supervisor;

struct reconciler {
	struct supervisor *programs;
	const struct runtime_paths *site;
	const struct cli_options *o;
	struct string_list sources;	/* to register; checked */
	struct codebase_root *root;	/* where more of them may appear, or NULL */
	struct api_client client;	/* of the coordinator; its URL is known once that answers */
	bool joins;			/* --join: the coordinator runs somewhere else */
	struct host_join join;		/* with `joins`; reconciler_run fills it in */
	const char *host;		/* name of this machine in the registry */
	int64_t poll_ms;		/* between two polls; a quarter of that while something is indexed */
	int64_t prune_ms;		/* time of the next search for unregistered data */
	int rc;				/* exit code, set by reconciler_run */
};

/* Runs until the supervisor stops.  The argument is a struct reconciler; for pthread_create. */
void *reconciler_run(void *);
#endif
