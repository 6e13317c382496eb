#ifndef COORDINATOR_CONTRACTS_MATCHING_CLIENT_ADDRESS_H
#define COORDINATOR_CONTRACTS_MATCHING_CLIENT_ADDRESS_H
/*
 * Decides together about all requests that a repository sends to one address: which members serve
 * how many of them.  A public address is the same for all callers; an unknown one is different for
 * each caller.
 */

#include "coordinator/contracts/matching/match_internal.h"

/* What one repository serves of the requests to an address. */
struct address_server {
	size_t member;
	int shift; /* leading segments that the calls have and its routes lack */
	size_t served, called; /* counts of different requests */
};

/*
 * How well a repository fits an address, those of its requests that begin as the call does, and those
 * from the same folder: a library for several servers has a folder for each.
 */
struct address_support {
	size_t called, explained; /* requests to the address; those that any member serves */
	size_t served, best; /* by this member; by the one that serves most */
	size_t like_called, like_served; /* requests that begin like the call */
	size_t like_best; /* most of them that any member serves */
	size_t near_called, near_served; /* requests from the same folder */
};

/*
 * Add calls, then build, then ask; calls of further callers may be added and built later.  Results
 * live in the arena of the context; the rest is freed by address_index_free.
 */
struct address_index *address_index_new(void);
void address_index_free(struct address_index *); /* NULL is fine */
void address_index_add(
    struct match_context *, struct call_site *); /* the call remembers its address */
void address_index_build(const struct match_context *);

/*
 * The repositories that serve most of what is sent to the address of a call, ordered by member;
 * NULL and `*n` = 0 for none.
 */
const struct address_server *address_index_servers(
    const struct match_context *, const struct call_site *, size_t *n);

/*
 * The name of the address whose servers the requests of all callers tell, in the arena of the
 * context; NULL if the call has none.
 */
const char *address_shared_name(const struct match_context *, const struct call_site *);

/*
 * What the requests of one caller tell all others about such an address, ordered by caller; and
 * tell it, for a caller whose calls are not added.
 */
struct address_lesson {
	size_t caller;
	const char *address;
	const struct address_server *v; /* ordered by member */
	size_t n;
};
size_t address_index_lessons(const struct match_context *, struct address_lesson **out);
void address_index_teach(const struct match_context *, const struct address_lesson *);

/* How well a member fits the address of an HTTP call. */
struct address_support address_support(const struct call_site *, size_t member);
#endif
