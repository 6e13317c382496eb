#ifndef COORDINATOR_CONTRACTS_SCOPED_TABLES_H
#define COORDINATOR_CONTRACTS_SCOPED_TABLES_H
/*
 * The contract tables of a group as a caller may see them.  A caller who sees all members reads the
 * group's own tables.  For other callers, tables are built from the facts of the members that they
 * see, as if there were no others, because matches, confidences, ambiguity and evidence depend on
 * every member.  Those tables are cached in a temporary file, one set for each set of visible
 * members; the least recently used are evicted.  Any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/resolve_repo.h"
#include "coordinator/contracts/contract_tables.h"

struct tables_build_result;
struct match_member;
struct scoped_tables_cache;

struct scoped_tables_cache *scoped_tables_cache_new(struct err *);	/* NULL with DB_ERROR */
void scoped_tables_cache_free(struct scoped_tables_cache *);		/* NULL is fine */

struct scoped_tables {
	const char *group;
	struct registry *at;		/* the registry that holds the tables */
	const char *name;		/* their name in it */
	bool unrestricted;		/* they are the group's own */
	struct resolved_repos members;	/* that they are built from, ordered by repo_uri */
	struct tables_info t;		/* synced_at is NULL if they were never built */
};

/*
 * Find the tables of an existing group without rebuilding them.  0, or -1 with the call's `e` set,
 * as for all functions here.
 */
int scoped_tables_find(struct call *, const char *group, struct scoped_tables *);

/*
 * The same, but rebuild the tables of a caller who does not see all members if facts or the
 * --routing file have changed since; if that fails, the old tables remain in use.  Facts are not
 * fetched here: group_sync_run does that.
 */
int scoped_tables_refresh(struct call *, const char *group, struct scoped_tables *);

/*
 * A text that changes when the tables of a group, as the caller sees them, have been rebuilt or
 * (for a caller who does not see everything) must be.  It reveals nothing about hidden members.
 * Builds no table.
 */
int scoped_tables_stamp(struct call *, const struct group_row *, const char **stamp);

/* Build the tables from these facts (tables_build). */
int scoped_tables_build(struct call *, const struct scoped_tables *, struct match_member *,
    const struct synced_member *, struct tables_build_result *);

/*
 * tables_page, tables_matrix and tables_link_pairs.  UNAVAILABLE if the tables have been replaced
 * since they were found.
 */
int scoped_tables_page(
    struct call *, const struct scoped_tables *, const struct table_filter *, struct table_page *);
int scoped_tables_matrix(struct call *, const struct scoped_tables *, const struct table_filter *,
    struct table_matrix *);
int scoped_tables_link_pairs(struct call *, const struct scoped_tables *,
    const struct table_filter *, struct table_matrix *);
#endif
