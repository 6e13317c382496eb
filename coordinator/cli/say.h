#ifndef CLI_SAY_H
#define CLI_SAY_H
/* Text for people.  Names, paths and lines of a repository may hold what moves a terminal's cursor or changes its colours. */

#include <stdio.h>

/* As fprintf; control characters of the result are written as `?`, but for ends of lines and tabs. */
void say(FILE *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* `?` in place of each control character of `s`, but for those in `keep`.  Returns `s`, which may be shorter then. */
char *say_plain(char *s, const char *keep);
#endif
