#ifndef SHARD_INDEX_POSTINGS_INTERNAL_H
#define SHARD_INDEX_POSTINGS_INTERNAL_H
/* What the writer (postings.c) and the reader (postings_read.c) agree on. */

enum { POSTINGS_DEFAULT_WEIGHT = 4 };	/* the weight that is not stored */
/*
 * Maximum bytes of a term and its documents in one row: larger rows would get a page of their own,
 * half empty.
 */
enum { POSTINGS_ROW_BYTES = 986 };

#endif
