#ifndef TESTS_RANDOM_NUMBER_H
#define TESTS_RANDOM_NUMBER_H

#include <stdint.h>

/* A small generator that gives the same numbers on every machine. */
static inline unsigned random_number(uint64_t *seed, unsigned below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(*seed >> 33) % below;
}
#endif
