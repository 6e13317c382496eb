#ifndef SHARD_DAEMON_HEAD_WATCH_H
#define SHARD_DAEMON_HEAD_WATCH_H
/*
 * Tells at once when what a repository's HEAD points to may have changed: inotify on HEAD,
 * packed-refs and refs.  The kernel gives a user 128 of these; who gets none has signals for the
 * same folders (fcntl's F_NOTIFY), which are not counted.
 */

#include <signal.h>
#include <stdbool.h>

struct repo;
struct head_watch;

/*
 * Of a repository that was opened at place.  NULL when this system gives no watch; then polling
 * must do.  Signals of head_watch_add_signals must be blocked in all threads.
 */
struct head_watch *head_watch_new(struct repo *, const char *place);
void head_watch_add_signals(sigset_t *);		/* adds them */
void head_watch_free(struct head_watch *);	/* NULL is fine */

/* To poll for reading; -1 for NULL. */
int head_watch_fd(const struct head_watch *);

/* Whether anything of interest happened since the last call. */
bool head_watch_read(struct head_watch *);

/*
 * Whether other folders have taken the place of those that are watched, or may: one that they are
 * in was moved.
 */
bool head_watch_is_moved(const struct head_watch *);

/*
 * Whether nothing can happen unseen: all folders are watched, on a file system that nobody but
 * this machine writes to.
 */
bool head_watch_is_complete(const struct head_watch *);
#endif
