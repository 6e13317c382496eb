#ifndef SHARD_SEARCH_QUERY_VECTOR_H
#define SHARD_SEARCH_QUERY_VECTOR_H
/* A query's vector, and the vectors of the index that it may be compared with. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct ranking;
struct reader;
struct search_req;
struct search_res;
struct vectors;

struct near {
	struct vectors *f;		/* the reader's */
	const struct ranking *r;
	const float *query;		/* in the arena */
};

/* 1: they can be compared; 0: not asked for, or `out` says why not; -1 with `e`. */
int near_open(struct near *, struct reader *, const struct search_req *, struct search_res *out, struct arena *, struct err *e);

/* Say how many of the documents have a vector. */
void near_tell(const struct near *, size_t rows, struct search_res *out, struct arena *);
#endif
