#ifndef SHARD_GIT_GIT_PROCESS_H
#define SHARD_GIT_GIT_PROCESS_H
/*
 * Runs git as a child process that talks to remotes: its environment, which carries our
 * credentials, and its limits.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct buf;
struct err;
struct options;
struct address_pins;

struct git_command {
	const char *url, *shown;		/* of the remote, without credentials; for git, for people */
	const char *user;			/* the `user:secret` of the URL, or NULL */
	/* folder that must stay below --mirror-limit-mb, or NULL */
	const char *limited_dir;
	const struct options *o;
	const struct address_pins *pins;		/* addresses that git may dial; NULL: any */
	bool traced;				/* git prints the HTTP headers to its standard error */
};

/*
 * Check that the scheme of the URL is supported: https, ssh, git and file; http on this machine,
 * and elsewhere with --git-http.  Else INVALID_INPUT.  The message contains the remedy, because
 * the hint does not leave the ingest child.
 */
int git_check_url(const char *url, const struct options *, struct arena *a, struct err *e);

/*
 * Run git until it exits; its standard output goes to `out`.  `argv` contains the URL exactly as
 * in `url`.  Errors: UNAVAILABLE with git's own message, without credentials, or because it took
 * longer than --git-seconds; INVALID_INPUT if `limited_dir` became too large (the caller may
 * delete it); INTERNAL if git is not installed.
 *
 * A redirect that stays on the server of the URL is followed, as for a renamed repository.  Any
 * other redirect is UNAVAILABLE; the message names its target, which is not contacted.
 */
int git_run(
    const struct git_command *, const char **argv, struct buf *out, struct arena *a, struct err *e);

/*
 * INVALID_INPUT if the forge reports that the repository is larger than --mirror-limit-mb.  0 if
 * the forge has no such API (the table in git_process.c) or does not answer.
 */
int git_check_remote_size(
    const char *url, const char *repo_uri, const struct options *, struct arena *a, struct err *e);
#endif
