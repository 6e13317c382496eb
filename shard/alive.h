#ifndef SHARD_ALIVE_H
#define SHARD_ALIVE_H
/*
 * What the service manager is told of the shard (proto/base/notify.h): that its own address answers and its loop turns.
 * Where no service manager listens (NOTIFY_SOCKET is not set) nothing is told, and no thread is begun for it.
 */

struct notify;
struct shard;

/* Begin to tell, once it listens; NULL when nobody wants to hear. */
struct notify *alive_open(struct shard *);
#endif
