#ifndef COORDINATOR_SEARCH_PHRASE_COVERAGE_H
#define COORDINATOR_SEARCH_PHRASE_COVERAGE_H
/* What an answer to a question with quoted text may lack. */

struct call;
struct coverage;
struct federated_search;

/*
 * Name in the coverage the members that did not read all documents with the words of quoted text
 * (the search is then not complete), and those whose shard is so old that it compares words only.
 */
void phrase_coverage(struct call *, struct federated_search *, struct coverage *);

/* Why a search found nothing, or not all of it, if that is due to quoted text; or NULL. */
const char *phrase_hint(struct call *, const struct federated_search *);
#endif
