#ifndef SHARD_GIT_GIT_PROCESS_INTERNAL_H
#define SHARD_GIT_GIT_PROCESS_INTERNAL_H
/* What git_process.c (the child) and git_remote.c (which remotes, and where they send us) share. */

#include "shard/git/git_process.h"

/* Run it once, as git_run does but for redirects; its standard error goes to `said`. */
int git_run_once(const struct git_command *, const char **argv, struct buf *out, struct buf *said,
    struct arena *a, struct err *e);

/* GIT_ALLOW_PROTOCOL for a URL that git_check_url takes. */
const char *git_allowed_protocols(const char *url, const struct options *, struct arena *a);
#endif
