#ifndef SHARD_TRIGRAMS_TEXT_SEGMENT_H
#define SHARD_TRIGRAMS_TEXT_SEGMENT_H
/*
 * Some files of a commit, read, packed and with the lists of their trigrams, before they are
 * written.  Every text file counts, whatever the ranked index thinks of it; a file is no text if
 * it contains a NUL byte.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "shard/trigrams/gram_lists.h"

struct arena;
struct db;
struct err;
struct gram_collector;
struct repo;
struct tree_entry;

enum {
	SEGMENT_BYTES = 16 << 20, /* of texts, before they are packed */
	SEGMENT_TEXTS = 1 << 16
};

/* A file.  `why`: for what reason its text is not stored; NULL: it is. */
struct packed_text {
	const char *path, *why, *language;
	uint64_t bytes;
	size_t at, n; /* its packed bytes in `data` */
};

/* Zero-initialise. */
struct text_segment {
	struct packed_text *v;
	size_t n, cap, ntexts;
	struct buf data;
	struct gram_lists *lists;
	struct arena *a;
};

void text_segment_free(struct text_segment *);

/*
 * Read a file and add it, or the reason why it has no text.  Folders, and repositories inside
 * this one, are nothing.  `grams` is scratch memory; without it the lists do not get its
 * trigrams. Borrows the entry's path.
 */
void text_segment_add(struct text_segment *, struct repo *, const struct tree_entry *,
    uint64_t bytes_max, struct gram_collector *grams);

/* Write the files; the ids of the texts are those from *next on, which is moved behind them. */
int text_segment_write(struct text_segment *, struct db *, int64_t *next, struct err *);

/* Write which of these texts, the first of which has the id `first`, contain which trigrams. */
int text_segment_write_lists(struct text_segment *, struct db *, int64_t first, struct err *);
#endif
