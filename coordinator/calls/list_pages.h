#ifndef COORDINATOR_CALLS_LIST_PAGES_H
#define COORDINATOR_CALLS_LIST_PAGES_H
/*
 * Pages of lists that a shard finds by a walk, which may end at the deadline.  Nothing is kept
 * between pages: the shard walks again and leaves out what earlier pages have.  After a page whose
 * walk the deadline ended, the next one gets twice the time, so it gets further.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coordinator/calls/call.h"

struct freshness;
struct member;

enum { PAGED_LISTS = 10 };

struct list_pages {
	const char *cursor;
	struct member *member;
	size_t doublings;		/* of the time of the first page */
	uint32_t starts[PAGED_LISTS + 1];	/* by the number of the list, from 1; 0 = not a list */
};

/* Begin the page at the cursor, NULL for the first, of lists of this member. */
struct list_pages *list_pages_open(struct call *, const char *cursor, struct member *);

/* The time limit of this page's request, if that of the first page is `ms`. */
int list_pages_ms(const struct list_pages *, int64_t ms);

/* The starts of all lists, for the request. */
void list_pages_starts(struct call *, const struct list_pages *, struct list_start **v, size_t *n);

/* -1 with INVALID_INPUT if the cursor is for other arguments or another index than answered. */
int list_pages_check(struct call *, const struct list_pages *, const struct freshness *);

/*
 * The cursor of the next page, or NULL: `more` if a list goes on at the present starts, `stopped` if
 * the deadline ended the walk of a first page that takes `ms`.
 */
const char *list_pages_next(struct call *, const struct list_pages *, const struct freshness *,
    bool more, bool stopped, int64_t ms);
#endif
