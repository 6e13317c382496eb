#ifndef SHARD_INDEX_INDEX_GAPS_H
#define SHARD_INDEX_INDEX_GAPS_H
/*
 * What an index lacks of its commit, by cause (gaps.def): counted when it is published, stored in
 * its metadata, and attached to every answer.
 */

#include <stdbool.h>

struct arena;
struct db;
struct err;
struct freshness;
struct index_info;
struct strs;

/* Counts the files in the table `skips` by cause, into info->gaps. */
int index_gaps_count(struct db *, struct index_info *info, struct err *e);

/* Adds the gaps of an index to its stamp; they live in `a`. */
void index_gaps_put(const struct index_info *, struct freshness *, struct arena *a);

/*
 * Some paths of the published index, in `a`, that could not be read and might be readable now: when
 * a clone is repaired, mostly all are.  -1 if they cannot be listed.
 */
int index_gaps_sample(
    const char *dir, const struct index_info *, struct strs *paths, struct arena *a);

/* Whether it lacks something for this cause. */
bool index_gaps_have(const struct index_info *, const char *cause);

/* Whether it lacks something that might be readable now. */
bool index_gaps_may_heal(const struct index_info *);
#endif
