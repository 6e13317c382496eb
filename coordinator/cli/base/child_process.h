#ifndef COORDINATOR_CLI_BASE_CHILD_PROCESS_H
#define COORDINATOR_CLI_BASE_CHILD_PROCESS_H
/* Starting other programs. */

#include <stdbool.h>
#include <sys/types.h>

struct arena;
struct err;

/*
 * Start a program that dies with this process, in a process group of its own, so that Ctrl-C
 * reaches only the parent.  `env` is its whole environment (program_environment.h).  Its output is
 * appended to the file `log`; NULL: it shares ours.  The pid, or -1 with `e`.
 */
pid_t child_start(const char *const *argv, const char *const *env, const char *log, struct err *e);

/*
 * Run a program of ours and wait for it: the first line of its output, or NULL when it failed.
 * Its errors go nowhere.
 */
const char *child_output(const char *const *argv, struct arena *);

/* The same of git, which gets of our environment what proto/process/environment.def has for it. */
const char *child_git(const char *const *argv, struct arena *);

/*
 * Give a program `input` (at most what a pipe holds, 64 KiB) and wait for its whole output; NULL
 * when it failed.  Its errors are ours.
 */
const char *child_communicate(
    const char *const *argv, const char *const *env, const char *input, struct arena *);

/* Where one of our programs is: beside this one, else the bare name, for PATH. */
const char *child_program(const char *name, struct arena *);
#endif
