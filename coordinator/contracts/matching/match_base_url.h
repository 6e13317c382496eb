#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_BASE_URL_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_BASE_URL_H
/*
 * Who answers at an address, concluded from all that is called there: a repository that serves
 * most of it, always with the same segments in front.  An address in the world is one for all
 * callers; one that says nothing is each caller's own.
 */

#include "coordinator/contracts/matching/match_internal.h"

/* What one repository serves of an address. */
struct base_url_server {
	size_t member;
	int shift;			/* segments that the calls have more in front */
	size_t served, called;		/* different requests */
};

/*
 * All calls are told first, then settled, then asked for.  Results live in the arena of `work`;
 * base_url_index_free takes the rest.
 */
struct base_url_index *base_url_index_new(void);
void base_url_index_free(struct base_url_index *);	/* NULL is fine */
void base_url_index_add(struct match_context *, const struct call_site *);
void base_url_index_build(const struct match_context *);

/* The repositories at the address of a call, by member; NULL and 0: none. */
const struct base_url_server *base_url_index_find(
    const struct match_context *, const struct call_site *, size_t *n);
#endif
