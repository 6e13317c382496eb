#ifndef PROTO_TEXT_BLOOM_FILTER_H
#define PROTO_TEXT_BLOOM_FILTER_H
/*
 * A set of words in about 10 bits each, that says of a word that it is not in it, or that it may
 * be (once in a hundred times wrongly): a Bloom filter whose bits of one word lie in one block of
 * 64 bytes.  A shard makes one of the terms that it holds and, behind `=`, of the keys of its
 * symbols (symbol_match.h), so that nobody need ask it for words that it lacks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64 bits of a word; never 0. */
uint64_t bloom_hash(const char *word);
uint64_t bloom_hash_key(const char *key);

/* Bytes of a sketch of `n` words; they are zero at first. */
size_t bloom_size(size_t n);

void bloom_add(uint8_t *sketch, size_t size, uint64_t hash);

/* Also true when the size is none that bloom_size gives: nothing is known. */
bool bloom_may_contain(const uint8_t *sketch, size_t size, uint64_t hash);
#endif
