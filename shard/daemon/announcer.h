#ifndef SHARD_DAEMON_ANNOUNCER_H
#define SHARD_DAEMON_ANNOUNCER_H
/* Tells every --coordinator that this shard is there, and how it is. */

#include <stddef.h>
#include <stdint.h>

struct announcer;
struct err;
struct string_list;
struct shard;
struct wire_trust;

/*
 * `wake` is an eventfd that is written when announcer_tick has something to do.  NULL with `e`
 * (INVALID_INPUT: a URL).
 */
struct announcer *announcer_new(struct shard *, const struct string_list *urls,
    const struct wire_trust *, int wake, struct err *e);

/*
 * Announce where it is due: at first, when `changes` is another, and every interval.  When to call
 * again (monotonic ms).
 */
int64_t announcer_tick(struct announcer *, uint64_t changes);
#endif
