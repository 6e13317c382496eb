#ifndef PROTO_BASE_FOLDER_H
#define PROTO_BASE_FOLDER_H
/* Opening folders. */

#include <dirent.h>

/* What threads use instead of opendir; the caller ends it by closedir.  NULL with errno. */
DIR *folder_open(const char *path);
#endif
