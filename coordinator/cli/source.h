#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H
/* What a person types to name a repository that is not registered yet: a folder or a URL. */

#include <stdbool.h>

struct arena;
struct err;

/*
 * The registered form: a URL without credentials, or the absolute path of the git repository that holds the folder.
 * NULL with `e` (may be NULL): no such folder, no repository, or one without a commit.  Runs git.
 */
const char *source_of(const char *typed, struct arena *, struct err *e);

/* Whether it is a URL (also `user@host:path`) rather than a path. */
bool source_is_url(const char *typed);

/* A short name for logs and sockets that no other source has: `web-1f2e3d4c`. */
const char *source_label(const char *source, struct arena *);
#endif
