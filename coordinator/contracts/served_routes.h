#ifndef COORDINATOR_CONTRACTS_SERVED_ROUTES_H
#define COORDINATOR_CONTRACTS_SERVED_ROUTES_H
/* What a repository serves, fetched from its shard; and finding a route by how it is written. */

#include "coordinator/calls/call.h"

struct member;

struct member_routes {
	struct member *member;
	const struct fact **v;		/* what it provides, ordered by file and line */
	size_t n;
	const struct freshness *stamp;
};

/* Fetch all routes.  `then` runs even after a failure (c->e), with c->state as it was. */
void served_routes_load(
    struct call *, struct member *, void (*then)(struct call *, struct member_routes *));

/* Parse `route`, `[METHOD ]path`.  `method` (NULL = any) takes precedence.  In the arena. */
struct route_query {
	const char *method, *path;
};
struct route_query route_query_parse(const char *route, const char *method, struct arena *);

enum route_match_kind {
	ROUTE_MATCH_TEMPLATE,		/* the same template, whatever its parameters are called */
	ROUTE_MATCH_PATH,		/* the route answers requests to this path */
	ROUTE_MATCH_TEXT,		/* its path contains the text */
	ROUTE_MATCH_NONE,
};
enum route_match_kind route_query_match(
    const struct route_query *, const struct fact *, struct arena *);
#endif
