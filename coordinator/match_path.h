#ifndef COORDINATOR_MATCH_PATH_H
#define COORDINATOR_MATCH_PATH_H
/* Path templates, segment by segment: `{}` is a parameter or a hole, `{*}` a rest. */

#include <stdbool.h>
#include <stddef.h>

struct arena;

struct path {
	const char **seg;
	size_t n;
};

/* The segments of a template; scheme and host, query, fragment and outer slashes are left out. */
struct path path_split(const char *template, struct arena *);

/* How a call's path fits that of a route; less is better but for `literals`. */
struct fit {
	int level;	/* 0 exact, 1 after taking a prefix off the call's, 2 it is the end of the route's */
	bool rest;	/* through {*} */
	int weak;	/* holes of the call that stand for fixed text of the route */
	int literals;	/* segments with the same text */
};

/* Whether the two fit, and the best way in which they do. */
bool path_fit(const struct path *call, const struct path *route, struct fit *);

/* Whether the template has no fixed text at all. */
bool path_unknown(const struct path *);
#endif
