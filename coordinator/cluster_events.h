#ifndef COORDINATOR_CLUSTER_EVENTS_H
#define COORDINATOR_CLUSTER_EVENTS_H
/*
 * This coordinator as one of several: the options of the shared registry, and what others write
 * taken into memory.
 */

struct coordinator;
struct err;

/*
 * Share the registry as --registry says, or see that the file is not the copy of one.
 * INVALID_INPUT.
 */
int cluster_events_open(struct coordinator *, struct err *);

/* Members, tokens and jobs are there: follow what others do; no more, and leave. */
void cluster_events_start(struct coordinator *);
void cluster_events_stop(struct coordinator *);

/* Take into memory whatever the registry has. */
void cluster_events_reload(struct coordinator *);
#endif
