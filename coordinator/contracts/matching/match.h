#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_H
/*
 * Matches calls and publications with the routes, methods and subscriptions that serve them.  Pure
 * and deterministic: the same facts give the same rows in the same order, whatever the order of the
 * members.
 */

#include <stddef.h>

#include "coordinator/records/records.h"

struct arena;
struct match_memory;

/*
 * The version of the rules.  Raise it with every change that makes or drops links: tables that older
 * rules made are then rebuilt, and group_sync lists once which links are gone (departed_links.h).
 */
enum { MATCH_RULES = 1 };

struct match_member {
	const char *repo_uri, *name;
	const struct contracts_res *facts;
};

/* What is wrong with a declaration of atoll.yaml or of the operator, and where it is. */
struct declaration_note {
	struct clue clue;
	const char *unknown; /* the name that is nobody's in the group; NULL: that is not the fault */
};

/* Every consumer is in `contracts` or `unresolved`, every provider in `contracts` or `idle`. */
struct match_result {
	struct { struct contract *v; size_t n, cap; } contracts;
	struct { struct unresolved *v; size_t n, cap; } unresolved;
	struct { struct idle_producer *v; size_t n, cap; } idle;
	struct {
		struct declaration_note *v;
		size_t n, cap;
	} notes; /* by repo_uri of the caller */
};

/* A link is more likely right than wrong: what is less sure is only a candidate of its call. */
#define MATCH_LEAST 0.5

/* Rows live in the arena and point into the facts.  match_result_free frees the arrays. */
void match(const struct match_member *, size_t n, struct arena *, struct match_result *out);

/*
 * The same rows after a change of few members, with less work: only the calls of those callers are
 * matched whose answer may differ.  `before` has the rows of the last match with this memory (see
 * match_memory.h); NULL, or a change of more than routes and calls: all are matched.  Rows of
 * `before` become rows of `out`, so what they point into must live as long.  Returns the number of
 * callers whose calls were matched.
 */
size_t match_again(struct match_memory *, const struct match_result *before,
    const struct match_member *, size_t n, struct arena *, struct match_result *out);

/* The same with every candidate among the contracts, however unsure: what weights are fitted to. */
void match_unsure(const struct match_member *, size_t n, struct arena *, struct match_result *out);
void match_result_free(struct match_result *);
#endif
