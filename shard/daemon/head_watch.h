#ifndef SHARD_DAEMON_HEAD_WATCH_H
#define SHARD_DAEMON_HEAD_WATCH_H
/*
 * Notices at once when HEAD may point to another commit: inotify on HEAD, packed-refs and refs. The
 * kernel gives each user only 128 inotify instances; when there are none left, the same folders are
 * watched with signals (fcntl's F_NOTIFY), which are not limited.
 */

#include <signal.h>
#include <stdbool.h>

struct repo;
struct head_watch;

/*
 * Watches a repository that was opened at `place`. Returns NULL if the system provides no watch;
 * then the caller must poll. The signals of head_watch_add_signals must be blocked in all threads.
 */
struct head_watch *head_watch_new(struct repo *, const char *place);
void head_watch_add_signals(sigset_t *);
void head_watch_free(struct head_watch *);	/* NULL is fine */

/* The descriptor to poll for reading; -1 for NULL. */
int head_watch_fd(const struct head_watch *);

/* Whether anything relevant happened since the last call. */
bool head_watch_read(struct head_watch *);

/* Whether other folders have replaced the watched ones, or may have: a parent folder was moved. */
bool head_watch_is_moved(const struct head_watch *);

/*
 * Whether no change can be missed: all folders are watched, on a file system that only this machine
 * writes to.
 */
bool head_watch_is_complete(const struct head_watch *);
#endif
