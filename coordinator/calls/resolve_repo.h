#ifndef COORDINATOR_CALLS_RESOLVE_REPO_H
#define COORDINATOR_CALLS_RESOLVE_REPO_H
/*
 * Finds the repositories that arguments name.  Each function returns 0 (or a member), or -1 (or
 * NULL) with the call's `e` set, and for AMBIGUOUS_REPO its `problem`.
 */

#include <stdbool.h>
#include <stddef.h>

#include "coordinator/calls/call.h"

struct coordinator;
struct member;

struct resolved_repos {
	struct member **v;	/* ordered by name and repo_uri, without duplicates */
	size_t n;
};

/*
 * The repository of a per-repository tool.  `repo_uri` takes precedence over `repo`; without both,
 * it is the only repository that there is.
 */
struct member *resolve_repo(struct call *, const char *repo, const char *repo_uri);

/* The repository with this repo_uri (in any form), this name, or a name that ends with `/NAME`. */
struct member *resolve_repo_name(struct call *, const char *name);

/*
 * The name by which the call's arguments name a repository, so that the caller recognizes it in the
 * answer; else (or if that is a repo_uri) its display name.
 */
const char *resolve_handle(const struct call *, const struct member *);

/* The repositories of a scope; without a scope, that of resolve_repo. */
int resolve_scope(struct call *, const struct scope *, const char *repo, const char *repo_uri,
    struct resolved_repos *);

/* Whether this coordinator allows scope {type: all}. */
bool resolve_may_use_all(const struct coordinator *);

/* The members of a group, as far as the caller may see them. */
int resolve_group(struct call *, const char *group, struct resolved_repos *);

/* The same for a question that a group without members cannot answer: NO_INDEX. */
int resolve_group_members(struct call *, const char *group, struct resolved_repos *);

/* Keep only the members that `repos` names, if any, in their order. */
int resolve_named(struct call *, const t_strs *repos, struct resolved_repos *);
#endif
