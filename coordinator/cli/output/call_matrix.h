#ifndef COORDINATOR_CLI_OUTPUT_CALL_MATRIX_H
#define COORDINATOR_CLI_OUTPUT_CALL_MATRIX_H
/* The matrix of calls between repositories. */

struct group_contracts_out;
struct repo_names;

/*
 * Print it on standard output: a row for each caller and a column for each callee, or one row for
 * each pair if there are too many columns.
 */
void matrix_show(const struct group_contracts_out *, const struct repo_names *);
#endif
