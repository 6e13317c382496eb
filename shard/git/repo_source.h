#ifndef SHARD_GIT_REPO_SOURCE_H
#define SHARD_GIT_REPO_SOURCE_H
/* What --repo names: who it is, where its objects are, how they get there. */

#include <stdbool.h>

struct arena;
struct err;
struct options;

struct repo_source {
	const char *repo_uri, *name, *collection;
	const char *shown;	/* as given, without credentials */
	const char *url;	/* to mirror, without credentials; NULL: a path, read in place */
	const char *place;	/* folder that repo_open takes */
	const char *data;	/* DATA/<collection> */
	/*
	 * DATA/<collection>.mirror, which holds the place; NULL: a path.  What parses cannot write
	 * there.
	 */
	const char *mirrors;
	/* it is not ours to read (repo_ownership.h), or not a token's to name (egress.h) */
	bool refused;
};

/*
 * Work out the identity of options->repo and its data directory (created).  Reads a path's
 * remotes, asks no network. Strings live in `a`.  INVALID_INPUT, NOT_FOUND; FORBIDDEN when it is
 * refused: then the source is filled in all the same.
 */
int repo_source_resolve(
    struct repo_source *, const struct options *, struct arena *a, struct err *e);

/*
 * What --repo names without what proves who we are: the same source for a process that fetches
 * nothing.
 */
const char *repo_source_redact(const char *repo, struct arena *a);

/*
 * The name under which other services call it: the last element of its path, a local one's folder.
 */
const char *repo_source_service_name(const struct repo_source *, struct arena *a);

/*
 * Bring the mirror of a URL up to date with `git`: a first clone, or a fetch.  Blocks; call it in
 * a process that may be killed.  Nothing for a path.  UNAVAILABLE with git's own words, without
 * credentials.
 */
int repo_source_fetch(
    const struct repo_source *, const struct options *, struct arena *a, struct err *e);
#endif
