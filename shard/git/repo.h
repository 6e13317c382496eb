#ifndef SHARD_GIT_REPO_H
#define SHARD_GIT_REPO_H
/*
 * A git repository, read in place: commits, trees and blobs of its object database, never the
 * working tree. repo.c, repo_history.c, repo_diff.c and repo_folders.c alone know libgit2.  One
 * `struct repo` per thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct err;
struct repo;

enum {
	REPO_OID_SIZE = 41,			/* hex digits of an object id and a NUL */
	REPO_TIPS_SIZE = 3 * REPO_OID_SIZE
};

/* Once, before anything else and before there are threads. */
void repo_init(void);

/*
 * Open a repository by its folder: a working tree, a linked worktree or a bare repository.
 * Folders above it are not tried.  It must be ours, or named (repo_ownership.h). NULL with `e`
 * (NOT_FOUND; FORBIDDEN: it is somebody else's, or borrows from somebody else; INVALID_INPUT: of a
 * format that libgit2 does not read).
 */
struct repo *repo_open(const char *path, struct err *e);
void repo_close(struct repo *);		/* NULL is fine */

/*
 * URL of the remote `origin`, else of the first one by name; NULL without.  It may hold
 * credentials.
 */
const char *repo_remote(struct repo *, struct arena *);

/* Absolute path of its working directory, or of itself when it is bare; without symbolic links. */
const char *repo_root_path(struct repo *, struct arena *);

/*
 * The same two of a repository that is refused: who it would be.  Nothing but the URL is taken
 * from its configuration.
 */
const char *repo_remote_unopened(const char *path, struct arena *);
const char *repo_root_path_unopened(const char *path, struct arena *);

/* The folder that holds HEAD; `shared`: the one of refs, which linked worktrees have in common. */
const char *repo_git_dir(struct repo *, bool shared, struct arena *);

/*
 * Short name of the default branch: of origin/HEAD, else HEAD's own, else (detached) main or
 * master, else NULL.
 */
const char *repo_branch(struct repo *, struct arena *);

/*
 * The commit that HEAD points to now.  Cheap enough to poll.  NOT_FOUND: no commit yet, or HEAD
 * dangles.
 */
int repo_head(struct repo *, char oid[REPO_OID_SIZE], struct err *e);

/*
 * First line of the message of a commit, at most so many bytes of it; "" when there is none, or no
 * such commit.
 */
const char *repo_subject(struct repo *, const char *commit, size_t most, struct arena *);

/*
 * What an index can be behind of, now, as one text: HEAD, and the default branch, both here and as
 * its remote was last seen.  Cheap enough to poll.
 */
void repo_tips(struct repo *, char tips[REPO_TIPS_SIZE]);

/*
 * Commits that lead to these tips and not to `commit`; -1 when that cannot be known or no tip
 * descends from it.
 */
int64_t repo_behind(struct repo *, const char *tips, const char *commit);

/* CUT: left out, with what is below it, as `limit` says; NONE: nothing there. */
enum tree_entry_type { ENTRY_FILE, ENTRY_SYMLINK, ENTRY_SUBMODULE, ENTRY_MISSING, ENTRY_OVER_LIMIT,
    ENTRY_NONE };

struct tree_entry {
	const char *path;
	char blob[REPO_OID_SIZE];
	enum tree_entry_type is;
	uint64_t size;		/* of files */
	const char *limit;	/* of ENTRY_OVER_LIMIT */
};

struct tree_entries {
	struct tree_entry *v;
	size_t n, cap;
};

/*
 * Everything below a commit's tree, sorted by the bytes of the path; what the object database
 * lacks is ENTRY_MISSING, folders that are too deep, too many or repeated too often, and paths
 * that are too long, are ENTRY_OVER_LIMIT. Paths live in `a`; the caller frees out->v.  NOT_FOUND:
 * no such commit.
 */
int repo_tree(
    struct repo *, const char *commit, struct arena *a, struct tree_entries *out, struct err *e);

/* A path at which two commits differ. */
struct tree_change {
	struct tree_entry old, new;		/* of the same path; one of them may be ENTRY_NONE */
};

struct tree_changes {
	struct tree_change *v;
	size_t n, cap;
};

/*
 * Where two commits differ, sorted by path; folders that are the same are not looked into.  A file
 * that moved is two changes. Paths live in `a`; the caller frees out->v.  NOT_FOUND: a commit or a
 * folder is not in the object database, or there are too many changes.
 */
int repo_changes(struct repo *, const char *from, const char *to, struct arena *a,
    struct tree_changes *out, struct err *e);

