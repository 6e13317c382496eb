#ifndef COORDINATOR_REGISTRY_GROUPS_H
#define COORDINATOR_REGISTRY_GROUPS_H
/*
 * Named sets of repositories, and the sources that `atoll up` runs.  Stored in the registry.  Any
 * thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;
struct err;
struct registry;

/* All groups, sorted by name; their members are sorted by repo_uri. */
int groups_all(struct registry *, struct group_row **v, size_t *n, struct arena *, struct err *);

/* One group, or NOT_FOUND. */
int groups_get(
    struct registry *, const char *name, struct group_row *out, struct arena *, struct err *);

/* The names of the groups that contain a repository, sorted. */
int groups_of(struct registry *, const char *repo_uri, t_strs *out, struct arena *, struct err *);

/* INVALID_INPUT if the name is invalid or the group already exists. */
int groups_create(struct registry *, const char *name, const char *description, struct err *);
int groups_delete(struct registry *, const char *name, struct err *);

/* Change the members of an existing group. */
int groups_add(
    struct registry *, const char *name, const char *const *repo_uris, size_t n, struct err *);
int groups_remove(
    struct registry *, const char *name, const char *const *repo_uris, size_t n, struct err *);

/* All sources, sorted. */
int sources_all(struct registry *, struct source_row **v, size_t *n, struct arena *, struct err *);

/*
 * Add a source, or change its groups and host.  Missing groups are created.  A source that the
 * operator has added, now or before, belongs to the operator.  INVALID_INPUT for an invalid group
 * name.
 */
int sources_put(struct registry *, const struct source_row *, struct err *);
int sources_remove(struct registry *, const char *source, struct err *);

/*
 * `host` no longer runs the repository `repo_uri`, or, if that is NULL because no shard has
 * announced it yet, the source `source`.  The host is removed from the lists of hosts; a source
 * that is left without a host is deleted, as are the endpoints of `replicas`, and its shards are
 * refused (tombstones.h).  With `own`, the host is also meant where a list has an empty name.
 */
struct host_removal {
	const char *repo_uri, *source, *host;
	bool own;
	t_strs replicas;
};
int sources_remove_host(struct registry *, const struct host_removal *, struct err *);

/*
 * The i-th name in a source's list of hosts; NULL after the last.  An empty name is the host on
 * which the coordinator was started.
 */
const char *sources_host_at(const char *list, size_t i, struct arena *);

/*
 * A shard of `source` has announced itself as `repo_uri`: link the two and add the repository to
 * the groups of the source, unless that has been done.
 */
int sources_link_repo(struct registry *, const char *source, const char *repo_uri, struct err *);

/* Whether two sources are the same repository: equal paths, or URLs with the same repo_uri. */
bool sources_same(const char *, const char *, struct arena *);
#endif
