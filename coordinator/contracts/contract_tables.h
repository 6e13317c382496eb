#ifndef COORDINATOR_CONTRACTS_CONTRACT_TABLES_H
#define COORDINATOR_CONTRACTS_CONTRACT_TABLES_H
/*
 * What group_sync builds: the facts of each repository as last seen, and per group the contracts
 * and links made of them.  Rows are records in msgpack, kept in their order.  In the registry's
 * file; any thread.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;
struct err;
struct registry;

/* A member, and the version of its index whose facts the tables hold; NULL: none. */
struct synced_member {
	const char *repo_uri, *version;
};

/*
 * The facts of a repository, an encoded contracts_res, and the version of its index; NULL when
 * there are none.
 */
int tables_facts_get(struct registry *, const char *repo_uri, const char **version,
    struct bytes *body, struct arena *, struct err *);

/* The same, decoded; zeroed when there are none. */
int tables_facts_read(struct registry *, const char *repo_uri, const char **version,
    struct contracts_res *, struct arena *, struct err *);

/* Which versions of these repositories' facts are kept; NULL: none. */
int tables_facts_versions(
    struct registry *, struct synced_member *, size_t n, struct arena *, struct err *);

/*
 * Keep newer ones, unless those of another version than `old` (NULL: none) have been kept
 * meanwhile: `*kept` says it.
 */
int tables_facts_put(struct registry *, const char *repo_uri, const char *old, const char *version,
    struct bytes body, bool *kept, struct err *);

struct table_row {
	const char *list;		/* contract | unresolved | idle; NULL for links */
	const char *what;		/* kind of the contract, relation of the link */
	/* NULL: there is none; of links only the repositories: target and source */
	const struct end *producer, *consumer;
	const char *reason;		/* of what is unresolved */
	double confidence;		/* of a contract or a link */
	struct bytes row;
	size_t seq;			/* when read */
};

struct table_rows {
	struct table_row *v;
	size_t n, cap;
};

/*
 * Make room for tables under a name, of these members, unless there is; not in the registry that
 * says who they are.
 */
int tables_reserve(
    struct registry *, const char *name, const struct synced_member *, size_t n, struct err *);

/* Replace a group's tables in one transaction.  `*changed`: the rows differ from before. */
int tables_put(struct registry *, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, const struct synced_member *, size_t nsynced,
    const char *synced_at, bool *changed, struct err *);

/* What is known of a group's tables. */
struct tables_info {
	const char *synced_at, *digest;		/* NULL: never */
	struct synced_member *members;			/* by repo_uri */
	size_t nmembers;
};
int tables_get(
    struct registry *, const char *group, struct tables_info *, struct arena *, struct err *);

/* Rows in order; all that is not given fits. */
struct table_filter {
	bool links;			/* of the links; else of the contracts */
	bool crossing;			/* only pairs of different repositories */
	const t_strs *what;		/* kinds, or relations; empty: all */
	/* at one end: the repository, the method or ANY, text in the path */
	const char *repo_uri, *method, *path;
	const char *list;		/* contract | unresolved | idle */
	const char *producer, *consumer;	/* the repository at that end; of links target and source */
	const t_strs *reasons;		/* of what is unresolved; empty: all */
	double confidence;		/* at least; more than 0 leaves out what has none */
	size_t from, limit;		/* the first `seq`; at most so many, 0: no limit */
};

struct table_page {
	struct table_rows rows;		/* in the arena; without their ends */
	size_t contracts, unresolved, idle;	/* in all pages; of links in `contracts` */
	const char *digest;		/* of the tables that they are from */
};

/*
 * How many contracts of the filter there are between each two repositories, and how many
 * unresolved calls of each by reason.
 */
struct table_matrix {
	struct contract_pair *pairs;
	size_t npairs;
	struct unresolved_count *reasons;
	size_t nreasons;
	const char *digest;		/* of the tables that they are from */
};
int tables_matrix(struct registry *, const char *group, const struct table_filter *,
    struct table_matrix *, struct arena *, struct err *);

int tables_page(struct registry *, const char *group, const struct table_filter *,
    struct table_page *, struct arena *, struct err *);

/*
 * How many links there are between each two repositories, by relation: consumer is the source,
 * producer the target, kind the relation.
 */
int tables_link_pairs(struct registry *, const char *group, const struct table_filter *,
    struct table_matrix *, struct arena *, struct err *);
#endif
