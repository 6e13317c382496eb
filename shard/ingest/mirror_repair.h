#ifndef SHARD_INGEST_MIRROR_REPAIR_H
#define SHARD_INGEST_MIRROR_REPAIR_H
/*
 * Gets the objects of a mirror again that its index could not read. The file `repairs` beside the
 * index records the attempts, so that neither a restart nor a poll asks the remote more often: there
 * are six, at once and then after pauses that double from ten minutes on, until one succeeds or
 * somebody requests a rebuild.
 */

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct index_info;
struct options;
struct repo_source;

/* The time until the next attempt for this index; -1 if none is needed, or left. */
int64_t mirror_repair_wait_ms(const char *dir, const struct index_info *);

/* Makes an attempt if one is due. A failure is logged: what can be read is indexed all the same. */
void mirror_repair(const struct repo_source *, const struct options *, struct arena *a);
#endif
