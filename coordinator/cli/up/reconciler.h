#ifndef COORDINATOR_CLI_UP_RECONCILER_H
#define COORDINATOR_CLI_UP_RECONCILER_H
/*
 * Follows the coordinator's desired state: runs a shard for every repository that it lists for
 * this machine, shows progress, and builds the contracts again whenever indexes changed.  The work
 * of one thread beside the supervisor's.
 */

#include "coordinator/cli/base/api_client.h"
#include "coordinator/cli/up/host_join.h"
#include <stdbool.h>

#include "proto/process/options.h"

struct cli_options;
struct runtime_paths;
struct supervisor;

struct reconciler {
	struct supervisor *programs;
	const struct runtime_paths *site;
	const struct cli_options *o;
	struct string_list sources;		/* to register first; checked */
	struct api_client client;		/* of the coordinator, once it answers */
	bool joins;			/* the coordinator is somewhere else */
	struct host_join join;		/* then; filled in by reconciler_run */
	const char *host;		/* name of this machine in the registry */
	int64_t prune_ms;		/* when that is looked for next */
	int rc;				/* exit code that reconciler_run found */
};

/* Until the supervisor stops.  Takes a struct reconciler; for pthread_create. */
void *reconciler_run(void *);
#endif
