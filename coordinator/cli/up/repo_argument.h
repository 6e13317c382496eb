#ifndef COORDINATOR_CLI_UP_REPO_ARGUMENT_H
#define COORDINATOR_CLI_UP_REPO_ARGUMENT_H
/* What a person types to name a repository that is not registered yet: a folder or a URL. */

#include <stdbool.h>

struct arena;
struct err;
struct string_list;

/*
 * The registered form: a URL without credentials, or the absolute path of the git repository that
 * holds the folder. NULL with `e` (may be NULL): no such folder, no repository, or one without a
 * commit.  Runs git.
 */
const char *source_resolve(const char *typed, struct arena *, struct err *e);

/* Whether it is a URL (also `user@host:path`) rather than a path. */
bool source_is_url(const char *typed);

/*
 * The git repositories that are folders in `dir`, by name, as source_resolve gives them.  -1 with
 * `e`: it cannot be read.
 */
int sources_in_folder(const char *dir, struct string_list *out, struct arena *, struct err *e);

/* A short name for logs and sockets that no other source has: `web-1f2e3d4c`. */
const char *source_label(const char *source, struct arena *);
#endif
