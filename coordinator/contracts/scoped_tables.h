#ifndef COORDINATOR_CONTRACTS_SCOPED_TABLES_H
#define COORDINATOR_CONTRACTS_SCOPED_TABLES_H
/*
 * The contract tables of a group as a caller may see them.  Who sees all members reads the group's
 * own, once they are made; for others there are tables made of the facts of the members that they
 * see, as if there were no others: what is matched, how sure that is, what is ambiguous and what
 * stands in evidence depends on everybody who was asked.  Those are kept in a temporary file, for
 * each set of visible members that is asked for, the last used.  Any thread.
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
	struct registry *at;		/* where the tables are, */
	const char *name;		/* and under which name */
	bool unrestricted;			/* they are the group's own */
	struct resolved_repos members;		/* that they are made of, by repo_uri */
	struct tables_info t;		/* synced_at NULL: they were never made */
};

/*
 * Where the tables of an existing group are, as they are.  -1 with the call's `e`, as all
 * functions here.
 */
int scoped_tables_find(struct call *, const char *group, struct scoped_tables *);

/*
 * The same; those of who does not see all members are made anew when facts have been kept since,
 * or --routing is another one; when that fails the old ones are still there.  Without any facts
 * they stay as they are: group_sync_run asks for these.
 */
int scoped_tables_refresh(struct call *, const char *group, struct scoped_tables *);

/*
 * What the tables of a group are, for who sees these members of it, as a text that is another one
 * when they have been made anew or, of who does not see everything, are to be: of them it says
 * nothing that the hidden ones have a part in.  No table is made for it.
 */
int scoped_tables_stamp(struct call *, const struct group_row *, const char **stamp);

/* Make them of these facts: tables_build. */
int scoped_tables_build(struct call *, const struct scoped_tables *, struct match_member *,
    const struct synced_member *, struct tables_build_result *);

/*
 * tables_page, tables_matrix and tables_link_pairs; UNAVAILABLE when the tables were replaced
 * since by those of other members.
 */
int scoped_tables_page(
    struct call *, const struct scoped_tables *, const struct table_filter *, struct table_page *);
int scoped_tables_matrix(struct call *, const struct scoped_tables *, const struct table_filter *,
    struct table_matrix *);
int scoped_tables_link_pairs(struct call *, const struct scoped_tables *,
    const struct table_filter *, struct table_matrix *);
#endif
