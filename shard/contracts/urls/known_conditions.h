#ifndef SHARD_CONTRACTS_URLS_KNOWN_CONDITIONS_H
#define SHARD_CONTRACTS_URLS_KNOWN_CONDITIONS_H
/* Conditions that the arguments of the calls at hand decide: `raw ? path : full(path)`. */
#include "shard/contracts/urls/dataflow.h"

enum truth {TRUTH_UNKNOWN, TRUTH_TRUE, TRUTH_FALSE};

/*
 * Whether a condition holds: true or false of a parameter, and texts that are compared, also
 * behind `not`, `and`, `or`.  Unknown without calls (`given`).
 */
enum truth condition_value(struct dataflow_context *, struct expression condition);

/* The value that a conditional expression then has, or a null node (url_evaluator_operators.c). */
TSNode decided_choice(struct dataflow_context *, struct expression);

/*
 * The value of a conditional expression: the decided one, the one that is not nothing, else the one
 * whose turn it is (dataflow_context.choice).
 */
TSNode chosen_value(struct dataflow_context *, struct expression);

/*
 * Whether the expression is not evaluated in the calls at hand: it stands in the other branch of an
 * `if` of its function, or behind one that leaves the function.
 */
bool is_unreachable(struct dataflow_context *, struct expression);
#endif
