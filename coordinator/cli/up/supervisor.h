#ifndef COORDINATOR_CLI_UP_SUPERVISOR_H
#define COORDINATOR_CLI_UP_SUPERVISOR_H
/*
 * Keeps programs running.  One that dies is restarted: at once the first time, then after 1, 2, 4
 * … 30 seconds.  The thread that called supervisor_new runs supervisor_run; any thread may add and
 * remove programs.
 */

#include <stdbool.h>

struct arena;
struct supervisor;

/*
 * The output of programs goes to NAME.log in the folder `logs`, or to our standard error if that is
 * NULL.  Blocks the signals that it waits for.
 */
struct supervisor *supervisor_new(const char *logs);

/*
 * Run a program from now on, with this environment.  If the name already runs, it continues, and
 * its next start uses the new arguments.
 */
void supervisor_want(
    struct supervisor *, const char *name, const char *const *argv, const char *const *env);

/* Stop a program: SIGTERM, and SIGKILL after 5 seconds. */
void supervisor_unwant(struct supervisor *, const char *name);

/* The i-th name that should run, copied into the arena, or NULL if there are fewer. */
const char *supervisor_wanted(struct supervisor *, int i, struct arena *);

/*
 * Whether to report the program's exits on standard error, as is done by default.  Does nothing if
 * the name is unknown.
 */
void supervisor_report_exits(struct supervisor *, const char *name, bool);

/* How often in a row a program ended soon after its start; -1 if it should not run. */
int supervisor_failures(struct supervisor *, const char *name);

/* Keep the programs running until SIGINT, SIGTERM, SIGHUP or supervisor_stop. */
void supervisor_run(struct supervisor *);
void supervisor_stop(struct supervisor *);

/* Whether a signal or supervisor_stop has ended supervisor_run. */
bool supervisor_stopping(struct supervisor *);

/* Stop all programs and wait for them. */
void supervisor_end(struct supervisor *);

/* Call it after supervisor_end, when no other thread uses the supervisor. */
void supervisor_free(struct supervisor *);
#endif
