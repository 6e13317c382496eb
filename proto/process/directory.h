#ifndef PROTO_PROCESS_DIRECTORY_H
#define PROTO_PROCESS_DIRECTORY_H
/*
 * Opens folders, and creates the folders of data and sockets, which belong to this user and are
 * closed to others.
 */

#include <dirent.h>

struct arena;
struct err;

/* Like opendir, but safe under ThreadSanitizer.  The caller calls closedir.  NULL with errno. */
DIR *directory_open(const char *path);

/*
 * Create the folder if it does not exist, closed to others (0700); close an existing one of this
 * user.  0, or -1 with INVALID_INPUT if it belongs to somebody else or is a link: in /tmp, others
 * may have created it first.
 */
int directory_create_exclusive(const char *path, struct err *);

/*
 * Create a folder for sockets, closed to others, with a short path: in $XDG_RUNTIME_DIR, else in
 * /tmp.  The path, in the arena, or NULL with INVALID_INPUT.
 */
const char *directory_create_runtime(struct arena *, struct err *);

/*
 * -1 with INVALID_INPUT if anybody but this user, its own group and root may put files beside
 * `path`, which need not exist; else 0.
 */
int directory_check_parent(const char *path, struct err *);

/*
 * Create `path` with its parents, closed to others (0700).  An existing folder that is open to
 * others is closed; the log reports that, or that it failed.  -1 with INVALID_INPUT, naming the
 * `option`, if the folder cannot be created, if it belongs to another user than root and this one,
 * or if it is a link into a folder where anybody could replace it.
 */
int directory_create_private(const char *path, const char *option, struct err *e);

/*
 * Close the files and folders in `folder` whose names match the shell pattern.  The log reports
 * those that belong to other users and so stay open.
 */
void directory_restrict_files(const char *folder, const char *pattern);
#endif
