#ifndef SHARD_HANDLERS_IMPACT_ANALYSIS_H
#define SHARD_HANDLERS_IMPACT_ANALYSIS_H
/*
 * What a change can affect: a walk from what changes, the routes that this reaches, and what the
 * graph cannot tell.
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
	struct graph_traversal walk;		/* direction, depth, min and most are the caller's */
	struct { struct reached_definition *v; size_t n, cap; } starts;

	struct route_list routes;
	struct reach reach;
};

/*
 * Begin also at this definition, and at what it holds: who uses a method uses its type.
 * `qualified` may be NULL.
 */
int impact_add_start(struct impact *, struct db *, struct graph_node, const char *qualified,
    const char *path, struct arena *, struct err *);

/* Walk, count, and find the routes.  impact_free ends it. */
int impact_run(struct impact *, struct db *, struct arena *, struct err *);
void impact_free(struct impact *);

/*
 * Why there may be more than was found; `target`: whose name is looked for in files that no edge
 * explains, or NULL.
 */
int impact_uncertainties(const struct impact *, struct index_reader *, const struct symbol *target,
    struct strs *out, struct arena *, struct err *);
#endif
