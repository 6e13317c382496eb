#ifndef COORDINATOR_CLI_UP_REPO_ARGUMENT_H
#define COORDINATOR_CLI_UP_REPO_ARGUMENT_H
/* The arguments PATH|URL: repositories that may not be registered yet. */

#include <stdbool.h>

struct arena;
struct err;
struct string_list;

/*
 * The form to register: a URL without credentials, or the absolute path of the git repository that
 * contains the folder.  NULL with `e` (which may be NULL) if the folder does not exist, is not in a
 * repository, or that has no commit yet.  A damaged repository counts: its shard reports why it
 * cannot be read.  Runs git.
 */
const char *source_resolve(const char *typed, struct arena *, struct err *e);

/* Whether a folder has the parts of a git repository, even if some are missing.  Runs nothing. */
bool source_looks_like_repository(const char *path, struct arena *);

/* Whether it is a URL, or `user@host:path`, rather than a path. */
bool source_is_url(const char *typed);

/*
 * The folders in `dir` that are git repositories, sorted by name, in the form of source_resolve,
 * each once.  -1 with `e` if `dir` cannot be read.
 */
int sources_in_folder(const char *dir, struct string_list *out, struct arena *, struct err *e);

/* A short name for logs and sockets, different for each source: `web-1f2e3d4c`. */
const char *source_label(const char *source, struct arena *);
#endif
