#ifndef COORDINATOR_REGISTRY_GROUPS_H
#define COORDINATOR_REGISTRY_GROUPS_H
/*
 * Named sets of repositories, and the sources that `atoll up` shall run.  Kept in the registry;
 * any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;
struct err;
struct registry;

/* All groups by name, members by repo_uri. */
int groups_all(struct registry *, struct group_row **v, size_t *n, struct arena *, struct err *);

/* One group, or NOT_FOUND. */
int groups_get(
    struct registry *, const char *name, struct group_row *out, struct arena *, struct err *);

/* Names of the groups that hold a repository, in order. */
int groups_of(struct registry *, const char *repo_uri, t_strs *out, struct arena *, struct err *);

/* INVALID_INPUT for a bad name, or when the group exists already. */
int groups_create(struct registry *, const char *name, const char *description, struct err *);
int groups_delete(struct registry *, const char *name, struct err *);

/* Change the members of an existing group. */
int groups_add(
    struct registry *, const char *name, const char *const *repo_uris, size_t n, struct err *);
int groups_remove(
    struct registry *, const char *name, const char *const *repo_uris, size_t n, struct err *);

/* Sources by name. */
int sources_all(struct registry *, struct source_row **v, size_t *n, struct arena *, struct err *);

/*
 * Add a source or change its groups and host; the groups are made when absent.  What the operator
 * has added stays so, and what the operator adds again is.  INVALID_INPUT for a bad group name.
 */
int sources_put(struct registry *, const struct source_row *, struct err *);
int sources_remove(struct registry *, const char *source, struct err *);

/*
 * `host` runs a repository no more (`repo_uri`; NULL: `source` alone, which no shard has
 * announced): its name goes from the lists of hosts, a source that nobody runs then goes with it,
 * and so do the endpoints of `replicas`; its shards are refused (tombstones.h).  `own`: who is
 * meant by no name, too.
 */
struct host_removal {
	const char *repo_uri, *source, *host;
	bool own;
	t_strs replicas;
};
int sources_remove_host(struct registry *, const struct host_removal *, struct err *);

/*
 * The i-th name of a source's list of hosts, "" for the one where the coordinator was started;
 * NULL behind the last.
 */
const char *sources_host_at(const char *list, size_t i, struct arena *);

/*
 * A shard of `source` has announced itself as `repo_uri`: tie the two, and join the groups that
 * the source wants, when that was not done before.
 */
int sources_link_repo(struct registry *, const char *source, const char *repo_uri, struct err *);

/* Whether two sources are one repository: the same path, or URLs of one repo_uri. */
bool sources_same(const char *, const char *, struct arena *);
#endif
