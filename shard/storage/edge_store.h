#ifndef SHARD_STORAGE_EDGE_STORE_H
#define SHARD_STORAGE_EDGE_STORE_H
/*
 * The edges of the graph on disk: table `edges`, one blob for each file that has some, and table
 * `incoming`, which files have edges into a file.  Whoever leads to a definition is found by
 * reading the edges of those files: as rows with two indexes the edges took five to eight times
 * the room.
 *
 *   row    0 and the blob, or 1 and the blob as deflate.h makes it shorter
 *   blob   sorts, then for each edge, in order of source, kind, target file, target and line: the difference of source to the edge before,
 *          the number of its sort, the differences of target file (from the file itself for the first), target and line; source and
 *          target without their files (symbol_store.h)
 *   sort   kind, confidence, reason: what edges of the file have in common; a table at the head of the blob
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"

struct arena;
struct db;
struct err;

struct stored_edge {
	int64_t source, target;		/* ids of symbols; 0: the file's top level, the file itself */
	int64_t target_file;
	unsigned kind;			/* index of the EDGE row of proto/record/kinds.def */
	int confidence;			/* in hundredths, 0 to 100 */
	uint32_t line;			/* of the source's file */
	const char *reason;
};

struct stored_edges {
	struct stored_edge *v;
	size_t n;
};

/* Make these the edges of the file, in place of those that it has; sorts them. */
int edges_put(struct db *, int64_t file, struct stored_edge *, size_t n, struct err *);

/*
 * What edges_put writes of a file, on another thread than the one that has the database;
 * packed_edges_free ends it.
 */
struct packed_edges {
	struct buf data;		/* empty: no edges */
	int64_t *targets;		/* the files that they lead to, each once, in order */
	size_t ntargets;
};
void edges_pack(int64_t file, struct stored_edge *, size_t n, struct packed_edges *out);
void packed_edges_free(struct packed_edges *);

/*
 * Write the edges of a file that has none, and that a file has edges into a target: edges_put does
 * both.
 */
int edges_put_packed(struct db *, int64_t file, const struct packed_edges *, struct err *);
int edges_put_incoming(struct db *, int64_t target, int64_t file, struct err *);

/*
 * The edges of a file, in their order, in the arena.  DB_ERROR when edges_put did not make what is
 * there.
 */
int edges_read(struct db *, int64_t file, struct arena *, struct stored_edges *out, struct err *);

/* Take the edges of a file away. */
int edges_delete(struct db *, int64_t file, struct err *);

/* The files that have edges into a file, itself among them if so, in order of id, in the arena. */
int edges_incoming_files(
    struct db *, int64_t file, struct arena *, int64_t **files, size_t *n, struct err *);
#endif
