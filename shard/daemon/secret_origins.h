#ifndef SHARD_DAEMON_SECRET_ORIGINS_H
#define SHARD_DAEMON_SECRET_ORIGINS_H
/* Where this process has its secrets from, for who looks after it. */

struct arena;
struct options;
struct secrets;

/* Those of the options, never a value; lives in `a` or as long as the options. */
struct secrets *secret_origins_of(const struct options *, struct arena *a);
#endif
