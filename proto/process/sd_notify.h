#ifndef PROTO_PROCESS_SD_NOTIFY_H
#define PROTO_PROCESS_SD_NOTIFY_H
/*
 * What a service manager wants to hear (sd_notify(3)), as datagrams to the socket that
 * NOTIFY_SOCKET names: that the program is ready, how it is, that it still answers (every third of
 * WATCHDOG_USEC, when WATCHDOG_PID is this process or absent), that it ends.
 */

#include <stdbool.h>
#include <stddef.h>

struct sd_notifier;

/*
 * Say READY=1, and begin the thread that says the rest.  `alive` asks the program what others
 * would ask it, and may take its time; as long as it says no, the watchdog hears nothing.
 * `status` writes a line.  Takes both variables out of the environment, so that children do not
 * speak for this process.  NULL when nobody listens.
 */
struct sd_notifier *notify_open(
    bool (*alive)(void *), void (*status)(void *, char *out, size_t n), void *arg);

/* Say STOPPING=1.  NULL is fine, for both. */
void notify_stopping(struct sd_notifier *);

/* End the thread, when it has its answer, and free. */
void notify_close(struct sd_notifier *);
#endif
