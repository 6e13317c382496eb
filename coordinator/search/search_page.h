#ifndef COORDINATOR_SEARCH_SEARCH_PAGE_H
#define COORDINATOR_SEARCH_SEARCH_PAGE_H
/* The page of a search (search.h): fetches the places and texts of its hits from their members. */

#include "coordinator/search/search.h"

/* Continue from the ranking (s->all, from, n) to the end of the search. */
void search_page(struct call *, struct federated_search *);

/* ---- of search.c ---- */

/* Rank the members' hits and take the page at the cursor. */
void search_rank_page(struct call *, struct federated_search *);

/* Ask the members, for the first time or again. */
void search_ask(struct call *, struct federated_search *);

/* Set the coverage and call the search's continuation. */
void search_finish(struct call *, struct federated_search *);

/* What is left of `deadline` ms since the call began, but at least a twentieth of them. */
int search_remaining_ms(const struct call *, int64_t deadline);
#endif
