#ifndef COORDINATOR_CONTRACTS_SERVED_ROUTES_H
#define COORDINATOR_CONTRACTS_SERVED_ROUTES_H
/* What a repository serves: asked of its shard, and found by what people and code call it. */

#include "coordinator/calls/call.h"

struct member;

struct member_routes {
	struct member *member;
	const struct fact **v;		/* what it provides, in order of file and line */
	size_t n;
	const struct freshness *stamp;
};

/* Ask for all of it.  `then` runs also after a failure (c->e); c->state is as it was. */
void served_routes_load(
    struct call *, struct member *, void (*then)(struct call *, struct member_routes *));

/* What is meant by `route`: `[METHOD ]path`; `method` (NULL: any) wins.  In the arena. */
struct route_query {
	const char *method, *path;
};
struct route_query route_query_parse(const char *route, const char *method, struct arena *);

enum route_match_kind {
	ROUTE_MATCH_TEMPLATE,		/* that very template, whatever its parameters are called */
	ROUTE_MATCH_PATH,		/* requests of this path are answered by it */
	ROUTE_MATCH_TEXT,		/* the text is in its path */
	ROUTE_MATCH_NONE,
};
enum route_match_kind route_query_match(
    const struct route_query *, const struct fact *, struct arena *);
#endif
