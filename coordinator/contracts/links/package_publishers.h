#ifndef COORDINATOR_CONTRACTS_LINKS_PACKAGE_PUBLISHERS_H
#define COORDINATOR_CONTRACTS_LINKS_PACKAGE_PUBLISHERS_H
/* Which members publish a package, and which of them a dependency means.  Pure. */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/contracts/matching/match.h"

struct map;

enum { LINK_TARGETS_MAX = 8 };	/* more publishers than this make a name mean nothing */

/* A member that publishes a name, and the first place where it does. */
struct publisher {
	size_t member;
	const struct package *at;
	bool open;		/* the package is not private */
};

struct publishers {
	struct publisher *v;
	size_t n, cap;
};

struct publisher_index {
	const struct match_member *m;
	size_t n;
	struct arena *a;
	struct map *packages;	/* ecosystem and key -> publishers */
	struct map *repos;	/* repo_uri in lower case -> member + 1 */
	struct map *files;	/* of all facts: member and path; NULL until a document needs it */
};

/* Set `m`, `n` and `a` first.  publisher_index_fini frees the maps. */
void publisher_index_init(struct publisher_index *);
void publisher_index_fini(struct publisher_index *);

/* Whom a dependency means; `v` has the first LINK_TARGETS_MAX of them. */
struct link_targets {
	struct publisher v[LINK_TARGETS_MAX];
	size_t n;
	double confidence;	/* of each */
	const char *why;
};

void link_targets_add(struct link_targets *, struct publisher);

/* The publishers that the dependency `p` of member `from` means; none if `n` is 0. */
void publishers_find(
    const struct publisher_index *, size_t from, const struct package *p, struct link_targets *);

/* The publishers of the exact name in the same ecosystem; none if `from` publishes it itself. */
void publishers_by_name(
    const struct publisher_index *, size_t from, const struct package *p, struct link_targets *);

/* The member with the longest repo_uri that is a prefix of the path, or -1. */
ptrdiff_t publishers_repo(const struct publisher_index *, const char *path);
#endif
