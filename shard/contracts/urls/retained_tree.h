#ifndef SHARD_CONTRACTS_URLS_RETAINED_TREE_H
#define SHARD_CONTRACTS_URLS_RETAINED_TREE_H
/* A file whose tree stays, for who asks it for more than its facts. */

#include "shard/definitions/definitions.h"
#include "shard/facts/facts.h"
#include "shard/syntax/syntax_tree.h"

struct contracts;
struct framework_matches;

struct retained_tree {
	struct syntax_tree tree;
	TSTree *ts;
	struct found_definitions found;
	struct facts facts;		/* without documents; contracts only of what is outside the tree */
	struct contracts *frameworks;	/* of its language; the parser's */
	/* what their queries have found already; NULL: nothing was asked */
	struct framework_matches *spots;
};
#endif
