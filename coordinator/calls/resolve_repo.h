#ifndef COORDINATOR_CALLS_RESOLVE_REPO_H
#define COORDINATOR_CALLS_RESOLVE_REPO_H
/*
 * Which repositories a caller means.  Each function returns 0 (or a member), or -1 (or NULL) with
 * the call's `e` and, for AMBIGUOUS_REPO, its `problem` set.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/call.h"

struct coordinator;
struct member;

struct resolved_repos {
	struct member **v;	/* by name and repo_uri, each once */
	size_t n;
};

/*
 * The repository of a per-repository tool: `repo_uri` wins over `repo`; neither: the only one
 * there is.
 */
struct member *resolve_repo(struct call *, const char *repo, const char *repo_uri);

/* The repository called so: a repo_uri in any form, a name, or an end of one at a `/`. */
struct member *resolve_repo_name(struct call *, const char *name);

/* The repositories of a scope; without a scope, that of resolve_repo. */
int resolve_scope(struct call *, const struct scope *, const char *repo, const char *repo_uri,
    struct resolved_repos *);

/* Whether this coordinator permits scope {type: all}. */
bool resolve_may_use_all(const struct coordinator *);

/* The members of a group, as far as the caller may see them. */
int resolve_group(struct call *, const char *group, struct resolved_repos *);
#endif
