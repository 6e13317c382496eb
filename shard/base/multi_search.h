#ifndef SHARD_BASE_MULTI_SEARCH_H
#define SHARD_BASE_MULTI_SEARCH_H
/*
 * Which of many words a text holds, in one pass whatever their number (Aho and Corasick,
 * "Efficient string matching: an aid to bibliographic search", CACM 18(6), 1975).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct multi_search;

/* Lives in the arena. */
struct multi_search *multi_search_new(struct arena *);

/*
 * A word and whose it is; several may share an owner, and owners a word.  Owners are small
 * numbers, from 0.
 */
void multi_search_add(struct multi_search *, const char *word, size_t n, unsigned owner);

/* After the last word, before the first text. */
void multi_search_compile(struct multi_search *);

/*
 * Set found[owner] for each owner of whose words one is in the text; the others are left as they
 * are.
 */
void multi_search_find(const struct multi_search *, const char *text, size_t n, bool *found);
#endif
