#ifndef COORDINATOR_CLI_BASE_SHORT_OPTIONS_H
#define COORDINATOR_CLI_BASE_SHORT_OPTIONS_H
/* Options of one letter, as users of grep and ripgrep know them. */

struct arena;

/*
 * The command line with `-l` in place of `--files-with-matches`, `-C3` of `--context 3`, `-il` of
 * both options, and so on, for the options that the command has by a letter.  Everything behind
 * `--` stays.  *argc becomes the new number; the array ends with NULL.
 */
char **short_options_expand(const char *command, int *argc, char **argv, struct arena *);
#endif
