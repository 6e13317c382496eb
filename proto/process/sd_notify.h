#ifndef PROTO_PROCESS_SD_NOTIFY_H
#define PROTO_PROCESS_SD_NOTIFY_H
/*
 * Messages to a service manager (sd_notify(3)), as datagrams to the socket in NOTIFY_SOCKET: the
 * program is ready, its status, a watchdog ping (every third of WATCHDOG_USEC, if WATCHDOG_PID is
 * this process or absent), and that it stops.
 */

#include <stdbool.h>
#include <stddef.h>

struct sd_notifier;

/*
 * Send READY=1, and start the thread that sends the rest.  `alive` sends the program a real request
 * and may block; while it returns false, no ping is sent.  `status` writes one line.  The variables
 * are removed from the environment, so that child processes do not notify for this one.  NULL if
 * NOTIFY_SOCKET is not set or its socket cannot be used.
 */
struct sd_notifier *notify_open(
    bool (*alive)(void *), void (*status)(void *, char *out, size_t n), void *arg);

/* Send STOPPING=1.  NULL is fine. */
void notify_stopping(struct sd_notifier *);

/* Wait for the thread, including a running call of `alive`, and free.  NULL is fine. */
void notify_close(struct sd_notifier *);
#endif
