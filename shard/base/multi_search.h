#ifndef SHARD_BASE_MULTI_SEARCH_H
#define SHARD_BASE_MULTI_SEARCH_H
/*
 * Finds which of many words a text contains, in one pass over the text (Aho and Corasick,
 * "Efficient string matching: an aid to bibliographic search", CACM 18(6), 1975).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct multi_search;

/* Lives in the arena. */
struct multi_search *multi_search_new(struct arena *);

/*
 * Add a word for an owner.  An owner may have several words, and a word several owners.  Owners are
 * small numbers, from 0.
 */
void multi_search_add(struct multi_search *, const char *word, size_t n, unsigned owner);

/* Call it after the last multi_search_add and before the first multi_search_find. */
void multi_search_compile(struct multi_search *);

/*
 * Set found[owner] for each owner that has a word in the text.  Other elements do not change.
 * Threads may search at the same time.
 */
void multi_search_find(const struct multi_search *, const char *text, size_t n, bool *found);
#endif
