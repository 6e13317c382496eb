#ifndef COORDINATOR_CLI_OUTPUT_TEXT_TABLE_H
#define COORDINATOR_CLI_OUTPUT_TEXT_TABLE_H
/* Rows of text, printed in aligned columns. */

#include <stdio.h>

struct text_table;

struct text_table *text_table_new(void);

/* Add a row of `n` cells, each a const char *; NULL is an empty cell.  The texts are copied. */
void text_table_row(struct text_table *, int n, ...);
void text_table_cells(struct text_table *, int n, const char *const *cells);

/* Print the rows with two spaces between columns, and free the table. */
void text_table_print(struct text_table *, FILE *);
#endif
