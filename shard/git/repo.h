#ifndef SHARD_GIT_REPO_H
#define SHARD_GIT_REPO_H
/*
 * A git repository, read in place: commits, trees and blobs of its object database, never the
 * working tree.  Only the files that include repo_internal.h know libgit2.  Use one `struct repo`
 * per thread.
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

/* Call once, before any other function and before threads start. */
void repo_init(void);

/*
 * Open a repository by its folder: a working tree, a linked worktree or a bare repository.
 * Parent folders are not tried.  The repository must be ours, or be named (repo_ownership.h).  NULL
 * with `e`: NOT_FOUND; FORBIDDEN if it, or something that it borrows, belongs to another user;
 * INVALID_INPUT if libgit2 cannot read its format.  Free with repo_close.
 */
struct repo *repo_open(const char *path, struct err *e);
void repo_close(struct repo *);		/* NULL is fine */

/*
 * URL of the remote `origin`, else of the first remote by name; NULL if there is none.  It may
 * contain credentials.
 */
const char *repo_remote(struct repo *, struct arena *);

/*
 * Absolute path of the working tree, or of the repository itself if it is bare; without symbolic
 * links.
 */
const char *repo_root_path(struct repo *, struct arena *);

/*
 * The same for a repository that repo_open refuses, to identify it.  Only the URL is read from its
 * configuration.
 */
const char *repo_remote_unopened(const char *path, struct arena *);
const char *repo_root_path_unopened(const char *path, struct arena *);

/* The folder that contains HEAD; `shared`: the one with the refs, which linked worktrees share. */
const char *repo_git_dir(struct repo *, bool shared, struct arena *);

/*
 * Short name of the default branch: that of origin/HEAD, else that of HEAD, else (detached HEAD)
 * main or master, else NULL.
 */
const char *repo_branch(struct repo *, struct arena *);

/*
 * The commit that HEAD points to now.  Cheap enough to poll.  NOT_FOUND if there is no commit yet
 * or HEAD dangles.
 */
int repo_head(struct repo *, char oid[REPO_OID_SIZE], struct err *e);

/*
 * The names of the tags that have a digit, in order and at most `max` of them, in `a`, and their
 * number.  None if they cannot be read.
 */
size_t repo_version_tags(struct repo *, size_t max, struct arena *a, const char ***out);

/*
 * First line of a commit's message, cut to `max_bytes`; "" if it is empty or there is no such
 * commit.
 */
const char *repo_subject(struct repo *, const char *commit, size_t max_bytes, struct arena *);

/*
 * The commits that an index can be behind, as one text: HEAD, the default branch, and the remote's
 * default branch as of the last fetch.  Cheap enough to poll.
 */
void repo_tips(struct repo *, char tips[REPO_TIPS_SIZE]);

/*
 * Number of commits that are reachable from these tips but not from `commit`; -1 if it is unknown
 * or no tip descends from the commit.
 */
int64_t repo_behind(struct repo *, const char *tips, const char *commit);

/*
 * UNREADABLE, OVER_LIMIT: it and everything below it is left out, see `why`; a folder's path ends
 * with a slash.  NONE: there is no entry.
 */
enum tree_entry_type { ENTRY_FILE, ENTRY_SYMLINK, ENTRY_SUBMODULE, ENTRY_UNREADABLE,
    ENTRY_OVER_LIMIT, ENTRY_NONE };

struct tree_entry {
	const char *path;
	char blob[REPO_OID_SIZE];	/* "" for folders and malformed entries */
	enum tree_entry_type is;
	uint64_t size;		/* bytes, for files */
	const char *why;	/* UNREADABLE: the cause (gaps.def); OVER_LIMIT: which limit */
};

struct tree_entries {
	struct tree_entry *v;
	size_t n, cap;
};

/*
 * All entries below a commit's tree, sorted by the bytes of the path.  Objects that cannot be read,
 * and malformed entries, are ENTRY_UNREADABLE.  Folders that are too deep, too many or repeated too
 * often, and paths that are too long, are ENTRY_OVER_LIMIT.  Paths live in `a`; the caller frees
 * out->v.  UNAVAILABLE if the commit or its tree cannot be read.
 */
int repo_tree(
    struct repo *, const char *commit, struct arena *a, struct tree_entries *out, struct err *e);

/* A path at which two commits differ. */
struct tree_change {
	struct tree_entry old, new;		/* both for the same path; one may be ENTRY_NONE */
};

struct tree_changes {
	struct tree_change *v;
	size_t n, cap;
};

/*
 * The paths at which two commits differ, sorted; equal folders are not read.  A moved file is two
 * changes.  Paths live in `a`; the caller frees out->v.  NOT_FOUND if a commit or a folder cannot
 * be read, a folder has malformed entries, or there are too many changes.
 */
int repo_changes(struct repo *, const char *from, const char *to, struct arena *a,
    struct tree_changes *out, struct err *e);

/* The blob of a file at a commit.  NOT_FOUND if the file does not exist there. */
int repo_find_blob(
    struct repo *, const char *commit, const char *path, char blob[REPO_OID_SIZE], struct err *e);

