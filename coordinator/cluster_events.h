#ifndef COORDINATOR_CLUSTER_EVENTS_H
#define COORDINATOR_CLUSTER_EVENTS_H
/* Opens a shared registry, and updates members, tokens and jobs when others write to it. */

struct coordinator;
struct err;

/*
 * Share the registry according to --registry; without it, INVALID_INPUT if the file is a copy of a
 * shared registry.
 */
int cluster_events_open(struct coordinator *, struct err *);

/* Start once members, tokens and jobs exist; stop, and leave the shared registry. */
void cluster_events_start(struct coordinator *);
void cluster_events_stop(struct coordinator *);

/* Update everything in memory from the registry. */
void cluster_events_reload(struct coordinator *);
#endif
