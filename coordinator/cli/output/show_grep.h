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
	/* the file of the last row, "" before the first; whether lines around matches are shown */
	char file[8192];
	unsigned long long line, rows, files; /* the last printed line of it; what was printed */
	unsigned long long file_rows;
};

void show_grep_page(struct grep_printer *, const struct grep_out *);

/* The end, after the last page. */
void show_grep_end(struct grep_printer *);
#endif
