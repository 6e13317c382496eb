#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H
/*
 * Follows the coordinator's desired state: runs a shard for every repository that it lists for this machine, shows
 * progress, and builds the contracts again whenever indexes changed.  The work of one thread beside the supervisor's.
 */

#include "coordinator/cli/client.h"
#include "proto/base/options.h"

struct site;
struct supervisor;

struct follow {
	struct supervisor *programs;
	const struct site *site;
	const char *http;		/* as asked for */
	struct list groups;		/* that they join; none: default */
	int64_t keep_days;		/* of data of repositories that are not registered; -1: for ever */
	struct list sources;		/* to register first; checked */
	struct client client;		/* of the coordinator, once it answers */
	int64_t prune_ms;		/* when that is looked for next */
	int rc;				/* exit code that follow_run found */
};

/* Until the supervisor stops.  Takes a struct follow; for pthread_create. */
void *follow_run(void *);
#endif
