#ifndef PROTO_PROCESS_DIRECTORY_H
#define PROTO_PROCESS_DIRECTORY_H
/*
 * Opening folders; and those where data and sockets are, which are this user's own and closed to
 * others.
 */

#include <dirent.h>

struct arena;
struct err;

/* What threads use instead of opendir; the caller ends it by closedir.  NULL with errno. */
DIR *directory_open(const char *path);

/*
 * Make the folder if it is not there, closed to others (0700), and close it if it is ours and
 * open.  0, or -1 with INVALID_INPUT: it is somebody else's, or a link - in /tmp others may have
 * made it first.
 */
int directory_create_exclusive(const char *path, struct err *);

/*
 * A short folder for sockets, closed to others: in $XDG_RUNTIME_DIR, else in /tmp.  NULL with
 * INVALID_INPUT.
 */
const char *directory_create_runtime(struct arena *, struct err *);

/*
 * Whether others than this user, its own group and root may put files beside `path`, which need
 * not exist: 0, or -1 with INVALID_INPUT.
 */
int directory_check_parent(const char *path, struct err *);

/*
 * Make `path` with its parents, closed to others (0700); one that is there and open to others is
 * closed, and the log says so, as when that cannot be done.  -1 with INVALID_INPUT, which calls it
 * the `option`: it cannot be made; it belongs to another user but root; or it is a link into a
 * folder in which anybody may put another in its place.
 */
int directory_create_private(const char *path, const char *option, struct err *e);

/*
 * Close what in `folder` has a name that fits the shell pattern, of files and folders; of others'
 * ones the log says that they stay open.
 */
void directory_restrict_files(const char *folder, const char *pattern);
#endif
