#ifndef SHARD_WATCH_H
#define SHARD_WATCH_H
/* Tells at once when what a repository's HEAD points to may have changed: inotify on HEAD, packed-refs and refs. */

#include <stdbool.h>

struct repo;
struct watch;

/* NULL when this system gives no watch any more (each user has a few hundred); then polling must do. */
struct watch *watch_new(struct repo *);
void watch_free(struct watch *);	/* NULL is fine */

/* To poll for reading; -1 for NULL. */
int watch_fd(const struct watch *);

/* Whether anything of interest happened since the last call. */
bool watch_read(struct watch *);
#endif
