#ifndef SHARD_HANDLERS_IMPACT_ANALYSIS_H
#define SHARD_HANDLERS_IMPACT_ANALYSIS_H
/*
 * What a change can affect: a walk through the graph from what changes, the routes that it reaches,
 * and what the graph cannot tell.
 */

#include "proto/record/record.h"
#include "shard/graph/graph_query.h"
#include "shard/handlers/served_routes.h"

struct arena;
struct db;
struct err;
struct index_reader;

enum { IMPACT_NODES_MAX = 20000 };	/* nodes of a walk */

struct impact {
	struct graph_traversal walk;	/* the caller sets direction, depth, min and most */
	struct { struct reached_definition *v; size_t n, cap; } starts;

	struct route_list routes;
	struct reach reach;
};

/*
 * Adds a start: this definition and its members, because code that uses a method uses its type.
 * `qualified` may be NULL.
 */
int impact_add_start(struct impact *, struct db *, struct graph_node, const char *qualified,
    const char *path, struct arena *, struct err *);

/* Walks, counts, and finds the routes. Call impact_free afterwards. */
int impact_run(struct impact *, struct db *, struct arena *, struct err *);
void impact_free(struct impact *);

/*
 * The reasons why there may be more than was found. `target` is a symbol whose name is searched for
 * in files without an edge to it, or NULL.
 */
int impact_uncertainties(const struct impact *, struct index_reader *, const struct symbol *target,
    struct strs *out, struct arena *, struct err *);
#endif
