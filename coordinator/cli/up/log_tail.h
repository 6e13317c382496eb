#ifndef COORDINATOR_CLI_UP_LOG_TAIL_H
#define COORDINATOR_CLI_UP_LOG_TAIL_H
/* The end of the log of a program that was started here. */

struct arena;

/*
 * The last line that is not empty, without its line break; only its end if it is very long.  "" if
 * there is none.  In `a`.
 */
const char *log_tail_last_line(const char *path, struct arena *a);

/* The quoted value of `key` in a line of the log, unquoted; "" if there is none.  In `a`. */
const char *log_tail_value(const char *line, const char *key, struct arena *a);
#endif
