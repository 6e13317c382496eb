#ifndef SHARD_HANDLERS_SERVED_ROUTES_H
#define SHARD_HANDLERS_SERVED_ROUTES_H
/* Finds the routes, RPC methods and topics that a set of definitions serves. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/record/record.h"
#include "shard/graph/graph_query.h"

struct arena;
struct db;
struct err;

/*
 * A definition, and how many edges it is away from the start. `line` is the line of the edge by
 * which it was reached, 0 if there is none. A route that is registered around that line is served
 * by what that line refers to: if it is called, from within a handler without a name; if it is only
 * named, it is the handler itself, and one edge nearer.
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

/* Finds the routes, each once, in order of depth, file and line; in the arena. */
int served_routes(struct db *, struct reached_definition *, size_t n, struct route_list *out,
    struct arena *, struct err *);
#endif
