#ifndef SHARD_SEARCH_QUERY_VECTOR_H
#define SHARD_SEARCH_QUERY_VECTOR_H
/* A query's vector, and the vectors of the index that it may be compared with. */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;
struct ranking;
struct index_reader;
struct search_req;
struct search_res;
struct vectors;

struct vector_query {
	struct vectors *f;		/* the reader's */
	const struct ranking *r;
	const float *query;		/* in the arena */
};

/* 1: they can be compared; 0: not asked for, or `out` says why not; -1 with `e`. */
int vector_query_open(struct vector_query *, struct index_reader *, const struct search_req *,
    struct search_res *out, struct arena *, struct err *e);

/* Say how many of the documents have a vector. */
void vector_query_report(
    const struct vector_query *, size_t rows, struct search_res *out, struct arena *);
#endif
