#ifndef SHARD_GRAPH_FILE_EDGES_H
#define SHARD_GRAPH_FILE_EDGES_H
/* The edges of one file. */

#include "shard/program/resolver.h"

struct edge {
	int32_t source;			/* index of the definition; -1 = the file's top level */
	enum edge_kind kind;
	struct source_file *file;	/* of the target */
	const struct sym *target;	/* NULL = the file itself */
	int confidence;
	const char *reason;
	uint32_t line;
	const struct sym *named;	/* the variable that the code names, if it holds the target */
};

struct edge_list {
	struct edge *v;
	size_t n, cap;
};

/*
 * Find the edges of the file that `l` has begun with, in place of those in `out`: one edge of each
 * source, kind and target, with the highest confidence and the first line, in order of source, kind
 * and target.
 */
void file_edges_find(struct name_resolver *l, struct edge_list *out);

/* The same with an edge for each occurrence, in the order in which they are found. */
void file_edges_find_each(struct name_resolver *l, struct edge_list *out);
#endif
