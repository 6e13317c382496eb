#ifndef COORDINATOR_CONTRACTS_CONSUMERS_H
#define COORDINATOR_CONTRACTS_CONSUMERS_H
/*
 * The contracts of the groups that hold a repository, to look up who in other repositories calls
 * what it serves, and whom it calls.  As the caller may see them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/call.h"

struct member;

struct consumers {
	struct contract *v;	/* each once */
	size_t n, cap;
	bool grouped;		/* the repository is in a group at all */
	t_strs reasons;		/* why there may be more: members whose facts are missing or old */
};

/*
 * Read those of this repository, with `beyond` also those between others; the contracts of a group
 * that were never built are built now.  `then` runs also after a failure (c->e).
 */
void consumers_load(struct call *, const struct member *, bool beyond,
    void (*then)(struct call *, struct consumers *));

/* The other ends of contracts; in the call's arena. */
struct cross_end_list {
	struct cross_end *v;
	size_t n, cap;
};

/*
 * Add who calls a route of the repository from others, `depth` edges away.  Whether there was any.
 */
bool consumers_add_external(struct call *, const struct consumers *, const char *repo_uri,
    const struct route_row *, uint64_t depth, struct cross_end_list *);

/* The same from within the repository. */
bool consumers_add_internal(struct call *, const struct consumers *, const char *repo_uri,
    const struct route_row *, uint64_t depth, struct cross_end_list *);

/* Add what the lines of a file call in other repositories. */
void consumers_add_outgoing(struct call *, const struct consumers *, const char *repo_uri,
    const char *path, uint64_t from, uint64_t to, uint64_t depth, struct cross_end_list *);

/*
 * Who else has a part in the contracts that the lines of a file serve and call, by these lines;
 * each once.
 */
void consumers_file_crossings(struct call *, const struct consumers *, const char *repo_uri,
    const char *path, struct file_crossing **v, size_t *n);

/* Each end once, nearest first, then by repository, path and line. */
void consumers_sort_unique(struct cross_end_list *);
#endif
