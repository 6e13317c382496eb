#ifndef COORDINATOR_CLI_BASE_TERMINAL_TEXT_H
#define COORDINATOR_CLI_BASE_TERMINAL_TEXT_H
/*
 * Text for people.  What the arguments hold may be of a repository or another machine: it is
 * shown, not obeyed (plain_text.h).
 */

#include <stdio.h>

struct arena;

/*
 * As fprintf, of %s, %c, %% and numbers without `*` but in %.*s.  Of strings what is not plain is
 * escaped, but tabs; ends of lines are those of `fmt` alone.
 */
void say(FILE *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A text that is plain, tabs included; `s` itself where it is so already. */
const char *term_escape(const char *s, struct arena *);

/* A line of JSON, which says the same without a character that a terminal obeys. */
void term_print_json(const char *json);
#endif
