#ifndef SHARD_GIT_REPO_SOURCE_H
#define SHARD_GIT_REPO_SOURCE_H
/* The repository that --repo names: its identity, where its objects are, and how to fetch them. */

#include <stdbool.h>

struct arena;
struct err;
struct options;

struct repo_source {
	const char *repo_uri, *name, *collection;
	const char *shown;	/* as given, without credentials */
	const char *url;	/* to mirror, without credentials; NULL for a path (read in place) */
	const char *place;	/* the folder for repo_open */
	const char *data;	/* DATA/<collection> */
	/*
	 * DATA/<collection>.mirror, the parent of `place`; NULL for a path.  The parsers cannot write
	 * there.
	 */
	const char *mirrors;
	/* we may not read it (repo_ownership.h), or a token may not add it (egress.h) */
	bool refused;
	bool unreadable;	/* it is there, but damaged or in a format that libgit2 cannot read */
};

/*
 * Determine the identity of options->repo and create its data directory.  Reads a path's remotes,
 * but does not use the network.  Strings live in `a`.  Errors: INVALID_INPUT, NOT_FOUND, FORBIDDEN.
 * The source is filled in as well if it is refused or unreadable.
 */
int repo_source_resolve(
    struct repo_source *, const struct options *, struct arena *a, struct err *e);

/*
 * The value of --repo without credentials: the same source for a process that does not fetch.
 */
const char *repo_source_redact(const char *repo, struct arena *a);

/*
 * The name that other services use for it: the last element of its path; for a local repository,
 * the name of its folder.
 */
const char *repo_source_service_name(const struct repo_source *, struct arena *a);

/*
 * Update the mirror of a URL with `git clone` or `git fetch`.  Does nothing for a path.  Blocks;
 * call it in a process that may be killed.  UNAVAILABLE with git's own message, without
 * credentials.
 */
int repo_source_fetch(
    const struct repo_source *, const struct options *, struct arena *a, struct err *e);

/*
 * Gets all objects of the mirror of a URL again: with `damaged` by a new clone in its place, else by
 * `git fetch --refetch`.  Errors as repo_source_fetch.
 */
int repo_source_repair(
    const struct repo_source *, const struct options *, bool damaged, struct arena *, struct err *);
#endif
