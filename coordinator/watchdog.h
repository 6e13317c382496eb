#ifndef COORDINATOR_WATCHDOG_H
#define COORDINATOR_WATCHDOG_H
/* Reports to the service manager (sd_notify.h) whether the coordinator works, as clients see it. */

#include <stdbool.h>

struct coordinator;

/* Start to report, if a service manager listens; call when the coordinator is ready. */
void watchdog_start(struct coordinator *);
void watchdog_stop(struct coordinator *);

/*
 * Whether the HTTP server answers a connection (a TLS server with an alert), the workers take
 * waiting work, and the thread of the members takes its turns.
 */
bool watchdog_check(struct coordinator *);
#endif
