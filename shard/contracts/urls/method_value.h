#ifndef SHARD_CONTRACTS_URLS_METHOD_VALUE_H
#define SHARD_CONTRACTS_URLS_METHOD_VALUE_H
/*
 * Methods of objects as values: `send(requests.post, path)`, `getattr(session, verb)(url)`,
 * `client[verb](url)`.  What is called is known by its object and the name of its method.
 */

#include "shard/contracts/urls/dataflow.h"

struct method_value {
	struct expression object;
	struct expression name;		/* the method's name, or an expression for it */
	bool word;			/* it is the name itself */
	bool parameter;			/* not found: callers of a function around it know */
};

/* What an expression that is called means; false: it is no method of an object. */
bool method_value_of(struct dataflow_context *, struct expression callee, struct method_value *out);
#endif
