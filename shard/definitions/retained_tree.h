#ifndef SHARD_DEFINITIONS_RETAINED_TREE_H
#define SHARD_DEFINITIONS_RETAINED_TREE_H
/* A file whose tree is retained, for callers that need more than its facts. */

#include "shard/definitions/definitions.h"
#include "shard/facts/facts.h"
#include "shard/syntax/syntax_tree.h"

struct contracts;
struct framework_matches;

struct retained_tree {
	struct syntax_tree tree;
	TSTree *ts;
	struct found_definitions found;
	struct facts facts;		/* without documents; contracts only from outside the tree */
	struct contracts *frameworks;	/* of its language; the parser owns them */
	struct framework_matches *spots;	/* what queries found already; or NULL */
};
#endif
