#ifndef SHARD_GIT_REPO_INTERNAL_H
#define SHARD_GIT_REPO_INTERNAL_H
/* Shared by the files that implement repo.h.  Only they include libgit2. */

#include <git2.h>
#include <git2/sys/alloc.h>
#include <git2/sys/repository.h>

#include "shard/git/repo.h"

struct repo {
	git_repository *git;
	git_odb *odb;
	/* cached: the tree of the commit that was requested last, or NULL */
	git_tree *tree;
	git_oid tree_of;	/* that commit */
};

/* libgit2's last error message in this thread, or "unknown". */
const char *repo_libgit2_message(void);

/* NOT_FOUND: `what` and libgit2's message.  Always -1. */
int repo_fail(struct err *, const char *what);

/*
 * Whether the difference between two trees (`old` NULL: an empty tree) is small enough to list, and
 * all its folders are in the object database.
 */
bool repo_comparable(struct repo *, const git_tree *old, const git_tree *new);

/* The tree of a commit, or NULL with `e`.  Free with git_tree_free. */
git_tree *repo_tree_of(struct repo *, const char *commit, struct err *);
#endif
