#ifndef SHARD_STORAGE_EDGE_STORE_H
#define SHARD_STORAGE_EDGE_STORE_H
/*
 * The edges of the graph on disk.  Table `edges` has one blob for each file with outgoing edges;
 * table `incoming` lists the files with edges into a file.  The edges that lead to a definition
 * are found by reading the edges of those files.  Stored as rows with two indexes, the edges took
 * five to eight times the space.
 *
 *   row    byte 0 and the blob, or byte 1 and the blob compressed by deflate.h
 *   blob   the types, then the edges in order of source, kind, target file, target and line.  For
 *          each edge: the difference of its source to the previous edge, the index of its type,
 *          and the differences of target file (from the file itself for the first), target and
 *          line.  Source and target are symbol numbers without their files (symbol_store.h)
 *   type   kind, confidence and reason, which many edges of a file share: a table at the head of
 *          the blob
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"

struct arena;
struct db;
struct err;

struct stored_edge {
	int64_t source, target;		/* symbol ids; 0 = the file's top level, the file itself */
	int64_t target_file;
	unsigned kind;			/* index of the EDGE row of proto/record/kinds.def */
	int confidence;			/* in hundredths, 0 to 100 */
	uint32_t line;			/* in the source's file */
	const char *reason;
};

struct stored_edges {
	struct stored_edge *v;
	size_t n;
};

/* Replace the edges of the file by these; sorts them in place. */
int edges_put(struct db *, int64_t file, struct stored_edge *, size_t n, struct err *);

/*
 * What edges_put writes for a file.  edges_pack needs no database, so any thread may call it; it
 * sorts the edges in place.  Release the result with packed_edges_free.
 */
struct packed_edges {
	struct buf data;		/* empty if there are no edges */
	int64_t *targets;		/* the files that the edges lead to, sorted, without duplicates */
	size_t ntargets;
};
void edges_pack(int64_t file, struct stored_edge *, size_t n, struct packed_edges *out);
void packed_edges_free(struct packed_edges *);

/*
 * The two writes of edges_put: the edges of a file that has none yet, and a row that says that
 * `file` has edges into `target`.
 */
int edges_put_packed(struct db *, int64_t file, const struct packed_edges *, struct err *);
int edges_put_incoming(struct db *, int64_t target, int64_t file, struct err *);

/* The edges of a file, in stored order, in the arena.  DB_ERROR if the blob is damaged. */
int edges_read(struct db *, int64_t file, struct arena *, struct stored_edges *out, struct err *);

/* Delete the edges of a file. */
int edges_delete(struct db *, int64_t file, struct err *);

/*
 * The files with edges into a file (possibly the file itself), in order of id, in the arena.
 */
int edges_incoming_files(
    struct db *, int64_t file, struct arena *, int64_t **files, size_t *n, struct err *);
#endif
