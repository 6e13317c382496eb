#ifndef COORDINATOR_SEARCH_SEARCH_PAGE_H
#define COORDINATOR_SEARCH_SEARCH_PAGE_H
/*
 * The page of a search (search.h): where its hits stand, and their texts, from those that own
 * them.
 */

#include "coordinator/search/search.h"

/* From the ranking (s->all, from, n) to the end of the search. */
void search_page(struct call *, struct federated_search *);

/* ---- of search.c ---- */

/* Rank the members' hits, and take the page that the cursor says. */
void search_rank_page(struct call *, struct federated_search *);

/* Ask the members, also once more. */
void search_ask(struct call *, struct federated_search *);

/* Who answered; then the search's continuation. */
void search_finish(struct call *, struct federated_search *);

/* What is left of so many ms since the call began, at least a twentieth of them. */
int search_remaining_ms(const struct call *, int64_t deadline);
#endif
