#ifndef COORDINATOR_CONTRACTS_DEFINITION_USES_H
#define COORDINATOR_CONTRACTS_DEFINITION_USES_H
/*
 * Who in other repositories uses certain definitions of a repository: asked of the shards of all
 * members that need one of its packages.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/consumers.h"

struct fanout_reply;
struct member;

struct used_definition {
	const char *path, *symbol;	/* its file and qualified name */
	uint64_t depth;			/* edges to it from what was asked for */
};

struct definition_uses {
	struct cross_end_list ends;	/* relation `used_by`, nearest first */
	t_strs reasons;			/* why there may be more; empty: these are all */
	bool late;			/* a shard did not answer in time */
	struct fanout *asked;		/* NULL if nobody was */
};

struct uses_question {
	const struct used_definition *v;
	size_t n;
	const char *path;		/* instead: all definitions of this file; NULL: these */
	size_t limit;			/* uses of one repository; 0: 500 */
	bool paged;			/* that there are more is no reason for doubt */
	int ms;				/* that a shard has to answer */
};

/* `then` runs with c->state as it was, even after a failure (c->e). */
void definition_uses_find(struct call *, const struct member *of, const struct consumers *,
    const struct uses_question *, void (*then)(struct call *, struct definition_uses *));

struct outgoing_uses {
	struct cross_end_list ends;	/* relation `uses`, with the places of the definitions there */
	uint64_t *lines;		/* of each end: where it is used */
	t_strs reasons; /* why there may be more, or their places are not known */
};

/*
 * What lines `from` to `to` (0: all) of a file use of other repositories.  Empty if the repository
 * needs no package of others.
 */
void definition_uses_outgoing(struct call *, const struct member *, const struct consumers *,
    const char *path, uint64_t from, uint64_t to, int ms,
    void (*then)(struct call *, struct outgoing_uses *));

/*
 * The members that need a package of the repository, as far as the caller sees them; in the call's
 * arena.
 */
size_t definition_uses_members(
    struct call *, const struct consumers *, const char *repo_uri, struct member ***out);

/*
 * Why a member's answer to RPC `uses` does not tell what it uses of the repository; NULL if it does.
 */
const char *definition_uses_unknown(
    struct call *, const char *repo_uri, const struct fanout_reply *);

/* Whether any member that the caller sees needs a package of this one. */
bool definition_uses_possible(const struct consumers *, const char *repo_uri);
#endif
