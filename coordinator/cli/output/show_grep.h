#ifndef COORDINATOR_CLI_OUTPUT_SHOW_GREP_H
#define COORDINATOR_CLI_OUTPUT_SHOW_GREP_H
/* Prints the pages of an exact search as ripgrep prints its matches, on standard output. */

#include <stdbool.h>
#include <stddef.h>

struct grep_match;
struct local_clones;
struct grep_out;

enum grep_style {
	GREP_LINES, /* REPO/PATH:LINE:TEXT */
	GREP_TERMINAL, /* with colors, and the path once above its lines */
	GREP_JSON /* ripgrep's messages: begin, match, context, end, summary */
};

struct grep_printer {
	enum grep_style style;
	bool column; /* REPO/PATH:LINE:COLUMN:TEXT */
	const struct local_clones *clones; /* whose folders stand in place of REPO; NULL: none */
	char file[8192]; /* of the last row; "" before the first */
	unsigned long long line, file_rows; /* the last line of it that was printed; its rows */
	unsigned long long rows, files; /* that were printed */
};

void show_grep_page(struct grep_printer *, const struct grep_out *);

/* The end, after the last page. */
void show_grep_end(struct grep_printer *);
#endif
