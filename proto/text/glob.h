#ifndef PROTO_TEXT_GLOB_H
#define PROTO_TEXT_GLOB_H
/* Patterns of paths, in the syntax of gitignore. */

#include <stdbool.h>

/*
 * Whether a pattern matches a whole path: `*` and `?` stay within a folder, `**` does not, `[a-z]`
 * and `[!a-z]` are classes, and a backslash makes the next character an ordinary one.  Each step is
 * taken from *budget; when it is used up, nothing matches.
 */
bool glob_matches(const char *glob, const char *path, int *budget);
#endif
