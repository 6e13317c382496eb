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
	bool checked_partial, partial;	/* repo_is_partial, once it was asked */
	/* cached: the tree of the commit that was requested last, or zeros */
	git_oid tree;
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
bool repo_comparable(struct repo *, const git_oid *old, const git_oid *new);

/* The id of a commit's tree.  UNAVAILABLE if the commit cannot be read. */
int repo_tree_of(struct repo *, const char *commit, git_oid *tree, struct err *);

/*
 * The object, or a folder of the path, cannot be read: UNAVAILABLE with the cause (gaps.def) and the
 * remedy, or INVALID_INPUT if it is too large to unpack.  `rc` is libgit2's.  Always -1.
 */
int repo_fail_object(struct repo *, struct err *, const char *oid, int rc);
int repo_fail_folder(struct err *, const char *path, const char *cause);

/* Whether it is a partial clone: its remote has promised the objects that are missing here. */
bool repo_is_partial(struct repo *);

/* Whether libgit2 failed since the last call because of repo_set_alloc_limit. */
bool repo_alloc_refused(void);
size_t repo_alloc_limit(void);
#endif
