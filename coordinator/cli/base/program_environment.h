#ifndef COORDINATOR_CLI_BASE_PROGRAM_ENVIRONMENT_H
#define COORDINATOR_CLI_BASE_PROGRAM_ENVIRONMENT_H
/*
 * The environment of the programs that `atoll` starts: the variables of their own options, as
 * options.def names them, and those that any program needs (proto/process/environment.def).  A
 * program does not see tokens, keys or secrets that it does not use.
 */

struct arena;

/* PROGRAM_MIRROR is the shard of a URL: unlike that of a path, it needs the tokens of remotes. */
enum program_kind { PROGRAM_COORDINATOR, PROGRAM_SHARD, PROGRAM_MIRROR };

/*
 * The entries NAME=value, with NULL at the end.  The list is in the arena; its strings belong to
 * the environment.
 */
const char *const *program_environment(enum program_kind, struct arena *);
#endif
