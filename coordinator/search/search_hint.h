#ifndef COORDINATOR_SEARCH_SEARCH_HINT_H
#define COORDINATOR_SEARCH_SEARCH_HINT_H
/* What an answer may lack, and why nothing matches. */

struct call;
struct coverage;
struct federated_search;

/*
 * Name in the coverage the members that did not read all documents with the words of quoted text
 * (the search is then not complete), and those whose shard is so old that it compares words only.
 */
void phrase_coverage(struct call *, struct federated_search *, struct coverage *);

/* Why nothing matches, or what may be missing; NULL if there is nothing to say. */
const char *search_hint(struct call *, const struct federated_search *);
#endif
