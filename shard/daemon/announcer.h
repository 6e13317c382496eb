#ifndef SHARD_DAEMON_ANNOUNCER_H
#define SHARD_DAEMON_ANNOUNCER_H
/* Announces this shard and its state to every --coordinator. */

#include <stddef.h>
#include <stdint.h>

struct announcer;
struct err;
struct string_list;
struct shard;
struct wire_trust;

/*
 * `wake` is an eventfd that is written when announcer_tick has work. Returns NULL with `e`
 * (INVALID_INPUT: a bad URL).
 */
struct announcer *announcer_new(struct shard *, const struct string_list *urls,
    const struct wire_trust *, int wake, struct err *e);

/*
 * Sends the announcements that are due: at first, when `changes` has changed, and at intervals.
 * Returns when to call it again (monotonic ms).
 */
int64_t announcer_tick(struct announcer *, uint64_t changes);
#endif
