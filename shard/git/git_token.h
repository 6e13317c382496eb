#ifndef SHARD_GIT_GIT_TOKEN_H
#define SHARD_GIT_GIT_TOKEN_H
/* Tokens for remotes: each is for some hosts, and goes to nobody else. */

struct arena;
struct options;

/*
 * The token for a URL, or NULL.  Of --git-tokens-file, a line `host token` each; else
 * ATOLL_GIT_TOKEN, for the hosts of --git-token-hosts; else GITHUB_TOKEN, for GitHub's.  Only over
 * https, and over http on this machine.
 */
const char *git_token(const char *url, const struct options *, struct arena *a);

/* Why ATOLL_GIT_TOKEN cannot be sent as it is meant, and what helps, in `a`; NULL: it can. */
const char *git_token_config_error(const struct options *, struct arena *a);
#endif
