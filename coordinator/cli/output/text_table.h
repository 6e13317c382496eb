#ifndef COORDINATOR_CLI_OUTPUT_TEXT_TABLE_H
#define COORDINATOR_CLI_OUTPUT_TEXT_TABLE_H
/* Rows of text, printed in aligned columns. */

#include <stdio.h>

struct table;

struct table *table_new(void);

/* Add a row: `n` cells, const char * each; NULL is an empty one.  Copied. */
void table_row(struct table *, int n, ...);
void table_cells(struct table *, int n, const char *const *cells);

/* Print with two spaces between columns, and free. */
void table_end(struct table *, FILE *);
#endif
