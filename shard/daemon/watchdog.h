#ifndef SHARD_DAEMON_WATCHDOG_H
#define SHARD_DAEMON_WATCHDOG_H
/*
 * What the service manager is told of the shard (proto/process/sd_notify.h): that its own address
 * answers and its loop turns. Where no service manager listens (NOTIFY_SOCKET is not set) nothing
 * is told, and no thread is begun for it.
 */

struct sd_notifier;
struct shard;

/* Begin to tell, once it listens; NULL when nobody wants to hear. */
struct sd_notifier *shard_watchdog_start(struct shard *);
#endif
