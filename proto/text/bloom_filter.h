#ifndef PROTO_TEXT_BLOOM_FILTER_H
#define PROTO_TEXT_BLOOM_FILTER_H
/*
 * A Bloom filter: a set of words in about 10 bits per word, with one false positive in a hundred.
 * All bits of a word are in one block of 64 bytes.  A shard makes one of the terms of its index
 * and, after `=`, of the keys of its symbols (symbol_match.h) and, after `^`, of some beginnings of
 * them, so that it is not asked for words that it does not contain.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The hash of a word, or of a symbol's key; never 0. */
uint64_t bloom_hash(const char *word);
uint64_t bloom_hash_key(const char *key);

/*
 * The hashes of the beginnings of a key that are in a sketch, from the shortest on; returns their
 * number.  A sketch of the keys that begin with `key` has all of them.
 */
enum { BLOOM_BEGINNINGS = 3 };
size_t bloom_hash_beginnings(const char *key, uint64_t out[BLOOM_BEGINNINGS]);

/* The size in bytes of a sketch of `n` words, which the caller allocates and zeroes. */
size_t bloom_size(size_t n);

void bloom_add(uint8_t *sketch, size_t size, uint64_t hash);

/* Also true if bloom_size cannot have returned the size: then nothing is known. */
bool bloom_may_contain(const uint8_t *sketch, size_t size, uint64_t hash);
#endif
