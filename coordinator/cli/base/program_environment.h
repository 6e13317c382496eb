#ifndef COORDINATOR_CLI_BASE_PROGRAM_ENVIRONMENT_H
#define COORDINATOR_CLI_BASE_PROGRAM_ENVIRONMENT_H
/*
 * What a program that `atoll` starts sees of our environment: the variables of its own options, as
 * its options.def names them, and those that any program needs (proto/process/environment.def).
 * So no token, key or secret gets where nobody uses it.
 */

struct arena;

/* A shard of a path needs no tokens of remotes, unlike a mirror. */
enum program_kind { PROGRAM_COORDINATOR, PROGRAM_SHARD, PROGRAM_MIRROR };

/*
 * `NAME=value`s as they are now, and a NULL; they are borrowed from the environment, the list lives
 * in the arena.
 */
const char *const *program_environment(enum program_kind, struct arena *);
#endif
