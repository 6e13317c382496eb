#ifndef SHARD_VECTORS_VECTOR_FILE_H
#define SHARD_VECTORS_VECTOR_FILE_H
/*
 * The vectors of search documents on disk: `vectors.bin` in the data directory. The file has a head
 * and then segments, each with a checksum that also covers the one before. One process appends
 * segments and never changes them, so that readers keep what they mapped. The first segment with a
 * wrong checksum ends the file: a crash at any instant leaves the rows that were made durable
 * before.
 *
 * A row names its document and the hash of the document's texts (docs.hash), so that it counts for
 * no other text; a row whose document is gone is dead. All numbers are in the byte order of the
 * machine: the file is derived data, and its head tells if it is foreign.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct err;
struct vectors_writer;

enum { VECTORS_TEXT_SIZE = 240 };

/*
 * A row whose document id has this bit is the summary of a file: its commit subjects and test names
 * (commit_subjects.h, test_names.h). The other bits are the file's id; the last row of a file
 * counts. The row of file 0 records the commit of all summaries: its hash is
 * commit_subjects_fingerprint's.
 */
static const uint32_t VECTORS_FILE_ROW = (uint32_t)1 << 31;

/* What all rows of a file have in common. */
struct vectors_head {
	char index[64];				/* name of the documents' index */
	char settings[VECTORS_TEXT_SIZE];	/* hash of what decides which texts are embedded, and how */
	char fingerprint[VECTORS_TEXT_SIZE];	/* of the embedder */
	uint32_t dim;
};

struct vectors_segment {
	const int8_t *rows;
	const float *scales;	/* 0 for an empty text */
	const uint64_t *hashes;
	const uint32_t *docs;
	const uint8_t *fronts, *backs;	/* codes of the rows: vector_scan.h */
	const float *steps;		/* of the codes */
	size_t first;			/* the rows of the segments before this one */
	size_t n;
};

/* An open file with its valid segments. */
struct vectors {
	struct vectors_head head;
	struct vectors_segment *v;
	size_t n, rows;
	uint64_t bytes;		/* length of the valid part */
	uint64_t last;		/* checksum of the last segment */
	uint64_t device, inode;
	void *index;		/* for nearest_documents.c: one block of memory, or NULL */
	struct arena *means;	/* for nearest_documents.c, or NULL */
	/* modification time: a file that was cut and appended to may have the same length */
	struct timespec written;
	void *map;
	size_t mapped;
};

/* The part of a file that was verified before, so that its checksums are not computed again. */
struct vectors_checkpoint {
	uint64_t device, inode, bytes, sum;
};

/*
 * A checkpoint as a variable of the environment, by which a process tells a child what it has
 * verified. The child reads it; all are 0 without one.
 */
enum { VECTORS_CHECKPOINT_TEXT = 120 };
void vectors_checkpoint_print(const struct vectors_checkpoint *, char out[VECTORS_CHECKPOINT_TEXT]);
struct vectors_checkpoint vectors_checkpoint_inherited(void);

/*
 * Maps the file in `dir`. `mark` (may be NULL) is used and updated. Any thread may read the result.
 * Returns NULL with `e`: NO_INDEX if there is no file that this program can read, DB_ERROR if
 * reading failed.
 */
struct vectors *vectors_open(const char *dir, struct vectors_checkpoint *mark, struct err *e);

/* The same for a file of any name. */
struct vectors *vectors_open_file(const char *path, struct err *e);
void vectors_close(struct vectors *);	/* NULL is fine */

/* The segment with this row of the file, counted from 0; makes the row relative to it. */
const struct vectors_segment *vectors_segment_of(const struct vectors *, size_t *row);

/*
 * Whether a file of so many rows and segments should be written anew, in few segments. The number
 * of segments that it may have grows with the rows, so that a changed text costs the same share of
 * a new file however large the file is.
 */
bool vectors_is_scattered(size_t rows, size_t segments);

/* Whether the file in `dir` is still this one, and unchanged. */
bool vectors_is_current(const struct vectors *, const char *dir);

/*
 * Begins a new file, which vectors_writer_publish puts in place. Returns NULL with `e` (DB_ERROR).
 */
struct vectors_writer *vectors_create(const char *dir, const struct vectors_head *, struct err *e);

/* Appends to the valid part of the file; whatever follows it is overwritten. */
struct vectors_writer *vectors_append(const char *dir, const struct vectors *, struct err *e);

/* Adds a row, which stays in memory until vectors_writer_flush. */
void vectors_writer_put(
    struct vectors_writer *, uint32_t doc, uint64_t hash, const int8_t *row, float scale);

/* The number of rows in memory. */
size_t vectors_buffered_rows(const struct vectors_writer *);

/*
 * Writes the rows in memory as a segment, which is durable if the file is in place. Does nothing if
 * there are none.
 */
int vectors_writer_flush(struct vectors_writer *, struct err *e);

/* Puts a new file in place, durably and in one step. */
int vectors_writer_publish(struct vectors_writer *, struct err *e);

/* Removes the file; mappings of it stay valid. */
void vectors_remove(const char *dir);

/* Closes the writer, and deletes a new file that was not published. NULL is fine. */
void vectors_writer_close(struct vectors_writer *);
#endif
