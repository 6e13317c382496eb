#ifndef COORDINATOR_CLI_OUTPUT_SHOW_RESULTS_H
#define COORDINATOR_CLI_OUTPUT_SHOW_RESULTS_H
/* Prints the results of tools for people, on standard output. */

struct cli;
struct api_client;
struct status_out;
struct repo_row;

/*
 * Call a tool and print its result: JSON with --json, else the text of that tool's printer.  A
 * tool's error is printed as JSON on standard output with --json, else as text on standard error.
 * The exit code.
 */
int show_call(struct cli *, const char *tool, const char *args);

/* The same with the given client, and the printer named `as` in show_results.c. */
int show_call_as(
    struct cli *, const struct api_client *, const char *tool, const char *as, const char *args);

/* Print the error envelope in `body` on standard error.  Always EXIT_TOOL. */
int show_error(struct cli *, const char *body);
#endif
