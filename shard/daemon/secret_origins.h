#ifndef SHARD_DAEMON_SECRET_ORIGINS_H
#define SHARD_DAEMON_SECRET_ORIGINS_H
/* Where this process has its secrets from, for operators. */

struct arena;
struct options;
struct secrets;

/*
 * The origins of the secrets in the options, never a value; lives in `a` or as long as the options.
 */
struct secrets *secret_origins_of(const struct options *, struct arena *a);
#endif
