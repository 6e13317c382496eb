#ifndef COORDINATOR_CONTRACTS_MATCHING_MATCH_BASE_URL_H
#define COORDINATOR_CONTRACTS_MATCHING_MATCH_BASE_URL_H
/*
 * Infers who answers at an address from all requests to it: a repository that serves most of them,
 * always with the same leading segments.  A public address is the same for all callers; an unknown
 * one is different for each caller.
 */

#include "coordinator/contracts/matching/match_internal.h"

/* What one repository serves of the requests to an address. */
struct base_url_server {
	size_t member;
	int shift;			/* leading segments that the calls have and its routes lack */
	size_t served, called;		/* counts of different requests */
};

/*
 * Add all calls, then build, then find.  Results live in the arena of the context; the rest is
 * freed by base_url_index_free.
 */
struct base_url_index *base_url_index_new(void);
void base_url_index_free(struct base_url_index *);	/* NULL is fine */
void base_url_index_add(struct match_context *, const struct call_site *);
void base_url_index_build(const struct match_context *);

/* The repositories at the address of a call, ordered by member; NULL and `*n` = 0 for none. */
const struct base_url_server *base_url_index_find(
    const struct match_context *, const struct call_site *, size_t *n);
#endif
