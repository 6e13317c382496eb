#ifndef SHARD_HANDLERS_SERVED_ROUTES_H
#define SHARD_HANDLERS_SERVED_ROUTES_H
/* Which routes, methods and topics a set of definitions serves. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "shard/graph/graph_query.h"

struct arena;
struct db;
struct err;

/*
 * A definition, and how many edges it is away from what was asked for.  `line`: what it was
 * reached by stands there, 0: nowhere.  A route that is registered around that line is served by
 * what stands there: by what is called, from a handler without a name; or by what is only named,
 * the handler itself, which is one edge nearer.
 */
struct reached_definition {
	struct graph_node node;
	const char *qualified, *path;
	uint64_t line, depth;
	bool called;
};

struct route_list {
	struct route_row *v;
	size_t n;
};

/* In the order of depth, file and line, each route once; in the arena. */
int served_routes(struct db *, struct reached_definition *, size_t n, struct route_list *out,
    struct arena *, struct err *);
#endif
