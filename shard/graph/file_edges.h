#ifndef SHARD_GRAPH_FILE_EDGES_H
#define SHARD_GRAPH_FILE_EDGES_H
/* The edges of one file. */

#include "shard/program/resolver.h"

struct edge {
	int32_t source;			/* index of the definition; -1: the file's top level */
	enum edge_kind kind;
	struct source_file *file;		/* of the target */
	const struct sym *target;	/* NULL: the file itself */
	int confidence;
	const char *reason;
	uint32_t line;
};

struct edge_list {
	struct edge *v;
	size_t n, cap;
};

/*
 * Resolve what `l` has begun with.  `out` is filled anew: one edge for each source, kind and
 * target, the surest, at the first line; in order of source, kind and target.
 */
void file_edges_find(struct name_resolver *l, struct edge_list *out);
#endif
