#ifndef SHARD_GIT_REPO_OWNERSHIP_H
#define SHARD_GIT_REPO_OWNERSHIP_H
/*
 * Checks who owns a repository, as git does (safe.directory): its working tree, its .git file and
 * its git directory must belong to the user that runs us, or be named.  Everything that it borrows
 * from elsewhere (the target of a .git file, the common directory of a worktree, alternates,
 * symbolic links) must belong to the repository's own owner, or be named.  Otherwise the owner of
 * a repository could make us serve objects that only we may read.
 */

struct arena;
struct err;
struct string_list;

struct repo_layout {
	const char *work;   /* the working tree; NULL if the repository is bare */
	const char *link;   /* the .git file, or NULL */
	const char *dir;    /* the git directory */
	const char *common; /* the directory of refs and objects, which worktrees share */
};

/*
 * The parts of the repository at `path`, without symbolic links in the folders.  -1 if there is no
 * repository.  The strings live in the arena.
 */
int repo_layout(const char *path, struct repo_layout *, struct arena *);

/*
 * Folders that may belong to anybody (--safe-directory).  As in git, `*` means all, `DIR/` + `*`
 * means everything below DIR, and an empty entry clears the list.  `*` allows repositories, not
 * what they borrow.  Borrows the list.  Call it before threads start.
 */
void repo_safe_directories(const struct string_list *);

/*
 * The mirror that we cloned ourselves.  Its owner does not matter, but it must not borrow anything.
 * Borrows the path.
 */
void repo_safe_mirror(const char *path);

/*
 * Read safe.directory from git's configuration now, for a process that will lose access to those
 * files.
 */
void repo_safe_preload(void);

/*
 * 0 if the repository may be read, or if there is none.  Else FORBIDDEN; the message names the
 * path, its owner and the remedy.
 */
int repo_check_ownership(const char *path, struct err *);
#endif
