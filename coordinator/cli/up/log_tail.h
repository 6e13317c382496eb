#ifndef COORDINATOR_CLI_UP_LOG_TAIL_H
#define COORDINATOR_CLI_UP_LOG_TAIL_H
/* What the log of a program that was started here says last. */

struct arena;

/*
 * The last line that is not empty, without its end, in `a`; its end when it is very long; ""
 * without one.
 */
const char *log_tail_last_line(const char *path, struct arena *a);

/* The value of a line that is quoted behind `key`=, as text, in `a`; "" when it has none. */
const char *log_tail_value(const char *line, const char *key, struct arena *a);
#endif
