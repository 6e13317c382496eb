#ifndef SHARD_CONTRACTS_URLS_RETAINED_TREE_H
#define SHARD_CONTRACTS_URLS_RETAINED_TREE_H
/* A file whose tree stays, for who asks it for more than its facts. */

#include "shard/definitions/definitions.h"
#include "shard/facts/facts.h"
#include "shard/syntax/syntax_tree.h"

struct contracts;
struct spots;

struct kept {
	struct tree tree;
	TSTree *ts;
	struct found_list found;
	struct facts facts;		/* without documents; contracts only of what is outside the tree */
	struct contracts *frameworks;	/* of its language; the parser's */
	struct spots *spots;		/* what their queries have found already; NULL: nothing was asked */
};
#endif
