#ifndef COORDINATOR_CALLS_SHARED_VIEWS_H
#define COORDINATOR_CALLS_SHARED_VIEWS_H
/* Rows that several tools show, as far as the caller may see them.  -1 with the call's `e`. */

#include <stdbool.h>

#include "coordinator/calls/call.h"

struct member;
struct status_res;

/* A repository with its groups, health and counts. */
int view_repo(struct call *, const struct member *, struct repo_row *);

/*
 * The job that works on its index, and that index's state.  `status` is what members_view says: as
 * long as there is no index that is the state, for all tools; afterwards a job that rebuilds it
 * makes it `building`, and one that gave up `failed`.
 */
int view_indexing(struct call *, const struct member *, const char *status, struct index_state **);

/* All groups, ordered by name; one group, or NOT_FOUND with similar names. */
int view_groups(struct call *, struct group_row **v, size_t *n);
int view_group(struct call *, const char *name, struct group_row *);

/* The same of a group that contains the repository, or NOT_FOUND. */
int view_group_with(struct call *, const char *name, const struct member *, struct group_row *);
bool view_is_in_group(const struct group_row *, const struct member *);

/* The fault in a repository's atoll.yaml, which is then a skipped file; NULL if there is none. */
const char *view_atoll_yaml_fault(const struct status_res *);

/* At most `max` jobs in a state, the newest first; `all` is how many there are. */
int view_jobs(
    struct call *, const char *state, size_t max, struct job_row **v, size_t *n, uint64_t *all);

/* Copy the fields of a shard's answer to those of a tool's result with the same name and type. */
void view_copy(
    const struct record *from, const void *answer, const struct record *to, void *result);

/* A time (milliseconds since 1970) in the format of results; NULL for 0. */
const char *view_time(int64_t real_ms, struct arena *);

/* The milliseconds since the call began. */
uint64_t view_elapsed_ms(const struct call *);
#endif
