#ifndef PROTO_PATTERN_GRAM_SKETCH_H
#define PROTO_PATTERN_GRAM_SKETCH_H
/*
 * A small set of trigrams that may have more than were put into it: a bit for each, at a place
 * that follows from the trigram, in about three to six bits per trigram.  A shard makes one of
 * its texts, so that it is not asked for patterns that it cannot match.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size in bytes of a sketch of `n` trigrams, which the caller allocates and zeroes. */
size_t gram_sketch_size(size_t n);

void gram_sketch_add(uint8_t *sketch, size_t size, uint32_t gram);

/* Also true if gram_sketch_size cannot have returned the size: then nothing is known. */
bool gram_sketch_may_have(const uint8_t *sketch, size_t size, uint32_t gram);
#endif
