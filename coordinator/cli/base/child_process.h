#ifndef COORDINATOR_CLI_BASE_CHILD_PROCESS_H
#define COORDINATOR_CLI_BASE_CHILD_PROCESS_H
/* Starting other programs. */

#include <stdbool.h>
#include <sys/types.h>

struct arena;
struct err;

/*
 * Start a program that dies with this process.  It gets its own process group, so that Ctrl-C
 * reaches only the parent.  `env` is its whole environment (program_environment.h).  Its output is
 * appended to the file `log`, or goes to our standard error if `log` is NULL.  The pid, or -1 with
 * `e`.
 */
pid_t child_launch(const char *const *argv, const char *const *env, const char *log, struct err *e);

/*
 * Run one of our programs and wait for it.  The first line of its output, or NULL if it failed.
 * Its standard error is discarded.
 */
const char *child_output(const char *const *argv, struct arena *);

/* The same for git, with the environment that proto/process/environment.def allows it. */
const char *child_git(const char *const *argv, struct arena *);

/*
 * Run a program with `input` (at most 64 KiB, the capacity of a pipe) on its standard input.  Its
 * whole output, or NULL if it failed.  It writes to our standard error.
 */
const char *child_communicate(
    const char *const *argv, const char *const *env, const char *input, struct arena *);

/* The path of one of our programs: in the folder of this one, or else its name, to search PATH. */
const char *child_program(const char *name, struct arena *);
#endif
