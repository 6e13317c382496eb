#ifndef COORDINATOR_CONTRACTS_CONSUMERS_H
#define COORDINATOR_CONTRACTS_CONSUMERS_H
/*
 * The contracts of all groups that a repository is in: who in other repositories calls what it
 * serves, and what it calls there.  Only contracts whose both ends the caller may see.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/call.h"

struct member;
struct tables_info;

struct repo_need {
	const char *consumer, *producer;
};

struct consumers {
	struct contract *v;	/* without duplicates */
	size_t n, cap;
	bool grouped;		/* the repository is in at least one group */
	t_strs reasons;		/* why contracts may be missing: members whose facts are missing or old */
	/* who needs a package of whom, or uses its definitions: pairs that the caller sees */
	struct repo_need *needs;
	size_t nneeds, cap_needs;
	struct { const struct tables_info **v; size_t n; } tables;	/* of the groups */
};

/* The answer depends on them: notes what cannot be read of the members (partial_answers.h). */
void consumers_note_partial(struct call *, const struct consumers *);

/*
 * Read the contracts of this repository; with `beyond` also those between other repositories.  If a
 * group's contracts were never built, they are built first.  `then` runs even after a failure
 * (c->e).
 */
void consumers_load(struct call *, const struct member *, bool beyond,
    void (*then)(struct call *, struct consumers *));

/* The same of one group, which contains the repository, without contracts between others. */
void consumers_load_group(struct call *, const struct member *, const char *group,
    void (*then)(struct call *, struct consumers *));

/*
 * Why more may use what the repository exports: others need its packages, and were not asked what
 * they use of them.  In the call's arena; NULL if there are none.
 */
const char *consumers_unknown_uses(struct call *, const struct consumers *, const char *repo_uri);

/* The other ends of contracts, in the call's arena. */
struct cross_end_list {
	struct cross_end *v;
	size_t n, cap;
};

void consumers_add_end(struct call *, struct cross_end_list *, struct cross_end);

/*
 * Add the callers of a route in other repositories, at distance `depth`.  Returns whether there are
 * any.
 */
bool consumers_add_external(struct call *, const struct consumers *, const char *repo_uri,
    const struct route_row *, uint64_t depth, struct cross_end_list *);

/* The same for callers within the repository. */
bool consumers_add_internal(struct call *, const struct consumers *, const char *repo_uri,
    const struct route_row *, uint64_t depth, struct cross_end_list *);

/* Add what lines `from` to `to` of a file call in other repositories. */
void consumers_add_outgoing(struct call *, const struct consumers *, const char *repo_uri,
    const char *path, uint64_t from, uint64_t to, uint64_t depth, struct cross_end_list *);

/* The other ends of all contracts of a file, ordered by its lines, without duplicates. */
void consumers_file_crossings(struct call *, const struct consumers *, const char *repo_uri,
    const char *path, struct file_crossing **v, size_t *n);

/* Remove duplicates and order by depth, then by repository, path and line. */
void consumers_sort_unique(struct cross_end_list *);
#endif
