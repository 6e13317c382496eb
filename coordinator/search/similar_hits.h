#ifndef COORDINATOR_SEARCH_SIMILAR_HITS_H
#define COORDINATOR_SEARCH_SIMILAR_HITS_H
/*
 * Which hits match a question, and which only resemble it.  A match has one of its words, a name or
 * a path of it, or is near in meaning.
 */

#include <stdbool.h>
#include <stddef.h>

struct call;
struct federated_search;
struct fused_hit;

/*
 * Put the hits that only resemble the question behind the others, in the same order otherwise, and
 * set their `similar` and the ranks of all.  A cosine of `near_enough` is a match without a word,
 * but with `keywords` (one or two words) not if none of the hits has one of them: these words are
 * nowhere, so nothing is meant by them.  Returns the number of matches.
 */
size_t similar_set_apart(struct fused_hit *, size_t n, double near_enough, bool keywords);

/* Do that with the ranking of a search in mode hybrid, and set s->matches. */
void search_set_similar_apart(struct call *, struct federated_search *);
#endif
