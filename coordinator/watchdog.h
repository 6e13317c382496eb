#ifndef COORDINATOR_WATCHDOG_H
#define COORDINATOR_WATCHDOG_H
/*
 * What the service manager is told of the coordinator (sd_notify.h): whether it answers, as
 * whoever asks it would see.
 */

#include <stdbool.h>

struct coordinator;

/* Begin to tell, once it answers, when somebody wants to hear; watchdog_stop ends it. */
void watchdog_start(struct coordinator *);
void watchdog_stop(struct coordinator *);

/*
 * Its HTTP server says something over a connection of this one's own (a TLS server, that this is
 * no handshake), its workers take what waits for them, and the thread of the members takes its
 * turns.
 */
bool watchdog_check(struct coordinator *);
#endif
