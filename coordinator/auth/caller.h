#ifndef COORDINATOR_AUTH_CALLER_H
#define COORDINATOR_AUTH_CALLER_H
/*
 * Who asks, and which repositories that may see.  Every look-up, list, count, choice and fan-out
 * goes through it.
 */

#include <stdbool.h>
#include <stddef.h>

struct access_token;

/*
 * One object each as long as the process lives, so that callers are the same when their addresses
 * are.
 */
struct caller {
	const char *name;		/* in logs */
	bool everything;		/* may see all repositories */
	bool read_only;			/* may change nothing */
	/*
	 * runs this program, or has been given its own token: may name any source (proto/net/egress.h)
	 */
	bool is_operator;
	const char *const *repo_uris;	/* else these */
	size_t n;
	struct access_token *token;		/* else what this one may see at the time (tokens.h) */
};

/* Whoever reaches the loopback address of a coordinator without tokens. */
extern const struct caller caller_local;

/* Whoever has said nothing where others must say who they are; sees nothing. */
extern const struct caller caller_nobody;

/* The coordinator itself, when it rebuilds contracts. */
extern const struct caller caller_self;

/* Whether `c` may know that the repository exists. */
bool caller_sees(const struct caller *c, const char *repo_uri);

/* Whether it may know of a group in which it sees no repository. */
bool caller_knows_group(const struct caller *c, const char *group);
#endif
