#ifndef SHARD_TRIGRAMS_GRAM_LISTS_H
#define SHARD_TRIGRAMS_GRAM_LISTS_H
/*
 * Which texts of a segment contain a trigram.  A segment is some megabytes of texts with ids in a
 * row; it is written once and never changed, so a push need not touch lists of thousands of
 * trigrams.  Its lists are stored in blocks of a few kilobytes, each under its first trigram:
 * per trigram the difference to the one before, the number of texts, and their differences.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"

struct gram_lists;

/* The lists of a segment while it is made. */
struct gram_lists *gram_lists_new(void);
void gram_lists_free(struct gram_lists *); /* NULL is fine */

/* Add the distinct trigrams of text number `text`; texts come in order, from 0. */
void gram_lists_add(struct gram_lists *, uint32_t text, const uint32_t *grams, size_t n);

/* A block: the lists from trigram `first` on. */
struct gram_block {
	uint32_t first;
	size_t at, n; /* its bytes in the buffer */
};

struct gram_blocks {
	struct buf bytes;
	struct gram_block *v;
	size_t n, cap;
};

/* Append the blocks of all lists, in order, and forget the lists. */
void gram_lists_pack(struct gram_lists *, struct gram_blocks *out);
void gram_blocks_free(struct gram_blocks *);

/* The texts of a list, by number. */
struct text_numbers {
	uint32_t *v;
	size_t n, cap;
};

/* Call `see` for each trigram of a block.  False if the block is damaged. */
bool gram_block_each(
    const void *block, size_t n, uint32_t first, void (*see)(void *arg, uint32_t gram), void *arg);

/*
 * Find a trigram in a block that begins with `first`, and put the numbers of its texts into
 * `out`, none if it is not there.  `texts`: how many the segment has.  False if the block is
 * damaged.
 */
bool gram_block_find(const void *block, size_t n, uint32_t first, uint32_t gram, uint32_t texts,
    struct text_numbers *out);
#endif
