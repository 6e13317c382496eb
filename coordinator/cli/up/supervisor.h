#ifndef COORDINATOR_CLI_UP_SUPERVISOR_H
#define COORDINATOR_CLI_UP_SUPERVISOR_H
/*
 * Keeps programs running: a dead one is started again, at once the first time, then after 1, 2, 4
 * … 30 seconds. One thread runs it (supervisor_run, the thread that called supervisor_new); the
 * others say what shall run.
 */

#include <stdbool.h>

struct arena;
struct supervisor;

/*
 * `logs`: folder for NAME.log; NULL: the programs write to our standard error.  Blocks the signals
 * that it waits for.
 */
struct supervisor *supervisor_new(const char *logs);

/*
 * Shall run from now on, with this environment.  A name that runs already keeps running; what is
 * new counts at its next start.
 */
void supervisor_want(
    struct supervisor *, const char *name, const char *const *argv, const char *const *env);

/* Shall not run any more: SIGTERM, after 5 seconds SIGKILL. */
void supervisor_unwant(struct supervisor *, const char *name);

/* Which names are wanted: the i-th, copied into the arena, or NULL behind the end. */
const char *supervisor_wanted(struct supervisor *, int i, struct arena *);

/*
 * Whether its ends are said on stderr, as they are at first; who says why itself has no need of
 * it.  Nothing when it is not wanted.
 */
void supervisor_report_exits(struct supervisor *, const char *name, bool);

/* How often in a row a name ended soon after its start; -1: not wanted. */
int supervisor_failures(struct supervisor *, const char *name);

/* Keep them running until SIGINT, SIGTERM, SIGHUP or supervisor_stop. */
void supervisor_run(struct supervisor *);
void supervisor_stop(struct supervisor *);

/* Whether the end has come. */
bool supervisor_stopping(struct supervisor *);

/* End all programs and wait for them. */
void supervisor_end(struct supervisor *);

/* After supervisor_end, when no other thread uses it any more. */
void supervisor_free(struct supervisor *);
#endif
