#ifndef COORDINATOR_CONTRACTS_CONTRACT_TABLES_H
#define COORDINATOR_CONTRACTS_CONTRACT_TABLES_H
/*
 * What group_sync builds: the latest facts of each repository and, for each group, the contracts
 * and links made from them.  Rows are msgpack records and keep their order.  The tables are in the
 * registry's file.  Any thread may call these functions.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/records/records.h"
#include "proto/net/crypto.h"

struct arena;
struct err;
struct registry;

/* A member, and the version of its index whose facts are in the tables; NULL if there are none. */
struct synced_member {
	const char *repo_uri, *version;
};

/*
 * Read the facts of a repository, an encoded contracts_res, and the version of the index that they
 * are from.  `*version` is NULL if there are none.
 */
int tables_facts_get(struct registry *, const char *repo_uri, const char **version,
    struct bytes *body, struct arena *, struct err *);

/* The same, decoded; `out` is zeroed if there are none. */
int tables_facts_read(struct registry *, const char *repo_uri, const char **version,
    struct contracts_res *, struct arena *, struct err *);

/* Set the version of the stored facts of each repository; NULL if there are none. */
int tables_facts_versions(
    struct registry *, struct synced_member *, size_t n, struct arena *, struct err *);

/*
 * Store newer facts, unless the stored version is no longer `old` (NULL if there were none).
 * `*kept` tells whether they were stored.
 */
int tables_facts_put(struct registry *, const char *repo_uri, const char *old, const char *version,
    struct bytes body, bool *kept, struct err *);

struct table_row {
	const char *list;		/* contract | unresolved | idle; NULL for links */
	const char *what;		/* kind of the contract, relation of the link */
	/* NULL if there is none; for links only the repositories, target and source */
	const struct end *producer, *consumer;
	const char *reason;		/* why a call is unresolved */
	double confidence;		/* of a contract or a link */
	struct bytes row;
	size_t seq;			/* place in the table; set when rows are read */
};

struct table_rows {
	struct table_row *v;
	size_t n, cap;
};

/*
 * Create the rows that tables under this name need, if they do not exist.  For a temporary registry
 * only: the real one knows the groups and their members.
 */
int tables_reserve(
    struct registry *, const char *name, const struct synced_member *, size_t n, struct err *);

/* What is known of tables besides their rows. */
struct tables_origin {
	struct bytes notes; /* declaration_notes.h */
	uint64_t rules; /* version of the rules that made them; 0: unknown */
};

/* Whether any row differs from those before, and the digest of all. */
struct tables_change {
	bool changed;
	char digest[SHA256_HEX];
};

/* Replace a group's tables in one transaction. */
int tables_put(struct registry *, const char *group, const struct table_rows *contracts,
    const struct table_rows *links, const struct synced_member *, size_t nsynced,
    const struct tables_origin *, const char *synced_at, struct tables_change *, struct err *);

struct tables_info {
	const char *synced_at, *digest;		/* NULL if they were never built */
	struct tables_origin origin;
	struct synced_member *members;		/* ordered by repo_uri */
	size_t nmembers;
};
int tables_get(
    struct registry *, const char *group, struct tables_info *, struct arena *, struct err *);

/* Which rows to read.  A field that is not set matches every row. */
struct table_filter {
	bool links;			/* read the links instead of the contracts */
	bool crossing;			/* only pairs of different repositories */
	const t_strs *what;		/* kinds of contracts, or relations of links */
	/* either end: its repository, its method (ANY matches too), a text within its path */
	const char *repo_uri, *method, *path;
	const char *list;		/* contract | unresolved | idle */
	const char *producer, *consumer;	/* the repository at that end; of links target and source */
	const t_strs *reasons;		/* reasons of unresolved calls */
	double confidence;		/* the minimum; above 0 it excludes rows without a confidence */
	size_t from, limit;		/* the first `seq`; the maximum number of rows, 0 = unlimited */
};

struct table_page {
	struct table_rows rows;		/* in the arena; their ends are not set */
	size_t contracts, unresolved, idle;	/* totals over all pages; links count as contracts */
	const char *digest;		/* of the tables that were read */
};
int tables_page(struct registry *, const char *group, const struct table_filter *,
    struct table_page *, struct arena *, struct err *);

/*
 * How many matching contracts there are between any two repositories, and how many unresolved calls
 * each repository has by reason.
 */
struct table_matrix {
	struct contract_pair *pairs;
	size_t npairs;
	struct unresolved_count *reasons;
	size_t nreasons;
	const char *digest;		/* of the tables that were read */
};
int tables_matrix(struct registry *, const char *group, const struct table_filter *,
    struct table_matrix *, struct arena *, struct err *);

/*
 * How many links there are between any two repositories, by relation.  In each pair the consumer is
 * the source, the producer is the target, and the kind is the relation.
 */
int tables_link_pairs(struct registry *, const char *group, const struct table_filter *,
    struct table_matrix *, struct arena *, struct err *);

/*
 * How many calls from one repository to another each group has by confidence (`0.5-0.6` to
 * `0.9-1.0`, `1.0`; `0.0-0.5` of older rules), and how many unresolved calls by reason.  All groups
 * but the first hundred by name count as the group "".  On failure there are none.
 */
struct tables_tally {
	const char *group, *what;
	uint64_t n;
};
struct tables_tallies {
	struct tables_tally *links, *reasons;
	size_t nlinks, nreasons;
};
int tables_tally(struct registry *, struct tables_tallies *, struct arena *, struct err *);
#endif
