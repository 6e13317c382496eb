#ifndef SHARD_GIT_REPO_INTERNAL_H
#define SHARD_GIT_REPO_INTERNAL_H
/* What the files of repo.h share: the only ones that know libgit2. */

#include <git2.h>
#include <git2/sys/alloc.h>
#include <git2/sys/repository.h>

#include "shard/git/repo.h"

struct repo {
	git_repository *git;
	git_odb *odb;
	/* of the commit that was asked for last, mostly the one that is served; or NULL */
	git_tree *tree;
	git_oid tree_of;
};

/* NOT_FOUND with what libgit2 says.  Always -1. */
int repo_fail(struct err *, const char *what);

/*
 * Whether the difference of two trees (`old` NULL: an empty one) is small enough to be listed, and
 * its folders are here.
 */
bool repo_comparable(struct repo *, const git_tree *old, const git_tree *new);

/* The tree of a commit; NULL with `e`. */
git_tree *repo_tree_of(struct repo *, const char *commit, struct err *);
#endif
