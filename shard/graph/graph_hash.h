#ifndef SHARD_GRAPH_GRAPH_HASH_H
#define SHARD_GRAPH_GRAPH_HASH_H
/*
 * What graph_hash covers: the nodes of a file, its edges, and all files together.
 *
 * graph_hash  SHA-256 over `path NUL hash` of each file in order of path.
 * hash        (32 bytes) SHA-256 over `nodes` and the sorted edges that start in the file.
 * nodes       SHA-256 over the package and, for each definition in order, qualified name, name,
 * kind, signature, doc, type, and
 *             `start end parent exported test` in decimal, each ended by NUL (absent: empty); then the contract facts as msgpack.
 *             Contract facts that other files were asked for (gRPC) follow the edges instead.
 * edge        eight bytes: FNV-1a (64 bits) over kind, source, target, confidence, line (eight
 * bytes each, the highest first) and
 *             the reason with its NUL.  An end is FNV-1a over path, qualified name, kind (each with its NUL) and which of equal
 *             ones it is (eight bytes), or over the path alone for a file.
 *
 * No id, clock, generation or place of the machine is in it, so that an index has the same hash
 * however it came to be.
 */

#include <stddef.h>
#include <stdint.h>

#include "proto/net/crypto.h"

struct db;
struct err;
struct facts;
struct stored_edge;

enum { GRAPH_HASH = 32 };

/*
 * SHA-256 of what the file itself says: definitions, package, and its contract facts as they are
 * stored.
 */
void graph_hash_nodes(const struct facts *, unsigned char out[GRAPH_HASH]);

/*
 * The number that stands for a definition, or (qualified NULL) for a file itself, in the hash of
 * an edge.
 */
uint64_t graph_hash_node(
    const char *path, const char *qualified, const char *kind, int64_t ordinal);

/*
 * Of everything in an index that was written anew graph_hash_node, by id of a file, of definitions
 * by the place of their file's first; and graph_hash_nodes of each file, by its id.
 */
struct graph_node_hashes {
	const uint64_t *files, *definitions;
	const size_t *first;
	const unsigned char *nodes;
};

/*
 * What files.hash is of a file with these edges and without contract facts.  Threads may ask at
 * once.
 */
void graph_hash_edges(const struct graph_node_hashes *, int64_t file, const struct stored_edge *,
    size_t n, unsigned char out[GRAPH_HASH]);
int graph_hash_put(struct db *, int64_t file, const unsigned char hash[GRAPH_HASH], struct err *e);

/* Hash the files that have contract facts again: what graph_hash_edges leaves out. */
int graph_hash_contracts(struct db *, const struct graph_node_hashes *, struct err *e);

/*
 * Hash the nodes and edges of files into files.hash: those of `files`, or (NULL) all.  `names`
 * NULL: they are looked up.
 */
int graph_hash_files(struct db *, const int64_t *files, size_t nfiles,
    const struct graph_node_hashes *names, struct err *e);

/* graph_hash itself, from files.hash in order of path. */
int graph_hash(struct db *, char out[SHA256_HEX], struct err *e);
#endif
