#ifndef COORDINATOR_CLI_UP_RECONCILER_INTERNAL_H
#define COORDINATOR_CLI_UP_RECONCILER_INTERNAL_H
/* The programs that reconciler.c wants to run, with their words: reconciler_commands.c. */

#include "coordinator/cli/up/reconciler.h"

#define COORDINATOR_LABEL "coordinator"	/* its label among the supervisor's programs */

/* Let the coordinator run, serving at `http`. */
void reconciler_run_coordinator(struct reconciler *, const char *http, struct arena *);

/*
 * Let the shard of `source` run, as `label`, under the rules of egress.h when it is `from_token`;
 * says on stderr when there is no port for it.
 */
void reconciler_run_shard(
    struct reconciler *, const char *label, const char *source, bool from_token, struct arena *);
#endif
