#ifndef SHARD_SEARCH_QUERY_VECTOR_H
#define SHARD_SEARCH_QUERY_VECTOR_H
/* A query's vector, and the vectors of the index that it is compared with. */

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

/*
 * Returns 1 if they can be compared; 0 if the request does not ask for it, or `out` contains the
 * reason; -1 with `e`.
 */
int vector_query_open(struct vector_query *, struct index_reader *, const struct search_req *,
    struct search_res *out, struct arena *, struct err *e);

/* Reports how many of the documents have a vector. */
void vector_query_report(
    const struct vector_query *, size_t rows, struct search_res *out, struct arena *);
#endif
