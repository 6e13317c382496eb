#ifndef SHARD_GIT_H
#define SHARD_GIT_H
/* git as a child that talks to remotes: its environment, which carries what proves who we are, and its limits. */

#include <stddef.h>

struct arena;
struct buf;
struct err;
struct options;
struct pins;

struct git {
	const char *url, *shown, *repo_uri;	/* of the remote, without credentials */
	const char *user;			/* `user:secret` that its URL had, or NULL */
	const char *grows;			/* folder that may have --mirror-limit-mb at most; NULL: none */
	const struct options *o;
	const struct pins *pins;		/* NULL: it may dial what it likes; those of its command line stand in `argv` already */
};

/*
 * Run it to its end; its standard output goes to `out`.  UNAVAILABLE with git's own words, without credentials, or because it took
 * longer than --git-seconds; INVALID_INPUT when `grows` became too large (it may be deleted then); INTERNAL: there is no git.
 */
int git_run(const struct git *, const char **argv, struct buf *out, struct arena *a, struct err *e);

/*
 * Whether a repository that shall be mirrored is too large, where its forge tells (rows in git.c): INVALID_INPUT.  What it does not
 * tell, or who cannot be asked, is no reason.
 */
int git_ask_size(const char *url, const char *repo_uri, const struct options *, struct arena *a, struct err *e);

/*
 * The token for a remote, or NULL: of --git-tokens-file, a line `host token` each; else ATOLL_GIT_TOKEN, for any; else GITHUB_TOKEN, for
 * GitHub alone.  Only for https, and for http on this machine.
 */
const char *git_token(const char *url, const char *repo_uri, const struct options *, struct arena *a);
#endif
