#ifndef SHARD_HANDLERS_CONTEXT_EDGES_H
#define SHARD_HANDLERS_CONTEXT_EDGES_H
/* The lists of what is related to a definition by an edge. */

#include "proto/record/record.h"
#include "shard/graph/graph_query.h"

struct arena;
struct db;
struct err;

enum { CONTEXT_LISTS = 10 };	/* fields of context_totals */

struct context_subject {
	int64_t file;
	/* the target, and the constructors of a type: code that makes an object uses the type */
	struct graph_node *nodes;
	size_t n, own;		/* the first `own` are the target */
};

struct context_edges {
	struct neighbours lists[CONTEXT_LISTS];	/* by the position of the field in context_totals */
	struct neighbours named;	/* code that names the target, rather surely */
	bool stopped;			/* the limit was reached, so lists may lack entries */
	size_t read, files;		/* files whose edges were read, of how many; 0 = not known */
};

/*
 * Finds the edges of the subject.  A list that comes from more than EDGE_SCAN_FILES files is ordered
 * by parts, so that a larger limit only adds to its end.  Call context_edges_free, even if this
 * fails.
 */
int context_edges_find(struct db *, const struct context_subject *, struct walk_limit *,
    struct context_edges *, struct arena *, struct err *);
void context_edges_free(struct context_edges *);
#endif
