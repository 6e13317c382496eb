#ifndef COORDINATOR_AUTH_CALLER_H
#define COORDINATOR_AUTH_CALLER_H
/*
 * The caller of a request, and which repositories it may see.  Every lookup, list, count, choice
 * and fan-out is filtered by it.
 */

#include <stdbool.h>
#include <stddef.h>

struct access_token;

/*
 * There is one object per caller, which lives as long as the process, so callers can be compared by
 * address.
 */
struct caller {
	const char *name;		/* in logs */
	bool everything;		/* may see all repositories */
	bool read_only;			/* may change nothing */
	bool is_operator;		/* may add any source (proto/net/egress.h) */
	const char *const *repo_uris;	/* unless `everything` or `token`: the visible repositories */
	size_t n;
	struct access_token *token;	/* unless `everything`: decides what is visible (tokens.h) */
};

/* Anyone who reaches the loopback address of a coordinator without tokens. */
extern const struct caller caller_local;

/* An unauthenticated client of a coordinator with tokens; sees nothing. */
extern const struct caller caller_nobody;

/* The coordinator itself, when it rebuilds contracts. */
extern const struct caller caller_self;

/* Whether `c` may know that the repository exists. */
bool caller_sees(const struct caller *c, const char *repo_uri);

/* Whether `c` may know that a group exists in which it sees no repository. */
bool caller_knows_group(const struct caller *c, const char *group);
#endif
