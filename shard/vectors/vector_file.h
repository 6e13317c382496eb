#ifndef SHARD_VECTORS_VECTOR_FILE_H
#define SHARD_VECTORS_VECTOR_FILE_H
/*
 * The vectors of search documents on disk: `vectors.bin` beside the index.  A head, then segments,
 * each with a checksum that also covers the one before; they are appended by one process and never
 * changed, so that readers keep what they mapped. What does not check ends the file: a crash at
 * any instant leaves the rows that were made durable before.  A row names its document and the
 * hash of the document's texts (docs.hash), so that it counts for no other text; a row whose
 * document is gone is dead.  Everything is in the byte order of the machine: the file is derived,
 * and its head tells one from the other.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct err;
struct vectors_writer;

enum {
	VECTORS_SEGMENTS_MAX = 64,	/* more of them are made one */
	VECTORS_TEXT_SIZE = 240
};

/*
 * A row with this bit is of a file (the other bits: its id; the last such row counts): of what
 * commits and tests say of it (commit_subjects.h, test_names.h). That of file 0 says of which
 * commit all of them are: its hash is commit_subjects_fingerprint's.
 */
static const uint32_t VECTORS_FILE_ROW = (uint32_t)1 << 31;

/* What all rows of a file have in common. */
struct vectors_head {
	char index[64];				/* name of the index that the documents are of */
	/* of what decides which texts were embedded, and by what */
	char settings[VECTORS_TEXT_SIZE];
	char fingerprint[VECTORS_TEXT_SIZE];		/* of the embedder */
	uint32_t dim;
};

struct vectors_segment {
	const int8_t *rows;
	const float *scales;	/* 0: the text says nothing */
	const uint64_t *hashes;
	const uint32_t *docs;
	const uint8_t *fronts, *backs;	/* codes of the rows, and their steps: vector_scan.h */
	const float *steps;
	size_t n;
};

/* An open file, all of whose segments checked. */
struct vectors {
	struct vectors_head head;
	struct vectors_segment *v;
	size_t n, rows;
	uint64_t bytes;		/* of the file as far as it counts */
	uint64_t last;		/* checksum of the last segment */
	uint64_t device, inode;
	void *index;		/* of nearest_documents.c: one piece of memory, or NULL */
	struct arena *means;	/* of nearest_documents.c, or NULL */
	/* when it was opened: what is cut off and added to may be as long as before */
	struct timespec written;
	void *map;
	size_t mapped;
};

/* How much of which file was checked before: it is not read again for that. */
struct vectors_checkpoint {
	uint64_t device, inode, bytes, sum;
};

/*
 * Map the file in `dir`; `mark` (NULL: none) is used and brought up to date.  Any thread may read
 * it.  NULL: NO_INDEX when there is none or it is not one that this program can read, DB_ERROR
 * when it cannot be had.
 */
struct vectors *vectors_open(const char *dir, struct vectors_checkpoint *mark, struct err *e);

/* The same of a file of any name. */
struct vectors *vectors_open_file(const char *path, struct err *e);
void vectors_close(struct vectors *);	/* NULL is fine */

/* Whether the file in `dir` is still this one, and no longer. */
bool vectors_is_current(const struct vectors *, const char *dir);

/* Begin a new file, which vectors_writer_publish puts in place.  NULL with `e` (DB_ERROR). */
struct vectors_writer *vectors_create(const char *dir, const struct vectors_head *, struct err *e);

/* Append to the file as it was opened; what follows in it did not check and is written over. */
struct vectors_writer *vectors_append(const char *dir, const struct vectors *, struct err *e);

/* Add a row; it is in memory until vectors_writer_flush. */
void vectors_writer_put(
    struct vectors_writer *, uint32_t doc, uint64_t hash, const int8_t *row, float scale);

/* Rows that are in memory. */
size_t vectors_buffered_rows(const struct vectors_writer *);

/* Make them a segment; of a file that is in place, a durable one.  Without any it does nothing. */
int vectors_writer_flush(struct vectors_writer *, struct err *e);

/* Put a new file in place: durable, in one step. */
int vectors_writer_publish(struct vectors_writer *, struct err *e);

/* Remove the file; who has it mapped keeps it. */
void vectors_remove(const char *dir);

/* Close; a new file that was not published is removed.  NULL is fine. */
void vectors_writer_close(struct vectors_writer *);
#endif
