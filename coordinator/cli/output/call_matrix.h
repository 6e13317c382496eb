#ifndef COORDINATOR_CLI_OUTPUT_CALL_MATRIX_H
#define COORDINATOR_CLI_OUTPUT_CALL_MATRIX_H
/* Who calls whom, in numbers. */

struct group_contracts_out;
struct repo_names;

/*
 * A row per caller and a column per callee; what would be too wide is a row per pair.  On standard
 * output.
 */
void matrix_show(const struct group_contracts_out *, const struct repo_names *);
#endif
