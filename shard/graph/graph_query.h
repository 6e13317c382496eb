#ifndef SHARD_GRAPH_GRAPH_QUERY_H
#define SHARD_GRAPH_GRAPH_QUERY_H
/* The graph of the index as requests read it: neighbours of a definition or file, and walks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"

struct arena;
struct db;
struct err;

/* The kinds of edges, by their rows of proto/record/kinds.def, and their bits in a set. */
enum graph_kind {
#define EDGE(name, stored, doc) GRAPH_##name,
#include "proto/record/kinds.def"
	GRAPH_KINDS
};
#define GRAPH_BIT(name) (1u << GRAPH_##name)

/* Edges along which a change of one end can affect the other. */
enum {
	GRAPH_DEPENDS = GRAPH_BIT(CALLS) | GRAPH_BIT(REFERENCES) | GRAPH_BIT(EXTENDS) |
	    GRAPH_BIT(IMPLEMENTS) | GRAPH_BIT(OVERRIDES) | GRAPH_BIT(IMPORTS)
};

const char *graph_kind_name(unsigned kind);

/* A definition; if `symbol` is 0, the top level of a file. */
struct graph_node {
	int64_t file, symbol;
};

/* The id of a definition includes its file; the complement of a file's id is no such id. */
static inline uint64_t graph_node_key(struct graph_node x)
{
	if (x.symbol)
		return (uint64_t)x.symbol;
	return ~(uint64_t)x.file;
}

struct neighbour {
	struct graph_node node;
	unsigned kind;		/* enum graph_kind */
	size_t subject;		/* of an edge_scan: index of the other end */
	bool incoming;		/* of an edge_scan: the edge leads to the subject */
	struct related r;	/* r.at_line is in the file of the edge's source */
};

struct neighbours {
	struct neighbour *v;
	size_t n, cap;
	uint64_t weak;		/* edges below the minimum confidence */
};

/*
 * Fill in what the index says about the nodes of `l`, except the edges' own fields.  Nodes that the
 * index does not have are dropped.  Changes the order.
 */
int graph_describe(struct db *, struct neighbours *l, struct arena *, struct err *);

/*
 * Add the other ends of the edges from the lines of a file, or (incoming) into it, including those
 * inside it, if their kinds are in the set `kinds`.  r.via is the id of the end in the file; the
 * file's path for its top level.  The order is undefined; strings live in the arena; the caller
 * frees out->v.
 */
int graph_file_neighbours(struct db *, int64_t file, bool incoming, unsigned kinds,
    struct neighbours *out, struct arena *, struct err *);

/*
 * Keep each node once per kind, with its best edge; r.times counts the edges if there are several.
 * Sorts production code before tests, then by confidence, path and line.
 */
void graph_merge_neighbours(struct neighbours *);

/*
 * The members of a definition or file, in source order, including methods in other files of its
 * folder (Go).
 */
int graph_members(
    struct db *, struct graph_node of, struct neighbours *out, struct arena *, struct err *);

/* ---- walks ---- */

struct visited {
	struct neighbour by;	/* the node, and the best edge that led to it at its depth */
	uint32_t depth;
};

/* When a walk must end with what it has. */
struct walk_limit {
	int64_t until_ms;	/* monotonic clock; 0 = never */
	uint64_t files;		/* files whose edges may be read; 0 = any number */
	uint64_t read;		/* how many were */
};

struct graph_traversal {
	bool downstream;	/* along the edges; otherwise against them */
	uint32_t depth;
	int min;		/* minimum confidence of edges to follow, in hundredths */
	size_t most;		/* maximum number of nodes */
	struct walk_limit limit;
	unsigned touching;	/* kinds of edges whose files are wanted in `touched` */

	/* the result, by depth, then in the order of graph_merge_neighbours; without `from` */
	struct visited *v;
	size_t n, cap;
	uint64_t weak;		/* edges that were not followed because of `min` */
	bool full, deeper;	/* `most` was reached; there are nodes beyond `depth` */
	bool unchecked;		/* the limit was reached before it was known whether there are any */
	bool stopped;		/* the limit was reached: only levels up to `whole` have all nodes */
	uint32_t whole;
	/* upstream: paths of files with edges of any confidence to the nodes `from` */
	struct {
		const char **v;
		size_t n;
	} touched;
};

/*
 * Walk breadth first along GRAPH_DEPENDS from the nodes `from`, whose ids are `ids`.  A change of
 * an overriding method also affects the callers of the method that it overrides.  A file that
 * imports something is a dependent only if nothing else in it is one, and is not followed.  A level
 * whose edges are in more than EDGE_SCAN_FILES files is ordered by parts of that many files, so
 * that a walk with a larger limit only adds to the end of the levels.  Release the result with
 * graph_traversal_free.
 */
int graph_walk(struct db *, struct graph_traversal *, const struct graph_node *from,
    const char *const *ids, size_t n, struct arena *, struct err *);
void graph_traversal_free(struct graph_traversal *);
#endif
