#ifndef PROTO_TEXT_ROUTE_QUESTION_H
#define PROTO_TEXT_ROUTE_QUESTION_H
/* A question that is a route: `/api/v1/users`, `GET /users/:id`.  Pure. */

#include <stdbool.h>
#include <stddef.h>

struct arena;

enum { ROUTE_SEGMENTS = 24 };

/* A path in lower case; a segment that is a parameter, or contains one, is NULL. */
struct route_path {
	const char *segment[ROUTE_SEGMENTS];
	size_t n;
	bool rest;		/* `{*}` at its end: any more segments */
};

/* The fits, from worst to best. */
enum route_fit {
	ROUTE_UNLIKE,
	ROUTE_END,		/* the route is the end of what is asked for: a prefix may be unknown */
	ROUTE_WITHIN,		/* what is asked for is the end of the route */
	ROUTE_VALUE,		/* the whole route, with a value where it has a parameter: /users/42 */
	ROUTE_WHOLE
};

/*
 * Whether the text is nothing but a route: a path that begins with a slash and has a segment of
 * letters, perhaps after an HTTP method.  Parameters may be written :id, {id}, <id>, $id, [id], *.
 * `method` is in capitals, NULL without one.
 */
bool route_question_parse(
    const char *text, const char **method, struct route_path *, struct arena *);

/* Reads the path of a fact (proto/record/schema.def) or of a question. */
void route_path_read(const char *path, struct route_path *, struct arena *);

enum route_fit route_path_fit(const struct route_path *asked, const struct route_path *route);
#endif
