#ifndef COORDINATOR_TABLES_H
#define COORDINATOR_TABLES_H
/*
 * What group_sync builds: the facts of each repository as last seen, and per group the contracts and links made of
 * them.  Rows are records in msgpack, kept in their order.  In the registry's file; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "proto/msg.h"

struct arena;
struct err;
struct registry;

/* The facts of a repository, an encoded contracts_res, and the version of its index; NULL when there are none. */
int tables_facts_get(struct registry *, const char *repo_uri, const char **version, struct bytes *body, struct arena *,
    struct err *);
int tables_facts_put(struct registry *, const char *repo_uri, const char *version, struct bytes body, struct err *);

struct table_row {
	const char *list;	/* contract | unresolved | idle; NULL for links */
	struct bytes row;
};

struct table_rows {
	struct table_row *v;
	size_t n, cap;
};

/* A member, and the version of its index whose facts the tables hold; NULL: none. */
struct synced {
	const char *repo_uri, *version;
};

/* Replace a group's tables in one transaction.  `*changed`: the rows differ from before. */
int tables_put(struct registry *, const char *group, const struct table_rows *contracts, const struct table_rows *links,
    const struct synced *, size_t nsynced, const char *synced_at, bool *changed, struct err *);

/* When the tables of a group were built; NULL: never. */
int tables_synced_at(struct registry *, const char *group, const char **at, struct arena *, struct err *);

struct tables {
	const char *synced_at, *digest;		/* NULL: never */
	struct table_rows contracts, links;	/* as asked for */
	struct synced *members;			/* by repo_uri */
	size_t nmembers;
};
int tables_get(struct registry *, const char *group, bool links, struct tables *, struct arena *, struct err *);
#endif
