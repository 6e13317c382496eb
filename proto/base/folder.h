#ifndef PROTO_BASE_FOLDER_H
#define PROTO_BASE_FOLDER_H
/* Opening folders, and those that nobody else may look into. */

#include <dirent.h>

struct arena;
struct err;

/* What threads use instead of opendir; the caller ends it by closedir.  NULL with errno. */
DIR *folder_open(const char *path);

/*
 * Make the folder if it is not there, closed to others (0700), and close it if it is ours and open.  0, or -1 with INVALID_INPUT:
 * it is somebody else's, or a link - in /tmp others may have made it first.
 */
int folder_close(const char *path, struct err *);

/* A short folder for sockets, closed to others: in $XDG_RUNTIME_DIR, else in /tmp.  NULL with INVALID_INPUT. */
const char *folder_runtime(struct arena *, struct err *);

/* Whether others than this user, its own group and root may put files beside `path`, which need not exist: 0, or -1 with INVALID_INPUT. */
int folder_beside(const char *path, struct err *);
#endif
