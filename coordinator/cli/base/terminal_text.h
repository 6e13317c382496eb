#ifndef COORDINATOR_CLI_BASE_TERMINAL_TEXT_H
#define COORDINATOR_CLI_BASE_TERMINAL_TEXT_H
/*
 * Text for people.  Arguments may come from a repository or another machine, so that characters
 * which a terminal would obey are escaped (plain_text.h).
 */

#include <stddef.h>
#include <stdio.h>

struct arena;

/*
 * fprintf for %s, %c, %% and numbers; `*` is supported only in %.*s.  Control characters of string
 * arguments are escaped, except tabs, so that line breaks come only from `fmt`.
 */
void say(FILE *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The text with its control characters escaped, tabs included; in the arena. */
const char *term_escape(const char *s, struct arena *);

/* Print JSON as one line.  Characters that a terminal would obey become \u escapes. */
void term_print_json(const char *json);
#endif
