#ifndef TESTS_MUTATE_H
#define TESTS_MUTATE_H
/* Random changes of messages, reproducible from a seed on every machine. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/base/buf.h"
#include "proto/base/clock.h"

/* xorshift64*: fast, and the same on every machine. */
static inline uint64_t next_random(uint64_t *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return *s * 0x2545f4914f6cdd1d;
}

static inline size_t random_below(uint64_t *s, size_t n)
{
	return (size_t)((next_random(s) >> 11) % n);
}

/* The seed in `text`, or a new one.  Printed, so that a run can be repeated. */
static inline uint64_t seed_of(const char *text)
{
	uint64_t seed = text ? strtoull(text, NULL, 0) : (uint64_t)clock_us() * 0x9e3779b97f4a7c15;

	printf("seed %llu\n", (unsigned long long)seed);
	fflush(stdout);
	return seed ? seed : 1;
}

/* Change some bytes at random.  Pieces of `other` may be inserted; put_odd appends edge cases of the format. */
static inline void mutate_bytes(uint64_t *s, struct buf *b, const struct buf *other, void (*put_odd)(uint64_t *, struct buf *))
{
	size_t at = b->n ? random_below(s, b->n) : 0, n;
	struct buf out = { 0 };

	switch (b->n ? random_below(s, 12) : 3) {
	case 0: b->p[at] = (char)random_below(s, 256); return;
	case 1: b->n = at; return;
	case 2: case 3:
		buf_put(&out, b->p, at);
		put_odd(s, &out);
		buf_put(&out, b->p + at, b->n - at);
		break;
	case 4:		/* replaces bytes */
		buf_put(&out, b->p, at);
		put_odd(s, &out);
		n = random_below(s, 10);
		buf_put(&out, b->p + at + (n < b->n - at ? n : b->n - at), b->n - at - (n < b->n - at ? n : b->n - at));
		break;
	case 5:		/* a piece of another message */
		n = other->n ? random_below(s, other->n) : 0;
		buf_put(&out, b->p, at);
		buf_put(&out, other->p + n, random_below(s, other->n - n + 1));
		buf_put(&out, b->p + at, b->n - at);
		break;
	case 6:		/* repeats a piece of the message */
		n = random_below(s, b->n - at) + 1;
		buf_put(&out, b->p, at + n);
		buf_put(&out, b->p + at, b->n - at);
		break;
	default: b->p[at] ^= (char)(1 << random_below(s, 8)); return;
	}
	buf_free(b);
	*b = out;
}
#endif
