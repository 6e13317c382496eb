#ifndef SHARD_GIT_GIT_TOKEN_H
#define SHARD_GIT_GIT_TOKEN_H
/* Tokens for remotes.  Each token is for certain hosts and is sent to no other. */

#include <stdbool.h>

struct arena;
struct options;

/*
 * The token for a URL, or NULL.  It comes from --git-tokens-file (lines of `host token`), else from
 * ATOLL_GIT_TOKEN for the hosts in --git-token-hosts, else from GITHUB_TOKEN for GitHub's hosts.
 * Only for https, and for http on this machine.
 */
const char *git_token(const char *url, const struct options *, struct arena *a);

/* Whether GITHUB_TOKEN is for the host of the URL. */
bool git_token_is_github(const char *url, struct arena *a);

/*
 * What is wrong with ATOLL_GIT_TOKEN and ATOLL_GIT_TOKEN_HOSTS, and how to fix it; NULL if nothing
 * is.  The text is a constant or lives in `a`.
 */
const char *git_token_config_error(const struct options *, struct arena *a);
#endif
