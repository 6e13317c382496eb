#ifndef SHARD_GIT_GIT_PROCESS_H
#define SHARD_GIT_GIT_PROCESS_H
/*
 * git as a child that talks to remotes: its environment, which carries what proves who we are, and
 * its limits.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;
struct options;
struct address_pins;

struct git_command {
	const char *url, *shown;		/* of the remote, without credentials */
	const char *user;			/* `user:secret` that its URL had, or NULL */
	/* folder that may have --mirror-limit-mb at most; NULL: none */
	const char *limited_dir;
	const struct options *o;
	const struct address_pins *pins;		/* which addresses it may dial; NULL: any */
	bool traced;				/* what HTTP servers say goes to its standard error */
};

/*
 * Whether the URL has a scheme that is fetched: https, ssh and git; file; http on this machine,
 * elsewhere with --git-http.  INVALID_INPUT, with the remedy in the message: the hint does not
 * leave the ingest child.
 */
int git_check_url(const char *url, const struct options *, struct arena *a, struct err *e);

/*
 * Run it to its end; its standard output goes to `out`.  The URL stands in argv as it stands in
 * `url`.  UNAVAILABLE with git's own words, without credentials, or because it took longer than
 * --git-seconds; INVALID_INPUT when `grows` became too large (it may be deleted then); INTERNAL:
 * there is no git.
 *
 * A redirect is followed when it stays on the server of the URL, as that of a repository that was
 * renamed; another one is UNAVAILABLE and names its target, which is not asked.
 */
int git_run(
    const struct git_command *, const char **argv, struct buf *out, struct arena *a, struct err *e);

/*
 * Whether a repository that shall be mirrored is too large, where its forge tells (rows in
 * git_process.c): INVALID_INPUT.  What it does not tell, or who cannot be asked, is no reason.
 */
int git_check_remote_size(
    const char *url, const char *repo_uri, const struct options *, struct arena *a, struct err *e);
#endif
