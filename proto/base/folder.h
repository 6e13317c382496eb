#ifndef PROTO_BASE_FOLDER_H
#define PROTO_BASE_FOLDER_H
/* Opening folders; and those where data is kept, which are this user's own and closed to others. */

#include <dirent.h>

struct err;

/* What threads use instead of opendir; the caller ends it by closedir.  NULL with errno. */
DIR *folder_open(const char *path);

/*
 * Make `path` with its parents, closed to others (0700); one that is there and open to others is closed, and the log says so, as when that
 * cannot be done.  -1 with INVALID_INPUT, which calls it the `option`: it cannot be made; it belongs to another user but root; or it is a
 * link into a folder in which anybody may put another in its place.
 */
int folder_private(const char *path, const char *option, struct err *e);

/* Close what in `folder` has a name that fits the shell pattern, of files and folders; of others' ones the log says that they stay open. */
void folder_close(const char *folder, const char *pattern);
#endif
