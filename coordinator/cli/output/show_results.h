#ifndef COORDINATOR_CLI_OUTPUT_SHOW_RESULTS_H
#define COORDINATOR_CLI_OUTPUT_SHOW_RESULTS_H
/* Results of tools as people read them, on standard output. */

struct cli;
struct api_client;
struct status_out;
struct repo_row;

/*
 * Call a tool and print its answer: the raw JSON with --json, else by the printer of that tool.
 * The exit code; a tool's error is the envelope on standard output with --json, else text on
 * standard error.
 */
int show_call(struct cli *, const char *tool, const char *args);

/* The same, asking `client`, by another printer of show_results.c. */
int show_call_as(
    struct cli *, const struct api_client *, const char *tool, const char *as, const char *args);

/* Print the error envelope in `body` on standard error.  Always EXIT_TOOL. */
int show_error(struct cli *, const char *body);
#endif
