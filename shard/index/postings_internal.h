#ifndef SHARD_INDEX_POSTINGS_INTERNAL_H
#define SHARD_INDEX_POSTINGS_INTERNAL_H
/* What writing (postings.c) and reading (postings_read.c) agree on. */

enum { POSTINGS_DEFAULT_WEIGHT = 4 };	/* the weight that is not written */
/* bytes of a term and its documents: with more a row had a page of its own, half empty */
enum { POSTINGS_ROW_BYTES = 986 };

#endif
