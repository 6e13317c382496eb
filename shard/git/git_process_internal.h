#ifndef SHARD_GIT_GIT_PROCESS_INTERNAL_H
#define SHARD_GIT_GIT_PROCESS_INTERNAL_H
/* Shared by git_process.c (the child process) and git_remote.c (schemes and redirects). */

#include "shard/git/git_process.h"

/* Like git_run, but without following redirects; git's standard error goes to `said`. */
int git_run_once(const struct git_command *, const char **argv, struct buf *out, struct buf *said,
    struct arena *a, struct err *e);

/* The value of GIT_ALLOW_PROTOCOL for a URL that git_check_url accepts. */
const char *git_allowed_protocols(const char *url, const struct options *, struct arena *a);
#endif
