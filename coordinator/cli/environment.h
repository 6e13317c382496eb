#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H
/*
 * What a program that `atoll` starts sees of our environment: the variables of its own options, as its options.def names them, and
 * those that any program needs.  So no token, key or secret gets where nobody uses it.
 */

struct arena;

/* A shard of a path needs no tokens of remotes, unlike a mirror.  GIT: also any other program that is only asked something. */
enum environment_for { FOR_COORDINATOR, FOR_SHARD, FOR_MIRROR, FOR_GIT };

/* `NAME=value`s as they are now, and a NULL; names and values are borrowed from the environment, or live in the arena. */
const char *const *environment_for(enum environment_for, struct arena *);
#endif
