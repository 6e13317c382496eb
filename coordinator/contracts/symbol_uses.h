#ifndef COORDINATOR_CONTRACTS_SYMBOL_USES_H
#define COORDINATOR_CONTRACTS_SYMBOL_USES_H
/*
 * Uses of definitions in other repositories, asked of the shards that use them: the coordinator
 * only knows how many there are between two repositories.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/fanout.h"
#include "coordinator/contracts/scoped_tables.h"

struct member;

/* A repository that uses others, and rows of its uses. */
struct uses_consumer_rows {
	struct member *member;
	t_strs targets;			/* the repositories that it uses */
	uint64_t uses, symbols;		/* rows that it has, by either detail, when the group was synced */
};

struct uses_consumer_list {
	struct uses_consumer_rows *v;	/* ordered by repo_uri */
	size_t n;
	const struct link *needs; /* dependencies on packages, of all */
	size_t nneeds;
};

/*
 * Who uses whom in a group, as far as the caller sees both; with the filter's repositories.  -1
 * with the call's `e` set.
 */
int symbol_uses_consumers(struct call *, const struct scoped_tables *, const struct table_filter *,
    struct uses_consumer_list *);

/* Set the pairs of uses_symbol to their number of uses: the tables have one row for each pair. */
int symbol_uses_count(struct call *, const struct scoped_tables *, struct table_matrix *);

struct symbol_uses_page {
	struct link *links;		/* by source and target */
	size_t n;
	size_t next;			/* offset of the next page; 0 = this is the last */
	uint64_t total;
	struct fanout *asked;		/* for the coverage; NULL if nobody was */
	t_strs reasons;			/* why there may be more */
	void *outer;			/* the call's state before, for `then` to restore */
};

/*
 * A page of links `uses_symbol` of all consumers; `each`: one for each use, else one for each
 * definition.  `then` runs even after a failure (the call's `e` is set).
 */
void symbol_uses_list(struct call *, const struct uses_consumer_list *, bool each, size_t offset,
    size_t limit, void (*then)(struct call *, struct symbol_uses_page *));
#endif
