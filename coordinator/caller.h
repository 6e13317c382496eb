#ifndef COORDINATOR_CALLER_H
#define COORDINATOR_CALLER_H
/* Who asks, and which repositories that may see.  Every look-up, list, count, choice and fan-out goes through it. */

#include <stdbool.h>
#include <stddef.h>

struct caller {
	const char *name;		/* in logs */
	bool everything;		/* may see all repositories */
	const char *const *repo_uris;	/* else these */
	size_t n;
};

/* Whoever reaches the loopback address of a coordinator without tokens. */
extern const struct caller caller_local;

/* Whether `c` may know that the repository exists. */
bool caller_sees(const struct caller *c, const char *repo_uri);
#endif