/*
 * The same for a path that a person typed: `./` and `//` are dropped, symbolic links are followed
 * inside the commit.  Returns the path of the file (arena), or NULL: NOT_FOUND; INVALID_INPUT if a
 * link leads out of the repository, or if the path is a folder (the hint lists its entries).  A
 * path with `..` is never found.
 */
const char *repo_resolve_path(struct repo *, const char *commit, const char *path,
    char blob[REPO_OID_SIZE], struct arena *, struct err *e);

/* A commit that changed a path. */
struct path_commit {
	const char *who, *name;		/* identifies the author (the address); the name to show */
	int64_t when;			/* seconds since 1970 */
};

/*
 * Call `each` for `commit` and its ancestors that changed `path` (a file or folder; "": any),
 * newest first, with names mapped by .mailmap.  Stops after `max_commits` commits, after `enough`
 * that changed the path, or at `deadline_ms` (monotonic).  Sets `*looked_at` to the number of
 * commits that were read, and `*complete` if these are the whole history and no commit is missing.
 */
int repo_path_history(struct repo *, const char *commit, const char *path, uint64_t max_commits,
    uint64_t enough, int64_t deadline_ms, void (*each)(void *, const struct path_commit *),
    void *arg, uint64_t *looked_at, bool *complete, struct err *e);

/*
 * Call `each` for `commit` and its ancestors, newest first, at most `max_commits`, as far as the
 * object database has them.  NOT_FOUND if there is no such commit.
 */
int repo_each_ancestor(struct repo *, const char *commit, size_t max_commits,
    void (*each)(void *, const char *oid), void *arg, struct err *e);

/* The number of parents of a commit and the first one, or ""; -1 if the commit is not here. */
int repo_parent(struct repo *, const char *commit, char parent[REPO_OID_SIZE]);

/*
 * The commit that a branch, tag, id or expression like main~3 names.  INVALID_INPUT if there is
 * none.
 */
int repo_revision(struct repo *, const char *name, char oid[REPO_OID_SIZE], struct err *e);

/*
 * The base of a change that ends in `head`: the merge base with the default branch, or head's first
 * parent if head is on that branch.  "" if head is the first commit.
 */
int repo_change_base(struct repo *, const char *head, char oid[REPO_OID_SIZE], struct err *e);

/*
 * Call `each` for every path below which the repository has its files, including those that it
 * borrows objects from and configuration files that it includes.  Some may not exist.  For the
 * sandbox of a process that reads the repository.
 */
void repo_each_storage_path(
    struct repo *, void (*each)(void *, const char *path), void *arg, struct arena *);

/*
 * From now on open repositories only with their own configuration, because the sandbox hides the
 * user's and the system's.
 */
void repo_isolate_config(void);

/*
 * Old lines and the new lines that replace them.  A side without lines is positioned between the
 * lines `start` - 1 and `start`.
 */
struct diff_hunk {
	uint32_t old_start, old_lines, new_start, new_lines;
	const char *old_text, *new_text;	/* of these lines */
};

struct diff_file {
	char change;				/* A D M R */
	const char *old_path, *new_path;	/* equal, except for R */
	/* "" if the file does not exist on that side, or if the blob is unknown */
	char old_blob[REPO_OID_SIZE], new_blob[REPO_OID_SIZE];
	bool binary;
	struct diff_hunk *hunks;			/* without context */
	size_t nhunks;
	uint64_t added, removed;		/* lines */
};

struct diff {
	struct diff_file *v;	/* sorted by path */
	size_t n;
	size_t total;		/* files in the change */
	bool cut;		/* files or lines were left out */
};

enum { DIFF_MAX_FILES = 2000, DIFF_MAX_LINES = 200000 };	/* the rest of a diff is left out */

/* From one commit to another, with renames detected; `base` "": from an empty tree. */
int repo_diff(struct repo *, const char *base, const char *head, struct arena *, struct diff *out,
    struct err *e);

/* Parse a unified diff.  INVALID_INPUT if it is not one. */
int repo_diff_text(const char *text, struct arena *, struct diff *out, struct err *e);

/*
 * Set how many bytes libgit2 may allocate at once in this thread; returns the previous limit.  It
 * bounds the size of a blob and of each blob that it is a difference to.  Default: 272 MB.
 */
size_t repo_set_alloc_limit(size_t bytes);

/* A blob's bytes as text (text_decode) into `out`, which must be empty.  Errors as repo_blob. */
int repo_blob_text(struct repo *, const char *blob, struct buf *out, struct err *e);

/*
 * Append a blob's bytes.  UNAVAILABLE if it is not in the object database; INVALID_INPUT if it
 * needs more memory than repo_set_alloc_limit allows.
 */
int repo_blob(struct repo *, const char *blob, struct buf *out, struct err *e);

/* The cause (gaps.def) why a blob cannot be read; NULL if it can. */
const char *repo_blob_fault(struct repo *, const char *blob);

/* Whether the file, or the folder (its path ends with a slash), of a commit can be read. */
bool repo_is_readable(struct repo *, const char *commit, const char *path);

/* The number of commits at which the history of a shallow clone ends; 0 if it is whole. */
int64_t repo_shallow_ends(struct repo *);

/*
 * From now on check the hash of each object that is read, in all threads: damage that a pack's own
 * checksums do not show.
 */
void repo_verify_objects(void);
#endif
