#ifndef SHARD_GIT_REPO_OWNERSHIP_H
#define SHARD_GIT_REPO_OWNERSHIP_H
/*
 * Whose repository is it?  As git does (safe.directory): its working tree, its .git file and its
 * git directory must be of the user that runs us, or be named.  And what a repository reads from
 * elsewhere (the target of a .git file, the common directory of a worktree, alternates, symbolic
 * links) must be of the repository's own owner, or be named: else somebody whose repository is read
 * could borrow objects that only we may read.
 */

struct arena;
struct err;
struct string_list;

/* What a path holds. */
struct repo_layout {
	const char *work;   /* its working tree; NULL: it is bare */
	const char *link;   /* its .git file; NULL: it has none */
	const char *dir;    /* the git directory */
	const char *common; /* that of refs and objects, which worktrees share */
};

/* Where the parts of the repository at `path` are, without symbolic links in the folders.  -1:
 * there is none. */
int repo_layout(const char *path, struct repo_layout *, struct arena *);

/*
 * Folders that may be of anybody (--safe-directory): as git has it, `*` is all, `DIR/` + `*` is all
 * below DIR, an empty one forgets those before.  `*` admits repositories, not what they borrow. The
 * list stays the caller's.  Before there are threads.
 */
void repo_safe_directories(const struct string_list *);

/* The mirror that we have made ourselves: whoever owns it, nothing of it may be elsewhere.  The
 * path stays the caller's. */
void repo_safe_mirror(const char *path);

/*
 * Read what git's configuration names now, once: a process that gives up its files soon cannot
 * later.
 */
void repo_safe_preload(void);

/* 0, also where no repository is; FORBIDDEN, with the path, its owner and what helps. */
int repo_check_ownership(const char *path, struct err *);
#endif
