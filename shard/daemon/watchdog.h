#ifndef SHARD_DAEMON_WATCHDOG_H
#define SHARD_DAEMON_WATCHDOG_H
/*
 * Reports to the service manager (proto/process/sd_notify.h) whether the shard's own address
 * answers and its main loop turns. Without a service manager (NOTIFY_SOCKET is not set) nothing is
 * reported, and no thread is started.
 */

struct sd_notifier;
struct shard;

/* Starts reporting; call it once the shard listens. Returns NULL if there is no service manager. */
struct sd_notifier *shard_watchdog_start(struct shard *);
#endif
