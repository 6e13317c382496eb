#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_MEMORY_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_MEMORY_H
/*
 * What a match leaves for the next one of the same members: which routes there were, and which
 * members each caller's answer depends on.  If only routes and calls of few members have changed,
 * the rows of all other callers stay as they are.
 */

#include <stdbool.h>
#include <stddef.h>

struct call_site;
struct match_context;
struct match_memory;
struct match_result;

/* Remembers nothing yet.  Free with match_memory_free. */
struct match_memory *match_memory_new(void);
void match_memory_free(struct match_memory *); /* NULL is fine */

/* All calls, ordered by member; `first` has the index of each member's first, and one more. */
struct call_sites {
	struct call_site **v;
	size_t n, cap, *first;
};

/*
 * Compare the members of the context with those that are remembered, and remember them instead.
 * Returns whether the calls of each caller are to be matched, in the arena of the context: because
 * they differ, or what may serve them does, or the place of what its rows in `before` name.  All
 * are, if names, packages, gateways or declarations differ, if nothing is remembered, or if the
 * memory or `before` is NULL.
 */
bool *match_memory_compare(struct match_memory *, const struct match_context *,
    const struct call_sites *, const struct match_result *before);

/*
 * Once the requests of these callers are counted: add those to whom they tell something else than
 * before about an address, and tell what is remembered of the requests of the rest.
 */
void match_memory_spread(struct match_memory *, const struct match_context *, bool *again);

/* Once all is counted: remember what the requests of each caller tell. */
void match_memory_keep_lessons(
    struct match_memory *, const struct match_context *, const bool *again);

/* Note that the calls of a member depend on everything that another one provides.  NULL is fine. */
void match_memory_note(struct match_memory *, size_t caller, size_t member);
#endif
