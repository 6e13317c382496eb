#ifndef SHARD_GIT_OWN_H
#define SHARD_GIT_OWN_H
/* What git.c (the child) and git_remote.c (which remotes, and where they send us) share. */

#include "shard/git.h"

/* Run it once, as git_run does but for redirects; its standard error goes to `said`. */
int git_once(const struct git *, const char **argv, struct buf *out, struct buf *said,
    struct arena *a, struct err *e);

/* GIT_ALLOW_PROTOCOL for a URL that git_check takes. */
const char *git_schemes(const char *url, const struct options *, struct arena *a);
#endif
