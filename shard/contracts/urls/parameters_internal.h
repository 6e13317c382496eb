#ifndef SHARD_CONTRACTS_URLS_PARAMETERS_INTERNAL_H
#define SHARD_CONTRACTS_URLS_PARAMETERS_INTERNAL_H
/* Parameter lists as they are read (parameters.c), for the arguments of calls (arguments.c). */

#include "shard/contracts/urls/dataflow.h"

enum { MAX_ARGUMENTS = 32, MAX_NAMES = 32 };

/* One name that a parameter list gives. */
struct parameter {
	TSNode name;
	int index;		/* of the argument */
	TSNode key;		/* the name is a member of that argument; null: the argument itself */
	TSNode fallback;	/* its value when there is none; null */
	bool rest; /* it has all other arguments */
	int place;	/* the name is the element with this number, from 1, of the argument; or 0 */
};

struct parameters {
	const struct contract_file *in;
	struct parameter v[MAX_NAMES];
	size_t n;
	int next;
	/* the first is what the function is called on, as if it were a method (C#) */
	bool extends;
	bool rest; /* the parameter that is being read has all other arguments */
	bool rest_next; /* a modifier says so of the next one (Kotlin) */
};

/* The parameters of a function. */
void parameters_of(const struct contract_file *, TSNode function, struct parameters *);

/* The one of that name, or NULL. */
const struct parameter *parameter_find(const struct parameters *, const char *name, size_t n);

/* The first field of these names that the node has, or a null node. */
TSNode parameters_first_field(TSNode, const char *a, const char *b, const char *c);

/* Whether the node is a comment. */
bool parameters_comment(const struct syntax_tree *, TSNode);
#endif
