#ifndef COORDINATOR_CALLS_SHARED_VIEWS_H
#define COORDINATOR_CALLS_SHARED_VIEWS_H
/* Rows that several tools show, as far as the caller may see them.  -1 with the call's `e`. */

#include <stdbool.h>

#include "coordinator/calls/call.h"

struct member;
struct status_res;

/* A repository with its groups, health and counts. */
int view_repo(struct call *, const struct member *, struct repo_row *);

/* What is done to its index. */
int view_indexing(struct call *, const struct member *, struct index_state **);

/* All groups, by name; one group, or NOT_FOUND with near names. */
int view_groups(struct call *, struct group_row **v, size_t *n);
int view_group(struct call *, const char *name, struct group_row *);

/* The fault of a repository's atoll.yaml, which is among what was left out; NULL: none. */
const char *view_atoll_yaml_fault(const struct status_res *);

/* The jobs of a state, the newest first, at most `most` of them; `all`: how many there are. */
int view_jobs(
    struct call *, const char *state, size_t most, struct job_row **v, size_t *n, uint64_t *all);

/* The fields of a shard's answer into those of a tool's result that have the same name and type. */
void view_copy(
    const struct record *from, const void *answer, const struct record *to, void *result);

/* A real time as results have it; NULL for 0. */
const char *view_time(int64_t real_ms, struct arena *);

/* The milliseconds since the call began. */
uint64_t view_elapsed_ms(const struct call *);
#endif
