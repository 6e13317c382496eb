#ifndef SHARD_CONTRACTS_URLS_KNOWN_CONDITIONS_H
#define SHARD_CONTRACTS_URLS_KNOWN_CONDITIONS_H
/* Conditions that the arguments of the calls at hand decide: `raw ? path : full(path)`. */
#include "shard/contracts/urls/dataflow.h"

enum truth { TRUTH_UNKNOWN, TRUTH_TRUE, TRUTH_FALSE };
enum truth truth_opposite(enum truth);

/*
 * Whether a condition holds: true, false or nothing of a parameter, and texts that are compared,
 * also behind `not`, `and`, `or`.  Unknown without calls (`given`).
 */
enum truth condition_value(struct dataflow_context *, struct expression condition);

/* The same of two texts: whether they are equal. */
enum truth condition_equals(
    struct dataflow_context *, struct expression left, struct expression right);

/* ---- known_branches.c: cases ---- */

/* Whether a node is a case of a `switch`, `match`, `when`. */
bool is_case(const struct syntax_tree *, TSNode);

/* Whether the case around a node is chosen; unknown: it is none, or the calls do not decide. */
enum truth is_case_taken(struct dataflow_context *, struct expression, TSNode around);

/* The value that a conditional expression then has, or a null node (url_evaluator_operators.c). */
TSNode decided_choice(struct dataflow_context *, struct expression);

/*
 * The value of a conditional expression: the decided one, the one that is not nothing, else the one
 * whose turn it is (dataflow_context.choice).
 */
TSNode chosen_value(struct dataflow_context *, struct expression);

/* ---- known_branches.c ---- */

/*
 * Whether the expression is not evaluated in the calls at hand: it stands in the other branch of an
 * `if` of its function, or behind one that leaves the function.
 */
bool is_unreachable(struct dataflow_context *, struct expression);

/*
 * Whether the calls at hand decide all conditions between the expression and the block that also
 * contains the node `use`, and it is evaluated.
 */
bool is_certain(struct dataflow_context *, struct expression, TSNode use);
#endif
