#ifndef SHARD_GRAPH_OVERRIDES_H
#define SHARD_GRAPH_OVERRIDES_H
/* EXTENDS, IMPLEMENTS and OVERRIDES of the types of one file. */

struct edge_list;
struct name_resolver;

/* Append the edges to `out`. */
void overrides_find(struct name_resolver *, struct edge_list *out);
#endif
