#ifndef SHARD_GRAPH_GRAPH_HASH_H
#define SHARD_GRAPH_GRAPH_HASH_H
/*
 * What graph_hash covers: the nodes of a file, its edges, and all files together.
 *
 * graph_hash  SHA-256 over `path NUL hash` of each file, in order of path.
 * hash        (32 bytes) SHA-256 over `nodes`, the sorted edges that start in the file, and the
 *             contract facts that were found in it, as msgpack.
 * nodes       SHA-256 over the package and, for each definition in order, qualified name, name,
 *             kind, signature, doc, type, and `start end parent exported test` in decimal; each
 *             ends with a NUL, and absent ones are empty.
 * edge        eight bytes: FNV-1a (64 bits) over kind, source, target, confidence and line (eight
 *             bytes each, highest first) and the reason with its NUL.  An end is FNV-1a over path,
 *             qualified name and kind (each with its NUL) and its ordinal among equal ones (eight
 *             bytes), or over the path alone for a file.
 *
 * It contains no id, clock, generation or path of the machine, so that an index has the same hash
 * whether it was built at once or incrementally.
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/net/crypto.h"

struct db;
struct err;
struct facts;
struct stored_edge;

enum { GRAPH_HASH = 32 };

/* `nodes` of a file. */
void graph_hash_nodes(const struct facts *, unsigned char out[GRAPH_HASH]);

/* The hash of an end of an edge: a definition, or the file itself if `qualified` is NULL. */
uint64_t graph_hash_node(
    const char *path, const char *qualified, const char *kind, int64_t ordinal);

/* Precomputed hashes of a new index. */
struct graph_node_hashes {
	const uint64_t *files;		/* graph_hash_node by id of the file */
	const uint64_t *definitions;	/* graph_hash_node of all definitions, file by file */
	const size_t *first;		/* by id of the file: where its definitions begin */
	const unsigned char *nodes;	/* graph_hash_nodes by id of the file */
};

/* files.hash of a file with these edges, without contract facts.  Thread-safe. */
void graph_hash_edges(const struct graph_node_hashes *, int64_t file, const struct stored_edge *,
    size_t n, unsigned char out[GRAPH_HASH]);
int graph_hash_put(struct db *, int64_t file, const unsigned char hash[GRAPH_HASH], struct err *e);

/* Hash the files with contract facts again, which graph_hash_edges leaves out. */
int graph_hash_contracts(struct db *, const struct graph_node_hashes *, struct err *e);

/*
 * Update files.hash of `files`, or of all files if it is NULL.  If `names` is NULL, the ends of
 * edges are looked up in the database.
 */
int graph_hash_files(struct db *, const int64_t *files, size_t nfiles,
    const struct graph_node_hashes *names, struct err *e);

/* graph_hash itself, from files.hash in order of path. */
int graph_hash(struct db *, char out[SHA256_HEX], struct err *e);
#endif
