#ifndef SHARD_BASE_MULTI_SEARCH_H
#define SHARD_BASE_MULTI_SEARCH_H
/*
 * Which of many words a text holds, in one pass whatever their number (Aho and Corasick, "Efficient string matching: an aid to
 * bibliographic search", CACM 18(6), 1975).
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct needles;

/* Lives in the arena. */
struct needles *needles_new(struct arena *);

/* A word and whose it is; several may share an owner, and owners a word.  Owners are small numbers, from 0. */
void needles_add(struct needles *, const char *word, size_t n, unsigned owner);

/* After the last word, before the first text. */
void needles_ready(struct needles *);

/* Set found[owner] for each owner of whose words one is in the text; the others are left as they are. */
void needles_find(const struct needles *, const char *text, size_t n, bool *found);
#endif