/* The blob of a file at a commit.  NOT_FOUND: no such file there. */
int repo_find_blob(
    struct repo *, const char *commit, const char *path, char blob[REPO_OID_SIZE], struct err *e);

/*
 * The same for a path that a person gave: `./` and `//` are nothing, symbolic links are followed
 * inside the commit.  The path of the file (arena), or NULL: NOT_FOUND; INVALID_INPUT: a link
 * leads out, or it is a folder (the hint names what is in it). A path with `..` is never found.
 */
const char *repo_resolve_path(struct repo *, const char *commit, const char *path,
    char blob[REPO_OID_SIZE], struct arena *, struct err *e);

/* A commit that changed a path. */
struct path_commit {
	const char *who, *name;		/* one text per author, by address; the name */
	int64_t when;			/* seconds since 1970 */
};

/*
 * Call `each` for the commits that led to `commit` and changed `path` (a file or folder; "": any),
 * newest first; names as .mailmap has them.  Stops after `most` commits, after `enough` that
 * changed it, or at `deadline_ms` (monotonic).  `*looked_at` commits were looked at; `*complete`:
 * that is all of the history that is here and none is missing.
 */
int repo_path_history(struct repo *, const char *commit, const char *path, uint64_t most,
    uint64_t enough, int64_t deadline_ms, void (*each)(void *, const struct path_commit *),
    void *arg, uint64_t *looked_at, bool *complete, struct err *e);

/*
 * Call `each` for `commit` and those that led to it, newest first, at most so many, as far as they
 * are here.  NOT_FOUND: no such commit.
 */
int repo_each_ancestor(struct repo *, const char *commit, size_t most,
    void (*each)(void *, const char *oid), void *arg, struct err *e);

/* How many parents a commit has, -1: it is not here; the first of them, or "". */
int repo_parent(struct repo *, const char *commit, char parent[REPO_OID_SIZE]);

/* The commit that a branch, tag, id or expression like main~3 names.  INVALID_INPUT: none. */
int repo_revision(struct repo *, const char *name, char oid[REPO_OID_SIZE], struct err *e);

/*
 * What a change that ends in `head` began with: where head left the default branch, or head's
 * first parent when it is on it. "": head is the first commit.
 */
int repo_change_base(struct repo *, const char *head, char oid[REPO_OID_SIZE], struct err *e);

/*
 * Each path below which the repository has its files, also those that it borrows objects from or
 * whose configuration it includes; some may not be there.  For the sandbox of a process that reads
 * it.
 */
void repo_each_storage_path(
    struct repo *, void (*each)(void *, const char *path), void *arg, struct arena *);

/*
 * From now on repositories are opened by their own configuration alone: the user's and the
 * system's cannot be read any more.
 */
void repo_isolate_config(void);

/*
 * Lines that take each other's place; a side without lines stands behind the line before `start`.
 */
struct diff_hunk {
	uint32_t old_start, old_lines, new_start, new_lines;
	const char *old_text, *new_text;	/* of these lines */
};

struct diff_file {
	char change;				/* A D M R */
	const char *old_path, *new_path;	/* the same but for R */
	/* "" where it is not there, or not known */
	char old_blob[REPO_OID_SIZE], new_blob[REPO_OID_SIZE];
	bool binary;
	struct diff_hunk *hunks;			/* without context */
	size_t nhunks;
	uint64_t added, removed;		/* lines */
};

struct diff {
	struct diff_file *v;	/* by path */
	size_t n;
	size_t total;		/* files of the change */
	bool cut;		/* files or lines were left out */
};

enum { DIFF_MAX_FILES = 2000, DIFF_MAX_LINES = 200000 };	/* at most so much is read of a diff */

/* From one commit to another, renames found; `base` "": from nothing. */
int repo_diff(struct repo *, const char *base, const char *head, struct arena *, struct diff *out,
    struct err *e);

/* A unified diff as text.  INVALID_INPUT: it is none. */
int repo_diff_text(const char *text, struct arena *, struct diff *out, struct err *e);

/*
 * How many bytes libgit2 may ask for at once in this thread, of which a blob, and each that it is
 * a difference to, takes as many as it has; what it was before.  Without: 272 MB.
 */
size_t repo_set_alloc_limit(size_t bytes);

/* A blob's bytes as text (text_decode) into `out`, which is empty.  NOT_FOUND as repo_blob. */
int repo_blob_text(struct repo *, const char *blob, struct buf *out, struct err *e);

/*
 * Append a blob's bytes.  UNAVAILABLE: it is not in the object database; INVALID_INPUT: it takes
 * more than repo_set_alloc_limit.
 */
int repo_blob(struct repo *, const char *blob, struct buf *out, struct err *e);
#endif
