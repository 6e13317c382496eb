#ifndef COORDINATOR_CONTRACTS_SERVED_ROUTES_H
#define COORDINATOR_CONTRACTS_SERVED_ROUTES_H
/* What a repository serves: asked of its shard, and found by what people and code call it. */

#include "coordinator/calls/call.h"

struct member;

struct served {
	struct member *member;
	const struct fact **v;		/* what it provides, in order of file and line */
	size_t n;
	const struct freshness *stamp;
};

/* Ask for all of it.  `then` runs also after a failure (c->e); c->state is as it was. */
void served_load(struct call *, struct member *, void (*then)(struct call *, struct served *));

/* What is meant by `route`: `[METHOD ]path`; `method` (NULL: any) wins.  In the arena. */
struct served_want {
	const char *method, *path;
};
struct served_want served_want(const char *route, const char *method, struct arena *);

enum served_how {
	SERVED_EXACTLY,		/* that very template, whatever its parameters are called */
	SERVED_BY,		/* requests of this path are answered by it */
	SERVED_LIKE,		/* the text is in its path */
	SERVED_NOT,
};
enum served_how served_fits(const struct served_want *, const struct fact *, struct arena *);
#endif
