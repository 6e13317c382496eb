#ifndef SHARD_GIT_FOLDER_H
#define SHARD_GIT_FOLDER_H
/*
 * The entries of one tree object.  libgit2 refuses a tree with a single malformed entry; here that
 * entry is left out, with the cause, and the others can be read.  Only for the files that implement
 * repo.h.
 */

#include "shard/git/repo_internal.h"

enum folder_entry_type { FOLDER_FILE, FOLDER_SYMLINK, FOLDER_SUBMODULE, FOLDER_FOLDER,
	FOLDER_NONE };

struct folder_entry {
	const char *name;
	git_oid id;
	enum folder_entry_type type;
};

/* An entry that is left out; `cause` is of gaps.def.  Without a name: the rest of the folder. */
struct folder_fault {
	const char *name, *cause;
};

struct folder {
	git_odb_object *object;		/* the names point into it */
	struct folder_entry *v;		/* in git's order, which is that of full paths; names are unique */
	size_t n, cap;
	struct folder_fault *faults;
	size_t nfaults, faults_cap;
};

/* Reads a tree object.  NULL, or the cause (gaps.def) why not.  Always call folder_free. */
const char *folder_read(struct repo *, const git_oid *, struct folder *out);
void folder_free(struct folder *);

/* git's order of two entries: a folder's name ends with a slash. */
int folder_entry_compare(const struct folder_entry *, const struct folder_entry *);

/*
 * The entry at a path below a folder, without its name; of type FOLDER_NONE if there is none.
 * NULL, or the cause why a folder on the way cannot be read.
 */
const char *folder_find(
    struct repo *, const git_oid *folder, const char *path, struct folder_entry *out);

/* The cause (gaps.def) behind the failure `rc` of libgit2 to read an object. */
const char *object_fault(struct repo *, int rc);
#endif
