#ifndef SHARD_GRAPH_GRAPH_QUERY_H
#define SHARD_GRAPH_GRAPH_QUERY_H
/*
 * The graph of the index, as the requests read it: what stands beside a definition or file, and
 * walks over the edges.
 */

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

/* What a change of one end can break or alter at the other. */
enum {
	GRAPH_DEPENDS = GRAPH_BIT(CALLS) | GRAPH_BIT(REFERENCES) | GRAPH_BIT(EXTENDS) |
	    GRAPH_BIT(IMPLEMENTS) | GRAPH_BIT(OVERRIDES) | GRAPH_BIT(IMPORTS)
};

const char *graph_kind_name(unsigned kind);

/* A definition, or with symbol 0 a file: its top level. */
struct graph_node {
	int64_t file, symbol;
};

struct neighbour {
	struct graph_node node;
	unsigned kind;		/* enum graph_kind */
	struct related r;	/* r.at_line is in the file of the edge's source */
};

struct neighbours {
	struct neighbour *v;
	size_t n, cap;
	uint64_t weak;		/* edges that were below the confidence asked for */
};

/*
 * Add the other ends of the edges that lead to `of` (incoming) or from it, of the kinds in the set
 * `kinds` and at least `min` hundredths sure.  In no order; strings in `a`, the caller frees
 * out->v.
 */
int graph_neighbours(struct db *, struct graph_node of, bool incoming, unsigned kinds, int min,
    struct neighbours *out, struct arena *, struct err *);

/*
 * The same of all that is in a file: the edges from its lines, or (incoming) into it, also those
 * within it.  r.via is the id of the end that is in the file, the file's path for its top level.
 */
int graph_file_neighbours(struct db *, int64_t file, bool incoming, unsigned kinds,
    struct neighbours *out, struct arena *, struct err *);

/*
 * Each node once for each kind, with its best edge and r.times: not tests first, then the surest,
 * then by path and line.
 */
void graph_merge_neighbours(struct neighbours *);

/*
 * What a definition or file holds, in the order of the source; methods that stand elsewhere in its
 * folder (Go) too.
 */
int graph_members(
    struct db *, struct graph_node of, struct neighbours *out, struct arena *, struct err *);

/* ---- walks ---- */

struct visited {
	struct neighbour by;	/* the node, and the best of the edges that led to it at its depth */
	uint32_t depth;
};

struct graph_traversal {
	bool downstream;	/* along the edges; else against them */
	uint32_t depth;
	int min;		/* hundredths; surer edges are followed */
	size_t most;		/* stop at so many nodes */

	/* by depth, then as graph_merge_neighbours; without the nodes it began with */
	struct visited *v;
	size_t n, cap;
	uint64_t weak;		/* edges that were not followed because of `min` */
	bool full, deeper;	/* `most` was reached; there is more beyond `depth` */
};

/*
 * Breadth first from `from`, called `ids`, along GRAPH_DEPENDS.  What calls a method that an
 * overriding one replaces is affected by the latter too.  A file that imports something is a
 * dependent only when nothing else in it is one yet, and is not gone on from.
 * graph_traversal_free ends it.
 */
int graph_walk(struct db *, struct graph_traversal *, const struct graph_node *from,
    const char *const *ids, size_t n, struct arena *, struct err *);
void graph_traversal_free(struct graph_traversal *);
#endif
