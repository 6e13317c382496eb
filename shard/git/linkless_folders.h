#ifndef SHARD_GIT_LINKLESS_FOLDERS_H
#define SHARD_GIT_LINKLESS_FOLDERS_H
/*
 * Folders that were read and contained no symbolic link, so that a folder that has not changed
 * since is not read again: a repository may have hundreds of thousands of loose objects, and it is
 * opened several times for each commit.  Remembers a limited number.  Thread-safe.
 */

#include <stdbool.h>

struct stat;

/* Whether the folder with this status was noted, and has not changed since. */
bool linkless_folder_is_known(const struct stat *);

/*
 * Notes a folder.  `before`: its status from before it was read.  One that changed within the last
 * seconds is not noted, as a later change may leave the same time.
 */
void linkless_folder_note(const struct stat *before);
#endif
